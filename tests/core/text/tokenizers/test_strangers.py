"""Files that would keep a server busy: refused by what they say, or ended by what they do."""

import json

import pytest

from lm_core.bounded_work import BoundedWorkers, Bounds
from lm_core.errors import BoundsError, TextError
from lm_core.text.tokenizers.hugging_face import read_tokenizer_json
from lm_core.text.tokenizers.strangers import StrangersTokenizer
from lm_core.text.tokenizers.tokenizer import token_text, tokenize
from tests.core.tiny_tokenizers import bert, file_of, llama


@pytest.fixture(scope="module")
def workers():
    made = BoundedWorkers(1, Bounds(wall_s=120))
    yield made
    made.close()


def word_piece(prefix, **model):
    model = {
        "type": "WordPiece",
        "unk_token": "[U]",
        "continuing_subword_prefix": prefix,
        "max_input_chars_per_word": 1_000,
        "vocab": {"[U]": 0, "a": 1, f"{prefix}a": 2},
    } | model
    return json.dumps({"model": model, "pre_tokenizer": {"type": "Whitespace"}}).encode()


def byte_pairs(**model):
    return json.dumps(
        {"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []} | model}
    ).encode()


def unigram(longest):
    pieces = [["[U]", 0.0], *(["a" * n, -float(n)] for n in range(1, longest + 1))]
    return json.dumps({"model": {"type": "Unigram", "unk_id": 0, "vocab": pieces}}).encode()


LONG_FIELDS = {
    "prefix of WordPiece": word_piece("#" * 17),
    "the attack itself": word_piece("#" * 40_000),
    "prefix of BPE": byte_pairs(continuing_subword_prefix="#" * 17),
    "suffix of BPE": byte_pairs(end_of_word_suffix="#" * 17),
    "entries of Unigram": unigram(257),
    "an entry of BPE": byte_pairs(vocab={"a": 0, "b" * 257: 1}),
    "an added token": json.dumps(
        json.loads(byte_pairs()) | {"added_tokens": [{"content": "x" * 257}]}
    ).encode(),
}


@pytest.mark.parametrize("content", LONG_FIELDS.values(), ids=LONG_FIELDS)
def test_long_fields_are_refused_before_the_library_sees_them(content):
    with pytest.raises(TextError, match=r"may have (16|256) characters"):
        read_tokenizer_json(content)


def test_fields_as_long_as_they_may_be_are_read_and_stay_within_the_bounds(workers):
    for content in (word_piece("#" * 16), unigram(256)):
        tokenizer = StrangersTokenizer(content, workers)
        assert len(tokenizer.trace(" ".join(["a" * 999] * 5))) >= 20


def test_what_is_bounded_by_nothing_else_is_ended_and_not_tried_again(workers, monkeypatch):
    strict = BoundedWorkers(1, Bounds(processor_s=1, wall_s=300))
    tokenizer = StrangersTokenizer(word_piece("#" * 16), strict)
    text = " ".join(["a" * 999] * 500)
    with pytest.raises(BoundsError, match="was stopped"):
        tokenizer.trace(text)
    monkeypatch.setattr(strict, "call", None)  # nobody is asked
    with pytest.raises(BoundsError, match="was stopped"):
        tokenizer.trace(text)
    strict.close()


@pytest.mark.parametrize("made", [bert, llama])
def test_it_gives_what_the_library_gives(made, workers):
    content = file_of(made())
    ours, theirs = StrangersTokenizer(content, workers), read_tokenizer_json(content)
    assert (ours.kind, ours.unknown, ours.symbols) == (theirs.kind, theirs.unknown, theirs.symbols)
    for text in ("a low lower lowest", "\N{GRINNING FACE} \ud800 ab", ""):
        assert tokenize(ours, text) == tokenize(theirs, text)
        ids = theirs.encode(text)
        assert ours.encode(text).tolist() == ids.tolist()
        assert ours.decode(ids) == theirs.decode(ids)
        assert [token_text(ours, i) for i in ids] == [token_text(theirs, i) for i in ids]


def test_a_text_is_encoded_once(workers, monkeypatch):
    tokenizer = StrangersTokenizer(byte_pairs(), workers)
    first = tokenizer.trace("abba")
    monkeypatch.setattr(workers, "call", None)
    assert tokenizer.trace("abba") == first


def test_what_is_no_tokenizer_is_refused_in_the_same_words(workers):
    with pytest.raises(TextError, match=r"must be a tokenizer\.json"):
        StrangersTokenizer(b"[1, 2]", workers)
    with pytest.raises(TextError, match=r"must be a tokenizer\.json"):
        StrangersTokenizer(b"[" * 100_000, workers)
