"""Is it good text? What can be counted of a writer's text by temperature, beside the book's own values."""

import re
from collections.abc import Mapping
from functools import partial

import streamlit as st

from lm_core.experiments.text_quality import results
from lm_core.experiments.text_quality.published import SAMPLES
from lm_core.training.checkpoints import list_language_models
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, PURPLE
from pages.shared.numbers import written
from pages.shared.ui.messages import errors_in_place

VIEW = "Is it good text?"
_REAL, _WORDS = "real_words", "sentence_words"
_TITLES = {name: title[:1].upper() + title[1:] for name, title in results.MEASURES.items()}
_STYLES = tuple(map(page.LineStyle, (BLUE, ORANGE, GREEN, PURPLE), (0, 1, 2, 0)))
_ASKED = 1.5
_BOOK, _PUBLISHED = "the book itself", "published samples"
_ABOUT = {
    _REAL: "A *real word* is one that some book of the lab's library has. At a low temperature only"
    " the most probable characters are taken, and those spell words that were read often. At a"
    " high one improbable characters get through, and one of them is enough to spoil a word, so"
    " the share falls.",
    "distinct_trigrams": "A *trigram* is three words in a row; *distinct* ones come for the first time in their"
    " passage. At a low temperature a model takes the same way again and again, so this share falls.",
    "capitals": "Of the sentences after the first, those whose first letter is a capital. The book itself does not come to 100 %, because *she asked* follows a question or an exclamation in small letters, and a sentence may continue so after three dots.",
    "repeated_sentences": "Sentences of four words or more that have come before, word for word, in the same passage. A text that goes round in a loop has many, because each round writes them again.",
    _WORDS: "Words in a sentence, on average. Tolstoy's vary a lot, from a single “Yes” to half a"
    " page, so the mean says little of any one of them.",
    "dialogue": "Characters between quotation marks, in passages that have any.",
    "closed_quotations": "Quotation marks that are closed before their paragraph ends. A model must remember for dozens of characters that one is open, so this tests its memory.",
    results.COPIED: "Characters in stretches of 40 and more that stand in the part of the book that was"
    " learned, letter by letter. Copies are rare here at every temperature, although the"
    " models have met each page four to thirty times. So they have learned the manner of the book and hardly"
    " any passage by heart; what would change that is not tested.",
}


_results = partial(page.shipped, results.QualityResults)


def good_text() -> None:
    """Draw one measure by temperature, and all of them at one temperature beside the book's."""
    with errors_in_place():
        found = _results()
        measured = [name for name in _TITLES if name in found.of(results.BOOK)[0].measures]
        with st.container(horizontal=True, vertical_alignment="bottom", key="quality_controls"):
            measure = page.choice(
                "quality", "Measure", {name: _TITLES[name] for name in measured}, width=280
            )
            temperatures = sorted({row.temperature for row in found.writers if row.temperature})
            temperature = page.pick("quality_at", "Table at temperature", temperatures, 1.0)
        picture, beside = st.columns([2.6, 1.0], gap="medium")
        screen = page.FirstScreen(st.container(), picture.container(), beside.container())
        lines = _lines(found, measure)
        asked = _ask(screen, lines, measure)
        with screen.picture:
            _draw(found, lines, measure, asked)
        with screen.beside:
            st.markdown(_ABOUT[measure])
        if not page.is_presenting():
            _table(found, temperature, asked)


def _lines(found: results.QualityResults, measure: str) -> dict[str, list[tuple[float, float]]]:
    titles = {meta.name: meta.title for meta in list_language_models()}
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in sorted(found.writers, key=lambda row: row.temperature or 0.0):
        if row.temperature is not None and measure in row.measures:
            # All of them have read texts with quotes: their sizes tell them apart.
            name = re.split(r",| with ", titles.get(row.writer, row.writer))[0]
            lines.setdefault(name, []).append((row.temperature, row.measures[measure].mean))
    return lines


