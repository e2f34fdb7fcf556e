"""A tuning of one's own: in the background, with reward, KL and texts while it lasts."""

import contextlib
from typing import NamedTuple

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.preferences import settings
from lm_core.experiments.preferences.experiment import preference_run
from lm_core.experiments.preferences.rules import RULES, SHORT
from lm_core.experiments.preferences.settings import DPO, PPO, REWARD_MODEL, RULE, TuningConfig
from lm_core.experiments.preferences.votes import Vote
from lm_core.jobs import jobs
from lm_core.jobs.jobs import Job
from lm_core.jobs.metrics_log import MetricsLogReader
from pages.preferences.class_votes import class_votes
from pages.preferences.scene import STYLES, shipped_results
from pages.shared import page
from pages.shared.charts.palette import ORANGE
from pages.shared.frame.jobs_panel import jobs_panel
from pages.shared.trainings import training_requests as requests
from pages.shared.trainings.training_requests import training_setting
from pages.shared.ui.visitor import visitor

_VOTES_LEAST = 5
_MINE, _ALL = "my votes", "everybody's votes"
_WEIGHTS = (0.0, 0.03, 0.1, 0.3, 1.0)
_STEPS = (10, 20, 30, 60)
_STYLES = {"reward": STYLES[PPO], "KL": page.LineStyle(ORANGE, 1), "loss": STYLES[DPO]}
_SAMPLES = "preferences_samples"


class _Wanted(NamedTuple):
    """A tuning that is asked for; without a rule, votes judge."""

    goal: str
    method: str
    weight: float
    reward: str
    steps: int
    seed: int
    votes: tuple[Vote, ...]

    @property
    def refused(self) -> str:
        """Why these settings cannot be tuned with; empty if they can."""
        is_by_people = self.goal not in RULES
        if is_by_people and len(self.votes) < _VOTES_LEAST:
            return f"There are {len(self.votes)} votes: judge at least {_VOTES_LEAST} pairs under *Pairs*."
        if is_by_people and self.reward == RULE and self.method != DPO:
            return "There is no rule behind votes: let the reward model pay."
        if self.method == DPO and not self.weight:
            return "DPO needs a β above 0."
        return ""

    def submit(self, who: str) -> None:
        """Ask for it as a job."""
        requests.submit_training(lambda: preference_run(self._config(), self.votes), who)

    def _config(self) -> TuningConfig:
        rule = self.goal if self.goal in RULES else SHORT
        asked = rule, self.method, self.reward, self.weight
        return TuningConfig(*asked, steps=self.steps, seed=self.seed)


def own_run(screen: page.FirstScreen) -> None:
    """Draw the settings of a tuning and the tunings of this server."""
    shipped_results()
    who, experiment = visitor(), settings.EXPERIMENT
    with screen.beside:
        _form(who)
    with screen.picture:
        jobs_panel(who, experiment=experiment, picture=_progress, nothing_yet=_nothing_yet)


def _form(who: str) -> None:
    one, scale = st.selectbox, st.select_slider
    goals = [*RULES, _MINE, _ALL]
    goal = training_setting(one, "train_goal", "What is liked", goals, index=2)
    method = training_setting(one, "train_method", "Method", settings.METHODS, index=1)
    form = "{:g}".format
    weight = training_setting(scale, "train_weight", "KL weight β", _WEIGHTS, 0.3, format_func=form)
    with st.popover("More", icon=":material/tune:"):
        payers = REWARD_MODEL, RULE
        reward = training_setting(one, "train_reward", "Rewarded by", payers)
        steps = training_setting(scale, "train_batches", "Batches", _STEPS, _STEPS[2])
        seed = requests.choose_training_seed()
    votes: tuple[Vote, ...] = ()
    if goal in (_MINE, _ALL):
        votes = class_votes().of(who) if goal == _MINE else class_votes().of_all()
    wanted = _Wanted(goal, method, weight, reward, int(steps), seed, votes)
    if requests.train_button("preferences_train", "Tune", disabled=bool(wanted.refused)):
        wanted.submit(who)
    same = " On one machine the same settings give the same result, because its random numbers have a fixed seed."
    st.caption(
        wanted.refused
        or "It takes one to two minutes, and you can go on using the page."
        + ("" if page.is_presenting() else same)
    )
    with contextlib.suppress(LMCoreError):  # a head start, no more: Tune says what is wrong
        jobs.expect_one()


# Meanwhile ------------------------------------------------------------------------------------


def _progress(job: Job, log: MetricsLogReader) -> None:
    """Draw reward and KL of the batches so far, or the loss of DPO, and the newest texts."""
    steps = float(job.status.steps)
    if log.rows[-1].get("reward") is None:
        _curve(log, steps, "loss", "loss (nats)", (0.0, 1.0))
    else:
        left, right = st.columns(2, gap="small")
        with left:
            _curve(log, steps, "reward", "reward (s.d.)", (-1.0, 8.0))
        with right:
            most = max(10.0, *(row["kl"] for row in log.rows))
            _curve(log, steps, "KL", "KL (nats per text)", (0.0, most))
    _newest(job)


def _curve(
    log: MetricsLogReader, steps: float, name: str, title: str, ends: tuple[float, float]
) -> None:
    page.show_lines(
        f"own_{name.lower()}",
        {name: [(float(row["step"]), row[name.lower()]) for row in log.rows]},
        _STYLES,
        page.Axis("batches", (0.0, steps)),
        page.Axis(title, ends),
        has_names=False,
        is_small=True,
        height=190,
    )


def _newest(job: Job) -> None:
    known, samples = st.session_state.get(_SAMPLES, (None, None))
    if known != job.key:
        samples = MetricsLogReader(job.run.samples_file)
        st.session_state[_SAMPLES] = (job.key, samples)
    samples.read()
    if samples.rows:
        newest = samples.rows[-1]
        st.caption(f"What it writes after {newest['step']} batches")
        st.container(border=True).text(newest["text"])


def _nothing_yet() -> None:
    if not page.is_presenting():
        st.markdown(
            "Choose what is liked, then press *Tune*. A job tunes the model, so you can go on"
            " meanwhile: and its reward, its KL and its texts appear here while it runs. The"
            " prepared tunings are under *Reward*."
            "\n\nThe model that is tuned has read *War and Peace* alone, because the pairs, votes and"
            " reward models of this page are made of its texts. A batch of PPO takes it 0.44 s of one"
            " core; the transformer that has read 33 books would take 1.16 s."
        )
