"""One sentence through both models: what each was certain of, what is invented, and what each vector holds."""

import hashlib
from collections.abc import Sequence

import streamlit as st

from lm_core.analysis.translation_support import LEAST_SUPPORT, JudgedWord, word_certainties
from pages.encoder_decoder.growing_map import TITLES
from pages.encoder_decoder.one_vector import Certain, draw_vector
from pages.encoder_decoder.tints import LEGEND, tint_of
from pages.shared import page
from pages.shared.charts.support import certainty_bars, certainty_table
from pages.shared.components.texts import TintedText, plain_text, tinted_texts
from pages.shared.models.translation import (
    ONE_VECTOR,
    TRANSFORMER,
    reference_of,
    traced,
    translated,
)
from pages.shared.numbers import percent

GREEDY, BEAM = "greedy", "beam of 5"
_WIDTHS = {GREEDY: 1, BEAM: 5}
_ANSWERS = {"nearly certain, 90 %": 0.9, "half, 50 %": 0.5, "hardly, 10 %": 0.1}


def _choose_width() -> int:
    """Draw how both models search, and return the width of the beam."""
    said = page.segments(
        "search",
        "Search",
        list(_WIDTHS),
        GREEDY,
        help="*Greedy* takes the most probable subword at each step; a *beam* keeps several"
        " translations, so it can change its mind.",
    )
    return _WIDTHS[said]


def side_by_side(screen: page.FirstScreen, sentence: str) -> None:
    """Draw how certain either model was of each word, and where it invents."""
    with page.more(screen):
        width = _choose_width()
    both = {name: _certain(name, sentence, width) for name in TITLES}
    one = both[ONE_VECTOR]
    asked = _ask(screen, one, sentence)
    is_masked = asked.masks
    with screen.picture:
        st.markdown(f"**{_finding(one, is_masked)}**")
        for name, certain in both.items():
            is_asked = name == ONE_VECTOR
            _bars(name, certain, is_masked and is_asked, _guessed(asked) if is_asked else None)
        if not page.is_presenting():
            _texts(both, sentence, is_masked)
    if not page.is_presenting():
        with screen.beside:
            draw_vector(sentence, both)
    page.note_beside(
        screen,
        "A bar is the model's own probability of a word, a grey tick what the transformer gives"
        f" it after the same sentence and words. If that is under {percent(LEAST_SUPPORT)}, the"
        " word is called *invented* (×, orange), unless the English sentence has the very same"
        " word, because a name may be copied.",
    )


def _certain(name: str, sentence: str, width: int) -> Certain:
    translation = translated(name, sentence, width)
    judged = traced(TRANSFORMER, sentence, translation.target_ids)
    return Certain(translation, word_certainties(translation), word_certainties(judged, sentence))


def _ask(screen: page.FirstScreen, one: Certain, sentence: str) -> page.Asked:
    """Ask how certain the model was of the words that it invented; None where there are none."""
    if not one.invented:
        return page.Asked()
    name = hashlib.sha256(sentence.encode()).hexdigest()[:8]
    others = [o for o, j in zip(one.own, one.judged, strict=True) if not j.is_invented]
    beside = f", of the others **{percent(_mean(others))}**" if others else ""
    return page.ask(
        screen,
        f"certain_{name}",
        "How certain was the one-vector model of the words that it invented?",
        _ANSWERS,
        right=_mean(one.invented),
        reason=(
            f"It gave invented words a mean probability of **{percent(_mean(one.invented))}**{beside}."
            " Its certainty says how usual a word is at that place, so it may be certain of a word that the"
            " sentence does not contain."
        ),
    )


def _guessed(asked: page.Asked) -> float | None:
    if asked.prediction is None or asked.masks or asked.guess is None:
        return None
    return _ANSWERS[asked.guess]


def _mean(words: Sequence[JudgedWord]) -> float:
    return sum(word.probability for word in words) / len(words)


def _finding(one: Certain, is_masked: bool) -> str:
    if not one.invented:
        return "From one vector, too, no word of this translation is invented"
    noun, them = ("word", "it") if len(one.invented) == 1 else ("words", "them on average")
    certainty = "?" if is_masked else percent(_mean(one.invented))
    return f"The one-vector model invents {len(one.invented)} {noun}, and was {certainty} certain of {them}"


def _bars(name: str, certain: Certain, is_masked: bool, guess: float | None) -> None:
    words = [word.text for word in certain.own]
    own, support = ([word.probability for word in row] for row in (certain.own, certain.judged))
    invented = [word.is_invented for word in certain.judged]
    table = certainty_table(words, own, support, invented, is_masked=is_masked, guess=guess)
    st.markdown(f"**{TITLES[name]}**")
    page.show_chart(
        certainty_bars(table, height=150),
        key=f"certainty_{name.removeprefix('translation-').replace('-', '_')}",
        alt="; ".join(
            f"{row['word']} {_said(row['certainty'])}, transformer {percent(row['support'], 1)}"
            for row in table.to_pylist()
            if row["support"] is not None
        ),
        name=f"certainty-{name.removeprefix('translation-')}",
        is_small=True,
    )


def _said(certainty: float | None) -> str:
    return "?" if certainty is None else percent(certainty)


def _texts(both: dict[str, Certain], sentence: str, is_masked: bool) -> None:
    texts = [plain_text("English", sentence)]
    for name, certain in both.items():
        tints = [
            tint_of(judged, own=None if is_masked and name == ONE_VECTOR else own.probability)
            for judged, own in zip(certain.judged, certain.own, strict=True)
        ]
        texts.append(TintedText(TITLES[name], [word.text for word in certain.judged], tints))
    if (reference := reference_of(sentence)) is not None:
        texts.append(plain_text("A person", reference))
    tinted_texts(
        texts,
        key="certain_texts",
        label="Both translations",
        hint="Point at a word: how certain the model was, and the transformer.",
        legend=LEGEND,
    )
