"""What the answers for teachers say of texts, held to what was measured."""

from math import comb

from lm_core.experiments.text_quality.results import BOOK, PUBLISHED, QualityResults
from tests.pages.answering import assert_says

PAGE = "war-and-peace"
BEST = "library-transformer"
NOT_COMPUTED = {
    "Move the temperature": "temperatures of the slider; what they make of a text, the measures below hold",
    "Choose *Train your own*": "six trainings and one at a quarter of the rate, once each, in bfloat16, with seed 1",
    "Set top-k": "settings that leave one continuation; tests of sampling hold what they leave",
    "Choose the first": "a width and a step; the text of step 25 was read, and has no word",
}


def test_a_guess_of_four_passages_in_eight():
    assert comb(8, 4) == 70
    assert 8 * (4 / 8) * (4 / 8) == 2
    assert_says(PAGE, "Choose *Tolstoy", "two of four on average", "one round of seventy")


def test_no_temperature_is_like_the_book_in_all_measures():
    writers = [w for w in QualityResults.load().writers if w.writer not in (BOOK, PUBLISHED)]

    def found(temperature, measure):
        return [w.measures[measure].mean for w in writers if w.temperature == temperature]

    (book,) = QualityResults.load().of(BOOK)
    assert min(found(0.2, "real_words")) > 0.99
    assert min(found(1.5, "distinct_trigrams")) > 0.999
    said = [max(found(0.2, "distinct_trigrams")), book.measures["distinct_trigrams"].mean]
    said += [max(found(1.5, "real_words"))]
    assert_says(PAGE, "Choose *Is it", *(f"{100 * share:.0f} %" for share in said))
    words = [w.measures["sentence_words"].mean for w in writers if w.writer == BEST]
    at = dict(zip([w.temperature for w in writers if w.writer == BEST], words, strict=True))
    lengths = f"{at[0.8]:.0f} to {at[1.0]:.0f} words"
    assert_says(PAGE, "Choose *Is it", lengths, f"{book.measures['sentence_words'].mean:.0f}")