def _ask(
    screen: page.FirstScreen, lines: dict[str, list[tuple[float, float]]], measure: str
) -> page.Asked[float]:
    first = next(iter(lines), "")
    at = dict(lines.get(first, ()))
    value = at.get(_ASKED, 0.0)
    return page.ask(
        screen,
        "real_words",
        f"At temperature 0.5 nearly every word of these texts is a real one. And at {_ASKED:g}?",
        {"Still about 95 %": 0.95, "About 75 %": 0.75, "About 40 %": 0.4},
        right=value,
        reason=f"**{written(value, '.1%')}** of the words by {first} are real at {_ASKED:g}, and"
        f" {written(at.get(0.5, 0.0), '.1%')} at 0.5. A word is lost with its first wrong letter,"
        " so errors of about one letter in a dozen are enough.",
        when=measure == _REAL,
        has_key=False,  # the text above has it
    )


def _draw(
    found: results.QualityResults,
    lines: dict[str, list[tuple[float, float]]],
    measure: str,
    asked: page.Asked[float],
) -> None:
    book = found.of(results.BOOK)[0].measures[measure]
    shown = {
        name: [point for point in points if not asked.masks or point[0] <= 0.5]
        for name, points in lines.items()
    }
    values = [value for points in lines.values() for _, value in points] + [book.mean]
    form = "" if measure == _WORDS else "%"
    st.markdown(
        f"**{_TITLES[measure]}, by temperature: the book itself has {_said(measure, book)}**"
    )
    published = next((row.measures.get(measure) for row in found.of(results.PUBLISHED)), None)
    page.show_lines(
        "text_quality",
        shown,
        dict(zip(lines, _STYLES, strict=False)),
        page.Axis("temperature", (0.2, 1.5)),
        page.Axis.around(_TITLES[measure], values)._replace(form=f".0{form}" if form else ",.6~r"),
        # Short lines have their names where its own is.
        references={} if asked.masks else {_BOOK: [(0.2, book.mean), (1.5, book.mean)]},
        dots={} if published is None else {_PUBLISHED: [(1.0, published.mean)]},
        guess=asked.at(lambda value: (_ASKED, value)),
        waiting=asked.waiting("real words", _ASKED),
        has_points=True,
        height=300,
    )


def _said(measure: str, value: results.Mean) -> str:
    return written(value.mean, ".1f" if measure == _WORDS else ".1%")


def _table(found: results.QualityResults, temperature: float, asked: page.Asked[float]) -> None:
    """Draw every measure of every writer at a temperature; what is asked for is left out."""
    rows: dict[str, Mapping[str, results.Mean]] = {_BOOK: found.of(results.BOOK)[0].measures}
    rows[_PUBLISHED] = next((row.measures for row in found.of(results.PUBLISHED)), {})
    titles = {meta.name: meta.title for meta in list_language_models()}
    for row in found.writers:
        if row.temperature == temperature:
            rows[titles.get(row.writer, row.writer)] = row.measures
    shown = [name for name in _TITLES if not (asked.masks and name == _REAL)]
    st.dataframe(
        {
            "text": list(rows),
            **{
                _TITLES[name]: [
                    _said(name, row[name]) if name in row else "–" for row in rows.values()
                ]
                for name in shown
            },
        },
        hide_index=True,
    )
    made = found.provenance
    st.caption(
        f"{made['passages']} texts of {made['characters']:,} characters by each writer at"
        f" temperature {temperature:g}, and as many passages of the book's last tenth, because no"
        " model has learned from these. A dash is where there was nothing to measure."
    )
    with st.expander("The two published samples"):
        for sample in SAMPLES:
            st.text(sample)
        st.caption(
            "christianb93 prints both in *Mastering large language models*, part VII, written by his LSTM of"
            " 4 x 128. All their words are real ones and each sentence begins with a capital, as he says;"
            " what the sentences mean is nothing that these measures ask. Two texts of 500 characters are"
            " too few to rank him against writers who are measured on sixteen of 1,000, because chance alone"
            " can spare so few words an error."
        )
