"""One wrong word at the beginning, and what models that were taught differently make of it."""

import hashlib
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.translation_support import word_certainties
from lm_core.analysis.word_overlap import share_kept, shared_places
from lm_core.errors import TextError
from lm_core.generation.translated_words import words_of
from lm_core.generation.translation import Translation
from lm_core.text.translation_vocabulary import UNKNOWN_ID, shipped_vocabulary
from lm_core.training.checkpoints import SHIPPED
from pages.encoder_decoder.schedule import SAMPLED, schedule
from pages.encoder_decoder.tints import LEGEND, tint_of
from pages.shared import page
from pages.shared.charts.predictions import prediction_bars, prediction_table
from pages.shared.charts.support import kept_bars, kept_in_words, kept_table
from pages.shared.components.texts import MASKED, ON, Tint, TintedText, tinted_texts
from pages.shared.models.translation import ATTENTION, ONE_VECTOR, TRANSFORMER, traced, translated
from pages.shared.numbers import percent
from pages.shared.turns import fragment
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import Prediction, nearest_answer, predict_then_reveal, show_verdict
from pages.shared.ui.markdown import as_code
from pages.shared.ui.text_input import checked_text, read_or_keep

FIRST_WORDS = "Des enfants"
_NAMES = {
    ONE_VECTOR: "One vector, teacher forcing",
    SAMPLED: "One vector, scheduled sampling",
    ATTENTION: "Attention, teacher forcing",
}
_SHORT_NAMES = {ONE_VECTOR: "one vector", SAMPLED: "sampled", ATTENTION: "attention"}
_ANSWERS = {"nearly all": 1.0, "about half": 0.5, "nearly none": 0.1}
_MOST_WORDS, _MOST_CHARACTERS = 8, 80
_WRITTEN_LAST = "encdec_forced"


class Forced(NamedTuple):
    """One model's translation left alone, and made to begin otherwise."""

    free: Translation
    forced: Translation
    n_forced: int  # tokens of the beginning

    @property
    def following(self) -> list[str]:
        """The words after the beginning."""
        words = words_of(self.forced.target_symbols)
        return [word.text for word in words if word.start >= self.n_forced and word.text]

    @property
    def n_kept(self) -> int:
        """Words after the beginning that the translation left alone has as well."""
        return sum(shared_places(self.following, self._left_alone))

    @property
    def share_kept(self) -> float:
        """Their share of the words after the beginning, 0 to 1."""
        return share_kept(self.following, self._left_alone)

    @property
    def _left_alone(self) -> list[str]:
        return [word.text for word in words_of(self.free.target_symbols)]


def choose_beginning(sentence: str) -> str:
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
    return read_or_keep("forced", typed, _read, FIRST_WORDS)


def _read(typed: str) -> str:
    text = checked_text(typed, most=_MOST_CHARACTERS, name="the beginning").strip()
    if not text:
        raise TextError("the beginning is empty: type a French word, such as Une")
    if (n := len(text.split())) > _MOST_WORDS:
        raise TextError(f"a beginning may have at most {_MOST_WORDS} words, got {n}")
    if UNKNOWN_ID in shipped_vocabulary().encode(text):
        raise TextError("the models write no such characters: begin with French words")
    return text


def _take_candidate() -> None:
    st.session_state["forced"] = st.session_state["forced_candidates"]


def one_wrong_word(screen: page.FirstScreen, sentence: str, beginning: str) -> None:
    """Draw what each model writes after a wrong beginning, step by step."""
    prefix = tuple(shipped_vocabulary().encode(beginning))
    has_sampled = (SHIPPED / SAMPLED).is_dir()
    models = {
        name: Forced(
            translated(name, sentence), translated(name, sentence, prefix=prefix), len(prefix)
        )
        for name in _NAMES
        if name != SAMPLED or has_sampled
    }
    with screen.beside:
        prediction = _ask(sentence, models)
        # The title has these numbers, too; on a projector the question needs the room.
        if prediction.revealed or not page.is_presenting():
            _kept(models, prediction)
    is_masked = not prediction.revealed
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
            partial(_draw, place, beside, sentence, models, is_masked),
            label="Subwords that follow",
            start=steps - 1,
        )
    page.note_beside(screen, _notes(has_sampled=has_sampled))
    if not page.is_presenting():
        fragment(schedule)(sentence)


# The question ---------------------------------------------------------------------------------


