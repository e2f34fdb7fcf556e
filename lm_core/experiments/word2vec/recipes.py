"""Recipes of the shipped word vectors: corpus, settings, evaluation, snapshots."""

from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean

import torch
from torch import Tensor

from lm_core.analysis.word_pairs import agreement, read_pairs
from lm_core.errors import SettingError
from lm_core.experiments.word2vec import negative_sampling_training
from lm_core.experiments.word2vec.full_softmax import FullSoftmaxConfig, FullSoftmaxTraining
from lm_core.models.embeddings import WordVectors
from lm_core.models.registry import config_to_dict
from lm_core.text.catalogue import WORD_PAIRS
from lm_core.text.corpora import load_text, locate
from lm_core.text.word_corpora import sha256_of_parts, texts_of, word_corpus_named
from lm_core.text.word_vocabulary import WORDS, WordVocabulary, read_words
from lm_core.training.checkpoints import CheckpointMeta, save_checkpoint
from lm_core.training.devices import describe_device
from lm_core.training.loop import TrainStep

SNAPSHOT_SHARES = (0.0, 0.01, 0.03, 0.1, 0.3, 0.6)
"""Shares of the training after which a snapshot is saved."""

SNAPSHOT_WORDS = 1_500
"""Words of a snapshot: the most frequent ones."""

_LOSS_OVER = 100  # steps: one batch's loss says little


@dataclass(frozen=True)
class EmbeddingRecipe:
    """One training of word vectors."""

    name: str
    title: str
    """`name` and `title`: of the checkpoint that comes out of it."""
    corpus: str
    """Of `lm_core.text.word_corpora.WORD_CORPORA`."""
    minimum_count: int
    """How often a word must occur to get a vector."""
    training: negative_sampling_training.NegativeSamplingConfig | FullSoftmaxConfig


SKIP_GRAM_NEGATIVES = 10
"""Random words from which skip-gram tells each true context word."""

LIBRARY_SKIP_GRAM = EmbeddingRecipe(
    "library-skip-gram",
    "Skip-gram, 33 books and more",
    "library",
    5,
    # 172 numbers: both vectors of all words then stay under 12 MB at a byte a number.
    negative_sampling_training.NegativeSamplingConfig(
        "skip-gram",
        width=172,
        negatives=SKIP_GRAM_NEGATIVES,
        epochs=15,
        thresholds=(1e-3, 1e-4),
        batch=4,
        drawn=64,
    ),
)
LIBRARY_CBOW = EmbeddingRecipe(
    "library-cbow",
    "CBOW, 33 books and more",
    "library",
    5,
    negative_sampling_training.NegativeSamplingConfig(
        "cbow", width=200, window=8, negatives=10, epochs=15, thresholds=(1e-3,)
    ),
)
BOOK_CBOW = EmbeddingRecipe(
    "book-cbow",
    "CBOW with the full softmax, War and Peace",
    "war-and-peace",
    20,
    FullSoftmaxConfig(width=100),
)
WIKITEXT_CBOW = EmbeddingRecipe(
    "wikitext-cbow",
    "CBOW with the full softmax, WikiText-2",
    "wikitext-2",
    50,
    FullSoftmaxConfig(batch=20_000),
)
"""The published run's settings and corpus; its words include signs, here they are runs of letters."""

DEFAULT_RECIPES = (LIBRARY_SKIP_GRAM, LIBRARY_CBOW, BOOK_CBOW)
RECIPES = {recipe.name: recipe for recipe in (*DEFAULT_RECIPES, WIKITEXT_CBOW)}


