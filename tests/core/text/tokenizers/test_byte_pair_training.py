"""Learning merges with every step kept, and encoding by the first merges only."""

import pytest

from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.byte_pair_training import (
    even_sizes,
    merges_used,
    train_byte_pair,
    train_counting_tokens,
    up_to,
)

TEXT = "low low low lower lowest newest newest newest newer wider wider, the lowest of the low"


@pytest.mark.parametrize("base", ["characters", "bytes"])
def test_all_steps_together_are_the_tokenizer_fitted_at_once(base):
    learning = train_byte_pair(TEXT, base=base)
    special = ("<unk>",) if base == "characters" else ()
    whole = BytePairTokenizer.fit(TEXT, len(learning.tokenizer), base=base, special_tokens=special)
    assert learning.tokenizer == learning.after(len(learning)) == whole
    assert len(learning.after(0).merges) == 0
    assert list(learning.sizes) == sorted(learning.sizes)


def test_the_first_pair_of_each_step_is_the_one_that_is_merged_next():
    learning = train_byte_pair(TEXT)
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
    counts = train_byte_pair("ab ab cd cd ef").pair_counts(0, most)
    assert counts.n_tied == 3  # a b, c d, and the space with the c
    assert len(counts.most_frequent) == most
    assert counts.n_different == 6


def test_no_more_merges_than_allowed():
    assert len(train_byte_pair(TEXT, most_merges=3)) == 3


@pytest.mark.parametrize(("text", "n_tied"), [("", 0), ("x", 0), (" \n", 1), ("abc", 2)])
def test_what_repeats_nothing_teaches_nothing(text, n_tied):
    learning = train_byte_pair(text)
    assert len(learning) == 0
    assert learning.pair_counts(0).n_tied == n_tied


def test_used_merges_are_those_without_which_the_cut_would_differ():
    tokenizer = train_byte_pair(TEXT).tokenizer
    unseen = "the newest widest law"
    used = merges_used(tokenizer, unseen)
    before = up_to(tokenizer, 0).encode(unseen).tolist()
    for rank in range(len(tokenizer.merges)):
        now = up_to(tokenizer, rank + 1).encode(unseen).tolist()
        assert (now != before) == (rank in used)
        before = now
    assert before == tokenizer.encode(unseen).tolist()


def test_sizes_are_what_encoding_gives():
    tokenizer, sizes = train_counting_tokens(TEXT, [0, 5, 9, 10_000])
    assert [size.n_merges for size in sizes[:3]] == [0, 5, 9]
    assert sizes[-1].n_merges == len(tokenizer.merges) < 10_000
    for size in sizes:
        assert len(up_to(tokenizer, size.n_merges).encode(TEXT)) == size.n_tokens
        assert size.vocabulary_size == 256 + size.n_merges


def test_sizes_rise_and_end_where_they_should():
    sizes = list(even_sizes(8_192))
    assert sizes == sorted(set(sizes))
    assert (sizes[0], sizes[-1]) == (0, 8_192)
