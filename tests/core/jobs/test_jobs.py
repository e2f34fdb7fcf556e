"""The queue and its rules, with workers that only hold on to their runs."""

import dataclasses
import json
import os
import shutil
import threading
import time

import pytest

from lm_core.errors import LimitError, RunError, SettingError
from lm_core.jobs import jobs, queue, store
from lm_core.jobs.limits import Limits
from lm_core.jobs.locks import FileLock
from lm_core.jobs.records import Marker, RunState
from lm_core.jobs.run_folder import RunFolder, home
from tests.core.small_runs import TEXT, small_config

LIMITS = Limits()


class Workers:
    """Stands for the machine's workers: each holds its run's lock, as a process would, until told."""

    def __init__(self):
        self.n_slots, self.locks, self.started, self.on_their_way = 1, {}, [], set()

    def slots(self):
        return self.n_slots

    def start(self, run, slot, lock):
        self.started.append(run.key)
        self.locks[run.key] = FileLock(os.dup(lock.fileno()))

    def is_on_its_way(self, run):
        return run.key in self.on_their_way

    def end(self, run, **changes):
        """Let go of a run, after a last change of its status if there is one; without one it died."""
        if changes:
            run.update(**changes)
        self.locks.pop(run.key).release()


@pytest.fixture
def workers(monkeypatch, tmp_path):
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path / "home"))
    workers = Workers()
    monkeypatch.setattr(queue, "chosen_launcher", lambda: workers)
    yield workers
    for lock in workers.locks.values():
        lock.release()


def submit(seed, visitor=None, limits=LIMITS, **training):
    config = small_config(seed=seed, **training)
    return jobs.submit(config, TEXT, visitor=visitor or f"visitor {seed}", limits=limits)


def finish(workers, job):
    (job.run.checkpoint).mkdir(parents=True)
    (job.run.checkpoint / "meta.json").write_text("{}")
    workers.end(job.run, state=RunState.FINISHED, ended_at=f"2026-01-01T00:00:{job.step:02d}Z")


def states():
    return {job.key: str(job.status.state) for job in jobs.jobs()}


def test_the_first_job_starts_and_the_others_wait_in_order(workers):
    first, second, third = (submit(seed) for seed in (1, 2, 3))
    assert first.status.state is RunState.STARTING
    assert [second.n_ahead, third.n_ahead] == [1, 2]
    assert [job.key for job in jobs.jobs()] == [first.key, second.key, third.key]
    finish(workers, first)
    assert [(job.key, job.n_ahead) for job in jobs.jobs()[:2]] == [(second.key, 0), (third.key, 1)]
    finish(workers, second)
    queue.tend()
    assert workers.started == [first.key, second.key, third.key]


def test_each_card_gets_a_worker_of_its_own(workers):
    workers.n_slots = 2
    running = [submit(seed) for seed in (1, 2, 3)]
    assert [job.status.slot for job in running] == [0, 1, None]
    finish(workers, running[0])
    assert jobs.job(running[2].key).status.slot == 0


def test_the_same_run_asked_for_twice_is_one_run(workers):
    first = submit(1, "Anna")
    again = submit(1, "Boris")
    assert again.key == first.key
    assert again.status.visitor == "Anna"
    assert workers.started == [first.key]


def test_settings_left_out_are_the_defaults(workers):
    config = small_config(seed=1)
    bare = {n: v for n, v in config.training.items() if n in ("steps", "batch", "window")}
    short = dataclasses.replace(config, training=bare)
    assert jobs.submit(short, TEXT, visitor="Boris", limits=LIMITS).key == submit(1).key


def test_a_finished_run_is_answered_from_the_disk(workers):
    finish(workers, submit(1))
    again = submit(1, "Boris")
    assert again.status.state is RunState.FINISHED
    assert len(workers.started) == 1


def test_a_finished_run_whose_checkpoint_is_lost_is_made_again_with_its_text(workers):
    first = submit(1)
    finish(workers, first)
    shutil.rmtree(first.run.checkpoint)
    assert submit(1).status.state is RunState.STARTING
    assert first.run.text_file.read_text() == TEXT


def test_a_resume_waits_for_the_process_that_is_just_leaving(workers):
    first = submit(1)
    first.run.update(state=RunState.PAUSED)
    leaving = threading.Timer(0.2, workers.end, [first.run])
    leaving.start()
    assert jobs.resume(first.key, visitor="visitor 1").status.state is RunState.STARTING
    leaving.join()


