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


@pytest.mark.parametrize(
    ("text", "codec", "program", "meant"),
    [
        ("Мельник пошёл к реке.\n", "cp1251", "Windows-1251", "“М”"),
        ("Żółta łódka płynęła.\n", "cp1250", "Windows-1250", "“Ż”"),
        ("Un été à la forêt.\n", "mac-roman", "Mac OS Roman", "“é”"),
        ("Un été à la forêt.\n", "cp1252", "Windows-1252", "“é”"),
    ],
)
def test_the_encoding_that_a_program_took_it_for_is_named(text, codec, program, meant):
    wrong = (text * 20).encode().decode(codec, "replace")
    doubt = doubts_about(wrong.replace("\ufffd", ""))[0]
    assert f"some program took it for {program}" in doubt
    assert meant in doubt


@pytest.mark.parametrize(
    ("text", "codec"), [("Мельник пошёл к реке", "cp1251"), ("Τότε μυλωνάς πήγε ποτάμι", "cp1253")]
)
def test_words_of_accents_alone_may_be_in_another_script(text, codec):
    wrong = f"{text} и\n".encode(codec, "ignore").decode("cp1252") * 20
    (doubt,) = doubts_about(wrong, is_known=True)
    assert f"which may be “{text.split()[0]}”" in doubt
    assert "has read it in the wrong encoding before" in doubt


@pytest.mark.parametrize(
    ("text", "word", "n"),
    [
        ("Der M\ufffdller schl\ufffdft.\n", "M\ufffdller", 40),
        ("Die Stra?e ist sch?n.\n", "Stra?e", 40),
    ],
)
def test_letters_that_were_lost_are_named_and_counted(text, word, n):
    (doubt,) = doubts_about(text * 20)
    assert f"Line 1 holds “{word}”: {n} letters were lost" in doubt
    assert doubts_about("Really? Why?no. See https://lab.example/?a=b?c=d\n") == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Sie sagte: &quot;sch&ouml;n&quot;.\n", "60 codes, such as &quot;,"),
        ("Der M=C3=BCller kommt.\n", "20 codes, such as =C3=BC,"),
        (
            "00:00:01,000 --> 00:00:02,500\nHello.\n",
            "20 lines hold times, such as “00:00:01,000 -->",
        ),
        (
            "12/05/24, 10:01 - Anna: ok\n",
            "20 lines begin with a time and a name, such as “12/05/24, 10:01 - Anna:”",
        ),
        ("[12.05.24, 10:01:07] Anna: ok\n", "such as “[12.05.24, 10:01:07] Anna:”"),
        ("\\emph{The} miller went.\n", "20 commands of LaTeX, such as \\emph,"),
        ("The ﬁrst ﬂoor.\n", "40 letters are joined into one character, such as “ﬁ”"),
        (
            "The mil-\nler went home.\n",
            "20 words are divided at the end of a line, such as “mil- ler”",
        ),
        ("<w:t>miller</w:t>\n", "40 marks in angle brackets, such as <w:t>"),
    ],
)
def test_what_is_written_for_a_program_is_named(text, said):
    assert said in " ".join(doubts_about(text * 20))


def test_values_in_json_are_no_text():
    assert "written in JSON" in doubts_about('[\n{"text": "hello"},\n{"text": "you"}]')[0]


def test_spaces_that_only_look_plain_are_named_and_made_plain_on_request():
    own = read_own_text("Où\u202f? Là\u00a0!\n" * 20, shortest=1)
    assert own.doubts[0].startswith(
        "40 spaces are not the plain one, the first in line 1: narrow no-break"
    )
    clean = read_own_text(own.text, shortest=1, drop_invisible=True)
    assert clean.text == "Où ? Là !\n" * 20
    assert clean.doubts == ()


@pytest.mark.parametrize(
    ("good", "codec", "name"),
    [
        ("Żółta łódka płynęła cicho.\n", "cp1250", "Windows-1250"),
        ("Мельник пошёл к реке.\n", "cp1251", "Windows-1251"),
        ("Τότε μυλωνάς πήγε ποτάμι.\n", "cp1253", "Windows-1253"),
    ],
)
def test_the_other_encoding_of_a_mixed_file_is_found(good, codec, name):
    own = read_own_text((good * 90).encode() + (good * 30).encode(codec))
    assert own.text == good * 120
    assert own.encoding == f"UTF-8 with parts in {name}"
    assert "line 91 has the first of" in own.doubts[0]


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
