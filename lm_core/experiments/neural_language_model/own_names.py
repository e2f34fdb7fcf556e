"""Bengio's model on a visitor's own list of names: read, learned while they wait, and names made up after it."""

import math
import random
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import regex
import torch

from lm_core.errors import TextError
from lm_core.experiments.neural_language_model.names import LONGEST_NAME
from lm_core.experiments.neural_language_model.training import (
    MLPTrainingConfig,
    examples_of_names,
    start_network,
    train_network,
)
from lm_core.models.mlp import MLPLanguageModel, MLPLanguageModelConfig
from lm_core.text.names import END
from lm_core.text.what_was_read import WhatWasRead

FEWEST_NAMES, MOST_NAMES, MOST_SYMBOLS = 20, 5_000, 100
STEPS = 300
RIVERS = (
    "Aare Amstel Angara Arno Bug Clyde Dâmbovița Daugava Desna Dnieper Dniester Don Donau "
    "Dordogne Douro Drava Drina Duero Ebro Eider Elbe Ems Evros Fulda Garonne Gauja Glomma "
    "Guadalquivir Guadiana Havel Iller Inn Isar Isonzo Jizera Kama Kemijoki Lahn Lech Leine "
    "Loire Lot Maas Main Marne Maritsa Memel Meuse Minho Morava Mosel Mures Nahe Narew Neckar "
    "Neisse Neman Neris Neva Oder Oise Oka Olt Orne Pechora Piave Pripyat Prut Reuss Rhein "
    "Rhône Saale Sambre Saône Sava Schelde Seine Segura Severn Shannon Siret Soča Somme Spree "
    "Struma Tagus Tarn Thames Tiber Tisza Trent Tundzha Tweed Ural Vardar Vistula Vltava "
    "Volga Vienne Warta Weser Werra Yonne Ybbs Yser Zaan"
).replace(" ", "\n")
"""Ours, until there is a list of somebody's own: rivers of Europe."""
_HELD_OUT, _MOST_HELD_OUT, _SEED = 0.1, 200, 42
_NAME = regex.compile(r"[\p{L}\p{M}]+(?:[ '’\-][\p{L}\p{M}]+)*")
_NUMBERED = re.compile(r"\s*(?:\d+[.)]|[-*•])\s+")
_PARTED = re.compile(r"[,;\t|]")
_PREVIEWED = 6


