"""The Benchmark of Linguistic Minimal Pairs for English: 67 kinds of pairs, made by rules, of twelve phenomena.

The pairs are for evaluation only: nothing is trained on them or chosen by them, and they do not come with
the project.

References
----------
Warstadt et al. 2020, "BLiMP: The Benchmark of Linguistic Minimal Pairs for English", TACL 8.
https://doi.org/10.1162/tacl_a_00321
"""

import gzip
import json
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from lm_core.errors import CorpusError, CorpusUnavailableError
from lm_core.text.corpora import search_folders

FILE = "blimp/blimp.jsonl.gz"
"""Where the pairs lie below a data folder, a line of JSON each."""

_MERGED = {"s-selection": "argument_structure"}  # as in the paper's tables


class MinimalPair(NamedTuple):
    """Two sentences that differ in one thing, of which only the first is English."""

    good: str
    bad: str


class Kind(NamedTuple):
    """Pairs made by one rule."""

    name: str
    phenomenon: str
    pairs: tuple[MinimalPair, ...]


def load_kinds(most: int | None = None) -> list[Kind]:
    """Return the kinds with their first pairs, `most` of each.

    Raises CorpusUnavailableError if the benchmark is not on this machine, and CorpusError if the
    file is not what it should be.
    """
    folders = search_folders()
    path = next((folder / FILE for folder in folders if (folder / FILE).is_file()), None)
    if path is None:
        raise CorpusUnavailableError(
            f"{FILE} must be in one of {', '.join(map(str, folders))}: a line of JSON for each pair of"
            " https://github.com/alexwarstadt/blimp, with good, bad, term and paradigm"
        )
    return _kinds(path, most)


def _kinds(path: Path, most: int | None) -> list[Kind]:
    pairs: dict[tuple[str, str], list[MinimalPair]] = defaultdict(list)
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                phenomenon = _MERGED.get(row["term"], row["term"])
                pair = MinimalPair(str(row["good"]), str(row["bad"]))
                pairs[row["paradigm"], phenomenon].append(pair)
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise CorpusError(
            f"{path} must have good, bad, term and paradigm in each line: {error!r}"
        ) from error
    return [Kind(*names, tuple(found[:most])) for names, found in pairs.items()]
