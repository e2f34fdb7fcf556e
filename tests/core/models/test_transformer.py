import math
from itertools import islice

import pytest
import torch

from lm_core.errors import SettingError, ShapeError
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import generate
from lm_core.models.multi_head_attention import AttentionMask
from lm_core.models.registry import build
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_blocks import dropout
from lm_core.models.transformer_config import NORMS, POSITIONS, TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.training.evaluation import carried_losses
from lm_core.training.language_modelling import TrainingConfig, train
from tests.core.models.test_language_model_laws import assert_reads_alike_in_pieces

SMALL = {"vocabulary_size": 11, "width": 8, "heads": 2, "layers": 2, "context": 6}
MODERN = {"normalisation": "rms_norm", "activation": "swiglu", "key_value_heads": 2}
RELATIVE = [position for position in POSITIONS if position in ("rotary", "t5", "alibi", "none")]


def make(seed=0, **changes):
    model = build(TransformerLanguageModelConfig(**SMALL | changes))
    model.initialise(generator(seed))
    with torch.no_grad():  # far from even, so that differences show
        model.embedding.weight.normal_(generator=generator(seed + 1))
        model.output.weight.normal_(generator=generator(seed + 2))
        if model.config.position == "t5":
            model.bucket_bias.weight.normal_(generator=generator(seed + 3))
        for name, gain in model.named_parameters():
            if name.endswith(("query_norm.weight", "key_norm.weight")):
                gain.uniform_(0.5, 2.0, generator=generator(seed + 4))
    return model.eval()


def tokens_of(batch, length, seed=0):
    return torch.randint(0, 11, (batch, length), generator=generator(seed))


def test_modern_parts_have_as_many_weights_as_those_in_their_place():
    sizes = {"width": 24, "heads": 4, "layers": 1}
    plain, extra = make(**sizes), 24 * 24  # two key/value heads spare half of two matrices
    assert make(**sizes, activation="swiglu").parameter_count == plain.parameter_count
    assert make(**sizes, key_value_heads=2).parameter_count == plain.parameter_count - extra
    wider = make(**sizes, key_value_heads=2, feed_forward=4.5)
    assert wider.parameter_count == plain.parameter_count
    without_biases = plain.parameter_count - 3 * 24
    assert make(**sizes, normalisation="rms_norm").parameter_count == without_biases
    assert make(**sizes, **MODERN, feed_forward=4.5).parameter_count == without_biases


def test_the_parameter_count_is_the_one_on_paper():
    width, layers, size = 8, 2, 11
    block = 3 * width**2 + width**2 + 2 * 4 * width**2 + 4 * width
    expected = size * width + layers * block + 2 * width + size * width + size
    assert make().parameter_count == expected
    assert make(query_key_norm=True).parameter_count == expected + layers * 2 * 4


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("query_key_norm", [False, True])
def test_reading_in_pieces_equals_reading_at_once(position, norm, query_key_norm):
    model = make(position=position, norm=norm, query_key_norm=query_key_norm).double()
    assert_reads_alike_in_pieces(model, tokens_of(3, 20))


@pytest.mark.parametrize("position", ["rotary", "alibi", "learned"])
@pytest.mark.parametrize("switched", [list(MODERN), *([switch] for switch in MODERN)], ids="+".join)
def test_modern_parts_read_in_pieces_what_they_read_at_once(position, switched):
    changes = {switch: MODERN[switch] for switch in switched}
    model = make(heads=4, width=16, position=position, **changes).double()
    assert_reads_alike_in_pieces(model, tokens_of(3, 20))


@torch.no_grad()
@pytest.mark.parametrize(("shared", "width"), [(None, 16), (4, 16), (2, 8), (1, 4)])
def test_the_cache_holds_the_keys_and_values_of_the_heads_that_have_their_own(shared, width):
    model = make(heads=4, width=16, key_value_heads=shared)
    assert [tensor.shape for tensor in model.initial_state(2)] == 4 * [(2, 0, width)]
    _, state = model(tokens_of(2, 4), model.initial_state(2))
    assert [tensor.shape for tensor in state] == 4 * [(2, 4, width)]


@torch.no_grad()
@pytest.mark.parametrize("position", RELATIVE)
def test_each_layer_attends_to_the_context_and_no_further(position):
    model, tokens = make(position=position, layers=1).double(), tokens_of(1, 20)
    whole, _ = model(tokens, model.initial_state(1))
    for t in (3, 5, 6, 19):
        first = max(0, t - 5)  # a context of 6, itself included
        alone, _ = model(tokens[:, first : t + 1], model.initial_state(1))
        torch.testing.assert_close(alone[:, -1], whole[:, t])
        if t > 5:
            shorter, _ = model(tokens[:, first + 1 : t + 1], model.initial_state(1))
            assert not torch.allclose(shorter[:, -1], whole[:, t])


