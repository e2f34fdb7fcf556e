"""What a text begins with: the model, the prompt it reads, and the seed."""

from typing import NamedTuple

import streamlit as st

from lm_core.errors import TextError
from lm_core.generation.prompts import default_prompt
from lm_core.models.language_model import LanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary, PreparedText
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared.charts import visible
from pages.shared.ui.controls import control
from pages.shared.ui.lesson import provenance
from pages.shared.ui.text_input import PROMPT_CHARACTERS, checked_text
from pages.war_and_peace.library import finished_models, model_of, moments_of

FIRST_PROMPT = "The prince answered nothing, but"
_MOST_NAMED = 12

Identity = tuple[str, str, tuple[int, ...], int]


class Opening(NamedTuple):
    """Where a text begins."""

    meta: CheckpointMeta
    ids: tuple[int, ...]
    seed: int

    @property
    def model(self) -> LanguageModel:
        """The model that writes, shared by all visitors."""
        return model_of(self.meta.name, self.meta.weights_sha256)

    @property
    def vocabulary(self) -> CharacterVocabulary:
        """The characters that the model reads and writes."""
        return vocabulary_of(self.meta)

    @property
    def identity(self) -> Identity:
        """Two openings with the same identity lead to the same text."""
        return self.meta.name, self.meta.weights_sha256, self.ids, self.seed


def choose_opening() -> Opening:
    """Draw model, moment of training, prompt and seed, and return what they say."""
    models = finished_models()
    columns = st.columns([1.25, 1.25, 2.6, 0.7], vertical_alignment="bottom")
    with columns[0]:
        name = control(st.selectbox, "model", "Model", list(models), format_func=models.__getitem__)
    with columns[1]:
        meta = _choose_moment(name)
    with columns[2]:
        prompt = control(st.text_input, "prompt", "Prompt", FIRST_PROMPT)
    with columns[3]:
        seed = control(
            st.number_input,
            "seed",
            "Seed",
            0,
            2**31 - 1,
            1,
            help="Start of all chance: same seed, same text.",
        )
    with st.container():  # a place of its own: what stands below never moves for a message
        ids = _read_prompt(prompt, vocabulary_of(meta))
    provenance(meta)
    return Opening(meta, ids, int(seed))


def _choose_moment(name: str) -> CheckpointMeta:
    moments = moments_of(name)
    if len(moments) == 1:
        st.caption("One moment of training is kept of this model.")
        return moments[0]
    by_steps = {meta.steps: meta for meta in moments}
    steps = control(
        st.select_slider,
        "moment",
        "Steps of training",
        list(by_steps),
        moments[-1].steps,
        format_func=lambda steps: f"{steps:,}",
    )
    return by_steps[steps]


def _read_prompt(prompt: str, vocabulary: CharacterVocabulary) -> tuple[int, ...]:
    """Return the ids of the prompt as the model reads it, and say what became of it."""
    try:
        prepared = vocabulary.prepare(
            checked_text(prompt, most=PROMPT_CHARACTERS, name="The prompt")
        )
    except TextError as error:
        st.error(str(error), icon=":material/text_fields:")
        st.stop()
    known = prepared.ids[
        prepared.ids != 0
    ]  # a vocabulary of a visitor's text keeps <unk> in its place
    if prepared.dropped:
        st.warning(_what_was_dropped(prepared, len(known)), icon=":material/backspace:")
    if not len(known):
        instead = default_prompt(vocabulary)
        st.info(f"The prompt is empty, so the model reads `{instead}` and begins from there.")
        return tuple(vocabulary.encode(instead).tolist())
    return tuple(known.tolist())


def _what_was_dropped(prepared: PreparedText, n_read: int) -> str:
    named = [_code(character) for character in list(prepared.dropped)[:_MOST_NAMED]]
    more = len(prepared.dropped) - len(named)
    others = f" and {more} more" if more > 0 else ""
    return (
        f"{sum(prepared.dropped.values()):,} characters are not in this model's vocabulary and were"
        f" left out: {', '.join(named)}{others}. It reads {n_read:,} characters."
    )


def _code(character: str) -> str:
    """Return a character as inline code, its code point if it cannot be seen or would end the code."""
    shown = visible(character)
    if character == "`" or not character.isprintable():
        shown = f"U+{ord(character):04X}"
    return f"`{shown}`"