def test_a_visitor_has_one_job_at_a_time(workers):
    first = submit(1, "Anna")
    with pytest.raises(LimitError, match="a training in progress") as refused:
        submit(2, "Anna")
    assert refused.value.held_by == first.key
    assert refused.value.variable == "LM_LAB_MAX_JOBS_PER_VISITOR"
    assert "LM_LAB" not in str(refused.value), "a student can change no variable"
    assert submit(1, "Anna").key == first.key
    finish(workers, first)
    assert submit(2, "Anna").status.state is RunState.STARTING


def test_a_class_behind_one_address_has_a_place_for_everybody_and_no_more_than_so_many(workers):
    def ask(seed, address):
        return jobs.submit(
            small_config(seed=seed), TEXT, visitor=f"visitor {seed}", address=address, limits=LIMITS
        )

    for seed in range(40):
        ask(seed, "school")
    limits = Limits(jobs_per_address=2)
    with pytest.raises(LimitError, match="trainings from your address"):
        jobs.submit(small_config(seed=98), TEXT, visitor="x", address="school", limits=limits)
    for seed in (50, 51):
        assert ask(seed, "home").status.address == "home"
    with pytest.raises(LimitError, match="trainings from your address"):
        jobs.submit(small_config(seed=99), TEXT, visitor="y", address="home", limits=limits)
    assert jobs.submit(small_config(seed=99), TEXT, visitor="y", limits=limits).n_ahead == 3
    for seed in (100, 101, 102):
        jobs.submit(small_config(seed=seed), TEXT, visitor=f"z {seed}", limits=limits)


def test_the_more_wait_the_sooner_a_run_makes_way(workers):
    limits = Limits(run_seconds=1_800)
    asked = [submit(seed, limits=limits) for seed in range(12)]
    turns = [job.status.pause_at for job in asked]
    assert (
        turns == [1_800, 900, 600, 450, 360, 300, *[pytest.approx(1_800 / 7)], 225, 200] + [180] * 3
    )
    jobs.pause(asked[3].key)
    metrics = asked[3].run.metrics_file
    metrics.write_text('{"step": 5, "seconds": 450.5, "loss": 1.0}\n')
    again = jobs.resume(asked[3].key, visitor="visitor 3", limits=limits)
    assert again.status.pause_at == 450.5 + 180


def test_the_queue_is_not_endless(workers):
    limits = Limits(jobs=2)
    submit(1, limits=limits)
    submit(2, limits=limits)
    with pytest.raises(LimitError, match="2 trainings wait or run already"):
        submit(3, limits=limits)
    assert len(store.folders()) == 2


def test_a_model_or_a_text_too_large_is_refused_before_anything_is_written(workers):
    with pytest.raises(LimitError, match=r"parameters may be at most 1,000 here, got 2,"):
        submit(1, limits=Limits(parameters=1_000))
    with pytest.raises(LimitError, match=r"length in bytes may be at most 2,999 here, got 3,000"):
        submit(1, limits=Limits(text_bytes=2_999))
    assert store.folders() == []


def test_the_time_limit_goes_with_the_run(workers):
    assert submit(1, limits=Limits(run_seconds=77)).config.max_seconds == 77


def test_impossible_settings_are_refused(workers):
    with pytest.raises(SettingError, match="steps must be at least 1"):
        jobs.submit(
            dataclasses.replace(small_config(), training={"steps": 0}), TEXT, visitor="Anna"
        )
    with pytest.raises(SettingError, match="fields of TrainingConfig do not match"):
        jobs.submit(dataclasses.replace(small_config(), training={}), TEXT, visitor="Anna")


def test_a_waiting_job_is_cancelled_at_once_and_a_running_one_is_asked_to(workers):
    running, waiting = submit(1), submit(2)
    assert jobs.cancel(waiting.key).status.state is RunState.CANCELLED
    jobs.cancel(running.key)
    assert running.run.marker() is Marker.CANCEL
    assert jobs.job(running.key).status.state is RunState.STARTING


def test_a_paused_job_goes_to_the_end_of_the_queue_when_it_is_resumed(workers):
    first, second, third = (submit(seed) for seed in (1, 2, 3))
    assert jobs.pause(second.key).status.state is RunState.PAUSED
    assert jobs.resume(second.key, visitor="visitor 2").n_ahead == 2
    assert [job.key for job in jobs.jobs()] == [first.key, third.key, second.key]


