"""What only a real graphics card can show: arithmetic in bfloat16, its own kernels, processes, speed.

    python3 -m pytest -p no:cacheprovider -s -m gpu tests/gpu

takes less than three minutes, and prints how many tokens a second our loop trains beside a plain one.
It needs neither the corpora nor the shipped models, and no other file of the tests.
"""

import math
import os
import signal
import statistics
import threading
import time
from dataclasses import replace
from itertools import islice

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lm_core.experiments.war_and_peace.experiment import run_config
from lm_core.generation.beam_search import beam_search
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import generate
from lm_core.jobs import jobs
from lm_core.jobs.records import RunState
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.models.registry import build
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.checkpoints import load_checkpoint
from lm_core.training.data_parallel import SharedTraining
from lm_core.training.devices import describe_device
from lm_core.training.language_modelling import Training, TrainingConfig
from lm_core.training.recipes import LARGE_LIBRARY_TRANSFORMERS, Recipe

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA card"),
    pytest.mark.filterwarnings("default"),
]

DEVICE = torch.device("cuda")
PATIENCE_S = 60.0
MANY_STEPS = 10_000_000  # steps

MODELS = {
    "transformer": TransformerLanguageModelConfig(
        len(SOURCE), width=64, heads=4, layers=2, context=64, query_key_norm=True
    ),
    "lstm": LSTMLanguageModelConfig(len(SOURCE), embedding_size=32, hidden_size=64, layers=2),
}
DROPPED = {
    "transformer": replace(MODELS["transformer"], dropout=0.1, cold_starts=0.2),
    "lstm": replace(MODELS["lstm"], hidden_dropout=0.1, recurrent_dropout=0.1),
}
TRAINING = TrainingConfig(
    steps=25, batch=8, window=32, learning_rate=5e-3, warmup_steps=5, held_out=0.1, dtype="float32"
)


def made_text(n_words=12_000, seed=0):
    """Words of a small language that nobody speaks, some of them more often than others."""
    rng = generator(seed)
    lengths = torch.randint(2, 8, (300,), generator=rng).tolist()
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = [
        "".join(letters[i] for i in torch.randint(0, 26, (length,), generator=rng))
        for length in lengths
    ]
    chosen = torch.multinomial(1 / torch.arange(1.0, 301.0), n_words, True, generator=rng)
    return " ".join(words[i] for i in chosen)


TEXT = made_text()
TOKENS = torch.from_numpy(SOURCE.encode(TEXT)).long()


def recipe(model, name="small", **changes):
    return Recipe(name, name, "For this test.", model, replace(TRAINING, **changes))


def config_of(recipe, teachers=()):
    return run_config(
        replace(recipe, teachers=tuple(folder.name for folder in teachers)),
        corpus="made text",
        corpus_sha256="0" * 64,
        vocabulary=SOURCE.name,
        teachers=teachers,
    )


def losses(model, device, **changes):
    config = replace(TRAINING, **changes)
    training = Training(build(model), TOKENS, config, device=device, held_out_every=10)
    steps = list(training)
    assert [step.step for step in steps if step.held_out_loss is not None] == [10, 20]
    return torch.tensor([(step.loss, step.held_out_loss or 0.0) for step in steps])


# Arithmetic -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "nats"),
    [
        ("transformer", {}, 0.01),
        ("lstm", {}, 0.01),
        ("transformer", {"dtype": "auto"}, 0.05),
        ("lstm", {"dtype": "auto"}, 0.05),
        ("transformer", {"optimizer": "muon"}, 0.05),
        ("transformer", {"optimizer": "muon", "dtype": "auto"}, 0.1),
    ],
)
def test_losses_are_the_processors(name, settings, nats):
    ours = losses(MODELS[name], DEVICE, **settings)
    # "auto" is float32 on a processor.
    theirs = losses(MODELS[name], "cpu", **settings)
    furthest = (ours - theirs).abs().max().item()
    print(f"\n{name} {settings}: losses differ by at most {furthest:.1e} nats")
    assert theirs[-1, 0] < theirs[0, 0] - 0.5, "nothing was learned"
    assert furthest < nats


@pytest.mark.parametrize("name", DROPPED)
def test_a_resumed_training_goes_on_where_it_was(name):
    config = replace(TRAINING, dtype="auto")
    straight = Training(build(DROPPED[name]), TOKENS, config, device=DEVICE)
    expected = [step.loss for step in straight]
    interrupted = Training(build(DROPPED[name]), TOKENS, config, device=DEVICE)
    head = [step.loss for step in islice(interrupted, 10)]
    resumed = Training(build(DROPPED[name]), TOKENS, config, device=DEVICE)
    resumed.load_state_dict(interrupted.state_dict())
    # Some kernels of a card add up in an order of their own each time.
    assert head + [step.loss for step in resumed] == pytest.approx(expected, abs=0.02)


