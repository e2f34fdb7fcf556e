"""Score the book, novels by others, the models' own texts and shuffled words by every shipped model."""

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from lm_core.analysis.surprisal import (
    rank_limits,
    readable_text,
    score_text,
    shuffled_characters,
    shuffled_words,
)
from lm_core.experiments.results import provenance
from lm_core.experiments.surprisal.results import (
    BOOK,
    CHARACTERS,
    NOVELS,
    OWN,
    OWN_COOL,
    SHIPPED,
    WORDS,
    KindScore,
    SurprisalResults,
    load_results,
    save_results,
)
from lm_core.generation.prompts import default_prompt
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.models.language_model import LanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.corpora import load_text
from lm_core.text.training_text import TRAIN_SHARE, load_body, split_licence
from lm_core.training.checkpoints import list_language_models, load_shipped
from lm_core.training.model_vocabulary import vocabulary_of

HELP = "score texts of several kinds by every shipped language model"
NOVELS_BY_OTHERS = (
    "gutenberg/dracula",
    "gutenberg/emma",
    "gutenberg/great_expectations",
    "gutenberg/moby_dick",
    "gutenberg/treasure_island",
    "gutenberg/wuthering_heights",
)
"""None of the models has read them."""
_KEPT = 700
"""Characters of what a model has written that are shipped."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("models", nargs="*", help="shipped names (default: all that read the book)")
    parser.add_argument(
        "--characters", type=int, default=4_000, help="of each text (default: 4,000)"
    )
    parser.add_argument("--texts", type=int, default=6, help="of each kind (default: 6)")
    parser.add_argument(
        "--out", type=Path, default=SHIPPED, help="file to write (default: the shipped results)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Print and save one row for each model and kind; models not named keep the rows that they have."""
    torch.set_num_threads(1)
    started = time.perf_counter()
    names = arguments.models or [m.name for m in list_language_models() if not m.snapshot_of]
    kept = load_results(arguments.out) if arguments.models and arguments.out.exists() else None
    scores = [score for score in kept.scores if score.model not in names] if kept else []
    written = dict(kept.written) if kept else {}
    for name in names:
        model, meta = load_shipped(name)
        vocabulary = vocabulary_of(meta)
        own: dict[float, list[str]] = {}
        for temperature in (1.0, 0.5):
            own[temperature] = [
                _written_by(model, vocabulary, temperature, arguments.characters, seed)
                for seed in range(arguments.texts)
            ]
        written[name] = own[1.0][0][:_KEPT]
        kinds = dict(_texts(arguments.characters, arguments.texts))
        for kind, texts in {OWN_COOL: own[0.5], OWN: own[1.0], **kinds}.items():
            scores.append(_score(name, kind, model, vocabulary, texts))
            print(_row(scores[-1]), flush=True)
    made = provenance(
        device="cpu",
        seconds=time.perf_counter() - started,
        characters=arguments.characters,
        texts=arguments.texts,
        novels=NOVELS_BY_OTHERS,
    )
    save_results(arguments.out, SurprisalResults(made, tuple(scores), written))


def _texts(n_characters: int, n_texts: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the texts of each kind that all models read, in raw characters."""
    body = load_body()
    unseen = body[math.ceil(TRAIN_SHARE * len(body)) :]
    book = _spread(unseen, n_characters, n_texts)
    yield BOOK, book
    # A third of the way into each: well past the preface.
    novels = [split_licence(load_text(name))[0] for name in NOVELS_BY_OTHERS]
    yield NOVELS, [text[len(text) // 3 :][:n_characters] for text in novels[:n_texts]]
    yield WORDS, [shuffled_words(text, seed) for seed, text in enumerate(book)]
    yield CHARACTERS, [shuffled_characters(text, seed) for seed, text in enumerate(book)]


def _spread(text: str, n_characters: int, n_texts: int) -> list[str]:
    """Return stretches of a text that lie evenly apart."""
    starts = np.linspace(0, len(text) - n_characters, n_texts).astype(int)
    return [text[start : start + n_characters] for start in starts.tolist()]


def _written_by(
    model: LanguageModel,
    vocabulary: CharacterVocabulary,
    temperature: float,
    n_characters: int,
    seed: int,
) -> str:
    prompt = tuple(vocabulary.encode(default_prompt(vocabulary)).tolist())
    generation = TextGeneration.begin(model, prompt, SamplingSettings(temperature), seed)
    text = ""
    while len(text) < n_characters:
        text += vocabulary.decode([token.token for token in generation.write(250)])
    return text[:n_characters]


def _score(
    name: str, kind: str, model: LanguageModel, vocabulary: CharacterVocabulary, texts: list[str]
) -> KindScore:
    scored = [score_text(model, readable_text(text, vocabulary), vocabulary) for text in texts]
    bits = np.array([text.bits_per_character for text in scored])
    shares = np.mean([text.rank_shares(rank_limits(vocabulary)) for text in scored], axis=0)
    return KindScore(
        name,
        kind,
        round(float(bits.mean()), 4),
        round(float(bits.std(ddof=1) / math.sqrt(len(bits))), 4) if len(bits) > 1 else math.nan,
        tuple(round(float(share), 4) for share in shares),
        sum(text.n_characters for text in scored),
    )


def _row(score: KindScore) -> str:
    shares = "".join(f"{share:8.1%}" for share in score.rank_shares)
    return (
        f"{score.model:<26}{score.kind:<22}{score.bits:8.3f} ±{score.standard_error:6.3f}{shares}"
    )
