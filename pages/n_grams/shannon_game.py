"""Shannon's game: guess the next letter of a line that no model has read, and compare the bits."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import streamlit as st

from lm_core.analysis.guessing_game import branching_factor, entropy_bounds, letter_bits
from lm_core.errors import CheckpointError, TextError
from lm_core.experiments.n_grams.results import BOOK
from lm_core.models.language_model import LanguageModel
from lm_core.models.ngram_counts import NGramCountConfig, NGramCountModel
from lm_core.text.character_vocabulary import SOURCE, CharacterVocabulary
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.training.model_vocabulary import vocabulary_of
from pages.n_grams.counted import results
from pages.shared import page
from pages.shared.charts.surprisal import bits_by_kind
from pages.shared.components.texts import MASKED, RANKS, Tint, tinted_text
from pages.shared.models.book_models import model_of, snapshots_of
from pages.shared.numbers import percent
from pages.shared.turns import fragment, model_calls
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import above_and_below
from pages.shared.ui.kept import forget, keep_state, kept_state, name_in_tab
from pages.shared.ui.markdown import as_code
from pages.shared.ui.text_input import checked_text, say_limits
from pages.shared.ui.what_was_read import read_and_say

ALPHABET = " abcdefghijklmnopqrstuvwxyz"
LINES = (
    "the old bridge was closed because the river had risen in the night",
    "nobody in the village could remember so cold a spring",
    "he wrote three letters before breakfast and burned two of them",
    "she counted the stars until the lamp in the window went out",
    "the train was late again so we talked about the harvest",
    "my sister keeps a button from every coat that she has worn",
)
"""Ours: no model has read them, and none has written them."""

OWN = "Your own"
GIVEN = 8
"""Letters at the beginning that need not be guessed."""

LONGEST_LINE = 120
_SHORTEST_LINE = 12
_GAME, _PICK = "n_grams_game", "n_grams_letter"
_ORDERS = (1, 2, 3, 5)
_CHECKPOINTS = ("book-ngram", "book-lstm", "book-transformer")
_BEFORE = ". "
"""What every model reads before a line."""

_UNIFORM = "all letters alike"


@dataclass
class Game:
    """How far a line has been guessed."""

    line: str
    tried: list[str] = field(default_factory=list)  # wrong guesses of the letter that is asked for
    guesses: list[int] = field(default_factory=list)  # guesses that each letter took

    @property
    def place(self) -> int:
        """Of the letter that is asked for."""
        return GIVEN + len(self.guesses)

    @property
    def is_over(self) -> bool:
        """Whether the line is known to its end."""
        return self.place == len(self.line)

    def guess(self, letter: str) -> None:
        """Take a guess; one that was tried before, or after the end, counts for nothing."""
        if self.is_over or letter in self.tried or letter not in ALPHABET:
            return
        if letter == self.line[self.place]:
            self.guesses.append(len(self.tried) + 1)
            self.tried = []
        else:
            self.tried.append(letter)


class Player(NamedTuple):
    """A model that plays: what it is called, and how it reads."""

    name: str
    model: LanguageModel
    vocabulary: CharacterVocabulary


def _choose_game_line() -> str:
    """Draw which line is guessed, and return it; ours where an own one cannot be used."""
    number = page.choice(
        "game_line",
        "Line",
        [*range(1, len(LINES) + 1), OWN],
        format_func=lambda choice: choice if choice == OWN else f"Line {choice}",
        width=130,
    )
    if number != OWN:
        return LINES[int(number) - 1]
    typed = page.text(
        "game_own",
        "Your own line, for others to guess",
        LINES[0],
        type="password",
        max_chars=LONGEST_LINE,
        in_link=False,
        width=260,
        help="It may have letters and spaces. The link does not carry it, so it stays a secret.",
    )
    say_limits({"game_own": LONGEST_LINE})
    return read_and_say("game_own", typed, _read_secret, LINES[0])


def _read_secret(typed: str) -> tuple[str, WhatWasRead]:
    """Return a line, and what became of it in words that do not tell it."""
    line = readable_line(typed)
    notes = sentence_as_read(typed, line).notes
    return line, WhatWasRead((f"a line of {len(line)} letters and spaces",), notes)


def readable_line(raw: str) -> str:
    """Return a line in the game's 27 symbols.

    Raises TextError if it is too long, too short, or has other letters.
    """
    checked_text(raw, most=LONGEST_LINE, name="the line")
    line = " ".join("".join(c for c in raw.lower() if c.isalpha() or c.isspace()).split())
    foreign = sorted(set(line) - set(ALPHABET))
    if foreign:
        raise TextError(f"a line may have the letters a to z and spaces, got {' '.join(foreign)}")
    if len(line) < _SHORTEST_LINE:
        raise TextError(f"a line must have at least {_SHORTEST_LINE} letters, got {len(line)}")
    return line


def shannon_game(screen: page.FirstScreen) -> None:
    """Draw the game, and the bits of the visitor beside those of the models."""
    with screen.controls:
        line = _choose_game_line()
    _play(screen, line)


@fragment
def _play(screen: page.FirstScreen, line: str) -> None:
    game = _game(line)
    with screen.picture:
        board, bits = above_and_below()
        with board:
            _board(game)
        with bits:
            _bits(game)
    with screen.beside:
        _explain(game)


def _game(line: str) -> Game:
    """Return the game on a line, as far as the visitor has come; in this tab also before a reload."""
    begun: dict[str, Any] = kept_state(_GAME, _kept(), dict)
    return Game(**begun) if begun.get("line") == line else Game(line)


def _kept() -> str:
    return name_in_tab("n-grams.game")


def _board(game: Game) -> None:
    """Draw what is known of the line, and the letters to guess with."""
    known = game.line[: game.place]
    tokens = [*known, *["?"] * (not game.is_over)]
    tints = [Tint((RANKS[0],), 0, "given") for _ in known[:GIVEN]]
    tints += [Tint((RANKS[_class(n)],), 60, f"{n} guess" + "es" * (n > 1)) for n in game.guesses]
    if not game.is_over:
        tints.append(Tint((MASKED,), 0, "Which letter comes next?"))
    tinted_text(
        tokens,
        tints,
        key="n_grams_line",
        legend=[
            (RANKS[0], "1 guess"),
            (RANKS[1], "2 or 3"),
            (RANKS[2], "4 to 9"),
            (RANKS[3], "more"),
        ],
        unit="letter",
        label="The line as far as it is known",
        click_hint="Point at a letter: how many guesses it took.",
    )
    if game.is_over:
        st.button("Play again", icon=":material/replay:", key="n_grams_again", on_click=_again)
        return
    st.pills(
        f"Letter {game.place + 1} of {len(game.line)}: your guess",
        [*ALPHABET[1:], ALPHABET[0]],
        format_func=lambda letter: _named(letter, is_tried=letter in game.tried),
        key=_PICK,
        on_change=_take,
        args=(game,),
    )
    st.caption(
        f"Wrong so far: {', '.join(map(as_code, game.tried))}"
        if game.tried
        else "A wrong letter is crossed out; the right one moves the line on."
    )


def _named(letter: str, *, is_tried: bool) -> str:
    """Return a letter to guess with; one that was tried keeps its place, or the next tap hits its neighbour."""
    name = "space" if letter == " " else letter
    return f":gray[~~{name}~~]" if is_tried else name


def _class(n_guesses: int) -> int:
    return sum(n_guesses > limit for limit in (1, 3, 9))


def _take(game: Game) -> None:
    letter = st.session_state.get(_PICK)
    st.session_state[_PICK] = None
    if letter is not None:
        game.guess(letter)
        st.session_state[_GAME] = asdict(game)
        keep_state(_kept(), st.session_state[_GAME])


def _again() -> None:
    del st.session_state[_GAME]
    forget(_kept())


# Bits -----------------------------------------------------------------------------------------


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
        with model_calls:
            bits[player.name] = letter_bits(player.model, before, ids, allowed)
    return bits


def _bits(game: Game) -> None:
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
    table = pa.table(dict(zip(columns, zip(*rows, strict=True), strict=True)))
    st.markdown(f"**Bits a letter, on {letters}**")
    show_chart(
        bits_by_kind(table),
        table.select(["kind", "bits"]),
        key="n_grams_bits",
        alt="; ".join(f"{row[0]}: {row[3]:.2f}" for row in rows),
        name="bits-of-the-game",
    )


def _explain(game: Game) -> None:
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
