"""The GPT in one file computes what the switchable transformer computes, and what GPT-2 does."""

import inspect
from copy import deepcopy

import pytest
import torch

from lm_core.errors import ShapeError
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import generate
from lm_core.models import gpt
from lm_core.models.gpt import GPT, GPTConfig
from lm_core.models.gpt2 import config_of_gpt2, weights_of_gpt2
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from tests import gpt2_folder

SIZES = {"vocabulary_size": 13, "context": 12, "width": 24, "heads": 3, "layers": 3}


@pytest.fixture(scope="module")
def models():
    """Return both models with the same weights, far from even, biases and gains included."""
    config = TransformerLanguageModelConfig(
        **SIZES, position="learned", activation="gelu_tanh", bias=True, tied_output=True
    )
    switchable = TransformerLanguageModel(config)
    rng = generator(3)
    with torch.no_grad():
        for parameter in switchable.parameters():
            parameter.normal_(0.0, 0.4, generator=rng)
    small = GPT(GPTConfig(**SIZES))
    small.load_state_dict(switchable.state_dict())
    return small.eval(), switchable.eval()


@torch.no_grad()
@pytest.mark.parametrize("n_tokens", [1, 5, 12])
def test_its_logits_are_the_switchable_transformers(models, n_tokens):
    small, switchable = models
    tokens = torch.randint(13, (4, n_tokens), generator=generator(n_tokens))
    expected, _ = switchable(tokens, switchable.initial_state(4))
    torch.testing.assert_close(small(tokens), expected, rtol=1e-5, atol=1e-5)
    # Exactly the same function: what is left in float64 is rounding.
    small, switchable = deepcopy(small).double(), deepcopy(switchable).double()
    expected, _ = switchable(tokens, switchable.initial_state(4))
    torch.testing.assert_close(small(tokens), expected, rtol=1e-12, atol=1e-12)


def test_both_learn_the_same_way(models):
    small, switchable = models
    tokens = torch.randint(13, (4, 12), generator=generator(1))
    small(tokens).square().mean().backward()
    switchable(tokens, switchable.initial_state(4))[0].square().mean().backward()
    others = dict(switchable.named_parameters())
    for name, parameter in small.named_parameters():
        torch.testing.assert_close(parameter.grad, others[name].grad, rtol=1e-4, atol=1e-5)


def test_greedy_texts_are_the_same(models):
    small, switchable = models
    for first in range(13):
        written = generate(switchable, [first], SamplingSettings(temperature=0.0), seed=0)
        expected = [next(written).token for _ in range(11)]
        prompt = torch.tensor([[first]])
        found = small.generate(prompt, 11, temperature=0.0, rng=generator(0))
        assert found[0].tolist() == [first, *expected]


@torch.no_grad()
def test_a_gpt_2_from_its_files_gives_the_same_logits():
    config = config_of_gpt2(gpt2_folder.config())
    stored = weights_of_gpt2(gpt2_folder.weights(), config)
    switchable = TransformerLanguageModel(config)
    switchable.load_state_dict(stored)
    sizes = {name: getattr(config, name) for name in SIZES}
    small = GPT(GPTConfig(**sizes))
    small.load_state_dict({name: w for name, w in stored.items() if name != "output.weight"})
    tokens = torch.arange(24).reshape(2, 12) * 11 % config.vocabulary_size
    expected, _ = switchable(tokens, switchable.initial_state(2))
    torch.testing.assert_close(small(tokens), expected, rtol=1e-5, atol=1e-4)


@torch.no_grad()
def test_no_token_changes_what_was_predicted_before_it(models):
    small, _ = models
    tokens = torch.randint(13, (1, 12), generator=generator(2))
    before = small(tokens)
    tokens[0, 7] = (tokens[0, 7] + 1) % 13
    after = small(tokens)
    torch.testing.assert_close(after[:, :7], before[:, :7])
    assert not torch.allclose(after[:, 7:], before[:, 7:])


def test_it_draws_in_proportion_to_its_predictions(models):
    small, _ = models
    prompt = torch.tensor([[4, 9]])
    with torch.no_grad():
        expected = (small(prompt)[0, -1] / 3.0).softmax(-1)
    written = small.generate(prompt.expand(40_000, -1), 1, temperature=3.0, rng=generator(0))
    found = written[:, -1].bincount(minlength=13) / 40_000
    torch.testing.assert_close(found, expected, rtol=0.0, atol=0.01)


def test_a_long_text_is_read_from_its_last_tokens_on(models):
    small, _ = models
    tokens = torch.randint(13, (2, 30), generator=generator(5))
    rng = generator(0)
    whole = small.generate(tokens, 1, temperature=0.0, rng=rng)
    last = small.generate(tokens[:, -12:], 1, temperature=0.0, rng=rng)
    assert whole.shape == (2, 31)
    assert whole[:, -1].tolist() == last[:, -1].tolist()


@pytest.mark.parametrize("n_tokens", [0, 13])
def test_it_reads_no_more_than_its_context(models, n_tokens):
    with pytest.raises(ShapeError, match="1 to 12 tokens"):
        models[0](torch.zeros(1, n_tokens, dtype=torch.int64))


def test_it_starts_with_even_predictions_and_a_stream_that_does_not_grow():
    model = GPT(GPTConfig(vocabulary_size=50, context=32, width=64, heads=4, layers=8))
    model.initialise(generator(0))
    tokens = torch.randint(50, (8, 32), generator=generator(1))
    following = torch.randint(50, (8 * 32,), generator=generator(2))
    loss = torch.nn.functional.cross_entropy(model(tokens).flatten(0, 1), following)
    assert loss.item() == pytest.approx(torch.tensor(50.0).log().item(), abs=0.1)
    narrowed = torch.stack([block.narrowed.weight.std() for block in model.blocks]).mean().item()
    assert narrowed == pytest.approx(0.02 / 16**0.5, rel=0.05)
    assert model.codes.weight.std().item() == pytest.approx(0.02, rel=0.05)


def test_it_is_a_file_to_be_read_in_one_go():
    assert len(inspect.getsource(gpt).splitlines()) <= 160
