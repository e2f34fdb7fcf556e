"""What a reader made of something that a visitor has brought: one record for every reader."""

import unicodedata
from dataclasses import dataclass

from lm_core.text.character_vocabulary import CharacterVocabulary


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
    seen = {c for c in {*text} if not c.isspace()}
    foreign = {c for c in seen if any(c not in vocabulary for vocabulary in vocabularies)}
    places = [i for i, character in enumerate(text) if character in foreign]
    n = len(text)
    facts = ("a text that was typed or pasted", f"{n:,} {'character' if n == 1 else 'characters'}")
    if not places:
        return WhatWasRead(facts)
    first = f"“{text[places[0]]}” in line {text.count(chr(10), 0, places[0]) + 1:,}"
    said = (
        f"1 character is not in the vocabulary, and was left out or written plainly: {first}."
        if len(places) == 1
        else f"{len(places):,} characters are not in the vocabulary, and were left out or written plainly;"
        f" the first is {first}."
    )
    return WhatWasRead(facts, (said,))
