"""One epoch: how far the loss has fallen, and what the network makes of the visitor's prompt."""

import streamlit as st

from lm_core.experiments.counting.inference import CountingStep, continue_counting
from lm_core.experiments.counting.training import CountingEpoch
from lm_core.experiments.published import COUNTING_LOSSES
from pages.counting.training import CountingRun
from pages.shared import charts
from pages.shared.server import model_calls
from pages.shared.ui.figures import show_chart


def draw_epoch(run: CountingRun, step: int, prompt: tuple[int, ...] | None, n: int) -> None:
    """Draw the loss so far, and beside it what the network writes; without a prompt, the loss only.

    Parameters
    ----------
    run : CountingRun
    step : int
        Which of its epochs.
    prompt : tuple of int, optional
        None where what the visitor wrote cannot be read.
    n : int
        Numbers to write.
    """
    epoch = run.epochs[step]
    left, right = st.columns([1, 1.25], gap="medium")
    with left:
        _loss(run, epoch)
    if prompt is None:
        with right:
            st.info("Mend the prompt above, and its answer appears here.")
        return
    with model_calls:
        written = continue_counting(epoch.model, prompt, n)
    with right:
        _written(prompt, written, epoch)
    _next_number(prompt, written[0])
    st.markdown(_in_words(prompt, written, epoch))


def _loss(run: CountingRun, epoch: CountingEpoch) -> None:
    frame = charts.epochs_frame([e.loss for e in run.epochs], COUNTING_LOSSES)
    st.markdown(f"**{_title(epoch)}**")
    show_chart(
        charts.epochs_chart(frame, now=epoch.epoch, epochs=run.config.epochs),
        frame,
        key="counting_loss",
        alt=f"{_title(epoch)}. The source's run: 5.03 in its first epoch, 0.088 in its last.",
        name="loss-by-epoch",
    )


def _title(epoch: CountingEpoch) -> str:
    if epoch.epoch == 0:
        return f"Before training the loss is {epoch.loss:.2f} nats per number"
    return f"In epoch {epoch.epoch} the loss is {epoch.loss:.3g} nats per number"


def _written(
    prompt: tuple[int, ...], written: tuple[CountingStep, ...], epoch: CountingEpoch
) -> None:
    numbers = [step.number for step in written]
    frame = charts.counted_frame(
        prompt, numbers, [step.probabilities[step.number] for step in written]
    )
    title = f"{_listed(prompt)} goes on with {_listed(numbers)}"
    st.markdown(f"**{title}**")
    show_chart(
        charts.counted_chart(frame, most=epoch.model.vocabulary_size - 1),
        frame,
        key="counting_written",
        alt=f"{title}.",
        name="numbers-written",
    )


def _next_number(prompt: tuple[int, ...], first: CountingStep) -> None:
    expected = prompt[-1] + 1
    top = first.probabilities[first.number]
    frame = charts.numbers_frame(first.probabilities, expected)
    title = f"After {_listed(prompt)}: {first.number}, with {top:.1%}"
    st.markdown(f"**{title}** (the triangle stands at {prompt[-1]} + 1)")
    show_chart(
        charts.numbers_chart(frame),
        frame,
        key="counting_next",
        alt=f"{title}. The largest probabilities: {_largest(first)}.",
        name="next-number",
    )


def _largest(step: CountingStep, n: int = 4) -> str:
    ranked = sorted(enumerate(step.probabilities), key=lambda pair: -pair[1])[:n]
    return ", ".join(f"{number}: {p:.1%}" for number, p in ranked)


def _listed(numbers: tuple[int, ...] | list[int], most: int = 8) -> str:
    """Return numbers in a row; of many, the last ones."""
    return ("… " if len(numbers) > most else "") + " ".join(map(str, numbers[-most:]))


def _in_words(
    prompt: tuple[int, ...], written: tuple[CountingStep, ...], epoch: CountingEpoch
) -> str:
    numbers = [prompt[-1], *(step.number for step in written)]
    n_right = next(
        (i for i, step in enumerate(written) if step.number != numbers[i] + 1), len(written)
    )
    chance = 1 / epoch.model.vocabulary_size
    text = (
        f"The prompt is read once, number by number. From then on the network reads what it wrote"
        f" itself, and the {epoch.model.config.hidden_size} numbers of its state are all it has"
        f" kept of the rest. Its first answer is worth"
        f" {written[0].probabilities[written[0].number]:.1%}; a blind guess would be {chance:.1%}."
    )
    if n_right == len(written):
        return f"{text} **All {len(written)} numbers written count on by one.**"
    return (
        f"{text} **It counts on rightly for {n_right} of {len(written)} numbers**, then writes"
        f" {written[n_right].number} after {numbers[n_right]}."
    )
