"""The shipped models measured on the book's validation tenth, and the finished trainings shipped."""

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch

from lm_core.errors import CheckpointError
from lm_core.experiments.masked_language_model import settings
from lm_core.experiments.masked_language_model.results import (
    CurvePoint,
    MaskedResults,
    SplitResults,
)
from lm_core.experiments.masked_language_model.segments import Segments
from lm_core.experiments.masked_language_model.split_scores import COVERED, score_splits
from lm_core.experiments.masked_language_model.text_scores import (
    bits_of,
    score_gibbs,
    score_orders,
    score_pairs,
)
from lm_core.experiments.masked_language_model.training import (
    MaskedTraining,
    book_segments,
    masked_loss,
)
from lm_core.experiments.masked_language_model.windows import draw_windows, tag_windows
from lm_core.experiments.masked_language_model.word_classes import score_classes
from lm_core.experiments.part_of_speech_tagging.results import TaggingResults
from lm_core.models.language_model import LanguageModel
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.models.registry import config_to_dict
from lm_core.results import provenance
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.training_text import Book, load_book
from lm_core.text.vocabularies import vocabulary_named
from lm_core.training.checkpoints import CheckpointMeta, load_shipped, save_checkpoint
from lm_core.training.devices import describe_device

LOG = "log.jsonl"
"""What a training records of its steps, in its folder."""
SENTENCE = (10, 34)
"""Subwords of the sentences that are read backwards."""
CHAINS, GIBBS_TOKENS, SWEEPS = 8, 24, 12

Report = Callable[[str], object]


def ship(recipe: settings.MaskedRecipe, training: MaskedTraining, book: Book, folder: Path) -> Path:
    """Save a finished training's model in 8-bit rows, with its accuracy on the validation part.

    Raises CheckpointError if the training is not at its end, or the folder cannot be written.
    """
    if training.loop.step < recipe.training.steps:
        raise CheckpointError(
            f"{recipe.name} is at step {training.loop.step:,} of {recipe.training.steps:,}: train it"
            " to its end first"
        )
    held_out = book_segments(recipe)[1]
    validation = Segments(book.validation, book.vocabulary.symbols, recipe.model)
    model, masking = training.model.cpu().eval(), recipe.training.masking
    scores = score_splits({recipe.name: model}, validation)
    covered = next(score for score in scores if score.condition == COVERED)
    meta = CheckpointMeta(
        name=recipe.name,
        title=recipe.title,
        config=config_to_dict(recipe.model),
        vocabulary=settings.VOCABULARY,
        corpus=book.corpus,
        corpus_sha256=book.sha256,
        seed=recipe.training.seed,
        steps=recipe.training.steps,
        characters_seen=round(training.tokens_seen * book.characters_per_token),
        seconds=round(training.loop.seconds, 1),
        device=describe_device(training.device),
        parameter_count=model.parameter_count,
        losses={
            "held out, nats per chosen subword": masked_loss(model, held_out, masking),
            "validation, nats per chosen subword": masked_loss(model, validation, masking),
        },
        recipe=asdict(recipe.training)
        | {"starts_from": recipe.starts_from, "targets_seen": training.targets_seen},
        storage="int8_rows",
        scores={"accuracy": covered.accuracy},
        experiment=settings.EXPERIMENT,
    )
    return save_checkpoint(folder, model, meta)


def curves_of(folder: Path, names: Iterable[str]) -> tuple[CurvePoint, ...]:
    """Return what trainings in a folder recorded of the held-out part, each step once."""
    points = {}
    for name in names:
        path = folder / name / LOG
        rows = map(json.loads, path.read_text().splitlines() if path.is_file() else ())
        for row in rows:
            if "held_out" in row:
                points[name, row["step"]] = CurvePoint(name, row["step"], row["held_out"])
    return tuple(points[key] for key in sorted(points))


def measure_splits(
    models: dict[str, MaskedLanguageModel], curves: tuple[CurvePoint, ...], *, batches: int = 24
) -> SplitResults:
    """Ask models that learned under different splits for the same words of the validation part."""
    began = time.process_time()
    book = load_book(vocabulary_named(settings.VOCABULARY))
    config = next(iter(models.values())).config
    segments = Segments(book.validation, book.vocabulary.symbols, config)
    scores = score_splits(models, segments, batches=batches)
    made = provenance(
        device="cpu",
        seconds=time.process_time() - began,
        corpus=book.corpus,
        corpus_sha256=book.sha256,
        batches=batches,
    )
    return SplitResults(made, tuple(scores), curves)


def measure(
    main: MaskedLanguageModel, curve: tuple[CurvePoint, ...], report: Report, *, scale: float = 1.0
) -> MaskedResults:
    """Measure everything that the page shows of the main model.

    Parameters
    ----------
    report : callable of str, receives a line for each part that is done
    scale : float, share of the windows, sentences and chains: below 1 for a rough measure
    """
    began = time.process_time()

    def many(n: int) -> int:
        return max(1, round(scale * n))

    causal: LanguageModel = load_shipped(settings.CAUSAL).model
    book = load_book(vocabulary_named(settings.VOCABULARY))
    vocabulary, ids = book.vocabulary, book.validation
    windows = tag_windows(draw_windows(ids, vocabulary, many(250)), TaggingResults.load())
    classes = score_classes(main, causal, windows)
    report(f"classes: {classes[0]}")
    pairs = score_pairs(main, draw_windows(ids, vocabulary, many(600), seed=1), many(600))
    report("\n".join(map(str, pairs)))
    sentences = draw_windows(ids, vocabulary, many(120), seed=2, sizes=SENTENCE)
    orders = score_orders(main, causal, vocabulary, sentences)
    report("\n".join(map(str, orders)))
    sweeps = score_gibbs(
        main, causal, vocabulary, chains=many(CHAINS), tokens=GIBBS_TOKENS, sweeps=SWEEPS
    )
    references = _references(causal, vocabulary, ids, many(100))
    report(f"Gibbs: {sweeps[0]} ... {sweeps[-1]}; {references}")
    made = provenance(
        device="cpu",
        seconds=time.process_time() - began,
        corpus=book.corpus,
        corpus_sha256=book.sha256,
        windows=len(windows),
        sentence_subwords=list(SENTENCE),
        chains=many(CHAINS),
        chain_subwords=GIBBS_TOKENS,
    )
    return MaskedResults(
        made, tuple(classes), tuple(pairs), tuple(orders), tuple(sweeps), references, curve
    )


def _references(
    causal: LanguageModel, vocabulary: CharacterVocabulary, ids: np.ndarray, n: int
) -> dict[str, float]:
    """Return the bits a character of paragraphs' beginnings: the book's, and those the causal model draws."""
    windows = draw_windows(ids, vocabulary, n, seed=3)
    book = [bits_of(causal, vocabulary, w.ids[1 : GIBBS_TOKENS + 1].tolist()) for w in windows]
    rng = generator(0)
    drawn = []
    for _ in range(n):
        text = vocabulary.encode("\n").tolist()
        state = causal.initial_state(1)
        while len(text) <= GIBBS_TOKENS:
            with torch.no_grad():
                logits, state = causal(torch.tensor([text[-1:]]), state)
            text.append(int(torch.multinomial(logits[0, -1].softmax(0), 1, generator=rng)))
        drawn.append(bits_of(causal, vocabulary, text[1:]))
    return {
        "the book": round(float(np.mean(book)), 4),
        "written from left to right": round(float(np.mean(drawn)), 4),
    }
