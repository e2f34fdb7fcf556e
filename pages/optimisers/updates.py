"""The update of every optimiser as a formula."""

import streamlit as st

from lm_core.experiments.optimisers.descent import RUNNERS
from lm_core.experiments.published import SLIDES
from pages.optimisers.scene import Shown
from pages.shared import page
from pages.shared.numbers import significant


def show_updates(shown: Shown, factor: float) -> None:
    """Show the update of every optimiser, with the learning rate that it has here."""
    rows = [
        (name, f"${one.formula}$", significant(factor * one.rate_on(shown.landscape), 3))
        for name, one in RUNNERS.items()
    ]
    search = r"$\eta = \arg\min_{\eta > 0} \mathcal{L}(\theta - \eta\,g)$"
    rows.append(("line search", search, "the best one"))
    rows.append(("Newton", r"$\theta \leftarrow \theta - H^{-1} g$", "1"))
    st.markdown(f"The loss is ${shown.landscape.formula}$.")
    page.show_rows(("optimiser", "update", "learning rate η"), rows, sideways="updates")
    st.caption(
        f"The momentum of {SLIDES} m ← βm + g, is also PyTorch's. EMA momentum, an exponential moving"
        " average, is PyTorch's with dampening = β. Late in a run its m is 1 − β times as large, with β ="
        " 0.9 a tenth, so it needs a higher learning rate; but its first step is as large, because"
        " PyTorch takes the first gradient whole. No learning rate therefore makes the two take the same"
        " steps."
    )
