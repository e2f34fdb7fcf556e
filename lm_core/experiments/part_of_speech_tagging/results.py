"""The scores of the taggers, and the weights of one of each kind in 8-bit rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import ResultError, SettingError
from lm_core.experiments.part_of_speech_tagging.evaluation import Accuracies, Confusion
from lm_core.experiments.part_of_speech_tagging.settings import EXPERIMENT, RECIPES
from lm_core.models.registry import build, config_from_dict, config_to_dict
from lm_core.models.tag_counts import TagCounts
from lm_core.models.tagger import Tagger
from lm_core.results import (
    Results,
    load_with_weights,
    results_path,
    save_with_weights,
    tensors_below,
)
from lm_core.text.tagged_sentences import TAGS
from lm_core.text.word_features import FeatureVocabulary
from lm_core.training.weight_storage import STORAGES, from_stored

SHIPPED = results_path(EXPERIMENT)
STORAGE = "int8_rows"
COUNTING = "most-frequent-tag"
"""Under this name the baseline's mistakes are stored."""

_BETWEEN = "\n"


class TaggerScore(NamedTuple):
    """One training on the test texts.

    Attributes
    ----------
    name : str
        Of the recipe.
    seed, parameters, steps, words_seen : int
    seconds : float
        Processor time of the training.
    validation, test : Accuracies
        Of the weights as they are stored.
    """

    name: str
    seed: int
    parameters: int
    steps: int
    words_seen: int
    seconds: float
    validation: Accuracies
    test: Accuracies


@dataclass(frozen=True)
class Mistakes:
    """What a tagger makes of the test words.

    Attributes
    ----------
    counts : int ndarray of shape (K, K)
        How often each tag, a row, was given each tag, a column.
    confusions : tuple of Confusion
    """

    counts: np.ndarray
    confusions: tuple[Confusion, ...]


class StoredTaggers(Mapping[str, Tagger]):
    """Taggers that stay in 8-bit rows, a quarter of their size; each is made anew when it is asked for.

    Parameters
    ----------
    configs : dict of str to dict
        By recipe, as `config_to_dict` writes them.
    stored : dict of str to Tensor
        All weights, each under its tagger's name, a dot and its own name.
    """

    def __init__(self, configs: dict[str, dict[str, Any]], stored: dict[str, Tensor]) -> None:
        self._configs = {name: config_from_dict(config) for name, config in configs.items()}
        self._stored = {name: tensors_below(stored, f"{name}.") for name in configs}

    def __getitem__(self, name: str) -> Tagger:
        """Return a tagger in evaluation mode."""
        model: Tagger = build(self._configs[name])
        model.load_state_dict(from_stored(self._stored[name]))
        return model.eval()

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self._configs)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._configs)


@dataclass(frozen=True)
class TaggingResults:
    """All trainings, and what the page draws from.

    Attributes
    ----------
    provenance : dict
    sizes : dict of str to int
        Test words in each group of `Accuracies`.
    baseline : Accuracies
        Of the most frequent tag, on the test texts.
    scores : tuple of TaggerScore
    mistakes : dict of str to Mistakes
        By recipe, of the first seed; and of the baseline, by the name `COUNTING`.
    models : mapping of str to Tagger
        By recipe, of the first seed, in evaluation mode.
    vocabulary : FeatureVocabulary
    tag_counts : TagCounts
        Of the words that have vectors of their own.
    """

    provenance: dict[str, Any]
    sizes: dict[str, int]
    baseline: Accuracies
    scores: tuple[TaggerScore, ...]
    mistakes: dict[str, Mistakes]
    models: Mapping[str, Tagger]
    vocabulary: FeatureVocabulary
    tag_counts: TagCounts

    def scores_of(self, name: str) -> tuple[TaggerScore, ...]:
        """Return the scores of a recipe, a seed each.

        Raises
        ------
        ResultError
            If there is none.
        """
        found = tuple(score for score in self.scores if score.name == name)
        if not found:
            names = sorted({score.name for score in self.scores})
            raise ResultError(f"the results must have {name!r}, they have {names}")
        return found

    def mean(self, name: str, group: str) -> float:
        """Return a recipe's accuracy on a group of test words, the mean over its seeds."""
        values = [getattr(score.test, group) for score in self.scores_of(name)]
        return sum(values) / len(values)


def as_stored(model: Tagger) -> Tagger:
    """Return a tagger whose weights went through 8-bit rows: what is shipped, and what is scored."""
    copy: Tagger = build(model.config)
    copy.load_state_dict(from_stored(_stored(model)))
    return copy.eval()


def _stored(model: Tagger) -> dict[str, Tensor]:
    weights = {name: weight.detach() for name, weight in model.state_dict().items()}
    return STORAGES[STORAGE](weights)


