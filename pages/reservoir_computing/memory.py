"""How many past inputs can be read out of a state: memory capacity by delay."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import streamlit as st

from lm_core.experiments.reservoir_computing.memory import (
    linear_memory,
    memory_capacity,
    memory_task,
)
from lm_core.experiments.reservoir_computing.results import LearnedMemory, ReservoirResults
from lm_core.experiments.reservoir_computing.study import CHOSEN, DENSITY, MEMORY, UNITS
from lm_core.models.reservoir import ACTIVATIONS, LINEAR, SPARSE, ReservoirSettings
from pages.reservoir_computing.reservoirs import (
    LEARNED,
    RESERVOIR,
    SOLVED,
    STYLES,
    Chosen,
    Offer,
    choose_reservoir,
)
from pages.shared import page
from pages.shared.numbers import significant

_LEAK, _SCALE, _PENALTY = CHOSEN[MEMORY]
_FIRST = Chosen(UNITS, SPARSE, DENSITY, 1, ReservoirSettings(1.0, _LEAK, _SCALE), _PENALTY)
_OFFER = Offer("memory", _FIRST, ("kind",), activations=ACTIVATIONS)
_SHOWN = 120
"""Delays that are drawn; all that are asked for count."""
_ANSWERS = {"About 5": 5.0, "About 35": 35.0, "About 95": 95.0}


class Recall(NamedTuple):
    """r^2 by delay from 1, measured, and of a linear reservoir by theory as well."""

    by_delay: np.ndarray
    theory: np.ndarray | None

    @property
    def capacity(self) -> float:
        """The memory capacity: the sum over all delays."""
        return float(self.by_delay.sum())


def _choose_memory(screen: page.FirstScreen) -> Chosen:
    """Draw the controls of a reservoir, and return it."""
    return choose_reservoir(screen, _OFFER)


@st.cache_data(max_entries=128, show_spinner=False)
def _recall(chosen: Chosen) -> Recall:
    reservoir, task = chosen.reservoir(), memory_task()
    with page.model_calls:
        found = memory_capacity(reservoir, task, chosen.penalty)
        theory = None
        if chosen.settings.activation == LINEAR and chosen.settings.spectral_radius < 1.0:
            theory = linear_memory(reservoir, task.delays)[1:]
        return Recall(found, theory)


def memory(screen: page.FirstScreen) -> None:
    """Draw how well each past input is read out of a reservoir's state, and of a trained network's."""
    chosen = _choose_memory(screen)
    results = page.shipped(ReservoirResults)
    found = _recall(chosen)
    asked = _ask(screen, chosen, found)
    with screen.picture:
        st.markdown(f"**{_finding(chosen, found, results.memory, asked)}**")
        _by_delay(chosen, found, results.memory, asked)
    page.note_beside(
        screen,
        "A state must hold what came k steps ago for a linear *read-out* to say it. *Memory"
        " capacity* is the sum of r² over all k, at most N, because a state has N numbers: **make"
        " W orthogonal**, then raise the input scale.",
    )
    if not page.is_presenting() and not asked.masks:
        _explain(chosen, found, results.memory)


def _mean(learned: tuple[LearnedMemory, ...], *, solved: bool) -> np.ndarray:
    return np.mean([row.solved if solved else row.own for row in learned], axis=0)


def _ask(screen: page.FirstScreen, chosen: Chosen, found: Recall) -> page.Asked:
    return page.ask(
        screen,
        "memory",
        "100 units at random, λ = 1, weak inputs. How many past inputs can be read out?",
        _ANSWERS,
        right=found.capacity,
        reason=f"**{found.capacity:.1f}** of at most 100. Nothing in W was learned. A random"
        " orthogonal W recalls more than twice as many, because it shortens no direction of"
        " the state.",
        when=chosen == _FIRST,
    )


def _finding(
    chosen: Chosen, found: Recall, learned: tuple[LearnedMemory, ...], asked: page.Asked
) -> str:
    theirs = float(_mean(learned, solved=False).sum())
    begin = f"A trained RNN of 100 units recalls {theirs:.0f} inputs"
    if asked.masks:
        return f"{begin}; and {chosen.units} units that never learn?"
    return f"{begin}, {chosen.units} {chosen.in_words} ones that never learn {found.capacity:.1f}"


def _by_delay(
    chosen: Chosen, found: Recall, learned: tuple[LearnedMemory, ...], asked: page.Asked
) -> None:
    lines = {LEARNED: _pairs(_mean(learned, solved=False))}
    references = {}
    if not asked.masks:
        lines[SOLVED] = _pairs(_mean(learned, solved=True))
        lines[RESERVOIR] = _pairs(found.by_delay)
        if found.theory is not None:
            references["linear theory"] = _pairs(found.theory)
    guess = asked.at(lambda value: (value, 0.5))
    page.show_chart(
        page.line_chart(
            lines,
            STYLES,
            page.Axis("delay k (steps)", (1, _SHOWN)),
            page.Axis("r² of the input k steps ago", (0.0, 1.0)),
            references=references,
            guess=guess,
            height=330,
        ),
        pa.table(
            {
                "delay": list(range(1, _SHOWN + 1)),
                **{name: [y for _, y in pairs] for name, pairs in lines.items()},
            }
        ),
        key="recall_by_delay",
        alt="Memory capacity: "
        + ", ".join(
            f"{name} {significant(total, 3)}"
            for name, total in (
                (LEARNED, float(_mean(learned, solved=False).sum())),
                *(((RESERVOIR, found.capacity),) if RESERVOIR in lines else ()),
            )
        ),
        name="memory-by-delay",
    )


def _pairs(values: np.ndarray) -> list[tuple[float, float]]:
    return [(float(k), float(v)) for k, v in enumerate(values[:_SHOWN], 1)]


def _explain(chosen: Chosen, found: Recall, learned: tuple[LearnedMemory, ...]) -> None:
    """Say what was measured, and with which check."""
    task = memory_task()
    seconds = float(np.mean([row.seconds for row in learned]))
    said = (
        f"Memory capacity {found.capacity:.2f}, the bound is N = {chosen.units}, because inputs are"
        f" independent and a state has {chosen.units} numbers. Learned from {task.n_train:,} steps,"
        f" scored on {len(task.inputs) - task.end:,} others, k up to {task.delays}. The RNN was"
        f" trained for {seconds:.0f} s of one core to say the last 100 inputs; from its states a"
        f" solved read-out recalls {_mean(learned, solved=True).sum():.1f}. It began with an"
        " orthogonal W."
    )
    if found.theory is not None:
        said += (
            f" Linear theory allows {found.theory.sum():.1f}; an estimate from a finite series, with"
            " rounding, comes near it, mostly from below."
        )
    st.markdown(said)
    st.caption(
        "Checked with reservoirpy 0.4.2: its example (100 units, λ = 1, 500 steps, k up to 50)"
        " gives 18.78, and ours gives the same with the same weights, so both compute the same."
    )
