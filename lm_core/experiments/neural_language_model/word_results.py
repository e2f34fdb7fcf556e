"""What Bengio's model learned of the words of the book, as it is shipped: words, network, counts, losses."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from lm_core.analysis.word_space import WordSpace
from lm_core.errors import ResultError, SettingError
from lm_core.experiments.neural_language_model.study import EXPERIMENT
from lm_core.experiments.neural_language_model.words import WordLosses, context_of
from lm_core.models.language_model import LanguageModel
from lm_core.models.mlp import MLPLanguageModel
from lm_core.models.ngram import KneserNey
from lm_core.models.registry import build, config_from_dict, config_to_dict
from lm_core.results import (
    Results,
    load_with_weights,
    results_path,
    save_with_weights,
    tensors_below,
)
from lm_core.text.word_vocabulary import WordVocabulary
from lm_core.training.weight_storage import STORAGES, from_stored

SHIPPED = results_path(f"{EXPERIMENT}-words")
_STORAGE = {"network": "int8_rows", "counts": "float16"}


@dataclass(frozen=True)
class WordResults:
    """All that the page shows of the words.

    Attributes
    ----------
    provenance : dict
    vocabulary : WordVocabulary
    network : MLPLanguageModel
    counts : KneserNey
        Of fewer words of context than the network has, and pruned.
    losses : WordLosses
    """

    provenance: dict[str, Any]
    vocabulary: WordVocabulary
    network: MLPLanguageModel
    counts: KneserNey
    losses: WordLosses

    @torch.no_grad()
    def after(self, text: str, model: LanguageModel) -> torch.Tensor:
        """Return what one of the models expects after a text: probabilities of shape (V,)."""
        ids = context_of(self.vocabulary, text, self.network.config.context_size)
        logits, _ = model(torch.tensor([ids]), model.initial_state(1))
        return logits[0, -1].double().softmax(0)

    def space(self) -> WordSpace:
        """Return the embeddings as points, seen from their mean."""
        return WordSpace.of(self.vocabulary, self.network.embedding.weight, subtract_mean=True)


def save_results(path: Path, results: WordResults) -> None:
    """Write words and losses, and network and counts beside them."""
    models = {"network": results.network, "counts": results.counts}
    data = {
        "losses": results.losses._asdict(),
        "configs": {name: config_to_dict(model.config) for name, model in models.items()},
        "words": list(zip(results.vocabulary.words, results.vocabulary.counts, strict=True)),
    }
    stored = {
        f"{name}.{part}": tensor.contiguous()
        for name, model in models.items()
        for part, tensor in STORAGES[_STORAGE[name]](model.state_dict()).items()
    }
    save_with_weights(path, Results(EXPERIMENT, results.provenance, data), stored)


def load_results(path: Path = SHIPPED) -> WordResults:
    """Read what `save_results` wrote.

    Raises
    ------
    ResultError
        If a file is missing or damaged, or is another one.
    """
    results, stored = load_with_weights(path, EXPERIMENT)
    data = results.data
    try:
        models = []
        for name in _STORAGE:
            model = build(config_from_dict(data["configs"][name]))
            model.load_state_dict(from_stored(tensors_below(stored, f"{name}.")))
            models.append(model.eval().requires_grad_(False))
        network, counts = models
        losses = WordLosses(**{**data["losses"], "kneser_ney": tuple(data["losses"]["kneser_ney"])})
        vocabulary = WordVocabulary(*zip(*data["words"], strict=True))
        if len(vocabulary.ids) != network.vocabulary_size:
            raise ValueError(f"{len(vocabulary.ids)} words for {network.vocabulary_size} ids")
    except (KeyError, TypeError, ValueError, RuntimeError, SettingError) as error:
        raise ResultError(
            f"{path.name} must hold words, a network and counts: {error!r};"
            f" python -m lm_core experiment {EXPERIMENT} --words makes it"
        ) from error
    return WordResults(results.provenance, vocabulary, network, counts, losses)