def _ask(sentence: str, models: dict[str, Forced]) -> Prediction:
    """Ask how many words of its own translation the one-vector model still writes."""
    name = hashlib.sha256(sentence.encode()).hexdigest()[:8]
    prediction = predict_then_reveal(
        f"follows_{name}",
        "Of the words that follow, how many will be those of the one-vector model's normal translation?",
        list(_ANSWERS),
    )
    if prediction.revealed:
        one = models[ONE_VECTOR]
        show_verdict(
            prediction,
            right=nearest_answer(one.share_kept, _ANSWERS),
            reason=(
                f"One vector keeps **{one.n_kept} of {len(one.following)}** words: what the decoder has"
                " just written is all that it reads besides the vector, so a wrong word leads it on."
            ),
        )
    return prediction


def _kept(models: dict[str, Forced], prediction: Prediction) -> None:
    """Draw the share of words kept of each model."""
    guess = None
    if prediction.revealed and prediction.guess is not None:
        guess = _ANSWERS[prediction.guess]
    shares = {_SHORT_NAMES[name]: of.share_kept for name, of in models.items()}
    table = kept_table(
        shares, asked=_SHORT_NAMES[ONE_VECTOR], is_masked=not prediction.revealed, guess=guess
    )
    show_chart(
        kept_bars(table),
        table,
        key="forced_kept",
        alt=kept_in_words(table),
        name="words-kept",
        is_small=True,
        fills_screen=False,
    )


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


def _draw(
    place: DeltaGenerator,
    beside: DeltaGenerator,
    sentence: str,
    models: dict[str, Forced],
    is_masked: bool,
    step: int,
) -> None:
    one = models[ONE_VECTOR]
    with place:
        _texts(sentence, models, step, is_masked)
    if not is_masked and not page.is_presenting():
        with beside:
            _next_bars(one.forced, min(one.n_forced + step, len(one.forced.steps) - 1))


def _texts(sentence: str, models: dict[str, Forced], step: int, is_masked: bool) -> None:
    """Draw the words written so far, tinted by the transformer's support, the forced ones marked."""
    one = models[ONE_VECTOR]
    texts = []
    if not page.is_presenting():
        texts = [_text("One vector, left alone", sentence, one.free, 0, len(one.free.steps))]
    for name, of in models.items():
        if name != ONE_VECTOR and not page.is_presenting():
            title = f"{_NAMES[name]}, left alone"
            texts.append(_text(title, sentence, of.free, 0, len(of.free.steps)))
        text = _text(_NAMES[name], sentence, of.forced, of.n_forced, of.n_forced + step + 1)
        if is_masked and name == ONE_VECTOR:
            n = sum(ON in tint.roles for tint in text.tints)
            waiting = Tint((MASKED,), 0, "what follows?")
            text = text._replace(words=[*text.words[:n], "?"], tints=[*text.tints[:n], waiting])
        texts.append(text)
    tinted_texts(
        texts,
        key="forced_texts",
        label="Translations",
        hint="Point at a word: how certain the model was, and the transformer.",
        legend=[(ON, "forced"), *LEGEND],
        fills_place=page.is_presenting(),
    )


def _text(title: str, sentence: str, of: Translation, n_forced: int, written: int) -> TintedText:
    judged = word_certainties(traced(TRANSFORMER, sentence, of.target_ids), sentence)
    own = word_certainties(of)
    words = [word for word in words_of(of.target_symbols) if word.start < written]
    if page.is_presenting() and words and not words[-1].text:
        words.pop()  # the end would often take a line for itself
    tints = [
        Tint((ON,), 60, "forced")
        if word.start < n_forced
        else tint_of(judged[i], own=own[i].probability)
        for i, word in enumerate(words)
    ]
    return TintedText(title, [word.text for word in words], tints)


def _next_bars(of: Translation, place: int) -> None:
    """Draw what could have come in place of one token."""
    step = of.steps[place]
    tokens = [candidate.token for candidate in step.candidates]
    table = prediction_table(
        [candidate.symbol or "(end)" for candidate in step.candidates],
        {"": np.array([candidate.probability for candidate in step.candidates])},
        most=6,
        marked=tokens.index(step.token) if step.token in tokens else None,
    )
    before = as_code(of.steps[place - 1].symbol) if place else "the start"
    st.markdown(f"**One vector: next subword after {before}**")
    show_chart(
        prediction_bars(table, unit="subword", mark="written"),
        table,
        key="forced_next",
        alt="; ".join(f"{c.symbol or 'end'} {percent(c.probability)}" for c in step.candidates[:4]),
        name="next-subword",
        is_small=True,
    )
