"""What the answers for teachers say of prompts, held to what was measured and to the models' replies."""

import math

import numpy as np
import pytest

from lm_core.experiments.assistant.results import AssistantResults
from lm_core.experiments.assistant.study import CHANCE, LEARNED, RIGHT, SHUFFLED, TRIALS
from lm_core.experiments.assistant.tasks import (
    COPY,
    NAMED,
    OPPOSITE,
    PLURAL,
    SHORT,
    STYLES,
    TASKS,
    TRANSLATE,
)
from lm_core.experiments.assistant.templates import (
    ALPACA,
    CHATML,
    LLAMA_3,
    TEMPLATES,
    TokenizerWithSpecials,
)
from lm_core.experiments.assistant.tuning import TUNED, WRITER
from lm_core.experiments.conversation.dialogues import read_before
from lm_core.experiments.conversation.results import ConversationResults
from lm_core.experiments.instructions.results import InstructionResults
from lm_core.experiments.instructions.study import ALONE, ask_all
from lm_core.experiments.instructions.tasks import NONE, TRAINED, UNKNOWN
from lm_core.experiments.instructions.tasks import TASKS as INSTRUCTIONS
from lm_core.experiments.instructions.tuning import LEARNED as LEARNED_TASKS
from lm_core.experiments.instructions.tuning import TUNED as INSTRUCTION_TUNED
from lm_core.text.sentence_pairs import TEST, SentencePair, load_pairs, missing_files
from lm_core.training.checkpoints import load_shipped
from lm_core.training.model_vocabulary import vocabulary_of
from pages.assistant import asked, instructions, templates
from pages.assistant.talker import Talking, replied
from pages.shared.models.tokenizers import GPT2, published_tokenizer
from pages.shared.models.translation import EXAMPLES
from pages.shared.numbers import NARROW_SPACE, percent
from tests.pages.answering import assert_says

PAGE = "assistant"
RESULTS = AssistantResults.load()


def says(beginning, *said):
    assert_says(PAGE, beginning, *(text.replace(NARROW_SPACE, " ") for text in said))


def accuracies(task, style=SHORT, condition=RIGHT, model=TUNED):
    return [cell.accuracy for cell in RESULTS.of(model, task, style, condition)]


# Examples -------------------------------------------------------------------------------------


def test_french_is_known_of_words_of_the_tuning_alone():
    assert set(accuracies(TRANSLATE)) == {0.0}
    assert set(accuracies(TRANSLATE, condition=LEARNED)) == {1.0}
    repeated = {cell.repeated for cell in RESULTS.of(TUNED, TRANSLATE)}
    (share,) = map(percent, repeated)
    says("Choose *French*", share, "*street*")
    assert "street" in {pair.question for pair in TASKS[TRANSLATE].pairs}


def test_what_was_learned_by_heart():
    beginning = "Under *More*, compare"
    assert {
        *accuracies(OPPOSITE, condition=LEARNED),
        *accuracies(TRANSLATE, condition=LEARNED),
    } == {1.0}
    says(beginning, percent(accuracies(OPPOSITE)[-1]), percent(CHANCE, 1))
    learned, new = (percent(accuracies(PLURAL, condition=c)[-1]) for c in (LEARNED, RIGHT))
    says(beginning, f"{learned} of words from the tuning", f"{new} of new ones")


def test_shuffled_answers_change_nothing_clearly():
    for task in (COPY, PLURAL, OPPOSITE, TRANSLATE):
        pairs = zip(RESULTS.of(TUNED, task), RESULTS.of(TUNED, task, SHORT, SHUFFLED), strict=True)
        assert all(abs(a.accuracy - b.accuracy) <= 1.1 * a.standard_error for a, b in pairs)
    for task in (COPY, PLURAL):
        ends = (percent(accuracies(task, condition=c)[-1]) for c in (SHUFFLED, RIGHT))
        says("Choose *answers shuffled*", " against ".join(ends))


def test_examples_name_the_task():
    beginning = "Choose the form"
    short, named = accuracies(PLURAL), accuracies(PLURAL, NAMED)
    says(beginning, f"{percent(short[0])} to {percent(short[2])}")
    says(beginning, f"begins at {percent(named[0])}", f"{percent(named[-1])} with eight")
    repeat = accuracies(COPY, NAMED)
    says(beginning, f"falls from {percent(repeat[0])} to {percent(repeat[-1])}")


# One prompt -----------------------------------------------------------------------------------


def model(name):
    return asked.Model.of(asked.metas()[name])


def written(name, prompt, n=12):
    known = model(name)
    text = asked.continuation(known, prompt, n)
    return "".join(known.vocabulary.spell(text.ids)[len(text.ids) - len(text.written) :])


