"""Which text is whose? The finished models of a class go on from one prompt, their names hidden."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import NamedTuple
from urllib.parse import parse_qs

import streamlit as st

from lm_core.classroom.records import AskedQuestion, Question
from lm_core.classroom.summaries import summarise
from lm_core.errors import LMCoreError
from lm_core.experiments.war_and_peace.experiment import NAME
from lm_core.generation.prompts import default_prompt
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.jobs.jobs import Job
from lm_core.jobs.records import RunState
from lm_core.training.checkpoints import CheckpointMeta, read_meta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared.classroom.asking import ask
from pages.shared.classroom.attempts import attempt
from pages.shared.classroom.class_trainings import class_trainings, is_open_to_class
from pages.shared.models.book_models import model_of
from pages.shared.rooms.membership import Membership, membership
from pages.shared.rooms.store import answers_to, store
from pages.shared.trainings.trainings import is_of_class, known_jobs, name_of_model
from pages.shared.turns import fragment, model_calls
from pages.shared.ui.addresses import link_to
from pages.shared.ui.markdown import as_code, escaped
from pages.shared.ui.messages import show_error
from pages.shared.ui.text_input import PROMPT_CHARACTERS
from pages.war_and_peace.pace import pace_of

VIEW = "Whose text?"
_MOST, _LENGTH = 6, 120
"""Texts side by side, and characters of each: as many as a projector has room for."""
_EVERY_S = 1.0
_ADDRESS = "war-and-peace"
_KEY = re.compile("[0-9a-f]{16}")


class Round(NamedTuple):
    """What is compared; from the question on the same for all, whatever is trained or typed meanwhile.

    Attributes
    ----------
    keys : tuple of str
        Of the runs, in the order of their letters.
    prompt : str
    temperature : float
    seed : int
    """

    keys: tuple[str, ...]
    prompt: str
    temperature: float
    seed: int

    def link(self) -> str:
        """Return what a question keeps of it."""
        parameters = {
            "view": VIEW,
            "prompt": self.prompt,
            "temperature": self.temperature,
            "seed": self.seed,
            "writers": self.keys,
        }
        return link_to(_ADDRESS, parameters)

    @classmethod
    def of(cls, link: str) -> "Round | None":
        """Return the one that a question is about; None if it is about something else."""
        address, _, written = link.partition("?")
        asked = parse_qs(written, keep_blank_values=True)
        keys = tuple(filter(_KEY.fullmatch, asked.get("writers", [])))[:_MOST]
        if address != _ADDRESS or not keys:
            return None
        try:
            prompt, temperature, seed = (
                asked[name][0] for name in ("prompt", "temperature", "seed")
            )
            return cls(keys, prompt, float(temperature), int(seed))
        except (KeyError, ValueError):
            return None


class Panel(NamedTuple):
    """A letter, whose model it stands for, and what that has written."""

    letter: str
    job: Job
    text: str


class Verdict(NamedTuple):
    """What has been revealed: which letter is right, how often each was chosen, and what one said oneself."""

    right: str | None
    counts: Mapping[str, int]
    own: str | None

    def said_of(self, letter: str) -> str:
        """Return what belongs to a letter, as Markdown."""
        n = self.counts.get(letter, 0)
        parts = [f"{n} {'guess' if n == 1 else 'guesses'}"]
        parts += ["yours"] if letter == self.own else []
        right = " :material/check:" if letter == self.right else ""
        return f"{right} · {', '.join(parts)}"


def whose_text(prompt: str, temperature: float, seed: int) -> None:
    """Draw what the class's best models write, and let the presenter ask which text is whose.

    Parameters
    ----------
    prompt : str
        As it was typed; each model reads what its vocabulary has of it.
    temperature : float
    seed : int
    """
    # Meanwhile the class finishes trainings, and its presenter asks and reveals.
    fragment(_draw, run_every=_EVERY_S)(prompt[:PROMPT_CHARACTERS], temperature, seed)


def _draw(prompt: str, temperature: float, seed: int) -> None:
    here = membership()
    if here is None:
        st.info("This compares the models of a class: open or join one with *Class* above.")
        return
    asked = here.state.asked
    running = None if asked is None else Round.of(asked.question.link)
    drawn = running or Round(_best(here), prompt, temperature, seed)
    if len(drawn.keys) < 2:
        st.info("Once two students' trainings have finished, their models write side by side here.")
        return
    with st.container(key="live_whose_text"):
        panels = _written(here, drawn)
        verdict = _verdict(here, asked) if running and asked and asked.is_revealed else None
        is_revealed = verdict is not None
        if here.member.is_presenter and running is None:
            is_revealed = _presenter(here, drawn, panels)
        _show(panels, drawn, verdict, is_revealed=is_revealed)


def _verdict(here: Membership, asked: AskedQuestion) -> Verdict:
    counts = summarise(
        asked.question, answers_to(store().rooms, asked.id, here.state.removed_count)
    ).counts
    return Verdict(asked.question.right, counts, here.own_answer(asked.id))


def _best(here: Membership) -> tuple[str, ...]:
    """Return the keys of the best finished runs, one a student, in an order that does not tell whose."""
    best: dict[str, str] = {}
    for training in class_trainings(here.code, NAME):
        if training.state is RunState.FINISHED and training.is_open:
            best.setdefault(training.visitor, training.key)
    keys = sorted(list(best.values())[:_MOST])
    random.Random(f"{here.code} {keys}").shuffle(keys)
    return tuple(keys)


# Writing ----------------------------------------------------------------------------------------


def _written(here: Membership, drawn: Round) -> list[Panel]:
    """Return what the models write; one that is gone or damaged is named by its letter and left out."""
    known = (job for job in known_jobs() if is_of_class(job, here) and is_open_to_class(job))
    jobs = {job.key: job for job in known}
    panels = []
    for letter, key in zip(ascii_uppercase, drawn.keys, strict=False):
        if key not in jobs:
            st.caption(f"{letter}: its training was deleted, or is private.")
            continue
        try:
            panels.append(Panel(letter, jobs[key], _text_of(jobs[key], drawn)))
        except LMCoreError as error:
            show_error(f"{letter}: {error}", st.warning)
    return panels


def _text_of(job: Job, drawn: Round) -> str:
    name = name_of_model(job)
    meta = replace(read_meta(job.run.checkpoint), name=name)
    ids = _read(drawn.prompt, meta)
    settings = SamplingSettings(temperature=drawn.temperature)
    return _continuation(name, meta.weights_sha256, ids, settings, drawn.seed, meta)


def _read(prompt: str, meta: CheckpointMeta) -> tuple[int, ...]:
    """Return what a model's vocabulary has of the prompt, or where there is nothing its default."""
    vocabulary = vocabulary_of(meta)
    ids = vocabulary.prepare(prompt).ids
    known = ids[vocabulary.known(ids)]
    return tuple((known if len(known) else vocabulary.encode(default_prompt(vocabulary))).tolist())


