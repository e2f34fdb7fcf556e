"""A tagger that learns: sentences as batches, and their loss, handed to the one training loop."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from lm_core.experiments.part_of_speech_tagging.settings import (
    LEAST_COUNT,
    LEAST_WORDS,
    ModelConfig,
    TaggerTrainingConfig,
)
from lm_core.models.fast.recurrent import FusedCell
from lm_core.models.placement import device_of, moved
from lm_core.models.recurrent import Cell
from lm_core.models.registry import build
from lm_core.models.tagger import RecurrentTagger, Tagger
from lm_core.rng import generator
from lm_core.text.tagged_sentences import TaggedSentence
from lm_core.text.word_features import PADDING, UNKNOWN_WORD, FeatureVocabulary
from lm_core.training.batching import batches_of_length
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm
from lm_core.training.optimizers import learning_rates_of, make_optimizer

NO_TAG = -1
"""Target of padding."""

_JITTER = 3.0
"""Words by which lengths are blurred before sentences are sorted, so that passes mix them differently."""

_EVALUATED_TOKENS = 8_000


class EncodedSentence(NamedTuple):
    """A sentence's features, int64 (T, F), and its tags, int64 (T,)."""

    features: np.ndarray
    tags: np.ndarray


class TaggedBatch(NamedTuple):
    """Sentences side by side."""

    features: Tensor
    """int64, of shape (B, T, F)."""
    tags: Tensor
    """int64, of shape (B, T). `NO_TAG` behind a sentence's end."""
    lengths: Tensor
    """int64, of shape (B,)."""


def count_words(sentences: Sequence[TaggedSentence]) -> Counter[str]:
    """Return how often each word is found, as it is written."""
    return Counter(word for sentence in sentences for word in sentence.words)


def learn_vocabulary(sentences: Sequence[TaggedSentence]) -> FeatureVocabulary:
    """Return the features of the training sentences' words."""
    return FeatureVocabulary.learn(
        count_words(sentences), least_count=LEAST_COUNT, least_words=LEAST_WORDS
    )


def encode_sentences(
    sentences: Sequence[TaggedSentence], vocabulary: FeatureVocabulary
) -> list[EncodedSentence]:
    """Return sentences as the taggers read them."""
    rows = vocabulary.encode(word for sentence in sentences for word in sentence.words)
    ends = np.cumsum([len(sentence.words) for sentence in sentences])[:-1]
    return [
        EncodedSentence(features, np.array(sentence.tags))
        for features, sentence in zip(np.split(rows, ends), sentences, strict=True)
    ]


def tagged_batch(sentences: Sequence[EncodedSentence]) -> TaggedBatch:
    """Lay sentences side by side."""
    lengths = [len(sentence.tags) for sentence in sentences]
    longest, n_features = max(lengths), sentences[0].features.shape[1]
    features = np.full((len(sentences), longest, n_features), PADDING)
    tags = np.full((len(sentences), longest), NO_TAG)
    for row, (sentence, length) in enumerate(zip(sentences, lengths, strict=True)):
        features[row, :length], tags[row, :length] = sentence
    return TaggedBatch(torch.from_numpy(features), torch.from_numpy(tags), torch.tensor(lengths))