def test_the_untuned_model_continues_a_book():
    none, eight = (
        written(WRITER, asked.reply_to(model(WRITER), COPY, SHORT, n, 4).prompt) for n in (0, 8)
    )
    assert "bridge" in none
    assert "officer" in none
    says("Ask the untuned", f"*{eight.strip()}*")
    years = written(WRITER, asked.reply_to(model(WRITER), OPPOSITE, SHORT, 8, 1).prompt)
    says("Ask the untuned", f"*{years.strip(' ,')}*")


def changed(task):
    """Return in how many of the measured questions one example changes the tuned model's choice."""
    replies = [
        [asked.reply_to(model(TUNED), task, SHORT, shots, i) for i in range(TRIALS)]
        for shots in (0, 1)
    ]
    chosen = [[reply.candidates[reply.chosen] for reply in row] for row in replies]
    return sum(one != other for one, other in zip(*chosen, strict=True))


def test_without_an_example_a_new_word_is_repeated():
    beginning = "Ask the tuned model without"
    says(beginning, percent(RESULTS.of(TUNED, PLURAL)[0].repeated))
    for task in (OPPOSITE, TRANSLATE):
        assert RESULTS.of(TUNED, task)[0].repeated > 0.8
        assert RESULTS.of(TUNED, task, SHORT, LEARNED)[0].accuracy == 1
    says(beginning, f"{changed(PLURAL)} of {TRIALS}")


@pytest.mark.slow  # 240 questions
def test_one_example_changes_no_opposite_and_no_french():
    assert changed(OPPOSITE) == changed(TRANSLATE) == 0


def test_a_plural_of_ones_own_is_written_in_the_form_of_the_tuning_alone():
    beginning = "Type a prompt"
    assert written(TUNED, "- dog: dogs\n- cat:").split()[0] == "cats"
    assert "CHAPTER" in written(TUNED, "- dog -> dogs\n- cat ->")
    cells = [cell for style in STYLES for cell in RESULTS.of(TUNED, PLURAL, style)]
    shares = [cell.written for cell in cells]
    says(beginning, f"{percent(min(shares))} to {percent(max(shares))}", f"{TRIALS}")
    says(beginning, f"up to {percent(max(cell.accuracy for cell in cells))}")


def test_a_question_of_another_form_is_not_answered():
    word, sum_ = "What is the plural of dog?", "2 + 2 ="
    assert written(TUNED, word).count("CHAPTER") > 1
    assert set(written(TUNED, sum_).split()) == {"CHAPTER"}
    says("Ask it a question of another form", f"*{word}*", f"*{sum_}*")


# Templates ------------------------------------------------------------------------------------


def counted(name, user=templates._QUESTION, system=templates._SYSTEM):
    """Return the tokens of a template as text, and with its special tokens."""
    base, template = published_tokenizer(GPT2), TEMPLATES[name]
    aware = TokenizerWithSpecials(base, (templates._END, *template.special_tokens))
    text = template.render(user, system)
    return len(base.encode(text)), len(aware.encode(text))


def test_a_typed_mark_is_read_as_the_special_token():
    mark = TEMPLATES[CHATML].special_tokens[1]
    assert counted(CHATML, "a" + mark)[1] == counted(CHATML, "a")[1] + 1
    pieces = len(published_tokenizer(GPT2).encode(mark))
    says("Type <|im_end|>", f"{pieces} ordinary pieces")


def test_which_template_is_longest():
    beginning = "Which template"
    found = {name: counted(name) for name in TEMPLATES}
    assert max(found, key=lambda name: found[name][0]) == LLAMA_3
    assert max(found, key=lambda name: found[name][1]) == ALPACA
    text, special = found[LLAMA_3]
    question, system = (
        len(published_tokenizer(GPT2).encode(typed))
        for typed in (templates._QUESTION, templates._SYSTEM)
    )
    says(beginning, f"{text} tokens", f"{question} are the question", f"{system} the system")
    says(beginning, f"other {text - question - system}", f"{found[ALPACA][1]}", f"only {special}")
    assert counted(LLAMA_3, "Hi")[0] == text - question + 1


def test_the_models_here_do_not_know_the_characters_of_the_marks():
    prepared = model(WRITER).vocabulary.prepare(
        TEMPLATES[CHATML].render(templates._QUESTION, templates._SYSTEM)
    )
    assert {"<", "|"} <= prepared.dropped.keys()
    says("Open *What the models", f"{sum(prepared.dropped.values())} characters")
    pieces = written(TUNED, prepared.text, 16).split()
    assert {"washeds", "ittereds"} <= set(pieces)


# Your model -----------------------------------------------------------------------------------


def test_our_untuned_model_does_not_profit_from_examples():
    none, *_, eight = accuracies(COPY, model=WRITER)
    says("Bring GPT-2", f"{percent(none)} without", f"{percent(eight)} with eight")


# Instructions ---------------------------------------------------------------------------------

