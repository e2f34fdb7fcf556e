"""What the pages on translation share: the models, the sentence, and translations, each made once for all."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from lm_core.errors import TextError
from lm_core.generation.translation import Heads, Translation, trace_translation, translate
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.text.translation_vocabulary import END, UNKNOWN_ID, normalised, shipped_vocabulary
from pages.shared.models.language_models import model_named, provenance_of
from pages.shared.turns import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.markdown import as_code
from pages.shared.ui.text_input import checked_text, read_or_keep

ONE_VECTOR, ATTENTION = "translation-one-vector", "translation-attention"
TRANSFORMER = "translation-transformer"

MOST_WORDS, MOST_CHARACTERS = 40, 400
_MOST_SPELLED = 4
_KNOWN = 2  # an ordinary word may be spelled in so many subwords
_SIGNS = ".,;:!?\"'()"


class Example(NamedTuple):
    """A caption of ours, in the style of the corpus and not in it, and a person's translation."""

    english: str
    french: str


EXAMPLES = (
    Example(
        "A man in a red car is looking at a white house.",
        "Un homme dans une voiture rouge regarde une maison blanche.",
    ),
    Example(
        "Two small children are playing with a yellow ball in the garden.",
        "Deux petits enfants jouent avec un ballon jaune dans le jardin.",
    ),
    Example(
        "An old woman with a black umbrella is waiting for the bus.",
        "Une vieille femme avec un parapluie noir attend le bus.",
    ),
    Example(
        "A brown dog jumps over a white fence while a boy is watching.",
        "Un chien marron saute par-dessus une clôture blanche pendant qu'un garçon regarde.",
    ),
    Example(
        "A man in a red car drives to the beach.",
        "Un homme dans une voiture rouge conduit vers la plage.",
    ),
    Example(
        "A man in a blue shirt and a young woman with a red hat are sitting on a bench in front of a"
        " café while a dog sleeps.",
        "Un homme en chemise bleue et une jeune femme avec un chapeau rouge sont assis sur un banc"
        " devant un café pendant qu'un chien dort.",
    ),
)


# The models -------------------------------------------------------------------------------------


def translator(name: str) -> EncoderDecoder:
    """Return a shipped translator, shared by all visitors: read it, never change it.

    Raises CheckpointError if it is missing or damaged.
    """
    model: EncoderDecoder = model_named(name, provenance_of(name).weights_sha256).model
    return model


def how_to_fetch(missing: Sequence[str]) -> str:
    """Return, as Markdown, how files of the corpus that are not on this server come to it."""
    return f"Fetch them with `python -m lm_core data fetch {' '.join(missing)}`"


# The sentence -----------------------------------------------------------------------------------


def choose_sentence(name: str, first: str = EXAMPLES[0].english) -> str:
    """Draw the sentence to be translated, typed or picked, and return it as the models read it.

    Where what was typed cannot be read, the reason is shown and the last sentence stays. Words that
    are spelled in many subwords, and characters that are unknown, are named under the field.

    Parameters
    ----------
    name : str, of the control; pages that link to each other need different ones
    first : str
        The sentence that the page or its part opens with; one that was chosen goes along to the next
        part.
    """
    before = st.session_state.get(f"{name}_first", first)
    if before != first and st.session_state.get(name) == before:
        st.session_state[name] = first
    st.session_state[f"{name}_first"] = first
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        typed = control(
            st.text_input,
            name,
            "English sentence",
            first,
            label_visibility="collapsed",
            placeholder=f"1 to {MOST_WORDS} words, as a caption would have them",
            width="stretch",
        )
        st.menu_button(
            "Examples",
            [example.english for example in EXAMPLES],
            key=f"{name}_examples",
            on_click=_take_example,
            args=(name,),
        )
    sentence = read_or_keep(name, typed, read_source, first)
    if spelled := spellings(sentence):
        shown = "; ".join(
            f"{as_code(word)} as {as_code(' '.join(parts))}"
            for word, parts in spelled[:_MOST_SPELLED]
        )
        more = len(spelled) - _MOST_SPELLED
        st.caption(f"The models read {shown}{f', and {more} more in pieces' if more > 0 else ''}.")
    return sentence


def read_source(typed: str) -> str:
    """Return a sentence as the models read it; raises TextError if it is empty or too long."""
    n_words = len(typed.split())
    if n_words > MOST_WORDS:
        raise TextError(
            f"a sentence may have at most {MOST_WORDS} words here, got {n_words:,}: the longest that"
            " the models learned from has 37"
        )
    sentence = normalised(checked_text(typed, most=MOST_CHARACTERS, name="the sentence"))
    shipped_vocabulary().read(sentence)
    return sentence


def spellings(sentence: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the words that the models do not know as one symbol or two, and what they become."""
    spelled = {}
    for word in (word.strip(_SIGNS) for word in sentence.split()):
        ids = shipped_vocabulary().encode(word)
        if len(ids) > _KNOWN or UNKNOWN_ID in ids:
            symbols = (symbol.strip() for symbol in shipped_vocabulary().symbols(ids))
            spelled[word] = tuple(symbol for symbol in symbols if symbol)
    return list(spelled.items())


def _take_example(name: str) -> None:
    st.session_state[name] = st.session_state[f"{name}_examples"]


def reference_of(sentence: str) -> str | None:
    """Return a person's translation of one of `EXAMPLES`; None for any other sentence."""
    return next((e.french for e in EXAMPLES if e.english == sentence), None)


# Translations -----------------------------------------------------------------------------------


def translated(
    name: str, sentence: str, width: int = 1, prefix: Sequence[int] = (), ablated: Heads = ()
) -> Translation:
    """Translate a sentence with a model by name, once for all visitors; arguments as for `translate`.

    Raises CheckpointError if the model is missing or damaged. Raises TextError or SettingError:
    `translate`'s.
    """
    sha256 = provenance_of(name).weights_sha256
    return _translated(name, sha256, sentence, width, tuple(prefix), frozenset(ablated))


def traced(
    name: str, sentence: str, target: Sequence[int] | str, ablated: Heads = ()
) -> Translation:
    """Return what a shipped model would have made of each step of a given translation.

    Parameters
    ----------
    target : sequence of int, or str, tokens, or a text that is read to its end
    ablated : iterable of (layer, head)
    """
    tokens = (*shipped_vocabulary().encode(target), END) if isinstance(target, str) else target
    sha256 = provenance_of(name).weights_sha256
    return _traced(name, sha256, sentence, tuple(tokens), frozenset(ablated))


@st.cache_resource(max_entries=512, show_spinner=False)
def _translated(
    name: str,
    weights_sha256: str,
    sentence: str,
    width: int,
    prefix: tuple[int, ...],
    ablated: frozenset[tuple[int, int]],
) -> Translation:
    model = model_named(name, weights_sha256).model
    with model_calls:
        return translate(
            model, shipped_vocabulary(), sentence, width=width, prefix=prefix, ablated=ablated
        )


@st.cache_resource(max_entries=512, show_spinner=False)
def _traced(
    name: str,
    weights_sha256: str,
    sentence: str,
    target: tuple[int, ...],
    ablated: frozenset[tuple[int, int]],
) -> Translation:
    with model_calls:
        return trace_translation(
            model_named(name, weights_sha256).model,
            shipped_vocabulary(),
            sentence,
            target,
            ablated=ablated,
        )
