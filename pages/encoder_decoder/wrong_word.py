"""One wrong word at the beginning, and what models that were taught differently make of it."""

import hashlib
from functools import partial

import streamlit as st

from lm_core.errors import TextError
from lm_core.text.translation_vocabulary import UNKNOWN_ID, shipped_vocabulary
from lm_core.training.checkpoints import SHIPPED
from pages.encoder_decoder.forced_texts import NAMES, Forced, draw_forced
from pages.encoder_decoder.schedule import SAMPLED, schedule
from pages.shared import page
from pages.shared.models.translation import ATTENTION, ONE_VECTOR, translated
from pages.shared.page.kept_words import draw_kept_words
from pages.shared.ui.markdown import as_code

FIRST_WORDS = "Des enfants"
_SHORT_NAMES = {ONE_VECTOR: "one vector", SAMPLED: "sampled", ATTENTION: "attention"}
_ANSWERS = {"nearly all": 1.0, "about half": 0.5, "nearly none": 0.1}
_MOST_WORDS, _MOST_CHARACTERS = 8, 80
_WRITTEN_LAST = "encdec_forced"


def _choose_beginning(sentence: str) -> str:
    """Draw the words that the translations are made to begin with, and return them."""
    candidates = translated(ONE_VECTOR, sentence).steps[0].candidates
    starts = [c.symbol.strip() for c in candidates if c.symbol.startswith(" ") and c.symbol.strip()]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        typed = page.text(
            "forced",
            "Begin with (French)",
            FIRST_WORDS,
            width="stretch",
            help=f"Up to {_MOST_WORDS} words that the translation has to begin with, wrong ones best.",
        )
        st.menu_button("Candidates", starts, key="forced_candidates", on_click=_take_candidate)
    return page.read_or_keep("forced", typed, _read, FIRST_WORDS)


def _read(typed: str) -> str:
    text = page.checked_text(typed, most=_MOST_CHARACTERS, name="the beginning").strip()
    if not text:
        raise TextError("the beginning is empty: type a French word, such as Une")
    if (n := len(text.split())) > _MOST_WORDS:
        raise TextError(f"a beginning may have at most {_MOST_WORDS} words, got {n}")
    if UNKNOWN_ID in shipped_vocabulary().encode(text):
        raise TextError("the models write no such characters: begin with French words")
    return text


def _take_candidate() -> None:
    st.session_state["forced"] = st.session_state["forced_candidates"]


def one_wrong_word(screen: page.FirstScreen, sentence: str) -> None:
    """Draw what each model writes after a wrong beginning, step by step."""
    with screen.beside:
        beginning = _choose_beginning(sentence)
    prefix = tuple(shipped_vocabulary().encode(beginning))
    has_sampled = (SHIPPED / SAMPLED).is_dir()
    models = {
        name: Forced(
            translated(name, sentence), translated(name, sentence, prefix=prefix), len(prefix)
        )
        for name in NAMES
        if name != SAMPLED or has_sampled
    }
    asked = _ask(screen, sentence, models)
    is_masked = asked.masks
    with screen.beside:
        # The title has these numbers, too; on a projector the question needs the room.
        if not (is_masked and page.is_presenting()):
            _kept(models, asked)
    steps = max(len(of.forced.steps) for of in models.values()) - len(prefix)
    with screen.picture:
        st.markdown(f"**{_finding(models, beginning, is_masked)}**")
        place = st.container(gap="xsmall")
        wanted = (sentence, beginning)
        if st.session_state.get(_WRITTEN_LAST, wanted) != wanted:
            page.go_to("written", steps - 1)  # another beginning is followed to its end
        st.session_state[_WRITTEN_LAST] = wanted
    beside = screen.beside.container(gap="xsmall")
    with screen.picture:
        page.playback_bar(
            "written",
            steps,
            partial(draw_forced, place, beside, sentence, models, is_masked),
            label="Subwords that follow",
            seconds_per_step=0.8,
        )
    page.note_beside(screen, _notes(has_sampled=has_sampled))
    if not page.is_presenting():
        page.fragment(schedule)(sentence)


# The question ---------------------------------------------------------------------------------


def _ask(screen: page.FirstScreen, sentence: str, models: dict[str, Forced]) -> page.Asked:
    """Ask how many words of its own translation the one-vector model still writes."""
    name = hashlib.sha256(sentence.encode()).hexdigest()[:8]
    one = models[ONE_VECTOR]
    return page.ask(
        screen,
        f"follows_{name}",
        "Of the words that follow, how many will be those of the one-vector model's normal translation?",
        _ANSWERS,
        right=one.share_kept,
        reason=f"One vector keeps **{one.n_kept} of {len(one.following)}** words"
        + (
            ": what the decoder has just written is all that it reads besides the vector, so a wrong word"
            " leads it on."
            if one.share_kept < 0.5
            else "."
        ),
    )


def _kept(models: dict[str, Forced], asked: page.Asked) -> None:
    """Draw the share of words kept of each model."""
    shares = {_SHORT_NAMES[name]: of.share_kept for name, of in models.items()}
    draw_kept_words("forced_kept", shares, asked)


# The picture ----------------------------------------------------------------------------------


def _finding(models: dict[str, Forced], beginning: str, is_masked: bool) -> str:
    kept = ", ".join(
        f"{_SHORT_NAMES[name]} "
        + ("?" if is_masked and name == ONE_VECTOR else f"{of.n_kept} of {len(of.following)}")
        for name, of in models.items()
    )
    return f"After {as_code(beginning)}, words kept of the translation left alone: {kept}"


def _notes(*, has_sampled: bool) -> str:
    said = (
        "*Teacher forcing*: while it learned, the decoder read only right words, never its own mistakes."
        " *Scheduled sampling* lets it read some of its own, so that it meets mistakes while it learns."
    )
    if has_sampled:
        return said
    return f"{said} No model that learned with it is shipped yet, so only teacher forcing is shown."
