"""The next token: the settings of the sampling chain, the distribution they leave, draws from it."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from lm_core.generation.batch_generation import next_token_counts
from lm_core.generation.sampling import SamplingSettings, Stage
from lm_core.rng import generator
from pages.shared.charts.palette import visible
from pages.shared.charts.predictions import percentage, picked_id, prediction_bars, prediction_table
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.markdown import as_code
from pages.war_and_peace.generation_charts import counts_frame, counts_over_theory
from pages.war_and_peace.session import GenerationSession


def choose_temperature(unit: str) -> float:
    """Draw the slider of the temperature, and return it.

    Parameters
    ----------
    unit : str
        What the model writes at a time: ``character`` or ``token``.
    """
    temperature: float = control(
        st.slider,
        "temperature",
        "Temperature",
        0.0,
        2.0,
        0.7,
        0.05,
        help="Divides the logits. 1 = as the model says, below 1 = more certain, above 1 = wilder,"
        f" 0 = always the most probable {unit}.",
        width=210,
    )
    return temperature


def choose_other_settings(temperature: float, unit: str) -> SamplingSettings:
    """Draw the settings of the sampling chain after the temperature, and return them all."""
    left, right = st.columns(2)
    with left:
        cuts = _cuts(unit)
    with right:
        rare = _rarer_settings(unit)
    return SamplingSettings(temperature=temperature, **cuts, **rare)


def _cuts(unit: str) -> dict[str, Any]:
    return {
        "top_k": control(
            st.slider,
            "top_k",
            "Top-k",
            0,
            70,
            0,
            help=f"Keep exactly the k most probable {unit}s; 0 keeps all.",
        ),
        "top_p": control(
            st.slider,
            "top_p",
            "Top-p",
            0.05,
            1.0,
            1.0,
            0.01,
            help=f"Keep the smallest set of {unit}s whose probabilities reach p; 1 keeps all.",
        ),
        "min_p": control(
            st.slider,
            "min_p",
            "Min-p",
            0.0,
            0.5,
            0.0,
            0.01,
            help=f"Keep {unit}s at least this share as probable as the best one; 0 = off.",
        ),
    }


def settings_note(settings: SamplingSettings) -> None:
    """Say under which settings the picture below was made; let it be made again."""
    active = ", ".join(
        f"{name.replace('_', ' ')} {getattr(settings, name):g}"
        for name in sorted(settings.active)
        if name != "mirostat_rate"
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Settings: {active or 'plain sampling, temperature 1'}.")
        st.button("Use the settings above", icon=":material/refresh:", type="tertiary")


def _rarer_settings(unit: str) -> dict[str, Any]:
    harm = " On single letters it soon does harm: every letter is a repetition."
    return {
        "repetition_penalty": control(
            st.slider,
            "repetition_penalty",
            "Repetition penalty",
            1.0,
            2.0,
            1.0,
            0.05,
            help=f"Divides the positive logits of the last 64 {unit}s, multiplies negative ones."
            f" 1 = off.{harm if unit == 'character' else ''}",
        ),
        "top_n_sigma": control(
            st.slider,
            "top_n_sigma",
            "Top-n-sigma",
            0.0,
            5.0,
            0.0,
            0.1,
            help="Keep logits within n standard deviations of the best one; 0 = off.",
        ),
        "typical_p": control(
            st.slider,
            "typical_p",
            "Locally typical",
            0.05,
            1.0,
            1.0,
            0.01,
            help=f"Keep the {unit}s whose surprise is nearest to the average, until together they have this"
            " probability; 1 switches it off.",
        ),
        "mirostat_tau": control(
            st.slider,
            "mirostat_tau",
            "Mirostat 2: target surprisal (bits)",
            0.0,
            5.0,
            0.0,
            0.1,
            help=f"After each {unit} the cut-off is adjusted so that the text has this many bits of surprise on"
            " average; 0 switches it off.",
        ),
    }


_PICK = "writing_pick"
_MOST_BARS, _MOST_PRESENTED = 8, 6
_MOST_DRAWN = 14
_MOST_OFFERED = 4_000
"""Tokens to pick from by hand: of a larger vocabulary the most probable ones."""


def next_character_panel(session: GenerationSession) -> None:
    """Draw what the next token, or the inspected one, is drawn from, over what the model predicts."""
    unit, symbols = session.vocabulary.unit, session.vocabulary.symbols
    before = session.inspected
    trace = (before or session.generation).chain_trace()
    model, chain = trace.stages[0], trace.stages[-1]
    drawn = session.generation.written[len(before.written)].token if before else None
    table = prediction_table(
        symbols,
        {"": chain.probabilities.numpy()},
        before=model.probabilities.numpy(),
        most=_MOST_PRESENTED if is_presenting() else _MOST_BARS,
        marked=drawn,
    )
    best, n_kept = int(chain.probabilities.argmax()), int(chain.kept.sum())
    share = percentage(float(chain.probabilities[best]))
    which = f"Next {unit}" if before is None else f"{unit.capitalize()} {len(before.written) + 1:,}"
    outlined = "" if chain is model else " under the settings; outlined, the model's own"
    st.markdown(f"**{which}: its probability**{outlined}")
    chosen = show_chart(
        prediction_bars(table, unit=unit),
        table,
        key=f"writing_next_{session.picks}",
        alt=f"The most probable {unit} is {visible(symbols[best])} with {share};"
        f" {n_kept} of {len(symbols)} {unit}s are kept.",
        name=f"next-{unit}",
        selectable=True,
    )
    if any(stage.active for stage in trace.stages[1:]) and not is_presenting():
        st.caption("Bars: after your settings. Outlines: what the model itself predicts.")
    tapped = picked_id(chosen)
    if tapped:  # <unk> cannot be written
        st.button(
            f"Write {as_code(visible(symbols[tapped]))}",
            icon=":material/edit:",
            key="write_tapped",
            disabled=session.room <= 0,
            on_click=session.pick,
            args=(tapped,),
        )


def pick_by_hand(session: GenerationSession) -> None:
    """Offer to write any token by hand."""
    unit = session.vocabulary.unit
    offered: Sequence[int] = range(1, len(session.vocabulary))
    if len(offered) > _MOST_OFFERED:
        probabilities = session.generation.chain_trace().stages[0].probabilities
        offered = probabilities.topk(_MOST_OFFERED).indices.tolist()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            f"Pick a {unit}",
            offered,
            format_func=lambda token: visible(session.vocabulary.symbols[token]),
            key=_PICK,
            width=210,
        )
        st.button(
            "Write it",
            key="write_token",
            disabled=session.room <= 0,
            on_click=_write_picked,
            args=(session,),
        )


def _write_picked(session: GenerationSession) -> None:
    session.pick(st.session_state[_PICK])


def sampling_chain(session: GenerationSession) -> None:
    """Draw the distribution after each link of the chain that is active, side by side."""
    unit = session.vocabulary.unit
    trace = (session.inspected or session.generation).chain_trace()
    stages = [stage for stage in trace.stages if stage.active]
    table = prediction_table(
        session.vocabulary.symbols,
        {stage.name: stage.probabilities.numpy() for stage in stages},
        most=_MOST_BARS,
    )
    st.markdown(f"**{_explain(stages[0], stages[-1], unit)}**")
    show_chart(
        prediction_bars(table, unit=unit),
        table,
        key="writing_chain",
        alt="; ".join(
            f"{stage.name}: {float(stage.entropy_bits):.2f} bits, {int(stage.kept.sum())} possible"
            for stage in stages
        ),
        name="sampling-chain",
    )


def _explain(model: Stage, chain: Stage, unit: str) -> str:
    text = (
        f"The model is uncertain by {float(model.entropy_bits):.2f} bits, as if"
        f" {float(model.effective_choices):.1f} {unit}s were equally probable"
    )
    if model is chain:
        return f"{text}; nothing is changed before the draw"
    return (
        f"{text}; after the chain it is {float(chain.entropy_bits):.2f} bits,"
        f" {float(chain.effective_choices):.1f} choices, {int(chain.kept.sum())} of"
        f" {len(chain.kept)} {unit}s possible"
    )


def draws(session: GenerationSession, seed: int) -> None:
    """Draw the next token many times, without writing it."""
    unit = session.vocabulary.unit
    n_draws = control(
        st.select_slider,
        "draws",
        "Draws",
        [10, 30, 100, 300, 1_000, 3_000, 10_000],
        1_000,
        format_func=lambda n: f"{n:,}",
    )
    probabilities = session.generation.chain_trace().probabilities
    counts = next_token_counts(probabilities, n_draws, generator(seed)).numpy()
    order = probabilities.argsort(descending=True, stable=True).numpy()
    symbols = [session.vocabulary.symbols[i] for i in order]
    theory = probabilities.numpy()[order]
    frame = counts_frame(symbols, counts[order], theory)
    possible = frame[(frame["theory"] > 0) | (frame["count"] > 0)]
    most = _MOST_PRESENTED if is_presenting() else _MOST_DRAWN
    show_chart(
        counts_over_theory(possible.head(most), n_draws, unit=unit),
        frame,
        key="writing_draws",
        alt=f"Shares of {n_draws} draws of the next {unit} over their probabilities.",
        name="draws",
    )
    outside = int(((frame["share"] < frame["low"]) | (frame["share"] > frame["high"])).sum())
    never = int(((frame["theory"] > 0) & (frame["count"] == 0)).sum())
    st.markdown(
        f"**{n_draws:,} draws** of the next {unit}, after the text above."
        f" {outside} of {len(possible)} possible {unit}s lie more than two standard errors from"
        f" their probability; {never} were never drawn at all."
    )
