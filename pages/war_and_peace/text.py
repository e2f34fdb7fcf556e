"""The text as it grows, and its buttons."""

from typing import Any

import streamlit as st

from pages.shared import page
from pages.shared.components.texts import token_strip
from pages.shared.ui.messages import errors_in_place
from pages.war_and_peace.generation_session import LARGE, TOKENS_PER_SECOND, GenerationSession
from pages.war_and_peace.memorised import MemorisedPassages, find_memorised
from pages.war_and_peace.opening import Opening
from pages.war_and_peace.session import first_text

_SHOWN, _BLOCK = 600, 200
"""Of a text its last tokens are shown: at least so many, and less than a block more."""


def text_panel(session: GenerationSession, shortest_match: int) -> MemorisedPassages:
    """Draw the end of the text, and return what of it is memorised."""
    generation, vocabulary = session.generation, session.vocabulary
    n_prompt = len(generation.prompt_ids)
    # It begins at a block, so that a text that grows is seldom drawn anew, and a step costs the same at any length.
    begin = max(0, (len(generation.ids) - _SHOWN) // _BLOCK * _BLOCK)
    written = generation.written[max(0, begin - n_prompt) :]
    ids = generation.ids[begin:]
    prompt_length = max(0, n_prompt - begin)
    memorised = MemorisedPassages((), shortest_match, None)
    with errors_in_place():  # the text is shown without them
        memorised = find_memorised(ids[prompt_length:], shortest_match, vocabulary)
    inspected = session.inspected
    clicked = token_strip(
        vocabulary.spell(ids),
        [None] * prompt_length + [token.model_probability for token in written],
        key="writing_strip",
        prompt_length=prompt_length,
        copied=[(prompt_length + start, n_tokens) for start, n_tokens in memorised.in_tokens],
        picked=[prompt_length + i for i, token in enumerate(written) if token.picked_by_hand],
        inspected=None if inspected is None else len(inspected.ids) - begin,
        begin=begin,
        drawn_with=[None] * prompt_length + [token.probability for token in written],
        unit=vocabulary.unit,
        label=f"The text so far, each {vocabulary.unit} tinted by the probability the model gave it",
        typewriter_ms=1000 if session.is_live else 0,
        fills_place=page.is_presenting(),
    )
    if clicked is not None:
        session.inspect(begin + clicked - n_prompt)
        st.rerun()
    if begin:
        st.caption(f"The last {len(ids):,} of {len(generation.ids):,} {vocabulary.unit}s.")
    return memorised


def writing_buttons(session: GenerationSession, opening: Opening) -> None:
    """Draw the buttons that write, and those that take back."""
    written, unit = len(session.generation.written), session.vocabulary.unit
    is_live, is_full = session.is_live, session.room <= 0
    label = "Continue" if written else "Write"
    name, label, icon = "start", label, "play_arrow"
    if is_live:
        name, label, icon = "stop", "Stop", "stop"
    again = "Write again from the prompt, with the same seed, under the present settings."
    undone = "Bring back the text that the last change took away."
    one, last = f"Write one {unit}.", f"Take the last {unit} back."
    anew = (_again, session, opening)
    buttons = (
        ("step", "Step", "skip_next", (_step, session), "Right", one, not is_full),
        ("back", "Back", "skip_previous", (session.go_back, written - 1), "Left", last, written),
        ("again", "Again", "refresh", anew, None, again, True),
        ("clear", "Clear", "delete", (session.clear,), None, "Back to the prompt.", written),
        ("undo", "Undo", "undo", (session.undo,), None, undone, session.past),
    )
    with st.container(horizontal=True, gap="xsmall", key="writing_buttons"):
        if st.button(
            label, icon=f":material/{icon}:", type="primary", shortcut="P", key=f"writing_{name}",
            disabled=is_full and not is_live,
        ):  # fmt: skip
            (session.stop if is_live else session.start)()
            st.rerun()
        for name, label, icon, act, key, tip, can in buttons:
            settings: dict[str, Any] = {"help": tip, "disabled": is_live or not can}
            page.button(f"writing_{name}", label, icon, *act, shortcut=key, **settings)


def inspection_buttons(session: GenerationSession) -> None:
    """Offer to go on from the token that is looked at, or to look at the next one again.

    They are not above the text: it would move under the finger that has tapped it.
    """
    if session.inspected is None:
        return
    i, unit = len(session.inspected.written), session.vocabulary.unit
    tip = "Takes away this one and all that follows. Undo brings them back."
    with st.container(horizontal=True, gap="xsmall"):
        page.button(
            "writing_go_back", f"Go back to {unit} {i + 1:,}", "content_cut", session.go_back, i, help=tip)  # fmt: skip
        tip = f"Look at the next {unit} again."
        page.button("writing_close", "Close", "close", session.inspect, None, help=tip)


def _again(session: GenerationSession, opening: Opening) -> None:
    session.begin_again(first_text(opening, session.generation.settings))


def _step(session: GenerationSession) -> None:
    session.inspect(None)
    session.write(1)


def finding(session: GenerationSession) -> str:
    """Return what is seen in the text, in one sentence with its numbers."""
    written, unit = session.generation.written, session.vocabulary.unit
    if session.is_live:
        speed = f"up to {TOKENS_PER_SECOND}" if session.pace is LARGE else f"{TOKENS_PER_SECOND}"
        return f"It writes {speed} {unit}s a second, and every control works"
    if session.room <= 0:
        return f"The page is full: clear it, or tap a {unit} to go back to it"
    if not written:
        return "The model has read your prompt: what will it write?"
    choices = 2 ** (sum(w.surprisal_bits for w in written) / len(written))
    return (
        f"The model wrote these {len(written):,} {unit}s: on average each was a choice among"
        f" {choices:.1f}"
    )