INSTRUCTED = InstructionResults.load()


def asked_of(place, instruction):
    return instructions._answered(instruction, EXAMPLES[place].english, "")


def right(task, condition):
    return percent(INSTRUCTED.of(INSTRUCTION_TUNED, task, condition).right)


def test_unknown_words_are_tied_to_no_task():
    beginning = "Choose *last word* in"
    reversed_ = INSTRUCTIONS["reverse"].answer(SentencePair(EXAMPLES[0].english, ""))
    assert asked_of(0, INSTRUCTIONS["last"].unknown) == reversed_
    says(beginning, f"*{INSTRUCTIONS['last'].unknown}*", f"{INSTRUCTED.provenance['captions']}")
    says(beginning, f"{right('last', UNKNOWN)} of the", f"against {right('last', TRAINED)}")


def test_without_an_instruction_translations_are_worse():
    beginning = "Choose *none*"
    none, trained = (
        INSTRUCTED.of(INSTRUCTION_TUNED, "french", way).bleu for way in (NONE, TRAINED)
    )
    alone = INSTRUCTED.of(ALONE, "french", TRAINED).bleu
    assert none < trained < alone
    says(beginning, f"{none:.1f} BLEU", f"one {trained:.1f}", f"it reaches {alone:.1f}")


def test_words_are_hardly_counted_and_first_words_are_read():
    beginning = "Compare *count words*"
    count, first = (percent(INSTRUCTED.commonest[task]) for task in ("count", "first"))
    says(beginning, f"{right('count', TRAINED)} of its answers", f"get {count}")
    says(beginning, f"{right('first', TRAINED)} against {first}")


@pytest.mark.skipif(bool(missing_files()), reason="Multi30k is not on this machine")
def test_the_number_of_words_is_estimated():
    captions = load_pairs(TEST)[: INSTRUCTED.provenance["captions"]]
    answers = ask_all(load_shipped(INSTRUCTION_TUNED)[0], "count", TRAINED, captions)
    said = np.array([int(answer) for answer in answers])
    wanted = np.array([int(INSTRUCTIONS["count"].answer(caption)) for caption in captions])
    assert np.corrcoef(said, wanted)[0, 1] > 0.7
    off = float(np.abs(said - wanted).mean())
    commonest = int(np.bincount(wanted).argmax())
    without = float(np.abs(commonest - wanted).mean())
    says(
        "Compare *count words*",
        f"{off:.1f} words off",
        f"saying {commonest} would be {without:.1f}",
    )
    says("Compare *count words*", f"more than {said.max()} in")
    assert (wanted > said.max()).any()


def test_a_colour_in_french_is_put_together_now_and_then():
    instruction, beginning = "say the colour in French", "Type *say the colour"
    assert asked_of(0, instruction) == "rouge"
    assert len(asked_of(1, instruction).split()) > 5
    rouge = [e.english for n, e in enumerate(EXAMPLES) if asked_of(n, instruction) == "rouge"]
    assert rouge == [e.english for e in EXAMPLES if "red car" in e.english]
    assert "yellow ball" in EXAMPLES[1].english
    combined = [task for task in LEARNED_TASKS if task.title.endswith(", French")]
    assert (len(combined), len(LEARNED_TASKS)) == (2, 8)
    says(beginning, "*rouge*", "two of its eight")


# Conversation ---------------------------------------------------------------------------------


def test_a_reply_depends_a_little_on_what_was_said():
    scores = ConversationResults.load().tuned
    times = math.exp(scores.other - scores.answered)
    says("Say that it is raining", f"{scores.replies} replies", f"{times:.2f} times as probable")


def test_tuning_lowers_the_loss_after_any_turn_and_does_not_listen_more():
    found = ConversationResults.load()
    before, after = found.untuned, found.tuned
    says("Compare *tuned* with", f"from {before.answered:.2f} to {after.answered:.2f} nats")
    says("Compare *tuned* with", f"{percent(after.found)} in place of {percent(before.found)}")
    says(
        "Compare *tuned* with",
        f"{percent(after.standard_error)}, probably because {found.replies:,} replies",
    )
    assert 0.7 < (before.other - after.other) / (before.answered - after.answered) < 1
    assert abs(after.found - before.found) < after.standard_error


def test_a_name_can_be_known_while_it_is_in_the_context():
    plain = load_shipped(asked.BEST_WRITER)
    known = vocabulary_of(plain.meta)
    says("Tell it your name", f"{plain.model.config.context} tokens")
    turns = ["My name is Zebulon.", "Is it?", "What is my name?"]
    assert "Zebulon" in known.decode(read_before(known, turns, plain.model.config.context))
    told = [replied(turns, 0, Talking("tuned", 0.8, seed))["reply"] for seed in range(1, 11)]
    assert not any("Zebulon" in reply for reply in told)
