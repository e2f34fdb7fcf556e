"""How are subwords learned? Byte-pair encoding from the class's text, from the whole book, and Zipf's law."""

from collections.abc import Callable

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

_PARTS: dict[str, tuple[Callable[[], None], Sources]] = {
    "From your text": (
        learn_from_a_text,
        (train_byte_pair, MergeHistory, MergeLearner, merge_steps, merges_used),
    ),
    "From the whole book": (sizes_of_the_vocabulary, (train_counting_tokens, MergeLearner)),
    "Zipf's law": (zipfs_law, (ranked_words, fit_power_law)),
}

page_header(
    "byte-pair-encoding",
    "*Byte-pair encoding* (BPE) counts all pairs of neighbours, merges the most frequent pair into one"
    " symbol, and counts again. So frequent words end up as one symbol, and rare ones in pieces.",
)

# Controls, picture, explanation ---------------------------------------------------------------
part = choose_part(list(_PARTS))
draw, code = _PARTS[part]
draw()

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(part)
