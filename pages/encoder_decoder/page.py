"""Encoder-decoder: what one context vector holds of a sentence, and what it loses."""

import streamlit as st

from lm_core.analysis.translation_support import growing, judged_words, word_certainties
from lm_core.errors import LMCoreError
from lm_core.experiments.translation.batches import BucketedBatches
from lm_core.experiments.translation.evaluation import bleu_by_length
from lm_core.experiments.translation.training import TranslationTraining, token_losses
from lm_core.generation.translation import translate
from lm_core.models.encoder_decoder import RecurrentEncoderDecoder
from lm_core.models.encoder_decoder_model import EncoderDecoder
from pages.encoder_decoder.growing import longer_and_longer
from pages.encoder_decoder.side_by_side import choose_width, side_by_side
from pages.encoder_decoder.sizes import sizes_by_length
from pages.encoder_decoder.training import train_a_translator
from pages.encoder_decoder.wrong_word import choose_beginning, one_wrong_word
from pages.shared.models.language_models import provenance_of
from pages.shared.models.translation import ATTENTION, EXAMPLES, ONE_VECTOR, choose_sentence
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import Sources, page_header, provenance, show_source, try_this
from pages.shared.ui.messages import show_error

LONGER, BESIDE = "Growing sentence", "Side by side"
SIZE, WRONG, TRAIN = "Vector size", "Wrong word", "Train one"
_EXAMPLES = {WRONG: 2, TRAIN: 0}
"""Which example a part opens with, where it is not the longest."""

page_header(
    "encoder-decoder",
    "One model translates through a single *context vector*. The other has *attention*, so it"
    " looks at every word of the caption again.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=3.0)
with screen.controls:
    part = choose_part((LONGER, BESIDE, SIZE, WRONG, TRAIN))
try:
    metas = [provenance_of(name) for name in (ONE_VECTOR, ATTENTION)]
    if part != SIZE:
        with screen.controls:
            sentence = choose_sentence("caption", EXAMPLES[_EXAMPLES.get(part, -1)].english)

    # Picture and explanation ------------------------------------------------------------------
    if part == LONGER:
        longer_and_longer(screen, sentence)
        code: Sources = (RecurrentEncoderDecoder.encode, growing, judged_words)
    elif part == BESIDE:
        with screen.controls, st.popover("More", icon=":material/tune:"):
            width = choose_width()
        side_by_side(screen, sentence, width)
        code = (
            RecurrentEncoderDecoder.encode,
            RecurrentEncoderDecoder._context_vector,
            RecurrentEncoderDecoder.decode,
            word_certainties,
        )
    elif part == SIZE:
        sizes_by_length(screen)
        code = (RecurrentEncoderDecoder, bleu_by_length)
    elif part == WRONG:
        with screen.beside:
            beginning = choose_beginning(sentence)
        one_wrong_word(screen, sentence, beginning)
        code = (EncoderDecoder.training_logits, EncoderDecoder.follow_own_tokens, translate)
    else:
        train_a_translator(screen, sentence)
        code = (TranslationTraining, token_losses, BucketedBatches)
except LMCoreError as error:
    show_error(error)
    st.stop()
for meta in metas:
    provenance(meta)

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(part)
