"""The cases: our own small files, each of a kind that users of other tools have filed reports about."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import openpyxl
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.tokenizer_json import to_tokenizer_json
from tests.core.tiny_tokenizers import PROSE, bert, file_of, llama
from tests.gpt2_folder import CONTEXT, put_a_space_first, tokenizer, weights, write_gpt2

# Tables ---------------------------------------------------------------------------------------


def rows(template: str, *, n: int = 12) -> str:
    """Return lines in which a and b are whole numbers that go up and down, and i counts."""
    return "".join(
        template.format(i=i, a=1 + (7 * i) % 11, b=2 + (5 * i) % 13, c=i % 2) + "\n"
        for i in range(n)
    )


def _workbook() -> bytes:
    book = openpyxl.Workbook()
    book.active.title = "Grades"
    for row in [("length", "width"), *((i + 0.5, 2 * i) for i in range(8))]:
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


_UNITS = "".join(f"{1 + i % 7},{(50 + 13 * i % 40) * 1_000_000},{i % 5 / 10}\n" for i in range(20))
_CIGARS = "".join(f"{(-1) ** i * i / 2},{i % 5 / 10}\n" for i in range(30))
_WIDE = "height,width\n" + rows("{a}.5,{b}.25")
TABLES = {
    "Excel's sep=, 2 columns": ("sep=;\nlength;width\n" + rows("{a},90;{b},20"), "semicolons, decimal comma"),
    "Excel's sep=, words beside": ("sep=;\na;b;kind\n" + rows("{a},5;{b},5;w{c}"), "“kind” is no coordinate"),
    "decimal commas in quotes": ('length,width\n' + rows('"{a},90","{b},20"'), "commas, decimal comma"),
    "German thousands": ("price;area\n" + rows("{a}.897,50;{b},05"), "points between thousands"),
    "American thousands": ("income\tage\n" + rows("{a},976\t{b}"), "parts thousands"),
    "pandas' index": (",length,width\n" + rows("{i},{a}.9,{b}.2"), "“column 1” is left out at first"),
    "R's write.table": ('"length"\t"width"\n' + rows('"{i}"\t{a}.9\t{b}.2'), "2 columns of 3 used"),
    "spaces": (rows("   {a}.898    {b}.205"), "cells separated by spaces"),
    "comments": ("# measured in May\n# unit: cm\na,b\n" + rows("{a}.9,{b}.2"), "2 lines are comments"),
    "dates": ("Datum;T;F\n" + rows("2024-06-{i:02}x;{a},9;{b},2").replace("x", " 09:54"), "dates or times"),
    "rows that are repeated": ("x,y\n" + 40 * "1,1\n" + "5,6\n", "rows are the same as one before"),
    "one column": ("x\n" + rows("-0.{b}{a}"), "one column"),
    "milliseconds": ("time,value\n" + rows("17000000{a:02}{b:02}037,{b}.2"), "2 columns of 2 used"),
    "a constant column": ("x,y,year\n" + rows("{a}.9,{b}.2,2024"), "“year” is left out at first: it is 2024 in every row"),
    "spreads that differ": ("age,income\n" + rows("{a},{b}4197"), "2 columns of 2 used"),
    "zeros and ones": ("smokes,sports,rich\n" + rows("{c},0,1") + rows("0,{c},0"), "each counts as a point"),
    "Excel's Unicode text": (("Länge\tBreite\r\n" + rows("{a},9\t{b},2")).encode("utf-16"), "UTF-16"),
    "gaps in every row": ("a,b,c\n1,,2\n3,,4\n,4,5\n6,7,\n", None, "fill the gaps in"),
    "categories": ("age,smoker,charges\n" + rows("{a},yes,{b}7.6"), "holds words or codes, such as “yes”"),
    "a slip of the point": ("x,y\n1897.65,3.2\n" + rows("{a}.9,{b}.2"), "2 columns of 2 used"),
    "a class of numbers": ("f1,f2,y\n" + rows("{a}.9,{b}.2,{c}"), "“y” is taken for the true groups"),
    "three lengths": ("length,width,height\n" + rows("{a}.9,{b}.2,{a}{b}"), "3 columns of 3 used"),
    "countries": ("children,population,share\n" + _UNITS, "3 columns of 3 used"),
    "countries in millions": ("children,population,share\n" + _UNITS.replace("000000,", ","), "20 of 20 rows"),
    "cigars": ("along,across\n" + _CIGARS, "30 of 30 rows"),
    "an Excel workbook": (_workbook(), "an Excel workbook, sheet “Grades”"),
    "Swiss apostrophes": ("a;b\n" + rows("1'20{c}.50;{b}"), "apostrophes between"),
    "a mark and a Greek head": (b"\xef\xbb\xbf" + _WIDE.replace("height", "ύψος").encode(), "UTF-8"),
    "-999 for missing": ("a,b\n-999,4\n" + rows("{a}.5,{b}"), "counted as missing: -999 in “a”"),
    "a sum at the foot": ("who,a,b\n" + rows("p{i},{a},{b}") + "Total,66,99\n", "it sums up the others"),
    "words alone": ("name,town\nAda,Bonn\nBen,Cork\n", None, "no column of this table holds numbers"),
    "names without rows": ("a,b\n", None, "no line of numbers under it"),
    "a PDF": (b"%PDF-1.7\n1 0 obj\n", None, "this is a PDF document"),
}  # fmt: skip

# Texts ----------------------------------------------------------------------------------------

_MILLER = "The miller went to the river and said: it is a fine day.\n" * 50
_POLISH = "Żółta łódka płynęła cicho, a gęś patrzyła na nią.\n" * 50
_CZECH = "Mlynář šel k řece a řekl, že je krásný den.\n" * 50
_FRENCH = "Un été près de la forêt, où le garçon rêvait déjà.\n" * 50
RUSSIAN = "Мельник пошёл к реке и сказал: хороший день.\n" * 50
_JAPANESE = "粉屋は川へ行き、いい日だと言った。\n" * 50
_TURKISH = "Değirmenci nehre gitti, şöyle dedi: hava güzel.\n" * 50
_HUNGARIAN = "A molnár azt mondta, hogy szép idő van, és jönnek ők is örülni.\n" * 50
TEXTS = {
    "Polish, Windows-1250": (_POLISH.encode("cp1250"), "Windows-1250, it begins “Żółta łódka"),
    "Czech, Windows-1250": (_CZECH.encode("cp1250"), "Windows-1250, it begins “Mlynář šel k řece"),
    "Hungarian, Windows-1250": (_HUNGARIAN.encode("cp1250"), "Windows-1250"),
    "Turkish, Windows-1254": (_TURKISH.encode("cp1254"), "Windows-1254, it begins “Değirmenci"),
    "French, Windows-1252": (_FRENCH.encode("cp1252"), "Windows-1252, it begins “Un été près"),
    "Polish, ISO 8859-2": (_POLISH.encode("iso8859-2"), "ISO 8859-2, it begins “Żółta łódka"),
    "a web page": (("<p>The miller <b>went</b> home.</p>\n" * 50).encode(), "200 marks in angle brackets, such as <p>"),
    "UTF-16 with its mark": (_MILLER.encode("utf-16"), "UTF-16"),
    "UTF-16 without its mark": (_MILLER.encode("utf-16-le"), "UTF-16 without a mark, little-endian"),
    "Windows' line breaks": (_MILLER.replace("\n", "\r\n").encode(), "Line breaks were made alike"),
    "French, Mac OS Roman": (_FRENCH.encode("mac-roman"), None, "Choose its encoding"),
    "Swedish, Mac OS Roman": ("Mjölnaren gick på kvällen.\n".encode("mac-roman") * 50, "choose another encoding"),
    "Russian, Windows-1251": (RUSSIAN.encode("cp1251"), None, "Choose its encoding"),
    "Japanese, Shift JIS": (_JAPANESE.encode("shift_jis"), None, "Choose its encoding"),
    "two encodings in a file": (_FRENCH.encode() + _FRENCH.encode("cp1252"), "The file mixes two encodings: line 51"),
    "encoded twice": (_FRENCH.encode().decode("cp1252").encode(), "“Ã©”, which is “é” read in the wrong"),
    "Hebrew and Arabic": ("הטוחן הלך אל הנהר. ذهب الطحان إلى النهر\n".encode() * 50, "UTF-8"),
    "families of emoji": ("👩\u200d👩\u200d👧 went to 🏫.\n".encode() * 50, "it begins “👩"),
    "characters of no width": ("The\u200b mil\xadler\u2060.\n".encode() * 50, "150 characters cannot be seen"),
    "one long line": (("a miller went to the river " * 4_000).encode(), "UTF-8"),
    "a chat": ("[01.03.24, 10:01] \u200eAnna: ok 👍\n".encode() * 50, "left-to-right mark (50)"),
    "one letter": (b"a" * 5_000, "“aaaa"),
    "Chinese without spaces": (("磨坊主去了河边。" * 400).encode(), "it begins “磨坊主"),
    "UTF-8 with its mark": (b"\xef\xbb\xbf" + _MILLER.encode(), "UTF-8, it begins “The miller"),
    "a Word document": (b"PK\x03\x04 word/document.xml", None, "this is a Word (DOCX) document"),
    "a program": (b"\x7fELF" + bytes(99), None, "this is a program"),
    "nothing": (b" \n \n", None, "the text is empty"),
}  # fmt: skip
_MANY = " Eins zwei drei vier fünf sechs sieben acht neun zehn."
WORDS = {
    "German": (20 * ("Die Straße ist schön, sagt der Müller der Straße." + _MANY), "strasse"),
    "Polish": (20 * (_POLISH[:50] + _MANY), "żółta"),
    "Russian": (20 * (RUSSIAN[:46] + _MANY), "мельник"),
    "Greek": (20 * ("Τότε μυλωνάς πήγε στο ποτάμι." + _MANY), "μυλωνάς"),
    "Chinese, separated": (20 * ("磨坊主 去 了 河边 今天 天气 很 好 。 女儿 笑 狗 "), "磨坊主"),
    "Chinese without spaces": ("磨坊主去了河边今天天气很好" * 100, None, "words must be separated by spaces"),
    "a line": ("Only a few words.", None, "at least 100 words"),
    "the same few": ("one two three " * 50, None, "at least 10 words must occur in the text once or more"),
}  # fmt: skip

# Tokenizers -----------------------------------------------------------------------------------


def _dropping() -> Tokenizer:
    found = Tokenizer(
        models.BPE({**{c: i for i, c in enumerate("richwand ")}, "ri": 9}, [("r", "i")])
    )
    found.pre_tokenizer = pre_tokenizers.Whitespace()
    return found


def _byte_level(**changes: object) -> bytes:
    made = json.loads(to_tokenizer_json(BytePairTokenizer.fit(PROSE, 300)))
    return json.dumps(made | changes).encode()


def _split(expression: str) -> bytes:
    step = {
        "type": "Split",
        "pattern": {"Regex": expression},
        "behavior": "Isolated",
        "invert": False,
    }
    end = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    return _byte_level(pre_tokenizer={"type": "Sequence", "pretokenizers": [step, end]})


def _characters(pattern: dict[str, str]) -> bytes:
    found = Tokenizer(models.WordLevel({"[UNK]": 0, "a": 1, "b": 2}, unk_token="[UNK]"))
    step = {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}
    return file_of(found, pre_tokenizer=step)


def _model(**changes: object) -> bytes:
    document = json.loads(_byte_level())
    return json.dumps(document | {"model": document["model"] | changes}).encode()


def _merges(*, as_lists: bool) -> bytes:
    merges = json.loads(_byte_level())["model"]["merges"]
    pairs = [m.split(" ") if isinstance(m, str) else m for m in merges]
    return _model(merges=pairs if as_lists else [" ".join(pair) for pair in pairs])


def _unigram() -> bytes:
    found = Tokenizer(models.Unigram([("<unk>", 0.0), ("▁", -1.0), ("a", -2.0), ("▁a", -1.5)], 0))
    found.normalizer = normalizers.NFKC()
    found.pre_tokenizer = pre_tokenizers.Metaspace()
    return file_of(found)


def _json(document: object) -> bytes:
    return json.dumps(document).encode()


_MINBPE = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,%d}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]"
    r"|\s+(?!\S)|\s+"
)
_PAD = {"id": 390, "content": "[PAD]", "single_word": False, "lstrip": False, "rstrip": False,
        "normalized": False, "special": True}  # fmt: skip
_KERAS = {"class_name": "Tokenizer", "config": {"word_index": '{"the": 1}'}}
_HOLE = {s: i + (i > 40) for s, i in json.loads(_byte_level())["model"]["vocab"].items()}
_TEKKEN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TOKENIZERS = {
    "BPE without a mark for the unknown": (file_of(_dropping()), "which it leaves out"),
    "minbpe's expression": (_split(_MINBPE % 3), "symbols of bytes"),
    "nanochat's expression": (_split(_MINBPE % 2), "symbols of bytes"),
    "Keras, an object": (_json(_KERAS), None, "a Tokenizer of Keras"),
    "Keras, a string": (_json(json.dumps(_KERAS)), None, "a Tokenizer of Keras"),
    "char2idx": (_json({"char2idx": {"a": 0, "b": 1}}), None, "symbols and their numbers (“char2idx”)"),
    "tokenizer_config.json": (_json({"tokenizer_class": "GPT2Tokenizer"}), None, "choose the file tokenizer.json"),
    "vocab.json": (_json({"!": 0, "a": 1, "the": 2}), None, "this is a vocab.json"),
    "merges as lists": (_merges(as_lists=True), "symbols of bytes"),
    "merges as strings": (_merges(as_lists=False), "symbols of bytes"),
    "an added token after a gap": (_byte_level(added_tokens=[_PAD]), "1 of them is a mark, [PAD]"),
    "a hole in the numbers": (_model(vocab=_HOLE), "symbols of bytes"),
    "WordPiece": (file_of(bert()), "WordPiece, 104 symbols, [UNK] for what it does not hold"),
    "Unigram": (_unigram(), "Unigram, 4 symbols"),
    "characters, split by a dot": (_characters({"Regex": "."}), "WordLevel, 3 symbols"),
    "characters, split by an empty expression": (_characters({"Regex": ""}), "WordLevel, 3 symbols"),
    "characters, split by nothing": (_characters({"String": ""}), "WordLevel, 3 symbols"),
    "Tekken's expression": (_split(_TEKKEN), "symbols of bytes"),
    "digits one by one, as StarCoder": (
        _byte_level(pre_tokenizer={"type": "Sequence", "pretokenizers": [
            {"type": "Digits", "individual_digits": True},
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}]}),
        "symbols of bytes"),
    "punctuation first, as Falcon": (
        _byte_level(pre_tokenizer={"type": "Sequence", "pretokenizers": [
            {"type": "Punctuation", "behavior": "Contiguous"},
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}]}),
        "symbols of bytes"),
    "a byte order mark": (b"\xef\xbb\xbf" + _byte_level(), "symbols of bytes"),
    "bytes to fall back on, as Gemma": (file_of(llama()), "symbols of bytes"),
    "an expression of its own": (_split("(a+)+$"), None, "splits texts by an expression of its own"),
    "tiktoken's ranks": (b"IQ== 0\nIg== 1\nIw== 2\n", None, "a table of tiktoken's"),
    "SentencePiece": (b"\n\x0e\n\x05<unk>\x15\0\0\0\0\x18\x02", None, "a model of SentencePiece"),
    "merges.txt": (b"#version: 0.2\nt h\nth e\n", None, "merges without a vocabulary"),
    "generation_config.json": (_json({"eos_token_id": 2}), None, "how texts are generated"),
    "cut off": (_byte_level()[:900], None, "it ends too early"),
    "no JSON": (b"tokens: 3\n", None, "it is no JSON"),
    "10 MB": (_byte_level() + b" " * 10_000_000, "symbols of bytes"),
}  # fmt: skip

# Lessons --------------------------------------------------------------------------------------

LESSON = """---
title: Where are the groups?
chapter: Statistics
aim: Say what k-means assumes – about groups.
---

