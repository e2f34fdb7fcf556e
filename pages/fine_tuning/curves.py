"""The finding: accuracy by number of labelled examples, for a model that has read first and one that has not."""

import math

import streamlit as st

from lm_core.experiments.fine_tuning import learning_curves
from lm_core.experiments.fine_tuning.settings import METHODS, SCRATCH, TUNED
from lm_core.experiments.fine_tuning.study import SHIPPED_SIZE
from pages.fine_tuning.explanations import explanations
from pages.fine_tuning.loss_on_the_book import Curves, draw_curves, loss_on_the_book
from pages.fine_tuning.subject import EXAMPLES, choose_task, results
from pages.shared import page
from pages.shared.charts.lines import Axis, Waiting
from pages.shared.numbers import percent

_ACCURACY, _ON_THE_BOOK = "accuracy", "loss on the book"
_FEW = SHIPPED_SIZE
_APART = 0.02  # in accuracy: seeds lie further apart than that
_ANSWERS = {
    "more than were measured": page.Answer(math.inf, 10_000.0),
    "3,000 or more": page.Answer(1_732.0, 5_000.0),
    "about 1,000": page.Answer(548.0, 1_000.0),
    "about 300": page.Answer(173.0, 300.0),
    "100 or fewer": page.Answer(0.0, 100.0),
}
"""Labelled examples, the largest first; the borders lie halfway on the logarithmic axis."""


def curves(screen: page.FirstScreen) -> None:
    """Draw the learning curves of a task, or what its encoders have forgotten."""
    with screen.controls:
        task = choose_task()
        measure = page.segments("curve_measure", "Show", (_ACCURACY, _ON_THE_BOOK))
    if measure == _ACCURACY:
        _accuracies(screen, task)
    else:
        loss_on_the_book(screen, task)
    if not page.is_presenting():
        explanations(task)


# Accuracy -------------------------------------------------------------------------------------


def _accuracies(screen: page.FirstScreen, task: str) -> None:
    found = {method: learning_curves.accuracy_curve(results(), task, method) for method in METHODS}
    question = _ask(screen, task, found)
    hides = question.masks
    shown = {m: c for m, c in found.items() if not (hides and m == SCRATCH)}
    baselines = results().tasks[task].baselines
    low = math.floor(10 * min(*baselines.values(), *_lows(found))) / 10
    few, last = learning_curves.value_at(found[TUNED], _FEW), found[SCRATCH][-1].at
    guess = question.at(lambda value: None if few is None else (min(value.typical, last), few))
    with screen.picture:
        title = _finding(task, found, hides=hides)
        st.markdown(f"**{title}**")
        draw_curves(
            shown,
            Axis(
                f"right answers on {results().tasks[task].n_test:,} test texts",
                (low, 1.0),
                form=".0%",
            ),
            {f"{rule}: {percent(share)}": share for rule, share in baselines.items()},
            title=title,
            form=".1%",
            guess=guess,
            waiting=Waiting(SCRATCH, few, "y") if hides and few is not None else None,
        )
    page.note_beside(
        screen,
        "*Fine-tuned*: all weights learn, beginning with those that have read *War and Peace*. *Frozen*:"
        " these stay, and only a new last layer learns. *LoRA*: the matrices get small updates. *From"
        " scratch*: the same network begins with random weights, so it has to learn the language from the"
        " labelled examples as well. A band reaches from the lowest to the highest seed.",
    )


def _ask(screen: page.FirstScreen, task: str, found: Curves) -> page.Asked:
    few = learning_curves.value_at(found[TUNED], _FEW) or 0.0
    kind = EXAMPLES[task]
    needed = learning_curves.labels_needed(found[SCRATCH], few)
    last = found[SCRATCH][-1]
    reason = (
        f"From scratch it has **{percent(last.mean)}** even with all {last.at:,.0f}."
        if math.isinf(needed)
        else f"From scratch it takes about **{_rounded(needed)}** {kind}."
    )
    at_few = learning_curves.value_at(found[SCRATCH], _FEW) or 0.0
    why = (
        ", because it begins with random weights."
        if few > at_few + _APART
        else f", so {_FEW} labels are too few to tell the two apart."
    )
    return page.ask(
        screen,
        f"labels_needed_{task.replace(' ', '_')}",
        f"*Fine-tuned* has {percent(few)} right after {_FEW} labelled {kind}. How many does the"
        " same network need *from scratch*?",
        dict(reversed(_ANSWERS.items())),
        right=page.answer_of(needed, _ANSWERS),
        reason=f"{reason} With {_FEW} it has {percent(at_few)}{why}",
    )


def _rounded(number: float) -> str:
    return f"{float(f'{number:.2g}'):,.0f}"


def _finding(task: str, found: Curves, *, hides: bool) -> str:
    at = {method: learning_curves.value_at(curve, _FEW) or 0.0 for method, curve in found.items()}
    if hides:
        del at[SCRATCH]
    ranked = sorted(at, key=at.__getitem__, reverse=True)
    said = ", ".join(f"{method} {percent(at[method])}" for method in ranked)
    asked = f". And {SCRATCH}?" if hides else ""
    return f"Accuracy with {_FEW} labelled {EXAMPLES[task]}: {said}{asked}"


def _lows(found: Curves) -> list[float]:
    return [point.low for curve in found.values() for point in curve]
