"""Modular addition: the split, the waves in vectors, and the shipped trainings, begun again."""

import argparse
import math

import pytest
import torch

from lm_core.experiments.grokking import command
from lm_core.experiments.grokking.results import GrokkingResults
from lm_core.experiments.grokking.training import (
    DECAYS,
    EVALUATED,
    SHARES,
    STEPS,
    ModularAdder,
    evaluate,
    spectrum,
    split_pairs,
    train,
)
from lm_core.rng import generator


@pytest.fixture(scope="module")
def shipped():
    return GrokkingResults.load()


def test_a_sum_and_the_same_turned_round_are_on_one_side():
    learned, held_out = (set(map(tuple, h.tolist())) for h in split_pairs(7, 0.4, generator(1)))
    assert learned | held_out == {(a, b) for a in range(7) for b in range(7)}
    assert not learned & held_out
    assert all((b, a) in half for half in (learned, held_out) for a, b in half)
    assert len({frozenset(pair) for pair in learned}) == round(0.4 * 28)


def test_a_wave_has_one_frequency():
    turns = 2 * math.pi * torch.arange(11.0) / 11
    vectors = torch.stack([5.0 + (3 * turns).cos(), (3 * turns).sin()], 1)
    assert spectrum(vectors).tolist() == pytest.approx([0, 0, 1, 0, 0], abs=1e-6)
    with_another = torch.cat([vectors, 2 * (5 * turns).cos()[:, None]], 1)
    assert spectrum(with_another).tolist() == pytest.approx([0, 0, 1 / 3, 0, 2 / 3], abs=1e-6)


def test_right_answers_are_those_modulo_p():
    network = ModularAdder()
    network.forward = lambda pairs: 50 * torch.eye(59)[(pairs[:, 0] + pairs[:, 1]) % 59]
    half = torch.tensor([[1, 2], [58, 3], [30, 29]])
    found = evaluate(network, half, torch.tensor([[0, 0]]), 5)
    assert found[:5] == (5, 0.0, 0.0, 1.0, 1.0)
    network.forward = lambda pairs: 50 * torch.eye(59)[pairs.sum(1).clamp(max=58)]
    assert evaluate(network, half, half, 5).held_out_right == pytest.approx(1 / 3, abs=1e-4)


@pytest.mark.parametrize("weight_decay", DECAYS)
def test_the_shipped_trainings_begin_as_they_do_anew(shipped, weight_decay):
    again = train(0.4, weight_decay, steps=60)
    kept = shipped.curve(0.4, weight_decay)
    assert (again.training, again.held_out) == (kept.training, kept.held_out)
    assert [e.step for e in again.evaluations] == [n for n in EVALUATED if n <= 60]
    for new, old in zip(again.evaluations, kept.evaluations, strict=False):
        assert new[1:5] == pytest.approx(old[1:5], rel=0.02, abs=0.01)
        assert new.spectrum == pytest.approx(old.spectrum, abs=2e-3)


def test_each_share_is_trained_with_weight_decay_and_without(shipped):
    assert [(c.share, c.weight_decay) for c in shipped.curves] == [
        (share, decay) for share in SHARES for decay in DECAYS
    ]
    for curve in shipped.curves:
        assert curve.evaluations[-1].step == STEPS
        assert all(sum(e.spectrum) == pytest.approx(1.0, abs=2e-3) for e in curve.evaluations)


def test_when_and_how_much_are_read_from_the_evaluations(shipped):
    curve = shipped.curve(0.5, 1.0)
    until = curve.steps_until("held_out", 0.9)
    *before, then = (e.held_out_right for e in curve.evaluations if e.step <= until)
    assert max(before) < 0.9 <= then
    assert curve.steps_until("training", 0.9) < until
    assert shipped.curve(0.5, 0.0).steps_until("held_out", 0.9) is None
    last = curve.evaluations[-1]
    assert last.strongest(1) == max(last.spectrum)
    assert last.strongest(29) == pytest.approx(1.0, abs=2e-3)


def test_the_command_trains_all(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "train", lambda *asked: train(*asked, steps=2))
    monkeypatch.setattr(torch, "set_flush_denormal", lambda _: True)
    command.run(argparse.Namespace(out=tmp_path / "g.json"))
    written = GrokkingResults.load(tmp_path / "g.json")
    assert len(written.curves) == len(SHARES) * len(DECAYS)
