"""Thirty runs: made by the page alone, or by the phones of a class."""

from statistics import fmean

import pytest

from lm_core.classroom.records import ClassExperiment
from lm_core.errors import RoomError
from lm_core.experiments.thirty_runs.lengths import LENGTHS
from lm_core.experiments.thirty_runs.scaling import ScalingResults
from pages.shared import page
from pages.shared.rooms.store import store
from tests.pages.shared.classroom.people import arrive_as, look_again, opened, visitor, words
from tests.pages.visits import data, drawn_rows, press, visit

PAGE, RECALL = "pages/thirty_runs/page.py", "pages/rnn_vs_lstm/page.py"
KEYS = {"Samples": "estimates", "Starts": "failures", "Restarts": "inertias"}
TWO_STARTS = ClassExperiment("Starts", {"units": "3"}, 2)


def buttons(app):
    return {button.key for button in app.button}


def table(app, part):
    """Return the runs in the order of the picture."""
    return data(app, KEYS[part])


def runs(app, part):
    """Return what they came to."""
    return list(table(app, part)["what the run came to"])


@pytest.fixture
def code():
    return opened().code


def share(code, experiment=TWO_STARTS):
    return store().experiments.share_out(code, visitor("teacher"), experiment)


# Alone ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", KEYS)
def test_alone_all_runs_are_made_by_the_page(part):
    app = visit(PAGE, part=part, hide="", runs="20")
    assert len(runs(app, part)) == 20
    assert not buttons(app) & {"class_runs_share", "class_runs_make", "class_runs_end"}


@pytest.mark.parametrize("part", KEYS)
def test_only_the_first_run_is_drawn_before_the_guess(part):
    assert len(runs(visit(PAGE, part=part), part)) == 1


@pytest.mark.parametrize(
    ("part", "key", "question", "n_kinds"),
    [("Optimisers", "optimisers", "ratio", 3), ("Lengths", "recall_by_length", "lstm", 2)],
)
def test_only_runs_of_the_first_kind_are_drawn_before_the_guess(part, key, question, n_kinds):
    """Adam's of three optimisers, and the RNN's of two networks: they take the runs in turn."""
    masked, shown = (
        [int(run.split()[1]) for run in dots(visit(PAGE, part=part, runs="20", **link), key)]
        for link in ({}, {"reveal": question})
    )
    assert masked == [*range(1, 21, n_kinds)]
    assert shown == [*range(1, 21)]


def dots(app, key):
    """Return the names of the dots of a chart."""
    rows = drawn_rows(app, key)
    return [*rows["name"][rows["kind"] == "dot"]]


# In a class -------------------------------------------------------------------------------------


def test_a_presenter_shares_out_what_is_chosen_and_ends_it(code):
    teacher = arrive_as("teacher", PAGE, room=code, part="Starts", units="4", runs="10")
    press(teacher, "class_runs_share")
    shared = store().rooms.state(code).shared_out
    assert shared.experiment == ClassExperiment("Starts", {"units": "4"}, 10)
    assert "No run has come in yet, of 10" in words(look_again(teacher))
    press(teacher, "class_runs_end")
    assert store().rooms.state(code).shared_out.is_over
    assert "class_runs_share" in buttons(look_again(teacher))


def test_each_run_is_in_the_teacher_s_picture_and_marked_on_the_phone_that_made_it(code):
    share(code)
    teacher = arrive_as("teacher", PAGE, room=code, part="Starts")
    student = arrive_as("student", PAGE, room=code, part="Starts", units="2")
    press(student, "class_runs_make")
    (run,) = store().experiments.finished_runs(code, visitor("student"), 1)
    assert run.is_own
    assert list(table(look_again(teacher), "Starts")["made by"]) == [run.alias]
    assert "class_runs_make" in buttons(look_again(student))


def test_a_run_is_made_with_what_was_shared_out_whatever_the_phone_shows(code):
    share(code, ClassExperiment("Restarts", {"data": "moons", "clusters": "4"}, 3))
    student = arrive_as("student", PAGE, room=code, part="Restarts", data="95 : 5", clusters="2")
    press(student, "class_runs_make")
    (run,) = store().experiments.finished_runs(code, visitor("student"), 1)
    alone = visit(PAGE, part="Restarts", data="moons", clusters="4", hide="")
    assert run.value == pytest.approx(runs(alone, "Restarts")[0])


def test_who_comes_when_all_runs_are_taken_is_told(code):
    share(code)
    for name in ("anna", "boris"):
        press(arrive_as(name, PAGE, room=code, part="Starts"), "class_runs_make")
    late = arrive_as("carla", PAGE, room=code, part="Starts")
    press(late, "class_runs_make")
    assert any("No run is left for you" in info.value for info in late.info)


