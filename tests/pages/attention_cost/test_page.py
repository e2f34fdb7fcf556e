"""The page on the cost of attention: what was measured before, what is measured now, and its bounds."""

import pytest

from lm_core.experiments.attention_cost import results as cost_results
from lm_core.experiments.attention_cost.generation_cost import WritingCost
from lm_core.experiments.attention_cost.measure import AttentionCost
from lm_core.experiments.attention_cost.results import load_results
from pages.attention_cost import live
from pages.attention_cost.explanation import _ASKED
from pages.shared import server
from tests.pages.visits import text, visit

PAGE = "pages/attention_cost/page.py"


def arrive(**asked):
    return visit("pages/attention_cost/page.py", **asked)


def seen(**asked):
    return arrive(reveal="twice", **asked)


def ratio_of(method, lengths):
    seconds = {c.length: c.seconds for c in load_results().costs if c.method == method}
    return seconds[lengths[1]] / seconds[lengths[0]]


def test_the_naive_matrix_waits_for_a_guess():
    app = arrive()
    assert "naive matrix" not in text(app)
    app.radio(key="guess_twice").set_value("2 times").run()
    app.button(key="reveal_twice").click().run()
    ratio = ratio_of("naive matrix", _ASKED)
    assert f"It takes **{ratio:.1f} times** as long" in text(app)
    assert "You said 2 times." in text(app)
    assert "*naive matrix* writes all scores down" in text(app)


def test_a_right_guess_is_told():
    app = arrive()
    app.radio(key="guess_twice").set_value("4 times").run()
    app.button(key="reveal_twice").click().run()
    assert "You were right." in text(app)


def test_memory_has_its_own_finding():
    app = seen(quantity="memory")
    found = {c.length: c.peak_bytes for c in load_results().costs if c.method == "fused kernel"}
    ratio = found[8192] / found[4096]
    assert f"fused kernel {ratio:.1f} times" in text(app)
    assert "times the memory" in text(app)


def test_only_chosen_methods_are_drawn():
    app = seen(methods="linear kernel")
    finding = next(m.value for m in app.markdown if m.value.startswith("**Twice the text"))
    assert "linear kernel" in finding
    assert "fused kernel" not in finding
    app.pills(key="methods").set_value([]).run()
    assert not app.exception
    assert "No time measured so far" in text(app)


def test_approximations_and_the_cache_are_told_with_their_numbers():
    app = seen()
    results = load_results()
    last = results.writing[-1]
    ratio = last.anew_seconds / last.cached_seconds
    assert f"the cache makes the next one {ratio:.0f} times as fast" in text(app)
    linear = min(r.loss for r in results.approximations if r.method == "linear kernel")
    assert f"far too few: **{linear:.2f}** nats" in text(app)
    assert f"beside {results.exact_loss:.3f} with its own attention" in text(app)


# Measuring here -------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch):
    """A plan of three records, and what it was asked for."""
    asked = {}

    def plan(**limits):
        asked.update(limits)
        yield AttentionCost("naive matrix", 64, 0.001, 1 << 20, 0.0)
        yield AttentionCost("naive matrix", 128, 0.005, 4 << 20, 0.0)
        yield WritingCost(64, 0.001, 0.003, 1000)

    monkeypatch.setattr(live, "plan", plan)
    monkeypatch.setattr(live, "_SECONDS_A_TICK", 0.0)  # a record at a time
    return asked


def test_what_is_measured_here_is_drawn_as_it_comes_and_can_be_left(quick):
    app = seen()
    app.button(key="cost_measure").click().run()
    assert [b.key for b in app.button if b.key.startswith("cost_")] == ["cost_cancel"]
    for _ in range(6):
        app.run()
    assert "This server: " in text(app)
    assert "naive matrix 5.0 times the time" in text(app)
    assert "After 64 characters the cache makes the next one 3 times as fast" in text(app)
    app.button(key="cost_before").click().run()
    assert "This server: " not in text(app)


def test_measuring_can_be_cancelled_and_keeps_what_it_has(quick):
    app = seen()
    app.button(key="cost_measure").click().run()
    app.button(key="cost_cancel").click().run()
    app.run()
    assert "cost_cancel" not in [b.key for b in app.button]
    assert "After 64 characters the cache" not in text(app)


def test_too_little_memory_is_told_and_keeps_what_was_measured(monkeypatch):
    def plan(**limits):
        yield AttentionCost("naive matrix", 64, 0.001, 1 << 20, 0.0)
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    monkeypatch.setattr(live, "plan", plan)
    app = seen()
    app.button(key="cost_measure").click().run()
    app.run()
    assert "ran out of memory" in app.warning[0].value
    assert "This server: " in text(app)
    assert server.model_calls.acquire(blocking=False)
    server.model_calls.release()


def test_the_server_bounds_what_is_measured(quick, monkeypatch):
    app = seen()
    app.button(key="cost_measure").click().run()
    app.run()
    assert quick == {
        "rounds": live._ROUNDS,
        "byte_limit": live.byte_limit(),
        "second_limit": live._SECOND_LIMIT,
    }
    gibibyte = 1 << 30
    for memory, limit in ((gibibyte, 22 << 20), (None, 16 << 20), (64 * gibibyte, 128 << 20)):
        monkeypatch.setattr(live, "memory_total", lambda memory=memory: memory)
        assert live.byte_limit() <= limit
        assert live.byte_limit() >= 16 << 20


def test_a_measurement_leaves_the_models_to_others_between_records(quick):
    app = seen()
    app.button(key="cost_measure").click().run()
    assert server.model_calls.acquire(blocking=False)
    server.model_calls.release()


def test_without_its_results_the_page_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(cost_results.load_results, "__defaults__", (tmp_path / "none.json",))
    app = arrive()
    assert "no readable results in" in app.error[0].value


def test_a_foreign_value_falls_back_with_a_note():
    app = seen(quantity="money")
    assert len(app.warning) == 1
    assert "`money`" in app.warning[0].value
