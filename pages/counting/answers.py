"""What the network answers: to the visitor's prompt after each epoch, and to prompts it never saw."""

from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.analysis.spectra import spectra
from lm_core.experiments.counting import inference
from lm_core.experiments.counting.training import CountingEpoch
from lm_core.experiments.published import COUNTING_LOSSES
from lm_core.models.counting_network import CountingNetwork
from pages.counting.numbers_chart import generated_chart, generated_table
from pages.counting.training import CountingRun
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import VERMILLION
from pages.shared.charts.predictions import prediction_bars, prediction_table
from pages.shared.numbers import percent, significant
from pages.shared.turns import model_calls
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import Answer, Prediction, answer_of, guesses_in_picture, show_verdict

LONGEST = 24
OFTEN = {
    "Always": Answer(0.95, 1.0),
    "About half of the time": Answer(0.25, 0.5),
    "Hardly ever": Answer(0.0, 0.02),
}
"""The answers to choose from, by the accuracy."""
_LOSS = Axis("loss (nats per number)", (1e-4, 10.0), True, (1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0))
_UNSEEN = {
    (7, 9, 11): "in steps of two",
    (11, 10, 9): "backwards",
    (5, 5, 5): "the same number",
    (125,): "no run starts here",
    (125, 126, 127): "127 is never an input",
    (40, 41, 42, 43, 44, 45, 46, 47, 48, 49): "ten numbers",
}


# One epoch ------------------------------------------------------------------------------------


def draw_epoch(run: CountingRun, step: int, prompt: tuple[int, ...], n: int) -> None:
    """Draw how the network of an epoch continues the prompt, and how sure it is of the next number."""
    epoch = run.epochs[step]
    with model_calls:
        generated = inference.continue_counting(epoch.model, prompt, n)
    n_right = _n_right(prompt, generated)
    verdict = "all of them right" if n_right == n else f"the first {n_right} of them right"
    st.markdown(
        f"**After epoch {epoch.epoch} it continues {_listed(prompt)} with {n} numbers, {verdict}**"
    )
    if is_presenting():
        _generated(prompt, generated, epoch)
        return
    left, right = st.columns([1.35, 1], gap="medium")
    with left:
        _generated(prompt, generated, epoch)
    with right:
        _next_number(prompt, generated[0])


def draw_loss(run: CountingRun) -> None:
    """Draw the loss of every epoch beside the published ones."""
    shown = [(epoch.epoch, epoch.loss) for epoch in run.epochs]
    published = list(COUNTING_LOSSES.items())
    first, last = run.epochs[0], run.epochs[-1]
    title = f"The loss is {first.loss:.2f} nats per number before training" + (
        f", {significant(last.loss, 3)} in epoch {last.epoch}" if run.is_trained else ""
    )
    st.markdown(
        f"**{title}**",
        help=(
            "The grey dots are the losses published in the blog series, part IV, with standard normal"
            " weights."
        ),
    )
    show_chart(
        line_chart(
            {"here": shown},
            {"here": LineStyle(VERMILLION)},
            Axis("epoch", (0, run.config.epochs)),
            _LOSS,
            dots={"published": published},
            height=230,
        ),
        pd.DataFrame(
            [("here", *pair) for pair in shown] + [("published", *pair) for pair in published],
            columns=["run", "epoch", "loss"],
        ),
        key="counting_loss",
        alt=f"{title}. Published: {published[0][1]:.2f} in epoch {published[0][0]},"
        f" {published[-1][1]:.3f} in epoch {published[-1][0]}.",
        name="loss-by-epoch",
    )


def _generated(
    prompt: tuple[int, ...], generated: tuple[inference.CountingStep, ...], epoch: CountingEpoch
) -> None:
    numbers = [step.number for step in generated]
    table = generated_table(
        prompt, numbers, [step.probabilities[step.number] for step in generated]
    )
    title = f"{_listed(prompt)} continues with {_listed(numbers, len(numbers))}"
    show_chart(
        generated_chart(table, most=epoch.model.vocabulary_size - 1),
        table,
        key="counting_generated",
        alt=f"{title}.",
        name="generated-numbers",
    )


def _next_number(prompt: tuple[int, ...], first: inference.CountingStep) -> None:
    numbers = [str(number) for number in range(len(first.probabilities))]
    right = prompt[-1] + 1
    table = prediction_table(
        numbers, {"": np.array(first.probabilities)}, marked=right if right < len(numbers) else None
    )
    title = f"After {_listed(prompt)}: {first.number}, with {percent(_probability(first), 1)}"
    st.markdown(f"**After {prompt[-1]}:** {first.number} with {percent(_probability(first), 1)}")
    largest = ", ".join(
        f"{row['symbol']}: {percent(row['probability'], 1)}"
        for row in table.slice(0, 4).to_pylist()
    )
    show_chart(
        prediction_bars(table, unit="number", mark="right", colour=VERMILLION),
        table,
        key="counting_next",
        alt=f"{title}. The largest probabilities: {largest}.",
        name="next-number",
    )