@torch.no_grad()
@pytest.mark.parametrize("position", ["learned", "sinusoidal", "binary"])
def test_added_codes_are_read_in_blocks_that_know_nothing_of_each_other(position):
    model, tokens = make(position=position).double(), tokens_of(2, 15)
    whole, state = model(tokens, model.initial_state(2))
    second, _ = model(tokens[:, 6:12], model.initial_state(2))
    torch.testing.assert_close(whole[:, 6:12], second)
    assert state[0].shape == (2, 3, 8)
    _, at_the_end = model(tokens[:, :12], model.initial_state(2))
    assert at_the_end[0].shape == (2, 0, 8)


@torch.no_grad()
@pytest.mark.parametrize("position", POSITIONS)
def test_order_counts_if_and_only_if_there_are_positions(position):
    model = make(position=position, causal=False).double()
    tokens, order = tokens_of(1, 6), torch.tensor([3, 1, 0, 2, 4, 5])
    first, _ = model(tokens, model.initial_state(1))
    second, _ = model(tokens[:, order], model.initial_state(1))
    is_same = torch.allclose(second[:, -1], first[:, -1])
    assert is_same is (position == "none")


@pytest.mark.parametrize("causal", [True, False])
def test_without_the_mask_the_model_sees_what_it_is_to_predict(causal):
    text = torch.randint(0, 4, (2_000,), generator=generator(0))  # nothing can be learned of it
    config = TrainingConfig(steps=100, batch=16, window=6, learning_rate=3e-2, warmup_steps=10)
    model = build(
        TransformerLanguageModelConfig(
            4, 16, 2, 1, 6, position="learned", causal=causal, cold_starts=1.0
        )
    )
    losses = [step.loss for step in train(model, text, config)]
    honest, only_the_last_is_unseen = math.log(4), math.log(4) / 6
    assert sum(losses[-10:]) / 10 == pytest.approx(
        honest if causal else only_the_last_is_unseen, abs=0.1
    )


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_training_logits_without_dropout_are_the_plain_ones(position, dtype):
    model, tokens = make(position=position), tokens_of(3, 4)
    _, state = model(tokens_of(3, 3, seed=1), model.initial_state(3))
    plain, end = model(tokens, state)
    trained, trained_end = model.training_logits(tokens, state, rng=generator(0), dtype=dtype)
    tolerance = {} if dtype == torch.float32 else {"atol": 0.25, "rtol": 0.05}
    torch.testing.assert_close(trained, plain, **tolerance)
    torch.testing.assert_close([tensor.float() for tensor in trained_end], list(end), **tolerance)
    assert trained.dtype == torch.float32


def test_a_long_pass_in_bfloat16_is_the_fused_one_to_rounding():
    model, tokens = make(width=32, heads=4, context=64), tokens_of(2, 64)
    state = model(tokens_of(2, 64, seed=1), model.initial_state(2))[1]
    plain, _ = model(tokens, state)
    rough, _ = model.training_logits(tokens, state, rng=generator(0), dtype=torch.bfloat16)
    assert (rough - plain).abs().mean() < 0.02 * plain.abs().mean()


def test_dropout_acts_in_training_only_and_is_drawn_from_the_generator():
    model, tokens = make(dropout=0.5), tokens_of(2, 6)
    state = model.initial_state(2)

    def trained(seed):
        return model.training_logits(tokens, state, rng=generator(seed), dtype=torch.float32)[0]

    torch.testing.assert_close(trained(3), trained(3))
    assert not torch.allclose(trained(3), trained(4))
    torch.testing.assert_close(model(tokens, state)[0], make()(tokens, state)[0])


@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_dropout_keeps_the_mean_and_sets_its_share_to_zero(rate):
    dropped = dropout(torch.ones(301, 331), rate, generator(0))
    assert (dropped == 0.0).float().mean().item() == pytest.approx(rate, abs=0.006)
    assert dropped.mean().item() == pytest.approx(1.0, abs=0.01)
    rows = (dropped == 0.0).float().mean(0)
    assert rows.std() < 0.05  # no column is favoured


def test_cold_starts_forget_whole_texts_and_in_training_only():
    model, tokens = make(cold_starts=0.5), tokens_of(64, 4)
    _, state = model(tokens_of(64, 5, seed=1), model.initial_state(64))
    trained, _ = model.training_logits(tokens, state, rng=generator(0), dtype=torch.float32)
    warm, _ = model(tokens, state)
    cold, _ = model(tokens, model.initial_state(64))

    def like(other):
        return ((trained - other).abs().amax((1, 2)) < 1e-4).bool()  # (B,)

    is_warm, is_cold = like(warm), like(cold)
    assert (is_warm ^ is_cold).all()
    assert 20 <= int(is_cold.sum()) <= 44
    always = make(cold_starts=1.0)
    logits, _ = always.training_logits(tokens, state, rng=generator(0), dtype=torch.float32)
    torch.testing.assert_close(logits, cold)
    torch.testing.assert_close(always(tokens, state)[0], warm)
    rng = generator(0)  # nothing is drawn where there is nothing to forget
    model.training_logits(tokens, model.initial_state(64), rng=rng, dtype=torch.float32)
    assert torch.equal(rng.get_state(), generator(0).get_state())


