"""Models that read the book with its quotation marks: another text, so they are beside the ladder."""

import streamlit as st

from lm_core.experiments.war_and_peace.results import NOVEL_ONLY, BookLosses
from lm_core.text.character_vocabulary import FULL
from pages.shared import page
from pages.shared.charts.drawing import table_of_rows
from pages.shared.models.book_models import has_read, provenances


def with_quotes() -> None:
    """Draw the losses of the models that read quotation marks and paragraphs too, and what each has read."""
    known = provenances()
    rows = [
        (row.title, has_read(row.name), *row.losses[NOVEL_ONLY])
        for row in page.shipped(BookLosses).rows
        if row.text == FULL.name and row.name in known
    ]
    rows.sort(key=lambda row: row[2])
    names = ("model", "has read", "loss", "± block")
    st.markdown(
        "These models read the same tenth with its quotation marks and paragraphs. That is another text with"
        " other characters to be guessed, so their losses can be compared with each other and not with those"
        " on the ladder. All models on the ladder have read one book."
    )
    st.dataframe(
        table_of_rows(names, rows),
        hide_index=True,
        height="content",
        column_config={
            name: st.column_config.NumberColumn(format="%.4f") for name in ("loss", "± block")
        },
    )
