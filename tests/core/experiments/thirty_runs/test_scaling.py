"""A source of known entropy, networks that learn it, and the line through what they lose."""

import math

import pytest
import torch

from lm_core.experiments.thirty_runs import scaling
from lm_core.models.ngram import estimate
from lm_core.rng import generator


@pytest.fixture(scope="module")
def source():
    ids = torch.randint(0, 3, (4_000,), generator=generator(1))
    ids[1::2] = (ids[:-1:2] + 1) % 3  # every second one is told by the one before
    return scaling.source_of(estimate(ids.numpy(), 3, 3))


def test_contexts_come_as_often_as_the_text_brings_them(source):
    pairs, table = source.frequencies.view(3, 3), source.following.view(3, 3, 3)
    assert float(pairs.sum()) == pytest.approx(1.0)
    # In the long run the pairs that are left are those that are come to.
    torch.testing.assert_close(torch.einsum("ab,abc->bc", pairs, table), pairs)


def test_the_entropy_is_what_the_source_itself_loses(source):
    examples = source.draw(generator(0))
    places = 3 * examples.contexts[:, 0] + examples.contexts[:, 1]
    lost = -source.following[places, examples.targets].log()
    assert float(lost.mean()) == pytest.approx(source.entropy, abs=0.01)
    assert 0.0 < source.entropy < math.log(3)


def test_a_network_comes_near_the_entropy_and_never_below(source, monkeypatch):
    monkeypatch.setattr(scaling, "STEPS", 200)
    examples = source.draw(generator(0))
    small, large = (
        scaling.loss_above_entropy(source, examples, size, 0.02, seed=0)
        for size in ((1, 1), (16, 4))
    )
    assert 0.0 < large < 0.01
    assert large < small


def test_turns_are_taken_for_pieces_of_a_training(source, monkeypatch, turns):
    monkeypatch.setattr(scaling, "STEPS", 100)
    scaling.loss_above_entropy(source, source.draw(generator(0)), (4, 2), 0.02, 0, model_turn=turns)
    assert turns.taken == 3  # two pieces of fifty steps, and what it comes to


def test_a_power_law_is_found_again():
    law = scaling.PowerLaw(-0.3, 2.0)
    found = scaling.fit_power_law({n: law.at(n) for n in (500, 1_000, 4_000)})
    assert found == pytest.approx(law)


def test_a_phone_s_training_comes_to_what_was_measured():
    source, measured = scaling.shipped_source(), scaling.ScalingResults
    results = measured.load(measured.shipped())
    assert results.entropy == pytest.approx(source.entropy, abs=1e-4)
    examples = source.draw(generator(0))
    for seed, (size, network) in enumerate(zip(scaling.SIZES[:2], results.at(0.02), strict=False)):
        assert network.parameters == scaling.network_of(size, 70).parameter_count
        found = scaling.loss_above_entropy(source, examples, size, 0.02, seed)
        assert network.above_entropy[seed] == pytest.approx(found, rel=0.02)


def test_dropout_helps_where_there_is_little_to_learn_from(source, monkeypatch):
    monkeypatch.setattr(scaling, "STEPS", 150)
    few = source.draw(generator(0)).first(30)
    plain, dropped = (
        scaling.loss_above_entropy(source, few, (32, 4), 0.03, 0, dropout=rate) for rate in (0, 0.7)
    )
    assert dropped < 0.8 * plain


def test_what_was_measured_is_of_each_optimizer_and_dropout_rate():
    source, measured = scaling.shipped_source(), scaling.ScalingResults
    results = measured.load(measured.shipped())
    examples = source.draw(generator(0))
    for optimizer in scaling.SWEPT_BY:
        assert len(results.swept[optimizer]) == len(scaling.swept_by(optimizer))
    few = [(each.examples, each.dropout) for each in results.dropped]
    assert few == [(n, rate) for n in scaling.FEW for rate in scaling.DROPOUTS]
    size, rate = scaling.swept_by(scaling.MOMENTUM)[2]
    found = scaling.loss_above_entropy(source, examples, size, rate, 0, optimizer=scaling.MOMENTUM)
    assert results.swept[scaling.MOMENTUM][2].above_entropy[0] == pytest.approx(found, rel=0.02)
    found = scaling.loss_above_entropy(
        source, examples.first(2_000), scaling.DROPPED_SIZE, scaling.DROPPED_RATE, 0, dropout=0.5
    )
    assert results.dropped_of(2_000)[3].above_entropy[0] == pytest.approx(found, rel=0.02)
