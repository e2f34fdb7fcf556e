"""The lesson on induction heads: what is learned from, one short training, and the results file."""

import dataclasses

import pytest
import torch

from lm_core.__main__ import main
from lm_core.experiments.induction import command, training
from lm_core.experiments.induction.results import InductionResults
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import Book

TEXT = torch.arange(500) % 40  # each prose window goes up by one, but for the end of the alphabet


@pytest.mark.parametrize(
    ("share", "n_repeated"), [(0.0, 0), (0.5, training.BATCH // 2), (1.0, training.BATCH)]
)
def test_the_share_of_windows_that_repeat_is_the_lessons(share, n_repeated):
    lesson = training.Lesson("", share, periods=(8, 12))
    windows = training.draw_windows(TEXT, 70, lesson, generator(0))
    assert windows.shape == (training.BATCH, training.WINDOW + 1)
    is_prose = ((windows[:, 1:] - windows[:, :-1]) % 40 == 1).all(1)
    assert is_prose.tolist() == [False] * n_repeated + [True] * (training.BATCH - n_repeated)
    assert windows.min() >= 0
    assert windows.max() < 70


def test_random_windows_repeat_after_their_period_and_not_before():
    windows = training.draw_windows(
        TEXT, 70, training.Lesson("", 1.0, periods=(8, 12)), generator(0)
    )
    periods = []
    for window in windows:
        period = next(p for p in range(1, training.WINDOW) if (window[p:] == window[:-p]).all())
        periods.append(period)
        assert len(set(window[:period].tolist())) == period
        assert window.min() >= 1  # 0 stands for the unknown
    assert set(periods) <= set(range(8, 13))
    assert len(set(periods)) > 1


def test_a_lesson_is_measured_before_and_while_it_is_learned(monkeypatch):
    monkeypatch.setattr(training, "STEPS", 6)
    monkeypatch.setattr(training, "EVERY", 3)
    steps = list(training.learn(training.Lesson("", 0.5), TEXT, 70))
    assert [step.step for step in steps] == [0, 3, 6]
    assert all(0.0 <= step.induction <= 1.0 for step in steps)
    assert steps[0].first_loss == pytest.approx(steps[0].second_loss, abs=0.1)
    assert steps == list(training.learn(training.Lesson("", 0.5), TEXT, 70))
    assert steps != list(training.learn(training.Lesson("", 0.5, weight_scale=0.1), TEXT, 70))
    assert steps[0] != next(training.learn(training.Lesson("", 0.5, layers=1), TEXT, 70))


def test_the_command_trains_all_lessons(tmp_path, monkeypatch, capsys):
    book = Book(TEXT.numpy(), SOURCE, "war-and-peace", "f" * 64, 500)
    monkeypatch.setattr(command, "load_book", lambda _: book)
    monkeypatch.setattr(training, "STEPS", 2)
    monkeypatch.setattr(training, "EVERY", 2)
    assert main(["experiment", "induction", "--out", str(tmp_path / "i.json")]) == 0
    curves = InductionResults.load(tmp_path / "i.json").curves
    assert list(curves) == [lesson.title for lesson in training.LESSONS]
    assert {tuple(step.step for step in steps) for steps in curves.values()} == {(0, 2)}
    assert training.LESSONS[0].title in capsys.readouterr().out


def test_each_lesson_changes_one_thing():
    changed = [
        {f for f, v in dataclasses.asdict(lesson).items() if v != getattr(training.LESSONS[1], f)}
        - {"title"}
        for lesson in training.LESSONS
    ]
    assert [len(fields) for fields in changed] == [1, 0, 1, 1, 1]
