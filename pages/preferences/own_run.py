"""A tuning of one's own: in the background, with reward, KL and texts while it lasts."""

import contextlib

import pandas as pd
import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.preferences.experiment import preference_run
from lm_core.experiments.preferences.rules import RULES, SHORT
from lm_core.experiments.preferences.settings import (
    DPO,
    EXPERIMENT,
    METHODS,
    PPO,
    REWARD_MODEL,
    RULE,
    TuningConfig,
)
from lm_core.experiments.preferences.votes import Vote
from lm_core.jobs import jobs
from lm_core.jobs.jobs import Job
from lm_core.jobs.metrics_log import MetricsLogReader
from lm_core.jobs.records import RunConfig
from pages.preferences.class_votes import class_votes
from pages.preferences.scene import STYLES, results_or_message
from pages.shared import charts
from pages.shared.charts.palette import ORANGE
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen
from pages.shared.ui.jobs_panel import jobs_panel
from pages.shared.ui.training_requests import (
    choose_training_seed,
    submit_training,
    training_setting,
)
from pages.shared.ui.visitor import visitor

_VOTES_LEAST = 5
_MINE, _ALL = "my votes", "everybody's votes"
_WEIGHTS = (0.0, 0.03, 0.1, 0.3, 1.0)
_STEPS = (10, 20, 30, 60)
_STYLES = {"reward": STYLES[PPO], "KL": charts.LineStyle(ORANGE, 1)}
_SAMPLES = "preferences_samples"


def own_run(screen: FirstScreen) -> None:
    """Draw the settings of a tuning and the tunings of this server."""
    if results_or_message(screen) is None:
        return
    who = visitor()
    with screen.beside:
        _form(who)
    with screen.picture:
        jobs_panel(who, experiment=EXPERIMENT, picture=_progress, nothing_yet=_nothing_yet)


def _form(who: str) -> None:
    goal = training_setting(
        st.selectbox, "train_goal", "What is liked", [*RULES, _MINE, _ALL], index=2
    )
    method = training_setting(st.selectbox, "train_method", "Method", METHODS, index=1)
    weight = training_setting(
        st.select_slider,
        "train_weight",
        "KL weight β",
        _WEIGHTS,
        0.3,
        format_func=lambda weight: f"{weight:g}",
    )
    reward, steps, seed = REWARD_MODEL, _STEPS[2], 1
    with st.popover("More", icon=":material/tune:"):
        reward = training_setting(st.selectbox, "train_reward", "Rewarded by", (REWARD_MODEL, RULE))
        steps = training_setting(st.select_slider, "train_batches", "Batches", _STEPS, _STEPS[2])
        seed = choose_training_seed()
    votes = _votes(goal, who)
    refused = _refused(goal, method, weight, reward, len(votes))
    st.button(
        "Tune",
        icon=":material/model_training:",
        type="primary",
        key="preferences_train",
        disabled=bool(refused),
        on_click=_submit,
        args=(goal, method, weight, reward, int(steps), seed, votes, who),
    )
    st.caption(
        refused
        or "A minute or two of one processor, while the page stays alive. Equal settings show the same tuning."
    )
    with contextlib.suppress(LMCoreError):  # a head start, no more: Tune says what is wrong
        jobs.expect_one()


def _votes(goal: str, who: str) -> tuple[Vote, ...]:
    """Return the votes that are learned from; none where a rule judges."""
    if goal == _MINE:
        return class_votes().of(who)
    return class_votes().of_all() if goal == _ALL else ()


def _refused(goal: str, method: str, weight: float, reward: str, n_votes: int) -> str:
    """Say why these settings cannot be tuned with; nothing if they can."""
    if goal not in RULES and n_votes < _VOTES_LEAST:
        return f"There are {n_votes} votes: judge at least {_VOTES_LEAST} pairs under *Pairs*."
    if goal not in RULES and reward == RULE and method != DPO:
        return "There is no rule behind votes: let the reward model pay."
    if method == DPO and not weight:
        return "DPO needs a β above 0."
    return ""


def _submit(
    goal: str,
    method: str,
    weight: float,
    reward: str,
    steps: int,
    seed: int,
    votes: tuple[Vote, ...],
    who: str,
) -> None:
    def config() -> RunConfig:
        settings = TuningConfig(
            goal if goal in RULES else SHORT, method, reward, weight, steps=steps, seed=seed
        )
        return preference_run(settings, votes)

    submit_training(config, who)


# Meanwhile ------------------------------------------------------------------------------------


def _progress(job: Job, log: MetricsLogReader) -> None:
    """Draw reward and KL of the batches so far, or the loss of DPO, and the newest texts."""
    steps = float(job.status.steps)
    rows = log.rows
    if rows[-1].get("reward") is None:
        _curve({"loss": [(float(r["step"]), r["loss"]) for r in rows]}, steps, "loss (nats)", 1.0)
    else:
        left, right = st.columns(2, gap="small")
        with left:
            lines = {"reward": [(float(r["step"]), r["reward"]) for r in rows]}
            _curve(lines, steps, "reward (s.d.)", 8.0)
        with right:
            lines = {"KL": [(float(r["step"]), r["kl"]) for r in rows]}
            _curve(lines, steps, "KL (nats per text)", max(10.0, *(r["kl"] for r in rows)))
    _newest(job)


def _curve(
    lines: dict[str, list[tuple[float, float]]], steps: float, title: str, most: float
) -> None:
    name, pairs = next(iter(lines.items()))
    least = min(0.0, -1.0 if name == "reward" else 0.0)
    show_chart(
        charts.line_chart(
            lines,
            {**_STYLES, "loss": STYLES[DPO]},
            charts.Axis("batches", (0.0, steps)),
            charts.Axis(title, (least, most)),
            has_names=False,
            height=190,
        ),
        pd.DataFrame(pairs, columns=["batches", name]),
        key=f"own_{name.lower()}",
        alt=f"The {name} is {pairs[-1][1]:.2f} after {pairs[-1][0]:.0f} batches.",
        name=f"own-{name.lower()}",
        is_small=True,
    )


def _newest(job: Job) -> None:
    known, samples = st.session_state.get(_SAMPLES, (None, None))
    if known != job.key:
        samples = MetricsLogReader(job.run.samples_file)
        st.session_state[_SAMPLES] = (job.key, samples)
    samples.read()
    if not samples.rows:
        return
    newest = samples.rows[-1]
    st.caption(f"What it writes after {newest['step']} batches")
    with st.container(border=True):
        st.text(newest["text"])


def _nothing_yet() -> None:
    if not is_presenting():
        st.markdown(
            "Choose what is liked, then press *Tune*: a job tunes the writer, and its reward, its KL and its"
            " texts appear here while it runs. The prepared tunings are under *Reward*."
        )
