"""Places in a text that look as if it had been read in the wrong encoding or were no prose, and what cannot be seen in it."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

_UTF_8_TAKEN_FOR = {
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "mac-roman": "Mac OS Roman",
}
"""In what programs read files in UTF-8 that do not know better."""
_MOSTLY, _FEW = 0.6, 3
_SYMBOL_IN_WORD = re.compile(
    r"[^\W\d_]+[\xa1-\xa9\xab-\xac\xae-\xb4\xb6-\xb9\xbb-\xbf\u201a\u201e\u201d\u2020\u2021\u02c6\u2030\u2039\u203a\u2022\u02dc]+[^\W\d_]+"
    r"|\b[A-Za-z]*[a-z][\xc0-\xd6\xd8-\xde\u0152\u015a\u0164\u0179\u0160\u017d\u0141\u0147\u0150][^\W\d_]*"
)
"""Or a capital with an accent after a small letter, which Mac OS Roman's letters become elsewhere."""
_ACCENTS_ALONE = re.compile(r"(?<!\w)(?![äöüßåæøÄÖÜÅÆØ]+(?!\w))[\xb8\xa8\xc0-\xff]{3,}(?!\w)")
"""But for lists of the letters that German or Danish adds to the alphabet."""
_GREEK_ACCENTS = re.compile("[\xdc-\xdf\xfc-\xfe]")
"""Greek vowels with an accent, of which each longer word has one, as Windows-1252 reads them."""
_LOST = re.compile(r"[^\s\ufffd]{0,12}\ufffd\S{0,12}")
_LOST_TO_MARKS = re.compile(r"(?<![^\s\"“„(])[^\W\d_]+\?[^\W\d_]+(?![^\s.,;:!?)\"”“])")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]"
)
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f]")
"""Others than the plain one that look like it. The wide one of Chinese and Japanese is seen."""
_JOINERS = re.compile("(?<=[^\x00-\u02ff])[\u200c\u200d](?=[^\x00-\u02ff])")
"""Between two characters of other scripts they change what is seen: Persian letters, emoji of families."""


class _Format(NamedTuple):
    """What shows that a text is something else, how often it must, and what is said of it."""

    holds: str
    """Without it, the pattern need not be looked for."""
    pattern: "re.Pattern[str]"
    fewest: int
    said: str


_FORMATS = (
    _Format(
        "<",
        re.compile(r"</?[a-z][\w:.-]*(?: [^<>]{0,200})?/?>", re.IGNORECASE),
        10,
        "{n:,} marks in angle brackets, such as {first}, are learned as text: if this is a web page, copy"
        " the words that it shows.",
    ),
    _Format(
        "&",
        re.compile(r"&(?:[a-zA-Z]{2,8}|#\d{2,5}|#x[0-9a-fA-F]{2,5});"),
        3,
        "{n:,} codes, such as {first}, stand for letters or signs and are learned as they are: this is the source of"
        " a web page, so copy the words that it shows.",
    ),
    _Format(
        "=",
        re.compile(r"(?:=[0-9A-F]{2}){2,}|=3D"),
        3,
        "{n:,} codes, such as {first}, stand for letters or signs and are learned as they are: this is an e-mail or a"
        " page as programs send it, so copy the words that it shows.",
    ),
    _Format(
        "-->",
        re.compile(r"^(?:\d+:)?\d\d:\d\d[,.]\d{3} --> .{9,40}$", re.MULTILINE),
        3,
        "{n:,} lines hold times, such as “{first}”, as subtitles do, and are learned as text: leave them"
        " out if words alone are meant.",
    ),
    _Format(
        ":",
        re.compile(
            r"^\u200e?\[?\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?\]?(?: -)?"
            r" [^:\n]{1,30}:",
            re.MULTILINE,
        ),
        5,
        "{n:,} lines begin with a time and a name, such as “{first}”, as exported chats do, and both are"
        " learned as text: leave them out if words alone are meant, and ask those who wrote them.",
    ),
    _Format(
        "{",
        re.compile(r"\A\s*(?:\[\s*)?\{\s*\"[^\"\n]{1,60}\"\s*:"),
        1,
        "The text is written in JSON, so its quotation marks, brackets and names are learned as text: take"
        " out the values first.",
    ),
    _Format(
        "\\",
        re.compile(r"\\(?:begin|end|emph|textbf|textit|section|chapter|cite|ref|item|footnote)\b"),
        5,
        "{n:,} commands of LaTeX, such as {first}, are learned as text: copy the words that it prints.",
    ),
    _Format(
        "",
        re.compile("[\ufb00-\ufb06]"),
        1,
        "{n:,} letters are joined into one character, such as “{first}”, which is another symbol than its"
        " letters: texts copied from a PDF often have them.",
    ),
    _Format(
        "-\n",
        re.compile(r"[^\W\d_]{2,}-\n[^\W\d_]{2,}"),
        10,
        "{n:,} words are divided at the end of a line, such as “{first}”, and their halves are learned as"
        " words: texts copied from a PDF often have them.",
    ),
)


