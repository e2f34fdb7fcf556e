"""The text as it grows: its buttons, its surprisal, and what of it is memorised."""

from concurrent.futures import Future
from threading import Timer
from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.generation import book_index_process
from lm_core.generation.memorisation import BookIndex, MemorisedSpan, tokens_inside
from lm_core.generation.ngram_membership import NgramFilter, load_filter
from lm_core.generation.repetition import find_loop
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import FULL, SOURCE, CharacterVocabulary
from lm_core.text.corpora import locate
from lm_core.text.vocabularies import characters_of
from lm_core.training.checkpoints import SHIPPED
from pages.shared.components.texts import token_strip
from pages.shared.counts import counted
from pages.shared.numbers import percent
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.messages import errors_in_place
from pages.war_and_peace.generation_charts import surprisal_line, surprisal_table
from pages.war_and_peace.pace import LARGE
from pages.war_and_peace.session import TOKENS_PER_SECOND, GenerationSession

READ_AFTER_S = 5.0
"""After the first visit the book is read, in seconds: by then that visitor has the page."""

_LINE_TOKENS = 100  # at the text's end, shown in the surprisal line
_SHOWN, _BLOCK = 600, 200
"""Of a text its last tokens are shown: at least so many, and less than a block more."""


def text_panel(session: GenerationSession, shortest_match: int) -> "MemorisedPassages":
    """Draw the end of the text, and return what of it is memorised."""
    generation, vocabulary = session.generation, session.vocabulary
    n_prompt, begin = len(generation.prompt_ids), _first_shown(len(generation.ids))
    written = generation.written[max(0, begin - n_prompt) :]
    ids = generation.ids[begin:]
    prompt_length = max(0, n_prompt - begin)
    memorised = MemorisedPassages((), shortest_match, None)
    with errors_in_place():  # the text is shown without them
        memorised = find_memorised(ids[prompt_length:], shortest_match, vocabulary)
    inspected = session.inspected
    clicked = token_strip(
        vocabulary.spell(ids),
        [None] * prompt_length + [token.model_probability for token in written],
        key="writing_strip",
        prompt_length=prompt_length,
        copied=[(prompt_length + start, n_tokens) for start, n_tokens in memorised.in_tokens],
        picked=[prompt_length + i for i, token in enumerate(written) if token.picked_by_hand],
        inspected=None if inspected is None else len(inspected.ids) - begin,
        begin=begin,
        drawn_with=[None] * prompt_length + [token.probability for token in written],
        unit=vocabulary.unit,
        label=f"The text so far, each {vocabulary.unit} tinted by the probability the model gave it",
        typewriter_ms=1000 if session.is_live else 0,
        fills_place=is_presenting(),
    )
    if clicked is not None:
        session.inspect(begin + clicked - n_prompt)
        st.rerun()
    if begin:
        st.caption(f"The last {len(ids):,} of {len(generation.ids):,} {vocabulary.unit}s.")
    return memorised


