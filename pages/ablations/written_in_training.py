"""What models wrote during their training."""

import streamlit as st

from lm_core.experiments.ablations.training import PROMPT, SAMPLING
from pages.ablations.curve_choice import Choice, results, titled

_LINE = 60  # characters


def draw_first_lines(choice: Choice, step: int) -> None:
    """Show how each model's text begins, a line each."""
    for name in choice.names:
        if snapshot := results().snapshot(name, step):
            st.text(f"{titled(name)}: {PROMPT}{snapshot.text[:_LINE]}…")


def draw_texts(choice: Choice, step: int) -> None:
    """Show what each model generated at the step, all from the same prompt and random numbers."""
    if not choice.names:
        return
    st.caption(
        f"Text after {step:,} steps. All models continue “{PROMPT.strip()}” with the same random numbers,"
        f" at temperature {SAMPLING.temperature:g}."
    )
    n_columns = 2 if len(choice.names) in (2, 4) else min(3, len(choice.names))
    for start in range(0, len(choice.names), n_columns):
        columns = st.columns(n_columns)
        for column, name in zip(columns, choice.names[start : start + n_columns], strict=False):
            with column, st.container(border=True, gap=None):
                _text(name, step, has_loss=name not in choice.hidden)


def _text(name: str, step: int, *, has_loss: bool) -> None:
    snapshot = results().snapshot(name, step)
    if snapshot is None:
        st.markdown(f"**{titled(name)}**")
        st.caption(results().trainings[name].diverged or "Not trained up to this step.")
        return
    loss = f" · held-out loss {snapshot.loss:.2f}" if has_loss else ""
    st.markdown(f"**{titled(name)}**{loss}")
    st.text(PROMPT + snapshot.text)
