"""Bengio's model: what embeddings share between words, which counts cannot."""

from lm_core.analysis.group_distances import distance_ratio
from lm_core.analysis.saturation import saturation
from lm_core.experiments.neural_language_model.names import bits_of_names, sample_names
from lm_core.experiments.neural_language_model.sentences import counted_after, learn_sentences
from lm_core.experiments.neural_language_model.training import (
    MLPTrainingConfig,
    loss_on_names,
    train_network,
)
from lm_core.experiments.neural_language_model.words import score_words, train_on_words
from lm_core.models.mlp import MLPLanguageModel
from lm_core.models.ngram import KneserNey
from pages.neural_language_model.book_words import choose_words, word_results, words_of_the_book
from pages.neural_language_model.dog_and_cat import dog_and_cat
from pages.neural_language_model.letters import choose_embedding_size, letters
from pages.neural_language_model.real_or_not import choose_round, real_or_not
from pages.neural_language_model.saturated import choose_start, saturated_units
from pages.neural_language_model.shipped import results
from pages.neural_language_model.sizes import choose_hidden_size, choose_split, sizes
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import Sources, page_header, show_source, try_this
from pages.shared.ui.messages import errors_end_page

DOG, LETTERS, SIZES = "Dog and cat", "Letters", "Sizes"
SATURATION, REAL, WORDS = "Saturation", "Real or not", "Words"
CODE: dict[str, Sources] = {
    DOG: (MLPLanguageModel, learn_sentences, counted_after),
    LETTERS: (MLPLanguageModel, train_network, distance_ratio),
    SIZES: (MLPLanguageModel, MLPTrainingConfig, train_network, loss_on_names),
    SATURATION: (MLPLanguageModel.initialise, saturation),
    REAL: (sample_names, bits_of_names),
    WORDS: (MLPLanguageModel, train_on_words, KneserNey, score_words),
}

page_header(
    "neural-language-model",
    "A network gives each word numbers of its own. Words that are used alike get similar numbers, so what"
    " is learned of one holds for the other, too.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=3.0)
with screen.controls:
    part = choose_part((DOG, LETTERS, SIZES, SATURATION, REAL, WORDS))
with errors_end_page():
    if part == WORDS:
        word_results()
    elif part != DOG:
        results()

# Picture and explanation ----------------------------------------------------------------------
with screen.controls:
    if part == LETTERS:
        size = choose_embedding_size()
    elif part == SIZES:
        names_part, hidden_size = choose_split(), choose_hidden_size()
    elif part == SATURATION:
        start = choose_start()
    elif part == REAL:
        asked = choose_round()
    elif part == WORDS:
        typed = choose_words()
if part == DOG:
    dog_and_cat(screen)
elif part == LETTERS:
    letters(screen, size)
elif part == SIZES:
    sizes(screen, names_part, hidden_size)
elif part == SATURATION:
    saturated_units(screen, start)
elif part == REAL:
    real_or_not(screen, asked)
else:
    words_of_the_book(screen, typed)

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(part)
