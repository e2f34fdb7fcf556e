"""What a page is written in: `from pages.shared import page`, and then `page.ask`, `page.choice`, `page.show_lines`.

The parts of a page, its questions, its figures and its controls, what of the room `ui` nearly every part
draws with, the axes and lines of its charts, and the turns in which models are called.
"""

from pages.shared.charts.lines import Axis, Guesses, LineStyle, Waiting, line_chart
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
from pages.shared.page.questions import Asked, Cell, ask, ask_cell, ask_number
from pages.shared.page.shipped import shipped
from pages.shared.turns import fragment, model_calls, page_turns
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, first_screen, note_beside
from pages.shared.ui.messages import show_error
from pages.shared.ui.playback import go_to, playback_bar
from pages.shared.ui.text_input import checked_text, read_or_keep, say_limits
from pages.shared.ui.what_was_read import read_and_say, show_what_was_changed, show_what_was_read

# fmt: off
__all__ = [
    "Answer", "Asked", "Axis", "Cell", "FirstScreen", "Guesses", "LineStyle", "Part", "Waiting",
    "answer_meaning", "answer_of", "ask", "ask_cell", "ask_number", "below", "button", "checked_text", "choice",
    "control", "controls", "draw", "field", "fields", "first_screen", "folded", "fragment",
    "go_to", "is_presenting", "line_chart", "model_calls", "more", "nearest_answer",
    "note_beside", "number", "page_turns", "pick", "playback_bar", "read_and_say",
    "read_or_keep", "say_limits", "segments", "several", "shipped", "show_chart", "show_error",
    "show_lines", "show_rows", "show_what_was_changed", "show_what_was_read", "slider",
    "starts", "switch", "text",
]
# fmt: on
