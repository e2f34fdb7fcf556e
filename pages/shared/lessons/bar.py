"""The bar at the lower edge of every page while a lesson is on: the step, and the way to the next.

In the presenter view, where the picture needs the height, it is a part of the title's line.
"""

import streamlit as st

from pages.shared.classroom.asking import ask_of_lesson, may_ask
from pages.shared.classroom.following import is_led
from pages.shared.classroom.lesson_place import PLACE, Place, leave, place_in_lesson, remember
from pages.shared.classroom.pace import note_class_step, waits_for_rest
from pages.shared.lessons.completion import note_step, show_code
from pages.shared.lessons.kept import lesson_named
from pages.shared.lessons.lesson_file import Lesson, Step
from pages.shared.ui.addresses import link_to
from pages.shared.ui.controls import follow_link, is_presenting
from pages.shared.ui.markdown import escaped

_STYLE = """
:root { --lesson-bar: 4.3rem; }
/* The page ends above the bar, which hides nothing of it. */
:is([data-testid="stAppViewContainer"], [data-testid="stMain"]) {
  height: calc(100dvh - var(--lesson-bar)); bottom: auto;
}
[data-testid="stLayoutWrapper"]:has(> .st-key-lesson_bar) { position: absolute; }
.st-key-lesson_bar {
  position: fixed; inset: auto 0 0 0; z-index: 100; height: var(--lesson-bar);
  padding: 0.2rem 1rem; gap: 0.5rem; flex-wrap: nowrap;
  background: color-mix(in srgb, Canvas 93%, CanvasText);
  border-top: 1px solid color-mix(in srgb, CanvasText 25%, transparent);
}
.st-key-lesson_bar > [data-testid="stElementContainer"]:has(style) { display: none; }
.st-key-lesson_bar > [data-testid="stElementContainer"]:has([data-testid="stMarkdown"]) {
  flex: 1 1 0; min-width: 0; max-height: 100%; overflow-y: auto;
}
.st-key-lesson_bar > [data-testid="stElementContainer"] > .stMarkdown :is(p, div) { margin: 0; }
.st-key-lesson_bar > [data-testid="stElementContainer"] > .stMarkdown p {
  font-size: 0.93rem; line-height: 1.25;
}
.st-key-lesson_bar [kind="tertiary"] [data-testid="stMarkdownContainer"] {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
}
.st-key-lesson_bar button { min-height: 2.2rem; white-space: nowrap; }
@media (max-width: 640px) {
  :root { --lesson-bar: 7.6rem; }
  .st-key-lesson_bar { flex-wrap: wrap; align-content: space-between; gap: 0.2rem 0.5rem; }
  .st-key-lesson_bar > [data-testid="stElementContainer"]:has([data-testid="stMarkdown"]) {
    flex: 1 0 100%; max-height: 4.7rem;
  }
}
"""


_WAIT = "**Wait here**, because your teacher wants the others to catch up. "


def step_link(lesson: Lesson, place: Place) -> str:
    """Return the link to the page of a step, with its settings and the lesson."""
    here = place.parameters | ({"present": "1"} if is_presenting() else {})
    return link_to(lesson.steps[place.step - 1].link, here)


def lesson_bar() -> None:
    """Draw the bar if a lesson is on; the app's entry calls it, so that every page has it.

    A link says which lesson is on by ``lesson`` and ``lesson_step``. A visitor who walks to other
    pages by the menu keeps it until they leave it. Who is led by a class's presenter reads what the
    step says, and goes on with them.
    """
    place = place_in_lesson()
    if place is None:
        note_class_step(None)
        return
    lesson = lesson_named(place.name)
    if lesson is None:
        leave()
        st.warning(
            "This lesson is not known here, because it was brought to another server or long ago, or its address has a slip.",
            icon=":material/link_off:",
        )
        return
    place = place._replace(step=min(max(place.step, 1), len(lesson.steps)))
    remember(place)
    note_step(place)
    note_class_step(place)
    _draw(lesson, place)


def lesson_is_on() -> bool:
    """Return whether this visit is in a lesson."""
    place = place_in_lesson()
    return place is not None and lesson_named(place.name) is not None


def _draw(lesson: Lesson, place: Place) -> None:
    step, n = lesson.steps[place.step - 1], len(lesson.steps)
    waits = waits_for_rest(place)
    where = f"{place.step} of {n}"
    with st.container(key="lesson_bar", horizontal=True, vertical_alignment="center", gap="xsmall"):
        if not is_presenting():
            st.html(f"<style>{_STYLE}</style>")
            st.markdown(
                f"**{escaped(step.title)}** · {where} · {step.minutes} min  \n"
                f"{_WAIT if waits else ''}{escaped(step.do)}"
            )
        label = f"Step {where}" if is_presenting() else "See"
        with st.popover(label, icon=":material/visibility:", key="lesson_see"):
            if is_presenting():
                st.markdown(f"**{escaped(step.title)}**, {step.minutes} min. {escaped(step.do)}")
            st.markdown(f"**You should see.** {escaped(step.see)}")
            if step.question:
                st.markdown(f"**Question.** {escaped(step.question)}")
            st.caption(f"{escaped(lesson.title)} · {lesson.minutes} minutes")
            if place.step == n and is_led():  # who walks alone gets it when they finish
                show_code(place.name, lesson)
        if is_led():
            return
        if step.question and may_ask():
            _ask_button(step)
        if _button("back", "Back", ":material/arrow_back:", disabled=place.step == 1):
            follow_link(step_link(lesson, place._replace(step=place.step - 1)))
        if _button("again", "This step's page, with its settings", ":material/replay:"):
            follow_link(step_link(lesson, place))
        if place.step < n:
            if _button("next", "Next", ":material/arrow_forward:", is_primary=True, disabled=waits):
                follow_link(step_link(lesson, place._replace(step=place.step + 1)))
        elif _button("finish", "Finish", ":material/check:", is_primary=True, disabled=waits):
            leave()
            follow_link(link_to("lessons", {PLACE[0]: place.name}))
        if _button("leave", "Leave the lesson", ":material/close:"):
            leave()
            st.rerun()


def _ask_button(step: Step) -> None:
    """Draw the button that asks the class this step's question."""
    st.button(
        "Ask the class",
        icon=":material/contact_support:",
        help=f"Ask the class: {escaped(step.question)}",
        type="tertiary" if is_presenting() else "secondary",  # one line has no room for its words
        key="lesson_ask",
        on_click=ask_of_lesson,
        args=(lambda: step.class_question,),
    )


def _button(
    name: str, label: str, icon: str, *, is_primary: bool = False, disabled: bool = False
) -> bool:
    """Draw a button of the bar; of the words only those of the one that leads on are seen."""
    return st.button(
        label,
        icon=icon,
        help=None if is_primary else label,
        type="primary" if is_primary else "tertiary",
        disabled=disabled,
        key=f"lesson_{name}",
    )
