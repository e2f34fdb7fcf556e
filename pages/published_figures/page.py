"""What this lab reproduces: every published figure beside ours, with a verdict."""

import streamlit as st

from lm_core.experiments.published_figures.ledger import load_ledger
from lm_core.experiments.published_figures.record import AS_WRITTEN, IN_SPREAD, of_seeds
from pages.published_figures.entries import entries, name_unreadable
from pages.published_figures.filters import choose_filters, choose_opened
from pages.published_figures.picture import ask, download, picture
from pages.shared import page
from pages.shared.ui.lesson import page_header, show_source, try_this

page_header(
    "published-figures",
    "Here the figures that the texts behind this lab report stand beside ours. A training begins with"
    " random numbers, so ours come from several *seeds*, the starting points of chance.",
)

# Predict --------------------------------------------------------------------------------------
screen = page.first_screen(picture=3.5, beside=1.0)
found = entries()
asked = ask(screen, found)

# Controls -------------------------------------------------------------------------------------
with screen.controls:
    filters = choose_filters(found, is_masked=asked.masks)
with screen.beside:
    opened = choose_opened(found)

# Picture --------------------------------------------------------------------------------------
picture(screen, found, filters, opened, is_masked=asked.masks)
name_unreadable(found)

# Explanation ----------------------------------------------------------------------------------
if not page.is_presenting():
    st.markdown(
        "In the picture theirs is the line at 0; the dot is ours, so many per cent away, and the bar is"
        " our lowest to highest. A figure *holds* if ours agrees with it by the rule that its row names: at least one"
        " in twenty of our seeds is as low and one as high, or rounds to the same digits, or is within a stated"
        " distance. Where we have no training of our own but their published weights have the number here"
        " too, it is *scored again*. Where texts, sizes or trainings differ it is *not comparable*, and the row says"
        " why; *not reproduced* says what it would need."
    )
    if not asked.masks:
        lucky = next(entry for entry in found if entry.figure.name == "recall-rnn-18")
        st.markdown(
            f"A figure that holds may still be lucky. {lucky.figure.measured}, {lucky.theirs}:"
            f" {lucky.ours.reason}"
        )
        download(found)

# Code and suggestions -------------------------------------------------------------------------
show_source(load_ledger, of_seeds, type(IN_SPREAD), IN_SPREAD.judge, AS_WRITTEN.judge)
try_this()
