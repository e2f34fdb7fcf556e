"""A visitor's text: what is read, what is refused, and the vocabulary that it gets."""

import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest

from lm_core.errors import CheckpointError, SettingError, TextError
from lm_core.generation.prompts import default_prompt
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.models.registry import build
from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.own_text import read_own_text
from lm_core.text.training_text import own_training_text
from lm_core.text.vocabularies import own_vocabulary, unknown_share, vocabulary_of_characters
from lm_core.training.checkpoints import load_checkpoint, read_meta, save_checkpoint
from lm_core.training.model_vocabulary import vocabulary_fields, vocabulary_of
from tests.small_checkpoints import meta_of

GERMAN = "Über allen Gipfeln ist Ruh, in allen Wipfeln spürest du kaum einen Hauch.\n" * 50
RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастлива по-своему.\n" * 50  # noqa: RUF001
GREEK = "Ἄνδρα μοι ἔννεπε, Μοῦσα, πολύτροπον, ὃς μάλα πολλὰ πλάγχθη.\n" * 50


def chinese(n_different=3_000, length=6_000):
    """A text in which every character is as frequent as any other."""
    return "".join(chr(0x4E00 + i % n_different) for i in range(length))


# Reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [GERMAN, RUSSIAN, GREEK], ids=["german", "russian", "greek"])
@pytest.mark.parametrize(
    ("codec", "name"),
    [("utf-8", "UTF-8"), ("utf-8-sig", "UTF-8"), ("utf-16", "UTF-16"), ("utf-32", "UTF-32")],
)
def test_every_unicode_encoding_is_recognised(text, codec, name):
    own = read_own_text(text.encode(codec))
    assert own.text == read_own_text(text).text
    assert own.encoding == name
    assert own.sha256 == hashlib.sha256(own.text.encode()).hexdigest()


def test_big_endian_marks_are_recognised():
    assert read_own_text(b"\xfe\xff" + RUSSIAN.encode("utf-16-be")).text == RUSSIAN
    assert read_own_text(b"\x00\x00\xfe\xff" + RUSSIAN.encode("utf-32-be")).text == RUSSIAN


@pytest.mark.parametrize("text", [GERMAN, RUSSIAN], ids=["german", "russian"])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_recognised_without_its_mark(text, codec):
    own = read_own_text(text.encode(codec))
    assert own.text == text
    assert own.encoding.startswith("UTF-16 without a mark")


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        ("Mlynář řekl, že dnes je krásný den a že půjde k řece.\n", "cp1250", "Windows-1250"),
        (
            "A molnár azt mondta, hogy szép idő van, és elment a hídon túlra, ők is, fűzfák közt örült.\n",
            "cp1250",
            "Windows-1250",
        ),
        (
            "Mølleren gik over åen på en dag i maj og sagde goddag til pigen, æblet og øen.\n",
            "cp1252",
            "Windows-1252",
        ),
        ("O moleiro disse que não há razões nem opções, só canções.\n", "cp1252", "Windows-1252"),
        (
            "Mölder läks üle jõe ja ütles, et täna on ilus päev õues, öö tuleb.\n",
            "cp1252",
            "Windows-1252",
        ),
        (
            "Il mugnaio andò giù lunedì e così più in là, perché è già lì.\n",
            "cp1252",
            "Windows-1252",
        ),
        ("Değirmenci nehre gitti, şöyle dedi: bugün hava güzel.\n", "cp1254", "Windows-1254"),
        ("Það er góður dagur í dag, sagði malarinn og fór að ánni.\n", "cp1252", "Windows-1252"),
        ("Morarul a spus că este o zi frumoasă şi că vine.\n", "cp1250", "Windows-1250"),
        ("Mlinar je rekao da je lijep dan, čovječe, žena i šuma.\n", "cp1250", "Windows-1250"),
        (
            "Malūnininkas nuėjo prie upės, šiandien graži diena, jų ąžuolas.\n",
            "cp1257",
            "Windows-1257",
        ),
        (
            "Dzirnavnieks gāja pie upes, šodien ir skaista diena, jūs zināt, ķēve.\n",
            "cp1257",
            "Windows-1257",
        ),
        ("Das kostet den Müller 5 € und die Straße.\n", "iso8859-15", "ISO 8859-15"),
        (
            "Le meunier coûte là-bas 5 € à l'été, ça va, maître, dès Noël.\n",
            "cp1252",
            "Windows-1252",
        ),
        ("A moleira disse à mãe que não há pão no 1º dia.\n", "cp1252", "Windows-1252"),
    ],
)
def test_languages_are_recognised_by_letters_that_no_other_has_together(text, codec, name):
    own = read_own_text((text * 60).encode(codec))
    assert own.text == text * 60
    assert own.encoding == name
    assert own.doubts == ()


