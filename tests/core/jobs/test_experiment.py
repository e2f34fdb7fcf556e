"""A run of something that is no language model: it learns one number, and keeps it in a file."""

import dataclasses
import json
from typing import NamedTuple

import pytest

from lm_core.errors import SettingError
from lm_core.jobs import registry as experiments
from lm_core.jobs.experiment import Experiment, ExperimentKind
from lm_core.jobs.records import RunConfig, RunState
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder

CONFIG = RunConfig(
    "number", "A number", {"target": 3}, {"steps": 20, "seed": 1}, experiment="number"
)


class Guess(NamedTuple):
    step: int
    loss: float
    seconds: float
    guess: float

    @property
    def is_news(self):
        return self.step % 5 == 0


class Guessing(Experiment):
    def __init__(self, config):
        self._config = config
        self._step, self._guess = 0, 0.0

    def __iter__(self):
        while self._step < self._config.training["steps"]:
            self._step += 1
            self._guess += 0.5 * (self._config.model["target"] - self._guess)
            loss = (self._config.model["target"] - self._guess) ** 2
            yield Guess(self._step, loss, self._step / 100, self._guess)

    def state_dict(self):
        return {"step": self._step, "seconds": self._step / 100, "guess": self._guess}

    def load_state_dict(self, saved):
        self._step, self._guess = saved["step"], saved["guess"]

    def save(self, root, *, is_last, quick=False):
        folder = root / self._config.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "number.json").write_text(json.dumps(self._guess))
        return folder


@pytest.fixture(autouse=True)
def number(monkeypatch):
    def settled(config):
        return dataclasses.replace(config, model={"target": 3, **config.model})

    kind = ExperimentKind(lambda config, *_: Guessing(config), settled, lambda _: 1)
    monkeypatch.setitem(experiments.EXPERIMENTS, "number", kind)


def test_a_run_trains_what_is_not_a_language_model(tmp_path):
    run = RunFolder(tmp_path / "run")
    steps = list(train_here(run, CONFIG))
    assert run.status().state is RunState.FINISHED
    assert json.loads((run.checkpoint / "number.json").read_text()) == steps[-1].guess
    rows = [json.loads(line) for line in run.metrics_file.read_text().splitlines()]
    assert [row["step"] for row in rows if row["step"] % 5 == 0] == [5, 10, 15, 20]
    assert rows[-1]["guess"] == steps[-1].guess
    assert run.last_sample() is None


def test_it_goes_on_where_it_was_stopped(tmp_path):
    run = RunFolder(tmp_path / "run")
    for step in train_here(run, CONFIG):
        if step.step == 7:
            break
    assert run.status().state is RunState.PAUSED
    assert [step.step for step in train_here(run, CONFIG)] == list(range(8, 21))


def test_defaults_are_filled_in_by_the_kind_before_a_run_is_named(tmp_path):
    run = RunFolder(tmp_path / "run")
    list(train_here(run, dataclasses.replace(CONFIG, model={})))
    assert run.config() == CONFIG


def test_an_unknown_experiment_is_refused_by_name(tmp_path):
    with pytest.raises(SettingError, match="lm_core/experiments, got 'alchemy'"):
        list(train_here(RunFolder(tmp_path), dataclasses.replace(CONFIG, experiment="alchemy")))
