"""BERT: what a model fills into a gap when it may read both sides, and why it cannot write."""

from lm_core.analysis.gaps import (
    both_sides_probabilities,
    fill_gaps,
    left_probabilities,
    pair_probabilities,
)
from lm_core.analysis.pseudo_log_likelihood import pseudo_log_likelihoods
from lm_core.experiments.masked_language_model.split_scores import score_splits
from lm_core.experiments.masked_language_model.training import MaskedTraining
from lm_core.experiments.masked_language_model.word_classes import score_classes
from lm_core.generation.gibbs import gibbs_sampling
from lm_core.models.masked_language_model import MaskedLanguageModel, gap_probabilities
from lm_core.text.whole_words import word_starts
from lm_core.training.masking import mask_tokens
from pages.masked_language_model.by_word import word_by_word
from pages.masked_language_model.classes import by_class
from pages.masked_language_model.one_gap import one_gap
from pages.masked_language_model.several_gaps import several_gaps
from pages.masked_language_model.splits import splits
from pages.masked_language_model.subject import meta_of, results
from pages.masked_language_model.writing import writing
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import page_header, provenance, show_source, try_this
from pages.shared.ui.messages import errors_end_page

GAP, GAPS, WORDS = "One gap", "Several", "Sentence"
CLASSES, SPLIT, WRITE = "Word classes", "80 / 10 / 10", "Writing"
CODE = {
    GAP: (MaskedLanguageModel, gap_probabilities, both_sides_probabilities, left_probabilities),
    GAPS: (pair_probabilities, fill_gaps),
    WORDS: (pseudo_log_likelihoods,),
    CLASSES: (score_classes, word_starts),
    SPLIT: (mask_tokens, MaskedTraining, score_splits),
    WRITE: (gibbs_sampling,),
}

page_header(
    "masked-language-model",
    "A *masked language model* fills in covered words. It does not write from left to right, so it may"
    " read both sides of a gap. This is how BERT learns.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=2.8)
with screen.controls:
    part = choose_part((GAP, GAPS, WORDS, CLASSES, SPLIT, WRITE))
with errors_end_page():
    meta = meta_of()
    results()

# Picture and explanation ----------------------------------------------------------------------
if part == GAP:
    one_gap(screen)
elif part == GAPS:
    several_gaps(screen)
elif part == WORDS:
    word_by_word(screen)
elif part == CLASSES:
    by_class(screen)
elif part == SPLIT:
    splits(screen)
else:
    writing(screen)
provenance(meta)

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(part)
