"""Bengio's model: what embeddings share between words, which counts cannot."""

from lm_core.analysis.group_distances import distance_ratio
from lm_core.analysis.saturation import saturation
from lm_core.experiments.neural_language_model.names import bits_of_names, sample_names
from lm_core.experiments.neural_language_model.own_names import learn_names
from lm_core.experiments.neural_language_model.sentences import counted_after, learn_sentences
from lm_core.experiments.neural_language_model.training import (
    MLPTrainingConfig,
    loss_on_names,
    train_network,
)
from lm_core.experiments.neural_language_model.words import score_words, train_on_words
from lm_core.models.mlp import MLPLanguageModel
from lm_core.models.ngram import KneserNey
from pages.neural_language_model.book_words import words_of_the_book
from pages.neural_language_model.dog_and_cat import dog_and_cat
from pages.neural_language_model.letters import letters
from pages.neural_language_model.own_names import own_names
from pages.neural_language_model.real_or_not import real_or_not
from pages.neural_language_model.saturated import saturated_units
from pages.neural_language_model.sizes import sizes
from pages.shared import page

PARTS = [
    page.Part("Dog and cat", dog_and_cat, (MLPLanguageModel, learn_sentences, counted_after)),
    page.Part("Letters", letters, (MLPLanguageModel, train_network, distance_ratio)),
    page.Part("Sizes", sizes, (MLPLanguageModel, MLPTrainingConfig, train_network, loss_on_names)),
    page.Part("Saturation", saturated_units, (MLPLanguageModel.initialise, saturation)),
    page.Part("Real or not", real_or_not, (sample_names, bits_of_names)),
    page.Part("Own names", own_names, (MLPLanguageModel, learn_names, sample_names)),
    page.Part(
        "Words", words_of_the_book, (MLPLanguageModel, train_on_words, KneserNey, score_words)
    ),
]

page.draw(
    "neural-language-model",
    "A network gives each word numbers of its own. Words that are used alike get similar numbers, so what"
    " is learned of one holds for the other, too.",
    PARTS,
    picture=3.0,
)