class _Misread(NamedTuple):
    """Letters that some program has read in the wrong encoding."""

    wrong: str
    meant: str
    place: int


def doubts_about(text: str, *, is_known: bool = False) -> tuple[str, ...]:
    """Return what looks wrong in a text, in sentences for the visitor, each with the first place.

    `is_known`: bool, whether its encoding is: no other one can help then.
    """
    return (*doubts_about_letters(text, is_known=is_known), *_other_formats(text), *_not_seen(text))


def doubts_about_letters(text: str, *, is_known: bool = False) -> tuple[str, ...]:
    """Return what looks as if it had been read in the wrong encoding, as `doubts_about` does."""
    doubts = []
    again = (
        "some program has read it in the wrong encoding before, so save it again from where it comes"
        " from."
    )
    if found := _twice_encoded(text):
        misread, program = found
        doubts.append(
            f"Line {_line(text, misread.place):,} holds “{misread.wrong}”, which is “{misread.meant}” read"
            " in the wrong encoding: the file was in UTF-8 and some program took it for"
            f" {program}. Save it again from where it comes from."
        )
    elif script := _other_script(text, _FEW if is_known else 1):
        doubts.append(
            f"Line {_line(text, script.place):,} holds “{script.wrong}”, which may be “{script.meant}”:"
            f" {again if is_known else 'choose another encoding.'}"
        )
    elif odd := _SYMBOL_IN_WORD.search(text):
        doubts.append(
            f"Line {_line(text, odd.start()):,} holds “{odd[0][:30]}”, with a symbol or a capital inside a word: if"
            f" that is wrong, {again if is_known else 'choose another encoding.'}"
        )
    for holds, pattern, fewest in (("\ufffd", _LOST, 1), ("?", _LOST_TO_MARKS, _FEW)):
        if holds in text and len(lost := pattern.findall(text)) >= fewest:
            first = pattern.search(text)
            n = text.count("\ufffd") if fewest == 1 else len(lost)
            were = "1 letter was" if n == 1 else f"{n:,} letters were"
            doubts.append(
                f"Line {_line(text, first.start() if first else 0):,} holds “{lost[0][:30]}”: {were} lost when"
                " the text was saved, and no encoding brings them back. Save it again from where it comes from."
            )
    return tuple(doubts)


def symbols_in_words(text: str) -> int:
    """Return how many words have a symbol such as ³ or a capital such as Õ between their letters."""
    return len(_SYMBOL_IN_WORD.findall(text))


def invisible_characters(text: str) -> Counter[str]:
    """Return how often each character that cannot be seen occurs, but for joiners that are needed."""
    return Counter(_INVISIBLE.findall(_JOINERS.sub("", text)))


