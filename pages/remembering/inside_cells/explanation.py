"""What the networks can do, and why their gradients fare as they do."""

import streamlit as st

from lm_core.recurrent.first_symbol import FirstSymbolConfig
from pages.remembering.inside_cells.choices import Choice, Side
from pages.remembering.inside_cells.measured import look_at, reach_of

_UNTRAINED = (("rnn", "The plain RNN"), ("lstm", "the LSTM"), ("lstm-4", "the LSTM with bias 4"))


def how_good(choice: Choice) -> None:
    """Say in one line what each network has learned, measured on fresh sequences."""
    st.caption(" · ".join(_one(side, choice) for side in choice.sides) + " · chance 10 %")


def _one(side: Side, choice: Choice) -> str:
    look = look_at(side, choice.digits)
    return (
        f"{side.title} after {side.updates:,} updates names the first of 20 digits in"
        f" **{look.accuracy:.0%}** of 500 fresh sequences"
    )


def explain(choice: Choice) -> None:
    """Answer the page's question with the numbers of the untrained networks."""
    shares = []
    for variety, title in _UNTRAINED:
        untrained = Side("", title, "", FirstSymbolConfig(variety), 0, None)
        norms = reach_of(untrained, choice.digits).by_state[-1]
        shares.append(f"{title} **{norms[0] / norms[-1]:.0e}**")
    st.markdown(
        f"**Before training**, of the last step's gradient step 1 still gets, in {', '.join(shares)}."
        " A plain RNN multiplies the gradient by W_hh and the slope of tanh at each step. An LSTM"
        " multiplies that of its memory by the forget gate, and a gate that starts near one half"
        " halves it each time: the famous remedy forgets as fast as the disease until the gate has"
        " learned to open, or is opened by its bias."
    )
