"""Which models score the text."""

from typing import NamedTuple

import streamlit as st

from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared.models.book_models import finished_models, snapshots_of
from pages.shared.ui.controls import choose_titled, control


class Reader(NamedTuple):
    """A model that scores the text."""

    meta: CheckpointMeta

    @property
    def vocabulary(self) -> CharacterVocabulary:
        """The characters or subwords that it reads."""
        return vocabulary_of(self.meta)


def choose_reader() -> Reader:
    """Draw the choice of the model, and return it.

    Raises CheckpointError if there is no model to choose.
    """
    name = choose_titled("model", "Model", finished_models(), width=330)
    return Reader(snapshots_of(name)[-1])


def choose_rival(reader: Reader) -> Reader | None:
    """Draw the choice of a second model, and return it; None for one model alone."""
    models = finished_models()
    others = {name: title for name, title in models.items() if name != reader.meta.name}
    name = control(
        st.selectbox,
        "rival",
        "Compare with",
        list(others),
        index=None,
        format_func=others.__getitem__,
        placeholder="no other model",
        width=230,
    )
    return Reader(snapshots_of(name)[-1]) if name else None
