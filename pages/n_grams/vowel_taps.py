"""A line whose letters are tapped one by one: vowel or consonant."""

from typing import Any

import streamlit as st

from lm_core.analysis.vowels import are_vowels
from pages.shared import page
from pages.shared.components.texts import AGAINST, MASKED, ON, PLAIN, Tint, tinted_text
from pages.shared.ui.kept import keep_state, kept_state, name_in_tab

NAMES = {True: "vowel", False: "consonant"}
_GIVEN = 6  # letters that have been counted at the start
_STATE = "vowel_taps"


def taps_of(line: str) -> tuple[bool, ...]:
    """Return what the visitor has said of the line's letters; in this tab also before a reload."""
    begun: dict[str, Any] = kept_state(_STATE, _kept(), dict)
    if begun.get("line") != line:
        return are_vowels(line[:_GIVEN])
    return tuple(begun["taps"])


def _kept() -> str:
    return name_in_tab("n-grams.vowels")


def _keep(line: str, taps: tuple[bool, ...]) -> None:
    st.session_state[_STATE] = {"line": line, "taps": list(taps)}
    keep_state(_kept(), st.session_state[_STATE])


def draw_line(line: str, taps: tuple[bool, ...]) -> None:
    """Draw the line with what has been said of its letters."""
    tints = [Tint((ON if is_vowel else AGAINST,), 60, NAMES[is_vowel]) for is_vowel in taps]
    if len(taps) < len(line):
        tints.append(Tint((MASKED,), 0, "Vowel or consonant?"))
    tints += [PLAIN] * (len(line) - len(tints))
    tinted_text(
        list(line),
        tints,
        key="vowel_strip",
        legend=[(ON, "vowel"), (AGAINST, "consonant")],
        unit="letter",
        label="The line without spaces, each letter that was counted marked as a vowel or a consonant",
        click_hint="",
    )


def draw_buttons(line: str, taps: tuple[bool, ...]) -> None:
    """Draw what says of the next letter that it is a vowel or a consonant."""
    is_over = len(taps) == len(line)
    asked = "" if is_over else f" {line[len(taps)]}"
    with st.container(horizontal=True, gap="xsmall", key="vowel_buttons"):
        page.button(
            "tap_vowel", f"Vowel:{asked}" if asked else "Vowel", "graphic_eq", _keep, line, (*taps, True),
            shortcut="Left", disabled=is_over, type="primary",
        )  # fmt: skip
        page.button(
            "tap_consonant", f"Consonant:{asked}" if asked else "Consonant", "block", _keep, line, (*taps, False),
            shortcut="Right", disabled=is_over, type="primary",
        )  # fmt: skip
        page.button("tap_back", "Back", "undo", _keep, line, taps[:-1], disabled=len(taps) <= 1)
        whole = are_vowels(line)
        rest = (*taps, *whole[len(taps) :])
        page.button(
            "tap_rest", "Count the rest", "fast_forward", _keep, line, rest, disabled=is_over
        )
