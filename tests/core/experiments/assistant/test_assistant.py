"""Tasks, prompts, questions, templates, tuning, and the file of results."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from lm_core.errors import SettingError
from lm_core.experiments.assistant import templates, tuning
from lm_core.experiments.assistant.results import AssistantResults
from lm_core.experiments.assistant.study import (
    CONDITIONS,
    LEARNED,
    RIGHT,
    SHUFFLED,
    Cell,
    Reply,
    ask,
    cell_of,
    measure,
    trials_of,
)
from lm_core.experiments.assistant.tasks import (
    CANDIDATES,
    NAMED,
    SHORT,
    SHOTS,
    TASKS,
    TRANSLATE,
    Pair,
    draw_trial,
    written_prompt,
)
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.character_vocabulary import FULL
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer


def small_model(seed=1):
    config = TransformerLanguageModelConfig(len(FULL), 32, 2, 2, context=96)
    model = TransformerLanguageModel(config)
    model.initialise(generator(seed))
    return model


# Tasks and prompts ----------------------------------------------------------------------------


def test_every_task_has_words_that_the_book_can_spell_once_each():
    for task in TASKS.values():
        words = [word for pair in (*task.pairs, *task.learned) for word in set(pair)]
        assert all(not set(word) - set(FULL.symbols) for word in words)
        assert not set(task.pairs) & set(task.learned)
        questions = [pair.question for pair in task.pairs]
        assert len(set(questions)) == len(questions)


def test_a_prompt_ends_where_the_answer_begins():
    task, shown = TASKS[TRANSLATE], [Pair("dog", "chien"), Pair("cat", "chat")]
    assert written_prompt(task, shown, "man") == "- dog: chien\n- cat: chat\n- man:"
    named = written_prompt(task, shown[:1], "man", style=NAMED)
    assert named == "translate: dog\nanswer: chien\ntranslate: man\nanswer:"
    with pytest.raises(SettingError, match="style"):
        written_prompt(task, shown, "man", style="loud")


@pytest.mark.parametrize("task", TASKS)
def test_a_question_shares_no_word_with_its_examples_or_false_answers(task):
    for trial in trials_of(task, RIGHT, 20):
        assert len(trial.candidates) == CANDIDATES == len(set(trial.candidates))
        assert trial.candidates[0] == trial.pair.answer
        assert trial.pair.question in trial.candidates
        shown = {word for pair in trial.examples for word in pair}
        assert not shown & {*trial.candidates, *trial.pair}
        assert trial.pair in TASKS[task].pairs


def test_fewer_examples_are_the_last_ones_and_shuffled_ones_have_false_answers():
    (trial,) = trials_of(TRANSLATE, RIGHT, 1)
    for n in SHOTS:
        shown, shuffled = trial.shown(n), trial.shown(n, is_shuffled=True)
        assert shown == trial.examples[len(trial.examples) - n :]
        assert [pair.question for pair in shuffled] == [pair.question for pair in shown]
        assert not {p.answer for p in shown} - {p.answer for p in shuffled} or n == 1
        assert all(a.answer != b.answer for a, b in zip(shown, shuffled, strict=True))
    with pytest.raises(SettingError, match="shots"):
        trial.shown(len(trial.examples) + 1)


def test_too_few_pairs_are_refused():
    with pytest.raises(SettingError, match="need more than 3 pairs"):
        draw_trial(TASKS[TRANSLATE].pairs[:3], 8, generator(1))


def test_questions_are_the_same_for_every_model_and_those_tuned_on_only_where_asked():
    assert trials_of(TRANSLATE, RIGHT, 5) == trials_of(TRANSLATE, SHUFFLED, 5)
    assert all(t.pair in TASKS[TRANSLATE].learned for t in trials_of(TRANSLATE, LEARNED, 5))


# Asking ---------------------------------------------------------------------------------------


def reply(*logs, candidates=("b", "a", "c"), question="a", is_written=False):
    return Reply("- a:", question, candidates, logs, is_written)


def test_the_most_probable_candidate_is_chosen_and_shares_add_up():
    asked = reply(-2.0, -1.0, -1001.0)
    assert asked.chosen == 1
    assert asked.shares == pytest.approx([1 / (1 + np.e), np.e / (1 + np.e), 0.0])


def test_a_cell_counts_right_repeated_and_written_answers():
    replies = [reply(0.0, -1.0, -2.0, is_written=True), reply(-1.0, 0.0, -2.0), reply(-1, -2, 0)]
    cell = cell_of("m", TRANSLATE, SHORT, RIGHT, 2, [*replies, replies[0]])
    assert (cell.accuracy, cell.repeated, cell.written) == (0.5, 0.25, 0.5)
    assert cell.standard_error == pytest.approx(0.25)
    copied = reply(0.0, -1.0, -2.0, candidates=("a", "b", "c"))
    assert cell_of("m", TRANSLATE, SHORT, RIGHT, 2, [copied]).repeated == 0.0, "that was right"


def test_a_model_without_an_opinion_is_measured_for_every_number_of_examples():
    cells = list(
        measure("m", small_model().eval(), FULL, TRANSLATE, SHORT, SHUFFLED, shots=(0, 2), trials=3)
    )
    assert [cell.shots for cell in cells] == [0, 2]
    assert {cell.trials for cell in cells} == {3}


def test_the_chosen_answer_is_the_one_that_the_model_finds_most_probable():
    (trial,) = trials_of(TRANSLATE, RIGHT, 1)
    model = small_model().eval()
    asked = ask(model, FULL, TRANSLATE, trial.shown(1), trial, SHORT)
    assert asked.prompt == written_prompt(TASKS[TRANSLATE], trial.shown(1), trial.pair.question)
    text = FULL.encode(f"\n{asked.prompt} {trial.candidates[2]}\n")
    with torch.no_grad():
        logs = model(torch.from_numpy(text)[None], model.initial_state(1))[0][0].log_softmax(-1)
    n = len(trial.candidates[2]) + 2
    expected = sum(float(logs[i - 1, text[i]]) for i in range(len(text) - n, len(text)))
    assert asked.log_probabilities[2] == pytest.approx(expected, rel=1e-4)


# Tuning ---------------------------------------------------------------------------------------


def test_the_words_that_are_asked_are_in_no_lesson():
    text = "the hand the hands soldier walking walking tree"
    assert tuning.frequent_words(text) == ("the", "walking")
    made = tuning.lessons(("walking", "dress"))
    asked = {word for task in TASKS.values() for pair in task.pairs for word in pair}
    assert made["plural"] == (Pair("walking", "walkings"),)
    assert not {pair for pairs in made.values() for pair in pairs} & {
        pair for task in TASKS.values() for pair in task.pairs
    }
    assert "walking" not in asked


def test_only_answers_are_learned_from():
    pairs = {"copy": (Pair("prince", "prince"), Pair("bow", "bow"), Pair("axe", "axe"))}
    row = tuning.draw_row(pairs, FULL, 60, generator(2))
    assert len(row.ids) <= 60
    text = FULL.decode(row.ids)
    learned = "".join(c for c, is_answer in zip(text, row.is_answer, strict=True) if is_answer)
    answers = [line.rsplit(":", 1)[1] for line in text.split("\n") if ": " in line]
    if "answer" in text:
        answers = [line.split(":")[1] for line in text.split("\n") if line.startswith("answer")]
    assert learned == "".join(f"{answer}\n" for answer in answers)


def test_the_loss_is_the_mean_over_the_answers_tokens_whatever_the_padding():
    model = small_model().eval()
    rows = [
        tuning.Row(np.array([1, 5, 6, 7]), np.array([False, False, True, True])),
        tuning.Row(np.array([1, 9]), np.array([False, True])),
    ]
    expected = []
    for row in rows:
        ids = torch.from_numpy(row.ids)[None]
        logs = model(ids, model.initial_state(1))[0][0].log_softmax(-1)
        expected += [-logs[i - 1, row.ids[i]].item() for i in np.flatnonzero(row.is_answer)]
    assert tuning.answer_loss(model, rows).item() == pytest.approx(np.mean(expected), rel=1e-5)


def test_tuning_lowers_the_loss_of_the_answers():
    model, pairs = small_model(), {"copy": (Pair("bow", "bow"), Pair("axe", "axe"))}
    steps = list(tuning.tune(model, pairs, FULL, generator(1), steps=40))
    assert steps[-1].loss < 0.95 * steps[0].loss


# Templates ------------------------------------------------------------------------------------


def test_messages_are_written_as_text_even_where_they_look_like_a_place():
    template = templates.Template("[{system}|{user}]")
    assert template.render("{system}", "be kind") == "[be kind|{system}]"
    assert templates.TEMPLATES[templates.CHATML].render("Hi", "Help").endswith("assistant\n")


def test_the_symbols_are_counted_without_being_read():
    class Unread(list):
        def __iter__(self):
            raise AssertionError("read")

    aware = templates.TokenizerWithSpecials(SimpleNamespace(symbols=Unread("ab")), ("<|im|>",))
    assert len(aware.symbols) == 3


def test_a_special_token_is_one_token_and_the_rest_as_before():
    base = BytePairTokenizer.fit("the prince said the prince", 270)
    aware = templates.TokenizerWithSpecials(base, ("<|im|>", "<|im|>>"))
    text = "<|im|>the prince<|im|>>"
    tokens = aware.trace(text)
    assert (tokens[0].symbol, tokens[-1].symbol) == ("<|im|>", "<|im|>>")
    assert [t.id for t in tokens[1:-1]] == base.encode("the prince").tolist()
    assert "".join(text[t.start : t.end] for t in tokens) == text
    assert aware.decode(aware.encode(text)) == text
    assert [*aware.symbols] == [*base.symbols, *aware.added]
    assert aware.symbols[-2:] == aware.added
    with pytest.raises(SettingError, match="different texts"):
        templates.TokenizerWithSpecials(base, ("a", "a"))


# Results --------------------------------------------------------------------------------------


def cells():
    return tuple(
        Cell(model, task, SHORT, RIGHT, n, 0.25, 0.0, 0.5, 4)
        for model in (tuning.WRITER, tuning.TUNED)
        for task in TASKS
        for n in SHOTS
    )


def test_a_row_is_found_by_rising_number_of_examples():
    found = AssistantResults({}, cells(), {tuning.WRITER: 1.0, tuning.TUNED: 2.0})
    assert [c.shots for c in found.of(tuning.TUNED, TRANSLATE)] == list(SHOTS)
    assert found.of(tuning.TUNED, TRANSLATE, NAMED) == []


@pytest.mark.parametrize("n", [0, 3])
def test_results_without_a_row_are_refused(n):
    with pytest.raises(ValueError, match=f"{tuning.WRITER} must have a loss"):
        AssistantResults({}, cells()[:n], {tuning.WRITER: 1.0, tuning.TUNED: 2.0})


def test_what_is_shipped_has_every_row():
    found = AssistantResults.load()
    assert found.models[:2] == (tuning.WRITER, tuning.TUNED)
    for task in TASKS:
        for condition in CONDITIONS:
            measured = found.of(tuning.TUNED, task, SHORT, condition)
            assert [cell.shots for cell in measured] == list(SHOTS), (task, condition)
