"""What the trained network does where its training never was: longer prompts, and other kinds."""

import pandas as pd
import streamlit as st

from lm_core.analysis.spectra import spectra
from lm_core.experiments.counting.inference import (
    LengthAccuracy,
    accuracy_by_length,
    continue_counting,
)
from lm_core.models.counting_network import CountingNetwork
from pages.counting.training import CountingRun
from pages.shared import charts
from pages.shared.server import model_calls
from pages.shared.ui.figures import show_chart

LONGEST = 24
_KINDS = {
    (7, 9, 11): "in steps of two",
    (11, 10, 9): "backwards",
    (5, 5, 5): "no step at all",
    (125,): "starts no run",
    (125, 126, 127): "127 was never read",
    (40, 41, 42, 43, 44, 45, 46, 47, 48, 49): "ten in a row",
}


def beyond_training(run: CountingRun) -> None:
    """Draw how often it is right by length of prompt, and its answers to prompts of other kinds."""
    model = run.epochs[-1].model
    with model_calls:
        lengths = accuracy_by_length(model, LONGEST)
    left, right = st.columns([1.2, 1], gap="medium")
    with left:
        _by_length(run, lengths)
    with right:
        _other_kinds(model)
    st.markdown(_why(run, lengths))


def _by_length(run: CountingRun, lengths: tuple[LengthAccuracy, ...]) -> None:
    chance = 1 / run.config.network.numbers
    frame = pd.DataFrame(
        {
            "length": [entry.length for entry in lengths],
            "accuracy": [entry.accuracy for entry in lengths],
            "prompts": [entry.n_prompts for entry in lengths],
            "chance": chance,
        }
    )
    trained, twice = run.config.length, lengths[2 * run.config.length - 1]
    title = (
        f"{lengths[trained - 1].accuracy:.1%} right at {trained} numbers,"
        f" {twice.accuracy:.1%} at {twice.length}"
    )
    st.markdown(f"**{title}**")
    show_chart(
        charts.lengths_chart(frame, trained=trained),
        frame,
        key="counting_lengths",
        alt=f"{title}; {lengths[-1].accuracy:.1%} at {LONGEST}. Chance: {chance:.1%}.",
        name="accuracy-by-length",
    )


def _other_kinds(model: CountingNetwork) -> None:
    st.markdown("**Prompts of kinds that it has never seen**")
    with model_calls:
        answers = [continue_counting(model, prompt, 1)[0] for prompt in _KINDS]
    st.dataframe(
        pd.DataFrame(
            {
                "Prompt": [
                    " ".join(map(str, p)) if len(p) < 5 else f"{p[0]} … {p[-1]}" for p in _KINDS
                ],
                "What is new": list(_KINDS.values()),
                "Answer": [answer.number for answer in answers],
                "Probability": [100 * answer.probabilities[answer.number] for answer in answers],
            }
        ),
        hide_index=True,
        column_config={"Probability": st.column_config.NumberColumn(format="%.1f %%")},
    )


def _why(run: CountingRun, lengths: tuple[LengthAccuracy, ...]) -> str:
    before, after = (spectra(run.epochs[i].model.cell)[0].radius for i in (0, -1))
    start = (
        "a standard normal distribution"
        if run.config.network.initialisation == "normal"
        else "±1/√H"
    )
    longest, trained = lengths[-1], run.config.length
    return (
        f"Nothing wraps around in training: 127 is never read and 0 never asked for, so what comes"
        f" after 127 is anybody's guess; nor does a run begin beyond"
        f" {run.config.network.numbers - trained - 1}, which costs some short prompts. The source"
        f" documents say that a prompt may be longer than the runs of training. Here, at"
        f" {longest.length} numbers, the answer is right {longest.accuracy:.1%} of the time.\n\n"
        f"What decides is how the weights began, here by {start}. Before training, the recurrent"
        f" weights stretch a state by up to **{before:.2f}** a step (the largest eigenvalue of W_hh;"
        f" after it, {after:.2f}). A likely reason: far above 1, the state keeps traces of all that"
        f" was read, and after more than {trained} numbers it is where training never was; below 1,"
        f" old numbers fade and the last one decides. Change *Starting weights*, train again and"
        f" compare."
    )
