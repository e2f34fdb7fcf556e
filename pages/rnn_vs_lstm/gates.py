"""Gates one by one: cells without one gate or the other, on streams of words that nobody resets."""

from functools import partial
from typing import NamedTuple

from lm_core.experiments.gates import training
from lm_core.experiments.gates.results import GatesResults, Spread
from lm_core.experiments.gates.taps import TAPS
from lm_core.experiments.gates.training import LENGTHS, ONE_WORD, SEEDS, STEPS, STREAM
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILLION
from pages.shared.numbers import percent, significant

_TITLES = {name: taps.title for name, taps in TAPS.items()}
_STYLES = {
    _TITLES[kind]: page.LineStyle(colour, dash)
    for kind, colour, dash in (
        ("all", BLUE, 0),
        ("open", BLUE, 1),
        ("no-input", GREEN, 1),
        ("no-forget", VERMILLION, 0),
        ("no-output", PURPLE, 2),
        ("tied", ORANGE, 2),
        ("input-only", VERMILLION, 1),
        ("none", GREY, 2),
    )
}
_TASKS = {ONE_WORD: "One word", STREAM: "A stream of words"}
_RIGHT, _SIZES, _STEPS = "Right answers", "Size of the memory", "Steps until learned"
_ALONE = {
    "no-input": "The input gate",
    "no-forget": "The forget gate",
    "no-output": "The output gate",
}


class Chosen(NamedTuple):
    """What the cells were trained on, what is drawn of them, and which of them."""

    trained_on: int = page.field(
        page.segments,
        "Trained on",
        _TASKS,
        STREAM,
        help="*One word*: the network begins anew with every word, so there is nothing to forget. *A stream"
        f" of words*: {STREAM} words follow one another before it begins anew, so the letter of one word"
        " must make room for the letter of the next.",
    )
    drawn: str = page.field(page.choice, "Drawn", (_RIGHT, _SIZES, _STEPS), width=190)
    letters: int = page.folded(page.pick, "Letters of a word", LENGTHS, LENGTHS[-1])
    cells: list[str] = page.folded(
        page.several, "Cells", _TITLES, ("all", "no-input", "no-forget", "no-output", "none")
    )


gate_results = partial(page.shipped, GatesResults)
"""Returns what was measured; ResultError where it is missing."""


def gates(screen: page.FirstScreen) -> None:
    """Draw what cells recall without a gate; all but the whole cell wait for the guess."""
    chosen = page.controls(Chosen, screen)
    found, begins = gate_results(), page.starts(Chosen)
    asked = page.ask(
        screen,
        "gates",
        f"Words of {begins.letters} letters follow one another, and after each letter a network must name the last"
        f" capital one. An LSTM has three gates. Which of them is missed most after {found.read_on[-1]} words?",
        tuple(_ALONE.values()),
        right=lambda: _ALONE[min(_ALONE, key=lambda kind: _last(found, kind, begins))],
        reason=lambda _: _reason(found, begins),
        when=chosen._replace(cells=begins.cells) == begins,
    )
    waiting = [title for kind, title in _TITLES.items() if kind != "all"]
    with screen.picture:
        _draw(found, chosen, asked.hides(*waiting))
    page.note_beside(screen, _explained(found, chosen, is_masked=asked.masks))
    page.below("The cells in formulas", "gate_formulas", _formulas)


def _last(found: GatesResults, kind: str, chosen: Chosen) -> float:
    """Return the share of right answers after the last word that was read."""
    return found.spread(kind, chosen.letters, chosen.trained_on, of_sizes=False)[-1].middle


