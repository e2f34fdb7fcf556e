"""Sequence models: recurrent networks between vectors and sequences, live."""

from collections.abc import Callable, Iterable

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

_OF_REVERSER = WordReverser, inference.reverse_word
_OF_CLASSIFIERS = SentenceClassifier, inference.speech_probabilities
_OF_NAMES = NameGenerator, inference.sample_word
# Of each its picture, its code and the names of its checkpoints.
SHAPES: dict[str, tuple[Callable[[page.FirstScreen], None], Sources, Iterable[str]]] = {
    "Sequence to sequence": (
        reversed_word.sequence_to_sequence,
        _OF_REVERSER,
        [reversed_word.REVERSER],
    ),
    "Sequence to vector": (sequence_to_vector, _OF_CLASSIFIERS, CLASSIFIERS),
    "Vector to sequence": (words.vector_to_sequence, _OF_NAMES, [words.GENERATOR]),
    "Vector to curve": (curves.vector_to_curve, (CurveGenerator, losses_of), ()),
    "Own task": (own_task.own_task, (ToyTask, answer_steps), ()),
}

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
        list(SHAPES),
        default=next(iter(SHAPES)),
        required=True,
        label_visibility="collapsed",
    )
draw, code, names = SHAPES[shape]
draw(screen)

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
with st.container(horizontal=True):
    for name in names:
        download_checkpoint(SHIPPED / name, label=f"Checkpoint {name}", key=f"checkpoint_{name}")
try_this(shape)
