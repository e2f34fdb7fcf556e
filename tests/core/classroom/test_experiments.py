"""Experiments of a class: each run is one phone's, and nobody's is lost with its phone."""

from dataclasses import replace

import pytest

from lm_core.classroom.experiments import MOST_RUNS, SharedExperiments
from lm_core.classroom.queries import HERE_S
from lm_core.classroom.records import ClassExperiment
from lm_core.errors import RoomError

STARTS = ClassExperiment("starts", {"units": "2"}, 3)
STUDENTS = ("anna", "boris", "carla", "denis")


@pytest.fixture
def experiments(database, clock):
    """They share the clock of the rooms."""
    return SharedExperiments(database, clock)


@pytest.fixture
def shared(room, rooms, experiments):
    for student in STUDENTS:
        rooms.join(room.code, student)
    return experiments.share_out(room.code, "teacher", STARTS)


def takes(experiments, room, shared, *students):
    return [experiments.take_run(room.code, student, shared.id) for student in students]


def leave(rooms, room, student):
    """Let half a minute pass in which everybody but one student was seen."""
    rooms.clock.now += HERE_S + 1.0
    here = [rooms.member(room.code, other).id for other in STUDENTS if other != student]
    rooms.note_seen(room.code, here)


def test_everybody_knows_what_is_shared_out_and_how_far_it_is(room, rooms, experiments, shared):
    assert rooms.state(room.code).shared_out == shared
    number = experiments.take_run(room.code, "anna", shared.id)
    assert rooms.state(room.code).run_count == 0
    experiments.finish_run(room.code, "anna", shared.id, number, 0.5)
    assert rooms.state(room.code).run_count == 1


def test_each_phone_gets_a_run_of_its_own_until_none_is_left(room, experiments, shared):
    assert takes(experiments, room, shared, *STUDENTS) == [0, 1, 2, None]


def test_who_comes_back_goes_on_with_their_own_run(room, experiments, shared):
    assert takes(experiments, room, shared, "anna", "boris", "anna") == [0, 1, 0]


def test_the_run_of_a_phone_that_left_is_shared_out_again(room, rooms, experiments, shared):
    takes(experiments, room, shared, "anna", "boris", "carla")
    leave(rooms, room, "boris")
    assert experiments.take_run(room.code, "denis", shared.id) == 1
    with pytest.raises(RoomError, match="given to another phone"):
        experiments.finish_run(room.code, "boris", shared.id, 1, 9.0)
    assert experiments.finished_runs(room.code, "teacher", shared.id) == []


def test_a_finished_run_outlives_its_phone_and_is_not_made_twice(room, rooms, experiments, shared):
    takes(experiments, room, shared, "anna", "boris", "carla")
    experiments.finish_run(room.code, "boris", shared.id, 1, 2.5)
    leave(rooms, room, "boris")
    assert experiments.take_run(room.code, "denis", shared.id) is None
    (found,) = experiments.finished_runs(room.code, "boris", shared.id)
    assert (found.number, found.value, found.is_own) == (1, 2.5, True)
    (found,) = experiments.finished_runs(room.code, "teacher", shared.id)
    assert not found.is_own


def test_what_a_run_came_to_first_stays(room, experiments, shared):
    experiments.take_run(room.code, "anna", shared.id)
    for value in (1.0, 7.0):
        experiments.finish_run(room.code, "anna", shared.id, 0, value)
    assert [run.value for run in experiments.finished_runs(room.code, "anna", shared.id)] == [1.0]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_run_comes_to_a_number(room, experiments, shared, value):
    experiments.take_run(room.code, "anna", shared.id)
    with pytest.raises(RoomError, match="finite"):
        experiments.finish_run(room.code, "anna", shared.id, 0, value)


def test_nobody_takes_runs_of_what_is_over(room, rooms, experiments, shared):
    experiments.take_run(room.code, "anna", shared.id)
    experiments.end(room.code, "teacher", shared.id)
    assert rooms.state(room.code).shared_out == replace(shared, is_over=True)
    with pytest.raises(RoomError, match="is over"):
        experiments.take_run(room.code, "boris", shared.id)
    with pytest.raises(RoomError, match="is over"):
        experiments.finish_run(room.code, "anna", shared.id, 0, 1.0)


