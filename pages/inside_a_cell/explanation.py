"""Why the gradients of the untrained networks fare as they do."""

import streamlit as st

from lm_core.experiments.inside_a_cell.training import FirstSymbolConfig
from pages.inside_a_cell.choices import Choice, Side
from pages.inside_a_cell.gradients import share_text
from pages.inside_a_cell.measured import look_at, reach_of

_UNTRAINED = (("rnn", "the plain RNN"), ("lstm", "the LSTM"), ("lstm-4", "the LSTM with bias 4"))


def explain(choice: Choice) -> None:
    """Answer the page's question with the numbers of the untrained networks."""
    shares = []
    for variant, title in _UNTRAINED:
        untrained = Side("", title, "", FirstSymbolConfig(variant), 0, None)
        norms = reach_of(untrained, choice.digits).by_state[-1]
        shares.append(f"in {title} **{share_text(float(norms[0] / norms[-1]))}**")
    st.markdown(
        f"**Before training**, of the gradient at step {len(choice.digits)} step 1 receives"
        f" {', '.join(shares)}. A plain RNN multiplies the gradient by W_hh and the slope of tanh at"
        " each step. An LSTM multiplies that of its memory by the forget gate, and a gate that starts"
        " near one half halves it each time. So an LSTM, too, forgets its beginning until the gate"
        " has learned to open, or is opened by its bias: sigmoid(4) = 0.98 keeps most of it."
    )
    if choice.sides[0].updates:
        st.markdown(" ".join(_before_and_after(side, choice) for side in choice.sides))


def _before_and_after(side: Side, choice: Choice) -> str:
    shares = []
    for moment in (side._replace(updates=0), side):
        norms = reach_of(moment, choice.digits).by_state[-1]
        shares.append(share_text(float(norms[0] / norms[-1])))
    text = (
        f"**{side.title}**, {side.updates:,} updates later: right in"
        f" {look_at(side, choice.digits).accuracy:.0%} of tests, and step 1 receives {shares[1]} where"
        f" it was {shares[0]}."
    )
    return f"{text} {_silent_units(side, choice)}" if side.config.variant == "irnn" else text


def _silent_units(side: Side, choice: Choice) -> str:
    """Say how many of an IRNN's units are left: the rate decides whether its first updates spare them."""
    before, after = (
        int((look_at(moment, choice.digits).parts["h"][-1] > 0).sum())
        for moment in (side._replace(updates=0), side)
    )
    return (
        f"Of its {side.config.hidden_size} units {after} are above 0 after the last digit, where"
        f" {before} were: a ReLU at 0 passes no gradient on."
    )
