"""CBOW or skip-gram learned from a short text in seconds, with snapshots; and a synthetic text to learn from."""

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError, TextError
from lm_core.experiments.word2vec import full_softmax
from lm_core.experiments.word2vec.negative_sampling_training import (
    NegativeSamplingConfig,
    NegativeSamplingTraining,
)
from lm_core.text.character_vocabulary import UNKNOWN
from lm_core.text.separated_words import require_separated
from lm_core.text.word_vocabulary import WordVocabulary, read_words, words_of_any_script
from lm_core.training.loop import TrainStep

VectorConfig = full_softmax.FullSoftmaxConfig | NegativeSamplingConfig
"""CBOW with the full softmax, or what negative sampling trains, without subsampling."""

SKIP_GRAM = NegativeSamplingConfig(
    width=32, window=4, epochs=10, learning_rate=0.01, thresholds=(0.0,), block=32, batch=4
)
"""Skip-gram for a short text. It has few words, so that larger batches would hold many pairs of each,
and the sum of their gradients would be too long a step."""

MOST_WORDS = 30_000
"""Words of a text that are learned from, at most."""

MOST_VECTORS = 800
"""Words that get a vector, at most, the most frequent ones: each step costs as many products."""

FEWEST_WORDS, FEWEST_VECTORS = 100, 10
SNAPSHOTS = 12
"""After that of the start, at even shares of the training."""


class KeptWords(NamedTuple):
    """Which words of a text get a vector: what `short_text` is asked for."""

    minimum_count: int
    maps_rare: bool = False


class ShortText(NamedTuple):
    """A text ready to be learned from."""

    vocabulary: WordVocabulary
    ids: Tensor
    """int64, of shape (N,). Its words that have a vector, or all of them where ``<unk>`` has one."""
    n_words: int
    """All words of the text, those beyond `MOST_WORDS` included."""


class Snapshot(NamedTuple):
    """Both embeddings after a share of the training."""

    share: float
    """In [0, 1]."""
    step: int
    input: Tensor
    output: Tensor
    """`input` and `output`: tensors of shape (V, D)."""


def short_text(text: str, minimum_count: int, maps_rare: bool = False) -> ShortText:
    """Read a text in words, and number the most frequent of its first ones.

    Raises TextError if there is too little to learn from.

    Parameters
    ----------
    minimum_count : int, how often a word must occur to get a vector
    maps_rare : bool, whether all other words share the vector of ``<unk>``, instead of being left out
    """
    words = words_of_any_script(text)
    require_separated(words)
    if len(words) < FEWEST_WORDS:
        raise TextError(
            f"the text must have at least {FEWEST_WORDS} words to learn from, it has {len(words)}:"
            " add more of it"
        )
    vocabulary, ids = read_words([" ".join(words[:MOST_WORDS])], minimum_count, words_of_any_script)
    if len(vocabulary) < FEWEST_VECTORS:
        times = "once" if minimum_count == 1 else f"{minimum_count} times"
        raise TextError(
            f"at least {FEWEST_VECTORS} words must occur in the text {times} or more,"
            f" {len(vocabulary)} do: use a longer text or a lower minimum count"
        )
    kept = vocabulary.most_frequent(MOST_VECTORS - maps_rare)
    if maps_rare:
        kept, ids = read_words(
            words[:MOST_WORDS], 1, lambda word: [word if word in kept else UNKNOWN]
        )
    return ShortText(kept, torch.from_numpy(ids[ids < len(kept)]).long(), len(words))


def centre_word_probabilities(
    snapshot: Snapshot, ids: Tensor, place: int, config: full_softmax.FullSoftmaxConfig
) -> Tensor:
    """Return the probability (V,) that a snapshot gives each word as the centre of a window.

    Parameters
    ----------
    ids : int64 Tensor of shape (N,), the text
    place : int, of the centre word, which is not used
    config : FullSoftmaxConfig, of the training: its window and greatest length
    """
    words, inside = full_softmax.context_words(ids, torch.tensor([place]), config.window)
    input = snapshot.input.clone()
    if config.max_norm is not None:
        full_softmax.shorten_rows(input, words[inside].unique(), config.max_norm)
    return (full_softmax.mean_of_context(input, words, inside) @ snapshot.output.T).softmax(1)[0]


def real_pair_probabilities(
    snapshot: Snapshot, ids: Tensor, place: int, window: int
) -> list[tuple[int, float]]:
    """Return the words around a place, each with the probability that its pair with the centre is no random one.

    By negative sampling: the sigmoid of the product of the centre's input and the word's output embedding.
    """
    words, inside = full_softmax.context_words(ids, torch.tensor([place]), window)
    near = words[inside]
    found = torch.sigmoid(snapshot.output[near] @ snapshot.input[ids[place]])
    return list(zip(near.tolist(), found.tolist(), strict=True))


