"""Which token is followed through all stages: one of the likeliest, or any that a visitor types."""

from functools import partial

from streamlit.delta_generator import DeltaGenerator

from lm_core.errors import TextError
from pages.shared import page
from pages.shared.charts.palette import visible
from pages.shared.models.read_sentences import Sentence
from pages.shared.ui.text_input import checked_text, read_or_keep
from pages.transformer_block.said_early import Lens, lens_of

_MOST_CHARACTERS = 40


def choose_followed(
    sentence: Sentence, position: int, more: DeltaGenerator, notes: DeltaGenerator
) -> tuple[Lens, int]:
    """Draw which token is followed; return what is said after each stage, of that token, too, and the token."""
    with more:
        typed = page.text(
            "follow_typed",
            "Follow a token of your own",
            placeholder="for example: him",
            help="One token of the vocabulary: a word, or a part of one. Empty: one of the list below.",
        )
    with notes:
        own = read_or_keep("follow_typed", typed, partial(_token, sentence), "")
    found, symbols = lens_of(sentence, position, own), sentence.vocabulary.symbols
    with more:
        chosen = page.choice(
            "follow",
            "Or one of the likeliest",
            {i: visible(symbols[i]) for i in found.ids},
            disabled=own is not None,
        )
    return found, chosen if own is None else own


def _token(sentence: Sentence, typed: str) -> int | None:
    """Return the token that is typed, None for nothing; after a space, if there is one of that name.

    Raises TextError if it is none.
    """
    word = checked_text(typed, most=_MOST_CHARACTERS, name="A token").strip()
    if not word:
        return None
    vocabulary = sentence.vocabulary
    for text in (f" {word}", word):
        ids = vocabulary.encode(text)
        if len(ids) == 1 and vocabulary.known(ids).all():
            return int(ids[0])
    parts = " | ".join(visible(symbol) for symbol in vocabulary.spell(vocabulary.encode(word)))
    raise TextError(
        f"to be followed, a word must be one token of this model, and {word!r} is cut into {parts}:"
        " type one of these parts"
    )
