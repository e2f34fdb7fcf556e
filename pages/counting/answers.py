"""What the network answers: to the visitor's prompt after each epoch, and to prompts it never saw."""

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.analysis.spectra import spectra
from lm_core.experiments.counting.inference import (
    CountingStep,
    LengthAccuracy,
    accuracy_by_length,
    continue_counting,
)
from lm_core.experiments.counting.training import CountingEpoch
from lm_core.experiments.published import COUNTING_LOSSES
from lm_core.models.counting_network import CountingNetwork
from pages.counting.training import CountingRun
from pages.shared import charts
from pages.shared.charts.palette import VERMILLION
from pages.shared.turns import model_calls
from pages.shared.ui.figures import show_chart

LONGEST = 24
_LOSS = charts.Axis(
    "loss (nats per number)", (1e-4, 10.0), True, (1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0)
)
_UNSEEN = {
    (7, 9, 11): "in steps of two",
    (11, 10, 9): "backwards",
    (5, 5, 5): "the same number",
    (125,): "no run starts here",
    (125, 126, 127): "127 is never an input",
    (40, 41, 42, 43, 44, 45, 46, 47, 48, 49): "ten numbers",
}


# One epoch ------------------------------------------------------------------------------------


def draw_epoch(run: CountingRun, step: int, prompt: tuple[int, ...] | None, n: int) -> None:
    """Draw the loss so far, and beside it how the network continues the prompt by `n` numbers.

    Without a prompt, because it could not be read, the loss alone.
    """
    epoch = run.epochs[step]
    left, right = st.columns([1, 1.25], gap="medium")
    with left:
        _loss(run, epoch)
    if prompt is None:
        with right:
            st.info("Correct the prompt above, and the answer appears here.")
        return
    with model_calls:
        generated = continue_counting(epoch.model, prompt, n)
    with right:
        _generated(prompt, generated, epoch)
    _next_number(prompt, generated[0])
    st.markdown(_in_words(prompt, generated, epoch))


