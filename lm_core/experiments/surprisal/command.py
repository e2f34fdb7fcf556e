"""Score the book, novels by others, the models' own texts and shuffled words by every shipped model."""

import argparse
import time

import torch

from lm_core.experiments.surprisal.measuring import own_texts, score_kind, texts_by_kind
from lm_core.experiments.surprisal.results import OWN, KindScore, SurprisalResults
from lm_core.results import provenance
from lm_core.text.library import HELD_OUT_NOVELS
from lm_core.training.checkpoints import list_language_models, load_shipped
from lm_core.training.model_vocabulary import vocabulary_of

HELP = "score texts of several kinds by every shipped language model"
_KEPT = 700
"""Characters of what a model has written that are shipped."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("models", nargs="*", help="shipped names (default: all that read the book)")
    parser.add_argument(
        "--characters", type=int, default=4_000, help="of each text (default: 4,000)"
    )
    parser.add_argument("--texts", type=int, default=6, help="of each kind (default: 6)")
    SurprisalResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print and save one row for each model and kind; models not named keep the rows that they have."""
    torch.set_num_threads(1)
    started = time.perf_counter()
    names = arguments.models or [m.name for m in list_language_models() if not m.snapshot_of]
    kept = (
        SurprisalResults.load(arguments.out)
        if arguments.models and arguments.out.exists()
        else None
    )
    scores = [score for score in kept.scores if score.model not in names] if kept else []
    written = dict(kept.written) if kept else {}
    for name in names:
        model, meta = load_shipped(name)
        vocabulary = vocabulary_of(meta)
        own = own_texts(model, vocabulary, arguments.characters, arguments.texts)
        written[name] = own[OWN][0][:_KEPT]
        for kind, texts in (own | texts_by_kind(arguments.characters, arguments.texts)).items():
            scores.append(score_kind(name, kind, model, vocabulary, texts))
            print(_row(scores[-1]), flush=True)
    made = provenance(
        device="cpu",
        seconds=time.perf_counter() - started,
        characters=arguments.characters,
        texts=arguments.texts,
        novels=HELD_OUT_NOVELS,
    )
    SurprisalResults(made, tuple(scores), written).save(arguments.out)


def _row(score: KindScore) -> str:
    shares = "".join(f"{share:8.1%}" for share in score.rank_shares)
    return (
        f"{score.model:<26}{score.kind:<22}{score.bits:8.3f} ±{score.standard_error:6.3f}{shares}"
    )
