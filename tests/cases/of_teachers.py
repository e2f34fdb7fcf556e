"""More cases: what forms, office programs, statistics programs and other tools of a school write, and what pupils paste."""
# ruff: noqa: RUF001 (letters of other scripts are what is brought)

import datetime
import io
import json
import unicodedata
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from tests.cases.brought import LESSON, RUSSIAN, gpt2, rows
from tests.gpt2_folder import weights, write_gpt2

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

# Texts ----------------------------------------------------------------------------------------

_LITHUANIAN = "Malūnininkas nuėjo prie upės, šiandien graži diena, jų ąžuolas.\n" * 50
_ROMANIAN = "Morarul a spus că este o zi frumoasă şi că vine.\n" * 50
_CROATIAN = "Mlinar je rekao da je lijep dan, čovječe, žena i šuma.\n" * 50
_GERMAN = "Der Müller ging über die Straße und hörte nichts.\n" * 50
_PDF = "The ﬁrst mil-\nler went home.\n" * 50
TEXTS = {
    "Lithuanian, Windows-1257": (_LITHUANIAN.encode("cp1257"), "Windows-1257, it begins “Malūnininkas"),
    "Romanian, Windows-1250": (_ROMANIAN.encode("cp1250"), "Windows-1250, it begins “Morarul a spus că"),
    "Croatian, Windows-1250": (_CROATIAN.encode("cp1250"), "Windows-1250"),
    "German with euros, ISO 8859-15": ((_GERMAN + "5 € " * 9).encode("iso8859-15"), "ISO 8859-15"),
    "Japanese, ISO 2022-JP": (("粉屋は川へ行った。\n" * 50).encode("iso2022_jp"), "ISO 2022-JP"),
    "Russian, read as Windows-1251 once": (RUSSIAN.encode().decode("cp1251", "ignore").encode(), "took it for Windows-1251"),
    "Russian, read as Western": (RUSSIAN.encode("cp1251").decode("cp1252").encode(), "which may be “Мельник”"),
    "Russian in two encodings": (RUSSIAN.encode() + RUSSIAN[:90].encode("cp1251"), "parts in Windows-1251"),
    "letters lost to question marks": (_GERMAN.encode("ascii", "replace"), "“M?ller”: 150 letters were lost"),
    "letters lost to replacement": (_GERMAN.encode("latin-1").decode(errors="replace").encode(), "letters were lost"),
    "an exported chat": ("12/05/24, 10:01 - Anna: ok 👍\n".encode() * 50, "50 lines begin with a time and a name"),
    "subtitles": (b"1\n00:00:01,000 --> 00:00:02,500\nHello.\n\n" * 50, "50 lines hold times, such as"),
    "an e-mail as it is sent": (b"Der M=C3=BCller h=C3=B6rt.\n" * 50, "100 codes, such as =C3=BC,"),
    "codes of a web page": (b"Der M&uuml;ller h&ouml;rt.\n" * 50, "100 codes, such as &uuml;,"),
    "JSON": (b'{"text": "The miller went."}\n' * 50, "written in JSON"),
    "LaTeX": (b"The \\emph{miller} went.\n" * 50, "50 commands of LaTeX"),
    "copied from a PDF": (_PDF.encode(), "50 words are divided at the end of a line, such as “mil- ler”"),
    "spaces at which lines must not break": ("Où\u202f? Là\u00a0!\n".encode() * 50, "100 spaces are not the plain one"),
    "PowerPoint": (b"PK\x03\x04 ppt/presentation.xml", None, "a PowerPoint (PPTX) document"),
    "LibreOffice": (b"PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.text", None, "an OpenDocument text (ODT)"),
    "rich text after a mark": (b"\xef\xbb\xbf{\\rtf1\\ansi}", None, "a rich text (RTF) document"),
    "a film": (b"\0\0\0\x20ftypisom" + bytes(50), None, "a film or a picture"),
    "UTF-16 that was cut": (_GERMAN.encode("utf-16")[:-1], None, "it ends within a character, in line 50"),
}  # fmt: skip

# Words ----------------------------------------------------------------------------------------

