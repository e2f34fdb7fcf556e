"""A verdict stays with the question, the guess and the picture for which it was given, or goes with them."""

import re

import pytest

from pages.shared.registry import LESSONS
from tests.pages.moving import set_to
from tests.pages.visits import guess, questions, visit

_SAID = re.compile(r"(.*) You said: \*\*(.*)\*\*\.", re.DOTALL)
_VERDICT = re.compile(r":(?:green|orange)-badge\[:material/\w+: (Right|Not quite)\]")
_PARTS = ("part", "shape")
_SHORT = ("masked-language-model", "rnn-vs-lstm", "attention-by-hand")
"""Whose verdicts were once given anew at every change; the others are walked by hand (``-m slow``)."""


def parts(spec):
    """Return the settings that lead to each part of a page."""
    app = visit(spec.path)
    for element in app.main:
        if getattr(element, "key", None) in _PARTS:
            return [{element.key: option} for option in element.options]
    return [{}]


def texts(app):
    values = (getattr(element, "value", None) for element in app.main)
    return [text for text in values if isinstance(text, str)]


def verdicts(app):
    """Return the verdicts on a page, by the question and the guess above them."""
    found, asked = {}, None
    for text in texts(app):
        if said := _SAID.fullmatch(text):
            asked = said.groups()
        elif (verdict := _VERDICT.match(text)) and asked is not None:
            found[asked], asked = verdict[1], None
    return found


def unjudged(app):
    """Return the questions that were answered and have no verdict: to a class, nobody says what was right."""
    answered = {said.groups() for said in map(_SAID.fullmatch, texts(app)) if said}
    return sorted(answered - verdicts(app).keys())


def guess_all(app):
    for name in questions(app):
        guess(app, name)


def other_values(element):
    """Return values that a control may have besides its own: its ends, or its neighbours."""
    kind, value = element.type, getattr(element, "value", None)
    if kind in ("checkbox", "toggle"):
        return [not value]
    if kind in ("number_input", "slider") and isinstance(value, (int, float)):
        return [end for end in (element.min, element.max) if end not in (None, value)]
    if kind in ("selectbox", "radio", "select_slider", "button_group") and element.options:
        return [option for option in (element.options[0], element.options[-1]) if option != value]
    return []


def changes(app):
    """Return each control that is drawn, and what it may be set to."""
    for element in list(app.main):
        key = getattr(element, "key", None)
        if (
            key is None
            or key in _PARTS
            or key.startswith("guess_")
            or getattr(element, "disabled", False)
        ):
            continue
        for value in other_values(element):
            yield key, value


def flips_of(app):
    """Guess, see the answers, and return what happens to the verdicts when any control is changed."""
    guess_all(app)
    given, flips = verdicts(app), []
    if not given:
        return []
    for key, value in list(changes(app)):
        before = set_to(app, key, value)
        assert not app.exception, (key, value)
        now = verdicts(app)
        flips += [
            f"{key} = {value}: {asked} {given[asked]} -> {now[asked]}"
            for asked in given.keys() & now.keys()
            if given[asked] != now[asked]
        ]
        if before is not None:
            set_to(app, key, before)
    return flips


each_page = pytest.mark.parametrize(
    "spec",
    [
        pytest.param(
            spec, marks=() if spec.address in _SHORT else pytest.mark.slow, id=spec.address
        )
        for spec in LESSONS
    ],
)


@each_page
def test_every_guess_has_a_verdict(spec):
    faults = []
    for part in parts(spec):
        app = visit(spec.path, **part)
        guess_all(app)
        faults += [f"{part}: {asked}" for asked in unjudged(app)]
    assert not faults, "\n".join(faults)


@each_page
def test_no_control_turns_a_verdict_round(spec):
    flips = []
    for part in parts(spec):
        flips += [f"{part}: {flip}" for flip in flips_of(visit(spec.path, **part))]
    assert not flips, "\n".join(flips)
