"""The training pairs that are nearest to a sentence, and whether its translation is one of theirs."""

import math
import re
from dataclasses import dataclass

import streamlit as st

from lm_core.experiments.translation.nearest_pairs import NearPair, PairIndex
from lm_core.text.sentence_pairs import NAME, TRAIN, SentencePair, load_pairs, missing_files
from pages.cross_attention.alignment import as_quote
from pages.cross_attention.subject import Subject
from pages.shared import page
from pages.shared.components.texts import SHARED, Passage, show_passages
from pages.shared.models.translation import how_to_fetch
from pages.shared.numbers import percent
from pages.shared.ui.markdown import as_code

OUTSIDE = (
    "The court may order the seller to repay the price within thirty days.",
    "Tomorrow it will rain in the north, and strong winds are expected at night.",
    "Parliament adopted the annual budget by a large majority.",
)
_COPY, _OWN = "Word for word one of them", "A sentence of its own"
_SHOWN, _SHOWN_PRESENTED = 4, 2
_TRAINING_FILES = tuple(f"{NAME}/{TRAIN}.{language}" for language in ("en", "fr"))


@dataclass(frozen=True)
class Training:
    """What the models learned from."""

    pairs: tuple[SentencePair, ...]
    index: PairIndex
    words: frozenset[str]  # of all English sentences
    targets: dict[tuple[str, ...], SentencePair]  # pairs by the words of their translation


def remember_or_translate(screen: page.FirstScreen, subject: Subject) -> None:
    """Draw the nearest training pairs, and ask whether the translation is one of theirs."""
    with screen.beside:
        st.menu_button(
            "A sentence from elsewhere", list(OUTSIDE), key="cross_outside", on_click=_take_outside
        )
    if gone := [name for name in missing_files() if name in _TRAINING_FILES]:
        with screen.picture:
            st.markdown(f"**{as_quote(subject.translation.text)}**")
            st.info(
                "The training sentences are not on this server, so none can be shown."
                f" {how_to_fetch(gone)}"
            )
        return
    training = _training()
    near = _nearest(subject.sentence)
    copied = training.targets.get(words_in(subject.translation.text))
    asked = _ask(screen, subject, training, copied)
    with screen.picture:
        text = as_quote(subject.translation.text) if not asked.masks else "“?”"
        st.markdown(f"**It writes {text}**")
        if near:
            shown = near[:_SHOWN_PRESENTED] if page.is_presenting() else near
            show_passages([_passage(one) for one in shown], key="cross_nearest")
        else:
            st.info("No training sentence shares a word with this one.")
        if not page.is_presenting():
            st.caption(
                f"Of {len(training.pairs):,} training pairs those that share most with the"
                " sentence, each word counted by its rarity, because a rare word says more about a"
                " sentence. Framed: shared words."
            )
    page.note_beside(screen, _about(subject, training, near))


def _ask(
    screen: page.FirstScreen, subject: Subject, training: Training, copied: SentencePair | None
) -> page.Asked:
    reason = (
        f"None of {len(training.pairs):,} training translations has these words in this order."
        if copied is None
        else f"It is the translation of {as_quote(copied.source)}"
    )
    return page.ask(
        screen,
        f"copies_{subject.name}",
        "Is the model's translation one of the French sentences that it has learned from?",
        (_COPY, _OWN),
        right=(_OWN if copied is None else _COPY),
        reason=reason,
    )


def _passage(found: NearPair) -> Passage:
    pieces = []
    for i, word in enumerate(found.pair.source.split()):
        is_shared = any(part in found.shared for part in words_in(word))
        pieces += [(" " if i else "", ""), (word, SHARED if is_shared else "")]
    pieces.append((f"  ⟶  {found.pair.target}", ""))
    return Passage(pieces, f"similarity {percent(found.similarity)}")


def _about(subject: Subject, training: Training, near: list[NearPair]) -> str:
    best = percent(near[0].similarity) if near else "0 %"
    unknown = [word for word in words_in(subject.sentence) if word not in training.words]
    never = ", ".join(as_code(word) for word in unknown[:5])
    translation = subject.translation
    bits = -translation.log_probability / len(translation.target_ids)
    return (
        f"The nearest training sentence has a similarity of **{best}**. "
        + (
            f"Never seen in training: {never}. The model learned from captions of photographs"
            " alone, so it puts other words together from pieces, or writes what captions have."
            if unknown
            else "Every word of the sentence was in the training, so it can be put together from parts."
        )
        + (
            f"\n\nIts own words surprise it by **{bits:.2f} nats** a token, so it was as unsure as among"
            f" {math.exp(bits):.1f} equally likely tokens."
        )
    )


def _take_outside() -> None:
    st.session_state["english"] = st.session_state["cross_outside"]


def words_in(sentence: str) -> tuple[str, ...]:
    """Return the words of a sentence, without case and signs."""
    return tuple(re.findall(r"[^\W_]+", sentence.lower()))


@st.cache_resource(max_entries=1, show_spinner="Reading the training sentences")
def _training() -> Training:
    pairs = load_pairs(TRAIN)
    words = frozenset(word for pair in pairs for word in words_in(pair.source))
    return Training(pairs, PairIndex(pairs), words, {words_in(p.target): p for p in pairs})


@st.cache_resource(max_entries=128, show_spinner=False)
def _nearest(sentence: str) -> list[NearPair]:
    return _training().index.nearest(sentence, _SHOWN)
