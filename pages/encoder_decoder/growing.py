"""The sentence made longer word by word, through both models: from which length on words are invented."""

import hashlib
from functools import partial

import streamlit as st

from lm_core.analysis.translation_support import LEAST_SUPPORT, growing, judged_words
from lm_core.generation.translation import translate_all
from lm_core.text.translation_vocabulary import shipped_vocabulary
from pages.encoder_decoder.growing_map import TITLES, Grown, Picture, draw_growing
from pages.shared import page
from pages.shared.models.language_models import model_named, provenance_of
from pages.shared.models.translation import ATTENTION, ONE_VECTOR, TRANSFORMER
from pages.shared.numbers import percent

_NEVER = "it never does"
_LAST = "encdec_sentence"


def longer_and_longer(screen: page.FirstScreen, sentence: str) -> None:
    """Draw both models' translations of the growing sentence, and ask where the one vector fails."""
    grown = {name: grown_translations(name, sentence) for name in TITLES}
    picture = _asked(screen, grown, sentence)
    page.note_beside(
        screen,
        "Each row is the sentence cut to one length, each mark a word of its translation. We call a word"
        " *invented* if our best translator, the transformer, would give it less than"
        f" {percent(LEAST_SUPPORT)} at this place and the English sentence does not contain it. So a model"
        " judges here, not a person. One vector has the same size for every sentence, so each further"
        " word leaves less room for the others.",
    )
    lengths = grown[ONE_VECTOR].lengths
    below = st.container()
    with screen.picture:
        st.markdown(f"**{_finding(picture)}**")
        read, maps = (
            st.columns([2.4, 1.0], gap="medium")
            if page.is_presenting()
            else (st.container(), below)
        )
    if st.session_state.get(_LAST, sentence) != sentence:
        page.go_to("beginning", len(lengths) - 1)  # another sentence is drawn whole
    st.session_state[_LAST] = sentence
    texts = read.container()
    with screen.picture if page.is_presenting() else read:
        page.playback_bar(
            "beginning",
            len(lengths),
            partial(draw_growing, maps, texts, picture),
            label="Length of the sentence, step",
            seconds_per_step=0.8,
        )


def grown_translations(name: str, sentence: str) -> Grown:
    """Return a shipped model's translations of a growing sentence, once for all visitors.

    Raises CheckpointError if it or the transformer is missing or damaged.
    """
    of = (provenance_of(name).weights_sha256, provenance_of(TRANSFORMER).weights_sha256)
    return _grown(name, sentence, of)


@st.cache_resource(max_entries=256, show_spinner=False)
def _grown(name: str, sentence: str, weights: tuple[str, str]) -> Grown:
    translator, judge = (
        model_named(model, sha256).model
        for model, sha256 in zip((name, TRANSFORMER), weights, strict=True)
    )
    vocabulary, beginnings = shipped_vocabulary(), growing(sentence)
    with page.model_calls:
        texts = translate_all(translator, vocabulary, beginnings)
    with page.model_calls:
        rows = judged_words(judge, vocabulary, beginnings, texts)
    return Grown(tuple(beginnings), tuple(rows))


# The question ---------------------------------------------------------------------------------


def _asked(screen: page.FirstScreen, grown: dict[str, Grown], sentence: str) -> Picture:
    """Ask from what length on the one-vector model invents words."""
    answers = _answers(grown[ONE_VECTOR].lengths)
    name = hashlib.sha256(sentence.encode()).hexdigest()[:8]
    lost = grown[ONE_VECTOR].lost_at
    one, other = (_when(grown[name]) for name in TITLES)
    asked = page.ask(
        screen,
        f"lost_{name}",
        "From how many words on does the one-vector model invent something every time?",
        answers,
        right=_NEVER if lost is None else lost,
        reason=f"With one vector {one}. With attention {other}. All words have to share the numbers of"
        " one vector, while attention keeps a vector for each word, so its memory grows with"
        " the sentence.",
        when=len(answers) > 2,  # else the sentence is too short to ask about
    )
    return Picture(grown, asked.masks, None if asked.guess == _NEVER else asked.value)


def _answers(lengths: list[int]) -> dict[str, int]:
    """Return four answers at most, evenly over the lengths, and that it never happens."""
    places = sorted({round(i * (len(lengths) - 1) / 4) for i in range(1, 4)} - {0})
    asked = {f"from {lengths[place]}": lengths[place] for place in places}
    return asked | {_NEVER: 2 * lengths[-1]}


def _when(grown: Grown) -> str:
    if grown.lost_at is None:
        return "nothing is invented at full length"
    return f"something is invented every time from **{grown.lost_at} words** on"


# The picture ----------------------------------------------------------------------------------


def _finding(picture: Picture) -> str:
    counts = {
        name: (sum(w.is_invented for w in grown.rows[-1]), len(grown.rows[-1]) - 1)
        for name, grown in picture.grown.items()
    }
    (one, _), (other, n_other) = counts[ONE_VECTOR], counts[ATTENTION]
    known = "?" if picture.is_masked else str(one)
    return f"Invented words: {known} with one vector, {other} of {n_other} with attention"
