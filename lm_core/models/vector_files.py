"""Word vectors from files of other programs: word2vec's text and binary formats, GloVe's, fastText's, tables.

All of them list a word and its numbers, the most frequent words first. What differs is whether a line
with both sizes stands before them, what separates the numbers, and whether these are written as text.
Nothing is unpickled.

References
----------
https://radimrehurek.com/gensim/models/keyedvectors.html (word2vec's two formats)
https://nlp.stanford.edu/projects/glove/ and https://fasttext.cc/docs/en/crawl-vectors.html
"""

import codecs
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import TextError
from lm_core.text.kinds_of_files import is_marked_up, what_a_file_is
from lm_core.text.what_was_read import WhatWasRead
from lm_core.text.word_vocabulary import WordVocabulary, find_runs

MOST_WORDS = 50_000
MOST_NUMBERS = 2_000
"""Of one vector."""
_LONGEST_WORD = 400  # bytes
_SAMPLED = 100
_PREVIEWED_WORDS, _PREVIEWED_NUMBERS = 5, 4
_SIZES = re.compile(rb"\s*(\d{1,9})[ \t]+(\d{1,5})\s*")
_DRESSED = re.compile(rb'"-?\d|[\[(] *-?\d|\xe2\x88\x92\d')
"""Numbers in quotation marks or in brackets, and with a typographic minus."""
_BARE = str.maketrans({"\u2212": "-", **dict.fromkeys('"[]()', None)})
_DECIMAL_COMMA, _LOOKED_AT = re.compile(rb"[ \t;\"]-?\d+,\d"), 100_000  # bytes
_SEPARATORS = {" ": "spaces", "\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars"}
_SAVE = "Save the vectors as text, with Gensim by keyed_vectors.save_word2vec_format('vectors.txt')"
_NEEDED = (
    "a file of word vectors holds at least two lines with a word and its numbers, such as"
    " king 0.12 -0.5 0.33"
)
_DECIMAL = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")
_OF_FASTTEXT = b"\xba\x16\x4f\x2f"
_UNPACK = ("archive", "ZIP")
_LEFT_OUT = {
    "numbers": ("line", "not a word and {width} numbers"),
    "encoding": ("line", "not in {encoding}"),
    "infinite": ("word", "infinite or not a number (NaN) in some place"),
    "again": ("word", "not the first of that name, whose vector counts"),
    "capitals": ("word", "like one before but for capitals, which are read as small letters here"),
}
"""Why a word or a line is left out: what it is called, and what it is."""


class VectorFile(NamedTuple):
    """Vectors as they were read from a file, and what was read of it."""

    vocabulary: WordVocabulary
    input: Tensor
    """Of shape (V, D)."""
    read: WhatWasRead

    @property
    def output(self) -> Tensor:
        """The same table: such files hold one embedding, mostly the input one."""
        return self.input


class _Row(NamedTuple):
    """A word and its numbers, or why there are none."""

    place: str
    """Where it is in the file, for the visitor."""
    shown: str
    numbers: "np.ndarray | None"
    fault: str = ""


@dataclass
class _Found:
    """What was read so far."""

    ids: dict[str, int] = field(default_factory=dict)
    spelled: set[str] = field(default_factory=set)
    """As the file spells them."""
    numbers: list[np.ndarray] = field(default_factory=list)
    n_rows: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)

    def leave_out(self, why: str, row: _Row) -> None:
        """Count a row that is not used."""
        self.left_out[why] += 1
        self.first.setdefault(why, f"“{row.shown[:30]}” in {row.place}")

    def add(self, row: _Row) -> None:
        """Use a row if it is the first with its word and all its numbers are finite."""
        self.n_rows += 1
        word = "_".join(row.shown.split()).casefold()
        if row.numbers is None or not word:
            self.leave_out(row.fault or "numbers", row)
        elif not np.isfinite(row.numbers).all():
            self.leave_out("infinite", row)
        elif word in self.ids:
            self.leave_out("again" if row.shown in self.spelled else "capitals", row)
        else:
            if word != row.shown.casefold():
                self.left_out["spaces"] += 1
                self.first.setdefault("spaces", f"“{row.shown[:30]}” in {row.place}")
            self.ids[word] = len(self.ids)
            self.spelled.add(row.shown)
            self.numbers.append(row.numbers)


