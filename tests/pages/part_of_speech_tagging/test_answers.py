"""What the answers for teachers say of the taggers, held to the shipped results."""

import numpy as np
import pytest

from lm_core.experiments.part_of_speech_tagging.inference import tag_probabilities
from lm_core.experiments.part_of_speech_tagging.results import COUNTING, TaggingResults
from lm_core.experiments.part_of_speech_tagging.settings import RECURRENT, WINDOWS, window_name
from lm_core.models.tagger import AVERAGED, CONCATENATED
from lm_core.text.tagged_sentences import TAGS
from tests.pages.answering import assert_says


def says(beginning, *said):
    assert_says("part-of-speech-tagging", beginning, *said)


@pytest.fixture(scope="module")
def results():
    return TaggingResults.load()


def window(results, n, group, kind=CONCATENATED, decimals=0):
    return f"{100 * results.mean(window_name(kind, n), group):.{decimals}f} %"


def test_averaging(results):
    said = [window(results, 1, "every", kind) for kind in (CONCATENATED, AVERAGED)]
    says("Average instead", *said)


def test_one_neighbour_helps_ambiguous_and_unseen_words(results):
    groups = ("ambiguous", "every")
    says("Compare all words", *(window(results, n, g) for g in groups for n in (0, 1)))
    assert results.sizes["ambiguous"] / results.sizes["every"] == pytest.approx(1 / 6, abs=0.01)
    ambiguous, every = (
        results.sizes[g] * (results.mean(one, g) - results.mean(none, g))
        for one, none in [[window_name(CONCATENATED, n) for n in (1, 0)]]
        for g in groups
    )
    says("Compare all words", f"{100 * ambiguous / every:.0f} %")
    says("For unseen words", *(window(results, n, "unseen") for n in (0, 1)))


def test_longer_windows_cost_a_little(results):
    shares = [results.mean(window_name(CONCATENATED, n), "every") for n in WINDOWS[1:]]
    assert shares == sorted(shares, reverse=True)
    lstm = f"{100 * results.mean(RECURRENT, 'every'):.1f} %"
    said = [window(results, n, "every", decimals=1) for n in (1, WINDOWS[-1])]
    says("Where does a longer window", *said, lstm)
    assert abs(results.mean(RECURRENT, "every") - shares[0]) < 0.002


def test_a_word_that_does_not_exist_gets_its_tag_from_its_neighbours(results):
    words = ("the", "blorfing", "was", "loud")
    tags = []
    for n in (0, 1):
        model = results.models[window_name(CONCATENATED, n)].build()
        found = tag_probabilities(model, results.vocabulary, words)
        tags.append(TAGS[int(found[1].argmax())])
    assert tags == ["VERB", "NOUN"]


def test_the_fox_has_a_tag_for_each_word_and_one_is_wrong(results):
    words = "a quick brown fox jumps over the lazy dog".split()
    found = tag_probabilities(results.models[RECURRENT].build(), results.vocabulary, tuple(words))
    tags = dict(zip(words, (TAGS[int(row.argmax())] for row in found), strict=True))
    assert " ".join(tags.values()) == "DET ADJ ADJ NOUN NOUN ADP DET ADJ NOUN"
    says("A lecture writes DET", "DET", "jumps")


def test_the_hardest_tag_is_rare(results):
    counts = results.mistakes[RECURRENT].counts
    hardest = TAGS[int((np.diag(counts) / counts.sum(1)).argmin())]
    assert hardest == "X"
    assert counts.sum(1)[TAGS.index("X")] == pytest.approx(200, abs=10)
    assert results.sizes["every"] > 100_000
    says("Which tag has the lowest", hardest, "200", "100,000")


def test_confusions_that_neighbours_decide_go_away(results):
    counted, lstm = (results.mistakes[name].counts for name in (COUNTING, RECURRENT))
    said = []
    for pair in (("NOUN", "VERB"), ("PRT", "ADP"), ("NOUN", "ADJ")):
        one, other = (TAGS.index(tag) for tag in pair)
        before, left = (int(n[one, other] + n[other, one]) for n in (counted, lstm))
        assert (left < 0.4 * before) == (pair != ("NOUN", "ADJ"))
        said += [f"{before:,}", f"{left:,}"]
    says("Compare the LSTM with counting", *said)
