"""What the answers for teachers say of published figures, held to the ledger."""

from pages.published_figures.entries import entries
from tests.pages.answering import assert_says


def test_how_many_seeds_reach_a_published_accuracy():
    (entry,) = [entry for entry in entries() if entry.figure.name == "recall-rnn-18"]
    published, ours = float(entry.figure.written), entry.ours.values
    reached = sum(value >= published for value in ours)
    shares = [f"{100 * share:.1f} %" for share in (published, sum(ours) / len(ours), max(ours))]
    beginning = "Open the RNN"
    assert (reached, len(ours)) == (1, 20)
    assert_says("published-figures", beginning, f"One of {len(ours)}", *shares)
