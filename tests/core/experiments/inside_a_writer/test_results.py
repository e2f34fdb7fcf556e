"""Units by kind: what is stored in a byte, and that what is shipped holds together."""

import numpy as np
import pytest

from lm_core.analysis.continuations import NextMark
from lm_core.analysis.text_spans import KINDS, QUOTATION
from lm_core.analysis.unit_activations import CELL, HIDDEN
from lm_core.analysis.unit_search import UnitScore
from lm_core.experiments.inside_a_writer.results import (
    PARTS,
    BinnedActivations,
    ClampResults,
    KindScores,
    StoredBins,
    UnitResults,
)
from lm_core.training.checkpoints import SHIPPED as CHECKPOINTS
from lm_core.training.checkpoints import read_meta

UNITS, BINS = 5, 8
SCORE = UnitScore(2, 0.5, 0.4, 1.0, -1.0, 0.9, 0.1)


@pytest.fixture
def results():
    rng = np.random.default_rng(0)
    activations = rng.normal(size=(80, UNITS)).astype(np.float32)
    activations[:, 1] = 0.25
    return UnitResults(
        {"date": "today"},
        "model",
        (KindScores(QUOTATION, CELL, (SCORE,), 0.1),),
        ClampResults(2, CELL, 4, {"free": NextMark(5, 0, 1), "off": NextMark(0, 4, 2)}),
        dict.fromkeys(PARTS, np.stack([activations.min(0), activations.max(0)])),
        dict.fromkeys(PARTS, StoredBins.of(BinnedActivations.of(activations, BINS))),
        80,
        ((3, 9), (20, 31)),
        (12, 40),
        "It wrote.",
    )


def test_bins_hold_least_mean_and_largest_of_their_characters():
    activations = np.arange(10, dtype=np.float32)[:, None]
    found = BinnedActivations.of(activations, 3)
    assert found.low[:, 0].tolist() == [0, 3, 6]
    assert found.high[:, 0].tolist() == [2, 5, 9]
    assert found.mean[:, 0].tolist() == [1, 4, 7.5]


def test_activations_are_stored_to_a_byte_s_precision():
    activations = np.random.default_rng(0).normal(size=(80, UNITS)).astype(np.float32)
    activations[:, 1] = 0.25
    bins = BinnedActivations.of(activations, BINS)
    width = bins.high.max(0) - bins.low.min(0)
    for ours, theirs in zip(
        vars(StoredBins.of(bins).read()).values(), vars(bins).values(), strict=True
    ):
        assert (np.abs(ours - theirs) <= width / 500 + 1e-6).all()


def test_a_unit_is_named_by_the_kind_that_it_fits_best(results):
    assert results.found(2, CELL) == (results.scores[0], SCORE)
    assert results.found(2, HIDDEN) is None
    assert results.found(3, CELL) is None


def test_the_shipped_scores_are_of_the_shipped_model_and_beat_chance():
    shipped = UnitResults.load()
    meta = read_meta(CHECKPOINTS / shipped.model)
    assert shipped.provenance["weights_of"] == meta.weights_sha256
    assert {(s.kind, s.part) for s in shipped.scores} == {(k, p) for k in KINDS for p in PARTS}
    for scores in shipped.scores:
        best = scores.units[0]
        assert abs(best.held_out) > 2 * scores.chance
        assert np.sign(best.held_out) == np.sign(best.correlation)
    quotation = shipped.of_kind(QUOTATION, CELL).units[0]
    assert quotation.on_inside - quotation.on_outside > 0.7
    assert shipped.shipped().with_suffix(".safetensors").stat().st_size < 1_500_000


def test_the_shipped_clamp_turns_closing_marks_into_opening_ones():
    marks = UnitResults.load().clamp.marks
    assert len({sum(counts) for counts in marks.values()}) == 1
    assert marks["free"].closes > 5 * marks["free"].opens
    assert marks["off"].opens > marks["off"].closes
    assert marks["on"].closes > 5 * marks["on"].opens


def test_the_shipped_chapter_has_bins_of_all_units_and_marks_within_it():
    shipped = UnitResults.load()
    n_units = shipped.levels[CELL].shape[1]
    for part in PARTS:
        chapter = shipped.chapter[part]
        assert chapter.low.shape == chapter.mean.shape == chapter.high.shape
        assert chapter.low.shape[1] == n_units
        assert (chapter.low <= chapter.mean + 1e-6).all()
        assert (chapter.mean <= chapter.high + 1e-6).all()
    ends = [end for span in shipped.quotations for end in span]
    assert ends == sorted(ends)
    assert all(0 <= place <= shipped.characters for place in (*ends, *shipped.paragraphs))