def _loss(run: CountingRun, epoch: CountingEpoch) -> None:
    shown = [(e.epoch, e.loss) for e in run.epochs[: epoch.epoch + 1]]
    published = list(COUNTING_LOSSES.items())
    title = (
        f"In epoch {epoch.epoch} the loss is {epoch.loss:.3g} nats per number"
        if epoch.epoch
        else f"Before training the loss is {epoch.loss:.2f} nats per number"
    )
    st.markdown(
        f"**{title}**",
        help="Grey dots: losses published in the blog series, part IV, with standard normal weights.",
    )
    show_chart(
        charts.line_chart(
            {"here": shown},
            {"here": charts.LineStyle(VERMILLION)},
            charts.Axis("epoch", (0, run.config.epochs)),
            _LOSS,
            dots={"published": published},
            now=epoch.epoch,
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
    prompt: tuple[int, ...], generated: tuple[CountingStep, ...], epoch: CountingEpoch
) -> None:
    numbers = [step.number for step in generated]
    frame = charts.generated_frame(
        prompt, numbers, [step.probabilities[step.number] for step in generated]
    )
    title = f"{_listed(prompt)} continues with {_listed(numbers)}"
    st.markdown(f"**{title}**")
    show_chart(
        charts.generated_chart(frame, most=epoch.model.vocabulary_size - 1),
        frame,
        key="counting_generated",
        alt=f"{title}.",
        name="generated-numbers",
    )


def _next_number(prompt: tuple[int, ...], first: CountingStep) -> None:
    numbers = [str(number) for number in range(len(first.probabilities))]
    right = prompt[-1] + 1
    frame = charts.prediction_frame(
        numbers,
        {"": np.array(first.probabilities)},
        marked=right if right < len(numbers) else None,
    )
    title = f"After {_listed(prompt)}: {first.number}, with {_probability(first):.1%}"
    st.markdown(f"**{title}**")
    largest = ", ".join(
        f"{row.symbol}: {row.probability:.1%}" for row in frame.head(4).itertuples()
    )
    show_chart(
        charts.prediction_bars(frame, unit="number", mark=f"{prompt[-1]} + 1", colour=VERMILLION),
        frame,
        key="counting_next",
        alt=f"{title}. The largest probabilities: {largest}.",
        name="next-number",
    )


def _probability(step: CountingStep) -> float:
    return step.probabilities[step.number]


def _listed(numbers: tuple[int, ...] | list[int], most: int = 8) -> str:
    """Return numbers in a row; of many, the last ones."""
    return ("… " if len(numbers) > most else "") + " ".join(map(str, numbers[-most:]))


def _in_words(
    prompt: tuple[int, ...], generated: tuple[CountingStep, ...], epoch: CountingEpoch
) -> str:
    numbers = [prompt[-1], *(step.number for step in generated)]
    n_right = next(
        (i for i, step in enumerate(generated) if step.number != numbers[i] + 1), len(generated)
    )
    text = (
        "The network reads the prompt number by number, then each number that it generates. Its"
        f" *hidden state* of {epoch.model.config.hidden_size} values is all that it stores of earlier"
        f" numbers. Its first answer has probability {_probability(generated[0]):.1%}; chance is"
        f" {1 / epoch.model.vocabulary_size:.1%}."
    )
    if n_right == len(generated):
        return f"{text} **{n_right} of {len(generated)} generated numbers are right.**"
    return (
        f"{text} **The first {n_right} of {len(generated)} generated numbers are right**; then"
        f" {generated[n_right].number} follows {numbers[n_right]}."
    )


# Unseen prompts -------------------------------------------------------------------------------


def draw_unseen_prompts(run: CountingRun) -> None:
    """Draw the accuracy by length of prompt, and the answers to prompts of other kinds."""
    model = run.epochs[-1].model
    with model_calls:
        lengths = accuracy_by_length(model, LONGEST)
    left, right = st.columns([1.2, 1], gap="medium")
    with left:
        _accuracy(run, lengths)
    with right:
        _other_kinds(model)
    st.markdown(_explained(run, lengths))


def _accuracy(run: CountingRun, lengths: tuple[LengthAccuracy, ...]) -> None:
    chance = 1 / run.config.network.numbers
    trained, twice = run.config.length, lengths[2 * run.config.length - 1]
    title = (
        f"{lengths[trained - 1].accuracy:.1%} right after {trained} numbers,"
        f" {twice.accuracy:.1%} after {twice.length}"
    )
    st.markdown(f"**{title}**")
    show_chart(
        charts.line_chart(
            {"accuracy": [(entry.length, entry.accuracy) for entry in lengths]},
            {"accuracy": charts.LineStyle(VERMILLION)},
            charts.Axis("numbers in the prompt", (1, LONGEST)),
            charts.Axis("right answers", (0.0, 1.0), form=".0%"),
            references={
                "chance": [(1, chance), (LONGEST, chance)],
                "length in training": [(trained, 0.14), (trained, 0.0), (trained, 1.0)],
            },
            has_points=True,
            height=230,
        ),
        pd.DataFrame(lengths, columns=LengthAccuracy._fields),
        key="counting_lengths",
        alt=f"{title}; {lengths[-1].accuracy:.1%} after {LONGEST}. Chance: {chance:.1%}.",
        name="accuracy-by-length",
    )


def _other_kinds(model: CountingNetwork) -> None:
    st.markdown("**Other kinds of prompts**")
    with model_calls:
        answers = [continue_counting(model, prompt, 1)[0] for prompt in _UNSEEN]
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
        column_config={"Probability": st.column_config.NumberColumn(format="%.1f %%")},
    )


def _explained(run: CountingRun, lengths: tuple[LengthAccuracy, ...]) -> str:
    before, after = (spectra(run.epochs[i].model.cell)[0].radius for i in (0, -1))
    network, trained, longest = run.config.network, run.config.length, lengths[-1]
    return (
        "No run wraps around: 127 is never an input and 0 is never a target, so nothing determines"
        " the answer after 127. No run starts above"
        f" {network.numbers - trained - 1}, which makes some short prompts unfamiliar. The published"
        " text (blog series, part IV) says that prompts may be longer than the runs of training."
        f" Here {longest.accuracy:.1%} of the answers are right after {longest.length} numbers.\n\n"
        "The initialisation decides. The *spectral radius* of W_hh is its largest absolute"
        " eigenvalue: how far one step stretches a state before the tanh. Before training it is"
        f" **{before:.2f}**, after training {after:.2f}. A likely reason for mistakes: far above 1, the"
        " state stores traces of all earlier numbers. After more than"
        f" {trained} numbers it is unlike any state of training. Below 1, old numbers fade and the last"
        " one decides. Change *Initialisation*, train again"
        " and compare."
    )