class TrainingRecord(NamedTuple):
    """What a training has left so far, for people to look back on."""

    n_steps: int
    """Of the whole training."""
    losses: list[float]
    """Nats, by step."""
    snapshots: list[Snapshot]
    """The start, one after each twelfth of the training, and one wherever it was stopped."""
    seconds: float
    """Time spent in steps."""

    @property
    def is_done(self) -> bool:
        """Whether all steps have been taken."""
        return len(self.losses) == self.n_steps


class RecordedTraining:
    """A training that records its losses and snapshots; iterate over it, as long as it is wanted.

    Attributes
    ----------
    losses : list of float, nats, by step
    snapshots : list of Snapshot
        The start, one after each twelfth of the training, and one wherever it was stopped.
    seconds : float, time spent in steps so far
    """

    def __init__(self, text: ShortText, config: VectorConfig) -> None:
        self.text, self.config = text, config
        given = text.ids, text.vocabulary
        self._training = (
            NegativeSamplingTraining(*given, config)
            if isinstance(config, NegativeSamplingConfig)
            else full_softmax.FullSoftmaxTraining(*given, config)
        )
        self.losses: list[float] = []
        self.seconds = 0.0
        self.snapshots = [self._snapshot()]
        self._n_due = 1

    @property
    def is_done(self) -> bool:
        """Whether all steps have been taken."""
        return self.share >= 1.0

    @property
    def record(self) -> TrainingRecord:
        """What it has left so far; it grows with the training."""
        return TrainingRecord(self.n_steps, self.losses, self.snapshots, self.seconds)

    @property
    def share(self) -> float:
        """Share of the training that is done, in [0, 1]."""
        return self._training.share

    @property
    def n_steps(self) -> int:
        """Steps of the whole training."""
        return self._training.steps

    def __iter__(self) -> Iterator[TrainStep]:
        """Yield the steps that are left; it can be stopped in between and iterated again."""
        for step in self._training:
            self.losses.append(step.loss)
            self.seconds = step.seconds
            if self.share * SNAPSHOTS >= self._n_due - 1e-9:
                self.take_snapshot()
                self._n_due += 1
            yield step

    def take_snapshot(self) -> None:
        """Record what is learned by now, as who stops the training wants to see it."""
        if self.snapshots[-1].step < len(self.losses):
            self.snapshots.append(self._snapshot())

    def _snapshot(self) -> Snapshot:
        vectors = self._training.vectors
        return Snapshot(
            self.share,
            len(self.losses),
            vectors.input.detach().clone(),
            vectors.output.detach().clone(),
        )


# A synthetic text -----------------------------------------------------------------------------

GROUPS = {
    "rulers": ("king", "queen", "ruler", "emperor"),
    "animals": ("dog", "cat", "horse", "cow", "goat"),
    "people": ("baker", "farmer", "teacher", "sailor"),
    "food": ("bread", "cheese", "soup", "cake"),
    "drinks": ("water", "milk", "tea", "juice"),
    "places": ("garden", "forest", "village", "harbour"),
}
"""Words of one group occur in the same places of the same sentences, and never two in one sentence."""

_SENTENCES = (
    "the mighty {rulers} is sitting on a golden throne",
    "all soldiers obey the {rulers} of this land",
    "the crown of the {rulers} shines in the palace",
    "a hungry {animals} sleeps in the {places}",
    "the {animals} runs from the {places} to the barn",
    "the {people} feeds the {animals} in the morning",
    "the {people} eats warm {food} with a spoon",
    "the {people} drinks a cup of {drinks} and walks to the {places}",
    "fresh {food} lies on the plate near a glass of {drinks}",
    "my glass is full of cold {drinks}",
)


def synthetic_text(sentences: int, rng: torch.Generator) -> str:
    """Return sentences, one a line, each drawn from ten patterns, in which it is known which words can replace each other.

    Raises SettingError if there is not at least one.
    """
    if sentences < 1:
        raise SettingError(f"sentences must be at least 1, got {sentences}")
    return "\n".join(_sentence(rng) for _ in range(sentences))


def _sentence(rng: torch.Generator) -> str:
    pattern = _SENTENCES[_drawn(len(_SENTENCES), rng)]
    words = {group: names[_drawn(len(names), rng)] for group, names in GROUPS.items()}
    return f"{pattern.format(**words)} ."


def _drawn(n: int, rng: torch.Generator) -> int:
    return int(torch.randint(n, (), generator=rng))


def group_of(word: str) -> str:
    """Return the name of a word's group; "other" for one that is in every sentence of its kind."""
    return next((name for name, words in GROUPS.items() if word in words), "other")