def without_invisible(text: str) -> str:
    r"""Return a text without the characters that cannot be seen, and with plain spaces alone.

    Examples
    --------
    >>> without_invisible("mil\u00adler\u200b\u00a0a")
    'miller a'
    """
    kept = {match.start() for match in _JOINERS.finditer(text)}
    seen = _INVISIBLE.sub(lambda found: found[0] if found.start() in kept else "", text)
    return _SPACES.sub(" ", seen)


def _other_formats(text: str) -> Iterator[str]:
    for holds, pattern, fewest, said in _FORMATS:
        if holds not in text:
            continue
        found = [match[0] for match in pattern.finditer(text)]
        if len(found) >= fewest:
            yield said.format(n=len(found), first=" ".join(found[0][:40].split("\n")))


def _not_seen(text: str) -> Iterator[str]:
    for found, are, also in (
        (
            invisible_characters(text),
            "characters cannot be seen",
            ", and they may cut words in two",
        ),
        (Counter(_SPACES.findall(text)), "spaces are not the plain one", ""),
    ):
        if found:
            named = ", ".join(
                f"{unicodedata.name(character, 'a control character').lower()} ({n:,})"
                for character, n in found.most_common(4)
            )
            place = next(i for i, character in enumerate(text) if character in found)
            yield (
                f"{found.total():,} {are}, the first in line {_line(text, place):,}: {named}."
                f" A model of characters learns them as symbols of their own{also}."
            )


def _twice_encoded(text: str) -> tuple[_Misread, str] | None:
    """Return the first letter that was encoded twice, and what the program took the text for.

    One such letter is enough for Windows-1252; elsewhere they must be most of what is not plain,
    because two letters of a Cyrillic text may be such a pair by chance.
    """
    n_special = sum(not character.isascii() for character in text)
    if not n_special:
        return None
    found = {codec: [*_pairs(text, codec)] for codec in _UTF_8_TAKEN_FOR}
    shares = {
        codec: sum(len(each.wrong) for each in some) / n_special
        for codec, some in found.items()
        if len(some) >= _FEW
    }
    best = max(shares, key=shares.__getitem__, default="cp1252")
    if shares.get(best, 0.0) < _MOSTLY:
        best = "cp1252"
    return (found[best][0], _UTF_8_TAKEN_FOR[best]) if found[best] else None


def _pairs(text: str, codec: str) -> Iterator[_Misread]:
    """Yield characters whose bytes in an encoding are letters in UTF-8."""
    for found in _twice_encoded_in(codec).finditer(text):
        raw = b"".join(_byte_of(character, codec) for character in found[0])
        for n in range(len(raw), 1, -1):
            try:
                meant = raw[:n].decode()
            except UnicodeDecodeError:
                continue
            yield _Misread(found[0][:n], meant, found.start())
            break


@cache
def _twice_encoded_in(codec: str) -> "re.Pattern[str]":
    first, rest = (
        "".join({*bytes(codes).decode(codec, "ignore")} | {*map(chr, codes)} & controls)
        for codes, controls in (
            (range(0xC2, 0xF5), set[str]()),
            (range(0x80, 0xC0), {*map(chr, range(0x80, 0xA0))}),
        )
    )
    return re.compile(f"[{re.escape(first)}][{re.escape(rest)}]{{1,3}}")


def _byte_of(character: str, codec: str) -> bytes:
    try:
        return character.encode(codec)
    except UnicodeEncodeError:
        return bytes([ord(character)]) if ord(character) < 0x100 else b""


def _other_script(text: str, fewest: int) -> _Misread | None:
    """Return a word of accented letters alone, which no language writes, as the Cyrillic or Greek one that it may be."""
    found = _ACCENTS_ALONE.search(text)
    words = _ACCENTS_ALONE.findall(text)[:100]
    if found is None or len(words) < fewest:
        return None
    is_greek = sum(len(_GREEK_ACCENTS.findall(word)) == 1 for word in words) > _MOSTLY * len(words)
    codec = "cp1253" if is_greek else "cp1251"
    meant = found[0].encode("cp1252", "ignore").decode(codec, "ignore")
    return _Misread(found[0][:30], meant[:30], found.start())


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
