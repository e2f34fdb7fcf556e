"""Toy tasks: their rules by hand, what is held out, and the shipped models, tested again."""

import argparse
from dataclasses import replace

import pytest

from lm_core.errors import TextError
from lm_core.experiments.toy_tasks import command, training
from lm_core.experiments.toy_tasks.results import MODELS, ToyResults, key_of
from lm_core.experiments.toy_tasks.tasks import TASKS, draw_pairs, is_held_out
from lm_core.models.encoder_decoder import RecurrentEncoderDecoder
from lm_core.rng import generator


@pytest.fixture(scope="module")
def shipped():
    return ToyResults.load()


@pytest.mark.parametrize(
    ("task", "given", "wanted"),
    [
        ("copy", "cabh", "cabh"),
        ("reverse", "cabh", "hbac"),
        ("sort", "cabac", "aabcc"),
        ("parity", "10110", "1"),
        ("parity", "1001", "0"),
        ("brackets", "([()[", "]])"),
        ("brackets", "()[]", ""),
        ("addition", "58+67", "521"),
        ("addition", "20+30", "05"),
        ("addition", "04+03", "70"),
    ],
)
def test_what_must_come_out(task, given, wanted):
    assert TASKS[task].rule(TASKS[task].read(given)) == wanted


def test_typed_numbers_get_equally_many_digits():
    assert TASKS["addition"].read(" 7 + 125 ") == "007+125"


@pytest.mark.parametrize(
    ("task", "typed"),
    [
        ("copy", ""),
        ("copy", "xyz"),
        ("parity", "102"),
        ("brackets", "(]"),
        ("brackets", "())"),
        ("addition", "12"),
        ("addition", "1+2+3"),
        ("addition", "+"),
        ("addition", "²+1"),
        ("parity", "0" * 21),
    ],
)
def test_what_a_rule_is_not_for_is_refused(task, typed):
    with pytest.raises(TextError):
        TASKS[task].read(typed)


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_what_is_drawn_has_its_length_and_is_held_out_or_not(task):
    for held_out in (True, False):
        pairs = draw_pairs(task, 50, range(3, 4), generator(1), held_out=held_out)
        assert pairs
        for given, wanted in pairs:
            assert task.read(given) == given
            assert task.length_of(given) == 3
            assert task.rule(given) == wanted
            assert is_held_out(given) is held_out


def test_a_training_reads_no_string_that_is_held_out_and_lowers_the_loss(monkeypatch):
    seen = []
    draw = training.draw_pairs

    def watched(*args, **named):
        seen.extend(pairs := draw(*args, **named))
        return pairs

    monkeypatch.setattr(training, "draw_pairs", watched)
    network, rng = RecurrentEncoderDecoder(training.configured("none")), generator(1)
    network.initialise(rng)
    short = replace(TASKS["parity"], steps=40)
    losses = [step.loss for step in training.train(network, short, rng)]
    assert losses[-1] < losses[0] / 2
    assert {len(given) for given, _ in seen} == set(range(1, 11))
    assert not any(is_held_out(given) for given, _ in seen)


def test_the_test_counts_whole_answers(monkeypatch):
    task = TASKS["copy"]
    half = lambda _, given: [g if g < "e" else g[:-1] for g in given]  # noqa: E731
    monkeypatch.setattr(training, "answer_all", half)
    scores = training.score(None, task)
    assert [score.length for score in scores] == list(range(3, 13))
    assert all(0.35 < score.share < 0.65 for score in scores)
    monkeypatch.setattr(training, "answer_all", lambda _, given: list(given))
    assert all(score.share == 1.0 for score in training.score(None, task))


def test_the_shipped_models_are_those_that_were_tested(shipped):
    assert shipped.stored
    for key, model in shipped.models.items():
        task, _, kind = key.partition(", ")
        first = shipped.of(task, kind)[0]
        scores = training.score(model, TASKS[task])
        # Another processor may round otherwise, and another sign may be the most probable one.
        assert [s.right for s in scores] == pytest.approx([s.right for s in first.scores], abs=3)
        assert [s[:2] for s in scores] == [s[:2] for s in first.scores]


def test_an_answer_step_by_step_is_the_answer_at_once(shipped):
    for task, given in (("reverse", "badge"), ("copy", "headache")):
        model = shipped.models[key_of(task, "attention")]
        steps = training.answer_steps(model, given)
        assert "".join(step.sign for step in steps) == training.answer_all(model, [given])[0]
        assert [step.sign for step in steps].index("") == len(steps) - 1
        assert all(0.0 < step.probability <= 1.0 for step in steps)


def test_means_and_ranges_are_of_all_seeds(shipped):
    trainings = shipped.of("copy", "attention")
    assert [t.seed for t in trainings] == list(command.SEEDS)
    mean, low, high = shipped.by_length("copy", "attention")[8]
    shares = [score.share for t in trainings for score in t.scores if score.length == 8]
    assert low < high
    assert (low, high) == (min(shares), max(shares))
    assert mean == pytest.approx(sum(shares) / 3)


def test_a_command_adds_what_its_file_lacks(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "train", lambda network, task, rng: iter(()))
    out = tmp_path / "toy-tasks.json"
    for names, n in ((["copy"], 6), (["copy", "sort"], 12)):
        command.run(argparse.Namespace(tasks=names, out=out))
        found = ToyResults.load(out)
        assert len(found.trainings) == n
        assert found.stored.keys() == {key_of(t, m) for t in names for m in MODELS}
        seconds = sum(training.seconds for training in found.trainings)
        assert found.provenance["seconds"] == pytest.approx(seconds, abs=0.1)


@pytest.mark.parametrize("model", MODELS)
def test_of_three_trainings_on_sums_one_finds_the_rule_and_one_does_not(shipped, model):
    by_length = shipped.by_length("addition", model)
    _, low, high = by_length[2]
    assert low < 0.12
    assert high == 1.0
    assert by_length[3] == by_length[4] == (0.0, 0.0, 0.0)
