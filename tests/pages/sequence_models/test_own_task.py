"""The part with tasks of one's own choice: what is drawn is what was measured, and what is typed is answered."""

import pytest

from lm_core.experiments.toy_tasks.results import MODELS, ToyResults, key_of
from lm_core.experiments.toy_tasks.tasks import TASKS, draw_pairs
from lm_core.experiments.toy_tasks.training import answer_all
from lm_core.rng import generator
from pages.sequence_models.task_words import FIRST, TITLES
from pages.shared.numbers import percent
from tests.pages.visits import alt, data, guess, shows, text, visit

PAGE = "pages/sequence_models/page.py"


@pytest.fixture(scope="module")
def shipped():
    return ToyResults.load()


def arrive(name, *, answered=False, **asked):
    if answered:
        asked["reveal"] = f"toy_{name}_longer"
    return visit(PAGE, shape="Own task", task=TITLES[name], **asked)


@pytest.mark.parametrize("name", TITLES)
def test_the_lines_are_the_means_of_the_trainings(shipped, name):
    drawn = data(arrive(name, answered=True), "toy_lengths")
    for model in MODELS:
        wanted = shipped.by_length(name, model)
        assert drawn[drawn.columns[0]].tolist() == list(wanted)
        assert drawn[model].tolist() == pytest.approx([mean for mean, *_ in wanted.values()])


@pytest.mark.parametrize("name", TITLES)
def test_what_attention_has_beside_is_counted(shipped, name):
    one, attention = (
        sum(weight.numel() for weight in shipped.models[key_of(name, model)].parameters())
        for model in MODELS
    )
    said = f"{attention - one:,} more weights ({percent(attention / one - 1)})"
    assert said in text(arrive(name))


def test_longer_strings_than_those_of_training_wait_for_a_guess(shipped):
    page = arrive("copy")
    assert data(page, "toy_lengths")["letters"].max() == 6
    guess(page, "toy_copy_longer", 4)
    assert ":green-badge[" in text(page)
    assert data(page, "toy_lengths")["letters"].max() == 12
    for model in MODELS:
        assert shows(page, round(100 * shipped.by_length("copy", model)[12][0]))


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("copy", "Head ache"),
        ("reverse", "feed"),
        ("sort", "feedbag"),
        ("parity", "1011"),
        ("brackets", "[( )("),
    ],
)
def test_what_is_typed_is_answered_by_both_models(shipped, name, typed):
    page = arrive(name, **{f"toy_{name}": typed})
    given = TASKS[name].read(typed)
    said = text(page)
    assert f"From `{given}` must come `{TASKS[name].rule(given)}`" in said
    for model in MODELS:
        (answer,) = answer_all(shipped.models[key_of(name, model)], [given])
        assert (
            f"{model} writes `{answer}`, {'right' if answer == TASKS[name].rule(given) else 'wrong'}"
            in said
        )
        assert answer in alt(page, f"toy_{model.replace(' ', '_')}_diagram")


def test_what_the_rule_is_not_for_is_named_and_the_picture_stays():
    page = arrive("parity", toy_parity="12")
    assert "zeros and ones" in page.error[0].value
    assert f"From `{FIRST['parity']}`" in text(page)
    assert len(data(page, "toy_lengths"))


@pytest.mark.parametrize("name", ["copy", "reverse", "sort"])
def test_answers_at_twice_the_trained_length_are_too_short_as_is_said(shipped, name):
    pairs = draw_pairs(TASKS[name], 50, range(12, 13), generator(5), held_out=True)
    for model in MODELS:
        answers = answer_all(shipped.models[key_of(name, model)], [pair.given for pair in pairs])
        assert all(len(answer) < 12 for answer in answers)


def test_long_answers_are_what_fails_of_twenty_brackets_as_is_said(shipped):
    drawn = draw_pairs(TASKS["brackets"], 200, range(20, 21), generator(5), held_out=True)
    short, long = (
        [p for p in drawn if (len(p.wanted) > 5) is is_long] for is_long in (False, True)
    )
    assert sum(len(pair.wanted) <= 2 for pair in drawn) > 0.4 * len(drawn)
    for model in MODELS:
        network = shipped.models[key_of("brackets", model)]
        shares = []
        for pairs in (short, long):
            answers = answer_all(network, [pair.given for pair in pairs])
            shares.append(
                sum(a == p.wanted for a, p in zip(answers, pairs, strict=True)) / len(pairs)
            )
        assert shares[0] > 1.5 * shares[1]
