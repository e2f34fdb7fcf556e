"""The same sentiment, told by the encoder that has read *War and Peace* and is tuned on the reviews."""

import time
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.experiments.fine_tuning.asking import class_probabilities
from lm_core.experiments.fine_tuning.labelled_texts import between_separators, labelled_texts
from lm_core.experiments.fine_tuning.prose import encode_text
from lm_core.experiments.fine_tuning.settings import AUTHOR, TUNED, FineTuningConfig
from lm_core.experiments.fine_tuning.training import FineTuning
from lm_core.experiments.order_matters.reviews import SENTIMENTS, Reviews
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.models.task_heads import TaskModel
from lm_core.text.character_vocabulary import CharacterVocabulary

_RATE = 5e-4


class TunedEncoder(NamedTuple):
    """The encoder after its tuning."""

    model: TaskModel
    vocabulary: CharacterVocabulary
    seconds: float
    """Of the processor, for the tuning."""

    def is_positive(self, reviews: Reviews) -> Tensor:
        """Return whether each review is judged to be positive, bool (N,)."""
        most = self.model.encoder.config.longest - 2
        texts = [[ids[:most]] for ids in _subwords(reviews, self.vocabulary)]
        return torch.from_numpy(class_probabilities(self.model, texts)[:, 1] > 0.5)


def tune(
    encoder: MaskedLanguageModel,
    vocabulary: CharacterVocabulary,
    training: Reviews,
    *,
    seed: int,
    steps: int,
) -> TunedEncoder:
    """Tune all weights on reviews: a text's class is asked for, as an author's is.

    `encoder`: MaskedLanguageModel, the pretrained one; it is not changed.
    """
    began = time.process_time()
    most = encoder.config.longest - 2
    rows = [
        between_separators([ids[:most]], encoder.config) for ids in _subwords(training, vocabulary)
    ]
    labelled = labelled_texts(rows, training.is_positive.long().tolist(), encoder.config)
    config = FineTuningConfig(AUTHOR, TUNED, len(rows), seed, steps, _RATE, dtype="float32")
    tuning = FineTuning(encoder, config, labelled, len(SENTIMENTS))
    for _ in tuning:
        pass
    return TunedEncoder(tuning.model.eval(), vocabulary, time.process_time() - began)


def _subwords(reviews: Reviews, vocabulary: CharacterVocabulary) -> list[list[int]]:
    """Return each review on one line, in the encoder's subwords."""
    lines = (" ".join(vocabulary.normalise(text).split()) for text in reviews.texts)
    return [encode_text(line, vocabulary) for line in lines]
