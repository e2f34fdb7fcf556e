"""Train the taggers on the Brown corpus, score them on texts that none has read, and store what is shipped."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from lm_core.errors import SettingError
from lm_core.experiments.part_of_speech_tagging.evaluation import HeldOutWords
from lm_core.experiments.part_of_speech_tagging.results import (
    COUNTING,
    STORAGE,
    Mistakes,
    StoredTagCounts,
    TaggerScore,
    TaggingResults,
    spelled,
)
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
from lm_core.experiments.recipes import recipe_named
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
    load_texts,
    sentences_of_part,
    texts_of_part,
)
from lm_core.text.word_features import FeatureVocabulary
from lm_core.training.checkpoints import CheckpointMeta, load_checkpoint, save_checkpoint
from lm_core.training.weight_storage import StoredModel

HELP = "train taggers that see more or less of a word's context"
LOG_EVERY = 200


class Part(NamedTuple):
    """A part of the corpus, as it is written and as the taggers read it."""

    sentences: list[TaggedSentence]
    encoded: list[EncodedSentence]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "recipes", nargs="*", metavar="RECIPE", help=f"of {', '.join(RECIPES)} (default: all)"
    )
    parser.add_argument("--runs", type=Path, required=True, help="folder of the trained taggers")
    parser.add_argument(
        "--score",
        action="store_true",
        help="score all taggers of the folder on the test texts, and store what is shipped",
    )
    TaggingResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Train what is not in the folder yet, a tagger for each recipe and seed; then score."""
    torch.set_num_threads(1)
    texts = load_texts()
    sentences = sentences_of_part(texts, TRAIN)
    vocabulary = learn_vocabulary(sentences)
    if not arguments.score or arguments.recipes:
        encoded = encode_sentences(sentences, vocabulary)
        for recipe in (recipe_named(RECIPES, name) for name in arguments.recipes or RECIPES):
            for seed in SEEDS:
                _train(recipe.with_seed(seed), arguments.runs, encoded, len(vocabulary))
    if arguments.score:
        counts = TagCounts.of(sentences)
        parts = {
            part: _part(sentences_of_part(texts, part), vocabulary) for part in (VALIDATION, TEST)
        }
        names = [text.name for text in texts_of_part(texts, TEST)]
        score_all(arguments.runs, vocabulary, counts, parts, names).save(arguments.out)


def _part(sentences: list[TaggedSentence], vocabulary: FeatureVocabulary) -> Part:
    return Part(sentences, encode_sentences(sentences, vocabulary))


def _named(recipe: TaggerRecipe) -> str:
    return f"{recipe.name}-seed-{recipe.training.seed}"


def _train(
    recipe: TaggerRecipe, folder: Path, sentences: Sequence[EncodedSentence], n_features: int
) -> None:
    """Train a tagger and write its checkpoint, unless it is there."""
    if (folder / _named(recipe)).is_dir():
        return
    started = time.process_time()
    training = TaggerTraining(recipe.model(n_features), recipe.training, sentences)
    losses = []
    for step in training:
        losses.append(step.loss)
        if step.step % LOG_EVERY == 0:
            mean = float(np.mean(losses[-LOG_EVERY:]))
            sys.stderr.write(f"{_named(recipe)}  step {step.step:5d}  loss {mean:.4f}\n")
            sys.stderr.flush()
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
        device="cpu",
        parameter_count=model.parameter_count,
        recipe=training.config.__dict__,
        experiment=EXPERIMENT,
    )
    print(save_checkpoint(folder, model, meta), flush=True)


def score_all(
    folder: Path,
    vocabulary: FeatureVocabulary,
    counts: TagCounts,
    parts: dict[str, Part],
    texts: Sequence[str],
) -> TaggingResults:
    """Score a folder's taggers, as they are stored, and print a row for each.

    Parameters
    ----------
    folder : Path
    vocabulary : FeatureVocabulary
    counts : TagCounts
        Of the training texts.
    parts : dict of str to Part
        `VALIDATION` and `TEST`.
    texts : sequence of str
        Names of the test texts, for the record.

    Raises
    ------
    CheckpointError
        If the tagger of a recipe and seed is missing.
    SettingError
        If one was trained with other features than these.
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
        stored = StoredModel.of(model, STORAGE)
        predicted = {name: _predicted(stored.build(), part) for name, part in parts.items()}
        scores.append(
            TaggerScore(
                recipe.name,
                meta.seed,
                meta.parameter_count,
                meta.steps,
                meta.characters_seen,
                meta.seconds,
                **{name: held_out[name].accuracies(predicted[name]) for name in parts},
            )
        )
        print(scores[-1], flush=True)
        if meta.seed == SEEDS[0]:
            models[recipe.name] = stored
            mistakes[recipe.name] = _mistakes(test, predicted[TEST])
    by_count = np.array([counts.most_frequent(word) for word in test.words])
    mistakes[COUNTING], baseline = _mistakes(test, by_count), test.accuracies(by_count)
    print("most frequent tag", baseline)
    made = provenance(
        device="cpu",
        seconds=sum(score.seconds for score in scores),
        corpus=BROWN.name,
        corpus_sha256=sha256_of(require(BROWN.name)),
        split="of every ten texts by name the fifth is for validation, the tenth for the test",
        test_texts=" ".join(texts),
        least_count=LEAST_COUNT,
        least_words=LEAST_WORDS,
        storage=STORAGE,
        recipes={recipe.name: recipe.training.__dict__ for recipe in RECIPES.values()},
    )
    return TaggingResults(
        made,
        test.sizes,
        baseline,
        tuple(scores),
        mistakes,
        models,
        spelled(vocabulary),
        StoredTagCounts.of(counts, vocabulary),
    )


def _mistakes(held_out: HeldOutWords, predicted: np.ndarray) -> Mistakes:
    rows = held_out.confusion_counts(predicted).tolist()
    return Mistakes(tuple(map(tuple, rows)), tuple(held_out.confusions(predicted)))


def _predicted(model: Tagger, part: Part) -> np.ndarray:
    return np.concatenate(predict_tags(model, part.encoded))
