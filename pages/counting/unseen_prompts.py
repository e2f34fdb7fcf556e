"""Prompts that the network never saw: how many it continues right, by their kind."""

import pandas as pd
import streamlit as st

from lm_core.analysis.spectra import spectra
from lm_core.experiments.counting import inference
from lm_core.models.counting_network import CountingNetwork
from pages.counting.answers import LONGEST, probability
from pages.counting.training import CountingRun
from pages.shared import page
from pages.shared.charts.palette import VERMILLION
from pages.shared.numbers import percent

_UNSEEN = {
    (7, 9, 11): "in steps of two",
    (11, 10, 9): "backwards",
    (5, 5, 5): "the same number",
    (125,): "no run starts here",
    (125, 126, 127): "127 is never an input",
    (40, 41, 42, 43, 44, 45, 46, 47, 48, 49): "ten numbers",
}


def draw_unseen_prompts(run: CountingRun, asked: page.Asked[page.Answer]) -> None:
    """Draw the accuracy by length of prompt, and the answers to prompts of other kinds."""
    model = run.epochs[-1].model
    with page.model_calls:
        lengths = inference.accuracy_by_length(model, LONGEST)
    left, right = st.columns([1.2, 1], gap="medium")
    with left:
        _accuracy(run, lengths, asked)
    with right:
        _other_kinds(model)
    st.markdown(_explained(run, lengths))


def _accuracy(
    run: CountingRun, lengths: tuple[inference.LengthAccuracy, ...], asked: page.Asked[page.Answer]
) -> None:
    chance = 1 / run.config.network.numbers
    trained, twice = run.config.length, lengths[2 * run.config.length - 1]
    title = (
        f"{percent(lengths[trained - 1].accuracy, 1)} right after {trained} numbers,"
        f" {percent(twice.accuracy, 1)} after {twice.length}"
    )
    guess = asked.at(lambda often: (twice.length, often.typical))
    st.markdown(f"**{title}**")
    page.show_chart(
        page.line_chart(
            {"accuracy": [(entry.length, entry.accuracy) for entry in lengths]},
            {"accuracy": page.LineStyle(VERMILLION)},
            page.Axis("numbers in the prompt", (1, LONGEST)),
            page.Axis("right answers", (0.0, 1.0), form=".0%"),
            references={
                "chance": [(1, chance), (LONGEST, chance)],
                "length in training": [(trained, 0.14), (trained, 0.0), (trained, 1.0)],
            },
            guess=guess,
            has_points=True,
            height=230,
        ),
        pd.DataFrame(lengths, columns=inference.LengthAccuracy._fields),
        key="counting_lengths",
        alt=f"{title}; {percent(lengths[-1].accuracy, 1)} after {LONGEST}. Chance: {percent(chance, 1)}.",
        name="accuracy-by-length",
    )


def _other_kinds(model: CountingNetwork) -> None:
    st.markdown("**Other kinds of prompts**")
    with page.model_calls:
        answers = [inference.continue_counting(model, prompt, 1)[0] for prompt in _UNSEEN]
    st.dataframe(
        pd.DataFrame(
            {
                "Prompt": [
                    " ".join(map(str, p)) if len(p) < 5 else f"{p[0]} … {p[-1]}" for p in _UNSEEN
                ],
                "What is new": list(_UNSEEN.values()),
                "Answer": [answer.number for answer in answers],
                "Probability": [100 * probability(answer) for answer in answers],
            }
        ),
        hide_index=True,
        column_config={"Probability": st.column_config.NumberColumn(format="%.1f %%")},
    )


def _explained(run: CountingRun, lengths: tuple[inference.LengthAccuracy, ...]) -> str:
    before, after = (spectra(run.epochs[i].model.cell)[0].radius for i in (0, -1))
    network, trained, longest = run.config.network, run.config.length, lengths[-1]
    return (
        "No run wraps around: 127 is never an input and 0 is never a target, so nothing determines the"
        f" answer after 127. No run starts above {network.numbers - trained - 1}, which makes some short"
        " prompts unfamiliar. The published text (blog series, part IV) says that prompts may be longer"
        f" than the runs of training. Here {percent(longest.accuracy, 1)} of the answers are right after"
        f" {longest.length} numbers.\n\nWhich of these it gets right depends on the initialisation. The"
        " *spectral radius* of W_hh is its largest absolute eigenvalue: the factor by which each of many"
        " steps would stretch a state on average, if there were no tanh. Before training it is"
        f" **{before:.2f}**, after training {after:.2f}. A likely reason for the mistakes, which is not"
        " tested here by itself: with a radius far above 1 the state keeps traces of all earlier numbers,"
        f" so after more than {trained} of them it is unlike any state of training. With a small one old"
        " numbers fade sooner, so the last ones decide. Change *Initialisation*, train again and compare."
    )