@pytest.mark.parametrize(
    "changes", [{}, MODERN | {"heads": 4, "width": 16}], ids=["plain", "modern"]
)
@pytest.mark.parametrize("position", ["rotary", "learned"])
def test_writing_with_the_cache_repeats_the_full_pass(position, changes):
    model, prompt = make(position=position, **changes), [3, 1, 4]
    generation = generate(model, prompt, SamplingSettings(temperature=0.0), seed=0)
    written = [w.token for w in islice(generation, 24)]
    text = torch.tensor([prompt + written])
    logits, _ = model(text, model.initial_state(1))
    assert logits[0, len(prompt) - 1 : -1].argmax(-1).tolist() == written


def test_the_carried_loss_does_not_hang_on_the_chunk():
    model, text = make(), tokens_of(1, 60)[0]
    first, second = (carried_losses(model, text, chunk=chunk) for chunk in (7, 60))
    assert first == pytest.approx(second, abs=1e-5)


def test_a_small_one_learns_a_text_by_heart():
    text = (torch.arange(600) * 7 % 11).roll(3)
    config = TrainingConfig(steps=120, batch=8, window=6, learning_rate=2e-2, warmup_steps=5)
    losses = [
        step.loss for step in train(build(TransformerLanguageModelConfig(**SMALL)), text, config)
    ]
    assert losses[0] > 2.0
    assert losses[-1] < 0.3


@torch.no_grad()
def test_the_norm_stands_where_the_config_puts_it_and_residuals_can_go():
    x = torch.randn(1, 3, 8, generator=generator(0))
    normed = torch.nn.functional.layer_norm(x, (8,))

    def query_and_output(**changes):
        """Return the vectors that are made into queries, and the stream if attention gives nothing."""
        block, queries = make(**changes).blocks[0], []
        block.attention.projections.weight[:8] = torch.eye(8)  # a query is its vector

        def attention(q, k, v, mask):
            queries.append(q.transpose(1, 2).flatten(2))
            return torch.zeros_like(q)

        mask = AttentionMask(torch.ones(1, 1, dtype=torch.bool), torch.float32)
        return queries, block(x, mask, attention=attention).after_attention

    for norm, expected_query, expected in (("pre", normed, x), ("post", x, normed), ("none", x, x)):
        (query,), output = query_and_output(norm=norm)
        torch.testing.assert_close(query, expected_query)
        torch.testing.assert_close(output, expected)
    assert query_and_output(residual=False)[1].abs().max() == 0.0


def test_weights_saved_under_the_former_names_are_loaded():
    model, other = make(), make(seed=7)
    former = {
        name.replace("attention.projections", "projections").replace("attention.output", "mixed"): w
        for name, w in model.state_dict().items()
    }
    assert "blocks.1.mixed.weight" in former
    other.load_state_dict(former, strict=True)
    torch.testing.assert_close(other.state_dict(), model.state_dict())


def test_weights_come_from_the_generator_and_first_predictions_are_nearly_even():
    config = TransformerLanguageModelConfig(**SMALL)
    one, same, other = (TransformerLanguageModel(config) for _ in range(3))
    for model, seed in ((one, 5), (same, 5), (other, 6)):
        model.initialise(generator(seed))
    torch.testing.assert_close(one.state_dict(), same.state_dict())
    assert not torch.equal(one.output.weight, other.output.weight)
    with torch.no_grad():
        logits, _ = one(tokens_of(2, 6), one.initial_state(2))
    assert logits.abs().max() < 0.5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"layers": 0}, "layers"),
        ({"heads": 3}, "multiple of heads"),
        ({"position": "left"}, "position"),
        ({"norm": "batch"}, "norm"),
        ({"normalisation": "batch"}, "normalisation"),
        ({"key_value_heads": 0}, "multiple of key_value_heads"),
        ({"width": 12, "heads": 6, "key_value_heads": 4}, "multiple of key_value_heads"),
        ({"dropout": 1.0}, "dropout"),
        ({"cold_starts": 1.5}, "cold_starts"),
        ({"width": 6, "heads": 2}, "even head width"),
        ({"width": 9, "heads": 3, "position": "sinusoidal"}, "even width"),
    ],
)
def test_impossible_configs_are_refused(change, message):
    with pytest.raises(SettingError, match=message):
        TransformerLanguageModelConfig(**SMALL | change)


def test_tokens_that_do_not_fit_are_refused():
    model = make()
    with pytest.raises(ShapeError, match=r"got \(3,\)"):
        model(torch.zeros(3, dtype=torch.int64), model.initial_state(1))
    with pytest.raises(ShapeError, match="got 7"):
        model.training_logits(
            tokens_of(1, 7), model.initial_state(1), rng=generator(0), dtype=torch.float32
        )
