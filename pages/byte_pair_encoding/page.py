"""How are subwords learned? Byte-pair encoding from the class's text, from the whole book, and Zipf's law."""

from lm_core.text.tokenizers.byte_pair_training import (
    MergeHistory,
    merges_used,
    train_byte_pair,
    train_counting_tokens,
)
from lm_core.text.tokenizers.merges import MergeLearner, merge_steps
from lm_core.text.word_counts import fit_power_law, ranked_words
from pages.byte_pair_encoding.book import sizes_of_the_vocabulary, zipfs_law
from pages.byte_pair_encoding.merges import learn_from_a_text
from pages.shared.ui.controls import choose_part
from pages.shared.ui.lesson import Sources, page_header, show_source, try_this

PARTS = ("From your text", "From the whole book", "Zipf's law")

page_header(
    "byte-pair-encoding",
    "*Byte-pair encoding* (BPE) counts all pairs of neighbours, merges the most frequent pair into one"
    " symbol, and counts again.",
)

# Controls, picture, explanation ---------------------------------------------------------------
part = choose_part(PARTS)
if part == PARTS[1]:
    sizes_of_the_vocabulary()
    code: Sources = (train_counting_tokens, MergeLearner)
    suggestions = [
        "Move the slider from bytes to the right: where do the first whole words of the sentence appear?",
        "Which doubling of the vocabulary shortens the book most, which least?",
        "Compare the numbers that one word costs as one-hot vectors at both ends of the slider.",
        "How many merges are needed until the book is shorter than in its characters?",
    ]
elif part == PARTS[2]:
    zipfs_law()
    code = (ranked_words, fit_power_law)
    suggestions = [
        "Fit only the first hundred ranks, then only ranks 1,000 to 10,000. Is it one law or two?",
        "Walk along the ranks: at which do the names of the novel appear?",
        "Find a word that appears in the book a tenth as often as *the*. Which rank does it have, and"
        " which would Zipf expect?",
    ]
else:
    learn_from_a_text()
    code = (train_byte_pair, MergeHistory, MergeLearner, merge_steps, merges_used)
    suggestions = [
        "Type *aaabdaaabac*, the textbook's example: which pairs tie after the first merge, and which"
        " one does the rule take?",
        "Switch the guessing on, and let the class predict three merges in a row.",
        "Learn from a text in two languages. Which of them gets its merges first?",
        "Step to the end: why do some pairs still not merge?",
        "Type a word that the text lacks into the second field: which of its subwords were learned?",
    ]

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(suggestions)