def test_an_e_mail_in_japanese_is_known_by_its_shifts():
    own = read_own_text(("粉屋は川へ行った。\n" * 60).encode("iso2022_jp"), shortest=1)
    assert own.text == "粉屋は川へ行った。\n" * 60
    assert own.encoding == "ISO 2022-JP (Japanese)"


def test_the_end_of_file_of_dos_is_no_character():
    assert read_own_text(b"a,b\r\n1,2\r\n\x1a", shortest=1).text == "a,b\n1,2\n"


def test_a_file_that_was_cut_names_its_last_line():
    with pytest.raises(TextError, match="in UTF-16: it ends within a character, in line 50"):
        read_own_text(GERMAN.encode("utf-16")[:-1])


@pytest.mark.parametrize("codec", ["mac-roman", "cp850"])
@pytest.mark.parametrize(
    "text",
    [
        "Mjölnaren gick till ån på kvällen och sade god dag till sin dotter.\n",
        "El niño comió pan; ¿qué más quería de la tía aquella tarde en casa?\n",
    ],
)
def test_what_may_be_misread_as_windows_1252_is_doubted(text, codec):
    own = read_own_text((text * 60).encode(codec))
    assert own.encoding == "Windows-1252"
    assert "choose another encoding" in own.doubts[0]


def test_an_older_western_text_is_read_as_windows_1252_and_said_to_be():
    own = read_own_text(GERMAN.replace("Ruh", "„Ruh“").encode("cp1252"))
    assert own.encoding == "Windows-1252"
    assert "Über allen Gipfeln ist „Ruh“" in own.text


@pytest.mark.parametrize(
    "content",
    [RUSSIAN.encode("cp1251"), RUSSIAN.encode("koi8-r"), b"H\x81llo and good evening " * 200],
    ids=["cp1251", "koi8-r", "undefined byte"],
)
def test_what_makes_no_sense_in_windows_1252_is_not_guessed(content):
    with pytest.raises(TextError, match=r"could not be recognised.*save it as UTF-8"):
        read_own_text(content)


def test_an_encoding_may_be_named():
    own = read_own_text(RUSSIAN.encode("cp1251"), encoding="cp1251")
    assert own.text == RUSSIAN
    assert own.encoding == "cp1251"
    with pytest.raises(TextError, match="'klingon' is not the name of an encoding"):
        read_own_text(RUSSIAN.encode(), encoding="klingon")


def test_a_mark_that_lies_is_found_out():
    with pytest.raises(TextError, match="no valid text in UTF-8: byte 1 of"):
        read_own_text(b"\xef\xbb\xbf" + GERMAN.encode("cp1252"))


