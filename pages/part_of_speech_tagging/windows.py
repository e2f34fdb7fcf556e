"""Wrong tags by the size of the window: concatenated against averaged, with whole-sentence taggers beside."""

import pandas as pd
import streamlit as st

from lm_core.experiments.part_of_speech_tagging.results import COUNTING
from lm_core.experiments.part_of_speech_tagging.settings import (
    RECIPES,
    RECURRENT,
    TRANSFORMER,
    WINDOWS,
    window_name,
)
from lm_core.experiments.published import TAGGERS
from lm_core.models.tagger import AVERAGED, CONCATENATED
from pages.part_of_speech_tagging.taggers import COLOURS, TITLES, results
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.numbers import percent
from pages.shared.ui import lesson
from pages.shared.ui.figures import show_chart

_GROUPS = {
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
_ANSWERS = {
    "far more": lesson.Answer(2.0, 4.0),
    "about as many": lesson.Answer(0.8, 1.0),
    "fewer": lesson.Answer(0.0, 0.6),
}
"""Wrong tags with the longest window averaged, as a multiple of those without neighbours."""
_TICKS = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5)
_HEIGHT = 340


def _choose_group() -> str:
    """Draw which words are counted, and return the field of `Accuracies`."""
    return str(
        page.segments(
            "word_group",
            "Wrong tags among",
            tuple(_GROUPS),
            "every",
            format_func=_GROUPS.__getitem__,
        )
    )


def by_window(screen: page.FirstScreen) -> None:
    """Draw the share of wrong tags by window, that of averaged windows once it was guessed."""
    with screen.controls:
        group = _choose_group()
    asked = _ask(screen, group)
    with screen.picture:
        _chart(group, asked)
    _notes(screen, group)


def wrong(name: str, group: str) -> float:
    """Return the share of wrong tags of a recipe, the mean over its seeds; or of the baseline."""
    if name == COUNTING:
        return 1.0 - float(getattr(results().baseline, group))
    return 1.0 - results().mean(name, group)


def _ask(screen: page.FirstScreen, group: str) -> page.Asked:
    alone, most = (wrong(window_name(AVERAGED, w), group) for w in (0, WINDOWS[-1]))
    return page.ask(
        screen,
        "averaged_windows",
        f"Averaged with {WINDOWS[-1]} words to either side: how many wrong tags, beside a word alone?",
        _ANSWERS,
        right=most / alone,
        reason=f"**{most / alone:.1f} times** as many: {percent(most, 1)} instead of"
        f" {percent(alone, 1)}, because the mean of several vectors does not say which of them"
        " belongs to the word in question.",
    )


def _chart(group: str, asked: page.Asked) -> None:
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
    show_chart(
        line_chart(
            {_NAMES[kind]: pairs for kind, pairs in by_kind.items()},
            {
                _NAMES[kind]: LineStyle(COLOURS[kind], int(kind in (AVERAGED, TRANSFORMER)))
                for kind in by_kind
            },
            Axis("words to either side", (0.0, 5.0), values=tuple(map(float, WINDOWS))),
            Axis(f"wrong tags, of {_GROUPS[group]}", ends, True, ticks, ".0%"),
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
        f" {_GROUPS[group]}; five: {percent(most, 1)}"
    )


def _frame(group: str, hidden: str | None) -> pd.DataFrame:
    scores = [score for score in results().scores if not (hidden and score.name.startswith(hidden))]
    frame = pd.DataFrame(
        [
            (score.name, score.seed, *score.test, score.parameters, score.steps, score.seconds)
            for score in scores
        ],
        columns=["tagger", "seed", *_GROUPS.values(), "parameters", "steps", "seconds"],
    )
    counting = (TITLES[COUNTING], None, *results().baseline, None, None, None)
    return pd.concat(
        [frame, pd.DataFrame([counting], columns=frame.columns)], ignore_index=True
    ).sort_values(_GROUPS[group], ascending=False)


def _notes(screen: page.FirstScreen, group: str) -> None:
    sizes = results().sizes
    best = min(
        (RECURRENT, TRANSFORMER, *(window_name(CONCATENATED, w) for w in WINDOWS)),
        key=lambda n: wrong(n, "every"),
    )
    page.note_beside(
        screen,
        f"{sizes[group]:,} of the test's {sizes['every']:,} words. *Concatenated* vectors are one long"
        " vector with a place for each neighbour, so the network knows which word stands where."
        " *Averaged* ones are their mean. *By counting*, each word gets its most frequent tag. A band"
        " spans two trainings.",
    )
    if page.is_presenting():
        return
    st.markdown(
        f"Best: {RECIPES[best].title}, **{percent(1 - wrong(best, 'every'), 2)}** of all words"
        f" right, **{percent(1 - wrong(best, 'unseen'), 2)}** of unseen ones. Test: 50 of the Brown"
        " corpus's 500 texts, every tenth by name; no text is in two parts, so nothing that is"
        " tested was learned from. An *unseen* word is in none of the 400 training texts; an"
        " *ambiguous* one has another tag than its most frequent one at least one time in twenty."
    )
    with st.expander("What others report", icon=":material/menu_book:"):
        st.dataframe(
            pd.DataFrame(
                [(t.title, t.every, t.seen, t.unseen, t.doubt) for t in TAGGERS],
                columns=["tagger", "all words", "seen", "unseen", "what differs"],
            ),
            hide_index=True,
            column_config={
                name: st.column_config.NumberColumn(format="percent")
                for name in ("all words", "seen", "unseen")
            },
        )
