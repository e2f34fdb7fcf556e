"""Which text is whose? The finished models of a class go on from one prompt, their names hidden."""

from collections.abc import Sequence
from string import ascii_uppercase

import streamlit as st

from lm_core.classroom.records import Question
from pages.shared import page
from pages.shared.classroom.asking import ask
from pages.shared.classroom.attempts import attempt
from pages.shared.rooms.membership import Membership, membership
from pages.shared.ui.markdown import as_code, escaped
from pages.shared.ui.text_input import PROMPT_CHARACTERS
from pages.war_and_peace import class_round as rounds
from pages.war_and_peace.class_round import Panel, Round, Verdict

_EVERY_S = 1.0


def whose_text(prompt: str, temperature: float, seed: int) -> None:
    """Draw what the class's best models write, and let the presenter ask which text is whose.

    Each model reads what its vocabulary has of the prompt as it was typed.
    """
    # Meanwhile the class finishes trainings, and its presenter asks and reveals.
    page.fragment(_draw, run_every=_EVERY_S)(prompt[:PROMPT_CHARACTERS], temperature, seed)


def _draw(prompt: str, temperature: float, seed: int) -> None:
    here = membership()
    if here is None:
        st.info(
            "Here the models of a class are compared, so open a class, or join one, with *Class*"
            " above."
        )
        return
    asked = here.state.asked
    running = None if asked is None else Round.of(asked.question.link)
    drawn = running or Round(rounds.best_of_class(here), prompt, temperature, seed)
    if len(drawn.keys) < 2:
        st.info("Once two students' trainings have finished, their models write side by side here.")
        return
    with st.container(key="live_whose_text"):
        panels = rounds.written_by(here, drawn)
        verdict = (
            rounds.verdict_of(here, asked) if running and asked and asked.is_revealed else None
        )
        is_revealed = verdict is not None
        if here.member.is_presenter and running is None:
            is_revealed = _presenter(here, drawn, panels)
        _show(panels, drawn, verdict, is_revealed=is_revealed)


def _presenter(here: Membership, drawn: Round, panels: Sequence[Panel]) -> bool:
    """Draw what the presenter may do, and return whether the names are to be shown."""
    by_alias = {panel.job.status.alias: panel.letter for panel in panels}
    with st.container(horizontal=True, vertical_alignment="center", key="whose_buttons"):
        if len(panels) > 1:
            alias = st.selectbox(
                "Whose text?", sorted(by_alias), key="whose_alias", width=340,
                label_visibility="collapsed",
            )  # fmt: skip
            page.button(
                "whose_ask", "Ask the class", "groups", attempt, _ask, here, drawn, alias,
                by_alias.get(alias), type="primary",
            )  # fmt: skip
        return st.toggle("Show the names", key=f"whose_names_{'_'.join(drawn.keys)}")


def _ask(here: Membership, drawn: Round, alias: str, right: str | None) -> None:
    letters = tuple(ascii_uppercase[: len(drawn.keys)])
    question = f"Which text did {alias}'s model write?"
    ask(here, Question("choice", question, letters, right=right, link=drawn.link()))


def _show(
    panels: Sequence[Panel], drawn: Round, verdict: Verdict | None, *, is_revealed: bool
) -> None:
    per_row = 2 if len(panels) in (2, 4) else 3
    st.caption(
        f"All of them continue {as_code(drawn.prompt)} at temperature {drawn.temperature:g} with seed"
        f" {drawn.seed}, so only the models differ."
    )
    with st.container(key="whose_guesses" if verdict else "whose_panels", gap="small"):
        for begin in range(0, len(panels), per_row):
            row = panels[begin : begin + per_row]
            for column, panel in zip(st.columns(per_row), row, strict=False):
                with column.container(border=True, gap="xsmall"):
                    _panel(panel, verdict, is_revealed=is_revealed)


def _panel(panel: Panel, verdict: Verdict | None, *, is_revealed: bool) -> None:
    name = f" · {escaped(panel.job.status.alias)}" if is_revealed else ""
    said = verdict.said_of(panel.letter) if verdict else ""
    st.markdown(f"**{panel.letter}{name}**{said}")
    st.text(panel.text)
    if is_revealed:
        loss = panel.job.run.held_out_loss()
        held_out = "" if loss is None else f", held-out loss {loss:.3f}"
        st.caption(f"{escaped(panel.job.config.title)}{held_out}")