def test_line_breaks_accents_and_controls_are_tidied_and_reported():
    own = read_own_text("\ufeffa\r\nb\rc\u2028d\x85e\u0301\x07 \t" + "x" * 3_000)
    assert own.text == "a\nb\nc\nd\né \t" + "x" * 3_000
    assert own.encoding == "none"
    assert own.changes == (
        "the byte order mark was left out",
        "line breaks were made alike",
        "control characters were left out",
        "letters and their accents were joined (NFC)",
    )
    assert read_own_text(GERMAN).changes == ()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"%PDF-1.7\n" + GERMAN.encode(), "a PDF document"),
        (b"PK\x03\x04" + b"xl/workbook.xml" * 200, "an Excel .XLSX. workbook"),
        (b"PK\x03\x04" + b"...word/document.xml" * 200, "a Word .DOCX. document"),
        (b"PK\x03\x04mimetypeapplication/epub+zip" + bytes(3_000), "an EPUB book"),
        (b"\xd0\xcf\x11\xe0" + bytes(3_000), "an older Word"),
        (b"{\\rtf1 " + GERMAN.encode(), "a rich text .RTF. document"),
        (b"\x89PNG\r\n" + bytes(3_000), "a PNG picture"),
        (GERMAN.encode("utf-16-le")[:-1], "zero bytes"),  # cut within a character
        (b"plain \0 but for one byte" * 200, "zero bytes"),
        (GERMAN.encode().replace(b"i", b"\x1b"), "control characters"),
        (bytes(range(1, 128)) * 30, "control characters"),
    ],
)
def test_what_is_no_text_is_refused_with_what_it_seems_to_be(content, reason):
    with pytest.raises(TextError, match=rf"{reason}.*Save it as plain text"):
        read_own_text(content)


def test_random_bytes_are_refused():
    for seed in range(5):
        with pytest.raises(TextError):
            read_own_text(np.random.default_rng(seed).bytes(4_000))


def test_half_characters_in_a_paste_are_refused():
    with pytest.raises(TextError, match="surrogates"):
        read_own_text(GERMAN + "\ud83d")


@pytest.mark.parametrize("nothing", [b"", "", b"\xef\xbb\xbf", " \n\t " * 2_000])
def test_an_empty_text_is_refused(nothing):
    with pytest.raises(TextError, match="the text is empty"):
        read_own_text(nothing)


def test_too_short_and_too_long_are_refused_with_both_numbers():
    with pytest.raises(TextError, match=r"at least 2,500 characters.*it has 2,499"):
        read_own_text("é" * 2_499)
    assert len(read_own_text("é" * 2_500).text) == 2_500
    with pytest.raises(TextError, match=r"at most 5 MB, it has 5\.1 MB"):
        read_own_text(b"a" * 5_100_000)
    with pytest.raises(TextError, match=r"at most 0\.004 MB"):
        read_own_text("é" * 2_500, largest_bytes=4_000)  # a pasted text counts as UTF-8


# The vocabulary ---------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [GERMAN, RUSSIAN, GREEK], ids=["german", "russian", "greek"])
def test_a_texts_own_vocabulary_loses_nothing_of_it(text):
    own = read_own_text(text)
    training_text = own_training_text(own)
    vocabulary = training_text.vocabulary
    assert set(vocabulary.symbols[1:]) == set(own.text)
    assert vocabulary.decode(training_text.ids) == own.text
    assert unknown_share(training_text.ids) == 0.0
    assert training_text.sha256 == own.sha256
    joined = np.concatenate([training_text.train, training_text.validation])
    assert np.array_equal(joined, training_text.ids)
    assert len(training_text.train) == int(0.9 * len(own.text))


def test_the_rarest_characters_become_unknown():
    vocabulary = own_vocabulary("aaaabbbccd", most_symbols=4)
    assert vocabulary.symbols == ("<unk>", "a", "b", "c")
    assert vocabulary.encode("dacb").tolist() == [0, 1, 3, 2]
    assert unknown_share(vocabulary.encode("aaaabbbccd")) == pytest.approx(0.1)
    # Which of two equally rare ones is kept does not depend on their order in the text.
    for text in ("aaaacd", "aaaadc"):
        assert own_vocabulary(text, 3).symbols == ("<unk>", "a", "c")


def test_a_script_of_thousands_of_characters_is_refused():
    with pytest.raises(TextError, match=r"3,000 different.*199 most frequent make up only 7%"):
        own_vocabulary(chinese())
    vocabulary = own_vocabulary(chinese(n_different=220))
    assert len(vocabulary) == 200
    assert 0.0 < unknown_share(vocabulary.encode(chinese(n_different=220))) < 0.1


def test_the_name_follows_from_the_characters_alone():
    assert own_vocabulary("cab").name == own_vocabulary("bacacb").name == "own-ba7816bf"
    assert own_vocabulary("abd").name != own_vocabulary("abc").name