# Jobs -----------------------------------------------------------------------------------------


@pytest.fixture
def on_the_card(monkeypatch, tmp_path):
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LM_LAB_DEVICE", DEVICE.type)
    monkeypatch.setenv("LM_LAB_PREWARMED_WORKER", "0")


def wait_for(condition, what):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if answer := condition():
            return answer
        threading.Event().wait(0.05)
    raise AssertionError(f"{what} did not come within {PATIENCE_S:g} s")


def begun(model, steps):
    """A job whose worker has saved a state, and gone on since."""
    run = jobs.submit(config_of(recipe(model, steps=steps, dtype="auto")), TEXT, visitor="A").run
    wait_for(
        lambda: run.resume_file.exists() or run.status().state is RunState.FAILED, "a saved state"
    )
    assert run.status().state is RunState.RUNNING, run.status().message
    assert run.status().device == describe_device(DEVICE)
    return run


@pytest.mark.usefixtures("on_the_card")
def test_a_killed_job_goes_on_and_a_cancelled_one_ends():
    run = begun(DROPPED["transformer"], MANY_STEPS)
    os.kill(run.status().pid, signal.SIGKILL)
    wait_for(run.own, "the end of the worker").release()
    killed_at = run.last_metrics()["step"]
    wait_for(
        lambda: jobs.job(run.key).status.crashes and run.last_metrics()["step"] > killed_at,
        f"a step after {killed_at}, where its worker was killed",
    )
    jobs.cancel(run.key)
    wait_for(lambda: run.status().state is RunState.CANCELLED, "the end")
    assert run.status().step > killed_at
    print(f"\nkilled at step {killed_at:,}, cancelled at step {run.status().step:,}")


# Teachers, texts ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def teachers(tmp_path_factory):
    """Folders of two trained models and the one that came of learning from both."""
    root = tmp_path_factory.mktemp("runs")

    def trained(recipe, folders=()):
        run = RunFolder(root / recipe.name)
        steps = list(train_here(run, config_of(recipe, folders), TEXT, DEVICE))
        assert run.status().state is RunState.FINISHED
        assert steps[-1].loss < steps[0].loss - 0.5
        return run.checkpoint

    large = [
        trained(recipe(DROPPED[name], f"teacher-{name}", steps=150, optimizer=optimizer))
        for name, optimizer in (("transformer", "muon"), ("lstm", "adamw"))
    ]
    return [*large, trained(recipe(MODELS["transformer"], "pupil", steps=150), large)]


def test_a_pupil_learns_from_several_teachers(teachers):
    *large, pupil = [load_checkpoint(folder) for folder in teachers]
    assert pupil.meta.recipe["teachers"] == [one.meta.name for one in large]
    assert pupil.meta.device == describe_device(DEVICE)


def test_it_writes_what_the_processor_writes(teachers):
    for folder in teachers:
        model = load_checkpoint(folder).model.eval()
        prompt = SOURCE.encode("the ")
        settings = SamplingSettings(temperature=0.8)
        texts, beams, predicted = [], [], []
        for device in ("cpu", DEVICE):
            model.to(device)
            written = islice(generate(model, prompt, settings, seed=1), 30)
            texts.append([token.token for token in written])
            beams.append(beam_search(model, prompt, 3, 10)[0].log_probability)
            with torch.no_grad():
                logits, _ = model(TOKENS[None, :50].to(device), model.initial_state(1))
            predicted.append(logits.cpu())
        torch.testing.assert_close(predicted[1], predicted[0], atol=2e-2, rtol=1e-2)
        print(f"\n{folder.name}: {SOURCE.decode(texts[1])!r}")
        assert len(texts[1]) == 30
        assert beams[1] == pytest.approx(beams[0], abs=0.05)


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two cards")
def test_two_cards_learn_as_one_does():
    alone = [
        step.loss
        for step in Training(build(MODELS["transformer"]), TOKENS, TRAINING, device=DEVICE)
    ]
    together = SharedTraining(
        build(MODELS["transformer"]), TOKENS, TRAINING, n_devices=2, device=DEVICE
    )
    try:
        assert [step.loss for step in together] == pytest.approx(alone, abs=0.01)
    finally:
        together.close()


# Speed ----------------------------------------------------------------------------------------

LARGE = replace(LARGE_LIBRARY_TRANSFORMERS[0].model, dropout=0.0)
LARGE_TRAINING = replace(LARGE_LIBRARY_TRANSFORMERS[0].training, held_out=0.0)
WARM_UP_STEPS, TIMED_STEPS = 8, 15


