"""What the network answers: to the visitor's prompt after each epoch, and to prompts it never saw."""

from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.experiments.counting import inference
from lm_core.experiments.counting.training import CountingEpoch, as_run
from lm_core.experiments.published import COUNTING_LOSSES
from pages.counting.numbers_chart import generated_chart, generated_table
from pages.counting.training import CountingRun
from pages.shared import page
from pages.shared.charts.palette import VERMILLION
from pages.shared.charts.predictions import prediction_bars, prediction_table
from pages.shared.frame.normal_losses import yardsticks
from pages.shared.numbers import percent, significant

LONGEST = 24
OFTEN = {
    "Always": page.Answer(0.95, 1.0),
    "About half of the time": page.Answer(0.25, 0.5),
    "Hardly ever": page.Answer(0.0, 0.02),
}
"""The answers to choose from, by the accuracy."""
_NO_BAND = (
    "No band of other seeds lies behind it, because they are known for the first settings alone."
)
_LOSS = page.Axis("loss (nats per number)", (1e-4, 10.0), True, (1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0))


# One epoch ------------------------------------------------------------------------------------


def draw_epoch(run: CountingRun, step: int, prompt: tuple[int, ...], n: int) -> None:
    """Draw how the network of an epoch continues the prompt, and how sure it is of the next number."""
    epoch = run.epochs[step]
    with page.model_calls:
        generated = inference.continue_counting(epoch.model, prompt, n)
    n_right = _n_right(prompt, generated)
    verdict = "all of them right" if n_right == n else f"the first {n_right} of them right"
    st.markdown(
        f"**After epoch {epoch.epoch} it continues {_listed(prompt)} with {n} numbers, {verdict}**"
    )
    if page.is_presenting():
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
    held_to = yardsticks(as_run(run.config), run.config.epochs)
    st.markdown(
        f"**{title}**",
        help=(
            "The grey dots are the losses published in the blog series, part IV, with standard normal"
            " weights."
        ),
    )
    page.show_chart(
        page.line_chart(
            {"here": shown},
            {"here": page.LineStyle(VERMILLION)},
            page.Axis("epoch", (0, run.config.epochs)),
            _LOSS,
            dots={"published": published},
            bands={"here": held_to.band},
            references={
                name: [(0, level), (run.config.epochs, level)]
                for name, level in held_to.levels.items()
            },
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
    if run.is_trained:
        st.caption(held_to.note or _NO_BAND)


def _generated(
    prompt: tuple[int, ...], generated: tuple[inference.CountingStep, ...], epoch: CountingEpoch
) -> None:
    numbers = [step.number for step in generated]
    table = generated_table(
        prompt, numbers, [step.probabilities[step.number] for step in generated]
    )
    title = f"{_listed(prompt)} continues with {_listed(numbers, len(numbers))}"
    page.show_chart(
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
    title = f"After {_listed(prompt)}: {first.number}, with {percent(probability(first), 1)}"
    st.markdown(f"**After {prompt[-1]}:** {first.number} with {percent(probability(first), 1)}")
    largest = ", ".join(
        f"{row['symbol']}: {percent(row['probability'], 1)}"
        for row in table.slice(0, 4).to_pylist()
    )
    page.show_chart(
        prediction_bars(table, unit="number", mark="right", colour=VERMILLION),
        key="counting_next",
        alt=f"{title}. The largest probabilities: {largest}.",
        name="next-number",
    )


def probability(step: inference.CountingStep) -> float:
    """Return the probability of one token after another."""
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


def judge(run: CountingRun, asked: page.Asked[page.Answer]) -> None:
    """Say how often the network is right after prompts twice as long as its runs."""
    with page.model_calls:
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
    asked.judge(right=longer.accuracy, reason=reason)
