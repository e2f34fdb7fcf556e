"""What the answers for teachers say of published figures, held to the ledger."""

import pytest

from lm_core.experiments.published_figures.record import Verdict
from pages.published_figures.entries import entries
from tests.pages.answering import assert_says


def test_what_does_not_hold_is_by_one_exception_no_chance():
    wrong = [entry for entry in entries() if entry.verdict is Verdict.DOES_NOT_HOLD]
    found = {entry.figure.name: (entry.figure.written, entry.ours) for entry in wrong}
    assert len(found) == 5
    beginning = "Show what does not hold"

    def says(*said):
        assert_says("published-figures", beginning, *said)

    written, ours = found.pop("recall-rnn-14")
    assert float(written) > ours.high
    says(f"{100 * float(written):.1f} %", f"{ours.seeds} seeds has {100 * ours.high:.1f} %")
    written, ours = found.pop("iris-bad-errors")
    says(f"{ours.seeds} starts", f"{ours.high:.0f} %", f"{written} %")
    _, ours = found.pop("permuted-transformer")
    assert ours.value == pytest.approx(0, abs=1e-5)
    for written, ours in found.values():
        says(written.split()[0], f"{ours.value:.2f}")


def test_how_many_seeds_reach_a_published_accuracy():
    (entry,) = [entry for entry in entries() if entry.figure.name == "recall-rnn-18"]
    published, ours = float(entry.figure.written), entry.ours.values
    reached = sum(value >= published for value in ours)
    shares = [f"{100 * share:.1f} %" for share in (published, sum(ours) / len(ours), max(ours))]
    beginning = "Open the RNN"
    assert (reached, len(ours)) == (1, 20)
    assert_says("published-figures", beginning, f"One of {len(ours)}", *shares)
