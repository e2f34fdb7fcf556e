"""What the answers for teachers say of minimal pairs, held to what was measured."""

import pytest

from lm_core.experiments.minimal_pairs.by_word import columns_of, lead_by_column
from lm_core.experiments.minimal_pairs.our_pairs import (
    ISLANDS,
    NEGATIVE_POLARITY,
    NO_NOUN,
    OTHER,
    OUR_PAIRS,
    SAME,
)
from lm_core.experiments.minimal_pairs.results import (
    PHENOMENA,
    PUBLISHED,
    PUBLISHED_OVERALL,
    MinimalPairResults,
)
from lm_core.experiments.minimal_pairs.unigram import UNIGRAM
from lm_core.text.word_vocabulary import words_of
from pages.minimal_pairs.models import STEPS_OF
from pages.shared.models.book_models import BEST_WRITER
from tests.pages.answering import assert_says

PAGE = "minimal-pairs"


@pytest.fixture(scope="module")
def results():
    return MinimalPairResults.load()


def leads(results, model, pair):
    found = results.bits_of(pair.good)[model]
    return lead_by_column(columns_of(pair.good.split(), pair.bad.split()), found.good, found.bad)


def percent(share, decimals=0):
    return f"{100 * share:.{decimals}f} %"


def test_ever_is_where_the_negation_counts(results):
    pair = next(p for p in OUR_PAIRS[NEGATIVE_POLARITY] if p.good.startswith("No officer"))
    best, one_book = (leads(results, name, pair) for name in (BEST_WRITER, STEPS_OF))
    place = pair.good.split().index("ever")
    gained = [f"{lead[place] - lead[place - 1]:.1f}" for lead in (best, one_book)]
    assert_says(PAGE, "Choose *negative", f"{-best[1]:.1f} bits", *gained)
    assert best[-1] > 0 > one_book[-1]


def test_all_islands_of_ours_and_few_of_the_benchmarks(results):
    ahead = [leads(results, BEST_WRITER, pair)[-1] for pair in OUR_PAIRS[ISLANDS]]
    assert len(ahead) == 5
    assert_says(
        PAGE,
        "Go through",
        f"{min(ahead):.0f} to {max(ahead):.0f} bits",
        percent(results.by_phenomenon(BEST_WRITER)["island_effects"].right),
    )
    assert min(ahead) > 0


def shares(results, model, between):
    return [score.right for score in results.by_distance(model, between)]


def test_a_noun_of_the_same_number_makes_all_look_good(results):
    before, after = (shares(results, STEPS_OF, between)[0] for between in (OTHER, SAME))
    assert_says(
        PAGE,
        "Choose *a noun of the same",
        f"{100 * before:.0f} to {percent(after)}",
        percent(min(shares(results, BEST_WRITER, SAME))),
    )


def test_without_a_noun_models_of_one_book_guess(results):
    of_one_book = ("book-ngram", "full-lstm", STEPS_OF)
    apart = [right for name in of_one_book for right in shares(results, name, NO_NOUN)[1:]]
    beside = [shares(results, name, NO_NOUN)[0] for name in ("book-ngram", STEPS_OF)]
    assert_says(
        PAGE,
        "Choose *no noun",
        f"{100 * min(apart):.0f} to {percent(max(apart))}",
        *map(percent, beside),
        percent(min(shares(results, BEST_WRITER, NO_NOUN))),
    )


def test_single_words_are_ahead_of_models_of_one_book(results):
    one_book = set(results.models) - {UNIGRAM, BEST_WRITER}
    shares = {name: results.overall(name).right for name in (*one_book, UNIGRAM)}
    assert max(shares, key=shares.__getitem__) == UNIGRAM
    unigram, best = (results.by_phenomenon(name) for name in (UNIGRAM, BEST_WRITER))
    assert_says(
        PAGE,
        "Open the table",
        percent(shares.pop(UNIGRAM), 1),
        percent(max(shares.values()), 1),
        percent(unigram["filler_gap_dependency"].right),
        *(percent(found["subject_verb_agreement"].right) for found in (best, unigram)),
    )
    gaps = "filler_gap_dependency"
    kinds = [s.right for s in results.scores if (s.model, s.phenomenon) == (UNIGRAM, gaps)]
    assert sorted(kinds) == [0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    assert_says(PAGE, "Open the table", "In five of the seven kinds", "in the other two")


def test_where_little_text_is_ahead_of_much(results):
    best = results.by_phenomenon(BEST_WRITER)
    ahead = [PHENOMENA[name] for name in best if best[name].right > PUBLISHED[name].lstm]
    assert_says(
        PAGE,
        "Add the",
        f"{len(ahead)} of {len(PHENOMENA)}",
        *(title.partition(" (")[0] for title in ahead),
        percent(results.overall(BEST_WRITER).right, 1),
        percent(PUBLISHED_OVERALL.lstm, 1),
    )


def test_a_sentence_of_the_unigram_has_its_words(results):
    pair = OUR_PAIRS[ISLANDS][0]
    found = results.bits_of(pair.good)[UNIGRAM]
    assert sorted(words_of(pair.good)) == sorted(words_of(pair.bad))
    assert sum(found.good) == pytest.approx(sum(found.bad))