@pytest.mark.parametrize("characters", ["", "aba"])
def test_no_characters_or_the_same_twice_make_no_vocabulary(characters):
    with pytest.raises(SettingError, match="different characters"):
        vocabulary_of_characters(characters)


def test_no_room_for_a_character_is_refused():
    with pytest.raises(SettingError, match="most_symbols must be at least 2, got 1"):
        own_vocabulary("abc", most_symbols=1)


def test_a_text_is_read_in_the_vocabulary_of_the_model_that_goes_on_learning():
    training_text = own_training_text(read_own_text(GERMAN), SOURCE)
    assert training_text.vocabulary is SOURCE
    assert SOURCE.decode(training_text.ids).startswith("ber allen Gipfeln ist Ruh, in allen")
    with pytest.raises(TextError, match=r"'source' does not hold 8\d% of the text: train a new"):
        own_training_text(read_own_text(RUSSIAN), SOURCE)


def test_a_prompt_says_what_an_own_vocabulary_does_not_hold():
    prepared = own_vocabulary("abé").prepare("e\u0301 ba!")
    assert prepared.text == "é ba!"
    assert prepared.ids.tolist() == [3, 0, 2, 1, 0]
    assert prepared.dropped == {"!": 1}


def test_every_vocabulary_has_something_to_begin_from():
    assert default_prompt(SOURCE) == default_prompt(FULL) == ". "
    assert default_prompt(own_vocabulary("幸せ\n")) == "\n"
    assert default_prompt(own_vocabulary("ab")) == "a"


@pytest.mark.parametrize(
    "vocabulary", [SOURCE, FULL, own_vocabulary(GREEK + "𝄞")], ids=lambda a: a.name
)
def test_encoding_looks_up_each_character(vocabulary):
    text = GERMAN + GREEK + "𝄞\ud83d\0\U0010ffff" + "".join(vocabulary.symbols[1:])
    expected = [vocabulary.symbols.index(c) if c in vocabulary.symbols else 0 for c in text]
    assert vocabulary.encode(text).tolist() == expected
    assert vocabulary.encode(text).dtype == np.int64
    assert vocabulary.encode("").shape == (0,)


# The vocabulary in the provenance --------------------------------------------------------------------


def make_meta(vocabulary, **changes):
    config = LSTMLanguageModelConfig(len(vocabulary), 3, 4, 1)
    meta = meta_of(config, name="own", title="Own", corpus="own text")
    return replace(meta, **vocabulary_fields(vocabulary) | changes), build(config)


@pytest.mark.parametrize("text", [GREEK, RUSSIAN, 'quotes " and \\ and \t\n'])
def test_a_checkpoint_brings_its_own_vocabulary_along(tmp_path, text):
    vocabulary = own_vocabulary(text)
    meta, model = make_meta(vocabulary)
    loaded = load_checkpoint(save_checkpoint(tmp_path, model, meta))
    again = vocabulary_of(loaded.meta)
    assert again.symbols == vocabulary.symbols
    assert again.name == vocabulary.name
    assert again.decode(again.encode(again.normalise(text))) == text


@pytest.mark.parametrize("vocabulary", [SOURCE, FULL], ids=lambda a: a.name)
def test_a_checkpoint_of_a_known_vocabulary_is_written_as_before(tmp_path, vocabulary):
    meta, model = make_meta(vocabulary)
    folder = save_checkpoint(tmp_path, model, meta)
    assert "characters" not in json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    assert vocabulary_of(read_meta(folder)) is vocabulary


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"characters": "abd"},
            "own: the vocabulary is called 'own-ba7816bf', but its characters make",
        ),
        ({"characters": "abca"}, "own: a vocabulary must have different characters"),
        ({"characters": None}, "own: vocabulary must be one of"),
        ({"config": {"vocabulary_size": 5}}, "a vocabulary of 5, its vocabulary .* has 4 symbols"),
    ],
)
def test_an_altered_stamp_is_found_out(changes, reason):
    meta, _ = make_meta(own_vocabulary("abc"), **changes)
    with pytest.raises(CheckpointError, match=reason):
        vocabulary_of(meta)
