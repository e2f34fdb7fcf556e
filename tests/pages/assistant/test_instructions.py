"""Instructions: what waits for a guess, what the network answers, and instructions of a visitor's own."""

import pytest

from lm_core.experiments.instructions.comparison import COMPARED
from lm_core.experiments.instructions.results import InstructionResults
from lm_core.experiments.instructions.study import ALONE
from lm_core.experiments.instructions.tasks import LAST_FRENCH, REGROUPED, TASKS, TRAINED
from lm_core.experiments.instructions.tuning import TUNED
from pages.assistant.instructions_chart import KINDS, score_of, title_of
from pages.shared.numbers import percent
from tests.pages.visits import alt, data, guess, shows, text, visit

PAGE, PART = "pages/assistant/page.py", "Instructions"
HELD_OUT = TASKS[LAST_FRENCH].title


@pytest.fixture
def shipped():
    return InstructionResults.load()


def test_the_combination_waits_for_the_guess(shipped):
    app = visit(PAGE, part=PART)
    assert HELD_OUT not in alt(app, "instructions")
    assert HELD_OUT not in data(app, "instructions")["task"].tolist()
    app = guess(app, "combination")
    table = data(app, "instructions").set_index(["task", "instruction"])["score"]
    assert table[HELD_OUT, "regrouped"] == round(100 * shipped.held_out.right, 1)
    assert shows(app, percent(shipped.held_out.right), percent(shipped.held_out.own_last))


def test_each_mark_is_what_was_measured(shipped):
    table = data(visit(PAGE, part=PART), "instructions").set_index(["task", "instruction"])
    for task in set(TASKS) - {LAST_FRENCH}:
        for kind, (model, condition) in KINDS.items():
            cell = shipped.of(model, task, condition)
            rows = table["score"].get((title_of(task), kind))
            assert rows == (cell and round(score_of(cell), 1))
    assert shipped.of(TUNED, "french", TRAINED).bleu == score_of(
        shipped.of(TUNED, "french", TRAINED)
    )
    assert shipped.of(ALONE, LAST_FRENCH, REGROUPED) is None
    assert {c.task for c in shipped.cells if c.model == ALONE} == {*COMPARED}


@pytest.mark.parametrize(
    ("asked", "instruction", "answer"),
    [
        ({}, "first word", "A"),
        ({"instructed_task": "last word"}, "last word", "house"),
        ({"instructed_task": "colour", "wording": "regrouped"}, "write the colour", "red"),
        (
            {"instructed_task": "own instruction", "own_instruction": "give the last word:"},
            "give the last word",
            "house",
        ),
    ],
)
def test_the_network_answers(asked, instruction, answer):
    assert shows(visit(PAGE, part=PART, **asked), instruction, answer)


def test_a_combination_without_a_trained_wording_is_asked_in_regrouped_words():
    app = visit(PAGE, part=PART, instructed_task=HELD_OUT)
    assert shows(app, TASKS[LAST_FRENCH].regrouped)


def test_markup_and_nothing_at_all_are_instructions_too():
    for own in ("<b>*first* word</b>", "", "日本"):
        app = visit(PAGE, part=PART, instructed_task="own instruction", own_instruction=own)
        assert not app.exception
        assert "<b>" not in text(app)
