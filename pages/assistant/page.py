"""Can a writer answer? Prompts with and without examples, templates, and a pretrained model of one's own."""

from lm_core.analysis.prompting import score_answers
from lm_core.experiments.assistant.study import ask
from lm_core.experiments.assistant.tasks import draw_trial, written_prompt
from lm_core.experiments.assistant.templates import Template, TokenizerWithSpecials
from lm_core.experiments.assistant.tuning import answer_loss, draw_row, tune
from lm_core.experiments.conversation.dialogues import dialogues_of, read_before
from lm_core.experiments.conversation.replying import reply
from lm_core.experiments.conversation.study import score_replies
from lm_core.experiments.instructions import tuning as instruction_tuning
from lm_core.experiments.instructions.tasks import Task
from lm_core.models.gpt2 import config_of_gpt2, weights_of_gpt2
from lm_core.training.pretrained import load_pretrained
from pages.assistant.conversation import conversation
from pages.assistant.examples import examples
from pages.assistant.instructions import instructions
from pages.assistant.own_model import own_model
from pages.assistant.prompt import prompt
from pages.assistant.templates import templates
from pages.shared import page

PARTS = [
    page.Part("Examples", examples, (draw_row, answer_loss, tune, draw_trial)),
    page.Part("One prompt", prompt, (written_prompt, ask, score_answers)),
    page.Part(
        "Instructions",
        instructions,
        (Task, instruction_tuning.draw_batch, instruction_tuning.tune),
    ),
    page.Part("Conversation", conversation, (dialogues_of, read_before, reply, score_replies)),
    page.Part("Templates", templates, (Template, TokenizerWithSpecials)),
    page.Part("Your model", own_model, (config_of_gpt2, weights_of_gpt2, load_pretrained)),
]

page.draw(
    "assistant",
    "A language model only continues texts. So to ask it something, one writes a text whose most likely"
    " continuation is the answer.",
    PARTS,
    picture=3.0,
)