def _first_shown(n: int) -> int:
    """Return from which token on a text is shown: so much of it that a step costs the same at any length.

    It moves in blocks, so that a text that grows is seldom drawn anew.
    """
    return max(0, (n - _SHOWN) // _BLOCK * _BLOCK)


def writing_buttons(session: GenerationSession) -> None:
    """Draw the buttons that write, and those that take back."""
    written, unit = len(session.generation.written), session.vocabulary.unit
    is_full = session.room <= 0
    with st.container(horizontal=True, gap="xsmall", key="writing_buttons"):
        if session.is_live:
            pressed = st.button(
                "Stop", icon=":material/stop:", type="primary", shortcut="P", key="writing_stop"
            )
            change = session.stop
        else:
            pressed = st.button(
                "Write on" if written else "Write",
                icon=":material/play_arrow:",
                type="primary",
                shortcut="P",
                key="writing_start",
                disabled=is_full,
            )
            change = session.start
        if pressed:
            change()
            st.rerun()
        st.button(
            "Step",
            icon=":material/skip_next:",
            shortcut="Right",
            key="writing_step",
            help=f"Write one {unit}.",
            disabled=session.is_live or is_full,
            on_click=_step,
            args=(session,),
        )
        st.button(
            "Back",
            icon=":material/skip_previous:",
            shortcut="Left",
            key="writing_back",
            help=f"Take the last {unit} back.",
            disabled=session.is_live or not written,
            on_click=session.go_back,
            args=(written - 1,),
        )
        st.button(
            "Again",
            icon=":material/refresh:",
            key="writing_again",
            help="Write again from the prompt, with the same seed, under the present settings.",
            disabled=session.is_live,
            on_click=session.begin_again,
            args=(session.pace.first[unit],),
        )
        st.button(
            "Clear",
            icon=":material/delete:",
            key="writing_clear",
            help="Back to the prompt.",
            disabled=session.is_live or not written,
            on_click=session.begin_again,
            args=(0,),
        )
        st.button(
            "Undo",
            icon=":material/undo:",
            key="writing_undo",
            help="Bring back the text that the last change took away.",
            disabled=session.is_live or not session.past,
            on_click=session.undo,
        )


def inspection_buttons(session: GenerationSession) -> None:
    """Offer to go on from the token that is looked at, or to look at the next one again.

    They are not above the text: it would move under the finger that has tapped it.
    """
    if session.inspected is None:
        return
    i = len(session.inspected.written)
    with st.container(horizontal=True, gap="xsmall"):
        st.button(
            f"Go back to {session.vocabulary.unit} {i + 1:,}",
            icon=":material/content_cut:",
            key="writing_go_back",
            help="Takes away this one and all that follows. Undo brings them back.",
            on_click=session.go_back,
            args=(i,),
        )
        st.button(
            "Close",
            icon=":material/close:",
            key="writing_close",
            help=f"Look at the next {session.vocabulary.unit} again.",
            on_click=session.inspect,
            args=(None,),
        )


def _step(session: GenerationSession) -> None:
    session.inspect(None)
    session.write(1)


def finding(session: GenerationSession) -> str:
    """Return what is seen in the text, in one sentence with its numbers."""
    written, unit = session.generation.written, session.vocabulary.unit
    if session.is_live:
        speed = f"up to {TOKENS_PER_SECOND}" if session.pace is LARGE else f"{TOKENS_PER_SECOND}"
        return f"It writes {speed} {unit}s a second, and every control works"
    if session.room <= 0:
        return f"The page is full: clear it, or tap a {unit} to go back to it"
    if not written:
        return "The model has read your prompt: what will it write?"
    choices = 2 ** (sum(w.surprisal_bits for w in written) / len(written))
    return (
        f"The model wrote these {len(written):,} {unit}s: on average each was a choice among"
        f" {choices:.1f}"
    )


def surprisal(session: GenerationSession) -> None:
    """Draw the surprisal of the text's end, token by token."""
    recent = session.generation.written[-_LINE_TOKENS:]
    if not recent:
        return
    bits = [w.surprisal_bits for w in recent]
    table = surprisal_table(
        session.vocabulary.spell([w.token for w in recent]),
        bits,
        [w.entropy_bits for w in recent],
    )
    mean, unit = sum(bits) / len(bits), session.vocabulary.unit
    show_chart(
        surprisal_line(table, window=_LINE_TOKENS, height=170, unit=unit),
        table,
        key="writing_surprisal",
        alt=f"Surprisal of the last {len(recent)} {unit}s in bits: {mean:.2f} on average,"
        f" {max(bits):.1f} at most.",
        name="surprisal",
    )


def loop_note(session: GenerationSession) -> None:
    """Say so where the text has begun to repeat itself."""
    loop = find_loop(np.array(session.generation.ids))
    if loop is not None:
        st.info(
            f"The text repeats itself: a stretch of {counted(loop.period, session.vocabulary.unit)}"
            f" has come {counted(loop.repeats, 'time')} in a row. The lower the temperature, the sooner this happens:"
            " the model returns to nearly the same state, and then chooses the same again.",
            icon=":material/cycle:",
        )


def explain(session: GenerationSession) -> None:
    """Explain probability, surprisal and entropy with the generated text."""
    written, unit = session.generation.written, session.vocabulary.unit
    if unit == "token":
        _say_what_tokens_are(session)
    if not written:
        st.markdown(
            "The bars are everything the model knows about what comes next. Write, or pick a"
            f" {unit} by hand, and each {unit} shows the probability it had."
        )
        return
    mean = sum(w.surprisal_bits for w in written) / len(written)
    expected = sum(w.entropy_bits for w in written) / len(written)
    rarest = min(written, key=lambda w: w.model_probability)
    st.markdown(
        f"The {len(written):,} {unit}s have a mean *surprisal* of **{mean:.2f} bits**: −log₂ of the"
        " probability that the model gave to what was written."
        f" It expected {expected:.2f} bits, its *entropy*. {_verdict(mean - expected, unit)} The"
        f" least probable {unit} had {percent(rarest.model_probability, 2)}"
        f"{', picked by hand' if rarest.picked_by_hand else ''}."
    )


def _say_what_tokens_are(session: GenerationSession) -> None:
    ids, vocabulary = session.generation.ids, session.vocabulary
    n_characters = sum(map(len, vocabulary.spell(ids)))
    st.markdown(
        f"This model's *tokens* are {len(vocabulary) - 1:,} characters and subwords, some of"
        f" them whole words. The text above, the prompt included, is {len(ids):,} tokens long:"
        f" {n_characters / len(ids):.1f} characters each."
    )


def _verdict(difference: float, unit: str) -> str:
    if difference < -0.15:
        return "The text is more predictable than the model expected, because your settings remove unlikely tokens."
    if difference > 0.15:
        return "The text is more surprising than the model expected: your settings, or you, picked unlikely tokens."
    return (
        f"The two are close, because {unit}s are drawn as the model says. Over many texts they agree exactly;"
        " in a single text chance moves one of them."
    )


_FILTERS = {
    SOURCE.name: SHIPPED.parent / "results" / "ngram-filter",
    FULL.name: SHIPPED.parent / "results" / "ngram-filter-full",
}


class MemorisedPassages(NamedTuple):
    """The passages of a text that are in the book, and what found them."""

    spans: tuple[MemorisedSpan, ...]
    shortest: int
    finder: BookIndex | NgramFilter | None
    """None for a model of another text than the book, or where nothing knows its characters yet."""

    in_tokens: tuple[tuple[int, int], ...] = ()
    """Start and length of each passage in whole tokens of the text."""


def choose_shortest_match() -> int:
    """Draw the control for the shortest passage that is underlined, and return it."""
    return control(
        st.slider,
        "shortest_match",
        "Underline passages memorised from the book",
        16,
        60,
        24,
        format="from %d characters on",
    )


def find_memorised(
    ids: tuple[int, ...], shortest: int, vocabulary: CharacterVocabulary
) -> MemorisedPassages:
    """Return the passages of at least `shortest` characters that are in the book.

    They are looked up in the book itself where it is on this server and has been read, else in the
    shipped filter of their characters, which holds no text and is wrong now and then.
    """
    characters = characters_of(vocabulary)
    if characters is None:
        return MemorisedPassages((), shortest, None)
    index = book_index(characters.name) if locate(WAR_AND_PEACE.name) else None
    finder = index.result() if index and index.done() else _filter(characters.name)
    spans = finder.memorised_spans(characters.encode(vocabulary.decode(ids)), shortest)
    in_tokens = tokens_inside(spans, vocabulary.lengths[list(ids)])
    return MemorisedPassages(spans, shortest, finder, in_tokens)


def describe_memorised(memorised: MemorisedPassages) -> str:
    """Say how much is memorised, and how sure that is."""
    longest = max((span.length for span in memorised.spans), default=0)
    total = sum(span.length for span in memorised.spans)
    if not isinstance(memorised.finder, NgramFilter):
        found = f"{total:,} characters are in the book word for word; the longest passage has {longest}."
        return f"{found if longest else _none_in(memorised)} Compared with all of the book."
    why = "the book is not on this server or is still being read"
    if not longest:
        return f"{_none_in(memorised)} A filter of hashed pieces says so, because {why}."
    piece = memorised.finder.meta.gram_length
    by_chance = round(1 / memorised.finder.false_positive_rate)
    return (
        f"{total:,} characters look copied, at most {longest} in a row. They are recognised by pieces of"
        f" {piece} characters only, because {why}: the pieces of a passage may lie in different places of"
        f" the book, and about one new piece in {by_chance} is taken for a known one by mistake."
    )


def _none_in(memorised: MemorisedPassages) -> str:
    return f"No passage of {memorised.shortest} characters or more is in the book."


@st.cache_resource(max_entries=2, show_spinner=False)
def book_index(characters: str) -> Future[BookIndex]:
    """Soon have the book read and sorted, in another process: nobody waits for it, or beside it.

    Parameters
    ----------
    characters : str
        Name of the vocabulary that it is read in.
    """
    index: Future[BookIndex] = Future()
    timer = Timer(READ_AFTER_S, _build_index, (index, characters))
    timer.daemon = True
    timer.start()
    return index


def _build_index(index: Future[BookIndex], characters: str) -> None:
    try:
        index.set_result(book_index_process.book_index(characters))
    except LMCoreError as error:
        index.set_exception(error)


@st.cache_resource(max_entries=2, show_spinner=False)
def _filter(characters: str) -> NgramFilter:
    return load_filter(_FILTERS[characters])
