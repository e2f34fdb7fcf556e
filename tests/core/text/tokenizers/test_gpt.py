"""The published byte-pair encodings of GPT-2 and GPT-4o: the ids of `tiktoken`, and their files."""

import json
from pathlib import Path

import pytest

from lm_core.assets import TOKENIZERS
from lm_core.errors import TextError
from lm_core.text.tokenizers import gpt
from lm_core.text.tokenizers.gpt import GPT_2, GPT_4O, PackedSymbols, load_ranked_tokenizer
from lm_core.text.tokenizers.tokenizer import tokenize

# Made by tiktoken 0.14: Encoding.encode_ordinary of r50k_base and of o200k_base.
EXPECTED = json.loads(Path(__file__).with_name("tiktoken_ids.json").read_bytes())


@pytest.fixture(scope="module", params=[(GPT_2, "gpt-2", 50_256), (GPT_4O, "gpt-4o", 199_998)])
def published(request):
    ranks, name, size = request.param
    return load_ranked_tokenizer(ranks), name, size


def test_the_ids_are_those_of_tiktoken(published):
    tokenizer, name, size = published
    assert len(tokenizer) == size
    for case in EXPECTED:
        assert tokenizer.encode(case["text"]).tolist() == case[name]
        assert tokenizer.decode(case[name]) == case["text"]


def test_the_tokens_of_a_text_cover_it(published):
    tokenizer, name, _ = published
    for case in EXPECTED:
        encoding = tokenize(tokenizer, case["text"])
        assert [token.id for token in encoding.tokens] == case[name]
        assert encoding.gaps == []
        assert b"".join(tokenizer.bytes_of(i) for i in case[name]) == case["text"].encode()


@pytest.mark.parametrize("content", [b"", b"no xz", None])
def test_a_damaged_file_is_refused(tmp_path, content):
    file = tmp_path / GPT_2.file
    whole = (TOKENIZERS / GPT_4O.file).read_bytes()
    file.write_bytes(whole if content is None else content)
    with pytest.raises(TextError, match=GPT_2.file):
        load_ranked_tokenizer(GPT_2, tmp_path)
    with pytest.raises(TextError, match="no readable ranks"):
        load_ranked_tokenizer(GPT_4O, tmp_path)


def test_packed_symbols_are_those_of_a_tuple():
    symbols = "a", "Ġb", "", "a", "łłł", "ab"
    packed = PackedSymbols("".join(symbols), map(len, symbols))
    assert tuple(packed) == symbols
    assert (packed[-1], packed[1:4:2]) == (symbols[-1], symbols[1:4:2])
    assert [packed.find(symbol) for symbol in symbols] == [0, 1, 2, 0, 4, 5]
    assert packed.find("b") is None
    assert "b" not in packed
    with pytest.raises(IndexError):
        packed[6]


def test_symbols_of_one_hash_are_told_apart(monkeypatch):
    symbols = "a", "b", "c"
    monkeypatch.setattr(gpt, "hash", lambda symbol: 7, raising=False)
    packed = PackedSymbols("abc", map(len, symbols))
    assert [packed.find(symbol) for symbol in (*symbols, "d")] == [0, 1, 2, None]
