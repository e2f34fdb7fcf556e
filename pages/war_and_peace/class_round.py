"""What a class's finished models write from one prompt, and what their class has guessed of it."""

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from string import ascii_uppercase
from typing import NamedTuple
from urllib.parse import parse_qs

import streamlit as st

from lm_core.classroom.records import AskedQuestion
from lm_core.classroom.summaries import summarise
from lm_core.errors import LMCoreError
from lm_core.experiments.war_and_peace.experiment import NAME
from lm_core.generation.prompts import default_prompt
from lm_core.generation.sampling import SamplingSettings
from lm_core.jobs.jobs import Job
from lm_core.jobs.records import RunState
from lm_core.training.checkpoints import read_meta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared import page
from pages.shared.classroom.class_trainings import class_trainings, is_open_to_class
from pages.shared.rooms.membership import Membership
from pages.shared.rooms.store import answers_to, store
from pages.shared.trainings.trainings import is_of_class, known_jobs, name_of_model
from pages.shared.ui.addresses import link_to
from pages.war_and_peace.opening import Opening
from pages.war_and_peace.session import continuation

VIEW = "Whose text?"
_MOST, _LENGTH = 6, 120
"""Texts side by side, and characters of each: as many as a projector has room for."""
_ADDRESS = "war-and-peace"
_KEY = re.compile("[0-9a-f]{16}")


class Round(NamedTuple):
    """What is compared; from the question on the same for all, whatever is trained or typed meanwhile."""

    keys: tuple[str, ...]  # of the runs, in the order of their letters
    prompt: str
    temperature: float
    seed: int

    def link(self) -> str:
        """Return what a question keeps of it."""
        given = self._asdict()
        return link_to(_ADDRESS, {"view": VIEW, "writers": given.pop("keys"), **given})

    @classmethod
    def of(cls, link: str) -> "Round | None":
        """Return the one that a question is about; None if it is about something else."""
        address, _, written = link.partition("?")
        asked = parse_qs(written, keep_blank_values=True)
        keys = tuple(filter(_KEY.fullmatch, asked.get("writers", [])))[:_MOST]
        if address != _ADDRESS or not keys:
            return None
        try:
            prompt, temperature, seed = (asked[name][0] for name in cls._fields[1:])
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
        guesses = f"{n} {'guess' if n == 1 else 'guesses'}{', yours' if letter == self.own else ''}"
        return f"{' :material/check:' if letter == self.right else ''} · {guesses}"


def verdict_of(here: Membership, asked: AskedQuestion) -> Verdict:
    """Return what has been revealed of a question."""
    answers = answers_to(store().rooms, asked.id, here.state.removed_count)
    counts = summarise(asked.question, answers).counts
    return Verdict(asked.question.right, counts, here.own_answer(asked.id))


def best_of_class(here: Membership) -> tuple[str, ...]:
    """Return the keys of the best finished runs, one a student, in an order that does not tell whose."""
    best: dict[str, str] = {}
    for training in class_trainings(here.code, NAME):
        if training.state is RunState.FINISHED and training.is_open:
            best.setdefault(training.visitor, training.key)
    keys = sorted(list(best.values())[:_MOST])
    random.Random(f"{here.code} {keys}").shuffle(keys)
    return tuple(keys)


def written_by(here: Membership, drawn: Round) -> list[Panel]:
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
            page.show_error(f"{letter}: {error}", st.warning)
    return panels


def _text_of(job: Job, drawn: Round) -> str:
    meta = replace(read_meta(job.run.checkpoint), name=name_of_model(job))
    vocabulary, settings = vocabulary_of(meta), SamplingSettings(temperature=drawn.temperature)
    read = vocabulary.prepare(drawn.prompt).ids
    # What its vocabulary has of the prompt, or where there is nothing its default.
    known = read[vocabulary.known(read)]
    ids = known if len(known) else vocabulary.encode(default_prompt(vocabulary))
    opening = Opening(meta, tuple(ids.tolist()), drawn.seed)
    return vocabulary.decode(continuation(opening, settings, _LENGTH)[len(ids) :])
