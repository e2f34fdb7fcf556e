import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from lm_core.analysis.surprisal import score_text
from pages.shared import turns
from pages.shared.models.book_models import snapshots_of
from pages.shared.turns import ModelCalls, Turns, page_turns
from pages.shared.ui import lesson
from pages.surprisal import scores
from pages.surprisal.readers import Reader
from tests.pages.visits import visit

LONG = 60.0  # seconds of a lease that does not run out while a test lasts


class Scripts:
    """Threads that take turns, started one by one, each of which goes on when it is told to."""

    def __init__(self, shared):
        self.turns = shared
        self.order = []
        self.begun = threading.Semaphore(0)
        self.released = {}
        self.threads = []

    def start(self, name):
        self.released[name] = threading.Event()
        thread = threading.Thread(target=self._run, args=(name,), daemon=True)
        self.threads.append(thread)
        thread.start()

    def _run(self, name):
        with self.turns.taken():
            self.order.append(name)
            self.begun.release()
            self.released[name].wait(LONG)

    def release(self, name):
        self.released[name].set()

    def wait_for(self, count):
        while len(self.order) < count:
            assert self.begun.acquire(timeout=10)
        assert len(self.order) == count

    def join(self):
        for thread in self.threads:
            thread.join(10)
            assert not thread.is_alive()


@pytest.fixture
def came(monkeypatch):
    """Count the threads that have come to wait for their turn."""
    came = threading.Semaphore(0)

    class Called(threading.Condition):
        def wait(self, timeout=None):
            came.release()  # the lock is held: nobody sees it before this thread waits
            return super().wait(timeout)

    monkeypatch.setattr(turns, "Condition", Called)
    return came


def turn_of(shared):
    with shared.taken():
        return shared.is_mine


def test_turns_are_taken_one_at_a_time_in_order_of_arrival(came):
    shared = Turns(lease_s=LONG)
    scripts = Scripts(shared)
    scripts.start("a")
    scripts.wait_for(1)
    for name in "bcde":
        scripts.start(name)
        assert came.acquire(timeout=10)
    assert scripts.order == ["a"]
    for count, name in enumerate("abcd", start=2):
        scripts.release(name)
        scripts.wait_for(count)
    scripts.release("e")
    scripts.join()
    assert scripts.order == list("abcde")


def test_who_is_stuck_in_a_wait_stops_the_others_for_no_longer_than_the_lease():
    scripts = Scripts(Turns(lease_s=0.01))
    scripts.start("stuck")
    scripts.wait_for(1)
    for name in "abc":
        scripts.start(name)
        scripts.release(name)
    scripts.wait_for(4)
    scripts.release("stuck")
    scripts.join()


def test_who_has_lost_a_turn_gives_back_none_of_the_next_ones(came):
    shared = Turns(lease_s=0.01)
    scripts = Scripts(shared)
    scripts.start("late")
    scripts.wait_for(1)
    shared.lease_s = LONG
    scripts.start("next")
    scripts.wait_for(2)
    scripts.release("late")
    scripts.threads[0].join(10)
    while came.acquire(blocking=False):
        pass  # of the one that waited for the lease's end
    scripts.start("last")
    assert came.acquire(timeout=10)
    assert scripts.order == ["late", "next"]
    scripts.release("next")
    scripts.release("last")
    scripts.join()


def test_a_turn_is_given_back_when_the_block_fails():
    shared = Turns(lease_s=LONG)
    with pytest.raises(ZeroDivisionError), shared.taken():
        raise ZeroDivisionError
    with ThreadPoolExecutor(1) as others, shared.taken():
        assert shared.is_mine
        assert not others.submit(lambda: shared.is_mine).result()


def test_a_fragment_within_a_page_run_stays_within_its_turn():
    shared = Turns(lease_s=LONG)
    with shared.taken():
        with shared.taken():
            pass
        assert shared.is_mine
    assert not shared.is_mine


