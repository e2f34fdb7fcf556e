"""What Bengio's model learned of the words of the book, as it is shipped: words, network, counts, losses."""

from dataclasses import dataclass
from functools import cached_property

import torch

from lm_core.analysis.word_space import WordSpace
from lm_core.experiments.neural_language_model.study import EXPERIMENT
from lm_core.experiments.neural_language_model.words import WordLosses, context_of
from lm_core.models.language_model import LanguageModel
from lm_core.models.mlp import MLPLanguageModel
from lm_core.models.ngram import KneserNey
from lm_core.results import Recorded
from lm_core.text.word_vocabulary import WordVocabulary
from lm_core.training.weight_storage import StoredModel


def stored(network: MLPLanguageModel, counts: KneserNey) -> tuple[StoredModel, StoredModel]:
    """Return the two models as they are shipped."""
    return StoredModel.of(network, "int8_rows"), StoredModel.of(counts, "float16")


@dataclass(frozen=True)
class WordResults(Recorded, name=f"{EXPERIMENT}-words", experiment=f"{EXPERIMENT} --words"):
    """All that the page shows of the words."""

    vocabulary: WordVocabulary
    stored_network: StoredModel
    stored_counts: StoredModel
    losses: WordLosses

    def __post_init__(self) -> None:
        if len(self.vocabulary.ids) != (size := self.stored_network.config["vocabulary_size"]):
            raise ValueError(f"there must be {size} words, got {len(self.vocabulary.ids)}")

    @cached_property
    def network(self) -> MLPLanguageModel:
        """Bengio's."""
        model: MLPLanguageModel = self.stored_network.build()
        return model

    @cached_property
    def counts(self) -> KneserNey:
        """Of fewer words of context than the network has, and pruned."""
        model: KneserNey = self.stored_counts.build()
        return model

    @torch.no_grad()
    def after(self, text: str, model: LanguageModel) -> torch.Tensor:
        """Return what one of the models expects after a text: probabilities of shape (V,)."""
        ids = context_of(self.vocabulary, text, self.network.config.context_size)
        logits, _ = model(torch.tensor([ids]), model.initial_state(1))
        return logits[0, -1].double().softmax(0)

    def space(self) -> WordSpace:
        """Return the embeddings as points, seen from their mean."""
        return WordSpace.of(self.vocabulary, self.network.embedding.weight, subtract_mean=True)
