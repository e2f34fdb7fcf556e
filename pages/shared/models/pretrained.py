"""The visitor's own pretrained model: offered where one is named, loaded when it is chosen, kept alone."""

import streamlit as st

from lm_core.errors import CheckpointError, LMCoreError
from lm_core.text.pretrained_folder import VARIABLE, PretrainedFolder, pretrained_folder
from lm_core.training import pretrained
from lm_core.training.checkpoints import Checkpoint, CheckpointMeta
from pages.shared.turns import page_turns
from pages.shared.ui.what_was_read import show_what_was_read

PRETRAINED = pretrained.NAME


def pretrained_provenance() -> CheckpointMeta | None:
    """Return what is known of the model that the environment names; None if it names none that can be read."""
    return _found()[0]


def pretrained_fault() -> str:
    """Return what is wrong with the model that the environment names; nothing if it is right, or there is none."""
    return _found()[1]


def show_pretrained() -> None:
    """Draw what was read of the folder that the environment names; nothing where there is none."""
    if pretrained_provenance() is not None and (folder := pretrained_folder()) is not None:
        show_what_was_read(pretrained.what_was_read(folder), "pretrained")


def _found() -> tuple[CheckpointMeta | None, str]:
    try:
        folder = pretrained_folder()
        return (None, "") if folder is None else (_meta(folder.fingerprint, folder), "")
    except (LMCoreError, OSError) as error:
        return None, f"the pretrained model: {error}"


@st.cache_resource(max_entries=1, show_spinner=False)
def _meta(fingerprint: str, _folder: PretrainedFolder) -> CheckpointMeta:
    return pretrained.pretrained_meta(_folder)


def pretrained_model() -> Checkpoint:
    """Return the model, shared by all visitors: read it, never change it. A former one is let go.

    Raises CheckpointError if it cannot be read.
    """
    folder = pretrained_folder()
    if folder is None:
        raise CheckpointError(f"{VARIABLE} names no pretrained model any more: choose another one")
    with page_turns.lent():
        return _load(folder.fingerprint, folder)


@st.cache_resource(max_entries=1, show_spinner="Opening the pretrained model")
def _load(fingerprint: str, _folder: PretrainedFolder) -> Checkpoint:
    return pretrained.load_pretrained(_folder)
