"""The ladder: every model of the lab that reads the book, on the same characters."""

from lm_core.analysis.places_in_words import means_by_place
from lm_core.analysis.surprisal import score_text
from lm_core.experiments.model_ladder.results import Rung
from lm_core.generation.text_generation import TextGeneration
from lm_core.training.evaluation import (
    carried_losses,
    mixed_losses,
    score,
    short_context_losses,
    window_losses,
)
from pages.model_ladder.context import by_context, choose_reader
from pages.model_ladder.differences import choose_texts, where_they_differ
from pages.model_ladder.rungs import choose_pair, ladder, results
from pages.model_ladder.same_prompt import choose_prompt, same_prompt
from pages.shared.models.language_models import name_damaged
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import page_header, show_source, try_this
from pages.shared.ui.messages import errors_end_page

RUNGS, PROMPT, DIFFERENCES, CONTEXT = "Ladder", "Same prompt", "Where they differ", "Context"
CODE = {
    RUNGS: (carried_losses, score, Rung.minus, mixed_losses),
    PROMPT: (TextGeneration,),
    DIFFERENCES: (score_text, means_by_place),
    CONTEXT: (short_context_losses, window_losses),
}
SUGGESTIONS = {
    RUNGS: [
        "Compare two models that lie side by side. Is the difference larger than its error?",
        "Find the smallest model that beats the n-gram with 9 characters. How long was it trained?",
        "Why is a mixture better than either of its parts?",
    ],
    PROMPT: [
        "Set the temperature to 0. Which models repeat themselves, and how soon?",
        "Raise it to 1.2. Which text breaks first?",
        "Begin in the middle of a name. Which models know how it goes on?",
    ],
    DIFFERENCES: [
        "Look for names that came earlier in the passage. Which model remembers them?",
        "Compare the two LSTMs. Where does the larger one gain?",
        "Type a text of today. Does the order of the models change?",
    ],
    CONTEXT: [
        "How many characters are a word? What changes at that point of the curves?",
        "Choose another model. Does a better one need a longer context to be better?",
        "Why does a mixture follow the n-gram at first and the network later?",
    ],
}

page_header(
    "model-ladder",
    "Every model that has read *War and Peace* predicts the same characters, which none has seen."
    " Its *loss* says how surprised it is by a character on average: −ln p, in nats. Lower is better.",
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
try_this(SUGGESTIONS[part])
