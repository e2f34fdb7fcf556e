"""Can a writer answer? Prompts with and without examples, templates, and a pretrained model of one's own."""

from lm_core.analysis.prompting import score_answers
from lm_core.experiments.assistant.study import ask
from lm_core.experiments.assistant.tasks import draw_trial, written_prompt
from lm_core.experiments.assistant.templates import Template, TokenizerWithSpecials
from lm_core.experiments.assistant.tuning import answer_loss, draw_row, tune
from lm_core.models.gpt2 import config_of_gpt2, weights_of_gpt2
from lm_core.training.pretrained import load_pretrained
from pages.assistant.examples import choose_task, examples
from pages.assistant.own_model import choose_measured, own_model
from pages.assistant.prompt import choose_prompt, prompt
from pages.assistant.templates import choose_message, templates
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import page_header, show_source, try_this

EXAMPLES, PROMPT, TEMPLATES, OWN_MODEL = "Examples", "One prompt", "Templates", "Your model"
CODE = {
    EXAMPLES: (draw_row, answer_loss, tune, draw_trial),
    PROMPT: (written_prompt, ask, score_answers),
    TEMPLATES: (Template, TokenizerWithSpecials),
    OWN_MODEL: (config_of_gpt2, weights_of_gpt2, load_pretrained),
}

page_header(
    "assistant",
    "A language model only continues texts. So to ask it something, one writes a text whose most likely"
    " continuation is the answer.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=3.0)
with screen.controls:
    part = choose_part((EXAMPLES, PROMPT, TEMPLATES, OWN_MODEL))

# Picture and explanation ----------------------------------------------------------------------
if part == EXAMPLES:
    examples(screen, choose_task(screen))
elif part == PROMPT:
    prompt(screen, choose_prompt(screen))
elif part == TEMPLATES:
    templates(screen, choose_message(screen))
else:
    own_model(screen, choose_measured(screen))

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(part)