def test_only_presenters_share_out_and_end(room, experiments, shared):
    with pytest.raises(RoomError, match="only a presenter"):
        experiments.share_out(room.code, "anna", STARTS)
    with pytest.raises(RoomError, match="only a presenter"):
        experiments.end(room.code, "anna", shared.id)


def test_another_room_has_no_part_in_it(room, rooms, experiments, shared):
    other = rooms.open("rival")
    for act in (
        lambda: experiments.take_run(other.code, "rival", shared.id),
        lambda: experiments.finish_run(other.code, "rival", shared.id, 0, 1.0),
    ):
        with pytest.raises(RoomError, match="is over"):
            act()
    experiments.end(other.code, "rival", shared.id)
    assert not rooms.state(room.code).shared_out.is_over
    assert experiments.finished_runs(other.code, "rival", shared.id) == []


def test_who_is_removed_takes_their_runs_along(room, rooms, experiments, shared):
    experiments.take_run(room.code, "anna", shared.id)
    experiments.finish_run(room.code, "anna", shared.id, 0, 1.0)
    rooms.remove(room.code, "teacher", [rooms.member(room.code, "anna").id])
    assert rooms.state(room.code).run_count == 0
    assert experiments.take_run(room.code, "boris", shared.id) == 0


@pytest.mark.parametrize("n_runs", [0, MOST_RUNS + 1])
def test_an_experiment_has_some_runs_and_not_too_many(room, experiments, n_runs):
    with pytest.raises(RoomError, match="runs"):
        experiments.share_out(room.code, "teacher", replace(STARTS, n_runs=n_runs))


def test_long_settings_are_refused(room, experiments):
    with pytest.raises(RoomError, match="too long"):
        experiments.share_out(room.code, "teacher", replace(STARTS, settings={"text": "x" * 5_000}))


# Rounds ------------------------------------------------------------------------------------------

ROUNDS = ClassExperiment("steps", {}, 4, round_size=2)


@pytest.fixture
def rounds(room, experiments, shared):
    return experiments.share_out(room.code, "teacher", ROUNDS)


def makes(experiments, room, shared, student, value=1.0):
    number = experiments.take_run(room.code, student, shared.id)
    if number is not None:
        experiments.finish_run(room.code, student, shared.id, number, value)
    return number


def test_of_a_round_each_makes_one_and_the_next_waits_for_all(room, rooms, experiments, rounds):
    assert makes(experiments, room, rounds, "anna") == 0
    assert makes(experiments, room, rounds, "anna") is None
    assert rooms.state(room.code).run_count_of_rounds == 0
    assert takes(experiments, room, rounds, "boris", "carla") == [1, None]
    experiments.finish_run(room.code, "boris", rounds.id, 1, 1.0)
    assert rooms.state(room.code).run_count_of_rounds == 2
    # Who comes late, or was too late, has a part in the next one.
    assert [makes(experiments, room, rounds, who) for who in ("carla", "anna")] == [2, 3]
    assert makes(experiments, room, rounds, "boris") is None


def test_a_presenter_goes_on_without_those_who_are_missing(room, experiments, rounds):
    makes(experiments, room, rounds, "anna", 3.0)
    experiments.take_run(room.code, "boris", rounds.id)
    with pytest.raises(RoomError, match="only a presenter"):
        experiments.end_round(room.code, "anna", rounds.id)
    experiments.end_round(room.code, "teacher", rounds.id)
    found = experiments.finished_runs(room.code, "anna", rounds.id)
    assert [(run.number, run.value) for run in found] == [(0, 3.0), (1, 0.0)]
    with pytest.raises(RoomError, match="given to another phone"):
        experiments.finish_run(room.code, "boris", rounds.id, 1, 1.0)
    assert takes(experiments, room, rounds, "boris", "anna") == [2, 3]
    for _ in range(2):
        experiments.end_round(room.code, "teacher", rounds.id)
    assert len(experiments.finished_runs(room.code, "anna", rounds.id)) == ROUNDS.n_runs


def test_runs_without_rounds_wait_for_nobody(room, rooms, experiments, shared):
    assert [makes(experiments, room, shared, "anna") for _ in range(3)] == [0, 1, 2]
    assert rooms.state(room.code).run_count_of_rounds == 0
