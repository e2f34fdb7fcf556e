"""Shannon's game: guess the next letter of a line that no model has read, and compare the bits."""

from dataclasses import asdict
from typing import Any

import streamlit as st

from pages.n_grams.game_bits import draw_bits, explain_bits
from pages.n_grams.game_lines import ALPHABET, GIVEN, Game, choose_game_line
from pages.shared import page
from pages.shared.components.texts import MASKED, RANKS, Tint, tinted_text
from pages.shared.ui.first_screen import above_and_below
from pages.shared.ui.kept import forget, keep_state, kept_state, name_in_tab
from pages.shared.ui.markdown import as_code

_GAME, _PICK = "n_grams_game", "n_grams_letter"


def shannon_game(screen: page.FirstScreen) -> None:
    """Draw the game, and the bits of the visitor beside those of the models."""
    with screen.controls:
        line = choose_game_line()
    _play(screen, line)


@page.fragment
def _play(screen: page.FirstScreen, line: str) -> None:
    game = _game(line)
    with screen.picture:
        board, bits = above_and_below()
        with board:
            _board(game)
        with bits:
            draw_bits(game)
    with screen.beside:
        explain_bits(game)


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
