"""Which phenomenon is learned when: the benchmark put to the steps of one training."""

from collections.abc import Mapping

from lm_core.errors import ResultError
from lm_core.experiments.minimal_pairs.results import PHENOMENA, MeanShare, MinimalPairResults
from pages.minimal_pairs.models import STEPS_OF
from pages.shared import page
from pages.shared.charts.palette import GROUPS
from pages.shared.models.book_models import BEST_WRITER, provenances, snapshots_of
from pages.shared.numbers import percent
from pages.shared.ui.markdown import escaped

_SHOWN = (
    "anaphor_agreement",
    "determiner_noun_agreement",
    "island_effects",
    "subject_verb_agreement",
)
_LEARNED = 2 / 3  # share of right pairs from which on a phenomenon counts as learned in part


def during_training(screen: page.FirstScreen) -> None:
    """Draw how many pairs of some phenomena the saved steps of a training get right."""
    steps = _by_step()
    with page.more(screen):
        chosen = page.several("phenomena", "Phenomena", PHENOMENA, _SHOWN)
    names = [name for name in PHENOMENA if name in (chosen or _SHOWN)]
    asked = _ask(screen, names, steps)
    styles = {PHENOMENA[n]: page.LineStyle(GROUPS[i % 8], i // 8) for i, n in enumerate(PHENOMENA)}
    lines, bands = {}, {}
    for name in names:
        shares = [(float(step), found[name]) for step, found in steps.items()]
        lines[PHENOMENA[name]] = [(step, share.right) for step, share in shares]
        bands[PHENOMENA[name]] = [
            (step, share.right - share.standard_error, share.right + share.standard_error)
            for step, share in shares
        ]
    first, last = min(steps) / 2, float(max(steps))  # chance is named before the lines begin
    with screen.picture:
        page.show_lines(
            "pairs_while_learning",
            lines,
            {title: styles[title] for title in lines},
            page.Axis("training step", (first, last), True, tuple(map(float, steps))),
            page.Axis("pairs that it gets right", (0.0, 1.0), form=".0%"),
            hidden=asked.hides(*lines),
            bands=bands,
            references={"chance": [(first, 0.5), (last, 0.5)]},
            has_points=True,
        )
    title = escaped(snapshots_of(STEPS_OF)[-1].title)
    page.note_beside(
        screen,
        f"{title} has read *War and Peace* alone, and each saved step was put to the benchmark, so the lines"
        " show what one book teaches. The band is one standard error, from the number of pairs.",
    )
    if not asked.masks:
        page.note_beside(screen, _what_is_seen(names, steps))


_WHY = {
    "determiner_noun_agreement": "A determiner mostly stands beside its noun, so the book shows the rule often"
    " and within few words, which is a likely reason why one book is enough to learn it in part."
}
_UNTESTED = "Why was not tested here, so the line alone does not tell what in the book brings a phenomenon on."


def _by_step() -> dict[int, dict[str, MeanShare]]:
    """Return what each saved step gets right of each phenomenon; ResultError if none was scored."""
    results = page.shipped(MinimalPairResults)
    found = {meta.steps: results.by_phenomenon(meta.name) for meta in snapshots_of(STEPS_OF)}
    steps = {step: shares for step, shares in found.items() if shares}
    if len(steps) < 2:
        raise ResultError(
            f"the steps of {STEPS_OF} must be in {MinimalPairResults.shipped().name}, got {len(steps)}: run"
            f" python -m lm_core make {MinimalPairResults.NAME}"
        )
    return steps


def _ask(
    screen: page.FirstScreen, names: list[str], steps: Mapping[int, Mapping[str, MeanShare]]
) -> page.Asked[str]:
    answers = {PHENOMENA[name]: name for name in names}
    learned = {title: _learned_at(name, steps) for title, name in answers.items()}
    known = {title: step for title, step in learned.items() if step is not None}
    none = "None of them"

    def reason(_: str | None) -> str:
        last = steps[max(steps)]
        ends = ", ".join(f"{t} {percent(last[n].right)}" for t, n in answers.items())
        if not known:
            return f"No line reaches two thirds. At the end: {ends}."
        first = min(known, key=lambda title: known[title])
        return f"**{first}**, at step {known[first]:,}. At the end: {ends}."

    earliest = min(known.values(), default=None)
    return page.ask(
        screen,
        f"learned_first_{'_'.join(names)}",
        "Of which of these are two thirds of the pairs right first?",
        {**answers, none: ""},
        right=[title for title, step in known.items() if step == earliest] or none,
        reason=reason,
        when=len(names) > 1,
    )


def _learned_at(name: str, steps: Mapping[int, Mapping[str, MeanShare]]) -> int | None:
    return next((step for step, found in steps.items() if found[name].right >= _LEARNED), None)


def _what_is_seen(names: list[str], steps: Mapping[int, Mapping[str, MeanShare]]) -> str:
    """Say what has changed from the first step to the last, and how the model of 33 books compares."""
    first, last = steps[min(steps)], steps[max(steps)]
    rises = {name: last[name].right - first[name].right for name in names}
    most = max(rises, key=lambda name: rises[name])
    best = page.shipped(MinimalPairResults).by_phenomenon(BEST_WRITER)
    changes = "rises most" if rises[most] > 0.0 else "falls least"
    said = (
        f"*{PHENOMENA[most].capitalize()}* {changes}, from {percent(first[most].right)} to"
        f" {percent(last[most].right)}. {_WHY.get(most, _UNTESTED)}"
    )
    if most in best and BEST_WRITER in provenances():
        title = escaped(provenances()[BEST_WRITER].title)
        said += f" {title} gets {percent(best[most].right)} of the same pairs right."
    return said
