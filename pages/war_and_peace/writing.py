"""The desk itself: the text as it grows, and the exact distribution of its next character."""

import math

import numpy as np
import streamlit as st
from pages.war_and_peace.session import FIRST_TOKENS, TOKENS_PER_SECOND, GenerationSession

from lm_core.generation.repetition import find_loop
from lm_core.generation.sampling import ChainTrace, Stage
from pages.shared import charts
from pages.shared.components.token_strip import token_strip
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.war_and_peace.copying import describe_copies, find_copies

_WHOLE_CHAIN = "whole chain"
_STAGES = (
    _WHOLE_CHAIN,
    "repetition penalty",
    "temperature",
    "top-n-sigma",
    "top-k",
    "typical",
    "top-p",
    "min-p",
    "mirostat",
)
_LINE_TOKENS = 100  # at the text's end, shown in the surprisal line
_MOST_BARS = 70  # of the next token: as many as there are characters


def text_panel(session: GenerationSession, shortest_copy: int) -> None:
    """Draw the buttons, the text and its surprisal line."""
    _buttons(session)
    generation, vocabulary = session.generation, session.vocabulary
    n_prompt = len(generation.prompt_ids)
    copies = find_copies(generation.ids[n_prompt:], shortest_copy, vocabulary)
    clicked = token_strip(
        vocabulary.spell(generation.ids),
        [None] * n_prompt + [written.model_probability for written in generation.written],
        key="writing_strip",
        prompt_length=n_prompt,
        copied=[(n_prompt + start, n_tokens) for start, n_tokens in copies.in_tokens],
        picked=[n_prompt + i for i, w in enumerate(generation.written) if w.picked_by_hand],
        unit=vocabulary.unit,
        label=f"The text so far, each {vocabulary.unit} tinted by the probability the model gave it",
        typewriter_ms=1000 if session.is_live else 0,
    )
    if clicked is not None and clicked >= n_prompt:
        session.stop()
        generation.rewind(clicked - n_prompt)
        st.rerun()
    if copies.finder:
        st.caption(describe_copies(copies))
    _loop_note(session)
    _surprisal(session)


def next_character_panel(session: GenerationSession) -> None:
    """Draw the next token's distribution before and after a stage of the chain."""
    unit = session.vocabulary.unit
    stage_name = control(
        st.selectbox,
        "stage",
        f"Next {unit}, before and after",
        _STAGES,
        label_visibility="collapsed",
        format_func=lambda stage: f"Next {unit}, before and after: {stage}",
        help="The chain applies its links from top to bottom. All characters are drawn; of many"
        f" tokens the {_MOST_BARS} most probable, and the table below has them all.",
    )
    trace = session.generation.chain_trace()
    before, after = _before_and_after(trace, stage_name)
    frame = charts.distribution_frame(
        session.vocabulary.symbols, before.probabilities.numpy(), after.probabilities.numpy()
    )
    best = frame.loc[frame["after"].idxmax()]
    n_kept = int(after.kept.sum())
    chosen = show_chart(
        charts.distribution_chart(
            frame.head(_MOST_BARS), cutoff=f"{n_kept} kept", scale="sqrt", height=300, unit=unit
        ),
        frame,
        key=f"writing_next_{session.picks}",
        alt=f"Probability of each of {len(frame)} {unit}s to come next. Most probable after the"
        f" {stage_name}: {best['symbol']} with {best['after']:.1%}; {n_kept} {unit}s are kept.",
        name=f"next-{unit}",
        selectable=True,
    )
    picked = charts.picked_id(chosen)
    if picked is not None:
        _pick(session, picked)
    st.caption(_explain(before, after, stage_name, unit))
    _pick_by_name(session)


