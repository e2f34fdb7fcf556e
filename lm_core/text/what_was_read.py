"""What a reader made of something that a visitor has brought: one record for every reader."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from lm_core.text.character_vocabulary import CharacterVocabulary

_MOST_QUOTED = 120
"""Characters of a sentence, in the line that says how it was read."""


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

    Parameters
    ----------
    raw : str
    *vocabularies : CharacterVocabulary
        Of the models.

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
        Of the models.

    Examples
    --------
    >>> from lm_core.text.character_vocabulary import SOURCE
    >>> sentence_as_read("He – no", "He no", SOURCE).line
    'Read as “He no”, 5 characters.'
    """
    cut = f"{read[:_MOST_QUOTED]}{'…' * (len(read) > _MOST_QUOTED)}"
    text = unicodedata.normalize("NFC", typed)
    return WhatWasRead((f"“{cut}”", _n_characters(read)), _lost(text, vocabularies))


def _n_characters(text: str) -> str:
    return f"{len(text):,} {'character' if len(text) == 1 else 'characters'}"


def _lost(text: str, vocabularies: Sequence[CharacterVocabulary]) -> tuple[str, ...]:
    """Return how many characters a vocabulary does not hold, and where the first is; nothing for none."""
    seen = {c for c in {*text} if not c.isspace()}
    foreign = {c for c in seen if any(c not in vocabulary for vocabulary in vocabularies)}
    places = [i for i, character in enumerate(text) if character in foreign]
    if not places:
        return ()
    line = f" in line {text.count(chr(10), 0, places[0]) + 1:,}" if "\n" in text else ""
    first = f"“{text[places[0]]}”{line}"
    return (
        f"1 character is not in the vocabulary, and was left out or written plainly: {first}."
        if len(places) == 1
        else f"{len(places):,} characters are not in the vocabulary, and were left out or written plainly;"
        f" the first is {first}.",
    )
