import math

import pytest
import torch

from lm_core.errors import SettingError, TextError
from lm_core.generation.batch_generation import generate_batch, next_token_counts
from lm_core.generation.sampling import SamplingSettings, draw
from lm_core.generation.text_generation import TextGeneration
from lm_core.rng import generator
from tests.core.toy_models import SpellingModel, random_lstm, random_pair_model

SETTINGS = [
    SamplingSettings(),
    SamplingSettings(temperature=0.0),
    SamplingSettings(0.8, 8, 0.95, 0.01, 0.95, 3.0, 1.2, 4, 2.0, 0.2),
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_single_stream_writes_the_storys_text(settings):
    model = random_lstm()
    generation = TextGeneration.begin(model, [1, 2], settings, seed=6)
    generation.write(80)
    text = generate_batch(model, [1, 2], settings, 1, 80, generator(6))
    assert text[0].tolist() == [written.token for written in generation.written]


@pytest.mark.parametrize("settings", SETTINGS)
def test_each_of_many_streams_is_the_story_of_its_own_random_numbers(settings):
    model, n_texts, length = random_lstm(), 5, 30
    texts = generate_batch(model, [1, 2], settings, n_texts, length, generator(0))
    numbers = torch.rand(length, n_texts, generator=generator(0), dtype=torch.float64)
    for i in range(n_texts):
        generation = TextGeneration.begin(model, [1, 2], settings, seed=0)
        for number in numbers[:, i].tolist():
            generation.pick(draw(generation.chain_trace().probabilities, number))
        assert texts[i].tolist() == [written.token for written in generation.written]


def test_shape_seed_and_variety():
    model = random_lstm()
    one, same, other = (
        generate_batch(model, [3], SamplingSettings(), 6, 40, generator(seed)) for seed in (0, 0, 1)
    )
    assert one.shape == (6, 40)
    assert one.dtype == torch.int64
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
    assert len({tuple(row) for row in one.tolist()}) == 6


def test_bfloat16_changes_the_arithmetic_but_hardly_the_distribution():
    model, settings = random_lstm(), SamplingSettings()
    exact = generate_batch(model, [1], settings, 4000, 3, generator(0))
    rough = generate_batch(model, [1], settings, 4000, 3, generator(0), dtype=torch.bfloat16)
    assert torch.equal(rough[:, 0], exact[:, 0])  # the prompt is read in float32
    assert 0.97 < (rough == exact).float().mean() < 1.0


def test_every_stream_spells_the_word():
    speller = SpellingModel([4, 2, 0], 5)
    texts = generate_batch(speller, [1], SamplingSettings(), 3, 4, generator(0))
    assert texts.tolist() == [[4, 2, 0, 4]] * 3


@pytest.mark.parametrize(("n_texts", "length"), [(0, 5), (5, 0)])
def test_no_streams_or_no_length_is_refused(n_texts, length):
    with pytest.raises(SettingError, match="must be at least 1, got 0"):
        generate_batch(random_pair_model(), [1], SETTINGS[0], n_texts, length, generator(0))


def test_an_empty_prompt_is_refused():
    with pytest.raises(TextError, match="at least one character"):
        generate_batch(random_pair_model(), [], SETTINGS[0], 2, 2, generator(0))


def test_counts_sum_up_and_come_close_to_theory():
    probabilities = torch.tensor([0.0, 0.5, 0.3, 0.2, 0.0])
    counts = next_token_counts(probabilities, 10_000, generator(0))
    assert int(counts.sum()) == 10_000
    assert counts[[0, 4]].tolist() == [0, 0]
    for count, p in zip(counts.tolist(), probabilities.tolist(), strict=True):
        assert abs(count - 10_000 * p) <= 4.0 * math.sqrt(10_000 * p * (1 - p))
    assert next_token_counts(probabilities, 0, generator(0)).tolist() == [0] * 5
    with pytest.raises(SettingError, match="n_draws must be at least 0, got -1"):
        next_token_counts(probabilities, -1, generator(0))