def test_others_have_their_turn_while_one_computes_for_long():
    shared = Turns(lease_s=LONG)
    with ThreadPoolExecutor(1) as others, shared.taken():
        with shared.lent():
            assert others.submit(turn_of, shared).result(10)
            assert not shared.is_mine
        assert shared.is_mine
    with shared.lent():
        assert not shared.is_mine
    assert not shared.is_mine


def test_a_short_computation_costs_nobody_a_turn(came):
    shared = Turns(lease_s=LONG)
    with ThreadPoolExecutor(1) as others:
        with shared.taken():
            shared.lend(after_s=LONG)
            waiting = others.submit(turn_of, shared)
            assert came.acquire(timeout=10)
            shared.take_back()
            assert shared.is_mine
            assert not waiting.done()
        assert waiting.result(10)


def test_who_computed_for_long_queues_behind_those_who_came_meanwhile(came):
    scripts = Scripts(Turns(lease_s=LONG))
    b_waits = threading.Event()
    with ThreadPoolExecutor(1) as others:

        def computes():
            with scripts.turns.taken():
                scripts.turns.lend(after_s=0.0)
                scripts.start("a")
                scripts.wait_for(1)
                scripts.start("b")
                assert came.acquire(timeout=10)
                b_waits.set()
                scripts.turns.take_back()
                scripts.order.append("computed")

        computing = others.submit(computes)
        assert b_waits.wait(10)
        assert came.acquire(timeout=10)
        for name in "ab":
            scripts.release(name)
        computing.result(10)
    scripts.join()
    assert scripts.order == ["a", "b", "computed"]


def test_who_waits_for_a_model_lets_others_have_their_turn(monkeypatch):
    shared = Turns(lease_s=LONG)
    monkeypatch.setattr(turns, "page_turns", shared)
    calls = ModelCalls()
    called = threading.Event()

    def call():
        with shared.taken():
            called.set()
            with calls:
                pass
            return shared.is_mine

    with ThreadPoolExecutor(2) as others:
        with calls:
            assert calls.locked()
            waiting = others.submit(call)
            assert called.wait(10)
            assert others.submit(turn_of, shared).result(10)
            assert not waiting.done()
        assert waiting.result(10)
    assert not calls.locked()


def test_who_calls_a_model_for_long_lets_others_have_their_turn(monkeypatch):
    shared = Turns(lease_s=LONG)
    monkeypatch.setattr(turns, "page_turns", shared)
    calls = ModelCalls()
    with ThreadPoolExecutor(1) as others, shared.taken():
        with calls:
            assert others.submit(turn_of, shared).result(10)
        assert shared.is_mine


def test_a_page_in_a_long_computation_does_not_stop_the_others(monkeypatch):
    monkeypatch.setattr(page_turns, "lease_s", LONG)
    begun, ended = threading.Event(), threading.Event()

    def compute(*args, model_turn, **settings):
        with model_turn():
            begun.set()
            assert ended.wait(LONG)
        return score_text(*args, **settings)

    def run():
        with page_turns.taken():
            scores.scores_of(Reader(snapshots_of("book-ngram")[-1]), "Well, Prince")
            return page_turns.is_mine

    monkeypatch.setattr(scores, "score_text", compute)
    scores._scores.clear()
    with ThreadPoolExecutor(2) as visitors:
        busy = visitors.submit(run)
        assert begun.wait(30)
        visitors.submit(visit, "pages/about/page.py").result(30)
        assert not busy.done()
        ended.set()
        assert busy.result(30)


def test_runs_of_fragments_take_turns(monkeypatch):
    monkeypatch.setattr(turns.st, "fragment", lambda function, **settings: function)
    assert turns.fragment(lambda x: (x, turns.page_turns.is_mine))(3) == (3, True)


def test_runs_of_pages_take_turns(monkeypatch):
    during = []
    monkeypatch.setattr(lesson, "begin_page", lambda title: during.append(page_turns.is_mine))
    visit("pages/counting/page.py")
    assert during[-1]
    assert not page_turns.is_mine
