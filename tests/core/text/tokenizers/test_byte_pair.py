"""Byte-pair encoding, against Hugging Face's library and by hand."""

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

from lm_core.errors import SettingError, TextError
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import load_text, locate
from lm_core.text.tokenizers.byte_pair import (
    BYTE_SYMBOLS,
    GPT2_PATTERN,
    BytePairTokenizer,
    pre_tokenize,
)
from lm_core.text.tokenizers.merges import Merge, MergeLearner, merge_steps, merged, replaced
from lm_core.text.tokenizers.tokenizer_json import from_tokenizer_json, to_tokenizer_json
from tests.core.tiny_tokenizers import PROSE

ODD = [
    "",
    " ",
    "\n\n \t x",
    "aaaa aaaaa",
    "Ünïcödé 東京 😀👩‍👩‍👧",
    "عربي עברית",
    "a\u0301\u0323",
    "<unk> <0x41>",
]


def reference(text, size, base="bytes", **options):
    """Hugging Face's tokenizer with the same rules, trained on the same text."""
    if base == "bytes":
        trained = Tokenizer(models.BPE())
        trained.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        options["initial_alphabet"] = pre_tokenizers.ByteLevel.alphabet()
    else:
        trained = Tokenizer(models.BPE(unk_token="<unk>"))
        trained.pre_tokenizer = pre_tokenizers.Split(Regex(GPT2_PATTERN), "isolated")
        options["special_tokens"] = ["<unk>"]
    trained.train_from_iterator(
        [text], trainers.BpeTrainer(vocab_size=size, show_progress=False, **options)
    )
    return trained


def symbols_of(trained):
    return tuple(sorted(trained.get_vocab(), key=trained.get_vocab().get))


@pytest.mark.parametrize("minimum_count", [0, 2, 3])
@pytest.mark.parametrize("base", ["bytes", "characters"])
def test_learns_and_encodes_as_the_reference_does(base, minimum_count):
    size = 330 if base == "bytes" else 90
    special = ("<unk>",) if base == "characters" else ()
    ours = BytePairTokenizer.fit(
        PROSE, size, base=base, special_tokens=special, minimum_count=minimum_count
    )
    theirs = reference(PROSE, size, base, min_frequency=minimum_count)
    assert ours.symbols == symbols_of(theirs)
    for text in [PROSE, *ODD[:-1]]:
        assert ours.encode(text).tolist() == theirs.encode(text).ids, text


@pytest.mark.slow
@pytest.mark.skipif(not locate(WAR_AND_PEACE.name), reason="War and Peace is not on this machine")
def test_is_the_reference_on_the_whole_book():
    book = load_text(WAR_AND_PEACE.name)
    ours = BytePairTokenizer.fit(book, 256 + 4_096, minimum_count=0)
    theirs = reference(book, 256 + 4_096)
    assert len(ours.merges) == 4_096
    assert ours.symbols == symbols_of(theirs)
    ids = ours.encode(book)
    assert ids.tolist() == theirs.encode(book).ids
    assert ours.decode(ids) == book


def test_the_textbook_example_by_hand():
    # aa appears twice in aaab and again at the end: overlapping neighbours count.
    learner = MergeLearner({(0, 0, 0, 1, 3, 0, 0, 0, 1, 0, 2): 1}, "abcd", minimum_count=2)
    assert learner.most_frequent(2) == [((0, 0), 4), ((0, 1), 2)]
    assert list(learner) == [Merge((0, 0), 4, 4), Merge((0, 1), 5, 2), Merge((4, 5), 6, 2)]
    assert list(learner.pre_tokens()) == [([6, 3, 6, 0, 2], 1)]
    assert learner.symbols == [*"abcd", "aa", "ab", "aaab"]


def test_ties_go_to_the_smaller_ids_left_first():
    learner = MergeLearner({(2, 1): 5, (0, 3): 5, (0, 2): 5}, "abcd")
    assert [merge.pair for merge in learner] == [(0, 2), (0, 3), (2, 1)]


def test_counts_stay_those_of_a_fresh_count():
    rng = np.random.default_rng(0)
    pre_tokens = {
        tuple(rng.integers(0, 3, rng.integers(1, 12)).tolist()): int(n) for n in range(1, 60)
    }
    learner = MergeLearner(pre_tokens, "abc")
    for _ in range(25):
        merge = learner.step()
        counted = Counter()
        for pre_token, times in learner.pre_tokens():
            for pair in pairwise(pre_token):
                counted[pair] += times
        assert dict(learner.counts) == dict(counted)
        assert merge.pair not in counted


def test_steps_are_the_earliest_learned_merges_from_the_left():
    merges = {(0, 0): (0, 2), (2, 1): (1, 3), (2, 2): (2, 4)}
    steps = list(merge_steps([0, 0, 0, 0, 1], merges))
    assert [(step.rank, step.position, step.id) for step in steps] == [
        (0, 0, 2),
        (0, 2, 2),
        (1, 2, 3),
    ]
    assert merged([0, 0, 0, 0, 1], merges) == [(0, 2), (2, 3)]


