"""The kinds of ``tokenizer.json`` that others make, against Hugging Face's library: Llama 2's, BERT's."""

import json

import pytest
from tokenizers import Tokenizer, normalizers, pre_tokenizers

from lm_core.errors import SettingError, TextError
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.metaspace import MetaspaceTokenizer
from lm_core.text.tokenizers.tokenizer_json import from_tokenizer_json
from lm_core.text.tokenizers.word_piece import BertText, WordPieceTokenizer
from tests.core.text.tokenizers.test_byte_pair import ODD
from tests.core.tiny_tokenizers import PROSE, bert, file_of, llama, with_spaces

TEXTS = [
    PROSE,
    *ODD[:-1],
    "  lead and  two  ",
    "▁ x ▁▁",
    "naïve cafe\u0301. ΣΑΣ İstanbul ﬁ",
    "x" * 150,
    "a\0b\u200dc\u2028d\ufffde",
    "한국어 हिन्दी",
    "₿ ^ $ ~ —",
]
METASPACES = [(scheme, split) for scheme in ("first", "always", "never") for split in (True, False)]


def assert_same(ours, theirs, text):
    found = theirs.encode(text, add_special_tokens=False)
    assert ours.encode(text).tolist() == found.ids, text
    traced = ours.trace(text)
    assert [token.id for token in traced] == found.ids, text
    assert [token.symbol for token in traced] == found.tokens
    assert ours.decode(found.ids) == theirs.decode(found.ids, skip_special_tokens=False), text
    return traced, found


# With visible spaces --------------------------------------------------------------------------


@pytest.mark.parametrize("text", TEXTS)
def test_llama_2s_kind_is_read_as_the_reference_reads_it(text):
    theirs = llama()
    ours = from_tokenizer_json(file_of(theirs))
    traced, found = assert_same(ours, theirs, text)
    # A prefix by itself covers nothing of the text; the reference gives it the first character.
    assert [(t.start, t.end) for t in traced[1:]] == found.offsets[1:]


@pytest.mark.parametrize(("scheme", "split"), METASPACES)
def test_every_metaspace_is_read_as_the_reference_reads_it(scheme, split):
    spaces = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=split)
    theirs = with_spaces(pre_tokenizer=spaces, has_prefix=scheme != "never")
    ours = from_tokenizer_json(file_of(theirs))
    for text in TEXTS:
        assert_same(ours, theirs, text)


def test_where_a_file_splits_before_spaces_no_merge_reaches_across_them():
    whole = with_spaces(pre_tokenizer=pre_tokenizers.Metaspace(split=False))
    content = file_of(whole, pre_tokenizer=json.loads(pre_tokenizers.Metaspace().__getstate__()))
    theirs, ours = Tokenizer.from_str(content.decode()), from_tokenizer_json(content)
    assert ours.encode(PROSE).tolist() == theirs.encode(PROSE).ids
    assert ours.encode(PROSE).tolist() != whole.encode(PROSE).ids


def test_spaces_made_visible_without_a_prefix_are_read():
    theirs = with_spaces(normalizer=normalizers.Replace(" ", "▁"), has_prefix=False)
    ours = from_tokenizer_json(file_of(theirs))
    for text in TEXTS:
        assert_same(ours, theirs, text)


def test_an_older_file_says_by_another_name_whether_there_is_a_prefix():
    theirs = with_spaces(pre_tokenizer=pre_tokenizers.Metaspace())
    old = {"type": "Metaspace", "replacement": "▁", "add_prefix_space": False}
    assert from_tokenizer_json(file_of(theirs, pre_tokenizer=old)).prefix == "never"
    old["add_prefix_space"] = True
    assert from_tokenizer_json(file_of(theirs, pre_tokenizer=old)).prefix == "where none is"


def test_a_token_reads_with_its_space_and_a_lone_prefix_covers_nothing():
    ours = from_tokenizer_json(file_of(llama()))
    text = "that count"
    later = [token for token in ours.trace(text) if token.symbol.startswith("▁")][-1]
    assert ours.bytes_of(later.id).startswith(b" c")
    assert (later.start, text[later.start]) == (4, " ")
    first, *others = ours.trace("東")
    assert (first.symbol, first.start, first.end) == ("▁", 0, 0)
    assert {(token.start, token.end) for token in others} == {(0, 1)}
    assert ours.decode([3 + 0x41]) == "A"


def test_prefixes_and_splitters_that_cannot_be_are_refused():
    pairs = BytePairTokenizer.fit(PROSE, 300)
    with pytest.raises(SettingError, match="prefix must be one of"):
        MetaspaceTokenizer(pairs, "sometimes")
    with pytest.raises(SettingError, match="splitter must be one of"):
        BytePairTokenizer(pairs.symbols, pairs.merges, splitter="anywhere")


