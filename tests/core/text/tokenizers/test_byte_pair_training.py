"""Learning merges with every step kept, and encoding by the first merges only."""

import pytest

from lm_core.text.tokenizers import byte_pair_training
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer

TEXT = "low low low lower lowest newest newest newest newer wider wider, the lowest of the low"


def test_all_steps_together_are_the_tokenizer_fitted_at_once():
    learning = byte_pair_training.train_byte_pair(TEXT)
    whole = BytePairTokenizer.fit(
        TEXT, len(learning.tokenizer), base="characters", special_tokens=("<unk>",)
    )
    assert learning.tokenizer == learning.after(len(learning)) == whole
    assert len(learning.after(0).merges) == 0
    assert list(learning.sizes) == sorted(learning.sizes)


def test_bytes_are_numbered_by_their_values_and_merges_from_256_on():
    learning = byte_pair_training.train_byte_pair(f"{TEXT} «é»", base="bytes")
    assert learning.after(0).encode("low é").tolist() == list("low é".encode())
    assert learning.after(1).encode("lo lo")[0] == 256
    assert learning.tokenizer.decode(learning.tokenizer.encode("slow é")) == "slow é"


@pytest.mark.parametrize("base", ["characters", "bytes"])
def test_the_places_of_a_pair_are_those_that_its_merge_takes(base):
    text = "aaaa aaa 1a11aé éé a\n\n low low"
    learning = byte_pair_training.train_byte_pair(text, base=base)
    for step, (pair, merge_count) in enumerate(
        zip(learning.tokenizer.merges, learning.counts, strict=True)
    ):
        before, after = learning.after(step), learning.after(step + 1)
        places = byte_pair_training.places_of_pair(before, text, pair)
        assert len(places) == len(before.encode(text)) - len(after.encode(text)) <= merge_count
        merged = before.encode(text).tolist()
        for place in reversed(places):
            assert tuple(merged[place : place + 2]) == pair
            merged[place : place + 2] = [learning.sizes[step]]
        assert merged == after.encode(text).tolist()


def test_the_first_pair_of_each_step_is_the_one_that_is_merged_next():
    learning = byte_pair_training.train_byte_pair(TEXT)
    assert len(learning) > 10
    for step, (merge, count) in enumerate(
        zip(learning.tokenizer.merges, learning.counts, strict=True)
    ):
        counts = learning.pair_counts(step)
        assert counts.most_frequent[0] == (merge, count)
    last = learning.pair_counts(len(learning))
    assert all(count == 1 for _, count in last.most_frequent)


@pytest.mark.parametrize("most", [2, 5])
def test_ties_are_counted_whether_they_are_named_or_not(most):
    counts = byte_pair_training.train_byte_pair("ab ab cd cd ef").pair_counts(0, most)
    assert counts.n_tied == 3  # a b, c d, and the space with the c
    assert len(counts.most_frequent) == most
    assert counts.n_different == 6


def test_no_more_merges_than_allowed():
    assert len(byte_pair_training.train_byte_pair(TEXT, most_merges=3)) == 3


@pytest.mark.parametrize(("text", "n_tied"), [("", 0), ("x", 0), (" \n", 1), ("abc", 2)])
def test_what_repeats_nothing_teaches_nothing(text, n_tied):
    learning = byte_pair_training.train_byte_pair(text)
    assert len(learning) == 0
    assert learning.pair_counts(0).n_tied == n_tied


def test_used_merges_are_those_without_which_the_cut_would_differ():
    tokenizer = byte_pair_training.train_byte_pair(TEXT).tokenizer
    unseen = "the newest widest law"
    used = byte_pair_training.merges_used(tokenizer, unseen)
    before = byte_pair_training.up_to(tokenizer, 0).encode(unseen).tolist()
    for rank in range(len(tokenizer.merges)):
        now = byte_pair_training.up_to(tokenizer, rank + 1).encode(unseen).tolist()
        assert (now != before) == (rank in used)
        before = now
    assert before == tokenizer.encode(unseen).tolist()


def test_sizes_are_what_encoding_gives():
    tokenizer, sizes = byte_pair_training.train_counting_tokens(TEXT, [0, 5, 9, 10_000])
    assert [size.n_merges for size in sizes[:3]] == [0, 5, 9]
    assert sizes[-1].n_merges == len(tokenizer.merges) < 10_000
    for size in sizes:
        assert len(byte_pair_training.up_to(tokenizer, size.n_merges).encode(TEXT)) == size.n_tokens
        assert size.vocabulary_size == 256 + size.n_merges


def test_sizes_rise_and_end_where_they_should():
    sizes = list(byte_pair_training.even_sizes(8_192))
    assert sizes == sorted(set(sizes))
    assert (sizes[0], sizes[-1]) == (0, 8_192)
