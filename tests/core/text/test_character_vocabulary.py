import numpy as np
import pytest

from lm_core.errors import SettingError
from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.vocabularies import vocabulary_named


def test_source_vocabulary_has_the_source_documents_seventy_symbols():
    assert len(SOURCE) == 70
    assert SOURCE.symbols[0] == "<unk>"
    assert len(set(SOURCE.symbols)) == 70


@pytest.mark.parametrize("vocabulary", [SOURCE, FULL], ids=lambda a: a.name)
def test_every_symbol_survives_normalising_encoding_and_decoding(vocabulary):
    text = "a".join(c for c in vocabulary.symbols[1:] if c not in " \n") + " b"
    assert vocabulary.normalise(text) == text
    assert vocabulary.decode(vocabulary.encode(text)) == text


def test_normalising_twice_changes_nothing_more():
    once = SOURCE.normalise("“Oh,” said\nPétya —  \n\n\n don’t!\t(no)  ")
    assert SOURCE.normalise(once) == once


def test_the_two_readings_of_a_line_of_the_book():
    assert SOURCE.normalise("“Well, Prince,\n\nso *Genoa*”") == "Well, Prince, so Genoa"
    raw = "“Pétya,\nmy dear—”\n\n\nhe said."
    assert FULL.normalise(raw) == '"Petya, my dear--"\nhe said.'


def test_full_keeps_quotes_and_folds_accents_and_tabs():
    assert FULL.normalise("“Oh,” said\tPétya—don’t!") == '"Oh," said Petya--don\'t!'


def test_source_deletes_first_and_joins_spaces_afterwards():
    # A deleted dash between two spaces leaves two spaces, which become one.
    assert SOURCE.normalise("war — and\n\n\npeace") == "war and peace"


def test_full_unwraps_printed_lines_and_keeps_paragraphs():
    assert FULL.normalise("one\ntwo\n\n\nthree") == "one two\nthree"


def test_unknown_characters_become_id_zero():
    assert SOURCE.encode("a%b").tolist() == [
        SOURCE.symbols.index("a"),
        0,
        SOURCE.symbols.index("b"),
    ]
    assert SOURCE.decode(np.array([0])) == "\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(
    ("raw", "text", "dropped"),
    [
        ("", "", {}),
        ("a\0b", "ab", {"\0": 1}),
        ("<b>hi</b>", "bhib", {"<": 2, ">": 2, "/": 1}),
        ("“Pétya”", "Ptya", {"“": 1, "é": 1, "”": 1}),
        ("мид", "", {"м": 1, "и": 1, "д": 1}),
    ],
)
def test_prepare_says_what_was_lost(raw, text, dropped):
    prepared = SOURCE.prepare(raw)
    assert prepared.text == text
    assert len(prepared.ids) == len(text)
    assert prepared.dropped == dropped


def test_an_unknown_vocabulary_is_named_with_the_known_ones():
    with pytest.raises(
        SettingError, match=r"'source-subwords', 'wikipedia-subwords'\], got 'greek'"
    ):
        vocabulary_named("greek")