def _draw(found: GatesResults, chosen: Chosen, hidden: frozenset[str]) -> None:
    words, read = chosen.trained_on, found.read_on
    spreads: dict[str, list[tuple[int, Spread]]] = {}
    for kind in (kind for kind in _TITLES if kind in chosen.cells):
        if chosen.drawn == _STEPS:
            points = [(n, found.steps(kind, n, words, STEPS)) for n in LENGTHS]
        else:
            of_sizes = chosen.drawn == _SIZES
            spread = found.spread(kind, chosen.letters, words, of_sizes=of_sizes)
            points = list(zip(read, spread, strict=True))
        spreads[_TITLES[kind]] = points
    x = page.Axis("words read without a reset", (1, read[-1]), True, tuple(map(float, read)))
    y = page.Axis("right answers", (0.0, 1.02), values=(0, 0.25, 0.5, 0.75, 1), form=".0%")
    if chosen.drawn == _SIZES:
        y = page.Axis(
            "size of a number in the memory", (0.1, 3_000), True, (0.1, 1, 10, 100, 1_000)
        )
    if chosen.drawn == _STEPS:
        x = page.Axis(
            "letters of a word", (LENGTHS[0], LENGTHS[-1]), True, tuple(map(float, LENGTHS))
        )
        y = page.Axis(f"training steps ({STEPS}: never learned)", (0, STEPS))
    page.show_lines(
        "gates",
        {name: [(at, one.middle) for at, one in points] for name, points in spreads.items()},
        _STYLES,
        x,
        y,
        hidden=hidden,
        rings={
            name: [(at, value) for at, one in points for value in one.each]
            for name, points in spreads.items()
            if name not in hidden
        },
        beside={
            title: {
                name: [choose(one.each) for _, one in points] for name, points in spreads.items()
            }
            for title, choose in (("lowest", min), ("highest", max))
        },
        height=330,
    )


def _reason(found: GatesResults, begins: Chosen) -> str:
    share = {kind: percent(_last(found, kind, begins)) for kind in _TITLES}
    shorter = percent(_last(found, "no-forget", begins._replace(letters=LENGTHS[-2])))
    sizes = found.spread("no-forget", begins.letters, begins.trained_on, of_sizes=True)
    return (
        f"**The forget gate**: without it **{share['no-forget']}** are right, without the input gate {share['no-input']},"
        f" without the output gate {share['no-output']}. All that is written stays, so a number in the memory grows from"
        f" {significant(sizes[0].middle, 2)} to {significant(sizes[-1].middle, 2)}. With words of {LENGTHS[-2]} letters"
        f" this cell still has {shorter}: it learns more slowly, but other gates can do some of the forgetting."
    )


def _explained(found: GatesResults, chosen: Chosen, *, is_masked: bool) -> str:
    rings = (
        f"A line is the mean of {SEEDS} networks that differ in their random start, a ring one of them. A blind guess is"
        f" right in {percent(1 / training.LETTERS, 1)}, because there are {training.LETTERS} letters."
    )
    if chosen.drawn == _STEPS:
        return (
            f"A network counts as having learned once its loss is below {training.LEARNED} nats; a blind guess has 2.08. The line is"
            f" the median of {SEEDS} networks. Longer words take more steps, probably since the gradient of the capital"
            " letter has a longer way back."
        )
    if chosen.trained_on == ONE_WORD:
        first, second = found.spread("all", chosen.letters, ONE_WORD, of_sizes=False)[:2]
        return (
            f"{rings} Trained on single words, even the whole LSTM names {percent(first.middle)} in the first word and"
            f" {percent(second.middle)} in the second. Its forget gate could make room, but nothing has taught it to,"
            " because in training there was never a second word."
        )
    if is_masked:
        return f"{rings} In training, {STREAM} words followed one another; now nobody resets the memory."
    alone, both = (percent(_last(found, kind, chosen)) for kind in ("input-only", "no-forget"))
    return (
        f"{rings} In 1997 Hochreiter and Schmidhuber gave the LSTM an input and an output gate. Gers, Schmidhuber and Cummins"
        " added the forget gate in 2000, because without it the memory of a long stream grows: draw its size. With the input"
        f" gate alone {alone} are right, with the output gate as well {both}: long words need it more, probably because it hides what is old."
    )


def _formulas() -> None:
    """Write what each cell computes."""
    rows = []
    for taps in TAPS.values():
        i, f, o = ("" if gate in taps.fixed else rf"{gate} \odot " for gate in "ifo")
        i = r"(1 - f) \odot " if taps.is_tied else i
        rows.append((taps.title, rf"$c' = {f}c + {i}g$", rf"$h' = {o}\tanh(c')$"))
    page.show_rows(("Cell", "Memory", "Output"), rows)
