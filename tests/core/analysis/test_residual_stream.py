"""Every stage of the residual stream is the model's own, and its parts add up to what is predicted."""

from itertools import islice

import pytest
import torch
from torch.nn import functional as F

from lm_core.analysis import residual_stream as stream
from lm_core.analysis.residual_stream import (
    Removed,
    Stage,
    continuation,
    contributions,
    logit_lens,
    mean_cosine,
    stages,
    streams,
    trace,
)
from lm_core.errors import SettingError, ShapeError, TextError
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import generate
from lm_core.models.gpt import GPT, GPTConfig
from lm_core.models.transformer_config import NORMS, POSITIONS
from lm_core.rng import generator
from tests.core.models.test_transformer import MODERN, SMALL, make, tokens_of

TEXT = tokens_of(1, 6)[0]
GPT_2 = {"position": "learned", "activation": "gelu_tanh", "bias": True, "tied_output": True}
DEEP = GPT_2 | {"layers": 12}  # as many blocks as the smallest GPT-2 has


def plain(model, tokens=TEXT):
    with torch.no_grad():
        return model(tokens[None], model.initial_state(1))[0][0]


def awake(**settings):
    """Return a model whose biases and norms do something, too."""
    model, rng = make(**settings).double(), generator(3)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("bias") or "norm" in name:
                parameter += 0.3 * torch.randn(parameter.shape, generator=rng, dtype=torch.float64)
    return model


def equal(found, expected):
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)


# Stages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("residual", [True, False])
def test_all_parts_on_is_the_plain_model(position, norm, residual):
    model = awake(position=position, norm=norm, residual=residual, bias=True, query_key_norm=True)
    found = trace(model, TEXT)
    equal(found.logits, plain(model))
    equal(found.losses.mean(), F.cross_entropy(plain(model)[:-1], TEXT[1:]))


def test_all_parts_on_is_a_gpt_2_too():
    model = awake(**DEEP)
    equal(trace(model, TEXT).logits, plain(model))


@pytest.mark.parametrize("norm", NORMS)
def test_all_parts_on_is_a_model_with_modern_parts_too(norm):
    model = awake(**MODERN, norm=norm, heads=4, width=16)
    equal(trace(model, TEXT).logits, plain(model))


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("norm", NORMS)
def test_the_stages_are_listed_in_the_order_in_which_they_are_computed(position, norm):
    model = make(position=position, norm=norm)
    assert stages(model.config) == tuple(trace(model, TEXT).values)


@pytest.mark.parametrize("norm", NORMS)
def test_the_stream_is_that_of_the_models_own_blocks(norm):
    model, own = awake(norm=norm), []

    def run_block(layer, x, mask, past):
        output = model.blocks[layer](x, mask, past)
        own.extend([output.after_attention[0], output.after_feed_forward[0]])
        return output

    with torch.no_grad():
        model.read(TEXT[None], model.initial_state(1), run_block=run_block)
    found = trace(model, TEXT)
    for stage, expected in zip(streams(model.config)[1:], own, strict=True):
        equal(found[stage], expected)


@pytest.mark.parametrize("layers", [2, 12])
def test_every_stage_is_what_a_module_of_the_readable_gpt_takes_in_or_puts_out(layers):
    model = awake(**GPT_2, layers=layers)
    readable = GPT(GPTConfig(**SMALL | {"layers": layers})).double()
    readable.load_state_dict(model.state_dict())
    taken, put = {}, {}
    for name, module in readable.named_modules():

        def note(_, given, output, name=name):
            taken[name], put[name] = given[0], output

        module.register_forward_hook(note)
    with torch.no_grad():
        logits = readable(TEXT[None])
    expected = {stream.TOKENS: put["embedding"], stream.POSITIONS: put["codes"][None]}
    expected[stream.EMBEDDED] = taken["blocks.0"]
    for layer in range(layers):
        of = f"blocks.{layer}."
        for name in (stream.ATTENTION_NORM, stream.ATTENTION, stream.FEED_FORWARD_NORM):
            expected[Stage(name, layer)] = put[of + name]
        heads = taken[of + "attention.output"].unflatten(-1, (2, -1))
        expected[Stage(stream.HEADS, layer)] = heads
        expected[Stage(stream.AFTER_ATTENTION, layer)] = taken[of + "feed_forward_norm"]
        expected[Stage(stream.WIDENED, layer)] = put[of + "widened"]
        expected[Stage(stream.ACTIVATED, layer)] = taken[of + "narrowed"]
        expected[Stage(stream.NARROWED, layer)] = put[of + "narrowed"]
        expected[Stage(stream.AFTER_FEED_FORWARD, layer)] = put[f"blocks.{layer}"]
    expected |= {stream.OUTPUT_NORM: put["output_norm"], stream.LOGITS: logits}
    found = trace(model, TEXT)
    assert set(found.values) == set(expected)
    for stage, value in expected.items():
        equal(found[stage], value[0])


