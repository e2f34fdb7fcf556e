"""The next token: the distribution that the sampling chain leaves, and draws from it."""

from collections.abc import Sequence

import streamlit as st

from lm_core.generation.batch_generation import next_token_counts
from lm_core.rng import generator
from pages.shared import page
from pages.shared.charts.palette import visible
from pages.shared.charts.predictions import percentage, picked_id, prediction_bars, prediction_table
from pages.shared.ui.markdown import as_code
from pages.war_and_peace.generation_charts import counts_frame, counts_over_theory
from pages.war_and_peace.generation_session import GenerationSession

_PICK = "writing_pick"
_MOST_BARS, _MOST_PRESENTED, _MOST_DRAWN = 8, 6, 14
_MOST_OFFERED = 4_000
"""Tokens to pick from by hand: of a larger vocabulary the most probable ones."""


def next_character_panel(session: GenerationSession) -> None:
    """Draw what the next token, or the inspected one, is drawn from, over what the model predicts."""
    unit, symbols = session.vocabulary.unit, session.vocabulary.symbols
    before = session.inspected
    trace = (before or session.generation).chain_trace()
    model, chain = trace.stages[0], trace.stages[-1]
    table = prediction_table(
        symbols,
        {"": chain.probabilities.numpy()},
        before=model.probabilities.numpy(),
        most=_MOST_PRESENTED if page.is_presenting() else _MOST_BARS,
        marked=session.generation.written[len(before.written)].token if before else None,
    )
    best, n_kept = int(chain.probabilities.argmax()), int(chain.kept.sum())
    share = percentage(float(chain.probabilities[best]))
    which = f"Next {unit}" if before is None else f"{unit.capitalize()} {len(before.written) + 1:,}"
    outlined = "" if chain is model else " under the settings; outlined, the model's own"
    st.markdown(f"**{which}: its probability**{outlined}")
    chosen = page.show_chart(
        prediction_bars(table, unit=unit),
        key=f"writing_next_{session.picks}",
        alt=f"The most probable {unit} is {visible(symbols[best])} with {share};"
        f" {n_kept} of {len(symbols)} {unit}s are kept.",
        name=f"next-{unit}",
        selectable=True,
    )
    if any(stage.active for stage in trace.stages[1:]) and not page.is_presenting():
        st.caption("Bars: after your settings. Outlines: what the model itself predicts.")
    if tapped := picked_id(chosen):  # <unk> cannot be written
        label, is_full = f"Write {as_code(visible(symbols[tapped]))}", session.room <= 0
        page.button("write_tapped", label, "edit", session.pick, tapped, disabled=is_full)


def pick_by_hand(session: GenerationSession) -> None:
    """Offer to write any token by hand."""
    offered: Sequence[int] = range(1, len(session.vocabulary))
    if len(offered) > _MOST_OFFERED:
        probabilities = session.generation.chain_trace().stages[0].probabilities
        offered = probabilities.topk(_MOST_OFFERED).indices.tolist()
    symbols = session.vocabulary.symbols
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            f"Pick a {session.vocabulary.unit}", offered, key=_PICK, width=210,
            format_func=lambda token: visible(symbols[token]),
        )  # fmt: skip
        st.button(
            "Write it", key="write_token", disabled=session.room <= 0,
            on_click=lambda: session.pick(st.session_state[_PICK]),
        )  # fmt: skip


def sampling_chain(session: GenerationSession) -> None:
    """Draw the distribution after each link of the chain that is active, side by side."""
    unit = session.vocabulary.unit
    trace = (session.inspected or session.generation).chain_trace()
    stages = [stage for stage in trace.stages if stage.active]
    distributions = {stage.name: stage.probabilities.numpy() for stage in stages}
    table = prediction_table(session.vocabulary.symbols, distributions, most=_MOST_BARS)
    model, chain = stages[0], stages[-1]
    after = "; nothing is changed before the draw"
    if model is not chain:
        after = (
            f"; after the chain it is {float(chain.entropy_bits):.2f} bits,"
            f" {float(chain.effective_choices):.1f} choices, {int(chain.kept.sum())} of"
            f" {len(chain.kept)} {unit}s possible"
        )
    st.markdown(
        f"**The model is uncertain by {float(model.entropy_bits):.2f} bits, as if"
        f" {float(model.effective_choices):.1f} {unit}s were equally probable{after}**"
    )
    page.show_chart(
        prediction_bars(table, unit=unit),
        key="writing_chain",
        alt="; ".join(
            f"{stage.name}: {float(stage.entropy_bits):.2f} bits, {int(stage.kept.sum())} possible"
            for stage in stages
        ),
        name="sampling-chain",
    )


def draws(session: GenerationSession, seed: int) -> None:
    """Draw the next token many times, without writing it."""
    unit = session.vocabulary.unit
    numbers = {n: f"{n:,}" for n in (10, 30, 100, 300, 1_000, 3_000, 10_000)}
    n_draws = page.pick("draws", "Draws", numbers, 1_000)
    probabilities = session.generation.chain_trace().probabilities
    counts = next_token_counts(probabilities, n_draws, generator(seed)).numpy()
    order = probabilities.argsort(descending=True, stable=True).numpy()
    symbols = [session.vocabulary.symbols[i] for i in order]
    frame = counts_frame(symbols, counts[order], probabilities.numpy()[order])
    possible = frame[(frame["theory"] > 0) | (frame["count"] > 0)]
    most = _MOST_PRESENTED if page.is_presenting() else _MOST_DRAWN
    page.show_chart(
        counts_over_theory(possible.head(most), n_draws, unit=unit),
        frame,
        key="writing_draws",
        alt=f"Shares of {n_draws} draws of the next {unit} over their probabilities.",
        name="draws",
    )
    outside = int(((frame["share"] < frame["low"]) | (frame["share"] > frame["high"])).sum())
    never = int(((frame["theory"] > 0) & (frame["count"] == 0)).sum())
    st.markdown(
        f"**{n_draws:,} draws** of the next {unit}, after the text above. {outside} of"
        f" {len(possible)} possible {unit}s lie more than two standard errors from their"
        f" probability; {never} were never drawn at all. Two standard errors hold about 95 % of"
        f" what chance does to a {unit} that is drawn often, so of these about one in twenty is expected outside; a rare"
        " one lies outside less often."
    )