def read_vectors(content: bytes, *, encoding: str = "utf-8") -> VectorFile:
    """Read word vectors in whatever format they are.

    `encoding`: str, of the words.

    Raises
    ------
    TextError
        If it is something else, holds fewer than two vectors, or its vectors are too long.
    """
    content = _plain_bytes(content)
    sizes = _SIZES.fullmatch(content[: content.find(b"\n") + 1] or content)
    promised, width = (int(sizes[1]), int(sizes[2])) if sizes else (0, 0)
    body = content[sizes.end() :] if sizes else content
    promised_width = width
    if sizes and _is_binary(body, width):
        kind, rows = "word2vec's binary format", _binary_rows(body, promised, width, encoding)
        _require_words(body, promised, width, encoding)
    else:
        separator, found_width = _layout(body, encoding)
        width = found_width or width
        kind = "word2vec's text format" if sizes else "GloVe's format, without a line of sizes"
        if separator != " ":
            kind = f"a table of vectors separated by {_SEPARATORS[separator]}"
        has_comma = separator != "," and bool(_DECIMAL_COMMA.search(body[:_LOOKED_AT]))
        kind += ", decimal comma" if has_comma else ""
        is_plain = not (has_comma or _DRESSED.search(body[:_LOOKED_AT]))
        rows = _text_rows(body, (separator, width), encoding, 2 if sizes else 1, is_plain=is_plain)
        if separator != " " and _counts_lines(body, separator):
            kind, rows = (
                f"{kind}, the first column counts the lines",
                _without_first(rows, separator),
            )
    if not 1 <= width <= MOST_NUMBERS:
        raise TextError(_no_vectors(content, encoding, width))
    found = _read(rows)
    if found.ids and all(_DECIMAL.fullmatch(word) for word in islice(found.ids, _SAMPLED)):
        raise TextError(
            f"{_NEEDED}; here no word stands before the numbers. Some programs write the words into a file of"
            " their own, such as metadata.tsv: put each before its numbers"
        )
    if len(found.ids) < 2:
        raise TextError(_no_vectors(content, encoding, width))
    table = torch.from_numpy(np.stack(found.numbers))
    vocabulary = WordVocabulary(tuple(found.ids), (0,) * len(found.ids), find_runs)
    numbers = "1 number" if width == 1 else f"{width} numbers"
    facts = (f"word vectors in {kind}", f"{len(found.ids):,} words of {numbers} each")
    notes = _notes(found, promised, table, encoding)
    if promised_width not in (0, width):
        notes = (
            f"The first line promises {promised_width:,} numbers each, and the words have {width:,}.",
            *notes,
        )
    return VectorFile(vocabulary, table, WhatWasRead(facts, notes, _preview(vocabulary, table)))


def _read(rows: Iterator[_Row]) -> _Found:
    """Return the first rows; those that come after enough of them are counted alone."""
    found = _Found()
    for row in rows:
        if len(found.ids) < MOST_WORDS:
            found.add(row)
        else:
            found.n_rows += 1
    return found


def _plain_bytes(content: bytes) -> bytes:
    """Return a file without its mark, one in UTF-16 in UTF-8; refuse what holds no vectors."""
    if content.startswith(_OF_FASTTEXT):
        raise TextError(
            "this is a whole model of fastText, not its vectors: choose the .vec file beside it"
        )
    if what := what_a_file_is(content):
        if any(word in what for word in _UNPACK):
            raise TextError(f"this is {what}: unpack it first")
        remedy = "Download the file itself" if "LFS" in what else _SAVE
        raise TextError(f"this is {what}. {remedy}.")
    if is_marked_up(content):
        raise TextError("this is the source of a web page, or XML: download the file itself")
    if re.match(rb"\s*[{\[]\s*[\"{\[]", content):
        raise TextError(f"this is JSON: write each word and its numbers in a line. {_SAVE}.")
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        content = content.decode("utf-16", "replace").encode()
    return content.removeprefix(codecs.BOM_UTF8)