def test_resuming_forgets_what_was_asked_before(workers):
    first = submit(1)
    jobs.pause(first.key)
    workers.end(first.run, state=RunState.PAUSED)
    jobs.resume(first.key, visitor="visitor 1")
    assert first.run.marker() is None
    assert workers.started == [first.key, first.key]


def test_a_run_whose_worker_died_goes_on_before_all_others(workers):
    first, second = submit(1), submit(2)
    first.run.update(state=RunState.RUNNING)
    workers.end(first.run)
    assert states() == {first.key: "starting", second.key: "queued"}
    assert workers.started == [first.key, first.key]
    assert jobs.job(first.key).status.crashes == 1


def test_a_run_that_ends_while_we_look_is_not_taken_for_dead(workers, monkeypatch):
    first = submit(1)
    before = store.live()
    finish(workers, first)
    monkeypatch.setattr(store, "live", lambda: before)
    queue.tend()
    assert first.run.status().state is RunState.FINISHED


def test_a_run_that_keeps_dying_is_given_up_with_advice_and_may_be_tried_again(workers):
    first = submit(1)
    for _ in range(3):
        workers.end(first.run)
        queue.tend()
    status = jobs.job(first.key).status
    assert status.state is RunState.FAILED
    assert "perhaps the memory ran out" in status.message
    assert submit(1).status.crashes == 0
    assert len(workers.started) == 4


def test_a_run_that_died_while_it_was_to_stop_is_stopped(workers):
    first, second = submit(1), submit(2)
    jobs.cancel(first.key)
    workers.end(first.run)
    assert states() == {first.key: "cancelled", second.key: "starting"}
    jobs.pause(second.key)
    workers.end(second.run)
    assert states()[second.key] == "paused"


def test_a_worker_that_is_still_on_its_way_is_waited_for(workers):
    first = submit(1)
    workers.end(first.run)
    workers.on_their_way.add(first.key)
    assert states() == {first.key: "starting"}
    assert submit(2).status.state is RunState.QUEUED
    workers.on_their_way.clear()
    assert jobs.job(first.key).status.crashes == 1


def test_clocks_decide_nothing(workers, monkeypatch):
    first, second, third = (submit(seed) for seed in (1, 2, 3))
    for job, year in ((first, 1970), (second, 2999), (third, 1980)):
        path = job.run.path / "status.json"
        record = json.loads(path.read_text())
        record["created_at"] = record["started_at"] = f"{year}-01-01T00:00:00Z"
        path.write_text(json.dumps(record))
        for file in [job.run.path, *job.run.path.iterdir()]:
            os.utime(file, (year * 10_000, year * 10_000))
    monkeypatch.setattr("time.time", lambda: -1e9)
    assert [job.key for job in jobs.jobs()] == [first.key, second.key, third.key]
    assert states()[first.key] == "starting"
    finish(workers, first)
    assert states()[second.key] == "starting"


