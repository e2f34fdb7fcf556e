"""How are subwords learned? Byte-pair encoding from the class's text, from the whole book, and Zipf's law."""

from lm_core.text.tokenizers.byte_pair_training import (
    MergeHistory,
    merges_used,
    train_byte_pair,
    train_counting_tokens,
)
from lm_core.text.tokenizers.merges import MergeLearner, merge_steps
from lm_core.text.word_counts import fit_power_law, ranked_words
from pages.byte_pair_encoding.book import sizes_of_the_vocabulary
from pages.byte_pair_encoding.merges import learn_from_a_text
from pages.byte_pair_encoding.zipfs_law import zipfs_law
from pages.shared.ui.controls import choose_part
from pages.shared.ui.lesson import Sources, page_header, show_source, try_this

PARTS = ("From your text", "From the whole book", "Zipf's law")

page_header(
    "byte-pair-encoding",
    "*Byte-pair encoding* (BPE) counts all pairs of neighbours, merges the most frequent pair into one"
    " symbol, and counts again. So frequent words end up as one symbol, and rare ones in pieces.",
)

# Controls, picture, explanation ---------------------------------------------------------------
part = choose_part(PARTS)
if part == PARTS[1]:
    sizes_of_the_vocabulary()
    code: Sources = (train_counting_tokens, MergeLearner)
elif part == PARTS[2]:
    zipfs_law()
    code = (ranked_words, fit_power_law)
else:
    learn_from_a_text()
    code = (train_byte_pair, MergeHistory, MergeLearner, merge_steps, merges_used)

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(part)