def _is_binary(body: bytes, width: int) -> bool:
    """Return whether the numbers after the first word are no text, however many there are."""
    line = body[: body.find(b"\n") + 1] or body
    try:
        numbers = line.decode().split()[-width:] if width else []
    except UnicodeDecodeError:
        return True
    if width and len(numbers) < width + 1 and all(map(_is_written, numbers[1:])) and numbers[1:]:
        return False
    return not all(map(_is_written, numbers))


def _is_written(number: str) -> bool:
    try:
        float(number)
    except ValueError:
        return False
    return True


def _require_words(body: bytes, n: int, width: int, encoding: str) -> None:
    """Refuse a binary file whose numbers take another number of bytes: what stands between them is no word."""
    some = [*islice(_binary_rows(body, n, width, encoding), _SAMPLED)]
    odd = sum(row.fault != "" or not row.shown.isprintable() for row in some)
    if 2 * odd > len(some):
        raise TextError(
            "the words of this binary file cannot be read, because its numbers do not take 4 bytes each."
            f" {_SAVE}."
        )


def _counts_lines(body: bytes, separator: str) -> bool:
    """Return whether the first cells are numbers that count, as pandas writes them before each row."""
    lines = [line for line in body[:_LOOKED_AT].split(b"\n")[: _SAMPLED + 1] if line.strip()]
    cells = [
        line.split(separator.encode())[0].strip().strip(b'"') for line in lines[-_SAMPLED + 1 :]
    ]
    counted = [int(cell) for cell in cells if cell.isdigit()]
    return (
        len(counted) > 1
        and counted == [*range(counted[0], counted[0] + len(counted))]
        and (len(counted) >= len(cells) - 1)
    )


def _without_first(rows: Iterator[_Row], separator: str) -> Iterator[_Row]:
    for row in rows:
        yield row._replace(shown=row.shown.partition(separator)[2].strip('"') or row.shown)


def _binary_rows(body: bytes, n: int, width: int, encoding: str) -> Iterator[_Row]:
    """Yield the rows of word2vec's binary format: a word, a space, and numbers of four bytes."""
    place, size = 0, 4 * width
    for number in range(1, n + 1):
        space = body.find(b" ", place, place + _LONGEST_WORD)
        if space < 0 or space + 1 + size > len(body):
            return
        word, fault = _decoded(body[place:space].lstrip(b"\n"), encoding)
        numbers = np.frombuffer(body, "<f4", width, space + 1).astype(np.float32)
        yield _Row(f"place {number:,}", word, None if fault else numbers, fault)
        place = space + 1 + size


def _text_rows(
    body: bytes, layout: tuple[str, int], encoding: str, first: int, *, is_plain: bool
) -> Iterator[_Row]:
    """Yield the lines that are not empty; of a word with spaces the last ones separate numbers.

    Parameters
    ----------
    layout : str, int, as `_layout` finds it
    is_plain : bool, whether Python reads the numbers as they are: in 15 million of them it takes seconds to change
    """
    separator, width = layout
    for number, raw in enumerate(io.BytesIO(body), first):
        line, fault = _decoded(raw.strip(b" \t\r\n\0"), encoding)
        if separator == " " and "\t" in line:
            line = line.replace("\t", " ")
        if not line:
            continue
        word, *numbers = line.rsplit(separator, width)
        is_longer = any(_is_number(part, separator) for part in word.split(separator)[1:])
        is_whole = not fault and len(numbers) == width and not is_longer
        if is_whole and not is_plain:
            numbers = [_plain(number, separator) for number in numbers]
        read = _numbers(numbers) if is_whole else None
        if read is None and number == 1 and separator != " " and not fault:
            continue  # names of columns
        shown = word.strip('"') if read is not None else line
        yield _Row(f"line {number:,}", shown, read, fault)


def _plain(cell: str, separator: str) -> str:
    """Return a number as Python reads it: without quotes, and a decimal comma as a point."""
    bare = cell.translate(_BARE).strip().rstrip(",")
    return bare if separator == "," else bare.replace(",", ".")


def _is_number(cell: str, separator: str) -> bool:
    try:
        float(_plain(cell, separator))
    except ValueError:
        return False
    return True


