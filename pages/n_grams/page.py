"""n-grams: what comes after these letters, by counting."""

from lm_core.analysis.guessing_game import entropy_bounds, letter_bits
from lm_core.analysis.vowels import count_chain, write_chain
from lm_core.experiments.n_grams.documents import Documents
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
from pages.n_grams.network import as_a_network
from pages.n_grams.next_letter import next_letter
from pages.n_grams.own_documents import own_documents
from pages.n_grams.shannon_game import shannon_game
from pages.n_grams.smoothing import smoothing
from pages.n_grams.unseen import unseen_contexts
from pages.n_grams.vowels import vowels
from pages.shared import page

PARTS = [
    page.Part("Next letter", next_letter, (count_ngrams, CountTable, maximum_likelihood)),
    page.Part("Unseen", unseen_contexts, (count_ngrams, CountTable)),
    page.Part("Smoothing", smoothing, (add_k, interpolate, fit_weights, KneserNey, estimate)),
    page.Part("As a network", as_a_network, (NGramNetwork, train_on_counts)),
    page.Part("Shannon game", shannon_game, (entropy_bounds, letter_bits)),
    page.Part("Vowels, 1913", vowels, (count_chain, write_chain)),
    page.Part("Your documents", own_documents, (Documents,)),
]

page.draw(
    "n-grams",
    "The simplest *language model* counts how often each letter followed the last few, so it knows"
    " nothing of what was never seen.",
    PARTS,
    picture=3.0,
)
