"""The encoder-decoder transformer against torch's layers, with the same weights."""

import pytest
import torch
from torch import nn

from lm_core.errors import SettingError, ShapeError
from lm_core.models.attention import causal_mask, padding_mask
from lm_core.models.encoder_decoder_transformer import (
    DecoderBlock,
    EncoderDecoderTransformer,
    EncoderDecoderTransformerConfig,
)
from lm_core.models.multi_head_attention import AttentionMask, MultiHeadAttention
from lm_core.models.transformer_blocks import Block
from lm_core.rng import generator

WIDTH, HEADS = 8, 2
CONFIG = EncoderDecoderTransformerConfig(13, width=WIDTH, heads=HEADS, layers=2, longest=12)
LENGTHS = torch.tensor([6, 3])
SETTINGS = {
    "d_model": WIDTH,
    "nhead": HEADS,
    "dim_feedforward": 2 * WIDTH,
    "dropout": 0.0,
    "activation": "gelu",
    "batch_first": True,
    "norm_first": True,
    "dtype": torch.float64,
}


def initialised(module):
    module.initialise(generator(2))
    for parameter in module.parameters():
        if parameter.dim() == 1:  # norms, too, shall have weights that matter
            parameter.data += 0.1 * torch.randn(parameter.shape, generator=generator(3))
    return module.double()


def vectors(length, seed):
    return torch.randn(2, length, WIDTH, generator=generator(seed), dtype=torch.float64)


def copy_attention(theirs, ours):
    theirs.in_proj_weight.data = ours.projections.weight.data
    theirs.out_proj.weight.data = ours.output.weight.data
    theirs.in_proj_bias.data.zero_()
    theirs.out_proj.bias.data.zero_()


def copy_feed_forward(theirs, ours):
    for linear, weight in ((theirs.linear1, ours.widened), (theirs.linear2, ours.narrowed)):
        linear.weight.data = weight.weight.data
        linear.bias.data.zero_()


def of_source(lengths=LENGTHS, n_keys=6):
    return AttentionMask(padding_mask(lengths, n_keys)[:, None], dtype=torch.float64)


def test_cross_attention_is_torchs():
    ours = initialised(MultiHeadAttention(WIDTH, HEADS))
    theirs = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True, dtype=torch.float64)
    copy_attention(theirs, ours)
    x, memory = vectors(4, 5), vectors(6, 6)
    is_padding = torch.arange(6) >= LENGTHS[:, None]
    expected, _ = theirs(x, memory, memory, key_padding_mask=is_padding)
    torch.testing.assert_close(ours.cross(x, ours.keys_values(memory), of_source()), expected)


@pytest.mark.parametrize("query_key_norm", [False, True])
def test_attending_across_to_oneself_is_self_attention(query_key_norm):
    layer = initialised(MultiHeadAttention(WIDTH, HEADS, query_key_norm=query_key_norm))
    x = vectors(6, 5)
    expected, keys_values = layer(x, of_source())
    torch.testing.assert_close(layer.keys_values(x), keys_values)
    torch.testing.assert_close(layer.cross(x, layer.keys_values(x), of_source()), expected)


def test_a_block_of_the_encoder_is_torchs():
    ours, theirs = initialised(Block(CONFIG)), nn.TransformerEncoderLayer(**SETTINGS)
    copy_attention(theirs.self_attn, ours.attention)
    copy_feed_forward(theirs, ours)
    theirs.norm1.load_state_dict(ours.attention_norm.state_dict())
    theirs.norm2.load_state_dict(ours.feed_forward_norm.state_dict())
    x = vectors(6, 5)
    is_padding = torch.arange(6) >= LENGTHS[:, None]
    expected = theirs(x, src_key_padding_mask=is_padding)
    torch.testing.assert_close(ours(x, of_source()).after_feed_forward, expected)


def test_a_block_of_the_decoder_is_torchs():
    ours, theirs = initialised(DecoderBlock(CONFIG)), nn.TransformerDecoderLayer(**SETTINGS)
    copy_attention(theirs.self_attn, ours.attention)
    copy_attention(theirs.multihead_attn, ours.cross_attention)
    copy_feed_forward(theirs, ours)
    theirs.norm1.load_state_dict(ours.attention_norm.state_dict())
    theirs.norm2.load_state_dict(ours.cross_norm.state_dict())
    theirs.norm3.load_state_dict(ours.feed_forward_norm.state_dict())
    x, memory = vectors(4, 5), vectors(6, 6)
    expected = theirs(
        x,
        memory,
        tgt_mask=~causal_mask(4),
        memory_key_padding_mask=torch.arange(6) >= LENGTHS[:, None],
    )
    nothing = (x[:, :0], x[:, :0])
    mask = AttentionMask(causal_mask(4), dtype=torch.float64)
    source = ours.cross_attention.keys_values(memory)
    found, _ = ours.decode(x, mask, nothing, source, of_source())
    torch.testing.assert_close(found, expected)


def test_order_matters_by_the_positions_alone():
    model = initialised(EncoderDecoderTransformer(CONFIG))
    source, target = torch.tensor([[4, 5, 6, 7]]), torch.tensor([[2, 8]])
    swapped, lengths = source[:, [1, 0, 2, 3]], torch.tensor([4])
    before = model(source, lengths, target)
    assert (before - model(swapped, lengths, target)).abs().max() > 1e-6
    model.positions.zero_()
    torch.testing.assert_close(model(source, lengths, target), model(swapped, lengths, target))


def test_a_head_that_is_ablated_hands_nothing_on():
    model = initialised(EncoderDecoderTransformer(CONFIG))
    source, target = torch.tensor([[4, 5, 6, 7]]), torch.tensor([[2, 8, 9]])
    state = model.encode(source, torch.tensor([4]))
    kept = torch.ones(2, HEADS).double()
    kept[1, 0] = 0.0
    found = model.decode(target, state, kept_heads=kept, trace=True)
    # The columns of the output matrix that mix this head's output.
    model.decoder[1].cross_attention.output.weight.data[:, : WIDTH // HEADS] = 0.0
    torch.testing.assert_close(found.logits, model.decode(target, state).logits)


def test_tracing_changes_nothing():
    model = initialised(EncoderDecoderTransformer(CONFIG))
    state = model.encode(torch.tensor([[4, 5, 6, 7], [4, 5, 1, 1]]), torch.tensor([4, 2]))
    target = torch.tensor([[2, 8, 9], [2, 9, 5]])
    traced = model.decode(target, state, trace=True)
    torch.testing.assert_close(traced.logits, model.decode(target, state).logits)


def test_embedding_and_output_are_one_matrix():
    model = EncoderDecoderTransformer(CONFIG)
    assert sum(parameter.shape[0] == 13 for parameter in model.parameters()) == 1
    assert not any("positions" in name for name in model.state_dict())


def test_a_sentence_longer_than_the_positions_is_refused():
    model = initialised(EncoderDecoderTransformer(CONFIG))
    with pytest.raises(ShapeError, match="at most 12"):
        model.encode(torch.full((1, 13), 4), torch.tensor([13]))


@pytest.mark.parametrize("wrong", [{"heads": 3}, {"width": 0}, {"dropout": -0.1}], ids=str)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(SettingError, match=next(iter(wrong))):
        EncoderDecoderTransformerConfig(13, **{"width": WIDTH, **wrong})
