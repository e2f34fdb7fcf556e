"""Cross-attention: at which words of a sentence a translation looks, and what it owes to them."""

import streamlit as st

from lm_core.analysis.alignments import content_swaps
from lm_core.analysis.padded_batch import read_batch
from lm_core.errors import CheckpointError, TextError
from lm_core.experiments.translation.nearest_pairs import PairIndex
from lm_core.generation.beam_search import beam_steps
from lm_core.generation.translated_words import word_attention
from lm_core.generation.translation import next_candidates, trace_translation
from lm_core.generation.translation_search import beam_search, greedy_search
from lm_core.models.attention import AdditiveScores, masked_softmax, padding_mask
from lm_core.models.encoder_decoder import RecurrentEncoderDecoder
from lm_core.models.encoder_decoder_transformer import DecoderBlock
from lm_core.models.multi_head_attention import MultiHeadAttention
from pages.cross_attention.alignment import choose_view, whole_alignment
from pages.cross_attention.batch import sentences_in_a_batch
from pages.cross_attention.beams import beams, choose_beams
from pages.cross_attention.memory import remember_or_translate
from pages.cross_attention.steps import word_by_word
from pages.cross_attention.subject import Head, Subject, choose_head, choose_model
from pages.cross_attention.without import choose_ablation, without_it
from pages.shared import page
from pages.shared.models.language_models import provenance_of
from pages.shared.models.translation import EXAMPLES, choose_sentence
from pages.shared.ui.controls import choose_part
from pages.shared.ui.lesson import Sources, page_header, provenance, show_source, try_this

ALIGNMENT, STEPS, BEAMS, WITHOUT, REMEMBER, BATCH = (
    "Alignment",
    "Word by word",
    "Beam search",
    "Without it",
    "Remember?",
    "Padding",
)

page_header(
    "cross-attention",
    "The decoder writes French word by word. With *cross-attention* it looks back at the English"
    " each time, so no vector has to hold it all.",
)

# Controls -------------------------------------------------------------------------------------
screen = page.first_screen(picture=2.6)
with screen.controls:
    part = choose_part((ALIGNMENT, STEPS, BEAMS, WITHOUT, REMEMBER, BATCH))
    second = st.container(width="content", horizontal=True)
    model_place = st.container(width="content")
# Where a playback bar stands below the picture, a projector has no room for a row above it.
with screen.controls if part == STEPS and page.is_presenting() else screen.picture:
    # For most captions five beams find what one does.
    sentence = choose_sentence("english", EXAMPLES[4 if part == BEAMS else 0].english)
try:
    with model_place:
        subject = Subject(choose_model(), sentence)
    meta = provenance_of(subject.model)
    head = Head()
    if part in (ALIGNMENT, STEPS) and subject.has_heads:
        with screen.controls, st.popover("Head", icon=":material/tune:"):
            head = choose_head(subject)
except (CheckpointError, TextError) as error:
    page.show_error(error)
    st.stop()

# Picture and explanation ----------------------------------------------------------------------
if part == ALIGNMENT:
    with second:
        view = choose_view()
    whole_alignment(screen, subject, head, view)
    code: Sources = (
        AdditiveScores,
        RecurrentEncoderDecoder._context_vector,
        MultiHeadAttention.cross,
        masked_softmax,
        word_attention,
        content_swaps,
    )
elif part == STEPS:
    word_by_word(screen, subject, head)
    code = (next_candidates, trace_translation, RecurrentEncoderDecoder.decode)
elif part == BEAMS:
    with second:
        width = choose_beams()
    beams(screen, second, subject, width)
    code = (beam_search, beam_steps, greedy_search)
elif part == WITHOUT:
    with second:
        ablation = choose_ablation(subject)
    without_it(screen, subject, ablation)
    code = (RecurrentEncoderDecoder.decode, DecoderBlock)
elif part == BATCH:
    sentences_in_a_batch(screen, subject)
    code = (read_batch, padding_mask)
else:
    remember_or_translate(screen, subject)
    code = (PairIndex,)
provenance(meta)

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(part)
