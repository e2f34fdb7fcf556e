"""The ladder: every model of the lab that reads the book, on the same characters."""

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
from pages.shared.ui.lesson import page_header, show_source, try_this
from pages.shared.ui.messages import errors_end_page

RUNGS, PROMPT, DIFFERENCES, CONTEXT = "Ladder", "Same prompt", "Where they differ", "Context"
CODE = {
    RUNGS: (evaluation.carried_losses, evaluation.score, Rung.minus, evaluation.mixed_losses),
    PROMPT: (TextGeneration,),
    DIFFERENCES: (score_text, means_by_place),
    CONTEXT: (evaluation.short_context_losses, evaluation.window_losses),
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
    part = choose_part((RUNGS, PROMPT, DIFFERENCES, CONTEXT))
with errors_end_page():
    results()

# Picture and explanation ----------------------------------------------------------------------
if part == RUNGS:
    with screen.controls:
        first, second = choose_pair()
    ladder(screen, first, second)
elif part == PROMPT:
    with screen.controls:
        prompt, temperature, seed = choose_prompt()
    same_prompt(screen, prompt, temperature, seed)
elif part == DIFFERENCES:
    with screen.controls:
        model, rival, text = choose_texts()
    where_they_differ(screen, model, rival, text)
else:
    with screen.controls:
        reader = choose_reader()
    by_context(screen, reader)

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(part)
