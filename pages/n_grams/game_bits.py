"""Shannon's game in bits: what the class and each model needed for a letter."""

import math
from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.analysis.guessing_game import branching_factor, entropy_bounds, letter_bits
from lm_core.errors import CheckpointError
from lm_core.experiments.n_grams.results import BOOK
from lm_core.models.language_model import LanguageModel
from lm_core.models.ngram_counts import NGramCountConfig, NGramCountModel
from lm_core.text.character_vocabulary import SOURCE, CharacterVocabulary
from lm_core.training.model_vocabulary import vocabulary_of
from pages.n_grams.counted import results
from pages.n_grams.game_lines import ALPHABET, GIVEN, LINES, Game
from pages.shared import page
from pages.shared.charts.drawing import table_of_rows
from pages.shared.charts.surprisal import bits_by_kind
from pages.shared.models.book_models import model_of, snapshots_of
from pages.shared.numbers import percent

_ORDERS = (1, 2, 3, 5)
_CHECKPOINTS = ("book-ngram", "book-lstm", "book-transformer")
_BEFORE = ". "  # what every model reads before a line
_UNIFORM = "all letters alike"


class Player(NamedTuple):
    """A model that plays: what it is called, and how it reads."""

    name: str
    model: LanguageModel
    vocabulary: CharacterVocabulary


def _players() -> tuple[Player, ...]:
    """Return the models that play, the simplest first; a damaged checkpoint is left out."""
    counted = results()
    scores, tables = counted.of_text(BOOK), counted.tables[BOOK]
    players = [
        Player(
            f"n = {n}",
            NGramCountModel(
                NGramCountConfig(len(SOURCE), n, weights=scores[n - 1].weights), tables
            ),
            SOURCE,
        )
        for n in _ORDERS
    ]
    for name in _CHECKPOINTS:
        try:
            meta = snapshots_of(name)[-1]
            model = model_of(name, meta.weights_sha256)
        except (CheckpointError, IndexError):
            continue
        vocabulary = vocabulary_of(meta)
        players.append(Player(meta.title, model, vocabulary))
    return tuple(players)


@st.cache_data(max_entries=32, show_spinner="The models read the line")
def _bits_of_models(line: str) -> dict[str, np.ndarray]:
    """Return the bits of every letter of a line by model; all choose among the same 27 symbols."""
    bits = {_UNIFORM: np.full(len(line), math.log2(len(ALPHABET)))}
    for player in _players():
        before, ids, allowed = map(player.vocabulary.encode, (_BEFORE, line, ALPHABET))
        with page.model_calls:
            bits[player.name] = letter_bits(player.model, before, ids, allowed)
    return bits


def draw_bits(game: Game) -> None:
    """Draw the models' bits of the letters that were guessed so far, or of the given ones before."""
    part = slice(GIVEN, game.place) if game.guesses else slice(0, GIVEN)
    models = {name: float(bits[part].mean()) for name, bits in _bits_of_models(game.line).items()}
    rows = [(name, "", "ours", bits, 0.0, False) for name, bits in models.items()]
    if game.guesses:
        low, high = entropy_bounds(game.guesses, len(ALPHABET))
        rows = [
            ("you, at most", "", "own text", high, 0.0, False),
            ("you, at least", "", "own text", low, 0.0, False),
            *rows,
        ]
    letters = (
        f"the {game.place - GIVEN} letters you guessed" if game.guesses else "the given letters"
    )
    columns = ("kind", "model", "role", "bits", "standard_error", "is_hidden")
    table = table_of_rows(columns, rows)
    st.markdown(f"**Bits a letter, on {letters}**")
    page.show_chart(
        bits_by_kind(table),
        table.select(["kind", "bits"]),
        key="n_grams_bits",
        alt="; ".join(f"{row[0]}: {row[3]:.2f}" for row in rows),
        name="bits-of-the-game",
    )


def explain_bits(game: Game) -> None:
    """Say what the bits mean, by Shannon's bounds."""
    if not game.guesses:
        st.markdown(
            "**Guess the next letter** until it is right. Shannon played this in 1951 to measure"
            " English, because the number of guesses bounds how many bits a letter has for you."
            + (
                " We wrote the line ourselves, so no model has read it."
                if game.line in LINES
                else ""
            )
        )
        return
    low, high = entropy_bounds(game.guesses, len(ALPHABET))
    models = _bits_of_models(game.line)
    part = slice(GIVEN, game.place)
    best = min(models, key=lambda name: models[name][part].mean())
    mean = float(models[best][part].mean())
    first = game.guesses.count(1) / len(game.guesses)
    st.markdown(
        f"{len(game.guesses)} letters, **{percent(first)}** right at once: between **{low:.2f} and"
        f" {high:.2f} bits** each. {best} has {mean:.2f}."
    )
    if page.is_presenting():
        return
    st.markdown(
        "The *perplexity*, or *branching factor*, is 2 to the power of the bits, so it is as if"
        f" you chose among {branching_factor(low):.1f} to {branching_factor(high):.1f} equally"
        f" likely letters each time, {best} among {branching_factor(mean):.1f}, and anyone who"
        f" knows nothing among all {len(ALPHABET)}."
        + (
            ""
            if len(game.guesses) >= 20
            else (
                " With so few letters the bounds are rough, because single guesses count for much."
            )
        )
    )