_ARABIC = "ذهب الطحان إلى النهر اليوم الجو جميل البنت تضحك الكلب ينام هنا "
_HINDI = "कुत्ता सोता है बिल्ली खाती बड़ा घर नदी पानी दिन रात सूरज "
_KOREAN = "방앗간 주인은 강으로 갔다 오늘 날씨가 좋다 딸이 웃는다 개가 잔다 "
WORDS = {
    "Arabic": (_ARABIC * 20, "240 words, the most frequent ذهب"),
    "Hindi": (_HINDI * 20, "कुत्ता"),
    "Korean": (_KOREAN * 20, "방앗간"),
    "curly apostrophes": ("don’t won’t can’t it’s i’m you’re we’re they’re she’s he’s that’s " * 20, "don't"),
    "letters and accents apart": (
        unicodedata.normalize("NFD", "Żółta łódka płynęła cicho gęś patrzyła na nią jak duży kot dom ") * 20, "żółta"),
    "Thai without spaces": ("เจ้าของโรงสีไปที่แม่น้ำ" * 100, None, "words must be separated by spaces"),
    "numbers": ("1 2 3 4 5 6 7 8 9 10 11 " * 20, None, "at least 100 words to learn from, it has 0"),
    "emoji": ("😀 😃 😄 😁 😆 😅 😂 🤣 😊 😇 🙂 " * 20, None, "at least 100 words"),
}  # fmt: skip

# Tokenizers -----------------------------------------------------------------------------------


def _json(document: Any) -> bytes:
    return json.dumps(document).encode()


def _tokenizer(model: models.Model, **parts: Any) -> bytes:
    made = Tokenizer(model)
    for name, part in parts.items():
        setattr(made, name, part)
    return made.to_str().encode()


