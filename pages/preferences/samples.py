"""Samples along the way: the same beginnings before, in the course of and after a tuning; and one's own."""

from functools import partial

import streamlit as st

from lm_core.experiments.preferences import writing
from lm_core.experiments.preferences.prompts import vocabulary
from lm_core.experiments.preferences.results import TunedWriter
from lm_core.experiments.preferences.rules import RULES
from lm_core.experiments.preferences.settings import DPO, PPO, RULE, WRITER
from lm_core.models.low_rank import tuned_copy
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.preferences.scene import choose_rule, one_line, shipped_results, written_texts
from pages.shared import page
from pages.shared.models.language_models import model_named

_N_TEXTS = 3
_START = "Pierre looked at"


def samples(screen: page.FirstScreen) -> None:
    """Draw what a writer makes of the same beginnings at each evaluation, and of the visitor's own."""
    rule = choose_rule(screen)
    runs = {_name(run): run for run in shipped_results().tuned if run.config.rule == rule}
    names = sorted(runs)
    start = next((n for n in names if n.startswith(PPO) and not n.endswith(" 0")), names[0])
    with screen.controls:
        run = runs[page.choice("tuning", "Tuned by", names, start, width=250)]
    with screen.picture:
        n, draw = len(run.points), partial(_draw, run)
        page.playback_bar("sample_step", n, draw, label="Evaluation", seconds_per_step=0.8)
    page.note_beside(
        screen,
        f"The rule: {RULES[rule].formula}. Each batch changes the model a little, so you can"
        " watch: play from the left. What changes first, and does it stop being a text?",
    )
    if not page.is_presenting():
        _own(run)


def _name(run: TunedWriter) -> str:
    config = run.config
    paid = ", rule" if config.reward == RULE and config.method != DPO else ""
    return f"{config.method}{paid}, β = {config.kl_weight:g}"


def _draw(run: TunedWriter, i: int) -> None:
    first, now = run.points[0], run.points[i]
    st.markdown(
        f"**After {now.step} batches: {now.kl:.1f} nats from the original model, reward {now.reward:.1f}**"
    )
    written_texts(now.texts)
    if i:
        st.caption("The original model, after the same beginnings")
        written_texts(first.texts[:1] if page.is_presenting() else first.texts)


def _own(run: TunedWriter) -> None:
    """Let the untuned and the tuned writer go on after a visitor's beginning."""
    st.header("Your own beginning", anchor=False)
    columns = st.columns([2, 1.4, 0.8], vertical_alignment="bottom")
    with columns[0]:
        beginning = page.text("beginning", "Beginning", _START, max_chars=writing.MOST_BEGINNING)
    with columns[1]:
        about = (
            "The tuned model is the original one plus a low-rank update, so with a part of the"
            " update it lies between the two."
        )
        share = page.slider("update", "Share of the update, %", 0, 100, 100, 10, help=about)
    with columns[2]:
        seed = page.number("seed", "Seed", 0, 999, 1)
    beginning = page.read_and_say("beginning", beginning, _readable, _START)
    tuning = shipped_results().tuned.index(run)
    left, right = st.columns(2, gap="medium")
    for place, part, title in (
        (left, 0, "Original model"),
        (right, share, f"{share} % of the update"),
    ):
        with place:
            st.caption(title)
            with st.container(border=True, gap="xsmall"):
                for written in _written(tuning, part, beginning, seed):
                    st.text(f"… {one_line(written)}")


def _readable(beginning: str) -> tuple[str, WhatWasRead]:
    known = vocabulary()
    text = known.decode(writing.read_beginning(beginning)[0].tolist())
    return text, sentence_as_read(beginning, text, known)


@st.cache_data(max_entries=256, show_spinner=False)
def _written(tuning: int, share: int, beginning: str, seed: int) -> list[str]:
    """Return continuations by the writer with a share, in per cent, of a tuning's update."""
    model = _writer(tuning if share else 0, share)
    with page.model_calls:
        return writing.write_on(model, writing.read_beginning(beginning), _N_TEXTS, seed)


@st.cache_resource(max_entries=4, show_spinner=False)
def _writer(tuning: int, share: int) -> TransformerLanguageModel:
    """Return the writer with a share of a tuning's update."""
    writer = model_named(WRITER).model
    with page.model_calls:
        return tuned_copy(writer, shipped_results().tuned[tuning].matrices, share / 100)
