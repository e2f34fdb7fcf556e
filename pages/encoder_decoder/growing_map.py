"""The sentence made longer word by word: what each model translates, as a map and as texts."""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.translation_support import JudgedWord, lost_from
from pages.encoder_decoder.tints import LEGEND, tint_of
from pages.shared.charts.support import support_map, support_table
from pages.shared.components.texts import TintedText, plain_text, tinted_texts
from pages.shared.counts import counted
from pages.shared.models.translation import ATTENTION, ONE_VECTOR
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.figures import show_chart

TITLES = {ONE_VECTOR: "One vector", ATTENTION: "Attention"}


class Grown(NamedTuple):
    """One model's translations of a growing sentence."""

    beginnings: tuple[str, ...]  # of the sentence, each longer than the one before
    rows: tuple[tuple[JudgedWord, ...], ...]  # the words of each translation

    @property
    def lengths(self) -> list[int]:
        """Words of each beginning."""
        return [len(beginning.split()) for beginning in self.beginnings]

    @property
    def lost_at(self) -> int | None:
        """Words of the sentence from which on a word is invented every time; None if it never is."""
        place = lost_from(self.rows)
        return None if place is None else self.lengths[place]


class Picture(NamedTuple):
    """What is drawn: both models' translations, and what the question leaves of them."""

    grown: dict[str, Grown]  # by the model's name
    is_masked: bool  # whether the one-vector model's answer waits
    guess: int | None  # the length that was guessed, once the answer may be drawn


def draw_growing(maps: DeltaGenerator, texts: DeltaGenerator, picture: Picture, step: int) -> None:
    """Draw which words were translated at each length, and the texts."""
    longest = max(len(row) for grown in picture.grown.values() for row in grown.rows)
    beginning = picture.grown[ONE_VECTOR].beginnings[step]
    n_words = len(beginning.split())
    # Presented, the sentence stands in its field above, and large type has room for the translations.
    title = f"English, {counted(n_words, 'word')}"
    english = [] if is_presenting() else [plain_text(title, beginning)]
    with texts:
        tinted_texts(
            [
                *english,
                *(
                    _text(name, grown.rows[step], n_words, picture.is_masked and name == ONE_VECTOR)
                    for name, grown in picture.grown.items()
                ),
            ],
            key="grown_texts",
            label="Both translations",
            hint="Point at a word for its support.",
            legend=LEGEND,
            fills_place=is_presenting(),
        )
    with maps:
        # Large type leaves no room for two beside the texts.
        places = (
            [st.container() for _ in TITLES] if is_presenting() else st.columns(2, gap="medium")
        )
        for place, name in zip(places, TITLES, strict=True):
            is_masked = picture.is_masked and name == ONE_VECTOR
            guess = picture.guess if name == ONE_VECTOR else None
            with place:
                _map(name, picture.grown[name], step, longest, is_masked, guess)


def _map(
    name: str, grown: Grown, step: int, longest: int, is_masked: bool, guess: int | None
) -> None:
    table = support_table(
        [
            (n, [(word.text, word.probability, word.is_invented) for word in row])
            for n, row in zip(grown.lengths, grown.rows, strict=True)
        ],
        is_masked=is_masked,
        now=grown.lengths[step],
        guess=guess,
    )
    st.markdown(f"**{TITLES[name]}**")
    show_chart(
        support_map(table, longest=longest, height=200),
        table.drop_columns(["start", "end", "said"]),
        key=f"grown_{_key(name)}",
        alt=_described(grown, is_masked),
        name=f"growing-sentence-{_key(name)}",
        is_small=True,
    )


def _described(grown: Grown, is_masked: bool) -> str:
    if is_masked:
        return f"{len(grown.rows)} translations; which words are invented waits for a guess."
    invented = (
        f"{counted(n, 'word')}: {sum(w.is_invented for w in row)} of {len(row)}"
        for n, row in zip(grown.lengths, grown.rows, strict=True)
    )
    return f"Invented words of the translation by length of the sentence. {'; '.join(invented)}."


def _text(name: str, words: tuple[JudgedWord, ...], n_words: int, is_masked: bool) -> TintedText:
    tints = [tint_of(word, is_masked=is_masked) for word in words]
    title = f"{TITLES[name]}, after {counted(n_words, 'word')}" if is_presenting() else TITLES[name]
    return TintedText(title, [word.text for word in words], tints)


def _key(name: str) -> str:
    return name.removeprefix("translation-").replace("-", "_")
