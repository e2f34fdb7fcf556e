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
SUGGESTIONS = {
    NEXT: [
        "Type your own name. From which n on is its probability 0?",
        "Raise n from 1 to 6 with the same word. Do the bits a letter always fall?",
        "Type a line for the book. At which letters does it hesitate?",
    ],
    UNSEEN: [
        "Compare the names with the book. Which alphabet leaves more of the matrix white?",
        "In the matrix of n = 3, find a pair of letters that is never followed by anything.",
        "How many letters of text would it take to see every context of n = 6 once?",
    ],
    SMOOTHING: [
        "Find the k that suits n = 6. Why does n = 2 hardly notice k?",
        "Where do interpolation and Kneser-Ney part, and why not before?",
        "The grey dots fall below all lines. Why is that no reason for plain counts?",
    ],
    NETWORK: [
        "Train with 0 added to each count. Which weights still move at the end?",
        "Choose n = 3 and 0. Which rows of the network never change?",
        "Change the seed. Does the end of the training change, too?",
    ],
    GAME: [
        "Let the class vote on each letter. Are many better than one?",
        "Type a line of your own language in letters from a to z. Who suffers most?",
        "Where in a word are you right at once? Are the models as sure there?",
    ],
}

page_header(
    "n-grams",
    "The simplest *language model* counts: how often did each letter follow these ones?",
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
try_this(SUGGESTIONS[part])