def test_thirty_visitors_start_at_once(workers):
    """One run for each key, in an order without gaps or doubles, and nobody waits for ever."""
    seeds = [1, 1, 2, 2, *range(3, 29)]
    start, answers, errors = threading.Barrier(30), [], []

    def visit(i, seed):
        start.wait()
        try:
            answers.append(submit(seed, f"visitor {i}"))
        except Exception as error:
            errors.append(error)

    visitors = [threading.Thread(target=visit, args=pair) for pair in enumerate(seeds)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join(60)
    assert not errors
    assert len(answers) == 30
    found = jobs.jobs()
    assert len(found) == 28
    assert sorted(job.status.ticket for job in found) == list(range(1, 29))
    assert len(workers.started) == 1
    for job in found:  # they are served in the order of their tickets
        finish(workers, jobs.job(job.key))
        queue.tend()
    assert workers.started == [job.key for job in found]


def test_the_oldest_ended_runs_make_room_and_running_ones_never_do(workers):
    ended = [submit(seed) for seed in (1, 2, 3)]
    for i, job in enumerate(ended):
        (job.run.path / "ballast").write_bytes(bytes(100_000))
        finish(workers, jobs.job(job.key))
        job.run.update(ended_at=f"2026-01-0{3 - i}T00:00:00Z")  # the last ended first
        queue.tend()
    running = submit(4)
    (running.run.path / "ballast").write_bytes(bytes(150_000))
    submit(5, limits=Limits(runs_bytes=300_000))
    assert {job.key for job in jobs.jobs()} >= {ended[0].key, running.key}
    assert ended[2].key not in states()
    assert ended[1].key not in states()
    with pytest.raises(LimitError, match="disk space of all runs"):
        submit(6, limits=Limits(runs_bytes=100_000))
    assert running.run.path.exists()


def test_ended_runs_are_cleaned_away_and_live_ones_are_not(workers):
    first, second = submit(1), submit(2)
    finish(workers, first)
    for job in (jobs.job(second.key), submit(3)):
        with pytest.raises(RunError, match=f"run {job.key} is .*: cancel it first"):
            jobs.clean(job.key)
    assert jobs.clean() == [first.key]
    assert not first.run.path.exists()
    assert list(home().glob("runs/.*")) == []


def test_who_asked_for_a_run_keeps_it_when_it_is_resumed(workers):
    run = submit(1, "Anna").run
    jobs.pause(run.key)
    workers.end(run, state=RunState.PAUSED)
    with pytest.raises(RunError, match="only the visitor who asked"):
        jobs.resume(run.key, visitor="Boris")
    assert run.status().state is RunState.PAUSED
    assert jobs.resume(run.key, visitor="Pierre", is_presenter=True).status.visitor == "Anna"


def test_what_the_presenter_cancelled_only_the_presenter_lets_go_on(workers):
    busy, run = submit(1).run, submit(2, "Anna").run
    assert jobs.cancel(run.key, is_presenter=True).status.state is RunState.CANCELLED
    run.keep_text(TEXT)
    with pytest.raises(RunError, match="the presenter cancelled"):
        jobs.resume(run.key, visitor="Anna")
    for visitor in ("Anna", "Boris"):
        with pytest.raises(RunError, match="the presenter cancelled"):
            submit(2, visitor)
    assert run.status().state is RunState.CANCELLED
    again = jobs.resume(run.key, visitor="Pierre", is_presenter=True)
    assert (again.status.state, again.status.visitor) == (RunState.QUEUED, "Anna")
    jobs.cancel(run.key)
    assert submit(2, "Anna").status.state is RunState.QUEUED
    assert jobs.job(busy.key).status.state is RunState.STARTING


@pytest.mark.parametrize("end", [RunState.CANCELLED, RunState.FAILED, RunState.FINISHED])
def test_a_run_that_is_over_has_lost_its_text_and_a_paused_one_has_not(workers, end):
    run = submit(1, "Anna").run
    run.update(state=RunState.PAUSED)
    assert run.text_file.read_text() == TEXT
    workers.end(run, state=end)
    assert not run.text_file.exists()
    assert TEXT not in "".join(p.read_text() for p in run.path.rglob("*") if p.is_file())
    with pytest.raises(RunError, match="its text was deleted"):
        jobs.resume(run.key, visitor="Anna")
    assert submit(1, "Anna").run.text_file.read_text() == TEXT


def own(visitor, seed=1, **asked):
    config = small_config(seed=seed)
    return jobs.submit(config, TEXT, visitor=visitor, is_private=True, limits=LIMITS, **asked)


def written(run):
    """Return all that lies in a run's folder, as one who searches the disk would read it."""
    return b"".join(path.read_bytes() for path in run.path.rglob("*") if path.is_file())


def test_the_same_private_text_of_two_visitors_is_two_runs(workers):
    anna, boris = own("Anna"), own("Boris")
    assert anna.key != boris.key
    assert own("Anna").key == anna.key
    assert [job.config.owner for job in (anna, boris)] == ["Anna", "Boris"]
    assert submit(1, "Clara").key not in (anna.key, boris.key)


@pytest.mark.parametrize("end", [RunState.CANCELLED, RunState.FAILED])
def test_a_private_run_that_has_no_end_leaves_neither_its_text_nor_what_it_wrote(workers, end):
    for job, is_private in ((own("Anna"), True), (submit(1, "Boris"), False)):
        job.run.samples_file.write_text(json.dumps({"step": 1, "text": TEXT[:50]}) + "\n")
        assert TEXT[:50].encode() in written(job.run)
        job.run.update(state=end)
        assert (TEXT[:50].encode() not in written(job.run)) is is_private


def test_a_private_run_goes_after_its_time_and_a_public_one_stays(workers):
    private, public = own("Anna"), submit(1, "Boris")
    for job in (private, public):
        workers.end(job.run, state=RunState.FINISHED)
        queue.tend()
    store.forget_private()
    assert private.run.path.exists()
    long_ago = time.time() - store.PRIVATE_S - 1.0
    for job in (private, public):
        os.utime(job.run.path / "status.json", (long_ago, long_ago))
    store.forget_private()
    assert not private.run.path.exists()
    assert public.run.path.exists()


def test_a_deleted_run_can_be_brought_back_for_a_while_by_its_visitor_and_then_is_gone(workers):
    job = submit(1, "Anna")
    finish(workers, job)
    jobs.delete(job.key)
    assert job.key not in states()
    assert [deleted.key for deleted in jobs.deleted("Anna")] == [job.key]
    assert jobs.deleted("Boris") == []
    jobs.undo_delete(job.key)
    assert states()[job.key] == "finished"
    assert jobs.deleted("Anna") == []
    jobs.delete(job.key)
    (aside,) = store.deleted_runs()
    long_ago = time.time() - store.UNDO_S - 1.0
    os.utime(aside.path, (long_ago, long_ago))
    jobs.jobs()
    assert not aside.path.exists()
    with pytest.raises(RunError, match="deleted for good"):
        jobs.undo_delete(job.key)


def test_a_run_that_was_asked_for_again_is_not_overwritten_by_its_deleted_self(workers):
    job = submit(1, "Anna")
    finish(workers, job)
    jobs.delete(job.key)
    assert submit(1, "Anna").status.state is RunState.STARTING
    with pytest.raises(RunError, match="started again"):
        jobs.undo_delete(job.key)


def test_deleted_runs_make_room_first(workers):
    jobs_of = [submit(seed) for seed in (1, 2)]
    for job in jobs_of:
        (job.run.path / "ballast").write_bytes(bytes(100_000))
        finish(workers, jobs.job(job.key))
        queue.tend()
    jobs.delete(jobs_of[1].key)
    submit(3, limits=Limits(runs_bytes=150_000))
    assert store.deleted_runs() == []
    assert jobs_of[0].run.path.exists()


def test_a_cancelled_run_whose_text_is_in_the_catalogue_can_be_resumed(workers):
    config = dataclasses.replace(small_config(), corpus="war-and-peace")
    key = jobs.submit(config, visitor="Anna", limits=LIMITS).key
    workers.end(RunFolder.keyed(key), state=RunState.CANCELLED)
    assert jobs.resume(key, visitor="Anna").status.state is RunState.STARTING


def test_a_worker_keeps_its_slot_though_its_folder_cannot_be_read(workers):
    """Two runs were at work with one slot: the first one's status had been damaged meanwhile."""
    first, second = submit(1), submit(2)
    status = first.run.path / "status.json"
    whole = status.read_bytes()
    status.write_bytes(whole[:20])
    queue.tend()
    assert workers.started == [first.key]
    workers.end(first.run)
    queue.tend()
    assert workers.started == [first.key, second.key]


@pytest.mark.parametrize("file", ["status.json", "config.json"])
@pytest.mark.parametrize("content", ["{", "[]", '{"schema": 1}', '{"schema": 1, "training": {}}'])
def test_a_damaged_folder_does_not_spoil_the_others(workers, file, content):
    first, second = submit(1), submit(2)
    (first.run.path / file).write_text(content)
    assert [job.key for job in jobs.jobs()] == [second.key]
    assert f"{file} is damaged" in store.damaged()[first.key]
    with pytest.raises(RunError, match=f"jobs clean {first.key}"):
        jobs.job(first.key)
    workers.end(first.run, **({"state": RunState.FAILED} if file == "config.json" else {}))
    assert jobs.clean(first.key) == [first.key]


@pytest.mark.parametrize(
    "edit", [{"schema": 2}, {"state": "sleeping"}, {"colour": "red"}, {"steps": None}]
)
def test_a_status_of_another_version_is_refused(workers, edit):
    run = submit(1).run
    path = run.path / "status.json"
    record = {k: v for k, v in (json.loads(path.read_text()) | edit).items() if v is not None}
    path.write_text(json.dumps(record))
    with pytest.raises(RunError, match=r"status.json is damaged"):
        run.status()


@pytest.mark.parametrize("act", [jobs.job, jobs.cancel, jobs.pause, jobs.clean])
def test_an_unknown_run_is_said_to_be_unknown(workers, act):
    with pytest.raises(RunError, match="there is no run 0123456789abcdef"):
        act("0123456789abcdef")
    with pytest.raises(RunError, match="a run's key has 16 hexadecimal digits"):
        act("../../etc/passwd")


def test_a_worker_that_cannot_be_started_fails_the_job_and_lets_the_next_one_in(
    workers, monkeypatch
):
    start = workers.start
    monkeypatch.setattr(workers, "start", lambda *_: (_ for _ in ()).throw(OSError("no memory")))
    status = submit(1).status
    assert (status.state, status.message) == (
        RunState.FAILED,
        "no worker could be started: no memory",
    )
    monkeypatch.setattr(workers, "start", start)
    assert submit(2).status.state is RunState.STARTING


def test_a_name_that_could_leave_the_folder_is_refused():
    for name in ("../up", "a/b", "", ".hidden", "Ä"):
        with pytest.raises(SettingError, match="name must be up to 64 lower-case letters"):
            dataclasses.replace(small_config(), name=name)


def test_the_fingerprint_hangs_on_what_the_weights_hang_on_and_on_nothing_else():
    config = small_config()
    for change in ({"title": "Other"}, {"name": "other"}, {"max_seconds": 5.0}):
        assert dataclasses.replace(config, **change).fingerprint() == config.fingerprint()
    for change in (
        {"model": config.model | {"hidden_size": 13}},
        {"training": config.training | {"seed": 9}},
        {"corpus_sha256": "0" * 64},
        {"vocabulary": "full"},
        {"characters": "abc"},
        {"start": "x", "start_sha256": "1" * 64},
    ):
        assert dataclasses.replace(config, **change).fingerprint() != config.fingerprint()


def test_the_runs_lie_where_the_variable_says(monkeypatch, tmp_path):
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path / "elsewhere"))
    assert RunFolder.keyed("0123456789abcdef").path == (
        tmp_path / "elsewhere" / "runs" / "0123456789abcdef"
    )
    monkeypatch.delenv("LM_LAB_HOME")
    monkeypatch.setenv("LM_LAB_CACHE", str(tmp_path / "cache"))
    assert home() == tmp_path / "cache"