def save_results(path: Path, results: TaggingResults) -> None:
    """Write the record, and the weights beside it."""
    data = {
        "sizes": results.sizes,
        "baseline": results.baseline._asdict(),
        "scores": [
            score._asdict() | {"validation": list(score.validation), "test": list(score.test)}
            for score in results.scores
        ],
        "configs": {name: config_to_dict(model.config) for name, model in results.models.items()},
        "mistakes": {name: _to_record(of) for name, of in results.mistakes.items()},
    }
    stored = {
        f"{name}.{part}": tensor
        for name, model in results.models.items()
        for part, tensor in _stored(model).items()
    }
    stored["vocabulary"] = _spelled(results.vocabulary.names)
    stored |= _stored_counts(results.tag_counts, results.vocabulary)
    save_with_weights(path, Results(EXPERIMENT, results.provenance, data), stored)


def _to_record(mistakes: Mistakes) -> dict[str, Any]:
    return {
        "counts": mistakes.counts.tolist(),
        "confusions": [
            [c.tag, c.predicted, [list(pair) for pair in c.words]] for c in mistakes.confusions
        ],
    }


def _spelled(names: tuple[str, ...]) -> Tensor:
    return torch.tensor(list(_BETWEEN.join(names).encode()), dtype=torch.uint8)


def _stored_counts(counts: TagCounts, vocabulary: FeatureVocabulary) -> dict[str, Tensor]:
    """Return the counts that are not 0 of the words with vectors, each with its row and column."""
    rows = np.stack([counts.counts[word] for word in vocabulary.words])
    places = np.flatnonzero(rows)
    return {
        "tag_counts.unknown": torch.from_numpy(counts.unknown.astype(np.int32)),
        "tag_counts.places": torch.from_numpy(places.astype(np.int32)),
        "tag_counts.numbers": torch.from_numpy(rows.ravel()[places].astype(np.int32)),
    }


def load_results(path: Path = SHIPPED) -> TaggingResults:
    """Read what `save_results` wrote.

    Raises
    ------
    ResultError
        If a file is missing or damaged, or is another one.
    """
    results, stored = load_with_weights(path, EXPERIMENT)
    try:
        data = results.data
        vocabulary = FeatureVocabulary(
            bytes(stored["vocabulary"].tolist()).decode().split(_BETWEEN)
        )
        return TaggingResults(
            results.provenance,
            {name: int(size) for name, size in data["sizes"].items()},
            Accuracies(**data["baseline"]),
            tuple(map(_score, data["scores"])),
            {name: _mistakes(record) for name, record in data["mistakes"].items()},
            StoredTaggers(data["configs"], stored),
            vocabulary,
            _tag_counts(stored, vocabulary),
        )
    except (KeyError, TypeError, ValueError, RuntimeError, SettingError) as error:
        raise _not_read(path, error) from error


def load_scores(path: Path = SHIPPED) -> tuple[Accuracies, tuple[TaggerScore, ...]]:
    """Read the baseline and the scores alone, without the weights; ResultError as `load_results`."""
    data = Results.load(path, EXPERIMENT).data
    try:
        return Accuracies(**data["baseline"]), tuple(map(_score, data["scores"]))
    except (KeyError, TypeError, ValueError) as error:
        raise _not_read(path, error) from error


def _not_read(path: Path, error: Exception) -> ResultError:
    return ResultError(
        f"{path.name} must hold taggers and their scores: {error!r};"
        f" python -m lm_core experiment {EXPERIMENT} makes it"
    )


def _score(record: dict[str, Any]) -> TaggerScore:
    if record["name"] not in RECIPES:
        raise ValueError(f"a score must be of one of {sorted(RECIPES)}, got {record['name']!r}")
    accuracies = {part: Accuracies(*record[part]) for part in ("validation", "test")}
    return TaggerScore(**(record | accuracies))


def _mistakes(record: dict[str, Any]) -> Mistakes:
    counts = np.array(record["counts"], np.int64).reshape(len(TAGS), len(TAGS))
    confusions = (
        Confusion(tag, predicted, tuple((word, n) for word, n in words))
        for tag, predicted, words in record["confusions"]
    )
    return Mistakes(counts, tuple(confusions))


def _tag_counts(stored: dict[str, Tensor], vocabulary: FeatureVocabulary) -> TagCounts:
    words = vocabulary.words
    rows = np.zeros((len(words), len(TAGS)), np.int64)
    rows.ravel()[stored["tag_counts.places"].numpy()] = stored["tag_counts.numbers"].numpy()
    unknown = stored["tag_counts.unknown"].numpy().astype(np.int64)
    return TagCounts(dict(zip(words, rows, strict=True)), unknown)
