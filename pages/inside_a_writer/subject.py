"""Which text is read, and which number of which unit is looked at."""

import hashlib
from functools import cached_property
from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.analysis.surprisal import context_before, readable_text
from lm_core.analysis.text_spans import KINDS, QUOTATION, spans_of
from lm_core.analysis.unit_activations import CELL, HIDDEN, Activations, read_activations
from lm_core.errors import TextError
from lm_core.experiments.inside_a_writer.results import PARTS, UnitResults, load_results
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared.book_models import model_of, snapshots_of
from pages.shared.turns import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.messages import show_error
from pages.shared.ui.text_input import checked_text

MOST_CHARACTERS = 2_000
OURS, CONVERSATION, OWN = "A letter", "Two questions", "Your own"
LETTER = (
    '"Is there a letter?" asked the prince, and read it twice. "My dear," wrote the countess, "the'
    ' children are well, and we expect you on Sunday." He smiled. "What does she say?" asked'
    ' Natasha.\n\n"Nothing new, he answered, and went out into the garden. The old servant sat on the'
    " bench and looked at the road.\n\nThe next day he rode to the village."
)
QUESTIONS = (
    '"Have you seen Sonya?" asked the old princess, and looked round the room.\n\n"Sonya? No, not'
    ' since dinner," answered Nicholas. "Petya saw her in the garden, I think." He went to the'
    " window, opened it, and called his brother twice. Nobody answered; only the dogs began to bark."
)
TEXTS = {OURS: LETTER, CONVERSATION: QUESTIONS}
NAMES = {CELL: "cell state c", HIDDEN: "hidden state h"}
PICKED = "writer_picked_unit"
"""A unit that was just picked in a picture, until its control is drawn."""
_LONG = 1_000
"""Characters from which on a bar tells how far the model has read."""


class Levels(NamedTuple):
    """The activations between which a unit switches.

    Attributes
    ----------
    off, on : float
    """

    off: float
    on: float

    @property
    def is_reversed(self) -> bool:
        """Whether the unit is on where its number is low."""
        return self.on < self.off

    def share(self, activation: np.ndarray) -> np.ndarray:
        """Return how far on the unit is, from 0 to 1."""
        return np.clip((activation - self.off) / (self.on - self.off), 0.0, 1.0)


class Unit(NamedTuple):
    """One number of one unit.

    Attributes
    ----------
    number : int
        Among all units.
    part : str
        `CELL` or `HIDDEN`.
    levels : Levels
    kind : str or None
        What it was found to go with.
    """

    number: int
    part: str
    levels: Levels
    kind: str | None


class Subject:
    """A text and the model that reads it.

    Attributes
    ----------
    meta : CheckpointMeta
    text : str
        As the model reads it.
    results : UnitResults
    """

    def __init__(self, meta: CheckpointMeta, text: str, results: UnitResults) -> None:
        self.meta, self.text, self.results = meta, text, results

    @property
    def vocabulary(self) -> CharacterVocabulary:
        """The characters of the model."""
        return vocabulary_of(self.meta)

    @property
    def name(self) -> str:
        """Unique to the model and the text."""
        named = f"{self.meta.weights_sha256} {self.text}"
        return hashlib.sha256(named.encode()).hexdigest()[:8]

    @cached_property
    def activations(self) -> Activations:
        """Of all units at each character; read once for all visitors."""
        return activations_of(self.meta.name, self.meta.weights_sha256, self.text)

    def of_unit(self, unit: Unit) -> np.ndarray:
        """Return the activation of a unit at each character."""
        return self.activations.of(unit.part)[:, unit.number]

    @property
    def quotations(self) -> list[tuple[int, int]]:
        """Where the text's quotations begin and end."""
        return spans_of(KINDS[QUOTATION](self.text))

    @property
    def paragraphs(self) -> list[int]:
        """Where its paragraphs end."""
        return [i for i, character in enumerate(self.text) if character == "\n"]

    @cached_property
    def word_ends(self) -> list[int]:
        """After how many characters each word has been read, with the space before it."""
        ends = [
            i
            for i in range(1, len(self.text))
            if self.text[i].isspace() and not self.text[i - 1].isspace()
        ]
        return [*ends, len(self.text)]


@st.cache_resource(max_entries=6, show_spinner=False)
def activations_of(name: str, weights_sha256: str, text: str) -> Activations:
    """Return all units' activations over a text, shared by all visitors."""
    meta = snapshots_of(name)[-1]
    model = model_of(name, weights_sha256)
    vocabulary = vocabulary_of(meta)
    ids, before = vocabulary.encode(text), context_before(vocabulary)
    if len(text) < _LONG:
        return read_activations(model, ids, before, model_turn=lambda: model_calls)
    bar = st.progress(0.0, f"Reading {len(text):,} characters")
    try:
        return read_activations(
            model, ids, before, model_turn=lambda: model_calls, on_progress=bar.progress
        )
    finally:
        bar.empty()


