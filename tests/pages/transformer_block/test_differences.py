"""What the page says of a model that is not the readable GPT is true, and all there is."""

from dataclasses import replace

import pytest
import torch

from lm_core.analysis.residual_stream import stages, trace
from lm_core.models.gpt import GPT, GPTConfig
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import POSITIONS, TransformerLanguageModelConfig
from lm_core.rng import generator
from pages.shared.models.read_sentences import Sentence, transformers
from pages.transformer_block.differences import difference_at, differences
from pages.transformer_block.stages import STAGES, described
from tests.pages.visits import text, visit

SMALL = {"vocabulary_size": 13, "context": 12, "width": 24, "heads": 3, "layers": 2}
SHIPPED = {name: Sentence(meta, "").config for name, meta in transformers().items()}
TOKENS = torch.arange(12)[None] % 13


def awake(config):
    """Return a model of these settings in which every weight does something."""
    model, rng = TransformerLanguageModel(config).double(), generator(3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.4 * torch.randn(parameter.shape, generator=rng, dtype=torch.float64)
    return model


def is_gpt(config):
    """Return whether the readable code takes a model's weights, and computes the same with them."""
    model = awake(config)
    readable = GPT(GPTConfig(**SMALL)).double()
    try:
        readable.load_state_dict(model.state_dict())
    except RuntimeError:  # others, or of other shapes
        return False
    with torch.no_grad():
        expected, _ = model(TOKENS, model.initial_state(1))
        return torch.allclose(readable(TOKENS), expected, atol=1e-9)


@pytest.mark.parametrize("name", SHIPPED)
def test_with_all_differences_undone_a_model_is_the_readable_one_and_with_one_left_it_is_not(name):
    config = replace(SHIPPED[name], **SMALL)
    found = differences(config)
    assert found
    as_in_gpt = {one.setting: one.in_gpt for one in found}
    assert is_gpt(replace(config, **as_in_gpt))
    for setting in as_in_gpt:
        left = {other: value for other, value in as_in_gpt.items() if other != setting}
        assert not is_gpt(replace(config, **left)), setting


def test_a_gpt_2_differs_in_nothing():
    config = TransformerLanguageModelConfig(
        **SMALL, position="learned", activation="gelu_tanh", bias=True, tied_output=True
    )
    assert is_gpt(config)
    assert differences(config) == ()
    assert not any(difference_at(config, column) for column in STAGES)


@pytest.mark.parametrize("times", [2, 4])
def test_units_are_as_many_as_the_model_has(times):
    config = TransformerLanguageModelConfig(**SMALL, feed_forward=times)
    found = trace(TransformerLanguageModel(config), TOKENS[0])
    for stage in (stage for stage in stages(config) if stage.name in ("widened", "activated")):
        assert described(stage, config).shape == f"[tokens, {times} * width]"
        assert found[stage].shape[-1] == times * config.width
    (widened,) = (stage for stage in stages(config) if stage.name == "widened" and not stage.layer)
    assert f"{times} times as many *units*" in described(widened, config).meaning


@pytest.mark.parametrize("position", POSITIONS)
def test_every_difference_is_said_in_a_column(position):
    config = TransformerLanguageModelConfig(**SMALL, position=position, feed_forward=2)
    for one in differences(config):
        assert one.said
        assert one.columns
        assert set(one.columns) <= set(STAGES)
        assert all(one.said in difference_at(config, column) for column in one.columns)


def test_the_two_ways_of_computing_gelu_are_as_near_as_is_said():
    x = torch.linspace(-8.0, 8.0, 100_001, dtype=torch.float64)
    exact, approximate = (torch.nn.functional.gelu(x, approximate=how) for how in ("none", "tanh"))
    assert float((exact - approximate).abs().max()) < 0.001


def test_the_page_says_it_at_the_column_and_in_whole():
    app = visit("pages/transformer_block/page.py", stage="3")  # the heads of the first block
    config = SHIPPED["book-subword-transformer"]
    said = text(app)
    assert f"differs from `gpt.py` in {len(differences(config))} points" in said
    assert difference_at(config, "heads") in said
    assert "rotary" in difference_at(config, "heads")
    assert "bounds the scores" in difference_at(config, "heads")
