"""Encoder-decoders: laws that hold for every family, and the recurrent one against torch's GRU."""

import pytest
import torch
from torch import nn

from lm_core.errors import SettingError
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.models.encoder_decoder_transformer import EncoderDecoderTransformerConfig
from lm_core.models.language_model import select_rows
from lm_core.models.registry import build, config_from_dict, config_to_dict
from lm_core.rng import generator

V = 17
SIZES = {"embedding_size": 6, "encoder_size": 5, "hidden_size": 7, "context_size": 4}
CONFIGS = {
    **{
        attention: EncoderDecoderConfig(V, attention, **SIZES, attention_size=3)
        for attention in ("none", "additive", "dot")
    },
    "transformer": EncoderDecoderTransformerConfig(V, width=8, heads=2, layers=2, longest=40),
}
WITH_ATTENTION = [name for name in CONFIGS if name != "none"]


def model_named(name):
    model = build(CONFIGS[name])
    model.initialise(generator(3))
    return model.double().eval()


def tokens(rows, length, seed=5):
    return torch.randint(4, V, (rows, length), generator=generator(seed))


@pytest.fixture(params=CONFIGS)
def model(request):
    return model_named(request.param)


def test_padding_changes_nothing(model):
    source, target = tokens(2, 9), tokens(2, 6, seed=6)
    lengths = torch.tensor([9, 4])
    together = model(source, lengths, target)
    alone = model(source[1:, :4], lengths[1:], target[1:])
    torch.testing.assert_close(together[1:], alone)
    other = source.clone()
    other[1, 4:] = tokens(1, 5, seed=8)
    torch.testing.assert_close(model(other, lengths, target), together)


def test_the_source_is_read(model):
    source, target = tokens(1, 5), tokens(1, 3, seed=6)
    other = source.clone()
    other[0, 2] = (other[0, 2] + 1) % V
    lengths = torch.tensor([5])
    assert (model(source, lengths, target) - model(other, lengths, target)).abs().max() > 1e-6


def test_token_by_token_from_the_state_is_all_at_once(model):
    source, target, lengths = tokens(3, 7), tokens(3, 6, seed=6), torch.tensor([7, 2, 5])
    state = model.encode(source, lengths)
    whole = model.decode(target, state, trace=True)
    parts = []
    for piece in target.split([1, 2, 1, 2], 1):
        parts.append(model.decode(piece, state, trace=True))
        state = parts[-1].state
    torch.testing.assert_close(torch.cat([part.logits for part in parts], 1), whole.logits)
    if whole.weights is not None:
        weights = torch.cat([part.weights for part in parts], 3)
        torch.testing.assert_close(weights, whole.weights)


def test_a_token_never_sees_what_follows_it(model):
    source, target, lengths = tokens(1, 5), tokens(1, 6, seed=6), torch.tensor([5])
    other = target.clone()
    other[0, 4] = (other[0, 4] + 1) % V
    before, after = model(source, lengths, target), model(source, lengths, other)
    torch.testing.assert_close(before[:, :4], after[:, :4])
    assert (before[:, 4] - after[:, 4]).abs().max() > 1e-6


def test_states_are_chosen_by_row(model):
    source, lengths, target = tokens(3, 7), torch.tensor([7, 2, 5]), tokens(3, 4, seed=6)
    state = model.decode(target, model.encode(source, lengths)).state
    rows = torch.tensor([2, 0, 2])
    chosen = model.decode(target[rows, :1], select_rows(state, rows)).logits
    torch.testing.assert_close(chosen, model.decode(target[:, :1], state).logits[rows])


@pytest.mark.parametrize("name", WITH_ATTENTION)
def test_weights_are_distributions_over_the_sentence_alone(name):
    model = model_named(name)
    layers, heads = model.cross_attention_shape
    state = model.encode(tokens(2, 6), torch.tensor([6, 3]))
    weights = model.decode(tokens(2, 5, seed=6), state, trace=True).weights
    assert weights.shape == (2, layers, heads, 5, 6)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, layers, heads, 5).double())
    assert (weights[1, ..., 3:] == 0.0).all()
    assert (weights[1, ..., :3] > 0.0).all()


def test_without_attention_nothing_can_be_traced():
    model = model_named("none")
    state = model.encode(tokens(1, 4), torch.tensor([4]))
    assert model.decode(tokens(1, 2), state, trace=True).weights is None
    assert model.cross_attention_shape == (0, 0)


