"""The ladder: every model of the lab that reads the book, on the same characters."""

from collections.abc import Callable
from typing import Any

from lm_core.analysis.places_in_words import means_by_place
from lm_core.analysis.surprisal import score_text
from lm_core.experiments.model_ladder.results import Rung
from lm_core.generation.text_generation import TextGeneration
from lm_core.training import evaluation
from pages.model_ladder.context import by_context, choose_reader
from pages.model_ladder.differences import where_they_differ
from pages.model_ladder.ladder_models import choose_pair, results
from pages.model_ladder.rungs import ladder
from pages.model_ladder.same_prompt import choose_prompt, same_prompt
from pages.model_ladder.two_texts import choose_texts
from pages.shared.models.language_models import name_damaged
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import Sources, page_header, show_source, try_this
from pages.shared.ui.messages import errors_end_page

_OF_RUNGS = evaluation.carried_losses, evaluation.score, Rung.minus, evaluation.mixed_losses
_OF_CONTEXT = evaluation.short_context_losses, evaluation.window_losses
# Of each its controls, its picture, which is drawn of what they choose, and its code.
PARTS: dict[str, tuple[Callable[[], tuple[Any, ...]], Callable[..., None], Sources]] = {
    "Ladder": (choose_pair, ladder, _OF_RUNGS),
    "Same prompt": (choose_prompt, same_prompt, (TextGeneration,)),
    "Where they differ": (choose_texts, where_they_differ, (score_text, means_by_place)),
    "Context": (choose_reader, by_context, _OF_CONTEXT),
}

page_header(
    "model-ladder",
    "Models that have read *War and Peace* predict the same characters, which none has seen,"
    " so that their losses can be compared. Its *loss* says how surprised it is by a character on"
    " average: −ln p, in nats. Lower is better.",
)
name_damaged()

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=3.0)
with screen.controls:
    part = choose_part(tuple(PARTS))
with errors_end_page():
    results()

# Picture and explanation ----------------------------------------------------------------------
choose, draw, code = PARTS[part]
with screen.controls:
    chosen = choose()
draw(screen, *chosen)

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(part)
