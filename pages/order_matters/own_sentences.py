"""The two sentences that the models learn: prepared ones, or the visitor's own."""

from lm_core.experiments.order_matters import sentences as texts
from lm_core.experiments.order_matters.sentences import SIZES, TWO_SENTENCES
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.shared import page

OWN = "own"
_MOST_CHARACTERS = 80
_FIRST = TWO_SENTENCES[SIZES]


def choose_sentences(screen: page.FirstScreen) -> tuple[str, tuple[str, str]]:
    """Draw the choice of two sentences, and return its name and both as the models read them."""
    offered = {name: name for name in TWO_SENTENCES} | {OWN: "your own two"}
    with screen.controls:
        pair = page.choice("order_sentences", "Sentences", offered, SIZES, width=220)
    if pair != OWN:
        return pair, TWO_SENTENCES[pair]
    fields = screen.picture.columns(2)
    names, typed = ("order_sentence_1", "order_sentence_2"), []
    for field, name, label, start in zip(
        fields, names, ("Sentence 1", "Sentence 2"), _FIRST, strict=True
    ):
        with field:
            typed.append(page.text(name, label, start, max_chars=_MOST_CHARACTERS))
    read, changed = page.read_or_keep("own_order", (typed[0], typed[1]), _read, (*_FIRST,))
    for field, name, was_read in zip(fields, names, changed, strict=True):
        with field:
            page.show_what_was_changed(was_read, name)
    return OWN, read


def _read(typed: tuple[str, str]) -> tuple[tuple[str, str], tuple[WhatWasRead, ...]]:
    """Return two sentences as the models read them; TextError if one is too short or too long."""
    checked = [page.checked_text(one, most=_MOST_CHARACTERS, name="a sentence") for one in typed]
    corpus = texts.corpus_of(*checked)
    for row in range(2):
        texts.word_that_tells(corpus, row)
    first, second = (" ".join(corpus.words[i] for i in line) for line in corpus.sentences)
    changed = tuple(
        sentence_as_read(raw, read) for raw, read in zip(checked, (first, second), strict=True)
    )
    return (first, second), changed