def order(n):
    """Return who has asked for the first runs of the queue."""
    return [job.status.visitor for job in jobs.jobs()[:n]]


def ask_in_class(seed, who, *, room="", address="school", **limits):
    return jobs.submit(
        small_config(seed=seed),
        TEXT,
        visitor=who,
        address=address,
        room=room,
        limits=Limits(**limits) if limits else LIMITS,
    )


def test_a_crowd_of_one_client_does_not_keep_a_class_waiting(workers):
    for i in range(30):
        ask_in_class(i, f"crowd {i}")
    for i in range(3):
        ask_in_class(100 + i, f"student {i}", room="KRTP")
    ask_in_class(200, "elsewhere", address="home")
    expected = ["crowd 0", "crowd 1", "student 0", "elsewhere", "crowd 2", "student 1"]
    assert order(6) == expected


def test_who_comes_late_waits_for_the_rounds_that_have_begun_and_no_longer(workers):
    first = ask_in_class(0, "crowd 0")
    for i in range(1, 9):
        ask_in_class(i, f"crowd {i}")
    finish(workers, first)
    queue.tend()  # the second round has begun
    ask_in_class(100, "student", room="KRTP")
    assert order(3) == ["crowd 1", "crowd 2", "student"]


def test_one_client_takes_no_place_of_a_class_at_its_address(workers):
    for i in range(3):
        ask_in_class(i, f"crowd {i}", jobs_per_address=3)
    with pytest.raises(LimitError, match="from your address"):
        ask_in_class(9, "another", jobs_per_address=3)
    for i in range(3):
        ask_in_class(100 + i, f"student {i}", room="KRTP", jobs_per_address=3)
    with pytest.raises(LimitError, match="of your class"):
        ask_in_class(109, "late", room="KRTP", jobs_per_address=3)


def test_in_a_full_queue_the_largest_crowd_makes_way_for_a_smaller_one(workers):
    crowd = [ask_in_class(i, f"crowd {i}", jobs=4) for i in range(4)]
    student = ask_in_class(100, "student 0", room="KRTP", jobs=4)
    assert student.status.state is RunState.QUEUED
    made_way = jobs.job(crowd[-1].key)
    assert made_way.status.state is RunState.PAUSED
    assert "made way" in made_way.status.message
    assert jobs.job(crowd[0].key).status.state.is_live, "what runs already goes on"
    ask_in_class(101, "student 1", room="KRTP", jobs=4)
    with pytest.raises(LimitError, match="the most that are taken here"):
        ask_in_class(102, "student 2", room="KRTP", jobs=4)
    assert student.status.state is RunState.QUEUED, "of two crowds alike none makes way"
