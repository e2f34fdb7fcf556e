"""A network learns (a + b) mod p from some of all pairs, and is asked the others: memory first, then the rule.

A sum and the same one turned round are learned together or held out together, so nothing that is held out
was ever read.

References
----------
Power et al. 2022, "Grokking: Generalization Beyond Overfitting on Small Algorithmic Datasets".
https://arxiv.org/abs/2201.02177
Nanda et al. 2023, "Progress measures for grokking via mechanistic interpretability".
https://arxiv.org/abs/2301.05217
"""

from itertools import combinations_with_replacement

import torch
from torch import Tensor, nn
from torch.nn import functional

from lm_core.experiments.grokking.results import Curve, Evaluation
from lm_core.rng import generator
from lm_core.training.eager_optimizers import AdamW
from lm_core.training.loop import TrainingLoop

MODULUS, WIDTH, HIDDEN = 59, 32, 128
STEPS, LEARNING_RATE, BETAS = 10_000, 0.01, (0.9, 0.98)
SHARES, DECAYS = (0.3, 0.4, 0.5), (1.0, 0.0)
"""Shares of all pairs in training, and weight decays, that are compared."""
_PER_DECADE = 12
EVALUATED = sorted({round(10 ** (i / _PER_DECADE)) for i in range(4 * _PER_DECADE + 1)})
"""After how many steps both halves are asked."""


class ModularAdder(nn.Module):
    """One table of vectors for both numbers -> a hidden layer (ReLU) -> logits of all p sums."""

    def __init__(self, modulus: int = MODULUS, width: int = WIDTH, hidden: int = HIDDEN) -> None:
        super().__init__()
        self.embedding = nn.Embedding(modulus, width)
        self.hidden = nn.Linear(2 * width, hidden)
        self.output = nn.Linear(hidden, modulus)

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw all weights from a normal distribution whose variance is 1 by the number of inputs; no bias."""
        for weight in (self.embedding.weight, self.hidden.weight, self.output.weight):
            weight.normal_(std=weight.shape[1] ** -0.5, generator=rng)
        for layer in (self.hidden, self.output):
            layer.bias.zero_()

    def forward(self, pairs: Tensor) -> Tensor:
        """Read (N, 2) numbers; return logits (N, p)."""
        logits: Tensor = self.output(self.hidden(self.embedding(pairs).flatten(1)).relu())
        return logits


def split_pairs(modulus: int, share: float, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return which pairs (N, 2) are learned, that share of all, and which are held out."""
    pairs = torch.tensor(list(combinations_with_replacement(range(modulus), 2)))
    drawn = pairs[torch.randperm(len(pairs), generator=rng)]
    learned, held_out = drawn.tensor_split([round(share * len(pairs))])
    return _both_ways(learned), _both_ways(held_out)


def _both_ways(pairs: Tensor) -> Tensor:
    return torch.cat([pairs, pairs[pairs[:, 0] != pairs[:, 1]].flip(1)])


def train(share: float, weight_decay: float, seed: int = 1, steps: int = STEPS) -> Curve:
    """Train on all learned pairs at every step, and ask both halves after `EVALUATED` numbers of steps."""
    rng, network = generator(seed), ModularAdder()
    learned, held_out = split_pairs(MODULUS, share, rng)
    network.initialise(rng)
    optimizer = AdamW(network.parameters(), betas=BETAS, weight_decay=weight_decay)
    loop = TrainingLoop(
        network.parameters(),
        lambda: functional.cross_entropy(network(learned), _sums(learned)),
        optimizer,
        steps=steps,
        learning_rate=lambda _: LEARNING_RATE,
    )
    evaluations = tuple(
        evaluate(network, learned, held_out, step.step) for step in loop if step.step in EVALUATED
    )
    return Curve(share, weight_decay, seed, len(learned), len(held_out), evaluations)


@torch.no_grad()
def evaluate(network: ModularAdder, learned: Tensor, held_out: Tensor, step: int) -> Evaluation:
    """Return losses and shares right on both halves, and the spectrum of the vectors."""
    halves = [(network(pairs), _sums(pairs)) for pairs in (learned, held_out)]
    losses = [functional.cross_entropy(*half).item() for half in halves]
    right = [(logits.argmax(1) == sums).double().mean().item() for logits, sums in halves]
    powers = tuple(round(power, 4) for power in spectrum(network.embedding.weight).tolist())
    rounded = [float(f"{value:.4g}") for value in losses + right]
    return Evaluation._make([step, *rounded, powers])


def _sums(pairs: Tensor) -> Tensor:
    return pairs.sum(1) % MODULUS


def spectrum(vectors: Tensor) -> Tensor:
    """Return which share of the power of vectors (p, d) each frequency from 1 to p // 2 has.

    Along the numbers each coordinate is a sum of waves; frequency k goes k times up and down from 0 to p.
    """
    powers = torch.fft.rfft(vectors, dim=0)[1:].abs().square().sum(1)
    return powers / powers.sum()
