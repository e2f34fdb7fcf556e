"""From which window on a word has different tags in two sentences."""

import pandas as pd

from lm_core.experiments.part_of_speech_tagging.settings import WINDOWS, window_name
from lm_core.models.tagger import AVERAGED, CONCATENATED
from lm_core.text.tagged_sentences import TAGS
from pages.part_of_speech_tagging.taggers import TITLES, Chosen, results
from pages.part_of_speech_tagging.two_sentences import Read
from pages.shared import page
from pages.shared.charts.palette import BLUE, ORANGE
from pages.shared.numbers import percent

_LINES = ("first", "second")
_COLOURS = (BLUE, ORANGE)
HEIGHT = 280
_LONGEST_NAMED = 16  # letters of a word that a picture has room for
NEVER = "none of these"


def draw_by_window(read: Read, chosen: Chosen, tag: int, asked: page.Asked) -> None:
    """Draw the probability of the disputed tag by window, in every sentence."""
    combination = chosen.kind if chosen.kind in (CONCATENATED, AVERAGED) else CONCATENATED
    windows = WINDOWS[:1] if asked.masks else WINDOWS
    names = _LINES if read.is_shared else _LINES[:1]
    by_window = {w: read.at_word(window_name(combination, w)) for w in windows}
    lines = {
        name: [(float(w), float(found[i][tag])) for w, found in by_window.items()]
        for i, name in enumerate(names)
    }
    share = float(results().tag_counts.shares(read.word)[tag])
    references = {"counting": [(5.0, share), (0.0, share)]}
    if chosen.kind != combination and not asked.masks:
        for name, found in zip(names, read.at_word(chosen.name), strict=False):
            value = float(found[tag])
            references[f"{TITLES[chosen.kind]}, {name}"] = [(0.0, value), (5.0, value)]
    guess = asked.at(lambda said: None if said == NEVER else (float(said), 0.5))
    page.show_chart(
        page.line_chart(
            lines,
            {
                name: page.LineStyle(colour, i)
                for i, (name, colour) in enumerate(zip(_LINES, _COLOURS, strict=True))
            },
            page.Axis(f"window, {combination}", (0.0, 5.0), values=tuple(map(float, WINDOWS))),
            page.Axis(f"P({TAGS[tag]}) of {read.word[:_LONGEST_NAMED]}", (0.0, 1.0), form=".0%"),
            references=references,
            guess=guess,
            has_points=True,
            height=HEIGHT,
        ),
        pd.DataFrame(
            [(name, int(x), y) for name, pairs in lines.items() for x, y in pairs],
            columns=["sentence", "words to either side", f"probability of {TAGS[tag]}"],
        ),
        key="tag_by_window",
        alt=f"P({TAGS[tag]}) of {read.word} by words to either side. "
        + "; ".join(
            f"{name}: " + ", ".join(f"{percent(y)} at {x:g}" for x, y in pairs)
            for name, pairs in lines.items()
        ),
        is_small=True,
    )