@pytest.mark.parametrize("name", WITH_ATTENTION)
def test_an_ablated_model_does_not_read_the_source_by_attention(name):
    model = model_named(name)
    nothing = torch.zeros(model.cross_attention_shape).double()
    target, lengths = tokens(1, 4, seed=6), torch.tensor([5])
    first, second = (model.encode(tokens(1, 5, seed=seed), lengths) for seed in (5, 6))
    if name != "transformer":
        second = (first[0], *second[1:])  # the decoder's start is no attention
    ablated = [model.decode(target, state, kept_heads=nothing).logits for state in (first, second)]
    torch.testing.assert_close(*ablated)
    kept = model.decode(target, first, kept_heads=torch.ones_like(nothing)).logits
    torch.testing.assert_close(kept, model.decode(target, first).logits)
    assert (kept - ablated[0]).abs().max() > 1e-6


def test_scheduled_sampling_reads_what_the_model_expects(model):
    source, lengths, target = tokens(2, 6), torch.tensor([6, 3]), tokens(2, 5, seed=6)
    forced = model.training_logits(source, lengths, target, rng=generator(1))
    torch.testing.assert_close(forced, model(source, lengths, target))
    own = model.training_logits(source, lengths, target, rng=generator(1), sampled=1.0)
    read = torch.cat([target[:, :1], own[:, :-1].argmax(-1)], 1)
    torch.testing.assert_close(own, model(source, lengths, read))
    assert (own - forced).abs().max() > 1e-6


def test_dropout_is_drawn_from_the_generator_and_only_in_training():
    config = EncoderDecoderConfig(V, **SIZES, dropout=0.5)
    model = build(config)
    model.initialise(generator(1))
    arguments = tokens(2, 6), torch.tensor([6, 3]), tokens(2, 5, seed=6)
    one, same, other = (
        model.training_logits(*arguments, rng=generator(seed)) for seed in (1, 1, 2)
    )
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
    assert torch.equal(model(*arguments), model(*arguments))


def test_a_config_comes_back_from_its_record(model):
    assert config_from_dict(config_to_dict(model.config)) == model.config


@pytest.mark.parametrize(
    "wrong", [{"attention": "local"}, {"hidden_size": 0}, {"dropout": 1.0}], ids=str
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(SettingError, match=next(iter(wrong))):
        EncoderDecoderConfig(V, **wrong)


def test_without_attention_the_decoder_is_torchs_gru_on_embedding_and_context():
    model = model_named("none")
    config, target = model.config, tokens(2, 6, seed=6)
    hidden, context = model.encode(tokens(2, 7), torch.tensor([7, 4]))
    gru = nn.GRU(
        config.embedding_size + config.context_size, config.hidden_size, batch_first=True
    ).double()
    gru.load_state_dict({f"{n}_l0": w for n, w in model.decoder.state_dict().items()})
    embedded = model.embedding(target) * config.embedding_size**0.5
    contexts = context[:, None].expand(-1, 6, -1)
    states, _ = gru(torch.cat([embedded, contexts], -1), hidden[None])
    read_out = torch.tanh(model.readout(torch.cat([states, contexts, embedded], -1)))
    expected = read_out @ model.embedding.weight.T + model.output_bias
    output = model.decode(target, (hidden, context))
    torch.testing.assert_close(output.logits, expected)
    torch.testing.assert_close(output.state[0], states[:, -1])


@pytest.mark.parametrize("name", ["additive", "dot"])
def test_the_first_context_is_the_weighted_mean_of_the_formula(name):
    model = model_named(name)
    state = model.encode(tokens(1, 4), torch.tensor([4]))
    hidden, _, contexts, _ = state
    packed, _ = model.encoder(model.embedding(tokens(1, 4)) * model.config.embedding_size**0.5)
    query, keys = hidden @ model.scores.query, packed @ model.scores.key
    if name == "additive":
        scores = torch.tanh(query[:, None] + keys) @ model.scores.direction
    else:
        scores = (query[:, None] * keys).sum(-1) / keys.shape[-1] ** 0.5
    expected = scores.softmax(-1)
    weights = model.decode(tokens(1, 1, seed=6), state, trace=True).weights[0, 0, 0]
    torch.testing.assert_close(weights, expected)
    torch.testing.assert_close(contexts, torch.tanh(model.context(packed)))


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_decoder_follows_the_right_tokens_or_all_of_its_own(model, share):
    state, target = model.encode(tokens(2, 7), torch.tensor([7, 4])), tokens(2, 5, seed=6)
    followed = model.follow_own_tokens(target, state, share, generator(1))
    torch.testing.assert_close(followed.logits, model.decode(followed.read, state).logits)
    expected = target[:, 1:] if share == 0.0 else followed.logits.argmax(-1)[:, :-1]
    assert torch.equal(followed.read[:, 1:], expected)
    assert torch.equal(followed.read[:, :1], target[:, :1])
