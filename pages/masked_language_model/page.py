"""BERT: what a model fills into a gap when it may read both sides, and why it cannot write."""

from lm_core.analysis import gaps
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
from pages.masked_language_model.subject import meta_of
from pages.masked_language_model.writing import writing
from pages.shared import page

PARTS = [
    page.Part(
        "One gap",
        one_gap,
        (
            MaskedLanguageModel,
            gap_probabilities,
            gaps.both_sides_probabilities,
            gaps.left_probabilities,
        ),
        meta_of,
    ),
    page.Part("Several", several_gaps, (gaps.pair_probabilities, gaps.fill_gaps), meta_of),
    page.Part("Sentence", word_by_word, (pseudo_log_likelihoods,), meta_of),
    page.Part("Word classes", by_class, (score_classes, word_starts), meta_of),
    page.Part("80 / 10 / 10", splits, (mask_tokens, MaskedTraining, score_splits), meta_of),
    page.Part("Writing", writing, (gibbs_sampling,), meta_of),
]

page.draw(
    "masked-language-model",
    "A *masked language model* fills in covered words. It does not write from left to right, so it may"
    " read both sides of a gap. This is how BERT learns.",
    PARTS,
    picture=2.8,
)