_BYTES = [("<unk>", 0.0), *((f"<0x{i:02X}>", -9.0) for i in range(256)), ("▁the", -2.0)]
_WORDS = {"the": 0, "##s": 1, "[UNK]": 2}
TOKENIZERS = {
    "Unigram that falls back on bytes": (
        _tokenizer(models.Unigram(_BYTES, unk_id=0, byte_fallback=True), pre_tokenizer=pre_tokenizers.Metaspace()),
        "Unigram, 258 symbols, symbols of bytes"),
    "WordPiece without capitals": (
        _tokenizer(models.WordPiece(_WORDS, unk_token="[UNK]"), normalizer=normalizers.BertNormalizer()),
        "WordPiece, 3 symbols"),
    "WordPiece without its mark": (
        _tokenizer(models.WordPiece({"the": 0}, unk_token="[UNK]")), None, "“[UNK]”, its symbol for what"),
    "an empty vocabulary": (_tokenizer(models.BPE({}, [])), None, "its vocabulary is empty"),
    "a merge of what is not there": (
        _json({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": ["a b"]}}), None, "its merge “a b” is of"),
    "numbers below 0": (_json({"model": {"type": "BPE", "vocab": {"a": -1}, "merges": []}}), None, "“a” has -1"),
    "another kind of model": (_json({"model": {"type": "Char", "vocab": {"a": 0}}}), None, "its model is 'Char'"),
    "another kind of step": (
        _json({"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}, "normalizer": {"type": "Mine"}}),
        None, "of a kind that this version of the library does not know"),
    "vocab.txt": (b"[PAD]\n[UNK]\nthe\n##s\n", None, "a vocab.txt, a list of WordPiece's symbols"),
    "SentencePiece's list": ("<unk>\t0\n<s>\t0\n▁the\t-3.2\n".encode(), None, "a list of SentencePiece's symbols"),
    "added_tokens.json": (_json({"<|im_end|>": 5}), None, "an added_tokens.json"),
    "a page instead of the file": (b"<!DOCTYPE html>\n<title>404</title>", None, "the source of a web page"),
    "Git LFS": (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", None, "a note of Git LFS"),
    "GGUF": (b"GGUF\x03\0\0\0", None, "a model in the format GGUF"),
    "JSON twice": (b'{"model": {}}{"model": {}}', None, "it is no JSON from line 1, character 14 on"),
    "nothing": (b"", None, "it is empty"),
}  # fmt: skip

# Lessons --------------------------------------------------------------------------------------

_LESSON = LESSON.replace("assumes", "założył gęś, płynęła")
LESSONS = {
    "Polish, Windows-1250": (_LESSON.replace("–", "-").encode("cp1250"), "Windows-1250"),
    "UTF-16 without its mark": (LESSON.encode("utf-16-le"), "UTF-16 without a mark"),
    "a space without width before a key": (LESSON.replace("link:", "\u200blink:").encode(), "was left out"),
    "wide colons": (LESSON.replace("do:", "do\uff1a").encode(), "1 step"),
    "encoded twice": (LESSON.encode().decode("cp1252").encode(), "“â€“”, which is “–”"),
    "Word": (b"PK\x03\x04 word/document.xml", None, "a Word (DOCX) document"),
    "a web page": (b"<!DOCTYPE html>\n<html>", None, "the source of a web page"),
    "nothing": (b"\n", None, "the file is empty"),
    "a list of steps": (LESSON.replace("link:", "* link:").encode(), None, "line 8"),
    "one # too few": (LESSON.replace("## ", "# ").encode(), None, "line 7: after the second --- comes a step"),
}  # fmt: skip

# Folders of models ----------------------------------------------------------------------------


def _in_parts(folder: Path, *, n: int = 2, is_listed: bool = True) -> None:
    """Write the weights in two files, of which n are left, with their list or without."""
    (folder / "model.safetensors").unlink()
    names, listed = sorted(weights()), {}
    for part in (0, 1):
        file = f"model-0000{part + 1}-of-00002.safetensors"
        some = names[part::2]
        listed.update(dict.fromkeys(some, file))
        if part < n:
            save_file({name: weights()[name].contiguous() for name in some}, folder / file)
    if is_listed:
        index = json.dumps({"weight_map": listed})
        (folder / "model.safetensors.index.json").write_text(index, encoding="utf-8")


def _instead(name: str, content: bytes = b"") -> Callable[[Path], object]:
    """Return what puts another file in the place of the weights."""

    def change(folder: Path) -> None:
        (folder / "model.safetensors").unlink()
        (folder / name).write_bytes(content)

    return change


def _renamed(before: str) -> Callable[[Path], object]:
    return lambda folder: save_file(
        {before + name: tensor.contiguous() for name, tensor in weights().items()},
        folder / "model.safetensors",
    )


def _of_type(dtype: torch.dtype) -> Callable[[Path], object]:
    return lambda folder: save_file(
        {name: tensor.to(dtype).contiguous() for name, tensor in weights().items()},
        folder / "model.safetensors",
    )


def _untied(folder: Path) -> None:
    now = weights()
    save_file(
        now | {"lm_head.weight": now["transformer.wte.weight"] + 1}, folder / "model.safetensors"
    )


def _cut_off(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-100])


def _deeper(folder: Path) -> Path:
    write_gpt2(folder / "gpt2")
    return folder


def _a_file(folder: Path) -> Path:
    write_gpt2(folder)
    return folder / "model.safetensors"


FOLDERS = {
    "weights in two files": (gpt2(_in_parts), "GPT-2 of 2 layers"),
    "one of two files": (gpt2(partial(_in_parts, n=1)), None, "model-00002-of-00002.safetensors is not there"),
    "two files without their list": (gpt2(partial(_in_parts, is_listed=False)), None, "is one part of several"),
    "pytorch_model.bin alone": (gpt2(_instead("pytorch_model.bin")), None, "unpickling a file can run any code"),
    "GGUF": (gpt2(_instead("model.gguf")), None, "a model for llama.cpp (GGUF)"),
    "ONNX": (gpt2(_instead("model.onnx")), None, "a model in the format ONNX"),
    "Keras": (gpt2(_instead("tf_model.h5")), None, "a model of Keras (HDF5)"),
    "no weights": (gpt2(lambda f: (f / "model.safetensors").unlink()), None, "has none: download it"),
    "no tokenizer": (gpt2(lambda f: (f / "tokenizer.json").unlink()), None, "must have a tokenizer.json"),
    "the folder above": (_deeper, None, "its folder gpt2 has one, so name that folder"),
    "a file of the folder": (_a_file, None, "is a file: name"),
    "a download that was cut off": (gpt2(_cut_off), None, "perhaps because a download was cut off"),
    "a page instead of the weights": (
        gpt2(_instead("model.safetensors", b"<!DOCTYPE html>")), None, "is a web page, not the weights"),
    "an empty file": (gpt2(_instead("model.safetensors")), None, "model.safetensors is empty"),
    "16 bits": (gpt2(_of_type(torch.bfloat16)), "GPT-2 of 2 layers"),
    "8 bits": (gpt2(_of_type(torch.float8_e4m3fn)), None, "of 16 bits or more"),
    "quantised by its config": (gpt2(quantization_config={"bits": 4}), None, "a quantization_config"),
    "names of DataParallel": (gpt2(_renamed("module.")), "GPT-2 of 2 layers"),
    "two layers tied by the config alone": (gpt2(_untied), None, "set it to false in config.json"),
    "a config of nothing": (gpt2(model_type=None), None, "must say by model_type which architecture"),
}  # fmt: skip

# Lines ----------------------------------------------------------------------------------------

QUESTIONS = {
    "wide bars": ("哪个？｜RNN｜*LSTM", "answers RNN / LSTM, right is LSTM"),
    "dots that a keyboard joined": ("How many? 0…100 = 42", "a number, “How many?”, right is 42"),
    "percent signs": ("How much? 0%..100% = 42 %", "a number, “How much?”, right is 42"),
    "a star behind": ("Which? | A* | B", "answers A / B, right is A"),
    "answers in lines": ("Which?\n| A\n| *B", "answers A / B, right is B"),
    "decimal commas": ("How much? 0,5..1,5 = 0,7", "right is 0.7"),
    "two stars": ("Which? | *A | *B", "answers A / B, right is 1, 2"),
    "marks between thousands": ("How many? 0..10,000", None, "without marks between thousands"),
    "an axis turned round": ("How many? 10..0", None, "the first below the second"),
    "a paragraph": ("x" * 900, None, "1 to 300 characters, this one 900"),
}  # fmt: skip
GAPS = {
    "a mark of another model": ("She <mask> him.", None, "write a word in its place"),
    "another script": ("Она смотрела.", None, "must have English words"),
    "emoji": ("She 😀 him.", "1 character is not in the vocabulary"),
    "German": ("Sie sah die Straße.", "1 character is not in the vocabulary"),
    "two lines": ("She looked\nat him.", "Read as “She looked at him.”"),
    "a soft hyphen": ("She loo\u00adked at him.", "Read as “She looked at him.”"),
    "a page": ("She looked at him. " * 60, None, "at most 300 characters"),
}  # fmt: skip
_LINES = [f"Sentence number {i} is mine." for i in range(34)]
LABELLED = {
    "numbered": ("\n".join(f"{i}. {line}" for i, line in enumerate(_LINES, 1)), "34 lines begin with a number or a dash"),
    "a paragraph": (" ".join(_LINES), None, "Write each sentence in a line of its own"),
    "empty lines between": ("\r\n\r\n".join(_LINES), "34 different sentences"),
    "another script": ("\n".join(f"Предложение {i}." for i in range(34)), "374 characters are not in the vocabulary"),
    "too many": ("\n".join(f"Sentence {i}" for i in range(200)), None, "30 to 120 different sentences, one a line, got 200"),
    "one too long": ("\n".join([*_LINES, "word " * 100]), None, "sentence 35 may have at most 200 characters"),
}  # fmt: skip
SENTENCES = {
    "Arabic": ("الكلب ينام\nالقطة تنام", "2 sentences, one a line, 4 different words"),
    "soft hyphens": ("the d\u00adog sleeps\nthe cat sleeps", "4 different words, capitals as small letters. 1 character that"),
    "curly apostrophes": ("the dog’s bone\nthe cat’s bone", "4 different words"),
    "bullets": ("- the dog sleeps\n- the cat sleeps", "4 different words"),
    "a paragraph": ("The dog sleeps. The cat sleeps.", None, "begin a new line for each"),
    "a long one": ("the dog sleeps on the sofa in the big red house by the sea\n" * 3, None, "divide it into two lines"),
    "too many words": ("\n".join(f"{chr(97 + i)}a {chr(97 + i)}b {chr(97 + i)}c" for i in range(26)), None, "at most 60 different words"),
}  # fmt: skip
DOCUMENTS = {
    "names": ("\n".join(["Anna", "Ben", "Dörte", "Émile"] * 9), "1 document, 71 words and signs"),
    "Hindi": ("कुत्ता सोता है " * 20, "60 words and signs, 3 different ones"),
    "Korean": ("방앗간 주인은 강으로 갔다. " * 20, "100 words and signs"),
    "emoji": ("🐶 🐱 " * 20, "40 words and signs"),
    "Thai": ("เจ้าของโรงสีไปที่แม่น้ำ" * 30, None, "separated"),
    "Japanese": ("粉屋は川へ行き、いい日だと言った。\n" * 30, None, "separated"),
    "too long": ("word " * 70_000, None, "300,000 characters in all"),
}  # fmt: skip

KINDS: dict[str, dict[str, tuple[Any, ...]]] = {
    "questions": QUESTIONS,
    "gaps": GAPS,
    "labelled": LABELLED,
    "sentences": SENTENCES,
    "documents": DOCUMENTS,
    "tables": TABLES,
    "texts": TEXTS,
    "words": WORDS,
    "tokenizers": TOKENIZERS,
    "lessons": LESSONS,
    "vectors": VECTORS,
    "folders": FOLDERS,
}
