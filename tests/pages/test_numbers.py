"""What is said of a picture is what is drawn: each number of a title and of an alt text is in the numbers drawn.

The title of a chart is the bold line above it; its numbers are those of its table, of the rows that it
draws, their sums and means, and those of the controls. *n times* is the ratio of two that are drawn. What
else is computed is declared in `COMPUTED`, by page.
"""

import re

import numpy as np
import pandas as pd
import pytest
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1.element_tree import Block

from pages.shared.registry import LESSONS
from tests.pages.test_verdicts import parts, questions
from tests.pages.visits import NUMBER, numbers, press, visit, with_plain_powers

_SHORT = ("sequence-models", "byte-pair-encoding", "assistant", "surprisal")
COMPUTED = {
    "assistant": (r"Chance is 12\.5\s%",),
    "attention": (
        r", \d+\s% \(",
        r"[Hh]ead \d+\.\d+",
        r"vector of \d+ numbers",
        r"add up to [−\d.]+",
    ),
    "attention-by-hand": (r"weights differ by [\d.]+\s%", r"the middle 80\s?%"),
    "byte-pair-encoding": (
        r"made \d+ tokens into \d+",
        r"of \d+ pairs",
        r"the line says [\d,]+",
        r"Slope −[\d.]+",
    ),
    "cross-attention": (r"over \d+ tokens: \d+ kept, \d+ finished, \d+ dropped",),
    "embeddings": (r"Step \d+ of \d+", r"'s \d+ most telling"),
    "encoder-decoder": (r"[\d.]+ BLEU, of \d+: [\d.?]+; attention reaches [\d.]+",),
    "inside-a-writer": (r"[Uu]nit \d+\.\d+", r"[-+]?[\d.]+ (inside|outside|elsewhere)"),
    "inside-a-cell": (r"p = [\d.]+", r"right in \d+\s%", r"1/[\d,]+"),
    "masked-language-model": (
        r"[\d.]+ bits from (the left alone|both sides)",
        r"of \d+ draws",
        r"from left to right [\d.]+",
    ),
    "mixture-pitfalls": (r"holds [\d.]+ of 60 points",),
    "n-grams": (r"largest difference is [\d.e-]+",),
    "neural-language-model": (
        r"[\d.]+ from",
        r"to \w+: [\d.]+",
        r"[\d.]+\s% of the (responses|units)",
    ),
    "optimisers": (r"multiplies the steep distance by [\d.]+",),
    "part-of-speech-tagging": (
        r"[\d,]+ of [\d,]+ words wrong \([\d.]+\s%\); by counting alone [\d,]+",
    ),
    "perceptron": (r"\d+ of 500 starts",),
    "reservoir-computing": (
        r"\d+ units",
        r"that never learn [\d.]+",
        r"reservoir [\d.]+",
        r"singular value [\d.]+",
        r"\d+ steps ahead",
    ),
    "rnn-vs-lstm": (r"At L = \d+",),
    "sequence-models": (r"\d+/12",),
    "war-and-peace": (r"[\d.]+ bits", r"[\d.]+ (characters were|choices)"),
}
"""By page, phrases whose numbers are computed from what is drawn, or from the setting of a study."""


def charts_of(block, title=""):
    """Yield each chart's key with the bold line above it and its container, from top to bottom."""
    for node in block.children.values():
        if isinstance(node, Block):
            key = _key(node)
            if key.startswith("charted_"):
                yield key.removeprefix("charted_"), title, node
            else:
                yield from charts_of(node, title)
        elif node.type == "markdown" and node.value.startswith("**"):
            title = node.value


def _key(block):
    return getattr(block, "key", None) or ""


def numbers_in(frame):
    """Return all numbers of a table, those within its words included, its rows, and its columns' sums and means."""
    found = [float(len(frame))]
    for name in frame.columns:
        column = frame[name]
        found += numbers(str(name))
        if pd.api.types.is_numeric_dtype(column):
            values = column.dropna().astype(float)
            found += [*values.tolist(), float(values.sum()), float(values.mean())]
        else:
            for cell in column.dropna():
                found += (
                    cell.ravel().tolist() if isinstance(cell, np.ndarray) else numbers(str(cell))
                )
            found.append(float(column.astype(str).nunique()))
            found += column.astype(str).value_counts().astype(float).tolist()
    return found


def is_drawn(written, known):
    """Whether a number as it is written is one of these, rounded as it is: as such, or in percent."""
    value = abs(float(written.replace(",", "").replace("−", "-")))
    mantissa, _, power = written.partition("e")
    digits = len(mantissa.partition(".")[2])
    step = 10.0 ** (int(power or 0) - digits)
    scaled = np.abs(np.concatenate([known, 100 * known]))
    return bool((np.abs(scaled - value) <= 0.5000001 * step).any())


def settings_of(app):
    found = [0.0, 1.0, 2.0, 100.0]
    for element in app.main:
        value = getattr(element, "value", None)
        key = getattr(element, "key", None)
        if key is not None and element.type != "button":
            found += numbers(" ".join(map(str, value if isinstance(value, list) else [value])))
    return found


def unfounded(app, address):
    """Return the numbers that are said of charts and drawn nowhere; charts under one title are one picture."""
    faults, settings = [], settings_of(app)
    pictures = {}
    for key, title, block in charts_of(app.main):
        pictures.setdefault(title or key, []).append((key, block))
    for title, blocks in pictures.items():
        known = np.array(settings + [n for _, block in blocks for n in drawn_in(block)])
        known = known[np.isfinite(known)]
        said = {"title": title} | {f"alt of {key}": block.text[0].value for key, block in blocks}
        for what, text in said.items():
            missing = [n for n in stated_in(text, address) if not is_drawn(n, known)]
            missing = [n for n in missing if f"{n} times" not in text or not is_ratio(n, known)]
            if missing:
                faults.append(f"{blocks[0][0]}, {what} {missing}: {text[:200]}")
    return faults


def drawn_in(block):
    """Return all numbers of a chart: of the rows and the words that it draws, and of the table under it."""
    found = []
    for chart in block.get("vega_lite_chart"):
        found += numbers(chart.proto.spec)
        for dataset in chart.proto.datasets:
            found += numbers_in(convert_arrow_bytes_to_pandas_df(dataset.data.data))
    for table in block.dataframe:
        found += numbers_in(table.value)
    return found


def stated_in(text, address):
    """Return the numbers of a text as they are written, without those of inline code and what is declared."""
    text = re.sub("`[^`]*`", "", text)
    text = with_plain_powers(text)
    for phrase in COMPUTED.get(address, ()):
        text = re.sub(phrase, "", text)
    return NUMBER.findall(text)


def is_ratio(written, known):
    """Whether a number is so many times another: the ratio of two that are drawn."""
    drawn = np.unique(np.abs(known[known != 0]))
    drawn = drawn[:: max(1, len(drawn) // 400)]
    return is_drawn(written, (drawn[:, None] / drawn).ravel() / 1.0)


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param(
            spec, marks=() if spec.address in _SHORT else pytest.mark.slow, id=spec.address
        )
        for spec in LESSONS
    ],
)
def test_every_number_that_is_said_is_drawn(spec):
    faults = []
    for part in parts(spec):
        app = visit(spec.path, **part)
        faults += [f"{part} masked: {fault}" for fault in unfounded(app, spec.address)]
        for name in questions(app):
            press(app, f"skip_{name}")
        faults += [f"{part} revealed: {fault}" for fault in unfounded(app, spec.address)]
    assert not faults, "\n".join(faults)