def test_encoding_a_piece_is_replacing_pair_by_pair():
    rng = np.random.default_rng(1)
    learner = MergeLearner({tuple(rng.integers(0, 3, 200).tolist()): 1}, "abc")
    learned = [learner.step() for _ in range(30)]
    merges = {merge.pair: (rank, merge.id) for rank, merge in enumerate(learned)}
    pre_token = rng.integers(0, 3, 300).tolist()
    expected = pre_token
    for merge in learned:
        expected = replaced(expected, merge)
    assert [token_id for _, token_id in merged(pre_token, merges)] == expected


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("base", ["bytes", "characters"])
def test_every_text_comes_back(base, text):
    tokenizer = BytePairTokenizer.fit(PROSE, 600, base=base, byte_fallback=base == "characters")
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_what_was_never_seen_is_unknown_without_a_fallback():
    tokenizer = BytePairTokenizer.fit("abab", 4, base="characters", special_tokens=["<unk>"])
    assert tokenizer.symbols == ("<unk>", "a", "b", "ab")
    assert tokenizer.encode("abé").tolist() == [3, 0]


def test_no_text_is_encoded_to_a_special_token():
    tokenizer = BytePairTokenizer.fit(PROSE, 300, special_tokens=["<end>"])
    assert 0 not in tokenizer.encode("<end>")
    assert tokenizer.decode([0]) == "<end>"


def test_a_trace_covers_the_text_and_is_the_encoding():
    tokenizer = BytePairTokenizer.fit(PROSE, 300)
    for text in [PROSE, *ODD]:
        tokens = tokenizer.trace(text)
        assert [token.id for token in tokens] == tokenizer.encode(text).tolist()
        assert {i for token in tokens for i in range(token.start, token.end)} == set(
            range(len(text))
        )
        assert all(a.start <= b.start and b.start >= a.end - 1 for a, b in pairwise(tokens))
    first, second = tokenizer.trace("é")
    assert (first.start, first.end) == (second.start, second.end) == (0, 1)


def test_pieces_are_the_text():
    assert all("".join(pre_tokenize(text)) == text for text in [PROSE, *ODD])
    assert len(set(BYTE_SYMBOLS.values())) == 256


def test_a_very_long_word_is_encoded():
    tokenizer = BytePairTokenizer.fit("aaaa " * 9, 262)
    assert tokenizer.decode(tokenizer.encode("a" * 100_001)) == "a" * 100_001


def test_only_short_pieces_are_remembered():
    tokenizer = BytePairTokenizer.fit(PROSE, 300)
    tokenizer.encode("short " + "long" * 100)
    assert set(tokenizer._remembered) == {"short"}


@pytest.mark.parametrize("base", ["bytes", "characters"])
def test_files_are_read_back_and_by_the_reference(base):
    tokenizer = BytePairTokenizer.fit(
        PROSE, 330, base=base, special_tokens=["<unk>"], known_characters="xyz"
    )
    content = to_tokenizer_json(tokenizer)
    assert from_tokenizer_json(content) == tokenizer
    theirs = Tokenizer.from_str(content.decode())
    assert theirs.encode(PROSE).ids == tokenizer.encode(PROSE).tolist()
    assert theirs.decode(theirs.encode(PROSE).ids) == PROSE


def other_kind():
    """A byte-level encoding that looks whole words up before it merges: not ours to read."""
    document = json.loads(to_tokenizer_json(BytePairTokenizer.fit(PROSE, 300)))
    document["model"]["ignore_merges"] = True
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "JSONDecodeError"),
        (b"\xff\xfe", "Error"),
        (b"[]", "TypeError"),
        (b"[" * 100_000, "RecursionError"),
        (b'{"model": {"type": "Unigram"}}', "KeyError: 'vocab'"),
        (other_kind(), "another kind"),
        (reference(PROSE, 330).to_str().replace('"trim_offsets":true', "").encode(), "Error"),
    ],
    ids=["empty", "no text", "a list", "deep", "no vocabulary", "another kind", "damaged"],
)
def test_a_file_that_is_not_ours_is_refused_in_words(content, message):
    with pytest.raises(TextError, match=f"must hold a byte-pair encoding of ours.*{message}"):
        from_tokenizer_json(content)


def test_settings_that_cannot_be_are_refused():
    with pytest.raises(SettingError, match="at least 256"):
        BytePairTokenizer.fit("abc", 200)
    with pytest.raises(SettingError, match="base must be one of"):
        BytePairTokenizer.fit("abc", 300, base="words")
    with pytest.raises(SettingError, match="byte_fallback"):
        BytePairTokenizer.fit("abc", 300, base="characters")
