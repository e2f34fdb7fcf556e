"""What a page is written in: `from pages.shared import page`, and then `page.ask`, `page.choice`, `page.show_lines`.

The parts of a page, its questions, its figures and its controls, and what of the room `ui` nearly every part
draws with.
"""

from pages.shared.page.controls import (
    button,
    choice,
    controls,
    field,
    fields,
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
from pages.shared.page.figures import show_lines, show_rows
from pages.shared.page.parts import Part, below, draw
from pages.shared.page.predictions import Answer, answer_meaning, answer_of, nearest_answer
from pages.shared.page.questions import Asked, ask
from pages.shared.page.shipped import shipped
from pages.shared.turns import fragment
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, first_screen, note_beside
from pages.shared.ui.messages import show_error
from pages.shared.ui.playback import go_to, playback_bar

__all__ = [
    "Answer",
    "Asked",
    "FirstScreen",
    "Part",
    "answer_meaning",
    "answer_of",
    "ask",
    "below",
    "button",
    "choice",
    "control",
    "controls",
    "draw",
    "field",
    "fields",
    "first_screen",
    "folded",
    "fragment",
    "go_to",
    "is_presenting",
    "more",
    "nearest_answer",
    "note_beside",
    "number",
    "pick",
    "playback_bar",
    "segments",
    "several",
    "shipped",
    "show_chart",
    "show_error",
    "show_lines",
    "show_rows",
    "slider",
    "starts",
    "switch",
    "text",
]
