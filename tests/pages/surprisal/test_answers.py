"""What the answers for teachers say of surprisal, held to the shipped models."""

import re

import numpy as np

from lm_core.analysis.surprisal import readable_text, shuffled_words
from pages.shared.models.book_models import BEST_WRITER, snapshots_of
from pages.surprisal.readers import Reader
from pages.surprisal.scores import scores_of, words_of
from pages.surprisal.texts import TEXT, results
from tests.pages.answering import assert_says

PAGE = "surprisal"
NEWS = (
    "The prime minister said on Tuesday that the government would raise interest rates to fight inflation,"
    " and that new software companies in California had reported record profits on the internet. The"
    " president called the climate conference in Paris a success. Police said the driver of the truck had"
    " used his phone."
)
NOT_COMPUTED = {
    "Compare the transformer": "of book-transformer and book-ngram on the last tenth of the book, which is not"
    " shipped: names inside a sentence that the rest of the book has 200 times or more"
}


def reader(name):
    return Reader([*snapshots_of(name)][-1])


def test_what_a_news_report_has_and_the_book_has_not():
    words = words_of(scores_of(reader(BEST_WRITER), NEWS), NEWS)
    bits = {word.word.strip(",."): word.bits for word in words}
    foreign = [bits[word] for word in ("California", "software", "internet", "inflation")]
    assert_says(PAGE, "Paste a", f"{min(foreign):.0f} to {max(foreign):.0f} bits")
    easiest = sorted(words, key=lambda word: word.bits)[:5]
    assert {word.word for word in easiest} == {"the", "and", "that"}
    assert_says(PAGE, "Paste a", f"{easiest[0].bits:.0f} to {easiest[-1].bits:.0f} bits")


def letters(name, text):
    """Return the mean bits of the first letter of a word, and of all after it."""
    text = readable_text(text, reader(name).vocabulary)
    bits = scores_of(reader(name), text).by_character
    words = [word.span() for word in re.finditer("[A-Za-z]+", text)]
    later = [bits[place] for start, end in words for place in range(start + 1, end)]
    return np.mean([bits[start] for start, _ in words]), np.mean(later)


def test_later_letters_stay_easier_in_shuffled_words():
    first, later = letters("book-lstm", shuffled_words(TEXT, 1))
    assert_says(PAGE, "Shuffle", f"{later:.1f} bits", f"{first:.1f}")
    first, later = letters("book-lstm", TEXT)
    assert_says(PAGE, "Shuffle", f"{later:.1f} and {first:.1f}")


def test_its_own_text_is_as_surprising_as_it_expects():
    scores = results().of_model(BEST_WRITER)
    for kind in ("own", "book"):
        first, *_, beyond = scores[kind].rank_shares
        assert_says(PAGE, "Let the model", f"{100 * first:.0f} %", f"{100 * beyond:.0f} %")
    cool = scores["own-cool"].rank_shares
    assert cool[0] > 0.5
    assert cool[-1] < 0.01
