"""How many n-grams are seen and how well they predict: what is shipped, and how it is read."""

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import ResultError
from lm_core.models.ngram_counts import CountTable
from lm_core.results import Results, load_with_weights, results_path, save_with_weights
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.names import SYMBOLS

EXPERIMENT = "n-grams"
SHIPPED = results_path(EXPERIMENT)

NAMES, BOOK = "names", "book"
TEXTS = (NAMES, BOOK)
LONGEST = 6
"""Largest n."""

KS = (0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""What add-k was tried with."""


def symbols_of(text: str) -> tuple[str, ...]:
    """Return the symbol of each id of a text."""
    return SYMBOLS if text == NAMES else SOURCE.symbols


@dataclass(frozen=True)
class NGramScore:
    """What n-grams of one length know about one text.

    Attributes
    ----------
    text : str
        One of `TEXTS`.
    n : int
    possible, seen : int
        Contexts of n - 1 symbols that could be, and that the training text has.
    unseen_share : float
        Of the held-out symbols whose context the training text does not have.
    impossible_share : float
        Of the held-out symbols to which the plain counts give no probability.
    training_loss : float
        Of the plain counts on the text that they were counted from, in nats per symbol.
    add_k : tuple of float
        Held-out loss with each of `KS`.
    interpolation, kneser_ney : float
        Held-out losses.
    weights : tuple of float
        Of the interpolation, the shortest context's first.
    """

    text: str
    n: int
    possible: int
    seen: int
    unseen_share: float
    impossible_share: float
    training_loss: float
    add_k: tuple[float, ...]
    interpolation: float
    kneser_ney: float
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if self.text not in TEXTS or len(self.add_k) != len(KS) or len(self.weights) != self.n:
            raise ValueError(
                f"a score has a text of {TEXTS}, {len(KS)} losses of add-k and n weights, got {self}"
            )

    def perplexity_with(self, k: float) -> float:
        """Return the held-out perplexity of add-k; k is one of `KS`."""
        return math.exp(self.add_k[KS.index(k)])


@dataclass(frozen=True)
class NGramResults:
    """Scores, and the counts that the page reads.

    Attributes
    ----------
    provenance : dict
    scores : tuple of NGramScore
    bigrams_of_all_names : float
        Nats per symbol of the plain bigram counts of all names, on all names, as the notebooks have it.
    minimum : dict of str to tuple of int
        By text, for n = 1, 2, ...: contexts seen less often have no row in `tables`.
    tables : dict of str to tuple of CountTable
        By text, for n = 1, 2, ...
    """

    provenance: dict[str, Any]
    scores: tuple[NGramScore, ...]
    bigrams_of_all_names: float
    minimum: dict[str, tuple[int, ...]]
    tables: dict[str, tuple[CountTable, ...]]

    def of_text(self, text: str) -> tuple[NGramScore, ...]:
        """Return a text's scores by rising n."""
        return tuple(score for score in self.scores if score.text == text)


def save_results(path: Path, results: NGramResults) -> None:
    """Write the scores, and the counts beside them."""
    data = {
        "scores": [asdict(score) for score in results.scores],
        "bigrams_of_all_names": results.bigrams_of_all_names,
        "minimum": {text: list(numbers) for text, numbers in results.minimum.items()},
    }
    stored: dict[str, Tensor] = {}
    for text, tables in results.tables.items():
        for n, table in enumerate(tables, start=1):
            stored[f"{text}.keys.{n}"] = _small(table.keys)
            stored[f"{text}.counts.{n}"] = _small(table.counts)
    save_with_weights(path, Results(EXPERIMENT, results.provenance, data), stored)


def _small(numbers: np.ndarray) -> Tensor:
    is_small = not len(numbers) or int(numbers.max()) < 2**31
    return torch.from_numpy(numbers.astype(np.int32 if is_small else np.int64))


def load_results(path: Path = SHIPPED) -> NGramResults:
    """Read what `save_results` wrote.

    Raises
    ------
    ResultError
        If a file is missing, or is another one.
    """
    results, stored = load_with_weights(path, EXPERIMENT)
    try:
        scores = [
            NGramScore(**{**row, "add_k": tuple(row["add_k"]), "weights": tuple(row["weights"])})
            for row in results.data["scores"]
        ]
        minimum = {text: tuple(map(int, results.data["minimum"][text])) for text in TEXTS}
        tables = {
            text: tuple(_table(stored, text, n) for n in range(1, LONGEST + 1)) for text in TEXTS
        }
        bigrams = float(results.data["bigrams_of_all_names"])
    except (KeyError, TypeError, ValueError) as error:
        raise ResultError(
            f"{path.name} must hold scores and counts of {TEXTS}: {error!r};"
            f" python -m lm_core experiment {EXPERIMENT} makes it"
        ) from error
    return NGramResults(results.provenance, tuple(scores), bigrams, minimum, tables)


def _table(stored: dict[str, Tensor], text: str, n: int) -> CountTable:
    keys, counts = (stored[f"{text}.{part}.{n}"].numpy() for part in ("keys", "counts"))
    return CountTable(len(symbols_of(text)), keys.astype(np.int64), counts.astype(np.int64))