def test_texts_side_by_side_are_read_as_one_by_one():
    model, texts = awake(), tokens_of(3, 6)
    together = trace(model, texts)
    for row, text in enumerate(texts):
        alone = trace(model, text)
        for stage, value in alone.values.items():
            equal(together[stage][row], value)
        equal(together.losses[row], alone.losses)
        equal(together.weights[1][row], alone.weights[1])


def test_what_a_stage_is_changed_to_is_what_the_rest_follows_from():
    model, other = awake(), tokens_of(1, 6, seed=5)[0]
    donor, carried = trace(model, other), Stage(stream.AFTER_ATTENTION, 0)
    found = trace(model, TEXT, change=lambda s, v: donor[s] if s == carried else v)
    equal(found.logits, donor.logits)  # whole stage: everything behind it is the other text's
    assert not torch.allclose(found[stream.TOKENS], donor[stream.TOKENS])
    same = trace(model, TEXT, change=lambda s, v: v)
    equal(same.logits, plain(model))
    with pytest.raises(ShapeError, match="must keep its shape"):
        trace(model, TEXT, change=lambda s, v: v[:1])


# Parts left out -------------------------------------------------------------------------------


def test_a_part_left_out_is_the_model_without_its_weights():
    for part, weight in (("attention", "attention.output"), ("feed_forward", "narrowed")):
        without = awake()
        with torch.no_grad():
            without.get_submodule(f"blocks.1.{weight}").weight.zero_()
        found = trace(awake(), TEXT, without=[Removed(part, 1)])
        equal(found.logits, plain(without))


def test_a_switch_that_is_off_everywhere_is_the_model_configured_so():
    stored = awake(position="learned").state_dict()
    for part, settings in (("residual", {"residual": False}), ("norm", {"norm": "none"})):
        other = make(position="learned", **settings).double()
        other.load_state_dict(stored, strict=False)
        found = trace(awake(position="learned"), TEXT, without=[Removed(part)])
        equal(found.logits, plain(other))


@pytest.mark.parametrize("position", [name for name in POSITIONS if name != "none"])
def test_without_positions_the_last_token_does_not_know_the_order_before_it(position):
    text, shuffled = torch.tensor([1, 2, 3, 4, 5]), torch.tensor([3, 1, 4, 2, 5])
    model = awake(position=position, layers=1)

    def last(tokens, without=()):
        return trace(model, tokens, without=without).logits[-1]

    equal(last(text, [Removed("positions")]), last(shuffled, [Removed("positions")]))
    assert not torch.allclose(last(text), last(shuffled))


def test_a_text_is_continued_as_the_model_without_the_part_would():
    model, other = awake(), awake()
    with torch.no_grad():
        for block in other.blocks:
            block.narrowed.weight.zero_()
    for parts, reader in (([], model), ([Removed("feed_forward")], other)):
        written = generate(reader, TEXT[:2].tolist(), SamplingSettings(temperature=0.0), seed=0)
        expected = [next(written).token for _ in range(4)]
        assert [*islice(continuation(model, TEXT[:2], parts), 4)] == expected


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("parts", [[], *([Removed(part)] for part in stream.PARTS)])
def test_what_is_remembered_continues_a_text_as_reading_it_anew_would(position, parts):
    model, text = awake(position=position, context=12), TEXT[:2]
    written = [*continuation(model, text, parts)]
    assert len(written) == model.config.context - 1  # it ends when the context is full
    for token in written:
        assert token == int(trace(model, text, without=parts).logits[-1].argmax())
        text = torch.cat([text, torch.tensor([token])])


