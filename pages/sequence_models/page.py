"""Sequence models: recurrent networks between vectors and sequences, live."""

import streamlit as st

from lm_core.experiments.sequence_models import inference
from lm_core.experiments.sequence_models.curves import CurveGenerator, losses_of
from lm_core.experiments.toy_tasks.tasks import ToyTask
from lm_core.experiments.toy_tasks.training import answer_steps
from lm_core.models.seq2seq import NameGenerator, SentenceClassifier, WordReverser
from lm_core.training.checkpoints import SHIPPED
from pages.sequence_models import curves, own_task, reversed_word, words
from pages.sequence_models.sentences import CLASSIFIERS, sequence_to_vector
from pages.shared import page
from pages.shared.ui.figures import download_checkpoint
from pages.shared.ui.lesson import Sources, page_header, show_source, try_this

SHAPES = (
    "Sequence to sequence",
    "Sequence to vector",
    "Vector to sequence",
    "Vector to curve",
    "Own task",
)

page_header(
    "sequence-models",
    "Recurrent networks make vectors of words and words of vectors. The first one must write a word"
    " backwards from one vector alone, so the whole word must fit into it: how long may it be?",
)

# Controls, picture, explanation ---------------------------------------------------------------
screen = page.first_screen(beside=1.2)
with screen.controls:
    shape = page.control(
        st.pills,  # on a phone they take two lines, which a segmented control cannot
        "shape",
        "Which",
        SHAPES,
        default=SHAPES[0],
        required=True,
        label_visibility="collapsed",
    )
if shape == SHAPES[1]:
    sequence_to_vector(screen)
    code: Sources
    names: tuple[str, ...]
    code, names = (SentenceClassifier, inference.speech_probabilities), tuple(CLASSIFIERS)
elif shape == SHAPES[0]:
    reversed_word.sequence_to_sequence(screen)
    code, names = (WordReverser, inference.reverse_word), (reversed_word.REVERSER,)
elif shape == SHAPES[3]:
    curves.vector_to_curve(screen)
    code, names = (CurveGenerator, losses_of), ()
elif shape == SHAPES[4]:
    own_task.own_task(screen)
    code, names = (ToyTask, answer_steps), ()
else:
    words.vector_to_sequence(screen)
    code, names = (NameGenerator, inference.sample_word), (words.GENERATOR,)

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
with st.container(horizontal=True):
    for name in names:
        download_checkpoint(SHIPPED / name, label=f"Checkpoint {name}", key=f"checkpoint_{name}")
try_this(shape)
