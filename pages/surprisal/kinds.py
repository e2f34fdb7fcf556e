"""Texts of several kinds beside the present one: its own, the book, novels by others, shuffled words."""

from itertools import pairwise

import pandas as pd
import pyarrow as pa
import streamlit as st

from lm_core.analysis.surprisal import TextScores, rank_limits
from lm_core.errors import ResultError
from lm_core.experiments.surprisal.results import BOOK, KINDS, NOVELS, OWN, WORDS, KindScore
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.vocabularies import LIBRARY_SUBWORDS
from pages.shared import page
from pages.shared.charts.drawing import table_of_rows
from pages.shared.charts.surprisal import bits_by_kind, rank_bars
from pages.shared.numbers import percent
from pages.surprisal.readers import Reader
from pages.surprisal.scored_here import known_scores, scored_here
from pages.surprisal.texts import results

_KINDS_ASKED = (NOVELS, WORDS, OWN, BOOK)  # for no model in the right order
_BOOK_TO_OTHERS = "the end of War and Peace"
"""What the part that no model of the book has seen is to a model of another text."""
_NOVELS_TO_THEIR_READER = "parts of novels whose other parts it has read"
_YOUR_TEXT = "the text above"


def kinds_of_text(reader: Reader, scores: TextScores, rival: Reader | None) -> None:
    """Draw the mean surprisal by kind of text, the present text among them, and how ranks share out."""
    st.header("What surprises it, and what does not?", anchor=False)
    try:
        measured = results()
    except ResultError as error:
        page.show_error(error, st.info)
        return
    ours = measured.of_model(reader.meta.name) or scored_here(reader)
    if not ours:
        return
    titles = _titles(reader)
    asked = {titles[kind]: kind for kind in _KINDS_ASKED}
    question = page.ask(
        None,
        f"surprisal_kinds_{reader.meta.name}",
        "In which order do these texts surprise the model, the least surprising first?",
        asked,
        kind="order",
        has_key=False,
    )
    hidden = _KINDS_ASKED if question.masks else ()
    theirs = measured.of_model(rival.meta.name) or known_scores(rival) if rival else {}
    table = _bits(reader, ours, scores, rival, theirs, hidden)
    page.show_chart(
        bits_by_kind(table),
        table,
        key="surprisal_kinds",
        alt="; ".join(
            f"{row['kind']}: "
            + ("waits for the guess" if row["is_hidden"] else f"{row['bits']:.2f} bits")
            for row in table.to_pylist()
        ),
        name="surprisal-by-kind",
    )
    if question.masks:
        return
    ranked = sorted(_KINDS_ASKED, key=lambda kind: ours[kind].bits)
    least = ranked[0]
    why = (
        "It draws each token from its own probabilities, so its own text surprises it less than any that"
        " people wrote"
        if least == OWN
        else "To this model its own text is no more predictable, so it expects the book about as well as"
        " what it draws itself"
    )
    question.judge(
        right=[titles[kind] for kind in ranked],
        reason=f"In bits a character it needs {'; '.join(f'{ours[kind].bits:.2f} for {titles[kind]}' for kind in ranked)}."
        f" {why}.",
    )
    _ranks(reader, ours, scores)


def _titles(reader: Reader) -> dict[str, str]:
    """Return what each kind of text is to a model, which may have read the rest of the book or novels."""
    is_of_book = reader.meta.corpus == WAR_AND_PEACE.name
    titles = KINDS if is_of_book else KINDS | {BOOK: _BOOK_TO_OTHERS}
    has_read_novels = reader.meta.vocabulary == LIBRARY_SUBWORDS
    return titles | {NOVELS: _NOVELS_TO_THEIR_READER} if has_read_novels else titles


def _bits(
    reader: Reader,
    ours: dict[str, KindScore],
    scores: TextScores,
    rival: Reader | None,
    theirs: dict[str, KindScore],
    hidden: tuple[str, ...],
) -> pa.Table:
    """Return a row for the present text, and one for each kind and model."""
    name = reader.meta.title if theirs else ""
    rows = [(_YOUR_TEXT, name, "own text", scores.bits_per_character, 0.0, False)]
    for kind, title in _titles(reader).items():
        rows.append(
            (title, name, "ours", ours[kind].bits, ours[kind].standard_error, kind in hidden)
        )
        if rival and kind in theirs:
            score = theirs[kind]
            rows.append(
                (title, rival.meta.title, "rival", score.bits, score.standard_error, kind in hidden)
            )
    columns = ["kind", "model", "role", "bits", "standard_error", "is_hidden"]
    return table_of_rows(columns, rows)


def _ranks(reader: Reader, ours: dict[str, KindScore], scores: TextScores) -> None:
    """Draw how the tokens share out over the classes of ranks."""
    limits, unit = rank_limits(reader.vocabulary), reader.vocabulary.unit
    classes = (
        "most probable",
        *(f"rank {a + 1} to {b}" for a, b in pairwise(limits)),
        f"beyond {limits[-1]}",
    )
    by_kind = {_YOUR_TEXT: scores.rank_shares(limits)}
    by_kind |= {title: ours[kind].rank_shares for kind, title in _titles(reader).items()}
    frame = pd.DataFrame(
        [
            (kind, rank, share)
            for kind, shares in by_kind.items()
            for rank, share in zip(classes, shares, strict=True)
        ],
        columns=["kind", "rank", "share"],
    )
    st.markdown(
        f"The *rank* of a {unit} is its place among all {len(reader.vocabulary):,} that could have"
        " come, the most probable first. Programs that look for generated text count how often it"
        " is low, because a model mostly writes what it finds probable: here the first choice came"
        f" in {percent(by_kind[_YOUR_TEXT][0])} of the {unit}s above, in"
        f" {percent(ours[OWN].rank_shares[0])} of those that the model writes, and in"
        f" {percent(ours[BOOK].rank_shares[0])} of the book's."
    )
    page.show_chart(
        rank_bars(frame, classes),
        frame,
        key="surprisal_ranks",
        alt="; ".join(
            f"{kind}: {percent(shares[0])} first choices" for kind, shares in by_kind.items()
        ),
        name="ranks-by-kind",
    )