class PlainBlock(nn.Module):
    """A block as nanoGPT has it (https://github.com/karpathy/nanoGPT), without dropout and biases."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.attention_norm = nn.LayerNorm(width, bias=False)
        self.projections = nn.Linear(width, 3 * width, bias=False)
        self.output = nn.Linear(width, width, bias=False)
        self.feed_forward = nn.Sequential(
            nn.LayerNorm(width, bias=False),
            nn.Linear(width, 4 * width, bias=False),
            nn.GELU(),
            nn.Linear(4 * width, width, bias=False),
        )

    def forward(self, x):
        q, k, v = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in self.projections(self.attention_norm(x)).chunk(3, -1)
        )
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.output(mixed.transpose(1, 2).flatten(-2))
        return x + self.feed_forward(x)


class PlainTransformer(nn.Module):
    def __init__(self, config, window, run_block):
        super().__init__()
        self.run_block = run_block
        self.embedding = nn.Embedding(config.vocabulary_size, config.width)
        self.positions = nn.Embedding(window, config.width)
        self.blocks = nn.ModuleList(
            PlainBlock(config.width, config.heads) for _ in range(config.layers)
        )
        self.norm = nn.LayerNorm(config.width, bias=False)
        self.output = nn.Linear(config.width, config.vocabulary_size, bias=False)
        self.output.weight = self.embedding.weight
        nn.init.normal_(self.embedding.weight, std=0.02)

    def forward(self, tokens, targets):
        places = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.embedding(tokens) + self.positions(places)
        for block in self.blocks:
            x = self.run_block(block, x)
        return F.cross_entropy(self.output(self.norm(x)).flatten(0, 1), targets.flatten())


def plain_loop(text, training, run_block):
    """A function that takes one step of nanoGPT's loop: its loss is read once in ten steps."""
    model = PlainTransformer(LARGE, training.window, run_block).to(DEVICE)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1, fused=DEVICE.type != "cpu"
    )
    rng, steps = generator(0), 0

    def step():
        nonlocal steps
        starts = torch.randint(len(text) - training.window - 1, (training.batch, 1), generator=rng)
        places = (starts + torch.arange(training.window + 1)).to(DEVICE)
        read = text[places]
        with torch.autocast(DEVICE.type, torch.bfloat16):
            loss = model(read[:, :-1], read[:, 1:])
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        steps += 1
        if steps % 10 == 0:
            assert math.isfinite(loss.item())

    return step


def tokens_a_second(step, training):
    """The middle of three measurements, each of some steps in a row."""
    for _ in range(WARM_UP_STEPS):
        step()
    speeds = []
    for _ in range(3):
        torch.cuda.synchronize()
        begun = time.perf_counter()
        for _ in range(TIMED_STEPS):
            step()
        torch.cuda.synchronize()
        seconds = time.perf_counter() - begun
        speeds.append(TIMED_STEPS * training.batch * training.window / seconds)
    return statistics.median(speeds)


def test_tokens_a_second_beside_a_plain_loop(monkeypatch):
    """Prints, and asserts no speed: that is the card's."""
    monkeypatch.setenv("TORCHINDUCTOR_COMPILE_THREADS", "1")  # more would outlive the test
    training = LARGE_TRAINING
    text = torch.randint(LARGE.vocabulary_size, (2_000_000,), generator=generator(0))
    on_card = text.to(DEVICE)

    def ours(model, **changes):
        return Training(
            build(model),
            text,
            replace(training, **changes),
            device=DEVICE,
            held_out_every=MANY_STEPS,
        ).take_step

    rows = {
        "ours as in the recipe: Muon, 255 tokens remembered, dropout 0.2": lambda: ours(
            LARGE_LIBRARY_TRANSFORMERS[0].model
        ),
        "ours, without dropout": lambda: ours(LARGE),
        "ours, AdamW": lambda: ours(LARGE, optimizer="adamw"),
        "ours, AdamW, nothing remembered": lambda: ours(
            replace(LARGE, cold_starts=1.0, query_key_norm=False), optimizer="adamw"
        ),
        "a plain loop (nanoGPT's): fused AdamW, nothing remembered": lambda: plain_loop(
            on_card, training, PlainBlock.forward
        ),
        "the plain loop, its blocks compiled": lambda: plain_loop(
            on_card, training, torch.compile(PlainBlock.forward, dynamic=False)
        ),
    }
    print(
        f"\n{describe_device(DEVICE)}, torch {torch.__version__}: {LARGE.layers} blocks of width"
        f" {LARGE.width}, batches of {training.batch} x {training.window} tokens, bfloat16"
    )
    for name, begin in rows.items():
        try:
            print(f"{tokens_a_second(begin(), training):12,.0f} tokens/s  {name}", flush=True)
        except Exception as error:
            if "compiled" not in name:
                raise
            print(f"    not measured  {name}: {type(error).__name__}: {error}")