## Two groups
link: clustering?clusters=2&seed=8
do: Guess first. Then press Back.
see: At the end 32 points are wrong.
minutes: 8
"""


def _lesson(old: str = "", new: str = "") -> bytes:
    return LESSON.replace(old, new).encode() if old else LESSON.encode()


LESSONS = {
    "in good order": (_lesson(), "a lesson, “Where are the groups?”, 1 step"),
    "Windows-1252": (LESSON.encode("cp1252"), "Windows-1252"),
    "a mark, Windows' line breaks": (b"\xef\xbb\xbf" + _lesson("\n", "\r\n"), "1 step"),
    "UTF-16": (LESSON.encode("utf-16"), "UTF-16"),
    "a whole link": (_lesson("clustering?", "https://lab.example/clustering?"), None, "without a host"),
    "a link with a slash": (_lesson("link: ", "link: /"), "1 step"),
    "keys in capitals": (_lesson("link:", "Link:"), None, "a line begins with one of link, do, see"),
    "typographic dashes": (_lesson("---", "—"), None, "a lesson begins with a line ---"),
    "a blank line in a value": (_lesson("Then", "\n\n  Then"), "1 step"),
    "spaces before keys": (_lesson("\nlink", "\n link"), None, "a line begins with one of link"),
    "minutes in words": (_lesson("minutes: 8", "minutes: eight"), None, "a whole number from 1 to 240"),
    "two links in a step": (_lesson("minutes", "link: tokenization\nminutes"), None, "says link twice"),
    "a colon in the title": (_lesson("Where", "Lesson 3: Where"), "“Lesson 3: Where are the groups?”"),
}  # fmt: skip

# Word vectors ---------------------------------------------------------------------------------

_VECTORS = "".join(
    f"{word} {i}.5 -{i} 0.25\n" for i, word in enumerate(("the", "king", "queen", "rain"))
)
VECTORS = {
    "word2vec's text": (f"4 3\n{_VECTORS}".encode(), "word2vec's text format"),
    "GloVe": (_VECTORS.encode(), "GloVe's format"),
    "tabs": (_VECTORS.replace(" ", "\t").encode(), "separated by tabs"),
    "a promise that is not kept": (f"9 3\n{_VECTORS}".encode(), "promises 9 words, and the file holds 4"),
    "a short line": (f"{_VECTORS}snow 1 2\n".encode(), "“snow 1 2” in line 5"),
    "not a number": (f"{_VECTORS}snow 1 2 nan\n".encode(), "not a number (NaN)"),
    "decimal commas": (_VECTORS.replace(".", ",").replace(" ", ";").encode(), "semicolons, decimal comma, 4 words of 3"),
    "numbers in quotes": (
        "".join(f'"w{i}","{i}.5","1","2"\n' for i in range(4)).encode(), "by commas, 4 words of 3 numbers"),
    "one number too many": (f"{_VECTORS}snow 1 2 3 4\n".encode(), "“snow 1 2 3 4” in line 5"),
    "another encoding": (_VECTORS.encode() + "łódź 1 2 3\n".encode("cp1250"), "not in UTF-8"),
    "a pickle": (b"\x80\x04\x95 gensim", None, "which can run any code when it is opened"),
    "fastText's whole model": (b"\xba\x16\x4f\x2f" + bytes(40), None, "choose the .vec file beside it"),
    "packed": (b"\x1f\x8b\x08" + bytes(40), None, "unpack it first"),
    "prose": (b"Call me Ishmael.\nSome years ago\n", None, "the first line here is"),
}  # fmt: skip

# Folders of models ----------------------------------------------------------------------------


def gpt2(
    change: Callable[[Path], object] = lambda _: None, **config: object
) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        write_gpt2(folder, **config)
        change(folder)
        return folder

    return write


def _stored(**changed: torch.Tensor) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        now = weights() | {name.replace("__", "."): tensor for name, tensor in changed.items()}
        save_file(now, folder / "model.safetensors", {"format": "pt"})

    return change


def _compiled(folder: Path) -> None:
    now = {f"_orig_mod.{name}": tensor for name, tensor in weights().items()}
    save_file(now, folder / "model.safetensors", {"format": "pt"})


def _adapter(folder: Path) -> None:
    (folder / "config.json").unlink()
    (folder / "adapter_config.json").write_text("{}")


def _shorter(folder: Path) -> None:
    now = weights()
    now["transformer.wte.weight"] = now["transformer.wte.weight"][:-1].contiguous()
    save_file(now, folder / "model.safetensors", {"format": "pt"})


def _cache(folder: Path) -> Path:
    write_gpt2(folder / "snapshots" / "abc")
    return folder


_NAN = torch.full((CONTEXT, 16), float("nan"))
_SIZE = len(tokenizer())
_LFS = b"version https://git-lfs.github.com/spec/v1\noid 1\n"
FOLDERS = {
    "GPT-2": (gpt2(), "a model's folder in Hugging Face's format, GPT-2 of 2 layers"),
    "NaN among the weights": (gpt2(_stored(transformer__wpe__weight=_NAN)), None, "holds infinity or NaN"),
    "weights in int8": (
        gpt2(_stored(transformer__wpe__weight=torch.ones(CONTEXT, 16, dtype=torch.int8))), None, "is torch.int8"),
    "a classifier": (
        gpt2(architectures=["GPT2ForSequenceClassification"]), None, "does not predict the next token"),
    "a note of Git LFS": (gpt2(lambda f: (f / "model.safetensors").write_bytes(_LFS)), None, "git lfs pull"),
    "an adapter (LoRA)": (gpt2(_adapter), None, "merge_and_unload"),
    "the library's cache": (_cache, "GPT-2 of 2 layers"),
    "weights of another vocabulary": (gpt2(vocab_size=100), None, "describes 100 x 16 numbers"),
    "a token added, not resized": (gpt2(_shorter, vocab_size=_SIZE - 1), None, "resize_token_embed"),
    "add_prefix_space": (gpt2(put_a_space_first), None, "add_prefix_space to false"),
    "names of torch.compile": (gpt2(_compiled), "GPT-2 of 2 layers"),
    "another architecture": (gpt2(model_type="llama"), None, "'llama'; only 'gpt2'"),
}  # fmt: skip

# Lines ----------------------------------------------------------------------------------------

QUESTIONS = {
    "bars of probabilities": ("True or false: P(a|b) = P(b|a)?", "a word, “True or false: P(a|b) = P(b|a)?”"),
    "a sum": ("Is 2 + 2 = 4?", "a word, “Is 2 + 2 = 4?”"),
    "a choice": ("Which learns faster? | RNN | *LSTM", "answers RNN / LSTM, right is LSTM"),
    "a number": ("How many letters? 0..100 = 42", "a number, “How many letters?”, right is 42"),
    "a gap": ("The next letter of langua_ = g", "a token"),
    "one answer": ("Yes? | yes", None, "2 to 12 different answers"),
}  # fmt: skip
GAPS = {
    "BERT's mark": ("She [MASK] him.", None, "write a word in its place"),
    "an underscore": ("She ___ him.", None, "write a word in its place"),
    "curly quotes and a dash": ("“She” said – no more.", "were left out or written plainly"),
    "a plain sentence": ("She looked at him.", "Read as “She looked at him.”"),
}
LABELLED = {
    "twenty that differ in emoji": (
        "\n".join(f"I like it {chr(0x1F600 + i)}" for i in range(20)), None, "20 characters are not in the vocabulary"),
    "thirty sentences": ("\n".join(f"Sentence number {i} is mine." for i in range(30)), "30 different sentences"),
    "some twice": (
        "\n".join(f"Sentence number {i % 31} is mine." for i in range(33)), "2 lines say the same as one before, and count once"),
}  # fmt: skip
SENTENCES = {
    "German": ("Die Katze geht.\nDer Hund geht.\nDie Katze ruht.", "3 sentences, one a line"),
    "numbers and signs": (
        "the cat has 4 paws\nthe dog has 4 paws\nthe cat naps",
        "signs and numbers",
    ),
    "one": ("the cat", None, "there must be 2 to 50 sentences"),
}
DOCUMENTS = {
    "Russian": (RUSSIAN, "1 document, 550 words and signs"),
    "Chinese without spaces": ("磨坊主去了河边今天天气很好" * 60, None, "separated"),
    "a few words": ("in the end", None, "at least 20"),
}
KINDS = {
    "tables": TABLES,
    "texts": TEXTS,
    "words": WORDS,
    "tokenizers": TOKENIZERS,
    "lessons": LESSONS,
    "vectors": VECTORS,
    "folders": FOLDERS,
    "questions": QUESTIONS,
    "gaps": GAPS,
    "labelled": LABELLED,
    "sentences": SENTENCES,
    "documents": DOCUMENTS,
}
