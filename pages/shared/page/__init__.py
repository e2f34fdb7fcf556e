"""What a page is written in: `from pages.shared import page`, and then `page.ask`, `page.choice`, `page.show_lines`.

The parts of a page, its questions, its figures and its controls, and what of the room `ui` nearly every part
draws with.
"""

from pages.shared.page.controls import (
    choice,
    controls,
    field,
    folded,
    more,
    number,
    pick,
    segments,
    several,
    slider,
    starts,
    switch,
    text,
)
from pages.shared.page.figures import number_on, show_lines
from pages.shared.page.parts import Part, below, draw
from pages.shared.page.questions import Asked, ask
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, above_and_below, note_beside
from pages.shared.ui.messages import show_error
from pages.shared.ui.playback import playback_bar

__all__ = [
    "Asked",
    "FirstScreen",
    "Part",
    "above_and_below",
    "ask",
    "below",
    "choice",
    "control",
    "controls",
    "draw",
    "field",
    "folded",
    "is_presenting",
    "more",
    "note_beside",
    "number",
    "number_on",
    "pick",
    "playback_bar",
    "segments",
    "several",
    "show_chart",
    "show_error",
    "show_lines",
    "slider",
    "starts",
    "switch",
    "text",
]