def _probability(step: inference.CountingStep) -> float:
    return step.probabilities[step.number]


def _listed(numbers: tuple[int, ...] | list[int], most: int = 8) -> str:
    """Return numbers in a row; of many, the last ones."""
    return ("… " if len(numbers) > most else "") + " ".join(map(str, numbers[-most:]))


def _n_right(prompt: tuple[int, ...], generated: tuple[inference.CountingStep, ...]) -> int:
    """Return how many numbers were generated before one that is not the number before it plus one."""
    numbers = [prompt[-1], *(step.number for step in generated)]
    return next((i for i, (a, b) in enumerate(pairwise(numbers)) if b != a + 1), len(generated))


def explain(run: CountingRun) -> None:
    """Explain what the network stores, and what chance would be."""
    config = run.config
    st.markdown(
        "The network reads the prompt number by number, then each number that it generates. Its"
        f" *hidden state* of {config.network.hidden_size} values is all that it stores of earlier"
        f" numbers. In training it never read more than {config.length} numbers in a row, so longer"
        f" prompts are new to it. Chance is {percent(1 / config.network.numbers, 1)}."
    )


# Unseen prompts -------------------------------------------------------------------------------


def answer(run: CountingRun, prediction: Prediction) -> None:
    """Say how often the network is right after prompts twice as long as its runs."""
    with model_calls:
        lengths = inference.accuracy_by_length(run.epochs[-1].model, LONGEST)
    trained = lengths[run.config.length - 1]
    longer = lengths[2 * run.config.length - 1]
    reason = (
        f"{percent(longer.accuracy)} of the answers are right after {longer.length} numbers,"
        f" {percent(trained.accuracy)} after {trained.length}, probably because after so many numbers"
        " the hidden state is where training never led it."
        if longer.accuracy < trained.accuracy
        else f"{percent(longer.accuracy)} of the answers are right after {longer.length} numbers, as after"
        f" {trained.length}, so what it has learned holds beyond the length that it knows."
    )
    show_verdict(prediction, right=answer_of(longer.accuracy, OFTEN), reason=reason)


def draw_unseen_prompts(run: CountingRun, prediction: Prediction) -> None:
    """Draw the accuracy by length of prompt, and the answers to prompts of other kinds."""
    model = run.epochs[-1].model
    with model_calls:
        lengths = inference.accuracy_by_length(model, LONGEST)
    left, right = st.columns([1.2, 1], gap="medium")
    with left:
        _accuracy(run, lengths, prediction)
    with right:
        _other_kinds(model)
    st.markdown(_explained(run, lengths))


def _accuracy(
    run: CountingRun, lengths: tuple[inference.LengthAccuracy, ...], prediction: Prediction
) -> None:
    chance = 1 / run.config.network.numbers
    trained, twice = run.config.length, lengths[2 * run.config.length - 1]
    title = (
        f"{percent(lengths[trained - 1].accuracy, 1)} right after {trained} numbers,"
        f" {percent(twice.accuracy, 1)} after {twice.length}"
    )
    guess = guesses_in_picture(prediction, lambda said: (twice.length, OFTEN[said].typical))
    st.markdown(f"**{title}**")
    show_chart(
        line_chart(
            {"accuracy": [(entry.length, entry.accuracy) for entry in lengths]},
            {"accuracy": LineStyle(VERMILLION)},
            Axis("numbers in the prompt", (1, LONGEST)),
            Axis("right answers", (0.0, 1.0), form=".0%"),
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
    with model_calls:
        answers = [inference.continue_counting(model, prompt, 1)[0] for prompt in _UNSEEN]
    st.dataframe(
        pd.DataFrame(
            {
                "Prompt": [
                    " ".join(map(str, p)) if len(p) < 5 else f"{p[0]} … {p[-1]}" for p in _UNSEEN
                ],
                "What is new": list(_UNSEEN.values()),
                "Answer": [answer.number for answer in answers],
                "Probability": [100 * _probability(answer) for answer in answers],
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
        f" so after more than {trained} of them it is unlike any state of training. Below 1 old numbers"
        " fade, and the last one decides. Change *Initialisation*, train again and compare."
    )
