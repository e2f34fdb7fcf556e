"""A class's hour on a page to print: what was asked, how all answered, and what they measured together."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from statistics import fmean

from lm_core.classroom.numbered import in_words
from lm_core.classroom.records import AnswerRow, AskedQuestion, FinishedRun, Question, SharedOut
from lm_core.classroom.summaries import is_right, parts, summarise
from pages.shared.counts import counted
from pages.shared.numbers import significant

_MOST_BARS = 12
_STYLE = """
body { font: 11pt/1.4 Georgia, serif; max-width: 46em; margin: 2em auto; padding: 0 1em; color: #20242A; }
h1 { font-size: 1.5em; }
h2 { font-size: 1.1em; margin: 1.2em 0 0.2em; }
section { break-inside: avoid; }
table { border-collapse: collapse; width: 100%; }
td { padding: 0.1em 0.5em 0.1em 0; vertical-align: middle; }
td:first-child { width: 40%; }
td:last-child { width: 3em; text-align: right; }
.bar { height: 0.8em; background: #0072B2; print-color-adjust: exact; }
.right .bar { background: #009E73; }
.right td:first-child { font-weight: bold; }
.link { font: 0.85em monospace; overflow-wrap: anywhere; }
@media print { body { margin: 0; max-width: none; } }
"""


def report_html(
    code: str,
    rows: Sequence[AnswerRow],
    measured: tuple[SharedOut, Sequence[FinishedRun]] | None = None,
) -> str:
    """Return the report as a page of its own; it names nobody, and everything that was typed is escaped.

    Parameters
    ----------
    rows : sequence of AnswerRow, all answers of the class
    measured : the experiment that was shared out last, and its runs, optional
    """
    by_question = groupby(sorted(rows, key=lambda row: row.question.id), lambda row: row.question)
    asked = [
        _asked(n, question, [*answers]) for n, (question, answers) in enumerate(by_question, 1)
    ]
    title = f"Class {escape(code)}"
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{title}</h1>"
        f"<p>{counted(len({row.alias for row in rows}), 'student')} gave {counted(len(rows), 'answer')} to"
        f" {counted(len(asked), 'question')}.</p>"
        f"{''.join(asked)}{_measured(*measured) if measured else ''}</body></html>"
    )


def _asked(n: int, asked: AskedQuestion, answers: Sequence[AnswerRow]) -> str:
    question, values = asked.question, [answer.value for answer in answers]
    about = question.page or question.link
    return (
        f"<section><h2>{n}. {escape(question.text)}</h2>"
        f"{f'<p class=link>{escape(about)}</p>' if about else ''}"
        f"<p>{escape(' '.join(_said(question, values)))}</p>{_bars(question, values)}"
        f"{f'<p>{escape(question.reason)}</p>' if question.reason else ''}</section>"
    )


def _said(question: Question, values: Sequence[str]) -> Iterator[str]:
    """Yield how many have answered, what lies in the middle, what holds, and how many were right."""
    yield f"{counted(len(values), 'answer')}."
    if median := summarise(question, values).median:
        yield f"Their median is {', '.join(f'{coordinate:g}' for coordinate in median)}."
    if question.holding:
        holding = " or ".join(in_words(question, right) for right in question.holding)
        yield f"What holds: {holding}."
        judged = [is_right(question, value) for value in values]
        if None not in judged:
            yield f"{sum(map(bool, judged))} of {len(judged)} were right."


def _bars(question: Question, values: Sequence[str]) -> str:
    """Return a bar for each answer, of numbers for each part of the axis; points have their median alone."""
    summary = summarise(question, values)
    counts = {f"{part.low:.3g} to {part.high:.3g}": part.count for part in summary.bins}
    counts = counts or dict([*summary.counts.items()][:_MOST_BARS])
    most = max(counts.values(), default=0) or 1
    holding = parts(question, question.holding)
    return "<table>{}</table>".format(
        "".join(
            f"<tr{' class=right' if name in holding else ''}>"
            f"<td>{escape(name)}</td><td><div class=bar style='width:{100 * count / most:.0f}%'></div></td>"
            f"<td>{count}</td></tr>"
            for name, count in counts.items()
        )
    )


def _measured(shared: SharedOut, runs: Sequence[FinishedRun]) -> str:
    experiment, values = shared.experiment, [run.value for run in runs]
    settings = ", ".join(f"{name} {value}" for name, value in experiment.settings.items())
    said = f"{len(values)} of {experiment.n_runs} runs"
    if values and not experiment.round_size:  # what is sent in rounds is no measurement
        mean, low, high = (
            significant(value, 3) for value in (fmean(values), min(values), max(values))
        )
        said += f": mean {mean}, from {low} to {high}"
    return (
        f"<section><h2>Measured together: {escape(experiment.name)}</h2><p>{escape(settings)}</p>"
        f"<p>{said}.</p></section>"
    )
