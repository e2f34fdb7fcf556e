"""Work on what strangers bring ends where its bounds are, and nobody else notices."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from lm_core.bounded_work import BoundedWorkers, Bounds
from lm_core.errors import BoundsError, LimitError, TextError
from tests.conftest import ROOT

HERE = "lm_core.bounded_trial"
TRIAL = """
import os, time
from lm_core.errors import TextError

def measured(content, more=0):
    return [len(content), more]

def refused(content):
    raise TextError("it is no such file")

def endless(content):
    while True:
        pass

def waiting(content, seconds):
    time.sleep(seconds)

def large(content):
    return len(bytes(2 << 30))

def aborted(content):
    os.abort()

def broken(content):
    raise ZeroDivisionError

def process(content):
    return os.getpid()

def times(content, seconds):
    began = time.monotonic()
    time.sleep(seconds)
    return [began, time.monotonic()]

def meet(content, folder):
    open(f"{folder}/{os.getpid()}", "w").close()
    while len(os.listdir(folder)) < 2:
        time.sleep(0.01)
    return len(os.listdir(folder))

def environment(content):
    return sorted(os.environ)
"""


@pytest.fixture
def trial(tmp_path, monkeypatch):
    """Makes workers that find functions to call in a module of the library's package."""
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util, sys\n"
        f"spec = importlib.util.spec_from_file_location({HERE!r}, {str(tmp_path / 'trial.py')!r})\n"
        "module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\n"
    )
    (tmp_path / "trial.py").write_text(TRIAL)
    monkeypatch.setattr("lm_core.bounded_work._ROOT", os.pathsep.join([str(tmp_path), str(ROOT)]))
    made = []

    def workers(*settings):
        made.append(BoundedWorkers(*settings))
        return made[-1]

    yield workers
    for each in made:
        each.close()


def test_a_result_and_an_error_come_back(trial):
    workers = trial(1)
    assert workers.call(f"{HERE}:measured", b"\n\0content\n", more=3) == [10, 3]
    with pytest.raises(TextError, match="it is no such file"):
        workers.call(f"{HERE}:refused", b"")


def test_one_process_serves_all_until_it_is_ended(trial):
    workers = trial(1)
    first = workers.call(f"{HERE}:process", b"")
    assert workers.call(f"{HERE}:process", b"") == first != os.getpid()
    with pytest.raises(BoundsError):
        workers.call(f"{HERE}:aborted", b"")
    assert workers.call(f"{HERE}:process", b"") != first


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has the clock alone")
def test_endless_work_is_ended_each_time_and_may_begin_again(trial):
    workers = trial(1, Bounds(processor_s=1, wall_s=120))
    for _ in range(2):
        with pytest.raises(BoundsError, match="more than 1 seconds of a processor"):
            workers.call(f"{HERE}:endless", b"")
        assert workers.call(f"{HERE}:measured", b"1") == [1, 0]


def test_earlier_work_is_not_counted(trial):
    """The system counts what a process has used in its whole life."""
    workers = trial(1, Bounds(processor_s=2, wall_s=120))
    source = f"{HERE}:measured"
    assert [workers.call(source, bytes(100), more=i) for i in range(50)][-1] == [100, 49]


@pytest.mark.parametrize("function", ["large", "aborted"])
def test_memory_is_bounded(trial, function):
    if function == "large" and sys.platform != "linux":
        pytest.skip("the limit holds on Linux")
    with pytest.raises(BoundsError, match="MB of memory"):
        trial(1).call(f"{HERE}:{function}", b"")


def test_who_only_waits_is_ended_by_the_clock(trial):
    with pytest.raises(BoundsError, match="seconds, so it was stopped"):
        trial(1, Bounds(wall_s=0.5)).call(f"{HERE}:waiting", b"", seconds=600)


def test_what_breaks_is_said_and_does_not_break_the_next(trial):
    workers = trial(1)
    with pytest.raises(BoundsError, match="ended the process"):
        workers.call(f"{HERE}:broken", b"")
    assert workers.call(f"{HERE}:measured", b"") == [0, 0]


def at_once(workers, whose, function, **settings):
    """Give two pieces of work of these strangers at once; return what comes back."""
    with ThreadPoolExecutor(2) as both:
        calls = [both.submit(workers.call, function, b"", who, **settings) for who in whose]
        return [call.result() for call in calls]


def test_of_one_stranger_one_piece_at_a_time(trial):
    first, second = sorted(at_once(trial(2), ["a", "a"], f"{HERE}:times", seconds=0.3))
    assert first[1] <= second[0]


def test_of_two_strangers_both_at_once(trial, tmp_path):
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    assert at_once(trial(2), ["a", "b"], f"{HERE}:meet", folder=str(meeting)) == [2, 2]


def test_who_gets_no_turn_is_told_so(trial, tmp_path):
    with pytest.raises(LimitError, match="another file of yours"):  # noqa: PT012
        workers = trial(2, Bounds(wall_s=0.2))
        with workers._turn_of("a"):
            workers.call(f"{HERE}:measured", b"", "a")


def test_secrets_of_the_server_stay_with_it(trial, monkeypatch):
    monkeypatch.setenv("LM_LAB_PRESENTER_CODE", "secret")
    assert "LM_LAB_PRESENTER_CODE" not in trial(1).call(f"{HERE}:environment", b"")
