"""What a model of two prepared sentences gives the word that tells the second one apart."""

from lm_core.experiments.order_matters import sentences
from lm_core.experiments.order_matters.models import expected, learn


def probability_after(name, pair, between=0, **settings):
    corpus = sentences.words_put_between(
        sentences.corpus_of(*sentences.TWO_SENTENCES[pair]), between
    )
    before, word = sentences.word_that_tells(corpus, 1)
    return float(expected(learn(name, corpus, **settings), before)[-1, word])
