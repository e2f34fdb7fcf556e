"""The command that trains one kind after another, and goes on where an earlier call stopped."""

from argparse import Namespace
from itertools import count

import pytest
import torch

from lm_core.experiments.commands import Report
from lm_core.experiments.positional_encoding import beyond_length, command
from lm_core.experiments.positional_encoding.results import BeyondLengthResults, LongReading
from lm_core.text.training_text import TrainingText

KINDS = ("learned", "none", "rotary")


@pytest.fixture
def every_training_takes_ten_seconds(monkeypatch):
    clock = count(100, 10)  # read as a call begins and after each training
    monkeypatch.setattr("lm_core.experiments.commands.time.perf_counter", lambda: next(clock))
    text = TrainingText(None, None, "invented", "0" * 64)
    monkeypatch.setattr(command, "load_book", lambda: text)
    monkeypatch.setattr(command, "learned_codes", lambda model: torch.zeros(64, 2))
    monkeypatch.setattr(
        beyond_length,
        "trained_reading",
        lambda position, seed, book: (None, LongReading(position, seed, 1, (1.0,), (1.0,))),
    )


def test_the_seconds_of_all_trainings_are_added_once(
    every_training_takes_ten_seconds, monkeypatch, tmp_path
):
    out = tmp_path / "found.json"
    for n in (2, 3):
        monkeypatch.setattr(beyond_length, "TRAININGS", [(1, kind) for kind in KINDS[:n]])
        command.run.measure(Report(Namespace(out=out)))
    found = BeyondLengthResults.load(out)
    assert [reading.position for reading in found.readings] == list(KINDS)
    assert found.provenance["seconds"] == 30.0
