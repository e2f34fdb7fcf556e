"""What a network predicts, letter by letter, and how sure it is after each."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, GREEN, ORANGE

_END = "⊣"
_PIXELS_PER_LETTER = 11
_POSITION = "characters read"


def letters_table(
    letters: Sequence[str], probabilities: Sequence[Sequence[float]], symbols: str
) -> pa.Table:
    """Return every probability of every step: step, letter, probability, chosen.

    Parameters
    ----------
    letters : sequence of T str, the generated letters; empty for the end of the word
    probabilities : T rows of 1 + len(symbols) floats, the end first
    """
    names = [_END, *symbols]
    steps = [f"{i:02d} {letter or _END}" for i, letter in enumerate(letters, 1)]
    return pa.table(
        {
            "step": np.repeat(steps, len(names)),
            "letter": names * len(steps),
            "probability": np.concatenate([np.asarray(row, float) for row in probabilities]),
            "chosen": [name == (letter or _END) for letter in letters for name in names],
        }
    )


def letters_chart(table: pa.Table, *, height: int = 250) -> Drawing:
    """Draw a `letters_table` as a heat map: a column for each letter, a row for each step."""
    axis: vl.Spec = {
        "labelAngle": 0,
        "labelOverlap": False,
        "labelFont": "monospace",
        "labelPadding": 2,
    }
    letters = table["letter"].unique().to_pylist()
    rows = {"title": "step and letter", "labelOverlap": False}
    place = {
        "x": vl.field("letter:N", sort=letters, axis={"title": "letter", **axis}),
        "y": vl.field("step:N", axis=rows),
        "tooltip": ["step:N", "letter:N", "probability:Q .2%"],
    }
    shades = {"domain": [0, 1], "scheme": "viridis"}
    legend = {"title": None, "format": "%", "orient": "top", "gradientLength": 140}
    colour = {"color": vl.field("probability:Q", scale=shades, legend=legend)}
    cells = vl.mark("rect", place, colour)
    spec = vl.layered(cells, vl.outlined(place, when="datum.chosen"), height=height)
    return Drawing(spec, table, "Heat map: the probability of each letter at each step.")


def probability_lines(
    characters: str, probabilities: Mapping[str, Sequence[float]], *, title: str, height: int = 260
) -> Drawing:
    """Draw a probability after each character, a line for each model.

    The characters are written below the lines where the chart is wide enough for all of them.

    Parameters
    ----------
    characters : str, N of them
    probabilities : mapping of str to sequence of N floats, by the model's name; at most three
    title : str, of the axis: what is probable
    """
    n = len(characters)
    drawing = line_chart(
        {name: list(enumerate(values, 1)) for name, values in probabilities.items()},
        {
            name: LineStyle(colour, dash)
            for dash, (name, colour) in enumerate(
                zip(probabilities, (GREEN, BLUE, ORANGE), strict=False)
            )
        },
        Axis(_POSITION, (1, max(2, n))),
        Axis(title, (-0.15, 1.0), values=(0, 0.25, 0.5, 0.75, 1), form=".0%"),
        references={"": [(1, 0.5), (max(2, n), 0.5)]},
        height=height,
    )
    below = pa.table(
        {
            "kind": ["character"] * n,
            "name": list(characters.replace(" ", "·")),
            "x": np.arange(1.0, n + 1),
        }
    )
    rows = pa.concat_tables([drawing.table, below], promote_options="default")
    spec = drawing.spec | {"layer": [*drawing.spec["layer"], _characters_below(n)]}
    return Drawing(spec, rows, drawing.description)


def _characters_below(n: int) -> vl.Spec:
    """Return the layer that writes n characters at the foot of a line chart, if there is room."""
    place = {"x": vl.field("x:Q", title=_POSITION), "y": vl.value("height"), "text": "name:N"}
    when = f"datum.kind == 'character' && width >= {_PIXELS_PER_LETTER * n}"
    size = vl.expression(f"clamp(1.4 * width / {n}, 12, 18)")  # these letters are narrow
    return vl.mark("text", place, when=when, font="monospace", fontSize=size, dy=-10)
