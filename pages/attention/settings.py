"""The controls: what the model reads, which head is shown, and what is changed in the model."""

import contextlib
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.errors import ResultError
from lm_core.training.checkpoints import CheckpointMeta
from pages.attention.computed_heads import SINK
from pages.attention.traces import patterns_of, scores_on_the_book
from pages.shared import page
from pages.shared.models.read_sentences import (
    MODEL,
    MOST_CHARACTERS,
    Sentence,
    readable,
    snapshots,
    titles,
)
from pages.shared.ui.controls import begin_anew

SENTENCES = (
    "Natasha came to Prince Andrew, and he kissed her",
    "Natasha saw Pierre, and Pierre saw Natasha",
    "The prince answered nothing, but she looked at him significantly, awaiting a reply",
    "a quick brown fox jumps over a lazy dog",
    "Ban on nude dancing on Governor's desk",
)
"""The last three are from a blog series on transformers."""

_HEAD_OF = {SENTENCES[1]: (1, 1)}
"""The layer and head of `MODEL` that an example is about: what of Natasha has been read?"""

_FIRST_PATTERNS = ("name of a pronoun", "start of the word")
"""The page begins with the head that follows the first of them most that was measured."""

HEADS = "heads"
"""The fragment with the controls of the model's changes, which a click elsewhere runs again."""
WANTED = "attention_wanted"
"""What such a click sets, by the control's name, until the controls are drawn."""

TEMPERATURES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


def choose_sentence(more: DeltaGenerator, notes: DeltaGenerator) -> Sentence:
    """Draw the sentence, the model and the training step; what cannot be read stops the page.

    Parameters
    ----------
    more : DeltaGenerator, where model and training step go
    notes : DeltaGenerator
        Where it is said what the model cannot read: in the row of controls it would leave the sentence
        no room, just when it is to be changed.
    """
    models = titles()
    typed = page.text(
        "sentence",
        "Sentence",
        SENTENCES[0],
        label_visibility="collapsed",
        placeholder=f"2 to {MOST_CHARACTERS} characters",
        width="stretch",
    )
    st.menu_button("Examples", SENTENCES, key="examples", on_click=_take_example)
    with more:
        name = page.choice("model", "Model", models)
    kept = snapshots(name)
    steps = list(kept)[-1]
    if len(kept) > 1:
        with more:
            steps = page.pick(
                "snapshot",
                "Snapshot at step",
                list(kept),
                steps,
                format_func=lambda steps: f"{steps:,}",
            )
    with notes:
        return read_sentence(typed, kept[steps])


def read_sentence(typed: str, meta: CheckpointMeta) -> Sentence:
    """Return the sentence as the model reads it, and say what it leaves out or changes."""
    text, was_read = page.read_or_keep("sentence", typed, partial(readable, meta), SENTENCES[0])
    page.show_what_was_changed(was_read, "sentence")
    return Sentence(meta, text)


def first_head(model: str) -> tuple[int, int]:
    """Return the head that the page begins with: on the book it follows a pattern most, or on a sentence.

    It is that of the trained model at all of its snapshots, so that one sees this head learn.
    """
    meta = [*snapshots(model).values()][-1]
    scores = None
    with contextlib.suppress(ResultError):  # the table of scores says what is wrong with them
        scores = scores_on_the_book(meta)
    found = scores.patterns if scores else patterns_of(Sentence(meta, SENTENCES[0]))
    measured = {pattern.pattern for pattern in found}
    first = next((name for name in _FIRST_PATTERNS if name in measured), found[0].pattern)
    best = max((p for p in found if p.pattern == first), key=lambda p: p.excess)
    return best.layer, best.head


def choose_one_of(name: str, model: str, count: int, first: int) -> int:
    """Draw a layer's or a head's number, and return it, from 0; `first` where nobody chooses.

    Another model begins with its own.
    """
    begin_anew(name, model, first + 1)
    number = page.segments(name, name.capitalize(), range(1, count + 1), first + 1)
    return number - 1


def choose_sink() -> str:
    """Draw how the pictures treat the first token."""
    return page.segments(
        "sink",
        "First token in the pictures",
        SINK,
        help="In large models such as GPT-2, a head that finds nothing often puts its weight on the first token,"
        " the *attention sink*. The small model that this page opens on does not: on average its"
        " first token gets less than an even share. Hiding it changes the pictures and not"
        " the model, because it is done to finished weights. If they are renormalised, the other weights add up to 1 again.",
    )


def _take_example() -> None:
    sentence = st.session_state["sentence"] = st.session_state["examples"]
    model = st.session_state.get("model", MODEL)
    first = tuple(number + 1 for number in first_head(model))
    head = _HEAD_OF.get(sentence, first) if model == MODEL else first
    st.session_state["layer"], st.session_state["head"] = head


def switch(name: str) -> None:
    """Turn the toggle of this name; call it in a callback."""
    change({name: not st.session_state[name]})


def change(values: dict[str, object]) -> None:
    """Set controls of the fragment `HEADS` from a callback in another, and run it again."""
    st.session_state[WANTED] = values
    st.rerun(HEADS)