def _numbers(written: list[str]) -> "np.ndarray | None":
    try:
        return np.array(written, np.float32)
    except ValueError:
        return None


def _decoded(raw: bytes, encoding: str) -> tuple[str, str]:
    try:
        return raw.decode(encoding), ""
    except UnicodeDecodeError:
        return raw.decode(encoding, "replace"), "encoding"


def _layout(body: bytes, encoding: str) -> tuple[str, int]:
    """Return what separates the first lines, and how many numbers most of them end in."""
    lines = [line.decode(encoding, "replace").strip() for line in body[:1_000_000].split(b"\n")]
    some = [line for line in lines[: _SAMPLED + 1] if line][:_SAMPLED]
    widths = {
        separator: Counter(
            n for line in some if (n := _n_numbers(_cells(line, separator), separator))
        )
        for separator in _SEPARATORS
    }
    most = {
        each: max(((n, w) for w, n in found.items()), default=(0, 0))
        for each, found in widths.items()
    }
    best = max(most, key=lambda each: (most[each], each != " "))
    usual = widths[best].most_common(1)
    return best, usual[0][0] if usual else 0


def _cells(line: str, separator: str) -> list[str]:
    """Return the cells of a line; tabs are spaces where these part the numbers."""
    return (line.replace("\t", " ") if separator == " " else line).split(separator)


def _n_numbers(cells: list[str], separator: str) -> int:
    """Return in how many numbers some cells end, the first one left out, which is a word."""
    words = [n for n, cell in enumerate(reversed(cells[1:])) if not _is_number(cell, separator)]
    return min(words, default=max(0, len(cells) - 1))


def _no_vectors(content: bytes, encoding: str, width: int) -> str:
    if width > MOST_NUMBERS:
        return (
            f"a vector may have at most {MOST_NUMBERS:,} numbers, those of this file have {width:,}"
        )
    first = content[:200].decode(encoding, "replace").split("\n")[0].strip()
    if not first:
        return f"{_NEEDED}; this one is empty"
    if not first.replace("\t", " ").isprintable():
        return f"{_NEEDED}, or begins with a line of two sizes, as word2vec's binary format does; this one is no text"
    return f"{_NEEDED}; the first line here is “{first[:40]}”"


def _notes(found: _Found, promised: int, table: Tensor, encoding: str) -> tuple[str, ...]:
    """Return what was left out or changed and why, each with the first place."""
    notes = []
    if len(found.ids) == MOST_WORDS and found.n_rows > MOST_WORDS:
        notes.append(
            f"Only the first {MOST_WORDS:,} of {found.n_rows:,} words are used: such files mostly list the most"
            " frequent words first."
        )
    if promised and promised != found.n_rows:
        notes.append(
            f"The first line promises {promised:,} words, and the file holds {found.n_rows:,}."
        )
    for why, (called, reason) in _LEFT_OUT.items():
        if n := found.left_out[why]:
            said = reason.format(width=table.shape[1], encoding=encoding.upper())
            place = found.first[why]
            notes.append(
                f"1 {called} was left out, because it is {said}: {place}."
                if n == 1
                else f"{n:,} {called}s were left out, because they are {said}; the first is {place}."
            )
    if n := found.left_out["spaces"]:
        words = "1 word" if n == 1 else f"{n:,} words"
        notes.append(
            f"Spaces within {words} are written as _; the first is {found.first['spaces']}."
        )
    if n := int((table == 0).all(1).sum()):
        are = "vector is" if n == 1 else "vectors are"
        notes.append(f"{n:,} {are} all zeros, without a direction: all their cosines are 0.")
    return tuple(notes)


def _preview(vocabulary: WordVocabulary, table: Tensor) -> tuple[tuple[str, ...], ...]:
    shown = min(_PREVIEWED_NUMBERS, table.shape[1])
    rows = (
        (word, *(f"{number:.4g}" for number in vector[:shown].tolist()))
        for word, vector in zip(vocabulary.words[:_PREVIEWED_WORDS], table, strict=False)
    )
    return (("word", *(f"number {i + 1}" for i in range(shown))), *rows)
