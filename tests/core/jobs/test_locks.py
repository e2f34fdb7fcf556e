import os
import subprocess
import sys
import threading

from lm_core.jobs import locks
from lm_core.jobs.locks import adopt, take
from tests.core.small_runs import wait_until

HOLDER = "import sys; sys.stdin.read()"


def test_only_one_holds_a_lock_and_its_release_lets_the_next_one_in(tmp_path):
    first = take(tmp_path / "lock")
    assert take(tmp_path / "lock") is None
    first.release()
    with take(tmp_path / "lock") as second:
        assert second is not None
    take(tmp_path / "lock").release()


def test_whoever_waits_gets_the_lock_when_it_is_let_go(tmp_path):
    first, got = take(tmp_path / "lock"), []
    waiting = threading.Thread(target=lambda: got.append(take(tmp_path / "lock", 60.0)))
    waiting.start()
    first.release()
    waiting.join()
    assert got[0] is not None
    got[0].release()


def test_a_child_that_inherits_a_lock_holds_it_until_it_is_killed(tmp_path):
    lock = take(tmp_path / "lock")
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, pass_fds=[lock.fileno()]
    )
    lock.release()
    assert take(tmp_path / "lock") is None
    child.kill()
    # Before it is waited for: a dead process that nobody has asked for holds no lock.
    wait_until(lambda: take(tmp_path / "lock"), "the lock of a killed process")
    child.communicate()


def test_an_adopted_lock_is_kept_from_children(tmp_path):
    descriptor = take(tmp_path / "lock").fileno()
    os.set_inheritable(descriptor, True)
    assert not os.get_inheritable(adopt(descriptor).fileno())


def test_a_lock_on_a_file_that_was_removed_is_no_lock(tmp_path):
    path = tmp_path / "lock"
    first = take(path)
    path.unlink()
    path.touch()
    with take(path) as second:
        assert second is not None
        first.release()
        assert take(path) is None


def test_a_file_that_goes_between_opening_and_locking_is_opened_again(tmp_path, monkeypatch):
    path, flock = tmp_path / "lock", locks.fcntl.flock

    def too_late(descriptor, how):
        monkeypatch.setattr(locks.fcntl, "flock", flock)
        path.unlink()
        path.touch()
        flock(descriptor, how)

    monkeypatch.setattr(locks.fcntl, "flock", too_late)
    with take(path, 60.0) as lock:
        assert os.path.samestat(os.fstat(lock.fileno()), path.stat())
