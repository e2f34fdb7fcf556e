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
SUGGESTIONS = {
    EXAMPLES: [
        "Choose *French*. Why does tuning help so little here, and what would help?",
        "Under *More*, compare with the words it was tuned on. What has it learned by heart?",
        "Shuffled answers: for which task does the tuned model need right ones, and why not for the others?",
        "Choose the form that names the task. What do examples add now?",
    ],
    PROMPT: [
        "Ask the writer with 0 and with 8 examples. What does it write, and why is it no answer?",
        "Ask the tuned one without an example: which task does it take the word for?",
        "Type a prompt of your own that makes the tuned model put a word of yours into the plural.",
        "Ask it a question of another form. What is left of the assistant?",
    ],
    TEMPLATES: [
        "Type <|im_end|> into the question. What would a careless tokenizer make of it?",
        "Which template costs most tokens for your question, and how many of them are the same for every question?",
        "Open what the models here make of it: what do they lack?",
    ],
    OWN_MODEL: [
        "Bring GPT-2 and measure *Repeat*: from how many examples on does it know what is asked?",
        "Write with it on the page *War and Peace*, and let it be scored against our writer on *Surprisal*.",
        "On the page *Attention heads*, look for a head of GPT-2 that attends to the token after an earlier copy.",
    ],
}

page_header(
    "assistant",
    "A language model continues texts. To ask it something, write a text whose continuation is the answer.",
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
try_this(SUGGESTIONS[part])
