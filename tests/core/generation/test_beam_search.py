from itertools import product

import pytest
import torch

from lm_core.errors import SettingError, TextError
from lm_core.generation.beam_search import beam_search
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from tests.core.toy_models import PairModel, random_lstm, random_pair_model

SEEDS = range(6)


def log_probability(model, prompt: list[int], text: tuple[int, ...]) -> float:
    tokens = torch.tensor([[*prompt, *text]])
    with torch.no_grad():
        logits, _ = model(tokens, model.initial_state(1))
    rows = logits[0, len(prompt) - 1 : -1].log_softmax(-1, dtype=torch.float64)
    return float(rows.gather(-1, torch.tensor(text).unsqueeze(-1)).sum())


@pytest.mark.parametrize("seed", SEEDS)
def test_width_one_is_greedy(seed):
    model = random_lstm(seed=seed)
    generation = TextGeneration.begin(model, [1, 2], SamplingSettings(temperature=0.0), seed=0)
    generation.write(25)
    (beam,) = beam_search(model, [1, 2], width=1, length=25)
    assert beam.tokens == tuple(written.token for written in generation.written)


@pytest.mark.parametrize("width", [4**2, 4**3])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_width_that_loses_nothing_finds_the_best_of_all_texts(seed, width):
    model = random_pair_model(4, seed)
    beams = beam_search(model, [2], width, length=3)
    every = {text: log_probability(model, [2], text) for text in product(range(4), repeat=3)}
    assert len(beams) == width
    assert beams[0].log_probability == pytest.approx(max(every.values()))
    for beam in beams:
        assert beam.log_probability == pytest.approx(every[beam.tokens])
    if width == 4**3:
        assert {beam.tokens for beam in beams} == set(every)


@pytest.mark.parametrize("width", [1, 3, 8])
@pytest.mark.parametrize("seed", SEEDS)
def test_beams_are_distinct_sorted_and_scored_as_the_model_scores_them(seed, width):
    model = random_lstm(seed=seed)
    beams = beam_search(model, [1, 5], width, length=12)
    assert len({beam.tokens for beam in beams}) == width
    scores = [beam.log_probability for beam in beams]
    assert scores == sorted(scores, reverse=True)
    for beam in beams:
        assert beam.log_probability == pytest.approx(
            log_probability(model, [1, 5], beam.tokens), abs=1e-4
        )


def test_two_beams_find_what_greedy_misses():
    # From 0 the likeliest step is to 1 (0.6), but after it all is even; after 2 all is certain.
    steps = torch.tensor([[0.0, 0.6, 0.4], [1 / 3, 1 / 3, 1 / 3], [0.0, 0.0, 1.0]])
    model = PairModel(steps.log())
    (greedy,) = beam_search(model, [0], width=1, length=2)
    assert greedy.tokens == (1, 0)
    best = beam_search(model, [0], width=2, length=2)[0]
    assert best.tokens == (2, 2)
    assert best.log_probability == pytest.approx(torch.tensor(0.4).log().item())


def test_impossible_texts_are_left_out():
    model = PairModel(torch.tensor([[0.0, 1.0], [1.0, 0.0]]).log())
    beams = beam_search(model, [0], width=4, length=3)
    assert [beam.tokens for beam in beams] == [(1, 0, 1)]


def test_ties_go_to_the_text_that_comes_first():
    model = PairModel(torch.zeros(3, 3))
    beams = beam_search(model, [0], width=4, length=2)
    assert [beam.tokens for beam in beams] == [(0, 0), (0, 1), (0, 2), (1, 0)]


@pytest.mark.parametrize(("width", "length"), [(0, 3), (3, 0)])
def test_no_width_or_no_length_is_refused(width, length):
    with pytest.raises(SettingError, match="must be at least 1, got 0"):
        beam_search(random_pair_model(), [1], width, length)


def test_an_empty_prompt_is_refused():
    with pytest.raises(TextError, match="at least one character"):
        beam_search(random_pair_model(), [], 2, 2)
