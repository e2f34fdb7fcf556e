"""How long a translation takes, and a step of its training: `python -m tests.benchmarks.translation`.

One core. A sentence of 12 words is translated by each shipped model, greedily and by a beam search of
5, traced as the pages show it. Training steps of our encoder-decoder transformer are timed beside
`torch.nn.Transformer` of the same sizes on the same batch, in turns: forward, loss, backward, AdamW.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import statistics  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from functools import partial  # noqa: E402

import torch  # noqa: E402
from torch import Tensor, nn  # noqa: E402
from torch.nn import functional  # noqa: E402

from lm_core.assets import CHECKPOINTS  # noqa: E402
from lm_core.experiments.translation.settings import RECIPES, SHIPPED_RECIPES  # noqa: E402
from lm_core.generation.translation import translate  # noqa: E402
from lm_core.models.registry import build  # noqa: E402
from lm_core.rng import generator  # noqa: E402
from lm_core.text.translation_vocabulary import shipped_vocabulary  # noqa: E402
from lm_core.training.checkpoints import load_shipped  # noqa: E402

SENTENCE = "A man in a shirt is riding his bicycle down the street."
BATCH, LENGTH = 128, 18


class TorchTranslator(nn.Module):
    """`torch.nn.Transformer` between one embedding and an output tied to it, as ours has it."""

    def __init__(self, config: object) -> None:
        super().__init__()
        self.embedding = nn.Embedding(config.vocabulary_size, config.width)
        self.transformer = nn.Transformer(
            config.width,
            config.heads,
            config.layers,
            config.layers,
            config.feed_forward * config.width,
            config.dropout,
            "gelu",
            batch_first=True,
            norm_first=True,
            bias=False,
        )

    def forward(self, source: Tensor, is_padding: Tensor, target: Tensor) -> Tensor:
        """Return logits (B, T, V)."""
        mask = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
        hidden = self.transformer(
            self.embedding(source),
            self.embedding(target),
            tgt_mask=mask,
            src_key_padding_mask=is_padding,
            memory_key_padding_mask=is_padding,
            tgt_is_causal=True,
        )
        return functional.linear(hidden, self.embedding.weight)


def is_shipped(name: str) -> bool:
    """Return whether a recipe's weights are there."""
    return (CHECKPOINTS / name).is_dir()


def milliseconds(call: Callable[[], object], times: int) -> list[float]:
    """Return how long each of some calls took, after one that does not count."""
    call()
    found = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        found.append(1e3 * (time.perf_counter() - started))
    return found


def print_translations(times: int) -> None:
    """Time the shipped models on one sentence."""
    vocabulary = shipped_vocabulary()
    print(f"{len(SENTENCE.split())} words, median of {times}, ms   greedy   beam 5")
    for name in filter(is_shipped, SHIPPED_RECIPES):
        model = load_shipped(name).model
        medians = []
        for width in (1, 5):
            call = partial(translate, model, vocabulary, SENTENCE, width=width)
            medians.append(statistics.median(milliseconds(call, times)))
        print(f"{name:34}{medians[0]:8.1f} {medians[1]:8.1f}")


def training_step(
    model: nn.Module, logits: Callable[[], Tensor], target: Tensor
) -> Callable[[], None]:
    """Return a call that takes one step of AdamW."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    def step() -> None:
        loss = functional.cross_entropy(
            logits().flatten(0, 1), target.flatten(), label_smoothing=0.1
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def print_training(rounds: int) -> None:
    """Time training steps beside torch's transformer, in turns."""
    config = RECIPES["translation-transformer"].model
    rng = generator(1)
    source, target = (
        torch.randint(4, config.vocabulary_size, (BATCH, LENGTH), generator=rng) for _ in range(2)
    )
    lengths = torch.randint(LENGTH // 2, LENGTH + 1, (BATCH,), generator=rng)
    lengths[0] = LENGTH
    is_padding = torch.arange(LENGTH) >= lengths[:, None]
    ours, theirs = build(config), TorchTranslator(config)
    ours.initialise(rng)
    steps = {
        "ours": training_step(
            ours, lambda: ours.training_logits(source, lengths, target, rng=rng), target
        ),
        "torch.nn.Transformer": training_step(
            theirs, lambda: theirs(source, is_padding, target), target
        ),
    }
    found: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(rounds):
        for name, step in steps.items():
            found[name] += milliseconds(step, 2)
    tokens = BATCH * LENGTH
    for name, times in found.items():
        print(f"{name:34}{tokens / statistics.median(times) * 1e3:10,.0f} target tokens a second")
    ratio = statistics.median(a / b for a, b in zip(*found.values(), strict=True))
    print(f"time of ours / time of torch.nn.Transformer: {ratio:.2f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=9, help="default: %(default)s")
    parsed = parser.parse_args()
    torch.set_num_threads(1)
    print_translations(parsed.times)
    print_training(parsed.times)


if __name__ == "__main__":
    main()
