"""More cases: what forms, office programs, statistics programs and other tools of a school write, and what pupils paste."""

import datetime
import io
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import openpyxl

from tests.cases.brought import rows

# Tables ---------------------------------------------------------------------------------------


def _workbook(*lines: Iterable[Any], change: Callable[[Any], object] = lambda _: None) -> bytes:
    """Return a workbook of one sheet, which a function may change."""
    book = openpyxl.Workbook()
    for line in lines:
        book.active.append(list(line))
    change(book)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


_NUMBERS = [(i % 5 + 0.5, 2 * i % 7) for i in range(10)]
_NAMED = [(f"p{i}", a, b) for i, (a, b) in enumerate(_NUMBERS)]


def _with_notes(book: Any) -> None:
    book.active.title = "Data"
    book.create_sheet("Notes", 0).append(["see the next sheet"])
    hidden = book.create_sheet("Lists", 0)
    hidden.append(["code", 7])
    hidden.append([1, 2])
    hidden.sheet_state = "hidden"


_QUALTRICS = (
    'StartDate,Q1,Q2\nStart Date,How tall are you?,"How heavy, in kg?"\n'
    '"{""ImportId"":""startDate""}","{""ImportId"":""QID1""}","{""ImportId"":""QID2""}"\n'
)
TABLES = {
    "a form of Google's": (
        "Timestamp,Height (cm),Shoe size\n" + rows("2024/05/01 9:{i:02}:00 AM GMT+2,16{c},{b}.5"),
        "“Timestamp” is no coordinate: it holds dates or times"),
    "a title above the names": (
        "Survey of class 10b;;\n;;\nname;height;weight\n" + rows("p{i};1{a}0;5{b}"),
        "Line 1 is a title: “Survey of class 10b”"),
    "three lines of names": (
        _QUALTRICS + rows("2024-05-01 10:00:00,1{a}0,5{b}"),
        "2 lines under the names, from line 2 on, hold no numbers and were left out: “Start Date, How tall"),
    "a line of units": ("a,b\ncm,mm\n" + rows("{a}.5,{b}.5"), "Line 2, under the names, holds no numbers"),
    "Word's rich text": (b"{\\rtf1\\ansi 1,2}", None, "rich text (RTF) document"),
    "a workbook with a title": (
        _workbook(["Measured in May"], [], ["name", "a", "b"], *_NAMED), "Line 1 is a title: “Measured in May”"),
    "a workbook with merged names": (
        _workbook(["size", None], ["length", "width"], *_NUMBERS, change=lambda b: b.active.merge_cells("A1:B1")),
        "Line 1 is a title: “size”"),
    "a workbook with notes before": (
        _workbook(["a", "b"], *_NUMBERS, change=_with_notes),
        "sheet “Data”, decimal point, 10 of 10 rows and 2 columns of 2 used. 2 other sheets are not read: “Lists”"
        " (hidden), “Notes”"),
    "formulas that nobody computed": (
        _workbook(["a", "b", "sum"], *((*row, "=A2+B2") for row in _NUMBERS)),
        "“sum” holds formulas without their results"),
    "dates and faults of formulas": (
        _workbook(["day", "a", "b"], *((datetime.date(2024, 5, 1), a, "#DIV/0!" if b == 3 else b) for a, b in _NUMBERS)),
        "9 of 10 rows"),
    "columns that are empty": ("a,b,,,\n" + rows("{a}.5,{b},,,"), "“column 5” is left out: it is empty"),
    "a sum of averages, from Moodle": (
        '"Nachname","Punkte","Kurs"\n' + rows('"N{i}","{a},50","{b},00"') + '"Gesamtdurchschnitt","5,5","6,0"\n',
        "it sums up the others (line 14)"),
    "names of emoji": ("😀,👍🏽\n" + rows("{a}.5,{b}"), "2 columns of 2 used"),
    "10,000 columns": (",".join(["1.5"] * 10_000) + "\n", None, "at most 50 columns are read, this table has 10,000"),
    "each column a point": (
        "length," + ",".join(f"{i}.5" for i in range(12)) + "\nwidth," + ",".join(f"{i}.1" for i in range(12)),
        "transpose it first"),
    "JSON": ('[{"a": 1, "b": 2}]', None, "this is JSON, and no table"),
    "a page that is called .xls": (b"<html><table><tr><td>1</td></tr></table></html>", None, "the source of a web page"),
    "an OpenDocument spreadsheet": (
        b"PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.spreadsheet", None, "OpenDocument spreadsheet (ODS)"),
    "Apple's Numbers": (b"PK\x03\x04 Index/Document.iwa", None, "save it as CSV or as an Excel workbook"),
    "DOS' end of file": (("a,b\n" + rows("{a}.5,{b}") + "\x1a").encode(), "12 of 12 rows"),
    "cells of two lines": ("a,b,note\n" + rows('{a}.5,{b},"two\nlines"'), "such as “two lines”"),
    "spaces that cannot be seen": ("a;b\n" + rows("\u200b{a},5;{b}\u00a0"), "2 columns of 2 used"),
    "degrees north and east": ("lat,lon\n" + rows("5{c}.{a}° N,1{c}.{b}° E"), None, "“50.1° N” in “lat”"),
    "read twice, wrongly": (("Größe,b\n" + rows("{a}.5,{b}")).encode().decode("cp1252").encode(), "“Ã¶”, which is “ö”"),
}  # fmt: skip