class OwnNames(NamedTuple):
    """A list of names, ready to be learned from."""

    names: tuple[str, ...]
    """In small letters, each once."""
    symbols: tuple[str, ...]
    """Of each id; the first is the end of a name."""
    read: WhatWasRead

    @property
    def parts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names to learn from, and every tenth, which is held out; shuffled by a fixed seed."""
        shuffled = list(self.names)
        random.Random(_SEED).shuffle(shuffled)
        n = min(_MOST_HELD_OUT, max(1, round(_HELD_OUT * len(shuffled))))
        return tuple(shuffled[n:]), tuple(shuffled[:n])


class LearnedNames(NamedTuple):
    """A network after its training on a list of names."""

    model: MLPLanguageModel
    train_bits: float
    """A letter, the end of a name counted as one, on the names that it learned from."""
    held_out_bits: float


def read_names(text: str, notes: Sequence[str] = ()) -> OwnNames:
    r"""Read a list of names in any script: one a line, parted by commas, or in the first cell of each line.

    `notes`: sequence of str, what else is to be said of it.

    Raises
    ------
    TextError
        If there are too few or too many, or they have too many different letters.

    Examples
    --------
    >>> read_names("\n".join(f"Anna{c},F,{i}" for i, c in enumerate("abcdefghijklmnopqrst"))).names[:2]
    ('annaa', 'annab')
    """
    cells, how = _cells(text)
    kept, left_out = Counter[str](), []
    for number, cell in cells:
        name = " ".join(_NUMBERED.sub("", cell).replace("’", "'").split()).lower()
        if _NAME.fullmatch(name) and 2 <= len(name) <= LONGEST_NAME:
            kept[name] += 1
        elif name:
            left_out.append((number, cell.strip()))
    if not FEWEST_NAMES <= len(kept) <= MOST_NAMES:
        raise TextError(
            f"a list has {FEWEST_NAMES} to {MOST_NAMES:,} different names, one a line, this one has {len(kept):,}"
            f"{_first_of(left_out)}"
        )
    symbols = (END, *sorted({*"".join(kept)}))
    if len(symbols) > MOST_SYMBOLS:
        raise TextError(
            f"the names may have at most {MOST_SYMBOLS - 1} different letters, these have {len(symbols) - 1:,}:"
            " write them in an alphabet, such as Pinyin for Chinese"
        )
    said = [*notes]
    if n := kept.total() - len(kept):
        name = next(name for name, times in kept.items() if times > 1)
        said.append(
            f"{n:,} {'is' if n == 1 else 'are'} the same as one before, and left out; the first is “{name}”."
        )
    if left_out:
        n = len(left_out)
        said.append(
            f"{n:,} {'is no name' if n == 1 else 'are no names'} of 2 to {LONGEST_NAME} letters, and left out"
            f"{_first_of(left_out)}."
        )
    facts = (
        f"{len(kept):,} names",
        how,
        f"{len(symbols) - 1} different letters and signs, capitals as small letters",
    )
    rows = ((name, str(len(name))) for name in [*kept][:_PREVIEWED])
    return OwnNames(
        tuple(kept), symbols, WhatWasRead(facts, tuple(said), (("name", "letters"), *rows))
    )


def _cells(text: str) -> tuple[list[tuple[int, str]], str]:
    """Return what may be names with their lines, and how they are parted."""
    lines = [(i, line) for i, line in enumerate(text.splitlines(), 1) if line.strip()]
    n_parted = sum(bool(_PARTED.search(line)) for _, line in lines)
    if 2 * n_parted > len(lines) >= FEWEST_NAMES:
        return [
            (i, _PARTED.split(line)[0].strip(' "')) for i, line in lines
        ], "the first cell of each line"
    cells = [(i, cell.strip(' "')) for i, line in lines for cell in _PARTED.split(line)]
    return cells, "one a line" if len(cells) == len(lines) else "parted by commas or the like"


def _first_of(left_out: Sequence[tuple[int, str]]) -> str:
    if not left_out:
        return ""
    number, cell = left_out[0]
    return f"; the first that is none is “{cell[:30]}” in line {number:,}"


def names_config(n_symbols: int, context_size: int, seed: int) -> MLPTrainingConfig:
    """Return how the network learns a list of names."""
    network = MLPLanguageModelConfig(n_symbols, context_size, embedding_size=10, hidden_size=64)
    return MLPTrainingConfig(
        network, steps=STEPS, batch=128, learning_rate=0.02, weight_decay=0.05, seed=seed
    )


def learn_names(own: OwnNames, context_size: int, seed: int) -> LearnedNames:
    """Train a network on the names that are not held out.

    Parameters
    ----------
    context_size : int, letters that it looks back at
    seed : int, of its first weights and of the batches
    """
    learned, held_out = own.parts
    config = names_config(len(own.symbols), context_size, seed)
    model, rng = start_network(config)
    examples = examples_of_names(learned, context_size, own.symbols)
    for _ in train_network(model, examples, config, rng):
        pass
    model.eval().requires_grad_(requires_grad=False)
    return LearnedNames(model, *(_bits(model, names, own.symbols) for names in (learned, held_out)))


@torch.no_grad()
def _bits(model: MLPLanguageModel, names: Sequence[str], symbols: Sequence[str]) -> float:
    """Return the mean bits of every letter of some names, and of the end of each."""
    contexts, targets = examples_of_names(names, model.config.context_size, symbols)
    logits = model.trace(contexts).logits
    return torch.nn.functional.cross_entropy(logits, targets).item() / math.log(2)
