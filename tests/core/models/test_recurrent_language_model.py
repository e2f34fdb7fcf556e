import pytest
import torch

from lm_core.errors import SettingError, ShapeError
from lm_core.models import recurrent_language_model
from lm_core.models.recurrent import GRUCell, LSTMCell, RNNCell
from lm_core.models.registry import build
from lm_core.rng import generator

PUBLISHED_SHAPE = recurrent_language_model.LSTMLanguageModelConfig(70, 32, 128, 4)
CELLS = {
    recurrent_language_model.RNNLanguageModelConfig: RNNCell,
    recurrent_language_model.GRULanguageModelConfig: GRUCell,
    recurrent_language_model.LSTMLanguageModelConfig: LSTMCell,
}
every_kind = pytest.mark.parametrize("kind", CELLS, ids=lambda kind: kind.__name__[:4])


def make(seed=0, kind=recurrent_language_model.LSTMLanguageModelConfig, **changes):
    config = kind(
        **{"vocabulary_size": 11, "embedding_size": 5, "hidden_size": 8, "layers": 2} | changes
    )
    model = build(config)
    model.initialise(generator(seed))
    return model.eval()


def tokens_of(batch, length, seed=0):
    return torch.randint(0, 11, (batch, length), generator=generator(seed))


def test_the_published_network_has_its_parameter_count():
    assert build(PUBLISHED_SHAPE).parameter_count == 490_502


@every_kind
@torch.no_grad()
def test_it_equals_a_stack_of_the_readable_cells(kind):
    model, tokens = make(kind=kind).double(), tokens_of(3, 12)
    _, state = model(tokens_of(3, 4, seed=1), model.initial_state(3))
    expected, expected_end = model(tokens, state)
    hidden, ends = model.embedding(tokens), []
    for layer, weights in enumerate(model.recurrent.all_weights):
        cell = CELLS[kind](hidden.shape[-1], 8).double()
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        cell.load_state_dict(dict(zip(names, weights, strict=True)))
        hidden, end = cell(hidden, tuple(part[:, layer] for part in state))
        ends.append(end)
    torch.testing.assert_close(model.output(hidden), expected)
    end = tuple(torch.stack(part, 1) for part in zip(*ends, strict=True))
    torch.testing.assert_close(end, expected_end)


@every_kind
@pytest.mark.parametrize("place", ["embedding", "hidden", "output", "recurrent"])
def test_each_dropout_acts_in_training_only_and_is_drawn_from_the_generator(kind, place):
    model, tokens = make(kind=kind, **{f"{place}_dropout": 0.5}), tokens_of(2, 6)
    state = model.initial_state(2)

    def trained(seed):
        return model.training_logits(tokens, state, rng=generator(seed), dtype=torch.float32)[0]

    torch.testing.assert_close(trained(3), trained(3))
    assert not torch.allclose(trained(3), trained(4))
    torch.testing.assert_close(model(tokens, state)[0], make(kind=kind)(tokens, state)[0])


def test_dropout_keeps_the_expected_input_of_the_output_layer():
    model, tokens = make(output_dropout=0.5), tokens_of(1, 4)
    state, rng = model.initial_state(1), generator(0)
    with torch.no_grad():
        draws = [
            model.training_logits(tokens, state, rng=rng, dtype=torch.float32)[0]
            for _ in range(4000)
        ]
        torch.testing.assert_close(
            torch.stack(draws).mean(0), model(tokens, state)[0], atol=0.02, rtol=0.0
        )


@pytest.mark.parametrize(
    ("dropout_mask", "same_at_every_step"), [("window", True), ("step", False)]
)
def test_a_dropout_mask_lasts_a_window_or_a_step(dropout_mask, same_at_every_step):
    model = make(output_dropout=0.5, dropout_mask=dropout_mask)
    with torch.no_grad():  # logit i is unit i, so that dropped units show
        model.output.weight.copy_(torch.eye(11, 8))
        model.output.bias.zero_()
    tokens = tokens_of(2, 6)
    logits, _ = model.training_logits(
        tokens, model.initial_state(2), rng=generator(0), dtype=torch.float32
    )
    dropped = logits[..., :8] == 0.0  # (B, T, H)
    assert dropped.any()
    assert not dropped.all()
    assert bool((dropped == dropped[:, :1]).all()) is same_at_every_step


def test_weights_come_from_the_generator_and_forget_gates_start_open():
    one, same, other = make(5), make(5), make(6)
    torch.testing.assert_close(one.state_dict(), same.state_dict())
    assert not torch.equal(one.output.weight, other.output.weight)
    forget = one.lstm.bias_ih_l0.detach()[8:16]
    assert forget.min() > 1.0 - 8**-0.5 - 1e-6
    assert one.lstm.bias_ih_l0.detach()[:8].max() < 0.5


@every_kind
@torch.no_grad()
def test_every_recurrent_block_starts_orthogonal(kind):
    for block in make(kind=kind).double().recurrent.weight_hh_l1.split(8):
        torch.testing.assert_close(block @ block.T, torch.eye(8).double(), atol=1e-6, rtol=0)


@pytest.mark.parametrize(
    "change",
    [{"layers": 0}, {"hidden_size": -1}, {"output_dropout": 1.0}, {"dropout_mask": "often"}],
)
def test_impossible_configs_are_refused(change):
    name = next(iter(change))
    with pytest.raises(SettingError, match=name):
        make(**change)


def test_tokens_of_another_rank_are_refused():
    model = make()
    with pytest.raises(ShapeError, match=r"\(B, T\), got \(3,\)"):
        model(torch.zeros(3, dtype=torch.int64), model.initial_state(1))
