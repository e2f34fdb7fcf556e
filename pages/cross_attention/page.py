"""Cross-attention: at which words of a sentence a translation looks, and what it owes to them."""

import streamlit as st

from lm_core.analysis.alignments import content_swaps
from lm_core.errors import CheckpointError, TextError
from lm_core.experiments.translation.nearest_pairs import PairIndex
from lm_core.generation.beam_search import beam_steps
from lm_core.generation.translated_words import word_attention
from lm_core.generation.translation import next_candidates, trace_translation
from lm_core.generation.translation_search import beam_search, greedy_search
from lm_core.models.attention import AdditiveScores, masked_softmax
from lm_core.models.encoder_decoder import RecurrentEncoderDecoder
from lm_core.models.encoder_decoder_transformer import DecoderBlock
from lm_core.models.multi_head_attention import MultiHeadAttention
from pages.cross_attention.alignment import choose_view, whole_alignment
from pages.cross_attention.beams import beams, choose_beams
from pages.cross_attention.memory import remember_or_translate
from pages.cross_attention.steps import word_by_word
from pages.cross_attention.subject import Head, Subject, choose_head, choose_model
from pages.cross_attention.without import choose_ablation, without_it
from pages.shared.models.translation import EXAMPLES, choose_sentence, provenance_of
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import Sources, page_header, provenance, show_source, try_this
from pages.shared.ui.messages import show_error

ALIGNMENT, STEPS, BEAMS, WITHOUT, REMEMBER = (
    "Alignment",
    "Word by word",
    "Beam search",
    "Without it",
    "Remember?",
)

page_header(
    "cross-attention",
    "The decoder writes French, one word after another. With *cross-attention* it looks back at the"
    " English sentence before each of them.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=2.6)
with screen.controls:
    part = choose_part((ALIGNMENT, STEPS, BEAMS, WITHOUT, REMEMBER))
    second = st.container(width="content", horizontal=True)
    model_place = st.container(width="content")
with screen.picture:
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
    show_error(error)
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
    suggestions = [
        "Write a sentence with two adjectives: “a small black dog”. Which of them changes its place?",
        "Switch to the transformer and go through layers and heads under *Head*. Which head is an alignment?",
        "Which word of the translation has the most bits? Could you say yourself where it comes from?",
    ]
elif part == STEPS:
    word_by_word(screen, subject, head)
    code = (next_candidates, trace_translation, RecurrentEncoderDecoder.decode)
    suggestions = [
        "Take “Une” for “Un”. Does all that follows agree with it?",
        "Let it begin with words about something else. How soon does it come back to the sentence?",
        "Find the step at which it was least sure. Would you have been?",
    ]
elif part == BEAMS:
    with second:
        width = choose_beams()
    beams(screen, second, subject, width)
    code = (beam_search, beam_steps, greedy_search)
    suggestions = [
        "Find a sentence for which five beams find another translation than one. Is it the better one?",
        "Set the length penalty to 0. Which of the finished translations wins now?",
        "How much is gained from 5 to 10 beams?",
    ]
elif part == WITHOUT:
    with second:
        ablation = choose_ablation(subject)
    without_it(screen, subject, ablation)
    code = (RecurrentEncoderDecoder.decode, DecoderBlock)
    suggestions = [
        "Switch all of it off and type another sentence. Does the translation change?",
        "In the transformer, find a head that this sentence can do without, and one that it cannot.",
        "Which of the two models still writes whole sentences without it?",
    ]
else:
    remember_or_translate(screen, subject)
    code = (PairIndex,)
    suggestions = [
        "Change one word of a training sentence. Does the translation change with it?",
        "Write a sentence whose words are all in the training, in an order that nobody would write.",
        "Take a line of a newspaper. Which of its words has the model never seen?",
    ]
provenance(meta)

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(suggestions)
