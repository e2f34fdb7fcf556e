"""Cells with and without gates learn to name the last capital letter, all side by side."""

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor
from torch.func import functional_call, vmap
from torch.nn import functional

from lm_core.experiments.commands import progress
from lm_core.experiments.gates.results import GateReading
from lm_core.experiments.gates.taps import TAPS, TappedNetwork
from lm_core.models.recurrent import CellState
from lm_core.rng import generator
from lm_core.training.eager_optimizers import Adam
from lm_core.training.loop import TrainingLoop
from lm_core.training.stacked_networks import StackedNetworks

LETTERS, WIDTH = 8, 16
"""Capital letters, beside as many small ones; hidden units of every cell."""
LENGTHS = (5, 10, 20, 40)
"""Letters of a word: a capital one that is to be remembered, and small ones."""
ONE_WORD, STREAM = 1, 4
"""Words that a network reads in training before it is reset."""
SEEDS = 10
STEPS, BATCH, RATE, CLIP = 400, 16, 0.02, 1.0
READ_ON = (1, 2, 4, 8, 16, 32, 64)
"""Words without a reset after which is measured."""
LEARNED = 0.1
"""Nats an answer below which a network has learned its task; a blind guess has ln 8 = 2.08."""
_TESTED = 64  # streams
_TEST_SEED = 1_000_000


class Stream(NamedTuple):
    """Words in a row, and what is to be named after each letter."""

    symbols: Tensor
    """int64 (B, T): a capital letter is 0 to `LETTERS` - 1, a small one `LETTERS` higher."""
    answers: Tensor
    """int64 (B, T): the last capital letter."""


def draw_stream(streams: int, words: int, length: int, rng: torch.Generator) -> Stream:
    """Draw words of random letters, each of which begins with a capital one."""
    letters = torch.randint(LETTERS, (streams, words, length), generator=rng)
    is_small = torch.arange(length) > 0
    answers = letters[..., :1].expand_as(letters)
    return Stream((letters + LETTERS * is_small).flatten(1), answers.flatten(1))


class TappedNetworks(StackedNetworks):
    """Networks of every kind and seed, kind by kind; all read the same symbols."""

    def __init__(self, kinds: tuple[str, ...] = tuple(TAPS), seeds: int = SEEDS) -> None:
        networks = []
        for kind in kinds:
            for seed in range(seeds):
                network = TappedNetwork(TAPS[kind], LETTERS, WIDTH)
                network.initialise(generator(seed))
                networks.append(network)
        super().__init__(networks)
        self._network = networks[0]

    def read(self, symbols: Tensor, state: CellState | None = None) -> tuple[Tensor, CellState]:
        """Read symbols (B, T) on from the networks' states; return logits (S, B, T, letters) and new states."""

        def of_one(weights: dict[str, Tensor], state: CellState | None) -> tuple[Tensor, CellState]:
            found: tuple[Tensor, CellState] = functional_call(
                self._network, weights, (symbols, state)
            )
            return found

        read: tuple[Tensor, CellState] = vmap(of_one, (0, None if state is None else 0))(
            self.weights | self.buffers, state
        )
        return read

    def losses(self, stream: Stream) -> Tensor:
        """Return each network's mean cross-entropy over all answers, in nats, (S,)."""
        logits, _ = self.read(stream.symbols)
        answers = stream.answers.expand(len(logits), -1, -1)
        losses = functional.cross_entropy(logits.permute(0, 3, 1, 2), answers, reduction="none")
        return losses.flatten(1).mean(1)

    @torch.no_grad()
    def read_on(self, stream: Stream, length: int) -> tuple[Tensor, Tensor]:
        """Read word after word without a reset; return what is left after each.

        Returns
        -------
        two Tensors of shape (S, words)
            The share of last answers that are right, and the mean size of a cell's numbers.
        """
        state, right, sizes = None, [], []
        words = zip(stream.symbols.split(length, 1), stream.answers.split(length, 1), strict=True)
        for symbols, answers in words:
            logits, state = self.read(symbols, state)
            right.append((logits[:, :, -1].argmax(-1) == answers[:, -1]).double().mean(1))
            sizes.append(state[1].abs().mean((1, 2)))
        return torch.stack(right, 1), torch.stack(sizes, 1)


def train(
    length: int, words: int, networks: TappedNetworks, steps: int = STEPS
) -> Iterator[Tensor]:
    """Train networks on streams of so many words; yield before each step the loss of each, (S,).

    All networks see the same words, so that they differ in their gates and their start alone.
    """
    rng, weights, losses = generator(length), list(networks.weights.values()), torch.empty(0)

    def next_loss() -> Tensor:
        nonlocal losses
        found = networks.losses(draw_stream(BATCH, words, length, rng))
        losses = found.detach()
        return found.sum()

    loop = TrainingLoop(
        weights,
        next_loss,
        Adam(weights, lr=RATE),
        steps=steps,
        learning_rate=lambda step: RATE * (1.0 - step / steps),
        clip=lambda _: networks.clip_gradients(CLIP).max(),
        reported=lambda total: total.item() / len(weights[0]),
    )
    for _ in progress(loop, f"{length} letters, {words} words", steps):
        yield losses


def measured(length: int, words: int) -> Iterator[GateReading]:
    """Train networks of all kinds on streams of so many words; let them read on without a reset."""
    networks = TappedNetworks()
    losses = torch.stack(list(train(length, words, networks)), 1)  # (S, steps)
    stream = draw_stream(_TESTED, READ_ON[-1], length, generator(_TEST_SEED))
    right, sizes = networks.read_on(stream, length)
    after = [n - 1 for n in READ_ON]
    names = [(kind, seed) for kind in TAPS for seed in range(SEEDS)]
    for k, (kind, seed) in enumerate(names):
        shares = tuple(round(share, 4) for share in right[k, after].tolist())
        rounded = tuple(float(f"{size:.4g}") for size in sizes[k, after])
        learned = (losses[k] < LEARNED).nonzero()
        steps = int(learned[0]) if len(learned) else None
        yield GateReading(kind, length, words, seed, shares, rounded, steps)