class TaggerTraining:
    """A training in progress; iterate over it for its steps.

    Parameters
    ----------
    sentences : sequence of EncodedSentence, to learn from
    device : torch.device or str, where the tagger learns
    """

    def __init__(
        self,
        model: ModelConfig,
        config: TaggerTrainingConfig,
        sentences: Sequence[EncodedSentence],
        device: torch.device | str = "cpu",
    ) -> None:
        self.config, self._sentences = config, sentences
        self._rng = generator(config.seed)
        self.model: Tagger = build(model)
        self.model.initialise(self._rng)
        self.device = torch.device(device)
        self.model.to(self.device)
        # As in `lm_core.training.language_modelling`: dropout is drawn where the model is.
        self._dropout_rng = self._rng
        if self.device.type != "cpu":
            self._dropout_rng = generator(config.seed, self.device)
        self._replaced = replacement_shares(sentences, model.vocabulary_size, config.word_dropout)
        self._batches = self._passes()
        self.words_seen = 0

    def __iter__(self) -> Iterator[TrainStep]:
        """Yield the steps, losses in nats per word; the model is up to date at the last."""
        config = self.config
        cells = _fuse(self.model)
        loop = TrainingLoop(
            self.model.parameters(),
            self._next_loss,
            make_optimizer(self.model, config.weight_decay, "muon", config.adamw_share),
            steps=config.steps,
            learning_rate=learning_rates_of(config),
            clip=clip_by_norm(config.clip),
        )
        self.model.train()
        for step in loop:
            if step.step == config.steps:
                _put_back(self.model, cells)
                self.model.eval()
            yield step

    def _passes(self) -> Iterator[TaggedBatch]:
        lengths = [len(sentence.tags) for sentence in self._sentences]
        while True:
            blurred = torch.tensor(lengths) + _JITTER * torch.rand(
                len(lengths), generator=self._rng
            )
            batches = batches_of_length(
                blurred.argsort().tolist(), lengths, self.config.batch_tokens
            )
            for i in torch.randperm(len(batches), generator=self._rng).tolist():
                yield tagged_batch([self._sentences[place] for place in batches[i]])

    def _next_loss(self) -> Tensor:
        batch = next(self._batches)
        self.words_seen += int(batch.lengths.sum())
        hidden = hide_words(batch.features, self._replaced, self._rng)
        batch = moved(batch._replace(features=hidden), self.device)
        logits = self.model.training_logits(batch.features, batch.lengths, rng=self._dropout_rng)
        return functional.cross_entropy(
            logits.flatten(0, 1), batch.tags.flatten(), ignore_index=NO_TAG
        )


def replacement_shares(
    sentences: Sequence[EncodedSentence], vocabulary_size: int, strength: float
) -> Tensor:
    """Return how often each word is to be read as an unknown one, by its id: a / (a + its count).

    The result: Tensor of shape (V,), 1 for a word that is never read.
    """
    ids = np.concatenate([sentence.features[:, 0] for sentence in sentences])
    counts = torch.from_numpy(np.bincount(ids, minlength=vocabulary_size))
    return strength / (strength + counts).clamp_min(1e-9)


def hide_words(features: Tensor, shares: Tensor, rng: torch.Generator) -> Tensor:
    """Return features (B, T, F) in which some words are unknown ones, chosen by their share."""
    words = features[..., 0]
    is_hidden = (torch.rand(words.shape, generator=rng) < shares[words]) & (words != PADDING)
    hidden = features.clone()
    hidden[..., 0] = torch.where(is_hidden, UNKNOWN_WORD, words)
    return hidden


def _fuse(model: Tagger) -> list[Cell]:
    """Let a recurrent tagger read in torch's fused layers; return the cells that they stand for."""
    if not isinstance(model, RecurrentTagger):
        return []
    cells = [cast(Cell, model.forwards), cast(Cell, model.backwards)]
    model.forwards, model.backwards = map(FusedCell, cells)
    return cells


def _put_back(model: Tagger, cells: list[Cell]) -> None:
    """Give a recurrent tagger its cells again, with what was learned meanwhile."""
    if isinstance(model, RecurrentTagger):
        for fused, cell in zip((model.forwards, model.backwards), cells, strict=True):
            cast(FusedCell, fused).copy_to(cell)
        model.forwards, model.backwards = cells


@torch.no_grad()
def predict_tags(model: Tagger, sentences: Sequence[EncodedSentence]) -> list[np.ndarray]:
    """Return the most probable tag of each word, sentence by sentence."""
    lengths = [len(sentence.tags) for sentence in sentences]
    order = sorted(range(len(sentences)), key=lengths.__getitem__)
    found: dict[int, np.ndarray] = {}
    for places in batches_of_length(order, lengths, _EVALUATED_TOKENS):
        batch = moved(tagged_batch([sentences[place] for place in places]), device_of(model))
        predicted = model(batch.features, batch.lengths).argmax(-1).cpu().numpy()
        found |= {place: predicted[row, : lengths[place]] for row, place in enumerate(places)}
    return [found[place] for place in range(len(sentences))]
