"""What was promised to be deleted is, also while nobody visits."""

import os
import time

import pytest

from lm_core.errors import RoomError
from lm_core.jobs import store
from lm_core.jobs.records import RunState, RunStatus
from lm_core.jobs.run_folder import RunFolder, home
from pages.shared.rooms.store import forget_outdated
from pages.shared.rooms.store import store as class_rooms
from pages.shared.server import housekeeping
from pages.shared.server.visitor_store import KEPT_DAYS, visitor_store
from tests.core.small_runs import TEXT, small_config


@pytest.fixture(autouse=True)
def own_home(monkeypatch, tmp_path):
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path / "home"))


def run_of(owner, seed):
    """An ended run of a visitor."""
    config = small_config(seed=seed)
    object.__setattr__(config, "owner", owner)
    run = RunFolder.keyed(config.fingerprint())
    run.create(config, RunStatus(RunState.FINISHED, 60, visitor=owner), TEXT)
    return run


def long_ago(path, seconds):
    then = time.time() - seconds
    os.utime(path, (then, then))


def on_disk():
    """Return all bytes below the home of the runs."""
    return b"".join(path.read_bytes() for path in home().rglob("*") if path.is_file())


def test_nothing_of_a_visitor_who_stays_away_is_left_on_the_disk():
    anna = "a" * 16
    visitor_store().keep(anna, "page.text", b"her text")
    private, deleted = run_of(anna, 1), run_of(anna, 2)
    store.delete(deleted)
    housekeeping.tidy_up()
    assert TEXT.encode() in on_disk()
    assert len(store.deleted_runs()) == 1
    long_ago(visitor_store().folder / anna, KEPT_DAYS * 86_400 + 1)
    long_ago(private.path / "status.json", store.PRIVATE_S + 1)
    long_ago(store.deleted_runs()[0].path, store.UNDO_S + 1)
    housekeeping.tidy_up()
    assert TEXT.encode() not in on_disk()
    assert not visitor_store().has(anna)
    assert not private.path.exists()


def test_a_class_is_deleted_nine_days_after_it_was_opened(monkeypatch):
    forget_outdated()
    assert not list(home().glob("*.sqlite")), "no room was opened, so no database is"
    rooms = class_rooms().rooms
    code, days = rooms.open("teacher").code, 0
    monkeypatch.setattr(rooms, "clock", lambda: time.time() + days * 86_400 + 1)
    while days < 20:
        forget_outdated()
        try:
            rooms.state(code)
        except RoomError:
            break
        days += 1
    assert days == 9


def test_what_fails_is_tried_again(monkeypatch):
    done = []

    class Over(Exception):
        pass

    def tidy_up():
        done.append(1)
        if len(done) == 1:
            raise OSError("the disk is away")
        raise Over

    monkeypatch.setattr(housekeeping, "tidy_up", tidy_up)
    monkeypatch.setattr(housekeeping, "_EVERY_S", 0.0)
    more = []
    with pytest.raises(Over):
        housekeeping.tidy_for_ever(lambda: more.append(1))
    assert len(done) == 2
    assert more == [1], "what does not fail is done all the same"
