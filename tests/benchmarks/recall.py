"""How fast the recall networks are trained: `python -m tests.benchmarks.recall`.

The published sweep, RNN and LSTM at L = 4 to 18 from one seed, on one thread:

* **ours**: all networks of a backbone at once, the readable cells under `torch.func.vmap`, inputs
  looked up, and the output layer with its loss in pieces that fit into the cache;
* **plain loop**: one `torch.nn.RNN` or `LSTM` and a `Linear` after another, with one-hot inputs as
  published;
* **plain loop, look-up**: the same with the product of the one-hot input replaced by a look-up of
  the input weights.

The matrix-product limit is the time that the products of the output layer and of the recurrent
weights alone would take at the rate of a 1024 x 1024 product, measured in the same run. Times are by
processor time and of 100 epochs; the contestants take turns, and each figure is the median of its
rounds.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import torch
from torch.nn import functional

from lm_core.experiments.rnn_vs_lstm.settings import (
    PUBLISHED_LENGTHS,
    RecallSettings,
    n_sequences,
    protocol_settings,
)
from lm_core.experiments.rnn_vs_lstm.training import RecallTraining

BACKBONES = ("rnn", "lstm")
EPOCHS = 100


class PlainNetwork(torch.nn.Module):
    """One network of torch's own parts."""

    def __init__(self, settings: RecallSettings, *, looks_up: bool) -> None:
        super().__init__()
        kind = torch.nn.LSTM if settings.backbone == "lstm" else torch.nn.RNN
        self._recurrent = kind(settings.vocabulary, settings.hidden_units)
        self._output = torch.nn.Linear(settings.hidden_units, settings.vocabulary)
        self._looks_up = looks_up

    def forward(self, symbols: torch.Tensor) -> torch.Tensor:
        """Return logits (T, N, V) of symbols (T, N)."""
        if not self._looks_up:
            shown = functional.one_hot(symbols, self._output.out_features).float()
            return self._output(self._recurrent(shown)[0])
        names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        weights = [getattr(self._recurrent, name) for name in names]
        added = functional.embedding(symbols, weights[0].T)
        # The fused cell wants a product: of the identity, what was looked up stays as it is.
        weights[0] = torch.eye(added.shape[-1])
        hidden = torch.zeros(1, symbols.shape[1], self._output.in_features)
        flags = (True, 1, 0.0, True, False, False)
        if isinstance(self._recurrent, torch.nn.LSTM):
            states = torch.lstm(added, (hidden, hidden), weights, *flags)[0]
        else:
            states = torch.rnn_tanh(added, hidden, weights, *flags)[0]
        return self._output(states)


def plain(settings: RecallSettings, *, looks_up: bool) -> None:
    """Train one network after another, as the published notebook does."""
    for length, seed in settings.networks:
        torch.manual_seed(seed)
        network = PlainNetwork(settings, looks_up=looks_up)
        adam = torch.optim.Adam(network.parameters(), lr=settings.learning_rate)
        n = n_sequences(settings.vocabulary, length)
        symbols = torch.arange(length)[:, None] + torch.arange(n)
        answers = torch.arange(n).repeat(length)
        for _ in range(settings.epochs):
            loss = functional.cross_entropy(network(symbols).flatten(0, 1), answers)
            adam.zero_grad()
            loss.backward()
            adam.step()


def ours(settings: RecallSettings) -> None:
    """Train all networks at once."""
    for _ in RecallTraining(settings):
        pass


def products(settings: RecallSettings) -> float:
    """Return the floating-point operations of an epoch's products, forward and twice back."""
    gates = {"rnn": 1, "lstm": 4}[settings.backbone]
    width = settings.hidden_units
    rows = sum(length * n_sequences(settings.vocabulary, length) for length, _ in settings.networks)
    return 3 * 2 * rows * width * (settings.vocabulary + gates * width)


def matmul_rate() -> float:
    """Return the operations a second of a large product."""
    left, right, out = (torch.randn(1024, 1024) for _ in range(3))
    seconds = min(timed(lambda: torch.mm(left, right, out=out)) for _ in range(20))
    return 2 * 1024**3 / seconds


def timed(work: Callable[[], object]) -> float:
    """Return the processor time of a piece of work."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="median of so many; default: 3")
    parser.add_argument("--epochs", type=int, default=10, help="measured in a round; default: 10")
    parser.add_argument("--seeds", type=int, default=1, help="networks a point; default: 1")
    parsed = parser.parse_args()
    torch.set_num_threads(1)
    # Torch imports half of itself at a first step.
    ours(RecallSettings("rnn", (4,), (0,), epochs=1))
    sweep = [
        protocol_settings("original", backbone, PUBLISHED_LENGTHS, range(parsed.seeds))
        for backbone in BACKBONES
    ]
    sweep = [RecallSettings(**{**vars(s), "epochs": parsed.epochs}) for s in sweep]
    contestants = {
        "ours": ours,
        "plain loop, one-hot (published)": lambda s: plain(s, looks_up=False),
        "plain loop, look-up": lambda s: plain(s, looks_up=True),
    }
    times: dict[str, list[float]] = {name: [] for name in contestants}
    rates = []
    for _ in range(parsed.rounds):
        rates.append(matmul_rate())
        for name, train in contestants.items():
            times[name].append(timed(lambda train=train: [train(s) for s in sweep]))
    medians = {n: EPOCHS / parsed.epochs * statistics.median(found) for n, found in times.items()}
    report(sweep, medians, statistics.median(rates))


def report(sweep: list[RecallSettings], medians: dict[str, float], rate: float) -> None:
    """Print seconds of 100 epochs beside the limit at this rate of products."""
    limit = EPOCHS * sum(map(products, sweep)) / rate
    n_networks = sum(len(settings.networks) for settings in sweep)
    print(f"RNN + LSTM at L = 4 to 18: {n_networks} networks.")
    print(f"Products: {limit * rate / 1e12:.2f} TFLOP, at {rate / 1e9:.0f} GFLOP/s\n")
    print("| contestant | seconds of 100 epochs | share of the product limit | ratio to ours |")
    print("|---|---|---|---|")
    print(f"| products alone | {limit:.1f} | 100 % | {limit / medians['ours']:.2f} |")
    for name, seconds in medians.items():
        share, ratio = limit / seconds, seconds / medians["ours"]
        print(f"| {name} | {seconds:.1f} | {share:.0%} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
