"""The masked language model: it sees both sides, padding changes nothing, and it equals a transformer without a mask."""

import pytest
import torch

from lm_core.errors import SettingError, ShapeError
from lm_core.models.masked_language_model import (
    SPECIAL_SYMBOLS,
    MaskedLanguageModel,
    MaskedLanguageModelConfig,
    between_symbols,
    gap_probabilities,
)
from lm_core.models.registry import build, config_from_dict, config_to_dict
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator

V = 13
CONFIG = MaskedLanguageModelConfig(V, width=8, heads=2, layers=2, feed_forward=2, longest=12)


def a_model(seed=3):
    model = MaskedLanguageModel(CONFIG)
    model.initialise(generator(seed))
    with torch.no_grad():  # far from even predictions
        model.embedding.weight *= 40.0
        model.output.weight *= 40.0
    return model.double().eval()


def a_text(rows, length, seed=5):
    return torch.randint(V, (rows, length), generator=generator(seed))


def test_every_place_depends_on_every_other_before_and_behind():
    model, tokens, lengths = a_model(), a_text(1, 6), torch.tensor([6])
    for changed in range(6):
        other = tokens.clone()
        other[0, changed] = (other[0, changed] + 1) % V
        difference = (model(tokens, lengths) - model(other, lengths)).abs().amax(-1)[0]
        assert (difference > 1e-9).all()


def test_padding_changes_nothing():
    model, tokens = a_model(), a_text(2, 9)
    tokens[1, 4:] = CONFIG.padding_id
    together = model(tokens, torch.tensor([9, 4]))
    torch.testing.assert_close(together[1:, :4], model(tokens[1:, :4], torch.tensor([4])))


def test_it_is_a_transformer_without_a_causal_mask():
    sizes = {"width": 8, "heads": 2, "layers": 2, "feed_forward": 2}
    config = TransformerLanguageModelConfig(
        V, **sizes, context=12, causal=False, query_key_norm=True
    )
    reference = TransformerLanguageModel(config)
    reference.initialise(generator(1))
    model = MaskedLanguageModel(CONFIG)
    model.start_from(reference)
    tokens = a_text(2, 7)
    expected, _ = reference(tokens, reference.initial_state(2))
    torch.testing.assert_close(model(tokens, torch.tensor([7, 7])), expected)
    special = model.embedding.weight[V:]
    torch.testing.assert_close(
        special, reference.embedding.weight.mean(0).expand(len(SPECIAL_SYMBOLS), -1)
    )


def test_weights_of_other_sizes_are_refused():
    other = TransformerLanguageModel(TransformerLanguageModelConfig(V, 8, 2, 1))
    with pytest.raises(SettingError, match="same sizes"):
        MaskedLanguageModel(CONFIG).start_from(other)


def test_dropout_is_drawn_from_the_generator_alone():
    model = MaskedLanguageModel(
        MaskedLanguageModelConfig(V, width=8, heads=2, layers=1, dropout=0.5, longest=12)
    )
    model.initialise(generator(0))
    tokens, lengths = a_text(1, 6), torch.tensor([6])

    def drawn(seed):
        return model.training_hidden_states(
            tokens, lengths, rng=generator(seed), dtype=torch.float32
        )

    torch.testing.assert_close(drawn(1), drawn(1))
    assert not torch.equal(drawn(1), drawn(2))
    assert not torch.equal(drawn(1), model.hidden_states(tokens, lengths))


def test_what_is_covered_cannot_be_seen():
    model, tokens = a_model(), a_text(1, 5)
    covered = tokens.clone()
    covered[0, 2] = CONFIG.mask_id
    p = gap_probabilities(model, covered, torch.tensor([[2, 4]]))
    assert p.shape == (1, 2, V)
    torch.testing.assert_close(p.sum(-1), torch.ones(1, 2, dtype=torch.float64))
    framed = between_symbols(covered, CONFIG)
    assert framed[0].tolist() == [CONFIG.first_id, *covered[0].tolist(), CONFIG.separator_id]
    logits = model(framed, torch.tensor([7]))
    torch.testing.assert_close(p[0], logits[0, [3, 5]].softmax(-1))


@pytest.mark.parametrize("shape", [(5,), (1, 13), (1, 0)])
def test_texts_of_another_shape_are_refused(shape):
    with pytest.raises(ShapeError, match="from 1 to 12"):
        a_model()(torch.zeros(shape, dtype=torch.int64), torch.tensor([1]))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"width": 6, "heads": 2}, "twice the heads"),
        ({"dropout": 1.0}, "dropout"),
        ({"layers": 0}, "layers"),
    ],
)
def test_impossible_sizes_are_refused(fields, said):
    with pytest.raises(SettingError, match=said):
        MaskedLanguageModelConfig(V, **fields)


def test_the_registry_builds_it_from_its_record():
    config = config_from_dict(config_to_dict(CONFIG))
    assert config == CONFIG
    model = build(config)
    assert isinstance(model, MaskedLanguageModel)
    assert model.parameter_count == sum(p.numel() for p in model.parameters())
