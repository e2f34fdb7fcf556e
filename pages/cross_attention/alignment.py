"""The whole translation and where each of its words looks: as a map or as arcs, one row to be guessed."""

from functools import partial

import pandas as pd
import streamlit as st

from lm_core.analysis.alignments import entropies_by_class
from pages.cross_attention.subject import Alignment, Head, Subject
from pages.shared import page
from pages.shared.charts.predictions import percentage
from pages.shared.components.alignment import ARCS, MAP, alignment_picture
from pages.shared.components.attention import data_popover
from pages.shared.models.translation import reference_of
from pages.shared.ui.markdown import as_code, escaped

_MOST_ANSWERS = 4
END = "(end)"
_BAHDANAU = (
    "Their figure 3a aligns “the agreement on the European Economic Area was signed in August 1992” with"
    " its French: “zone économique européenne” runs backwards over “European Economic Area”. On WMT'14"
    " English–French, their network with attention (RNNsearch-50) had 26.75 BLEU, the one without"
    " (RNNenc-50) 17.82. https://arxiv.org/abs/1409.0473"
)


def choose_view() -> str:
    """Draw whether weights are drawn as a map or as arcs, and return it."""
    return page.segments("drawn_as", "Drawn as", (MAP, ARCS))


def whole_alignment(screen: page.FirstScreen, subject: Subject, head: Head, view: str) -> None:
    """Draw where every word of the translation looks, one of them only after a guess."""
    alignment = Alignment(subject.translation, head)
    question = _ask(screen, subject, alignment)
    is_masked = question.masks
    page.note_beside(screen, _about(subject, alignment, is_masked))
    with screen.picture:
        st.markdown(f"**{_finding(alignment, is_masked)}**")
        alignment_picture(
            alignment.weights,
            alignment.target_words,
            alignment.source_words,
            key="cross_map",
            label=f"{subject.title}: where each word of “{alignment.translation.text}” looks",
            name="cross-attention",
            view=view,
            bits=alignment.bits,
            swaps=list(alignment.swaps),
            masked=alignment.asked if is_masked else None,
            guess=_guessed(alignment, question),
        )
        if page.is_presenting():  # the map takes the height of the screen
            return
        st.caption(
            "Each row is a word of the translation, each column a word of the sentence. The stronger the"
            " colour, the more weight; a row sums to 100 %, because its weights are shares. A frame marks two neighbouring words whose"
            " order the translation reverses."
            if view == MAP
            else "The sentence is above, the translation below. The wider a line, the more weight."
            " Another colour marks two neighbouring words whose order the translation reverses."
        )
        st.caption(
            "The classic example: figure 3 of Bahdanau, Cho and Bengio (2015).", help=_BAHDANAU
        )
        data_popover(
            partial(_table, alignment, is_masked), key="cross_data", name="cross-attention"
        )


def _answers(alignment: Alignment, row: int) -> dict[str, int]:
    """Return words that could be looked at, by what they say: the right one and those around it."""
    right = alignment.looked_at(row)
    near = sorted(range(len(alignment.source_words)), key=lambda i: (abs(i - right), i))
    kept: dict[str, int] = {}
    for column in near:
        kept.setdefault(alignment.source_words[column] or END, column)
    chosen = list(kept.items())[:_MOST_ANSWERS]
    return dict(sorted(chosen, key=lambda item: item[1]))


def _ask(screen: page.FirstScreen, subject: Subject, alignment: Alignment) -> page.Asked:
    """Ask at which word one word of the translation looks; None where there is nothing to ask."""
    row = alignment.asked
    if row is None or len(answers := _answers(alignment, row)) < 2:
        return page.Asked()
    word = alignment.target_words[row]
    right = alignment.looked_at(row)
    said = next(answer for answer, column in answers.items() if column == right)
    weight = alignment.weights[row, right]
    return page.ask(
        screen,
        f"looks_{subject.name}",
        f"While it writes {as_code(word)}, at which word does it look most?",
        [escaped(answer) for answer in answers],
        right=escaped(said),
        reason=f"{as_code(word)} looks at {as_code(said)} with {percentage(weight)} of its"
        " weight, so that word has the largest share in what the decoder reads.",
    )


def _guessed(alignment: Alignment, question: page.Asked) -> tuple[int, int] | None:
    """Return the cell that a visitor expected, once the row is drawn."""
    row = alignment.asked
    if row is None or question.prediction is None or question.masks or question.guess is None:
        return None
    answers = {escaped(said): column for said, column in _answers(alignment, row).items()}
    column = answers.get(question.guess)
    return None if column is None else (row, column)


def _finding(alignment: Alignment, is_masked: bool) -> str:
    text = as_quote(alignment.translation.text)
    if is_masked or not alignment.swaps:
        return text
    swap = alignment.swaps[0]
    target, source = alignment.target_words, alignment.source_words
    french = " ".join(target[swap.target : swap.target + 2])
    english = " ".join(source[swap.source : swap.source + 2])
    return f"{text}: {as_quote(french)} looks at {as_quote(english)} in the other order"


def as_quote(text: str) -> str:
    """Return a text from a model or a visitor between quotation marks, as Markdown that shows it."""
    return f"“{escaped(text)}”"


def _about(subject: Subject, alignment: Alignment, is_masked: bool) -> str:
    rows = _shown_rows(alignment, is_masked)
    classes = entropies_by_class(
        [alignment.target_words[i] for i in rows], [alignment.bits[i] for i in rows]
    )
    means = ", ".join(f"{found.name} **{found.bits:.1f}**" for found in classes)
    reference = reference_of(subject.sentence)
    theirs = f"\n\nA person's translation: {as_quote(reference)}" if reference else ""
    return (
        "Before each word, the decoder spreads its *attention* over the whole sentence. So it need not"
        " remember the sentence: it reads it again. The bits beside a row are its *entropy*: 0 if all"
        f" weight is on one word, 1 if two words share it equally.\n\nMean bits here: {means}.{theirs}"
    )


def _shown_rows(alignment: Alignment, is_masked: bool) -> list[int]:
    masked = alignment.asked if is_masked else None
    return [row for row in range(len(alignment.target)) if row != masked]


def _table(alignment: Alignment, is_masked: bool) -> pd.DataFrame:
    rows = _shown_rows(alignment, is_masked)
    columns = [f"{i:02d} {word or END}" for i, word in enumerate(alignment.source_words)]
    frame = pd.DataFrame(alignment.weights[rows].round(4), columns=columns)
    frame.insert(0, "bits", [round(alignment.bits[i], 3) for i in rows])
    frame.insert(0, "word", [alignment.target_words[i] or END for i in rows])
    return frame
