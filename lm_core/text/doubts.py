"""Places in a text that look as if it had been read in the wrong encoding, and what cannot be seen in it."""

import re
import unicodedata
from collections import Counter

_OF_CP1252 = bytes(range(0x80, 0xC0)).decode("cp1252", "ignore") + "\x81\x8d\x8f\x90\x9d"
_TWICE_ENCODED = re.compile(rf"[\xc2-\xf4][{re.escape(_OF_CP1252)}]{{1,3}}")
_SYMBOL_IN_WORD = re.compile(
    r"[^\W\d_]+[\xa1-\xa9\xab-\xac\xae-\xb4\xb6-\xb9\xbb-\xbf\u201a\u201e\u201d\u2020\u2021\u02c6\u2030\u2039\u203a\u2022\u02dc]+[^\W\d_]+"
    r"|\b[A-Za-z]*[a-z][\xc0-\xd6\xd8-\xde\u0152\u015a\u0164\u0179\u0160\u017d\u0141\u0147\u0150][^\W\d_]*"
)
"""Or a capital with an accent after a small letter, which Mac OS Roman's letters become elsewhere."""
_TAG, _MOST_TAGS = re.compile(r"</?[a-z][a-z0-9]*(?: [^<>]{0,200})?/?>", re.IGNORECASE), 10
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]"
)
_JOINERS = re.compile("(?<=[^\x00-\u02ff])[\u200c\u200d](?=[^\x00-\u02ff])")
"""Between two characters of other scripts they change what is seen: Persian letters, emoji of families."""


def doubts_about(text: str) -> tuple[str, ...]:
    """Return what looks wrong in a text, in sentences for the visitor, each with the first place."""
    doubts = []
    if found := _first_twice_encoded(text):
        wrong, meant = found[0], found[1]
        doubts.append(
            f"Line {_line(text, found[2]):,} holds “{wrong}”, which is “{meant}” read in the wrong"
            " encoding: the file was in UTF-8 and some program took it for Windows-1252. Save it again"
            " from where it comes from."
        )
    elif odd := _SYMBOL_IN_WORD.search(text):
        doubts.append(
            f"Line {_line(text, odd.start()):,} holds “{odd[0][:30]}”, with a symbol or a capital inside a word: if"
            " that is wrong, choose another encoding."
        )
    if len(tags := _TAG.findall(text)) >= _MOST_TAGS:
        doubts.append(
            f"{len(tags):,} marks in angle brackets, such as {tags[0][:20]}, are learned as text: if this is a"
            " web page, copy the words that it shows."
        )
    if hidden := invisible_characters(text):
        named = ", ".join(
            f"{unicodedata.name(character, 'a control character').lower()} ({n:,})"
            for character, n in hidden.most_common(4)
        )
        place = next(i for i, character in enumerate(text) if character in hidden)
        doubts.append(
            f"{hidden.total():,} characters cannot be seen, the first in line {_line(text, place):,}:"
            f" {named}. A model learns them as symbols of their own."
        )
    return tuple(doubts)


def symbols_in_words(text: str) -> int:
    """Return how many words have a symbol such as ³ or a capital such as Õ between their letters."""
    return len(_SYMBOL_IN_WORD.findall(text))


def invisible_characters(text: str) -> Counter[str]:
    """Return how often each character that cannot be seen occurs, but for joiners that are needed."""
    return Counter(_INVISIBLE.findall(_JOINERS.sub("", text)))


def without_invisible(text: str) -> str:
    r"""Return a text without the characters that cannot be seen.

    Examples
    --------
    >>> without_invisible("mil\u00adler\u200b")
    'miller'
    """
    kept = {match.start() for match in _JOINERS.finditer(text)}
    return _INVISIBLE.sub(lambda found: found[0] if found.start() in kept else "", text)


def _first_twice_encoded(text: str) -> tuple[str, str, int] | None:
    """Return the first letter that was encoded twice: as it is, as it was meant, and its place."""
    for found in _TWICE_ENCODED.finditer(text):
        codes = (_byte_of(character) for character in found[0])
        raw = bytes(code for code in codes if code is not None)
        for n in range(len(raw), 1, -1):
            try:
                meant = raw[:n].decode()
            except UnicodeDecodeError:
                continue
            return found[0][:n], meant, found.start()
    return None


def _byte_of(character: str) -> int | None:
    try:
        return character.encode("cp1252")[0]
    except UnicodeEncodeError:
        return ord(character) if ord(character) < 0x100 else None


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