def test_a_phone_on_another_page_is_shown_the_way(code):
    student = arrive_as("student", RECALL, room=code)
    assert "class_runs_go" not in buttons(student)
    shared = share(code)
    assert "class_runs_go" in buttons(look_again(student))
    store().experiments.end(code, visitor("teacher"), shared.id)
    assert "class_runs_go" not in buttons(look_again(student))


def test_without_the_database_the_page_makes_its_own_runs(code, monkeypatch):
    share(code)
    student = arrive_as("student", PAGE, room=code, part="Starts", hide="")

    def refusing(*_):
        raise RoomError("the room is gone")

    monkeypatch.setattr(type(store().experiments), "finished_runs", refusing)
    assert not look_again(student).exception


# A law of the class ------------------------------------------------------------------------------


def test_the_next_network_is_nowhere_before_the_guess():
    measured = page.shipped(ScalingResults).at(0.02)[-1]
    masked, shown = (visit(PAGE, part="Scaling", **link) for link in ({}, {"reveal": "next"}))
    means = "mean of the networks"
    assert data(masked, "scaling")[means].isna().tolist() == [False] * 6 + [True]
    assert data(shown, "scaling")[means].iloc[-1] == pytest.approx(fmean(measured.above_entropy))


def test_phones_train_networks_of_all_sizes_in_turn(code):
    share(code, ClassExperiment("Scaling", {"rate": "0.02"}, 6))
    teacher = arrive_as("teacher", PAGE, room=code, part="Scaling")
    assert "a line needs networks of two sizes" in words(teacher)
    assert not len(drawn_rows(teacher, "scaling"))  # nor is the next network there
    for name in ("anna", "boris"):
        press(arrive_as(name, PAGE, room=code, part="Scaling"), "class_runs_make")
    found = look_again(teacher)
    assert list(data(found, "scaling")["networks"]) == [1, 1, 0, 0, 0, 0, 0]
    assert "2 of 6 runs: with twice the weights" in words(found)


@pytest.mark.parametrize("part", ["Scaling", "Learning rates", "Lengths", "Dropout", "Optimisers"])
def test_a_phone_trains_with_what_was_shared_out(code, part):
    settings = {
        "Scaling": {"rate": "0.005"},
        "Learning rates": {"weights": "896"},
        "Dropout": {"examples": "2,000"},
    }.get(part, {})
    share(code, ClassExperiment(part, settings, 6))
    press(arrive_as("anna", PAGE, room=code, part=part), "class_runs_make")
    (run,) = store().experiments.finished_runs(code, visitor("anna"), 1)
    results = page.shipped(ScalingResults)
    first = {
        "Scaling": results.at(0.005)[0].above_entropy,
        "Learning rates": results.of(896)[0].above_entropy,
        "Lengths": results.recalled[0].accuracies,
        "Dropout": results.dropped_of(2_000)[0].above_entropy,
        "Optimisers": results.of(6_198)[0].above_entropy,
    }[part]
    assert run.value == pytest.approx(first[0], rel=0.02)


def test_only_the_first_training_is_drawn_before_the_rate_is_guessed():
    masked, shown = (
        visit(PAGE, part="Learning rates", **link) for link in ({}, {"reveal": "rate"})
    )
    assert len(drawn_rows(masked, "rates")) == 1
    assert list(data(shown, "rates")["trainings"]) == [5] * 6


def test_the_networks_of_the_second_cell_are_nowhere_before_the_guess():
    masked, shown = (visit(PAGE, part="Lengths", **link) for link in ({}, {"reveal": "lstm"}))
    assert "LSTM" not in data(masked, "recall_by_length")
    recalled = {
        (found.cell, found.length): found for found in page.shipped(ScalingResults).recalled
    }
    means = [fmean(recalled["lstm", length].accuracies[:3]) for length in LENGTHS]
    assert list(data(shown, "recall_by_length")["LSTM"]) == pytest.approx(means)


def test_only_the_first_training_is_drawn_before_the_dropout_rate_is_guessed():
    masked, shown = (visit(PAGE, part="Dropout", **link) for link in ({}, {"reveal": "dropped"}))
    assert len(drawn_rows(masked, "dropout_rates")) == 1
    assert list(data(shown, "dropout_rates")["trainings"]) == [5] * 6
    assert "at 0.3 the network loses least" in words(shown)


def test_the_rivals_of_adam_are_nowhere_before_the_guess():
    masked, shown = (visit(PAGE, part="Optimisers", **link) for link in ({}, {"reveal": "ratio"}))
    assert {"momentum", "GD"}.isdisjoint(data(masked, "optimisers").columns)
    assert "Adam at 0.03, momentum at 1, GD at 3" in words(shown)