@st.cache_data(max_entries=64, show_spinner="Writing")
def _continuation(
    name: str,
    weights_sha256: str,
    ids: tuple[int, ...],
    settings: SamplingSettings,
    seed: int,
    _meta: CheckpointMeta,
) -> str:
    """Return what a model writes after a prompt: once for all of a class, a piece at a time."""
    with model_calls:
        generation = TextGeneration.begin(model_of(name, weights_sha256), ids, settings, seed)
    piece = pace_of(_meta).piece
    for _ in range(_LENGTH // piece):
        with model_calls:
            generation.write(piece)
    return vocabulary_of(_meta).decode([token.token for token in generation.written])


# Drawing ----------------------------------------------------------------------------------------


def _presenter(here: Membership, drawn: Round, panels: Sequence[Panel]) -> bool:
    """Draw what the presenter may do, and return whether the names are to be shown."""
    by_alias = {panel.job.status.alias: panel.letter for panel in panels}
    with st.container(horizontal=True, vertical_alignment="center", key="whose_buttons"):
        if len(panels) > 1:
            alias = st.selectbox(
                "Whose text?",
                sorted(by_alias),
                key="whose_alias",
                width=340,
                label_visibility="collapsed",
            )
            st.button(
                "Ask the class",
                icon=":material/groups:",
                type="primary",
                key="whose_ask",
                on_click=attempt,
                args=(_ask, here, drawn, alias, by_alias.get(alias)),
            )
        return st.toggle("Show the names", key=f"whose_names_{'_'.join(drawn.keys)}")


def _ask(here: Membership, drawn: Round, alias: str, right: str | None) -> None:
    letters = tuple(ascii_uppercase[: len(drawn.keys)])
    question = f"Which text did {alias}'s model write?"
    ask(here, Question("choice", question, letters, right=right, link=drawn.link()))


def _show(
    panels: Sequence[Panel], drawn: Round, verdict: Verdict | None, *, is_revealed: bool
) -> None:
    per_row = 2 if len(panels) in (2, 4) else 3
    st.caption(
        f"All go on from {as_code(drawn.prompt)} at temperature {drawn.temperature:g} with seed"
        f" {drawn.seed}."
    )
    with st.container(key="whose_guesses" if verdict else "whose_panels", gap="small"):
        for begin in range(0, len(panels), per_row):
            row = panels[begin : begin + per_row]
            for column, panel in zip(st.columns(per_row), row, strict=False):
                with column.container(border=True, gap="xsmall"):
                    _panel(panel, verdict, is_revealed=is_revealed)


def _panel(panel: Panel, verdict: Verdict | None, *, is_revealed: bool) -> None:
    name = f" · {escaped(panel.job.status.alias)}" if is_revealed else ""
    said = verdict.said_of(panel.letter) if verdict else ""
    st.markdown(f"**{panel.letter}{name}**{said}")
    st.text(panel.text)
    if is_revealed:
        loss = panel.job.run.held_out_loss()
        held_out = "" if loss is None else f", held-out loss {loss:.3f}"
        st.caption(f"{escaped(panel.job.config.title)}{held_out}")
