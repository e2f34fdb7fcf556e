"""n-grams: what comes after these letters, by counting."""

import streamlit as st

from lm_core.analysis.guessing_game import entropy_bounds, letter_bits
from lm_core.experiments.n_grams.training import train_on_counts
from lm_core.models.ngram import KneserNey, estimate
from lm_core.models.ngram_counts import (
    CountTable,
    add_k,
    count_ngrams,
    fit_weights,
    interpolate,
    maximum_likelihood,
)
from lm_core.models.ngram_network import NGramNetwork
from pages.n_grams.counted import choose_counted, results
from pages.n_grams.network import as_a_network, choose_added, choose_network
from pages.n_grams.next_letter import choose_n, next_letter
from pages.n_grams.shannon_game import choose_game_line, shannon_game
from pages.n_grams.smoothing import choose_k, smoothing
from pages.n_grams.unseen import choose_length, unseen_contexts
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import page_header, show_source, try_this
from pages.shared.ui.messages import errors_end_page

NEXT, UNSEEN, SMOOTHING = "Next letter", "Unseen", "Smoothing"
NETWORK, GAME = "As a network", "Shannon game"
CODE = {
    NEXT: (count_ngrams, CountTable, maximum_likelihood),
    UNSEEN: (count_ngrams, CountTable),
    SMOOTHING: (add_k, interpolate, fit_weights, KneserNey, estimate),
    NETWORK: (NGramNetwork, train_on_counts),
    GAME: (entropy_bounds, letter_bits),
}

page_header(
    "n-grams",
    "The simplest *language model* counts how often each letter followed the last few ones. What was"
    " frequent is likely to come again; of what was never seen it knows nothing.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=3.0)
with screen.controls:
    part = choose_part((NEXT, UNSEEN, SMOOTHING, NETWORK, GAME))
with errors_end_page():
    results()

# Picture and explanation ----------------------------------------------------------------------
with screen.controls:
    if part in (NEXT, UNSEEN, SMOOTHING):
        counted = choose_counted()
    if part == NEXT:
        n = choose_n()
    elif part == UNSEEN:
        length = choose_length()
    elif part == SMOOTHING:
        k = choose_k()
    elif part == NETWORK:
        added = choose_added()
        with st.popover("More", icon=":material/tune:"):
            network_n, seed = choose_network()
    else:
        line = choose_game_line()
if part == NEXT:
    next_letter(screen, counted, n)
elif part == UNSEEN:
    unseen_contexts(screen, counted, length)
elif part == SMOOTHING:
    smoothing(screen, counted, k)
elif part == NETWORK:
    as_a_network(screen, network_n, added, seed)
else:
    shannon_game(screen, line)

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(part)
