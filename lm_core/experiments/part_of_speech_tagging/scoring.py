"""Training the taggers, and scoring them, as they are stored, on texts that none has read."""

import time
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from lm_core.errors import SettingError
from lm_core.experiments.commands import Report, carried_out
from lm_core.experiments.part_of_speech_tagging import results
from lm_core.experiments.part_of_speech_tagging.evaluation import HeldOutWords
from lm_core.experiments.part_of_speech_tagging.settings import (
    EXPERIMENT,
    LEAST_COUNT,
    LEAST_WORDS,
    RECIPES,
    SEEDS,
    TaggerRecipe,
)
from lm_core.experiments.part_of_speech_tagging.training import (
    EncodedSentence,
    TaggerTraining,
    encode_sentences,
    learn_vocabulary,
    predict_tags,
)
from lm_core.models.registry import config_to_dict
from lm_core.models.tag_counts import TagCounts
from lm_core.models.tagger import Tagger
from lm_core.results import provenance
from lm_core.text.catalogue import BROWN
from lm_core.text.corpora import require, sha256_of
from lm_core.text.tagged_sentences import (
    TEST,
    TRAIN,
    VALIDATION,
    TaggedSentence,
    TaggedText,
    sentences_of_part,
    texts_of_part,
)
from lm_core.text.word_features import FeatureVocabulary
from lm_core.training.checkpoints import CheckpointMeta, load_checkpoint, save_checkpoint
from lm_core.training.devices import describe_device
from lm_core.training.weight_storage import StoredModel


class Part(NamedTuple):
    """A part of the corpus, as it is written and as the taggers read it."""

    sentences: list[TaggedSentence]
    encoded: list[EncodedSentence]

    @classmethod
    def of(cls, sentences: list[TaggedSentence], vocabulary: FeatureVocabulary) -> "Part":
        """Return sentences as they are written and as they are read."""
        return cls(sentences, encode_sentences(sentences, vocabulary))


def _named(recipe: TaggerRecipe) -> str:
    return f"{recipe.name}-seed-{recipe.training.seed}"


def train(
    recipe: TaggerRecipe,
    folder: Path,
    sentences: Sequence[EncodedSentence],
    n_features: int,
    device: torch.device | str = "cpu",
) -> None:
    """Train a tagger and write its checkpoint, unless it is there."""
    if (folder / _named(recipe)).is_dir():
        return
    started = time.process_time()
    training = TaggerTraining(recipe.model(n_features), recipe.training, sentences, device)
    carried_out(training, _named(recipe), recipe.training.steps)
    model = training.model
    meta = CheckpointMeta(
        name=_named(recipe),
        title=recipe.title,
        config=config_to_dict(model.config),
        vocabulary="word features",
        corpus=BROWN.name,
        corpus_sha256=sha256_of(require(BROWN.name)),
        seed=recipe.training.seed,
        steps=recipe.training.steps,
        characters_seen=training.words_seen,
        seconds=round(time.process_time() - started, 1),
        device=describe_device(training.device),
        parameter_count=model.parameter_count,
        recipe=training.config.__dict__,
        experiment=EXPERIMENT,
    )
    save_checkpoint(folder, model, meta)


def train_all(
    recipes: Iterable[TaggerRecipe], folder: Path, texts: Sequence[TaggedText], device: torch.device
) -> None:
    """Train a tagger for each recipe and seed on the training texts, unless it is there."""
    sentences = sentences_of_part(texts, TRAIN)
    vocabulary = learn_vocabulary(sentences)
    encoded = encode_sentences(sentences, vocabulary)
    for recipe, seed in product(recipes, SEEDS):
        train(recipe.with_seed(seed), folder, encoded, len(vocabulary), device)


def score_texts(
    folder: Path, texts: Sequence[TaggedText], report: Report
) -> results.TaggingResults:
    """Score a folder's taggers on the texts that none has read; raises as `score_all` does."""
    sentences = sentences_of_part(texts, TRAIN)
    vocabulary, counts = learn_vocabulary(sentences), TagCounts.of(sentences)
    parts = {
        part: Part.of(sentences_of_part(texts, part), vocabulary) for part in (VALIDATION, TEST)
    }
    names = [text.name for text in texts_of_part(texts, TEST)]
    return score_all(folder, vocabulary, counts, parts, names, report)


def score_all(
    folder: Path,
    vocabulary: FeatureVocabulary,
    counts: TagCounts,
    parts: dict[str, Part],
    texts: Sequence[str],
    report: Report,
) -> results.TaggingResults:
    """Score a folder's taggers, as they are stored, and print a row for each.

    Raises CheckpointError if the tagger of a recipe and seed is missing, and SettingError if one
    was trained with other features than these.

    Parameters
    ----------
    counts : TagCounts, of the training texts
    parts : dict of str to Part, `VALIDATION` and `TEST`
    texts : sequence of str, names of the test texts, for the record
    report : Report, prints each score
    """
    held_out = {name: HeldOutWords.of(part.sentences, counts) for name, part in parts.items()}
    test = held_out[TEST]
    scores, mistakes, models = [], {}, {}
    for recipe in (of.with_seed(seed) for of in RECIPES.values() for seed in SEEDS):
        model, meta = load_checkpoint(folder / _named(recipe))
        if model.config.vocabulary_size != len(vocabulary):
            raise SettingError(
                f"{meta.name} must read {len(vocabulary)} features, it reads"
                f" {model.config.vocabulary_size}: train it again"
            )
        stored = StoredModel.of(model, results.STORAGE)
        predicted = {name: _predicted(stored.build(), part) for name, part in parts.items()}
        scores.append(
            results.TaggerScore(
                recipe.name,
                meta.seed,
                meta.parameter_count,
                meta.steps,
                meta.characters_seen,
                meta.seconds,
                **{name: held_out[name].accuracies(predicted[name]) for name in parts},
            )
        )
        report(scores[-1])
        if meta.seed == SEEDS[0]:
            models[recipe.name] = stored
            mistakes[recipe.name] = _mistakes(test, predicted[TEST])
    by_count = np.array([counts.most_frequent(word) for word in test.words])
    mistakes[results.COUNTING], baseline = _mistakes(test, by_count), test.accuracies(by_count)
    report(baseline)
    made = provenance(
        device="cpu",
        seconds=sum(score.seconds for score in scores),
        corpus=BROWN.name,
        corpus_sha256=sha256_of(require(BROWN.name)),
        split="of every ten texts by name the fifth is for validation, the tenth for the test",
        test_texts=" ".join(texts),
        least_count=LEAST_COUNT,
        least_words=LEAST_WORDS,
        storage=results.STORAGE,
        recipes={recipe.name: recipe.training.__dict__ for recipe in RECIPES.values()},
    )
    return results.TaggingResults(
        made,
        test.sizes,
        baseline,
        tuple(scores),
        mistakes,
        models,
        results.TaggingResults.spelled(vocabulary),
        results.StoredTagCounts.of(counts, vocabulary),
    )


def _mistakes(held_out: HeldOutWords, predicted: np.ndarray) -> results.Mistakes:
    rows = held_out.confusion_counts(predicted).tolist()
    return results.Mistakes(tuple(map(tuple, rows)), tuple(held_out.confusions(predicted)))


def _predicted(model: Tagger, part: Part) -> np.ndarray:
    return np.concatenate(predict_tags(model, part.encoded))
