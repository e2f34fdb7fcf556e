"""The study's points and the file that holds them, on an encoder and tasks of a few numbers."""

import argparse
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch

from lm_core.errors import ShapeError
from lm_core.experiments.fine_tuning import command, results, study
from lm_core.experiments.fine_tuning.labelled_texts import Task, between_separators, labelled_texts
from lm_core.experiments.fine_tuning.settings import (
    AUTHOR,
    KIND,
    LORA,
    METHODS,
    SIZES,
    SPEAKER,
    TASKS,
    FineTuningConfig,
)
from lm_core.experiments.fine_tuning.study import AuxiliaryPoint, Point, RateScore
from lm_core.experiments.fine_tuning.tables import tables
from lm_core.experiments.fine_tuning.training import learned_weights, prepared_model
from lm_core.models.masked_language_model import MaskedLanguageModel, MaskedLanguageModelConfig
from lm_core.models.task_heads import NOT_ASKED, SPAN, TOKENS
from lm_core.models.transformer import TransformerLanguageModel, TransformerLanguageModelConfig
from lm_core.results import provenance
from lm_core.rng import generator
from lm_core.text.vocabularies import FULL_SUBWORDS, vocabulary_named

VOCABULARY = vocabulary_named(FULL_SUBWORDS)
MODEL = MaskedLanguageModelConfig(len(VOCABULARY), width=8, heads=2, layers=1)


@pytest.fixture(scope="module")
def encoder():
    model = MaskedLanguageModel(MODEL)
    model.initialise(generator(1))
    return model.eval()


def a_task(name, n=40):
    """Return a task with n training and 8 test texts of numbers."""
    kind = KIND[name]

    def part(n_texts, seed):
        rows = torch.randint(5, 40, (n_texts, 6), generator=generator(seed)).tolist()
        if kind == SPAN:
            texts = [between_separators([row[:2], row], MODEL) for row in rows]
            return labelled_texts(texts, [(4 + i % 3, 6) for i in range(n_texts)], MODEL)
        texts = [between_separators([row], MODEL) for row in rows]
        if kind == TOKENS:
            return labelled_texts(texts, [[NOT_ASKED, *[i % 2] * 7] for i in range(n_texts)], MODEL)
        return labelled_texts(texts, [i % 2 for i in range(n_texts)], MODEL)

    return Task(("a", "b"), part(n, 1), part(8, 2), {"a coin": 0.5})


def a_result(encoder, points=()):
    config = FineTuningConfig(AUTHOR, LORA, 40)
    weights = learned_weights(prepared_model(encoder, config, 2, generator(3)))
    record = results.TaskRecord(("a", "b"), 40, 8, {"a coin": 0.5}, dict.fromkeys(METHODS, 7))
    return results.FineTuningResults(
        provenance(device="cpu", seconds=1.0),
        dict.fromkeys(TASKS, record),
        points,
        (AuxiliaryPoint(0.3, 30, 0, 0.5, 4.0, 5.0),),
        (RateScore(AUTHOR, LORA, 0.01, 0.5),),
        (results.Adapter(AUTHOR, 40, {name: weight.half() for name, weight in weights.items()}),),
    )


def test_sizes_go_up_to_what_there_is():
    assert study.sizes_of(40) == (10, 30, 40)
    assert study.sizes_of(100) == (10, 30, 100)
    assert study.sizes_of(102) == (10, 30, 102)


def test_every_method_size_and_seed_is_tuned_once():
    configs = list(study.configs({AUTHOR: a_task(AUTHOR), SPEAKER: a_task(SPEAKER)}))
    keys = {(c.task, c.method, c.n_labelled, c.seed) for c in configs}
    assert len(keys) == len(configs) == 2 * len(METHODS) * (3 + 3 + 2)
    assert {c.batch for c in configs if c.task == SPEAKER} == {16}
    assert set(study.SEEDS) == set(SIZES)


def test_learning_rates_are_compared_on_training_texts_alone(encoder, monkeypatch):
    monkeypatch.setattr(study, "N_COMPARED", 10)
    monkeypatch.setattr(study, "RATES", {LORA: (1e-3, 1e-2)})
    task = a_task(AUTHOR)
    hidden = replace(task, test=task.test._replace(targets=task.test.targets * 0 + 9))
    scores = list(study.compare_rates(encoder, AUTHOR, hidden, 10))
    assert [(s.method, s.rate) for s in scores] == [(LORA, 1e-3), (LORA, 1e-2)]
    # Of two classes; of the test texts nothing is right.
    assert max(s.accuracy for s in scores) >= 0.4


def test_results_come_back_as_they_were_saved(encoder, tmp_path):
    points = (
        Point(AUTHOR, LORA, 100, 0, 0.5, 4.2, 3.0),
        Point(AUTHOR, LORA, 10, 0, 0.25, 4.1, 1.0),
        Point(AUTHOR, LORA, 10, 1, 0.375, 4.1, 1.0),
    )
    found = a_result(encoder, points)
    found.save(tmp_path / "found.json")
    loaded = results.FineTuningResults.load(tmp_path / "found.json")
    assert loaded.points == points
    assert loaded.tasks == found.tasks
    assert (loaded.auxiliary, loaded.rates) == (found.auxiliary, found.rates)
    assert loaded.accuracies(AUTHOR, LORA) == {10: [0.25, 0.375], 100: [0.5]}
    model = loaded.adapters[0].model(encoder, 2)
    assert not model.training
    stored = found.adapters[0].weights
    assert all(torch.equal(w, stored[n].float()) for n, w in learned_weights(model).items())


