"""Does it know grammar? Which of two sentences is likelier, word by word and by phenomenon."""

from lm_core.experiments.minimal_pairs.by_word import bits_by_word, columns_of, lead_by_column
from lm_core.experiments.minimal_pairs.measuring import sentence_nats, share_right
from lm_core.experiments.minimal_pairs.our_pairs import pairs_apart
from lm_core.experiments.minimal_pairs.results import MeanShare
from lm_core.experiments.minimal_pairs.unigram import WordUnigram
from pages.minimal_pairs.distance import apart
from pages.minimal_pairs.learning import during_training
from pages.minimal_pairs.phenomena import by_phenomenon
from pages.minimal_pairs.sentences import two_sentences
from pages.shared import page

PARTS = [
    page.Part(
        "Two sentences", two_sentences, (bits_by_word, lead_by_column, columns_of, WordUnigram)
    ),
    page.Part("Words between", apart, (pairs_apart, share_right)),
    page.Part("Phenomena", by_phenomenon, (share_right, sentence_nats, MeanShare)),
    page.Part("During training", during_training, (share_right, sentence_nats)),
]

page.draw(
    "minimal-pairs",
    "Two sentences differ in one thing, and only one is good English: a *minimal pair*. A model that knows"
    " the rule finds that one likelier, so its probabilities show what it knows without a question.",
    PARTS,
)