@st.cache_resource(max_entries=1, show_spinner=False)
def results() -> UnitResults:
    """Return the shipped scores and activations.

    Raises
    ------
    ResultError
        If they cannot be read.
    """
    return load_results()


def choose_text(meta: CheckpointMeta) -> Subject:
    """Draw the choice of the text, and return what the model reads of it.

    A text that cannot be read stops the page with its reason.
    """
    name = control(st.selectbox, "text", "Text", [*TEXTS, OWN], width=165, persist_state="page")
    own = ""
    if name == OWN:
        own = control(
            st.text_area,
            "own_text",
            "Your own text",
            QUESTIONS,
            max_chars=MOST_CHARACTERS,
            height=120,
            in_link=False,
            persist_state="page",
            help=f"Up to {MOST_CHARACTERS:,} characters; an empty line ends a paragraph. Press"
            " Ctrl+Enter to have it read.",
        )
    raw = TEXTS.get(name, own)
    try:
        checked_text(raw, most=MOST_CHARACTERS)
        text = readable_text(raw, vocabulary_of(meta)).strip()
        if len(text) < 2:
            raise TextError(
                f"the model reads {len(text)} of these {len(raw):,} characters: type some English words"
            )
    except TextError as error:
        show_error(error, icon=":material/text_fields:")
        st.stop()
    return Subject(meta, text, results())


def best_units(of: UnitResults) -> list[int]:
    """Return the units that go best with each kind, in the order of the kinds, each once."""
    best = [of.of_kind(kind, part).units[0].unit for kind in KINDS for part in (CELL, HIDDEN)]
    return list(dict.fromkeys(best))


def choose_unit(meta: CheckpointMeta) -> int:
    """Draw the choice of the unit, those that were found for a kind first, and return its number."""
    if (picked := st.session_state.pop(PICKED, None)) is not None:
        st.session_state["unit"] = picked
    found = best_units(results())
    units = [*found, *(u for u in range(n_units(meta)) if u not in found)]
    return int(
        control(
            st.selectbox,
            "unit",
            "Unit",
            units,
            format_func=lambda number: unit_title(meta, number),
            width=230,
            persist_state="page",
        )
    )


def n_units(meta: CheckpointMeta) -> int:
    """Return how many units the model has, in all layers."""
    return int(meta.config["layers"] * meta.config["hidden_size"])


def unit_name(meta: CheckpointMeta, number: int) -> str:
    """Return a unit's layer and place, both from 1."""
    layer, place = divmod(number, int(meta.config["hidden_size"]))
    return f"{layer + 1}.{place + 1}"


def unit_title(meta: CheckpointMeta, number: int) -> str:
    """Return a unit's name, and for what it was found."""
    fits = [fit for part in PARTS if (fit := results().found(number, part))]
    best = max(fits, key=lambda fit: abs(fit[1].held_out), default=None)
    return unit_name(meta, number) + (f" · {best[0].kind}" if best else "")


def choose_state() -> str:
    """Draw which of a unit's two numbers is looked at, and return its letter."""
    return str(
        control(
            st.segmented_control,
            "state",
            "Activation",
            (CELL, HIDDEN),
            default=CELL,
            required=True,
            format_func=NAMES.__getitem__,
            persist_state="page",
            help="The *cell state* is the unit's memory; the *hidden state* h = o · tanh(c) is what it"
            " shows of it to the next layer and to the output.",
        )
    )


def unit_of(number: int, part: str) -> Unit:
    """Return a unit with the levels between which it switches: for its kind, or its range."""
    measured = results()
    if found := measured.found(number, part):
        kind, score = found
        return Unit(number, part, Levels(score.outside, score.inside), kind.kind)
    low, high = measured.levels[part][:, number].tolist()
    return Unit(number, part, Levels(low, max(high, low + 1e-6)), None)


def choose_place(subject: Subject, after: str) -> int:
    """Draw how far the text is read, and return after how many characters that is.

    Parameters
    ----------
    subject : Subject
    after : str
        Words of our text after which it is read first; another text is read whole.
    """
    text = subject.text
    first = text.index(after) + len(after) if text == TEXTS_READ[0] else len(text)
    return int(
        control(st.slider, "place", "Characters of the text that are read", 1, len(text), first)
    )


TEXTS_READ = tuple(text.replace("\n\n", "\n") for text in TEXTS.values())
"""The texts as the model reads them."""
