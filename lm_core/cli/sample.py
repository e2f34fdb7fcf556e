"""Let a model write: streams the text to standard output, everything else to standard error."""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from pathlib import Path

import numpy as np

from lm_core.errors import CheckpointError, SettingError
from lm_core.generation.beam_search import beam_search
from lm_core.generation.prompts import DEFAULT_PROMPT, default_prompt
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.sampling_ranges import RANGES
from lm_core.generation.text_generation import generate
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training import checkpoints
from lm_core.training.checkpoints import (
    META_FILE,
    Checkpoint,
    list_language_models,
    load_checkpoint,
    load_shipped,
)
from lm_core.training.model_vocabulary import vocabulary_of
from lm_core.training.recipes import LIBRARY_TRANSFORMER

HELP = "let a model write"

_METHODS: dict[str, dict[str, float]] = {
    "greedy": {"temperature": 0.0},
    "sample": {},
    "top-k": {"top_k": 5},
    "top-p": {"top_p": 0.95},
    "min-p": {"min_p": 0.05},
    "typical": {"typical_p": 0.95},
    "top-n-sigma": {"top_n_sigma": 1.0},
    "mirostat": {"mirostat_tau": 1.5},
    "beam": {},
}
"""What each method sets by default; every other setting may be combined with it."""

_FLUSH_EVERY = 16  # tokens


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; every sampling setting has one of its own."""
    parser.add_argument("--method", choices=_METHODS, default="top-p", help="default: %(default)s")
    parser.add_argument(
        "--model",
        metavar="NAME",
        help=f"a shipped model or a checkpoint's folder; default: {LIBRARY_TRANSFORMER.name}",
    )
    parser.add_argument("--prompt", help=f"what comes before; default: {DEFAULT_PROMPT!r}")
    parser.add_argument("--length", type=int, default=500, help="characters; default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="same seed, same text; default: 0")
    parser.add_argument("--beam-width", type=int, default=4, help="default: %(default)s")
    parser.add_argument("--verbose", action="store_true", help="report speed in any case")
    for field in fields(SamplingSettings):
        parser.add_argument(
            f"--{field.name.replace('_', '-')}",
            type=int if RANGES[field.name].whole else float,
            metavar="NUMBER",
            help=f"must {RANGES[field.name]}; default: {field.default}, or the method's",
        )


def run(args: argparse.Namespace) -> int:
    """Write the text that the options ask for.

    Raises LMCoreError if the model is unknown or a setting is out of range or contradicts the
    method.
    """
    settings = _settings(args)
    if args.length < 1:
        raise SettingError(f"length must be at least 1, got {args.length}")
    checkpoint = _load(args.model)
    vocabulary = vocabulary_of(checkpoint.meta)
    prompt = _prompt(args.prompt, vocabulary)
    if args.prompt:
        sys.stdout.write(vocabulary.decode(prompt))
    begin, is_verbose = time.perf_counter(), args.verbose or sys.stderr.isatty()
    n_done = 0
    for n_pieces, piece in enumerate(_pieces(args, checkpoint, prompt, settings), start=1):
        sys.stdout.write(piece)
        n_done += len(piece)
        if n_pieces % _FLUSH_EVERY == 0:
            sys.stdout.flush()
            if sys.stderr.isatty() and not sys.stdout.isatty():
                sys.stderr.write(f"\r{n_done:,} of {args.length:,} characters")
    sys.stdout.write("\n")
    sys.stdout.flush()
    if is_verbose:
        seconds = time.perf_counter() - begin
        sys.stderr.write(
            f"\n{checkpoint.meta.title}: {n_done:,} characters in {seconds:.2f} s,"
            f" {n_done / seconds:,.0f} a second\n"
        )
    return 0


def _settings(args: argparse.Namespace) -> SamplingSettings:
    """Return the method's settings, overruled by those given."""
    given = {
        field.name: getattr(args, field.name)
        for field in fields(SamplingSettings)
        if getattr(args, field.name) is not None
    }
    if args.method == "greedy" and given.get("temperature", 0.0) != 0.0:
        raise SettingError(
            f"temperature must be 0 for --method greedy, got {given['temperature']}; or use sample"
        )
    if args.method == "beam" and given:
        raise SettingError(f"--method beam does not sample, so it cannot take {sorted(given)}")
    return SamplingSettings(**_METHODS[args.method] | given)


def _load(name: str | None) -> Checkpoint:
    """Return the checkpoint in the folder `name`, or the shipped one of that name."""
    shipped = {meta.name: meta for meta in list_language_models(checkpoints.SHIPPED)}
    whole = [name for name, meta in shipped.items() if meta.snapshot_of is None]
    if name is None and not whole:
        raise CheckpointError("no model is shipped; give a checkpoint's folder with --model")
    name = name or min(whole, key=lambda name: name != LIBRARY_TRANSFORMER.name)
    if name in shipped:
        return load_shipped(name)
    if not (Path(name) / META_FILE).is_file():
        available = ", ".join(shipped) or "none"
        raise CheckpointError(
            f"model must be a shipped one ({available}) or a checkpoint's folder, got {name!r}"
        )
    return load_checkpoint(Path(name))


def _prompt(raw: str | None, vocabulary: CharacterVocabulary) -> np.ndarray:
    """Return the ids of a prompt, and say on standard error what could not be read of it."""
    default = default_prompt(vocabulary)
    if not raw:
        return vocabulary.encode(default)
    prepared = vocabulary.prepare(raw)
    if prepared.dropped:
        which = ", ".join(f"{character!r} x {n}" for character, n in prepared.dropped.items())
        sys.stderr.write(
            f"warning: the vocabulary {vocabulary.name!r} does not hold {which}; the model reads"
            f" {prepared.text[:80]!r}{'...' if len(prepared.text) > 80 else ''}\n"
        )
    if not prepared.ids.any():  # empty, or nothing but unknown characters
        sys.stderr.write(f"warning: nothing is left of the prompt; {default!r} is read\n")
        return vocabulary.encode(default)
    return prepared.ids


def _pieces(
    args: argparse.Namespace, checkpoint: Checkpoint, prompt: np.ndarray, settings: SamplingSettings
) -> Iterator[str]:
    """Yield the text of each token until there are the characters asked for; the last one may be cut."""
    vocabulary, left = vocabulary_of(checkpoint.meta), args.length
    for token in _tokens(args, checkpoint, prompt, settings):
        piece = vocabulary.decode([token])[:left]
        left -= len(piece)
        yield piece
        if not left:
            return


def _tokens(
    args: argparse.Namespace, checkpoint: Checkpoint, prompt: np.ndarray, settings: SamplingSettings
) -> Iterator[int]:
    """Yield as many tokens as characters are asked for, as they come; a beam's come all at once, at the end."""
    if args.method == "beam":
        yield from beam_search(checkpoint.model, prompt, args.beam_width, args.length)[0].tokens
        return
    for written in islice(generate(checkpoint.model, prompt, settings, args.seed), args.length):
        yield written.token