# Word vectors ---------------------------------------------------------------------------------

_VECTORS = "".join(
    f"{word} {i}.5 -{i} 0.25\n" for i, word in enumerate(("the", "king", "queen", "rain"))
)


def _binary(dtype: str) -> bytes:
    """Return word2vec's binary format with numbers of a type."""
    words = (f"w{i} ".encode() + np.arange(4).astype(dtype).tobytes() + b"\n" for i in range(20))
    return b"20 4\n" + b"".join(words)


VECTORS = {
    "sizes that lie": (f"400000 300\n{_VECTORS}".encode(), "promises 300 numbers each, and the words have 3"),
    "a word, a tab, and spaces": (_VECTORS.replace(" ", "\t", 1).encode(), "4 words of 3 numbers"),
    "Windows' line breaks, spaces at the end": (_VECTORS.replace("\n", " \r\n").encode(), "4 words of 3 numbers"),
    "pandas' index": (
        "".join(f"{i},{line.replace(' ', ',')}\n" for i, line in enumerate(_VECTORS.splitlines())).encode(),
        "the first column counts the lines, 4 words of 3 numbers"),
    "lists of Python": (
        "".join(f"w{i} [1.0, 2.0, -3.{i}]\n" for i in range(9)).encode(), "9 words of 3 numbers"),
    "a typographic minus": (_VECTORS.replace("-", "\u2212").encode(), "4 words of 3 numbers"),
    "bars": (_VECTORS.replace(" ", "|").encode(), "separated by bars"),
    "UTF-16": (_VECTORS.encode("utf-16"), "4 words of 3 numbers"),
    "binary, four bytes a number": (_binary("<f4"), "word2vec's binary format, 20 words of 4 numbers"),
    "binary, eight bytes a number": (_binary("<f8"), None, "its numbers do not take 4 bytes each"),
    "words with spaces": (f"{_VECTORS}. . . 1 2 3\n".encode(), "Spaces within 1 word are written as _"),
    "numbers without words": (b"1.5 2.5 3.5\n2.5 3.5 4.5\n", None, "no word stands before the numbers"),
    "JSON": (b'{"king": [1, 2, 3]}', None, "this is JSON"),
    "a page instead of the file": (b"<!DOCTYPE html>\n<title>404</title>", None, "download the file itself"),
    "Git LFS": (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", None, "a note of Git LFS"),
    "safetensors": (b"\x28\0\0\0\0\0\0\0" + b'{"a":{"dtype":"F32"}}', None, "a file of weights (safetensors)"),
    "SQLite": (b"SQLite format 3\0" + bytes(99), None, "an SQLite database"),
    "nothing": (b"", None, "this one is empty"),
}  # fmt: skip

KINDS: dict[str, dict[str, tuple[Any, ...]]] = {"tables": TABLES, "vectors": VECTORS}
