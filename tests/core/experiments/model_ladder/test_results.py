"""The ladder's results: what is saved is read again, differences are paired, what is shipped holds together."""

from dataclasses import asdict, replace

import pytest

from lm_core.errors import ResultError
from lm_core.experiments.model_ladder.families import models_to_score
from lm_core.experiments.model_ladder.results import CONTEXTS, UNIFORM, LadderResults, Rung

LOW = Rung("low", "Low", "LSTM", 10, 100, 1.0, "a" * 64, 1.0, (0.5, 1.5, 1.0), (2.0,) * 9)
HIGH = Rung("high", "High", "n-gram", 20, 100, 2.0, "", 1.25, (0.75, 1.75, 1.25))


def results():
    return LadderResults({"date": "today"}, (HIGH, LOW))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"loss": -1.0}, "rungs.0.loss"),
        ({"blocks": [1.0]}, "rungs.0.blocks"),
        ({"by_context": [1.0] * 10}, "rungs.0.by_context"),
        ({"blocks": [1.0, 2.0]}, "same number of blocks"),
        ({"name": "low"}, "one rung"),
    ],
    ids=str,
)
def test_other_rungs_are_refused(change, message):
    rungs = [asdict(rung) for rung in results().rungs]
    with pytest.raises(ResultError, match=message):
        LadderResults.of_record({"rungs": [rungs[0] | change, rungs[1]]}, {})


def test_a_difference_is_paired_block_by_block():
    apart = HIGH.minus(LOW)
    assert apart.nats == 0.25
    assert apart.standard_error == pytest.approx(0.0, abs=1e-12), "the blocks differ alike"
    assert LOW.standard_error == pytest.approx(0.5 / 3**0.5)
    assert apart.is_sure
    assert not LOW.minus(LOW)._replace(standard_error=0.1).is_sure


def test_a_model_leads_from_where_it_stays_below_every_n_gram():
    def by_context(name, family, *losses):
        return replace(LOW, name=name, family=family, by_context=losses)

    short = by_context("short", "n-gram", 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0)
    long = by_context("long", "n-gram", 3.0, 3.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
    network = by_context("network", "LSTM", 1.5, 2.5, 1.5, 0.9, 0.8, 0.8, 0.8, 0.8, 0.8)
    found = LadderResults({}, (short, long, network, HIGH))
    assert found.best_counted() == (2.0, 2.0, *[1.0] * 7)
    assert found.leads_from(network) == CONTEXTS[3], "it led at first, and fell behind"
    assert found.leads_from(long) is None
    assert found.leads_from(HIGH) is None


def test_the_losses_of_fewer_contexts_are_those_of_the_longest():
    subwords = replace(LOW, name="subwords", family="transformer", by_context=(0.9, 0.8, 0.7))
    assert subwords.of_contexts == {64: 0.9, 128: 0.8, 256: 0.7}
    counted = replace(LOW, family="n-gram", by_context=(1.0,) * 7 + (0.75, 0.75))
    assert LadderResults({}, (counted, subwords)).leads_from(subwords) == 256
    assert LadderResults({}, (counted, subwords)).best_counted() == counted.by_context


def test_a_new_rung_takes_its_place_by_loss_and_replaces_an_earlier_one_of_its_name():
    better = replace(HIGH, loss=0.5)
    after = results().with_rung(better, {"date": "tomorrow"})
    assert after.rungs == (LOW, better)
    assert after.named("high") is better


def test_a_model_trained_again_counts_as_not_scored():
    shipped = LadderResults.load()
    models = models_to_score()
    assert not shipped.missing(models)
    again = replace(models[0], weights_sha256="b" * 64)
    assert shipped.missing([again, *models[1:]]) == [again]


def test_the_shipped_ladder_leads_from_counting_down_to_the_mixtures():
    shipped = LadderResults.load()
    losses = [rung.loss for rung in shipped.rungs]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] < UNIFORM
    assert {meta.name for meta in models_to_score()} <= {rung.name for rung in shipped.rungs}
    for network in ("book-lstm", "source-lstm"):
        mixed = shipped.named(f"{network}+ngram-9")
        assert mixed.loss < min(shipped.named(network).loss, shipped.named("ngram-9").loss)
        assert shipped.named(network).minus(mixed).is_sure
    for rung in shipped.rungs:
        assert rung.loss == pytest.approx(sum(rung.blocks) / len(rung.blocks), abs=0.01)


def test_the_shipped_contexts_help_networks_and_leave_a_bigram_as_it_is():
    shipped = LadderResults.load()
    for name in ("book-lstm", "source-lstm", "book-transformer"):
        by_context = shipped.named(name).by_context
        assert list(by_context) == sorted(by_context, reverse=True)
    assert len(set(shipped.named("ngram-1").by_context)) == 1
    rnn, gru = (shipped.named(name).of_contexts for name in ("book-rnn", "book-gru"))
    assert rnn[16] == pytest.approx(rnn[256], abs=0.002), "the RNN makes nothing of what is further"
    assert gru[16] > gru[256] + 0.008
    subwords = shipped.named("subword-transformer").by_context
    assert len(subwords) == 5
    assert list(subwords) == sorted(subwords, reverse=True)
    assert len(CONTEXTS) == 9
    assert shipped.leads_from(shipped.named("book-lstm")) == 16
