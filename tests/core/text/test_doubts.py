"""What looks wrong in a text is named with its place, and encodings are shown to choose from."""
# ruff: noqa: RUF001 (letters of other scripts are what is tested)

from pathlib import Path

import pytest

from lm_core.errors import TextError
from lm_core.experiments.word2vec.short_text import short_text
from lm_core.text.doubts import doubts_about, without_invisible
from lm_core.text.own_text import encodings_of, read_own_text
from lm_core.text.word_vocabulary import find_words_of_any_script, words_of_any_script

CASES = Path(__file__).resolve().parents[4] / "shared" / "cases" / "texts"
POLISH = "Żółta łódka płynęła cicho, a gęś patrzyła na nią.\n" * 60
FRENCH = "Un été près de la forêt, où le garçon rêvait déjà.\n" * 60
GERMAN = "Die Straße ist schön, aber der Müller schläft – „übel“.\n" * 60


def test_polish_in_its_own_encoding_is_read_as_such():
    own = read_own_text(POLISH.encode("cp1250"))
    assert own.text == POLISH
    assert own.encoding == "Windows-1250"
    assert read_own_text(GERMAN.encode("cp1252")).encoding == "Windows-1252"
    assert read_own_text(FRENCH.encode("cp1252")).text == FRENCH


@pytest.mark.parametrize(
    "text", [POLISH, FRENCH, GERMAN, "می\u200cخواهم 👩\u200d👩\u200d👧 25 m² x¹\n", "Â là"]
)
def test_texts_in_good_order_leave_no_doubt(text):
    assert doubts_about(text) == ()


def test_letters_that_were_encoded_twice_are_named_with_their_place():
    (doubt,) = doubts_about("Good.\nStill good.\n" + "Café".encode().decode("cp1252"))
    assert "Line 3 holds “Ã©”, which is “é”" in doubt
    (doubt,) = doubts_about("“Yes”".encode().decode("cp1252", "replace").replace("\ufffd", "\x9d"))
    assert "“â€œ”, which is ““”" in doubt


def test_a_file_in_two_encodings_names_the_first_bad_place():
    own = read_own_text(f"{FRENCH}\n".encode() + FRENCH.encode("cp1252"))
    assert own.text == f"{FRENCH}\n{FRENCH}"
    assert own.encoding == "UTF-8 with parts in Windows-1252"
    assert "line 62 has the first of 540 letters" in own.doubts[0]


def test_a_symbol_inside_a_word_is_doubted():
    own = read_own_text(POLISH.encode("cp1250"), encoding="cp1252")
    assert "Line 1 holds “¯ó³ta”" in own.doubts[0] or "Line 1 holds “ó³ta”" in own.doubts[0]


def test_what_cannot_be_seen_is_named_and_left_out_on_request():
    text = "The\u200b mil\u00adler went\ufeff home.\n" * 200
    own = read_own_text(text)
    assert "600 characters cannot be seen, the first in line 1" in own.doubts[0]
    assert "soft hyphen (200)" in own.doubts[0]
    clean = read_own_text(text, drop_invisible=True)
    assert clean.text == "The miller went home.\n" * 200
    assert clean.doubts == ()
    assert without_invisible("👩\u200d👧 می\u200cخواهم") == "👩\u200d👧 می\u200cخواهم"


def test_encodings_are_offered_with_what_they_make_of_the_first_special_letters():
    russian = "Plain first.\nМельник пошёл к реке.\n".encode("cp1251")
    offered = encodings_of(russian)
    assert offered["cp1251"] == "Мельник пошёл к реке."
    assert offered["koi8-r"].startswith("лЕКЭМХЙ")
    assert list(encodings_of("The miller went.\n".encode("utf-16-le"))) == ["utf-16-le"]
    assert encodings_of(POLISH.encode()) == {}
    assert encodings_of(POLISH.encode("utf-16")) == {}


@pytest.mark.parametrize(
    ("name", "encoding", "doubt"),
    [
        ("x01-polish-cp1250.txt", "Windows-1250", ""),
        ("x05-utf16-with-mark.txt", "UTF-16", ""),
        ("x11-mixed-encodings.txt", "UTF-8 with parts in Windows-1252", "mixes two encodings"),
        ("x13-hebrew-arabic.txt", "UTF-8", ""),
        ("x14-emoji-zwj.txt", "UTF-8", ""),
        ("x15-zero-width.txt", "UTF-8", "500 characters cannot be seen"),
        ("x19-chinese-no-spaces.txt", "UTF-8", ""),
    ],
)
def test_a_text_that_people_brought_is_read(name, encoding, doubt):
    if not (CASES / name).exists():
        pytest.skip("the cases are not beside this checkout")
    own = read_own_text((CASES / name).read_bytes())
    assert own.encoding == encoding
    assert bool(own.doubts) == bool(doubt)
    assert doubt in " ".join(own.doubts)


# Words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Die Straße, MÜLLERS Café!", ["die", "strasse", "müllers", "café"]),
        ("Zażółć gęślą jaźń", ["zażółć", "gęślą", "jaźń"]),
        ("Война и мир, 1869.", ["война", "и", "мир"]),
        ("Ο ΜΥΛΩΝΑΣ, σοφός", ["ο", "μυλωνας", "σοφός"]),
        ("磨坊主 去 了 河边。", ["磨坊主", "去", "了", "河边"]),
        ("l’été d'hiver 'quoted'", ["l'été", "d'hiver", "quoted"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
    ],
)
def test_letters_of_every_script_make_words(text, words):
    assert words_of_any_script(text) == words
    found = find_words_of_any_script(text)
    assert [words_of_any_script(text[f.begin : f.end]) for f in found] == [[w] for w in words]


def test_a_text_in_any_language_can_be_learned_from_if_its_words_are_separated():
    sentence = "磨坊主 去 了 河边 今天 天气 很 好 女儿 笑 狗 睡觉 。 "
    assert "磨坊主" in short_text(sentence * 20, 1).vocabulary
    with pytest.raises(
        TextError, match="words must be separated by spaces, and this text has “磨坊主去了"
    ):
        short_text(sentence.replace(" ", "") * 200, 1)
    russian = "мельник пошёл к реке и сказал что день хороший а дочь его смеялась "
    assert "мельник" in short_text(russian * 20, 1).vocabulary
