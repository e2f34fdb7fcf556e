"""What a model of two prepared sentences gives the word that tells the second one apart."""

from lm_core.experiments.order_matters.models import expected, learn
from lm_core.experiments.order_matters.sentences import (
    TWO_SENTENCES,
    corpus_of,
    word_that_tells,
    words_put_between,
)


def probability_after(name, pair, between=0, **settings):
    corpus = words_put_between(corpus_of(*TWO_SENTENCES[pair]), between)
    before, word = word_that_tells(corpus, 1)
    return float(expected(learn(name, corpus, **settings), before)[-1, word])
