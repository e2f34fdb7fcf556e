"""The networks that are compared: what reads the symbols, how wide it is, and how its weights start."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

import torch
from torch import Tensor, nn
from torch.nn import functional

from lm_core.models.attention import causal_mask
from lm_core.models.multi_head_attention import AttentionMask, KeysValues, MultiHeadAttention
from lm_core.models.recurrent import Cell, LSTMCell, RecurrentCellConfig, RNNCell, build_cell


class AttentionBackbone(nn.Module):
    """One layer of causal self-attention over embedded symbols with learned positions.

    `vocabulary`, `width`, `length`: int, V symbols, H numbers for each, and the most positions.
    """

    def __init__(self, vocabulary: int, width: int, length: int, heads: int) -> None:
        super().__init__()
        self.symbols = nn.Parameter(torch.empty(vocabulary, width))
        self.positions = nn.Parameter(torch.empty(length, width))
        self.attention = MultiHeadAttention(width, heads)

    def forward(self, symbols: Tensor) -> tuple[Tensor, KeysValues]:
        """Read symbols (N, T); return what attention adds up at each position, (N, T, H)."""
        n_steps = symbols.shape[1]
        embedded = functional.embedding(symbols, self.symbols) + self.positions[:n_steps]
        mask = AttentionMask(causal_mask(n_steps, device=symbols.device), embedded.dtype)
        output: tuple[Tensor, KeysValues] = self.attention(embedded, mask)
        return output


class RecallNetwork(nn.Module):
    """A backbone that reads symbols, and the linear layer that names one from what it remembers.

    Parameters
    ----------
    backbone : Cell or AttentionBackbone
        Called with symbols (N, T), it returns a pair whose first part is (N, T, H).
    width, vocabulary : int, H and V
    """

    def __init__(self, backbone: Cell | AttentionBackbone, width: int, vocabulary: int) -> None:
        super().__init__()
        self.backbone = backbone
        self.output = nn.Linear(width, vocabulary)

    def forward(self, symbols: Tensor) -> Tensor:
        """Read symbols (N, T); return the hidden vectors (N, T, H), from which `output` names."""
        hidden: Tensor = self.backbone(symbols)[0]
        return hidden


@dataclass(frozen=True)
class Backbone:
    """A kind of network for the recall task."""

    title: str
    """For people."""
    build: Callable[[int, int, int], Cell | AttentionBackbone]
    """Callable of (vocabulary, width, length) -> Cell or AttentionBackbone."""
    width: int = 32
    """Hidden units unless another number is asked for."""
    heads: int = 1
    """Of attention; 1 for all others."""
    normal_biases: bool = False
    """Whether the biases are drawn from a normal unless torch's are asked for."""


def _recurrent(kind: str, forget_bias: float = 0.0) -> Callable[[int, int, int], Cell]:
    """Return how to build a cell; a recurrent network has the same weights for every length."""
    return lambda vocabulary, width, length: build_cell(
        RecurrentCellConfig(kind, vocabulary, width, forget_bias)
    )


BACKBONES = {
    "rnn": Backbone("RNN", _recurrent("rnn"), normal_biases=True),
    "rnn-wide": Backbone("wide RNN", _recurrent("rnn"), width=78, normal_biases=True),
    "irnn": Backbone("IRNN", _recurrent("irnn")),
    "gru": Backbone("GRU", _recurrent("gru")),
    "lstm": Backbone("LSTM", _recurrent("lstm")),
    "lstm-open": Backbone("open LSTM", _recurrent("lstm", forget_bias=4.0)),
    "attention": Backbone("attention", partial(AttentionBackbone, heads=2), width=64, heads=2),
}


def build_network(backbone: str, vocabulary: int, width: int, length: int) -> RecallNetwork:
    """Return a network on the meta device: it has shapes, and no numbers yet."""
    with torch.device("meta"):
        built = BACKBONES[backbone].build(vocabulary, width, length)
        return RecallNetwork(built, width, vocabulary)


@lru_cache(maxsize=1024)
def parameter_count(backbone: str, vocabulary: int, width: int, length: int) -> int:
    """Return the number of weights of one network."""
    network = build_network(backbone, vocabulary, width, length)
    return sum(weight.numel() for weight in network.parameters())


def initialised_network(
    backbone: str, vocabulary: int, width: int, length: int, seed: int, *, torch_biases: bool
) -> RecallNetwork:
    """Return one network with its weights drawn; they depend on its own length and seed alone.

    `torch_biases` draws the biases of an RNN as torch does, and not from a normal.
    """
    network = build_network(backbone, vocabulary, width, length).to_empty(device="cpu")
    rng = torch.Generator().manual_seed(1_000 * seed + length)
    with torch.no_grad():
        _draw_uniformly(network, rng)
        _draw_differently(network.backbone, BACKBONES[backbone], rng, torch_biases=torch_biases)
    return network


_BY_GATE = ("backbone.weight_ih", "backbone.weight_hh", "backbone.attention.projections.weight")


def _draw_uniformly(network: RecallNetwork, rng: torch.Generator) -> None:
    """Draw all weights within 1/sqrt(H), as torch's RNN, GRU, LSTM and Linear do.

    Matrices are filled gate by gate and column by column: in this order the shipped results were
    drawn.
    """
    width = network.output.in_features
    bound = width**-0.5
    for name, weight in network.named_parameters():
        if weight.dim() == 1:
            weight.uniform_(-bound, bound, generator=rng)
            continue
        rows, columns = weight.shape
        gates = rows // width if name in _BY_GATE else 1
        drawn = torch.empty(gates, columns, rows // gates).uniform_(-bound, bound, generator=rng)
        weight.copy_(drawn.mT.reshape(rows, columns))


def _draw_differently(
    backbone: Cell | AttentionBackbone, kind: Backbone, rng: torch.Generator, *, torch_biases: bool
) -> None:
    """Draw again what does not start uniformly within 1/sqrt(H)."""
    if isinstance(backbone, AttentionBackbone):
        backbone.symbols.normal_(0.0, 0.1, generator=rng)
        backbone.positions.normal_(0.0, 0.1, generator=rng)
    elif isinstance(backbone, RNNCell) and backbone.activation == "relu":
        # A state that stays: identity, no bias, small input weights (Le et al. 2015).
        drawn = torch.empty(backbone.input_size, backbone.hidden_size)
        backbone.weight_ih.copy_(drawn.normal_(0.0, 0.001, generator=rng).T)
        nn.init.eye_(backbone.weight_hh)
        backbone.bias_ih.zero_()
        backbone.bias_hh.zero_()
    elif isinstance(backbone, LSTMCell):
        # Forget gates that let 98 % of the cell pass have a bias of 4.
        backbone.bias_ih[backbone.hidden_size : 2 * backbone.hidden_size] += backbone.forget_bias
    elif kind.normal_biases and not torch_biases:
        backbone.bias_ih.normal_(generator=rng)
        backbone.bias_hh.normal_(generator=rng)