# WordPiece ------------------------------------------------------------------------------------


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("strip_accents", [None, True, False])
def test_berts_kind_is_read_as_the_reference_reads_it(lowercase, strip_accents):
    theirs = bert(lowercase=lowercase, strip_accents=strip_accents)
    ours = from_tokenizer_json(file_of(theirs))
    for text in TEXTS:
        traced, found = assert_same(ours, theirs, text)
        assert [(token.start, token.end) for token in traced] == found.offsets, text


@pytest.mark.parametrize("switch", ["clean_text", "handle_chinese_chars"])
def test_what_bert_does_first_can_be_switched_off(switch):
    theirs = bert(**{switch: False})
    ours = from_tokenizer_json(file_of(theirs))
    for text in TEXTS:
        assert_same(ours, theirs, text)


def test_words_are_cut_by_hand():
    symbols = ("[UNK]", "un", "##aff", "##able", "##a", "##f", "able", "naive", ".", "東")
    tokenizer = WordPieceTokenizer(symbols, longest_word=10)

    def pieces(text):
        return [token.symbol for token in tokenizer.trace(text)]

    assert pieces("Unaffable able.") == ["un", "##aff", "##able", "able", "."]
    assert pieces("Naïve") == ["naive"]
    assert pieces("unaffx able") == ["[UNK]", "able"], "unknown as a whole, however well it begins"
    assert pieces("un" + "a" * 8) == ["un", *["##a"] * 8]
    assert pieces("un" + "a" * 9) == ["[UNK]"], "too long"
    assert pieces("東un") == ["東", "un"]
    assert [(t.start, t.end) for t in tokenizer.trace("x  un")] == [(0, 1), (3, 5)]
    assert tokenizer.decode([1, 2, 3, 8]) == "unaffable ."
    assert tokenizer.decode([]) == ""
    capitals = WordPieceTokenizer(("[UNK]", "un"), reading=BertText(lowers=False))
    assert capitals.encode("UN un").tolist() == [0, 1]
    with pytest.raises(SettingError, match="must be one of the symbols"):
        WordPieceTokenizer(("a",))


# What is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"normalizer": None}, "as BERT does .* this one has None and 'BertPreTokenizer'"),
        ({"pre_tokenizer": {"type": "Whitespace"}}, "'BertNormalizer' and 'Whitespace'"),
        ({"model": {"type": "WordPiece", "vocab": {"a": 1}}}, "without a gap"),
        ({"model": {"type": "WordPiece"}}, "KeyError: 'vocab'"),
        ({"model": {"type": "Unigram", "vocab": []}}, "the file has a 'Unigram' model"),
        ({"model": {"type": "WordLevel", "vocab": {}}}, "the file has a 'WordLevel' model"),
    ],
)
def test_files_like_berts_that_are_not_are_refused_in_words(changes, message):
    if "vocab" in changes.get("model", {}):
        changes = {"added_tokens": []} | changes
    with pytest.raises(TextError, match=message):
        from_tokenizer_json(file_of(bert(), **changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"byte_fallback": False}, "one unknown token of several"),
        ({"byte_fallback": False, "fuse_unk": False}, None),
        ({"dropout": 0.1}, "leaves merges out by chance"),
        ({"end_of_word_suffix": "</w>"}, "marks parts of words with '</w>'"),
        ({"ignore_merges": True}, "looks whole words up"),
        ({"merges": [["a", "<s>"]]}, "has no symbol for both together"),
    ],
)
def test_files_like_llamas_that_are_not_are_refused_in_words(changes, message):
    theirs = llama()
    model = json.loads(theirs.to_str())["model"] | changes
    if message is None:
        assert from_tokenizer_json(file_of(theirs, model=model)).encode("a✗")[-1] == 0
        return
    with pytest.raises(TextError, match=message):
        from_tokenizer_json(file_of(theirs, model=model))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"max_input_chars_per_word": 10**9}, "1 to 1,000 characters .* allows 1000000000"),
        ({"max_input_chars_per_word": "9"}, "the file allows '9'"),
        ({"continuing_subword_prefix": None}, "must be a text, the file has None"),
        ({"unk_token": "<none>"}, "must be one of the symbols"),
    ],
)
def test_settings_of_word_piece_that_cannot_be_are_refused_in_words(changes, message):
    model = json.loads(bert().to_str())["model"] | changes
    with pytest.raises(TextError, match=message):
        from_tokenizer_json(file_of(bert(), model=model))


@pytest.mark.parametrize(
    ("normalizer", "message"),
    [
        ({"type": "NFC"}, "changes texts before it splits them"),
        ({"type": "Prepend", "prepend": "▁"}, "changes texts before it splits them"),
    ],
)
def test_other_ways_to_change_a_text_are_refused(normalizer, message):
    with pytest.raises(TextError, match=message):
        from_tokenizer_json(file_of(llama(), normalizer=normalizer))
