"""The teacher's sheet of a lesson: aim, minutes, steps, answers; on screen, and as a file to print.

What a page suggests to try stands, with its answers, where the lesson first comes to that part of the page.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape

import streamlit as st

from pages.shared.lessons.lesson_file import Lesson, Step
from pages.shared.suggestions import Suggestion, suggestions_on
from pages.shared.ui.markdown import escaped

_STYLE = """
body { font: 11pt/1.4 Georgia, serif; max-width: 46em; margin: 2em auto; padding: 0 1em; color: #20242A; }
h1 { font-size: 1.5em; margin-bottom: 0.2em; }
h2 { font-size: 1.1em; margin: 1.2em 0 0.2em; }
p { margin: 0.2em 0; }
.try { margin: 0.5em 0 0 1em; font-size: 0.9em; }
.link { font: 0.85em monospace; overflow-wrap: anywhere; }
section { break-inside: avoid; }
@media print { body { margin: 0; max-width: none; } }
"""


def sheet_html(lesson: Lesson, server: str, link: str) -> str:
    """Return the sheet as a page of its own, to be printed; every text of the lesson is escaped.

    Parameters
    ----------
    server : str, URL before the links of its steps, without a slash at its end
    link : str, by which a class opens the lesson
    """
    audience = f"<p><b>For:</b> {escape(lesson.audience)}</p>" if lesson.audience else ""
    steps = "".join(
        _section(n, step, server, found) for n, (step, found) in enumerate(_steps(lesson), 1)
    )
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(lesson.title)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{escape(lesson.title)}</h1>"
        f"<p>{escape(_subtitle(lesson))}</p><p><b>Aim:</b> {escape(lesson.aim)}</p>{audience}"
        f'<p class="link">{escape(link)}</p>{steps}</body></html>'
    )


def draw_sheet(lesson: Lesson) -> None:
    """Draw the sheet on the page."""
    st.markdown(f"**Aim.** {escaped(lesson.aim)}")
    if lesson.audience:
        st.markdown(f"**For.** {escaped(lesson.audience)}")
    for n, (step, suggestions) in enumerate(_steps(lesson), 1):
        said = [f"**{n}. {escaped(step.title)}** · {step.minutes} min"]
        said += [f"*{name}.* {escaped(text)}" for name, text in _parts(step).items()]
        if suggestions:
            said.append("*Try this on the page, and the answers.*")
            said.append("\n".join(f"- {text} {answer}" for text, answer in suggestions))
        st.markdown("\n\n".join(said))


def _steps(lesson: Lesson) -> Iterator[tuple[Step, Sequence[Suggestion]]]:
    """Yield each step with what its page suggests to try, unless an earlier step had the same."""
    seen: set[tuple[Suggestion, ...]] = set()
    for step in lesson.steps:
        found = suggestions_on(step.link)
        yield step, () if found in seen else found
        seen.add(found)


def _subtitle(lesson: Lesson) -> str:
    return f"{lesson.chapter} · {lesson.minutes} minutes · {len(lesson.steps)} steps"


def _parts(step: Step) -> dict[str, str]:
    """Return what a step says, by the names that the sheet gives it."""
    named = {"Do": step.do, "See": step.see, "Question": step.question, "Answer": step.answer}
    return {name: text for name, text in named.items() if text}


def _section(n: int, step: Step, server: str, suggestions: Sequence[Suggestion]) -> str:
    parts = "".join(f"<p><b>{name}:</b> {escape(text)}</p>" for name, text in _parts(step).items())
    tried = "".join(
        f'<p class="try"><b>Try:</b> {_html(text)} <b>Answer:</b> {_html(answer)}</p>'
        for text, answer in suggestions
    )
    return (
        f"<section><h2>{n}. {escape(step.title)} ({step.minutes} min)</h2>{parts}"
        f'<p class="link">{escape(f"{server}/{step.link}")}</p></section>{tried}'
    )


def _html(markdown: str) -> str:
    """Return Markdown of the lab's own as HTML; it has emphasis and code alone."""
    emphasised = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", escape(markdown))
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", emphasised)
