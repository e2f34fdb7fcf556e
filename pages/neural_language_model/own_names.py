"""A visitor's own list of names: Bengio's model learns it while they wait, and makes up more."""

import math
from typing import NamedTuple

import streamlit as st

from lm_core.experiments.neural_language_model.names import bits_of_names, sample_names
from lm_core.experiments.neural_language_model.own_names import (
    RIVERS,
    LearnedNames,
    OwnNames,
    learn_names,
    read_names,
)
from lm_core.rng import generator
from pages.neural_language_model.names_chart import REAL, SAMPLED, name_bars, name_table
from pages.neural_language_model.names_kept import OWN_NAMES
from pages.shared import page

_LEARNED = "own_names_learned"
_CONTEXTS = (1, 2, 3, 5)
_N_MADE_UP, _N_REAL = 12, 8
_MOST_BITS, _HEIGHT = 9.0, 300
_COPY = "="  # narrow enough for the bars of a phone


class Chosen(NamedTuple):
    """How the names are learned, and how more are made up."""

    own_context: int = page.field(page.segments, "Letters it looks back at", _CONTEXTS, 3)
    own_seed: int = page.folded(page.number, "Seed", 0, 9_999, 1)
    own_temperature: float = page.folded(page.slider, "Temperature", 0.5, 1.5, 1.0, 0.1)


def own_names(screen: page.FirstScreen) -> None:
    """Draw names that a network makes up after a list, beside some of those that were held out."""
    chosen = page.controls(Chosen, screen)
    kept = OWN_NAMES.state()
    own = _read(kept["text"], tuple(kept["notes"])) if kept["text"] else _ours()
    learned = _learned(own, chosen) if kept["text"] else _ours_learned(chosen)
    with page.model_calls:
        made_up = sample_names(
            learned.model,
            _N_MADE_UP,
            generator(chosen.own_seed),
            chosen.own_temperature,
            own.symbols,
        )
        real = list(own.parts[1][:_N_REAL])
        bits = bits_of_names(learned.model, [*made_up, *real], own.symbols)
    n_copies = sum(name in own.names for name in made_up)
    with screen.picture:
        st.markdown(
            f"**{n_copies} of {len(made_up)} names that the network makes up are on the list**, marked ="
        )
        _draw(own, made_up, real, bits)
        if kept["text"]:
            page.show_what_was_read(own.read, "own_names")
    with screen.beside:
        OWN_NAMES.ask(has_own=bool(kept["text"]))
    page.note_beside(screen, _explained(own, learned, chosen))


@st.cache_resource(max_entries=1, show_spinner=False)
def _ours() -> OwnNames:
    return read_names(RIVERS)


@st.cache_resource(max_entries=32, show_spinner="Training")
def _ours_learned(chosen: Chosen) -> LearnedNames:
    """Return the training on our names, done once for all visitors."""
    with page.model_calls:
        return learn_names(_ours(), chosen.own_context, chosen.own_seed)


def _read(text: str, notes: tuple[str, ...]) -> OwnNames:
    with page.page_turns.lent():
        return read_names(text, notes)


def _learned(own: OwnNames, chosen: Chosen) -> LearnedNames:
    """Return the training on a visitor's names; it is kept for the visit, never shared."""
    key = (own.names, chosen.own_context, chosen.own_seed)
    done = st.session_state.get(_LEARNED)
    if done is None or done[0] != key:
        with st.spinner("Training"), page.model_calls:
            done = (key, learn_names(own, chosen.own_context, chosen.own_seed))
        st.session_state[_LEARNED] = done
    found: LearnedNames = done[1]
    return found


# Picture and words ----------------------------------------------------------------------------


def _draw(own: OwnNames, made_up: list[str], real: list[str], bits: list[float]) -> None:
    marks = [_COPY if name in own.names else "" for name in made_up] + [""] * len(real)
    kinds = [SAMPLED] * len(made_up) + [REAL] * len(real)
    shown = [name for name, kind in zip([*made_up, *real], kinds, strict=True) if name]
    # A copy of a held-out name is one bar.
    once = dict(zip(shown, zip(kinds, bits, marks, strict=True), strict=True))
    table = name_table(
        list(once),
        [k for k, _, _ in once.values()],
        [b for _, b, _ in once.values()],
        [m for *_, m in once.values()],
    )
    page.show_chart(
        name_bars(table, most=_MOST_BITS, height=_HEIGHT),
        key="own_names_bits",
        alt=f"Bits a letter of {len(made_up)} names that the network makes up, and of {len(real)} held-out ones",
        name="own-names",
        is_small=True,
    )


def _explained(own: OwnNames, learned: LearnedNames, chosen: Chosen) -> str:
    n_learned, n_held_out = map(len, own.parts)
    even = math.log2(len(own.symbols))
    kept = even - learned.held_out_bits  # of what was learned, in bits
    reason = (
        " So most of what it has learned holds for new names, too, probably because many names are built alike."
        if kept > 0.5 * (even - learned.train_bits)
        else " It knows more of the former by heart than of how such names are built, probably because the list is"
        " short for what it can store. A longer list, or fewer letters to look back at, mostly makes that less."
    )
    return (
        f"The network has read {n_learned:,} names; {n_held_out} were held out. To it a letter has"
        f" {learned.train_bits:.2f} bits in names that it has read and {learned.held_out_bits:.2f} in the held-out"
        f" ones; by an even guess among {len(own.symbols)} symbols {even:.2f}.{reason}"
    )