def test_an_adapted_model_shares_the_encoders_numbers_and_leaves_them(encoder):
    before = {name: weight.clone() for name, weight in encoder.state_dict().items()}
    model = a_result(encoder).adapters[0].model(encoder, 2)
    places = {weight.data_ptr() for weight in encoder.parameters()}
    own = [weight for weight in model.parameters() if weight.data_ptr() not in places]
    assert sum(weight.numel() for weight in own) == model.learned_parameter_count
    tokens = torch.tensor([between_separators([[5, 6, 7]], MODEL)])
    with torch.no_grad():
        for name, weight in learned_weights(model).items():
            weight.fill_(0.5 if name.endswith("up") else 1.0)
        changed = model.encoder.hidden_states(tokens, torch.tensor([5]))
        plain = encoder.hidden_states(tokens, torch.tensor([5]))
    assert not torch.allclose(changed, plain)
    assert all(torch.equal(before[name], weight) for name, weight in encoder.state_dict().items())
    assert all(weight.requires_grad for weight in encoder.parameters())


def test_updates_of_another_encoder_are_refused(encoder):
    adapter = a_result(encoder).adapters[0]
    with pytest.raises(ShapeError, match="another encoder"):
        adapter.model(encoder, 3)


def test_results_of_other_tasks_are_refused(encoder):
    found = a_result(encoder)
    with pytest.raises(ValueError, match="must be the tasks"):
        replace(found, tasks={AUTHOR: found.tasks[AUTHOR]})


@pytest.fixture
def small(encoder, monkeypatch):
    """Let the command work on small tasks, a small book and few steps."""
    causal = TransformerLanguageModel(
        TransformerLanguageModelConfig(len(VOCABULARY), 8, 2, 1, context=64)
    )
    causal.initialise(generator(1))
    models = {command.ENCODER: encoder, command.CAUSAL: causal.eval()}
    meta = SimpleNamespace(weights_sha256="0")
    monkeypatch.setattr(
        command, "load_shipped", lambda name: SimpleNamespace(model=models[name], meta=meta)
    )
    text = VOCABULARY.encode("\nThe old man went out. He came back!\nShe said nothing. " * 20)
    monkeypatch.setattr(command, "load_book", lambda vocabulary: SimpleNamespace(validation=text))
    monkeypatch.setattr(
        command, "MAKE_TASK", {name: lambda v, c, name=name: a_task(name) for name in TASKS}
    )
    monkeypatch.setattr(study, "SEEDS", dict.fromkeys(SIZES, 1))
    monkeypatch.setattr(study, "SHIPPED_SIZE", 10)
    monkeypatch.setattr(study, "AUXILIARY_SEEDS", {10: 1})
    monkeypatch.setattr("lm_core.experiments.fine_tuning.settings.STEPS", dict.fromkeys(SIZES, 2))


def test_the_command_tunes_everything_once_and_goes_on(small, tmp_path, capsys):
    parser = argparse.ArgumentParser()
    command.run.add_arguments(parser)
    runs = ["--runs", str(tmp_path / "runs"), "--out", str(tmp_path / "out.json")]
    command.run(parser.parse_args([*runs, "--methods", LORA]))
    assert not (tmp_path / "out.json").exists()
    n_first = len((tmp_path / "runs/points.jsonl").read_text().splitlines())
    assert n_first == len(TASKS) * (1 + 1 + 2)  # two seeds of all there is
    command.run(parser.parse_args(runs))
    found = results.FineTuningResults.load(tmp_path / "out.json")
    assert len(found.points) == len(METHODS) * n_first
    assert len({point[:4] for point in found.points}) == len(found.points)
    assert [(a.task, a.n_labelled) for a in found.adapters] == [
        (t, n) for t in TASKS for n in (10, 40)
    ]
    assert len(found.auxiliary) == len(study.WEIGHTS)
    assert found.tasks[AUTHOR].learned["frozen"] == 2 * 8 + 2
    assert found.provenance["pretrained_masked_loss"] > 0.0
    capsys.readouterr()
    command.run(parser.parse_args(runs))
    assert not capsys.readouterr().out


def test_the_shipped_results_are_complete():
    found = results.FineTuningResults.load()
    for name, record in found.tasks.items():
        sizes = study.sizes_of(record.n_training)
        for method in METHODS:
            accuracies = found.accuracies(name, method)
            assert tuple(accuracies) == sizes
            assert [len(accuracies[n]) for n in sizes] == [study.SEEDS.get(n, 2) for n in sizes]


def test_tables_have_means_and_ranges_of_the_seeds(encoder):
    points = (
        Point(AUTHOR, LORA, 10, 0, 0.2, 4.0, 1.0),
        Point(AUTHOR, LORA, 10, 1, 0.4, 4.2, 1.0),
        Point(AUTHOR, LORA, 40, 0, 0.5, 4.5, 2.0),
    )
    lines = list(tables(a_result(encoder, points)))
    row = next(line for line in lines if line.startswith(f"| {AUTHOR} | {LORA} | 7 |"))
    assert "| 30.0% (20 to 40) |" in row
    assert "| 50.0% (50 to 50) |" in row
    assert f"| {AUTHOR} | {LORA} | 4.10 | 4.50 |" in lines
    assert "| 30 | 0.3 | 50.0% (50 to 50) | 4.000 | 5.000 |" in lines
    assert f"| {AUTHOR} | a coin |  | 50.0% |" in next(x for x in lines if "coin" in x)
