import torch

from lm_core.rng import generator
from lm_core.training.batching import StatefulBatches, batches_of_length


def read_pass(rows, length):
    rows.start_pass(length)
    windows = []
    while not rows.is_read:
        windows.append(rows.next_window())
    return windows


def test_a_pass_reads_a_position_at_most_once_and_all_but_a_window_of_each_stream():
    windows = read_pass(StatefulBatches(4, 8, generator(0)), 1002)
    read = torch.cat([positions for positions, _ in windows], dim=1)
    assert read.shape == (4, 248)  # 250 tokens a row
    assert len(read.unique()) == read.numel()
    assert read.max() < 1002
    following = torch.cat([following for _, following in windows], dim=1)
    assert torch.equal(following, (read + 1) % 1002)


def test_a_last_window_that_just_fits_is_read():
    # Rows of 9 tokens: two windows of 4, whose last token has one after it.
    assert len(read_pass(StatefulBatches(2, 4, generator(0)), 18)) == 2


def test_each_pass_begins_elsewhere():
    rows = StatefulBatches(4, 8, generator(0))
    first, second = (read_pass(rows, 1000)[0][0][0, 0] for _ in range(2))
    assert first != second


def test_shares_of_the_rows_are_the_whole():
    whole, *shares = (
        StatefulBatches(4, 8, generator(0), own=own)
        for own in (slice(None), slice(0, 2), slice(2, 4))
    )
    assert [share.start_pass(500) for share in shares] == [2, 2]
    whole.start_pass(500)
    parts = [share.next_window()[0] for share in shares]
    assert torch.equal(torch.cat(parts), whole.next_window()[0])


def test_reading_goes_on_where_it_stood():
    rows = StatefulBatches(4, 8, generator(0))
    rows.start_pass(500)
    rows.next_window()
    other = StatefulBatches(4, 8, generator(1))
    other.load_state_dict(rows.state_dict())
    assert torch.equal(other.next_window()[0], rows.next_window()[0])


def test_batches_of_sentences_hold_each_place_once_and_so_many_tokens_with_padding():
    lengths = [3, 1, 7, 2, 2, 9, 4, 1]
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batches = batches_of_length(order, lengths, 8)
    assert [place for batch in batches for place in batch] == order
    sizes = [len(batch) * max(lengths[place] for place in batch) for batch in batches]
    assert all(size <= 8 or len(batch) == 1 for size, batch in zip(sizes, batches, strict=True))
    assert batches[0] == order[:4]  # as many as fit
    assert batches[-1] == [5]  # too long for any company
    assert batches_of_length([], lengths, 8) == []