def train(
    recipe: EmbeddingRecipe, root: Path, watch: Callable[[TrainStep, float], None] | None = None
) -> Path:
    """Train, evaluate, and save the model and its snapshots below `root`; return the model's folder.

    Raises CorpusUnavailableError if a text is not on this machine.

    Parameters
    ----------
    root : Path, folder for the checkpoints
    watch : callable, optional; is given every step, and the share of the training that is done

    The provenances' loss is the mean of the last hundred steps.
    """
    corpus = word_corpus_named(recipe.corpus)
    vocabulary, words = read_words(texts_of(corpus), recipe.minimum_count)
    training = _training(recipe, torch.from_numpy(words), vocabulary)
    provenance = CheckpointMeta(
        name=recipe.name,
        title=recipe.title,
        config=config_to_dict(training.vectors.config),
        vocabulary=WORDS,
        corpus=corpus.name,
        corpus_sha256=sha256_of_parts(corpus.parts),
        seed=recipe.training.seed,
        steps=0,
        characters_seen=0,
        seconds=0.0,
        device=describe_device(torch.device("cpu")),
        parameter_count=training.vectors.parameter_count,
        recipe={"minimum_count": recipe.minimum_count, **asdict(recipe.training)},
        storage="int8_rows",
    )
    shares, losses = list(SNAPSHOT_SHARES), deque[float](maxlen=_LOSS_OVER)
    _save_snapshot(root, training.vectors, provenance, shares.pop(0))
    for step in training:
        if watch is not None:
            watch(step, training.share)
        losses.append(step.loss)
        provenance = replace(
            provenance,
            steps=step.step,
            seconds=round(step.seconds, 1),
            characters_seen=round(training.share * len(words) * recipe.training.epochs),  # words
            losses={"training": round(fmean(losses), 4)},
        )
        if shares and training.share >= shares[0]:
            _save_snapshot(root, training.vectors, provenance, shares.pop(0))
    return save_checkpoint(
        root, training.vectors, replace(provenance, scores=scores(training.vectors))
    )


def _training(
    recipe: EmbeddingRecipe, words: Tensor, vocabulary: WordVocabulary
) -> negative_sampling_training.NegativeSamplingTraining | FullSoftmaxTraining:
    if isinstance(recipe.training, FullSoftmaxConfig):
        return FullSoftmaxTraining(words, vocabulary, recipe.training)
    return negative_sampling_training.NegativeSamplingTraining(words, vocabulary, recipe.training)


def _save_snapshot(
    root: Path, vectors: WordVectors, provenance: CheckpointMeta, share: float
) -> None:
    """Save the most frequent words' vectors as of a share of the training."""
    kept = vectors.most_frequent(SNAPSHOT_WORDS)
    meta = replace(
        provenance,
        name=snapshot_name(provenance.name, share),
        config=config_to_dict(kept.config),
        parameter_count=kept.parameter_count,
        snapshot_of=provenance.name,
    )
    save_checkpoint(root, kept, meta)


def snapshot_name(name: str, share: float) -> str:
    """Return the name of a model's snapshot after a share of its training.

    Examples
    --------
    >>> snapshot_name("book-cbow", 0.03)
    'book-cbow-at-3'
    """
    return f"{name}-at-{share * 100:g}"


def scores(vectors: WordVectors) -> dict[str, float]:
    """Evaluate input embeddings on the word pairs that are on this machine: `agreements`."""
    return agreements(vectors.input.detach(), vectors.vocabulary)


def agreements(table: Tensor, vocabulary: WordVocabulary) -> dict[str, float]:
    """Evaluate vectors (V, D) on the word pairs that are on this machine.

    Returns
    -------
    dict of str to float
        For each list Spearman's correlation of the vectors' cosines with people's scores, and under
        ``<list>, unknown`` the share of its pairs with an unknown word.
    """
    found = {}
    for listed in WORD_PAIRS:
        if locate(listed.name) is None:
            continue
        measured = agreement(table, vocabulary, read_pairs(load_text(listed.name)))
        found[listed.title] = round(measured.correlation, 6)
        found[f"{listed.title}, unknown"] = round(measured.unknown_share, 6)
    return found


def of_other_seed(recipe: EmbeddingRecipe, seed: int) -> EmbeddingRecipe:
    """Return a recipe with another seed."""
    if seed < 0:
        raise SettingError(f"seed must be at least 0, got {seed}")
    return replace(recipe, training=replace(recipe.training, seed=seed))
