"""Which text was counted, and what is known of it."""

import unicodedata
from functools import partial

from lm_core.errors import TextError
from lm_core.experiments.n_grams.results import BOOK, NAMES, SYMBOLS_OF, TEXTS, NGramResults
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.names import END, encode_name
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.shared import page

LONGEST_WORD = 60
OF = {NAMES: "the names", BOOK: "the book"}  # what a text is called within a sentence

_TITLES = {NAMES: "Names", BOOK: "The book"}
_WORDS = {NAMES: "emma", BOOK: "the prince"}
_BEFORE = ". "
"""What is read before a line: the end of the sentence before it."""


results = partial(page.shipped, NGramResults)  # returns the shipped results, shared by all visitors


def choose_counted() -> str:
    """Draw which text was counted, and return its name."""
    return page.segments(
        "counted",
        "Counted in",
        TEXTS,
        NAMES,
        format_func=_TITLES.__getitem__,
        help="32,033 given names, or War and Peace.",
        persist_state="page",
    )


def _without_accents(name: str) -> str:
    """Return a name as the names are counted: Müller as Muller."""
    parts = unicodedata.normalize("NFKD", name)
    return "".join(part for part in parts if not unicodedata.combining(part))


class Spelled:
    """A word or a line as ids, with what is read before it.

    Attributes
    ----------
    counted : str, the text in whose counts it is looked up
    ids : list of int, to be predicted; of a name its end is the last
    before : list of int, read before them
    """

    def __init__(self, counted: str, raw: str) -> None:
        page.checked_text(raw, most=LONGEST_WORD, name="the word")
        self.counted = counted
        if counted == NAMES:
            text = _without_accents(raw).strip().lower()
            self.ids = [*encode_name(text).tolist(), 0]
            self.before = [0] * 5
        else:
            text = SOURCE.normalise(raw).strip()
            self.ids = SOURCE.encode(text).tolist()
            self.before = SOURCE.encode(_BEFORE).tolist()
        if not text:
            raise TextError("type at least one letter from a to z")

    @property
    def symbols(self) -> list[str]:
        """Spelling of the ids."""
        return [SYMBOLS_OF[self.counted][i] for i in self.ids]

    def context(self, place: int, n: int) -> list[int]:
        """Return the at most n - 1 ids before a place."""
        read = [*self.before, *self.ids[:place]]
        return read[len(read) - min(n - 1, len(read)) :]

    def is_first_word(self) -> bool:
        """Whether it is the word that the page opens on."""
        return "".join(self.symbols).removesuffix(END) == _WORDS[self.counted]


def choose_word(counted: str) -> Spelled:
    """Draw the field for a word, and return it as it can be looked up; the last one that could, else."""
    name = "word" if counted == NAMES else "line"
    typed = page.text(
        f"spelled_{name}",
        f"Your {name}",
        _WORDS[counted],
        max_chars=LONGEST_WORD,
        persist_state="page",
        placeholder=f"your {name}",
        label_visibility="collapsed",
    )
    page.say_limits({f"spelled_{name}": LONGEST_WORD})

    def read(raw: str) -> tuple[Spelled, WhatWasRead]:
        spelled = Spelled(counted, raw)
        return spelled, sentence_as_read(raw, "".join(spelled.symbols).removesuffix(END))

    return page.read_and_say(f"spelled_{name}", typed, read, _WORDS[counted])