def _buttons(session: GenerationSession) -> None:
    written, unit = len(session.generation.written), session.vocabulary.unit
    is_full = session.room <= 0
    with st.container(horizontal=True, gap="xsmall", key="writing_buttons"):
        if session.is_live:
            pressed = st.button("Stop", icon=":material/stop:", type="primary", shortcut="P")
            change = session.stop
        else:
            pressed = st.button(
                "Write on" if written else "Write",
                icon=":material/play_arrow:",
                type="primary",
                shortcut="P",
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
            help=f"Write one {unit}.",
            disabled=session.is_live or is_full,
            on_click=session.write,
            args=(1,),
        )
        st.button(
            "Back",
            icon=":material/skip_previous:",
            shortcut="Left",
            help=f"Take the last {unit} back.",
            disabled=session.is_live or not written,
            on_click=lambda: session.generation.rewind(written - 1),
        )
        st.button(
            "Again",
            help="Write again from the prompt, with the same seed, under the settings above.",
            disabled=session.is_live,
            on_click=session.begin_again,
            args=(FIRST_TOKENS[unit],),
        )
        st.button(
            "Clear",
            help="Back to the prompt.",
            disabled=session.is_live or not written,
            on_click=session.begin_again,
            args=(0,),
        )
    if session.is_live:
        st.caption(f"Writing {TOKENS_PER_SECOND} {unit}s a second. Every control works.")
    elif is_full:
        st.caption(f"The page is full. Clear it, or click a {unit} to go back to it.")


def _surprisal(session: GenerationSession) -> None:
    recent = session.generation.written[-_LINE_TOKENS:]
    if not recent:
        return
    surprisal = [-math.log2(max(w.model_probability, 1e-12)) for w in recent]
    frame = charts.surprisal_frame(
        session.vocabulary.spell([w.token for w in recent]),
        surprisal,
        [w.entropy_bits for w in recent],
    )
    mean, unit = sum(surprisal) / len(surprisal), session.vocabulary.unit
    show_chart(
        charts.surprisal_line(frame, window=_LINE_TOKENS, height=170, unit=unit),
        frame,
        key="writing_surprisal",
        alt=f"Surprisal of the last {len(recent)} {unit}s in bits: {mean:.2f} on average,"
        f" {max(surprisal):.1f} at most.",
        name="surprisal",
    )


def _loop_note(session: GenerationSession) -> None:
    loop = find_loop(np.array(session.generation.ids))
    if loop is not None and loop.repeats >= 3:
        st.info(
            f"The text goes round in circles: its last {loop.period} {session.vocabulary.unit}s stand there"
            f" {loop.repeats} times in a row. The lower the temperature, the sooner this happens:"
            " the model is led back to nearly the state it was in, and then chooses the same again.",
            icon=":material/cycle:",
        )


def _before_and_after(trace: ChainTrace, stage_name: str) -> tuple[Stage, Stage]:
    if stage_name == _WHOLE_CHAIN:
        return trace.stages[0], trace.stages[-1]
    names = [stage.name for stage in trace.stages]
    position = names.index(stage_name)
    return trace.stages[position - 1], trace.stages[position]


def _explain(before: Stage, after: Stage, stage_name: str, unit: str) -> str:
    text = (
        f"**{float(before.entropy_bits):.2f} bits** of uncertainty, as if"
        f" {float(before.effective_choices):.1f} {unit}s were equally probable"
    )
    if not after.active and stage_name != _WHOLE_CHAIN:
        return f"{text}. *{stage_name.capitalize()}* is off: it changes nothing."
    return (
        f"{text}; after {stage_name} **{float(after.entropy_bits):.2f} bits**,"
        f" {float(after.effective_choices):.1f} choices, {int(after.kept.sum())} of"
        f" {len(after.kept)} {unit}s possible. Click a bar to write that {unit}."
    )


def _pick(session: GenerationSession, token: int) -> None:
    if token == 0 or session.room <= 0:
        return  # <unk> stands for nothing that could be written
    session.stop()
    session.generation.pick(token)
    session.picks += 1  # a new chart: the bar that was clicked is no longer chosen
    st.rerun()


def _pick_by_name(session: GenerationSession) -> None:
    """Offer by keyboard what a click on a bar does."""
    tokens = range(1, len(session.vocabulary))
    with (
        st.form("writing_pick", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        token = st.selectbox(
            f"Pick a {session.vocabulary.unit}",
            tokens,
            format_func=lambda token: charts.visible(session.vocabulary.symbols[token]),
            label_visibility="collapsed",
        )
        if st.form_submit_button("Write it"):
            _pick(session, token)