def test_the_settings_of_optimisers_are_taken_in_turn(code):
    share(code, ClassExperiment("Optimisers", {}, 18))
    for number in range(3):
        store().experiments.take_run(code, visitor("teacher"), 1)
        store().experiments.finish_run(code, visitor("teacher"), 1, number, 0.5)
    teacher = arrive_as("teacher", PAGE, room=code, part="Optimisers")
    drawn = data(teacher, "optimisers")
    assert {"Adam", "momentum", "GD"} <= {*drawn.columns} | {*drawn.iloc[:, 0]}
    assert "3 of 18 runs" in words(teacher)


# One model that a class trains -------------------------------------------------------------------

TWO_WORKERS = ClassExperiment("One model", {"workers": "2"}, 20, 2)


def test_the_wrong_gradient_leads_nowhere_before_the_guess():
    masked, shown = (
        visit(PAGE, part="One model", **link) for link in ({}, {"reveal": "one_wrong"})
    )
    right, mean = "all as computed", "mean"
    assert mean not in data(masked, "losses_of_workers")
    losses = data(shown, "losses_of_workers")
    assert losses[right].iloc[-1] < 3.5 < 20.0 < losses[mean].iloc[-1]


def test_a_step_is_made_when_all_phones_have_sent(code):
    share(code, TWO_WORKERS)
    teacher = arrive_as("teacher", PAGE, room=code, part="One model")
    anna, boris = (arrive_as(name, PAGE, room=code, part="One model") for name in ("anna", "boris"))
    press(anna, "class_runs_make")
    assert "class_runs_make" not in buttons(anna)
    assert any(
        "Sent for step 1: the gradient of 1,500 examples" in said.value for said in anna.info
    )
    (run,) = store().experiments.finished_runs(code, visitor("anna"), 1)
    assert f"Have sent: {run.alias}" in words(look_again(teacher))
    press(boris, "class_runs_make")
    alone = visit(PAGE, part="One model", workers="2", wrong="0", hide="")
    both = [data(app, "losses_of_workers") for app in (look_again(teacher), alone)]
    first_step = [list(table["mean"][:2]) for table in both]
    assert first_step[0] == pytest.approx(first_step[1])
    assert "In step 1: 2 as computed" in words(teacher)
    assert "class_runs_make" in buttons(look_again(anna))


def test_a_step_is_made_without_the_phones_that_sleep_and_with_what_is_wrong(code):
    share(code, TWO_WORKERS)
    anna = arrive_as("anna", PAGE, room=code, part="One model")
    anna.selectbox(key="own").select("Sign turned").run()
    press(anna, "class_runs_make")
    teacher = arrive_as("teacher", PAGE, room=code, part="One model")
    press(teacher, "class_runs_end_round")
    losses = data(look_again(teacher), "losses_of_workers")["mean"]
    assert losses[1] > losses[0]
    assert "In step 1: 1 nothing, 1 sign turned" in words(teacher)


# Votes of a class --------------------------------------------------------------------------------


def shared_votes(code, n_runs=20):
    settings = {"liked": "calmer", "beginning": "Sonya turned to"}
    share(code, ClassExperiment("Votes", settings, n_runs, n_settings=10))


def test_a_phone_votes_on_each_pair_once_and_the_teacher_sees_it(code):
    shared_votes(code)
    anna = arrive_as("anna", PAGE, room=code, part="Votes")
    press(anna, "class_runs_make")
    assert "You like: calmer." in words(anna)
    for _ in range(10):
        press(anna, "vote_0")
    assert any("No run is left for you" in said.value for said in anna.info)
    made = store().experiments.finished_runs(code, visitor("anna"), 1)
    assert [run.number for run in made] == [*range(10)]
    boris = arrive_as("boris", PAGE, room=code, part="Votes", reveal="agreed")
    press(boris, "class_runs_make")
    press(boris, "vote_1")
    assert store().experiments.finished_runs(code, visitor("boris"), 1)[-1].value == 1.0
    teacher = arrive_as("teacher", PAGE, room=code, part="Votes", reveal="agreed")
    # The left text of each pair scores higher in the first round; both votes on the first pair are for it.
    assert "11 of 20 votes: the reward model agrees with 100\u202f%" in words(teacher)


def test_a_pair_that_a_phone_has_taken_waits_for_it(code):
    shared_votes(code)
    anna = arrive_as("anna", PAGE, room=code, part="Votes")
    press(anna, "class_runs_make")
    again = arrive_as("anna", PAGE, room=code, part="Votes")
    press(again, "class_runs_make")
    press(again, "vote_1")
    (run,) = store().experiments.finished_runs(code, visitor("anna"), 1)
    assert (run.number, run.value) == (0, 1.0)


def test_only_the_first_vote_is_drawn_before_the_guess():
    masked, shown = (visit(PAGE, part="Votes", **link) for link in ({}, {"reveal": "agreed"}))
    assert len(data(masked, "agreement")) == 1
    assert len(data(shown, "agreement")) == 60
