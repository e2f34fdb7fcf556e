import math

import pytest
import torch

from lm_core.errors import SettingError
from lm_core.models.attention import attend
from lm_core.models.positional_encoding import absolute, relative
from lm_core.rng import generator


def test_sinusoidal_fingerprints_by_the_formula():
    codes = absolute.sinusoidal_positions(60, 8)
    for position, j in ((0, 0), (7, 1), (59, 3)):
        angle = position / 10_000 ** (2 * j / 8)
        assert codes[position, 2 * j].item() == pytest.approx(math.sin(angle), abs=1e-6)
        assert codes[position, 2 * j + 1].item() == pytest.approx(math.cos(angle), abs=1e-6)


@pytest.mark.parametrize("offset", [1, 5, -3])
def test_one_rotation_shifts_every_position_alike(offset):
    codes, rotation = absolute.sinusoidal_positions(40, 16), absolute.shift_rotation(offset, 16)
    places = torch.arange(5, 30)
    torch.testing.assert_close(codes[places] @ rotation.T, codes[places + offset])
    torch.testing.assert_close(rotation @ rotation.T, torch.eye(16))


def test_binary_codes_count_and_the_last_digit_is_the_fastest():
    codes = absolute.binary_positions(8, 3)
    assert codes.tolist()[5] == [1.0, 0.0, 1.0]
    assert (codes.diff(dim=0) != 0).sum(0).tolist() == [1, 3, 7]
    torch.testing.assert_close(absolute.binary_positions(20, 3)[8:16], codes)


def test_similarity_of_fingerprints_hangs_on_the_distance():
    similarity = absolute.position_similarity(absolute.sinusoidal_positions(30, 32))
    torch.testing.assert_close(similarity.diagonal(), torch.ones(30))
    torch.testing.assert_close(similarity.diagonal(3), similarity[0, 3].expand(27))
    assert similarity[0, 1] > similarity[0, 10]
    assert absolute.position_similarity(absolute.binary_positions(2, 3))[0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("base", [100.0, 10_000.0])
def test_turned_vectors_know_their_distance_and_nothing_else(base):
    rng = generator(0)
    query, key = torch.randn(2, 1, 8, generator=rng, dtype=torch.float64)
    tables = relative.rotary_tables(40, 8, base, dtype=torch.float64)
    turned_queries = relative.rotate(query.expand(40, 8), tables)
    turned_keys = relative.rotate(key.expand(40, 8), tables)
    scores = turned_queries @ turned_keys.T  # (40, 40)
    for distance in (-7, 0, 12):
        along = scores.diagonal(distance)
        torch.testing.assert_close(along, along[:1].expand_as(along))
    assert scores[0, 5] != pytest.approx(scores[5, 0].item())
    torch.testing.assert_close(turned_queries.norm(dim=-1), query.norm().expand(40))
    torch.testing.assert_close(turned_queries[0], query[0])


def huggingface_bucket(offset, n_buckets, max_distance, bidirectional):
    """The T5 rule, one number at a time, as the published model's code has it."""
    bucket = 0
    if bidirectional:
        n_buckets //= 2
        bucket = n_buckets if offset > 0 else 0
        distance = abs(offset)
    else:
        distance = max(-offset, 0)
    exact = n_buckets // 2
    if distance < exact:
        return bucket + distance
    wide = math.log(distance / exact) / math.log(max_distance / exact) * (n_buckets - exact)
    return bucket + min(exact + int(wide + 1e-6), n_buckets - 1)


@pytest.mark.parametrize(("n_buckets", "max_distance"), [(32, 128), (8, 32), (16, 20)])
@pytest.mark.parametrize("bidirectional", [True, False])
def test_buckets_are_those_of_t5_even_beyond_the_maximum(n_buckets, max_distance, bidirectional):
    offsets = torch.arange(-300, 301)
    ours = relative.t5_buckets(offsets, n_buckets, max_distance, bidirectional=bidirectional)
    theirs = [
        huggingface_bucket(o, n_buckets, max_distance, bidirectional) for o in offsets.tolist()
    ]
    assert ours.tolist() == theirs
    assert ours.min() == 0
    assert ours.max() == n_buckets - 1  # the published code reaches n_buckets here
    behind = ours[offsets <= 0]
    assert (behind.diff() <= 0).all()


def test_alibi_slopes_and_bias():
    assert relative.alibi_slopes(8).tolist() == [2.0**-h for h in range(1, 9)]
    twelve = relative.alibi_slopes(12)
    assert twelve[:8].tolist() == relative.alibi_slopes(8).tolist()
    torch.testing.assert_close(twelve[8:], 2.0 ** -torch.tensor([0.5, 1.5, 2.5, 3.5]))
    bias = relative.alibi_bias(torch.tensor([[0, -1], [1, 0]]), 2)
    slopes = [2.0**-4, 2.0**-8]
    assert bias.tolist() == [[[0.0, -s], [-s, 0.0]] for s in slopes]


def test_can_a_canner_can_a_can():
    tokens = torch.tensor([0, 1, 2, 0, 1, 0])  # can a canner can a can
    words = torch.randn(3, 8, generator=generator(0))[tokens]

    def seen(x):
        return attend(x, x, x).output

    assert absolute.equal_tokens_differ(tokens, seen(words)) == {0: False, 1: False}
    assert absolute.equal_tokens_differ(
        tokens, seen(words + absolute.sinusoidal_positions(6, 8))
    ) == {0: True, 1: True}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: absolute.sinusoidal_positions(3, 5), "even"),
        (lambda: absolute.sinusoidal_positions(0, 4), "n_positions"),
        (lambda: absolute.sinusoidal_positions(3, 4, base=1.0), "base must be above 1"),
        (lambda: absolute.binary_positions(3, 0), "width"),
        (lambda: relative.t5_buckets(torch.tensor([1]), 7), "n_buckets"),
        (lambda: relative.t5_buckets(torch.tensor([1]), 32, 8), "max_distance must be above 8"),
        (lambda: relative.alibi_slopes(0), "heads"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(SettingError, match=message):
        call()


def test_tables_that_were_made_for_reading_serve_a_training_too():
    relative.rotary_tables.cache_clear()
    with torch.inference_mode():
        tables = relative.rotary_tables(4, 6)
    vectors = torch.ones(4, 6, requires_grad=True)
    relative.rotate(vectors, tables).sum().backward()
    assert vectors.grad is not None
