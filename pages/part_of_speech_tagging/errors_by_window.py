"""Wrong tags by the size of the window, as lines."""

import pandas as pd
import streamlit as st

from lm_core.experiments.part_of_speech_tagging.results import COUNTING
from lm_core.experiments.part_of_speech_tagging.settings import (
    RECURRENT,
    TRANSFORMER,
    WINDOWS,
    window_name,
)
from lm_core.models.tagger import AVERAGED, CONCATENATED
from pages.part_of_speech_tagging.taggers import COLOURS, TITLES, results
from pages.shared import page
from pages.shared.numbers import percent

GROUPS = {
    "every": "all words",
    "seen": "seen words",
    "unseen": "unseen words",
    "ambiguous": "ambiguous words",
}
_NAMES = {
    CONCATENATED: "concatenated",
    AVERAGED: "averaged",
    RECURRENT: "LSTM",
    TRANSFORMER: "transformer",
}
_TICKS = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5)
_HEIGHT = 340


def wrong(name: str, group: str) -> float:
    """Return the share of wrong tags of a recipe, the mean over its seeds; or of the baseline."""
    if name == COUNTING:
        return 1.0 - float(getattr(results().baseline, group))
    return 1.0 - results().mean(name, group)


def draw_errors(group: str, asked: page.Asked) -> None:
    """Draw a line for each way to read a window."""
    windows: dict[str, tuple[int, ...]] = dict.fromkeys((CONCATENATED, AVERAGED), WINDOWS)
    if asked.masks:
        windows[AVERAGED] = WINDOWS[:1]
    by_kind = {
        kind: [(float(w), wrong(window_name(kind, w), group)) for w in shown]
        for kind, shown in windows.items()
    } | {
        kind: [(0.0, wrong(kind, group)), (float(WINDOWS[-1]), wrong(kind, group))]
        for kind in (RECURRENT, TRANSFORMER)
    }
    bands = {
        kind: [(x, *_spread(_recipe(kind, x), group)) for x, _ in pairs]
        for kind, pairs in by_kind.items()
    }
    alone = wrong(window_name(AVERAGED, 0), group)
    guess = asked.at(lambda value: (float(WINDOWS[-1]), value.typical * alone))
    counting, ends = wrong(COUNTING, group), _ends(group)
    ticks = tuple(tick for tick in _TICKS if ends[0] <= tick <= ends[1])
    title = _finding(group)
    st.markdown(f"**{title}**")
    page.show_chart(
        page.line_chart(
            {_NAMES[kind]: pairs for kind, pairs in by_kind.items()},
            {
                _NAMES[kind]: page.LineStyle(COLOURS[kind], int(kind in (AVERAGED, TRANSFORMER)))
                for kind in by_kind
            },
            page.Axis("words to either side", (0.0, 5.0), values=tuple(map(float, WINDOWS))),
            page.Axis(f"wrong tags, of {GROUPS[group]}", ends, True, ticks, ".0%"),
            bands={_NAMES[kind]: band for kind, band in bands.items()},
            references={"by counting": [(5.0, counting), (0.0, counting)]},
            guess=guess,
            has_points=True,
            height=_HEIGHT,
        ),
        _frame(group, AVERAGED if asked.masks else None),
        key="wrong_by_window",
        alt="; ".join(
            f"{_NAMES[kind]}: " + ", ".join(f"{percent(y, 1)} at {x:g}" for x, y in pairs)
            for kind, pairs in by_kind.items()
        )
        + f"; most frequent tag {percent(counting, 1)}",
        name="wrong-tags-by-window",
    )


def _recipe(kind: str, window: float) -> str:
    return window_name(kind, int(window)) if kind in (CONCATENATED, AVERAGED) else kind


def _spread(name: str, group: str) -> tuple[float, float]:
    found = [1.0 - getattr(score.test, group) for score in results().scores_of(name)]
    return min(found), max(found)


def _ends(group: str) -> tuple[float, float]:
    """Return an axis that holds every line, also the one that waits."""
    names = [window_name(kind, w) for kind in (CONCATENATED, AVERAGED) for w in WINDOWS]
    values = [wrong(name, group) for name in (*names, RECURRENT, TRANSFORMER, COUNTING)]
    return max(0.8 * min(values), 0.005), min(1.3 * max(values), 1.0)


def _finding(group: str) -> str:
    alone, one, most = (wrong(window_name(CONCATENATED, w), group) for w in (0, 1, WINDOWS[-1]))
    return (
        f"One word to either side: wrong tags fall from {percent(alone, 1)} to {percent(one, 1)} of"
        f" {GROUPS[group]}; five: {percent(most, 1)}"
    )


def _frame(group: str, hidden: str | None) -> pd.DataFrame:
    scores = [score for score in results().scores if not (hidden and score.name.startswith(hidden))]
    frame = pd.DataFrame(
        [
            (score.name, score.seed, *score.test, score.parameters, score.steps, score.seconds)
            for score in scores
        ],
        columns=["tagger", "seed", *GROUPS.values(), "parameters", "steps", "seconds"],
    )
    counting = (TITLES[COUNTING], None, *results().baseline, None, None, None)
    return pd.concat(
        [frame, pd.DataFrame([counting], columns=frame.columns)], ignore_index=True
    ).sort_values(GROUPS[group], ascending=False)
