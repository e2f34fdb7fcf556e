"""The loss on letters by the spectral radius."""

import pyarrow as pa

from lm_core.experiments.reservoir_computing.results import ReservoirResults
from lm_core.experiments.reservoir_computing.study import RADII
from pages.reservoir_computing.letters_choice import Read
from pages.reservoir_computing.reservoirs import LEARNED, RESERVOIR, STYLES
from pages.shared import page

BIGRAM = 2.378
"""Nats per character of a table of all pairs of letters: the model ladder's on all the held-out text."""


def draw_by_radius(results: ReservoirResults, read: Read, loss: float, asked: page.Asked) -> None:
    """Draw the loss of each reservoir, beside that of the network."""
    is_masked = asked.masks
    ends = (RADII[0], RADII[-1])
    lines = {LEARNED: [(end, results.rnn_loss) for end in ends]}
    if not is_masked:
        lines[RESERVOIR] = [(row.radius, row.loss) for row in results.letters]
    guess = asked.at(lambda value: (read.radius, value))
    page.show_chart(
        page.line_chart(
            lines,
            STYLES,
            page.Axis("spectral radius λ", ends),
            page.Axis("nats per character", (1.0, 3.2)),
            references={"table of letter pairs": [(end, BIGRAM) for end in ends]},
            rings={} if is_masked else {RESERVOIR: [(read.radius, loss)]},
            guess=guess,
            now=1.0,
            height=190,
        ),
        pa.table(
            {
                "spectral radius": [row.radius for row in results.letters],
                "reservoir": [None if is_masked else row.loss for row in results.letters],
                "RNN": [results.rnn_loss] * len(results.letters),
            }
        ),
        key="letters_by_radius",
        alt=f"The RNN has {results.rnn_loss:.2f} nats per character"
        + (
            ""
            if is_masked
            else f", the reservoir {loss:.2f} at a spectral radius of {read.radius:g}"
        ),
    )