@pytest.mark.parametrize("part", stream.PARTS)
def test_one_layer_alone_can_lack_a_part(part):
    model = awake()
    logits = [trace(model, TEXT, without=[Removed(part, at)]).logits for at in (None, 0, 1)]
    for first, second in ((0, 1), (0, 2), (1, 2)):
        assert not torch.allclose(logits[first], logits[second])


def test_without_residual_positions_become_alike():
    model = make(layers=8)

    def at_the_end(*without):
        found = trace(model, TEXT, without=[Removed(part) for part in without])
        return mean_cosine(found[streams(model.config)[-1]])

    assert at_the_end("residual", "feed_forward") < 1.0
    assert at_the_end("residual") > at_the_end() + 0.3


def test_the_mean_cosine_is_over_all_pairs():
    x = torch.randn(5, 4, generator=generator(0), dtype=torch.float64)
    pairs = [F.cosine_similarity(x[i], x[j], 0) for i in range(5) for j in range(5) if i != j]
    assert mean_cosine(x) == pytest.approx(float(sum(pairs)) / 20)
    assert mean_cosine(torch.ones(3, 4)) == pytest.approx(1.0)
    with pytest.raises(ShapeError):
        mean_cosine(x[:1])


# What it would say, and who says it -----------------------------------------------------------


@pytest.mark.parametrize("settings", [*({"norm": norm} for norm in NORMS), DEEP])
def test_the_lens_at_the_last_stage_is_the_output(settings):
    model = awake(**settings)
    found = logit_lens(model, trace(model, TEXT), 3)
    assert found.shape == (1 + 2 * model.config.layers, 11)
    equal(found[-1], plain(model)[3])
    assert not torch.allclose(found[-2], found[-1])


@pytest.mark.parametrize(
    "settings", [{}, {"position": "learned", "bias": True}, {"norm": "none"}, GPT_2, DEEP]
)
def test_contributions_add_up_to_the_logit(settings):
    model = awake(**settings)
    found, logits = trace(model, TEXT), plain(model)[4]
    parts = contributions(model, found, 4, 7)
    assert sum(part.value for part in parts) == pytest.approx(float(logits[7]), abs=1e-10)
    lead = contributions(model, found, 4, 7, against=2)
    assert sum(p.value for p in lead) == pytest.approx(float(logits[7] - logits[2]), abs=1e-10)
    named = [(part.stage, part.head) for part in parts]
    assert len(named) == len(set(named))
    assert {(Stage(stream.HEADS, i), h) for i in (0, 1) for h in (0, 1)} < set(named)


def test_a_part_that_adds_nothing_contributes_nothing():
    model = awake()
    with torch.no_grad():
        model.blocks[1].attention.output.weight[:, 4:8] = 0.0  # the second head's
    parts = {(p.stage, p.head): p.value for p in contributions(model, trace(model, TEXT), 4, 7)}
    assert parts[Stage(stream.HEADS, 1), 1] == 0.0
    assert parts[Stage(stream.HEADS, 1), 0] != 0.0


@pytest.mark.parametrize("settings", [{"norm": "post"}, {"residual": False}])
def test_a_stream_that_is_no_sum_has_no_contributions(settings):
    model = make(**settings)
    with pytest.raises(SettingError, match="do not add up"):
        contributions(model, trace(model, TEXT), 4, 7)


def test_contributions_are_those_to_a_layer_norm():
    model = make(normalisation="rms_norm")
    with pytest.raises(SettingError, match="needs layer norms"):
        contributions(model, trace(model, TEXT), 4, 7)


# Limits ---------------------------------------------------------------------------------------


def test_what_cannot_be_read_or_left_out_is_said():
    model = make()
    with pytest.raises(ShapeError):
        trace(model, torch.tensor(1))
    with pytest.raises(TextError, match="1 to 6 tokens"):
        trace(model, tokens_of(1, 7)[0])
    with pytest.raises(SettingError, match="a part must be"):
        trace(model, TEXT, without=[Removed("head")])
    with pytest.raises(SettingError, match="a layer must lie"):
        trace(model, TEXT, without=[Removed("norm", 2)])
