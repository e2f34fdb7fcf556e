"""The trainings on offer: they fit their texts, and what they cost is worked out from what is measured."""

import dataclasses
from itertools import pairwise

import pytest
import torch

from lm_core.errors import SettingError, TextError
from lm_core.experiments.war_and_peace import presets
from lm_core.models.ngram import KneserNeyConfig
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.models.registry import build
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.own_text import SHORTEST
from lm_core.text.training_text import TRAIN_SHARE
from lm_core.training.checkpoints import SHIPPED, list_checkpoints, load_checkpoint, read_meta
from lm_core.training.language_modelling import Training, TrainingConfig
from lm_core.training.recipes import Recipe

TINY = Recipe(
    name="tiny",
    title="Tiny",
    about="For the tests.",
    model=LSTMLanguageModelConfig(8, 6, 12, 1),
    training=TrainingConfig(steps=60, batch=4, window=16),
)


def test_presets_go_by_their_own_name_and_begin_from_nothing_but_a_text():
    assert list(presets.PRESETS) == ["words", "better", "deep", "wide"]
    for name, preset in presets.PRESETS.items():
        assert preset.name == name
        assert preset.starts_from is None
        assert not preset.teachers  # which would know the book alone


def test_the_shortest_text_that_is_accepted_will_do_for_the_smallest_preset():
    assert presets.fewest_characters(presets.WORDS) <= SHORTEST


@pytest.mark.parametrize("preset", [TINY, *presets.PRESETS.values()], ids=lambda p: p.name)
def test_so_many_characters_are_enough_and_hardly_more_than_enough(preset):
    # A network of a few units, which cuts the text as the preset's does.
    model = build(LSTMLanguageModelConfig(8, 2, 2, 1))
    fewest = presets.fewest_characters(preset)
    enough = torch.zeros(int(TRAIN_SHARE * fewest), dtype=torch.int64)
    Training(model, enough, preset.training)
    with pytest.raises(TextError, match="use a longer text"):
        Training(model, enough[: int(TRAIN_SHARE * (fewest - 5))], preset.training)


def test_a_preset_is_cut_to_the_alphabet_of_a_text():
    preset = presets.fitted(presets.WORDS, 123)
    assert preset.model == dataclasses.replace(presets.WORDS.model, vocabulary_size=123)
    assert preset.training == presets.WORDS.training
    assert build(preset.model).vocabulary_size == 123


def test_the_quickest_preset_in_another_size_is_named_by_it_and_differs_in_nothing_else():
    deep = presets.words_of_size(3, 128)
    assert (deep.name, deep.title) == ("words-3x128", "LSTM 3 x 128")
    assert (deep.model.layers, deep.model.hidden_size) == (3, 128)
    assert dataclasses.replace(deep.model, layers=1, hidden_size=256) == presets.WORDS.model
    assert deep.training == presets.WORDS.training
    assert presets.words_of_size(1, 256) is presets.WORDS


def test_twice_as_many_units_have_three_to_four_times_as_many_weights():
    def weights(layers, width):
        return build(presets.words_of_size(layers, width).model).parameter_count

    grown = [
        weights(layers, wide) / weights(layers, narrow)
        for layers in presets.LAYERS
        for narrow, wide in pairwise(presets.WIDTHS)
    ]
    assert {round(times) for times in grown} == {3, 4}
    assert max(grown) < 4


def test_the_largest_size_on_offer_needs_no_more_memory_than_other_presets_may():
    largest = presets.words_of_size(presets.LAYERS[-1], presets.WIDTHS[-1])
    assert presets.memory_bytes(presets.WORDS, 3_000_000) < presets.memory_bytes(largest, 3_000_000)
    assert presets.memory_bytes(largest, 3_000_000) < 1e9


@pytest.mark.parametrize("name", [m.name for m in list_checkpoints() if "lstm" in m.name])
def test_every_shipped_network_can_go_on_learning(name):
    meta = read_meta(SHIPPED / name)
    recipe = presets.continued(meta)
    assert recipe.model == load_checkpoint(SHIPPED / name).model.config
    assert recipe.starts_from == meta.name != recipe.name
    assert recipe.training.learning_rate < meta.recipe["learning_rate"]
    assert recipe.training.warmup_steps < 0.1 * recipe.training.steps
    assert presets.continued(meta, steps=7).training.steps == 7
    size = meta.config["vocabulary_size"]
    assert presets.fitted(recipe, size) == recipe
    with pytest.raises(SettingError, match=rf"reads {size} symbols, not {size + 1}: encode"):
        presets.fitted(recipe, size + 1)


def test_a_counted_model_cannot_go_on_learning():
    meta = read_meta(SHIPPED / "book-ngram")
    assert meta.config["family"] == KneserNeyConfig.__name__
    with pytest.raises(SettingError, match="book-ngram was counted, not trained"):
        presets.continued(meta)


def test_a_training_is_as_long_as_its_characters_at_the_measured_speed():
    assert presets.estimated_seconds(TINY, speed=1_000.0) == pytest.approx(60 * 4 * 16 / 1_000.0)


def test_memory_grows_with_all_that_is_held():
    # By hand: 350 MB; (8*6 + 48*(6+12+2) + 13*8) parameters of 16 B; 64 positions of
    # 4 * (12*12 + 4*8) B; 1000 characters of 24 B.
    assert presets.memory_bytes(TINY, 1_000) == 350_000_000 + 1_112 * 16 + 64 * 704 + 24_000
    sizes = [presets.memory_bytes(preset, 3_000_000) for preset in presets.PRESETS.values()]
    assert sizes[0] == min(sizes)
    assert sizes[-1] == max(sizes) < 1e9


def test_memory_of_a_transformer_counts_its_keys_too():
    recipe = dataclasses.replace(
        TINY, model=TransformerLanguageModelConfig(8, 16, 2, 3, context=10)
    )
    # By hand: 64 positions of 4 * (3 * (16 * (14 + 2*4) + 2 * 2*10 * 3) + 8*4) B.
    parameters = build(recipe.model).parameter_count
    positions = 64 * 4 * (3 * (352 + 120) + 32)
    assert presets.memory_bytes(recipe, 1_000) == 350_000_000 + parameters * 16 + positions + 24_000


def test_the_speed_is_that_of_the_step_that_will_be_repeated(monkeypatch):
    """On a machine whose steps take a second for 16 positions and 4 streams."""
    taken = []

    def take_step(training):
        taken.append(training.config.window)
        training.loop.step += 1
        training.loop.seconds += training.config.window / 16 / 4

    monkeypatch.setattr(Training, "take_step", take_step)
    assert presets.measure_speed(TINY) == pytest.approx(4 * 16 * 4)
    assert taken == [8, 8, 16, 16]  # two to warm up, then until 0.3 s are over


def test_a_slow_network_is_measured_on_a_shorter_window(monkeypatch):
    taken = []

    def take_step(training):
        taken.append(training.config.window)
        training.loop.step += 1
        training.loop.seconds += training.config.window  # a second for each position

    monkeypatch.setattr(Training, "take_step", take_step)
    assert presets.measure_speed(TINY) == pytest.approx(4.0)
    assert taken == [8, 8, 1]


def test_measuring_a_speed_leaves_no_trace_in_the_training_that_follows():
    text = torch.randint(0, 8, (400,), generator=generator(0))
    before = next(iter(Training(build(TINY.model), text, TINY.training))).loss
    assert presets.measure_speed(TINY) > 0.0
    assert next(iter(Training(build(TINY.model), text, TINY.training))).loss == before
