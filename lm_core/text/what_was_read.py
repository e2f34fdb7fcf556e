"""What a reader made of something that a visitor has brought: one record for every reader."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lm_core.text.character_vocabulary import CharacterVocabulary

_MOST_QUOTED = 120  # characters of a sentence, in the line that says how it was read

_PARTING = str.maketrans(",;", "  ")


@dataclass(frozen=True)
class WhatWasRead:
    """What was understood, what was left out, and what that looks like."""

    facts: tuple[str, ...]
    """Kind, encoding, marks and sizes, in a few words each: they become one line."""
    notes: tuple[str, ...] = ()
    """What was assumed or left out and why, in sentences for the visitor; not escaped."""
    preview: tuple[tuple[str, ...], ...] = ()
    """The first rows as they were read, the names of the columns before them."""

    @property
    def line(self) -> str:
        """Return the facts as one sentence."""
        return f"Read as {', '.join(self.facts)}."


def what_a_model_reads(raw: str, *vocabularies: CharacterVocabulary) -> WhatWasRead:
    r"""Return what models read of a text that was typed or pasted.

    `*vocabularies`: CharacterVocabulary, of the models.

    Examples
    --------
    >>> from lm_core.text.character_vocabulary import SOURCE
    >>> what_a_model_reads("To be,\nor – not", SOURCE).notes
    ('1 character is not in the vocabulary, and was left out or written plainly: “–” in line 2.',)
    """
    text = unicodedata.normalize("NFC", raw)
    return WhatWasRead(
        ("a text that was typed or pasted", _n_characters(text)), _lost(text, vocabularies)
    )


def sentence_as_read(typed: str, read: str, *vocabularies: CharacterVocabulary) -> WhatWasRead:
    """Return what became of a text on one line; there are notes only if something was left out or changed.

    Parameters
    ----------
    typed, read : str, as the visitor wrote it, and as the models read it
    *vocabularies : CharacterVocabulary
        Of the models. For models without one, what is missing is found in the text that was read.

    Examples
    --------
    >>> from lm_core.text.character_vocabulary import SOURCE
    >>> sentence_as_read("He – no", "He no", SOURCE).line
    'Read as “He no”, 5 characters.'
    >>> sentence_as_read("Ça va?", "ca va").notes
    ('2 characters were left out or written plainly; the first is “Ç”.', 'Capitals are read as small letters.')
    """
    cut = f"{read[:_MOST_QUOTED]}{'…' * (len(read) > _MOST_QUOTED)}"
    text = unicodedata.normalize("NFC", typed)
    notes = _lost(text, vocabularies) if vocabularies else _missing(text, read)
    return WhatWasRead((f"“{cut}”", _n_characters(read)), notes)


def words_as_read(typed: str, words: Iterable[str]) -> WhatWasRead:
    """Return what became of a list of words; spaces, commas and semicolons only part them.

    Examples
    --------
    >>> words_as_read("king, 日本", ["king"]).notes
    ('2 characters were left out or written plainly; the first is “日”.',)
    """
    return sentence_as_read(typed.translate(_PARTING), " ".join(words))


def _n_characters(text: str) -> str:
    return f"{len(text):,} {'character' if len(text) == 1 else 'characters'}"


def _lost(text: str, vocabularies: Sequence[CharacterVocabulary]) -> tuple[str, ...]:
    """Return how many characters a vocabulary does not hold, and where the first is; nothing for none."""
    seen = {c for c in {*text} if not c.isspace()}
    foreign = {c for c in seen if any(c not in vocabulary for vocabulary in vocabularies)}
    places = [i for i, character in enumerate(text) if character in foreign]
    return _counted(text, len(places), places[0]) if places else ()


def _missing(text: str, read: str) -> tuple[str, ...]:
    """Return how many characters of a text are not in what was read of it, and whether capitals are."""
    folded = [character.casefold() for character in text if not character.isspace()]
    missing = Counter(folded) - Counter(map(str.casefold, unicodedata.normalize("NFC", read)))
    is_lowered = any(c.isupper() for c in text) and not any(c.isupper() for c in read)
    lowered = ("Capitals are read as small letters.",) if is_lowered else ()
    if not missing:
        return lowered
    # A sign that is nowhere in what was read is the surest to have been left out.
    gone = {c for c in missing if c not in read.casefold()} or {*missing}
    first = next(i for i, character in enumerate(text) if character.casefold() in gone)
    return (*_counted(text, missing.total(), first, ""), *lowered)


def _counted(
    text: str, n: int, first: int, why: str = "not in the vocabulary, and "
) -> tuple[str, ...]:
    """Return the sentence that so many characters of a text were left out, and which is the first.

    `why`: str, begins what is said of them; nothing where no reason is known.
    """
    line = f" in line {text.count(chr(10), 0, first) + 1:,}" if "\n" in text else ""
    quoted = f"“{text[first]}”{line}"
    if n == 1:
        said = f"{'is ' if why else ''}{why}was left out or written plainly: {quoted}."
        return (f"1 character {said}",)
    said = f"{'are ' if why else ''}{why}were left out or written plainly; the first is {quoted}."
    return (f"{n:,} characters {said}",)
