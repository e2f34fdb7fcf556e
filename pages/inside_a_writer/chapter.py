"""One unit over thousands of characters: least, mean and largest of each bin, quotations shaded."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.analysis.text_spans import KINDS, QUOTATION, spans_of
from lm_core.experiments.inside_a_writer.results import BinnedActivations
from pages.inside_a_writer.subject import Subject, activations_of
from pages.inside_a_writer.units import NAMES, Unit, unit_name
from pages.shared import page
from pages.shared.units.unit_charts import activation_chart, activation_table

_BOOK, _WRITTEN, _YOURS = "Unseen chapter", "Its own writing", "Your text"
_BINS = 240
_SHOWN = 700


class Stretch(NamedTuple):
    """A long text as bins."""

    bins: BinnedActivations
    characters: int
    quotations: list[tuple[int, int]]  # sequence of (int, int)
    paragraphs: list[int]


def choose_long_text() -> str:
    """Draw the choice of a long text, and return it."""
    return page.choice("over", "Over", [_BOOK, _WRITTEN, _YOURS], width=165)


def whole_chapter(screen: page.FirstScreen, subject: Subject, unit: Unit, source: str) -> None:
    """Draw a unit over a chapter of the book, a text that the model wrote, or the visitor's."""
    with screen.picture:
        stretch = _stretch(subject, unit.part, source)
        low, mean, high = (values[:, unit.number] for values in vars(stretch.bins).values())
        inside, outside = _means(stretch, mean)
        name = f"Unit {unit_name(subject.meta, unit.number)}"
        st.markdown(
            f"**{name} over {stretch.characters:,} characters: {inside:+.1f} inside quotations,"
            f" {outside:+.1f} outside**"
        )
        n_bins = len(mean)
        width = stretch.characters / n_bins
        starts = np.linspace(0, stretch.characters, n_bins + 1)[:-1]
        table = activation_table(starts.round().tolist(), mean, low, high)
        levels = unit.levels
        page.show_chart(
            activation_chart(
                table,
                n_characters=stretch.characters,
                domain=(min(0.0, float(low.min())), max(0.0, float(high.max()))),
                title=f"{NAMES[unit.part]}{' (reversed)' if levels.is_reversed else ''}",
                is_reversed=levels.is_reversed,
                spans=[*stretch.quotations, *((place, place) for place in stretch.paragraphs)],
                height=300,
            ),
            table.drop_columns("text"),
            key="writer_chapter",
            alt=f"{name}: mean {inside:+.2f} inside {len(stretch.quotations)} quotations and"
            f" {outside:+.2f} outside, {len(stretch.paragraphs)} paragraphs.",
            name="unit-over-chapter",
        )
        st.caption(
            f"{n_bins} bins of {width:.0f} characters: blue their mean, orange from the least to the"
            " largest. Grey: quotations; dotted: ends of paragraphs."
        )
    page.note_beside(screen, _about(subject, source))
    if source == _WRITTEN:
        with st.expander("The beginning of what it wrote"):
            st.text(f"{subject.results.written[:_SHOWN]} …")


def _stretch(subject: Subject, part: str, source: str) -> Stretch:
    measured = subject.results
    if source == _BOOK:
        return Stretch(
            measured.chapter[part],
            measured.characters,
            list(measured.quotations),
            list(measured.paragraphs),
        )
    text = measured.written if source == _WRITTEN else subject.text
    return Stretch(
        _binned(subject.meta.name, subject.meta.weights_sha256, text, part),
        len(text),
        spans_of(KINDS[QUOTATION](text)),
        [i for i, character in enumerate(text) if character == "\n"],
    )


@st.cache_resource(max_entries=8, show_spinner=False)
def _binned(name: str, weights_sha256: str, text: str, part: str) -> BinnedActivations:
    activations = activations_of(name, weights_sha256, text).of(part)
    return BinnedActivations.of(activations, min(_BINS, len(activations)))


def _means(stretch: Stretch, mean: np.ndarray) -> tuple[float, float]:
    """Return the mean of the bins whose middle lies inside a quotation, and of the others."""
    n_bins = len(mean)
    middles = (np.arange(n_bins) + 0.5) * stretch.characters / n_bins
    inside = np.zeros(n_bins, bool)
    for start, end in stretch.quotations:
        inside |= (middles >= start) & (middles < end)
    return (
        float(mean[inside].mean()) if inside.any() else float("nan"),
        float(mean[~inside].mean()) if not inside.all() else float("nan"),
    )


def _about(subject: Subject, source: str) -> str:
    if source == _BOOK:
        return (
            "A whole chapter from the last tenth of *War and Peace*, which was held out of the"
            " training, so no unit knows it by heart. Its"
            " words are not shipped, only what every unit did while they were read, and where quotations"
            " and paragraphs lie.\n\nDoes the unit miss a quotation? Is it ever on outside?"
        )
    if source == _WRITTEN:
        return (
            "The model read its own writing here. It has to know whether a quotation is open to write the"
            " right mark. Does this unit say so?"
        )
    return f"Your text has {len(subject.text):,} characters; up to 2,000 can be read."
