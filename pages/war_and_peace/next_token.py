"""The next token: the settings of the sampling chain, the distribution they leave, draws from it."""

import streamlit as st

from lm_core.generation.batch_generation import next_character_counts
from lm_core.generation.sampling import ChainTrace, SamplingSettings, Stage
from lm_core.rng import generator
from pages.shared import charts
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.war_and_peace.session import GenerationSession
from pages.war_and_peace.text import choose_shortest_match


def sampling_controls(unit: str) -> tuple[SamplingSettings, int]:
    """Draw the controls; return the chain's settings and the shortest passage that is underlined.

    Parameters
    ----------
    unit : str
        What the model writes at a time: ``character`` or ``token``.
    """
    often = st.columns([1, 1, 1, 0.55], vertical_alignment="bottom")
    with often[0]:
        temperature = control(
            st.slider,
            "temperature",
            "Temperature",
            0.0,
            2.0,
            0.7,
            0.05,
            help="Divides the logits. 1 = as the model says, below 1 = surer, above 1 = wilder,"
            f" 0 = always the most probable {unit}.",
        )
    with often[1]:
        top_k = control(
            st.slider,
            "top_k",
            "Top-k",
            0,
            70,
            0,
            help=f"Keep exactly the k most probable {unit}s; 0 keeps all.",
        )
    with often[2]:
        top_p = control(
            st.slider,
            "top_p",
            "Top-p",
            0.05,
            1.0,
            1.0,
            0.01,
            help=f"Keep the smallest set of {unit}s whose probabilities reach p; 1 keeps all.",
        )
    with often[3], st.popover("More", icon=":material/tune:", width="stretch"):
        rare = _rarer_settings(unit)
        shortest_match = choose_shortest_match()
    settings = SamplingSettings(temperature=temperature, top_k=top_k, top_p=top_p, **rare)
    return settings, shortest_match


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


def _rarer_settings(unit: str) -> dict[str, float]:
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
            help=f"Keep {unit}s about as surprising as the entropy, until they reach this mass;"
            " 1 = off.",
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
        "mirostat_tau": control(
            st.slider,
            "mirostat_tau",
            "Mirostat 2: target surprisal (bits)",
            0.0,
            5.0,
            0.0,
            0.1,
            help=f"Moves a cut so that written {unit}s are this surprising on average; 0 = off.",
        ),
    }


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
    "mirostat_tau",
)
_MOST_BARS = 70  # of the next token: as many as there are characters


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
        return  # <unk> cannot be written
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
        if st.form_submit_button("Write it", key="write_token"):
            _pick(session, token)


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
    counts = next_character_counts(probabilities, n_draws, generator(seed)).numpy()
    order = probabilities.argsort(descending=True, stable=True).numpy()
    symbols = [session.vocabulary.symbols[i] for i in order]
    theory = probabilities.numpy()[order]
    frame = charts.counts_frame(symbols, counts[order], theory)
    show_chart(
        charts.counts_over_theory(frame.head(_MOST_BARS), unit=unit),
        frame,
        key="writing_draws",
        alt=f"Shares of {n_draws} draws of the next {unit} over their probabilities.",
        name="draws",
    )
    outside = int(((frame["share"] < frame["low"]) | (frame["share"] > frame["high"])).sum())
    possible = int((frame["theory"] > 0).sum())
    never = int(((frame["theory"] > 0) & (frame["count"] == 0)).sum())
    st.markdown(
        f"**{n_draws:,} draws** of the next {unit}, after the text above."
        f" {outside} of {possible} possible {unit}s lie more than two standard errors from"
        f" their probability; {never} were never drawn at all."
    )
