"""Runs small enough for a test, and the ways to wait for them."""

import hashlib
import threading
import time
from dataclasses import replace

import torch

from lm_core.experiments.war_and_peace.experiment import run_config
from lm_core.experiments.war_and_peace.presets import fitted
from lm_core.jobs.records import RunState
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.own_text import read_own_text
from lm_core.text.training_text import own_training_text
from lm_core.training.checkpoints import load_checkpoint
from lm_core.training.language_modelling import TrainingConfig
from lm_core.training.model_vocabulary import vocabulary_fields
from lm_core.training.recipes import Recipe

LETTERS = "abcdefgh ,."
TEXT = "".join(LETTERS[i] for i in torch.randint(0, len(LETTERS), (3000,), generator=generator(0)))
SHA256 = hashlib.sha256(TEXT.encode()).hexdigest()
PATIENCE_S = 120.0  # a worker starts in 1.5 s on a quiet machine, in many more on a busy one

RECIPE = Recipe(
    name="tiny",
    title="Tiny",
    about="For the tests.",
    model=LSTMLanguageModelConfig(70, 6, 12, 1, hidden_dropout=0.2),
    training=TrainingConfig(steps=60, batch=4, window=8),
)
NEVER_DONE = 10_000_000  # steps


def small_config(recipe=RECIPE, start=None, **training):
    """A run of `RECIPE` on `TEXT`, with some settings of its training changed."""
    settled = {**vars(recipe.training), **training}
    recipe = Recipe(**vars(recipe) | {"training": TrainingConfig(**settled)})
    return run_config(
        recipe, corpus="own text", corpus_sha256=SHA256, vocabulary="source", start=start
    )


def own_text_run(content, *, seed=RECIPE.training.seed, **changes):
    """A run of `RECIPE` on a text of a visitor's own, with some of its fields changed."""
    own = own_training_text(read_own_text(content))
    training = replace(RECIPE.training, seed=seed)
    recipe = fitted(replace(RECIPE, training=training), len(own.vocabulary))
    config = run_config(
        recipe, corpus=own.corpus, corpus_sha256=own.sha256, vocabulary=own.vocabulary.name
    )
    return replace(config, **vocabulary_fields(own.vocabulary), **changes)


def wait_until(condition, what="the condition"):
    """Return the condition's first true answer."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if answer := condition():
            return answer
        threading.Event().wait(0.02)
    raise AssertionError(f"{what} did not come true in {PATIENCE_S:g} s")


def wait_for_state(run, *states):
    """Wait without tending the queue, as somebody does who only reads the folder."""
    wait_until(lambda: run.status().state in states, f"state {[str(s) for s in states]}")
    return run.status()


def wait_for_step(run, step):
    """Wait until the metrics speak of that step, and return which they speak of."""

    def reached():
        last = run.last_metrics()
        return last and last["step"] >= step and last["step"]

    return wait_until(reached, f"step {step} of {run.status()}")


def weights_of(folder):
    return load_checkpoint(folder).model.state_dict()


def assert_same_weights(folder, other):
    ours, theirs = weights_of(folder), weights_of(other)
    assert ours.keys() == theirs.keys()
    for name, weight in ours.items():
        assert torch.equal(weight, theirs[name]), name


def has_ended(run):
    """Whether the run has reached an end and its process has let go of it."""
    if run.status().state in (RunState.QUEUED, RunState.STARTING, RunState.RUNNING):
        return False
    lock = run.own()
    if lock:
        lock.release()
    return lock is not None


class BusyMachine:
    """A launcher whose workers are all busy with something else."""

    def slots(self):
        return 0

    def is_on_its_way(self, run):
        return False

    def prepare(self):
        pass
