"""The page on the cost of attention: the shipped measurements, those made on the server, its bounds."""

import pytest

from lm_core.experiments.attention_cost.measurement import AttentionCost, GenerationCost
from lm_core.experiments.attention_cost.results import CostResults
from pages.attention_cost import measurement_in_progress, measurements
from pages.attention_cost.by_length import PREDICTED_LENGTHS
from pages.shared.turns import model_calls
from tests.pages.visits import alt, drawn_rows, numbers, shows, text, visit


def arrive(**asked):
    return visit("pages/attention_cost/page.py", **asked)


def revealed(**asked):
    return arrive(reveal="twice", **asked)


def table(app, column):
    """The data table under the chart that has this column."""
    return next(f.value for f in app.dataframe if column in f.value)


def guess(app, answer):
    app.radio(key="guess_twice").set_value(answer).run()
    return app.button(key="reveal_twice").click().run()


def test_the_naive_matrix_waits_for_a_guess():
    app = arrive()
    others = {"fused kernel", "local window", "linear kernel"}
    assert set(table(app, "memory (MiB)")["method"]) == others
    memory = drawn_rows(arrive(quantity="memory"), "cost_by_length")
    assert set(memory["name"]) == others, "of memory nothing is guessed"
    costs = CostResults.load().costs
    short, long = PREDICTED_LENGTHS
    seconds = {c.length: c.seconds for c in costs if c.method == "naive matrix"}
    assert numbers(alt(app, "cost_by_length"))[:2] == [short, round(1e3 * seconds[short])]
    app = guess(app, "2 times")
    assert "naive matrix" in set(table(app, "memory (MiB)")["method"])
    ratio = round(seconds[long] / seconds[short], 1)
    assert shows(app, ratio, round(1e3 * seconds[short]), round(1e3 * seconds[long]))


@pytest.mark.parametrize(("said", "is_right"), [("4 times", True), ("16 times", False)])
def test_a_guess_is_drawn_into_the_picture_and_judged(said, is_right):
    app = guess(arrive(), said)
    badges = [m.value.startswith(":green-badge") for m in app.markdown if "-badge" in m.value]
    assert badges == [is_right]
    costs = CostResults.load().costs
    start = next(
        c.seconds for c in costs if c.method == "naive matrix" and c.length == PREDICTED_LENGTHS[0]
    )
    drawn = drawn_rows(app, "cost_by_length")
    mark = drawn[drawn["kind"] == "guess"]
    assert mark["y"].tolist() == [pytest.approx(1e3 * start * int(said.split()[0]))]


def test_memory_has_its_own_finding_and_no_guess_about_time():
    app = arrive(quantity="memory")
    assert not any("×" in name for name in drawn_rows(app, "cost_by_length")["name"])
    app = guess(app, "4 times")
    assert "guess" not in set(drawn_rows(app, "cost_by_length")["kind"])
    peaks = {c.length: c.peak_bytes for c in CostResults.load().costs if c.method == "fused kernel"}
    assert f"fused kernel {peaks[8192] / peaks[4096]:.1f}" in alt(app, "cost_by_length")


def test_a_time_out_of_proportion_to_the_work_is_said():
    seconds = {c.length: c.seconds for c in CostResults.load().costs if c.method == "local window"}
    ratio = round(seconds[8192] / seconds[4096], 1)
    assert ratio > 2.5
    assert shows(revealed(), "not work alone", 4096, 8192, "local window", ratio)


def test_only_chosen_methods_are_drawn():
    app = revealed(methods="linear kernel")
    assert set(table(app, "memory (MiB)")["method"]) == {"linear kernel"}
    app.pills(key="methods").set_value([]).run()
    assert not app.exception
    assert table(app, "memory (MiB)").empty


def test_approximations_and_the_cache_are_explained_with_their_numbers():
    app = revealed()
    results = CostResults.load()
    last = results.generation[-1]
    assert table(app, "cache (bytes)")["cache (bytes)"].iloc[-1] == last.cache_bytes
    ratio = round(last.uncached_seconds / last.cached_seconds)
    assert numbers(alt(app, "cost_cache")) == [last.length, ratio]
    assert f"**{last.cache_bytes / 2**20:.1f} MiB**" in text(app)
    linear = min(r.loss for r in results.approximations if r.method == "linear kernel")
    assert f"**{linear:.2f}** nats" in text(app)
    assert f"{results.exact_loss:.3f}" in text(app)
    drawn = table(app, "size")
    assert drawn["loss"].tolist() == [round(r.loss, 4) for r in results.approximations]


# Measuring on this server ---------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch):
    """A plan of three records, and what it was asked for."""
    asked = {}

    def measure_all(**limits):
        asked.update(limits)
        yield AttentionCost("naive matrix", 64, 0.001, 1 << 20, 0.0)
        yield AttentionCost("naive matrix", 128, 0.005, 4 << 20, 0.0)
        yield GenerationCost(64, 0.001, 0.003, 1000)

    monkeypatch.setattr(measurements, "measure_all", measure_all)
    monkeypatch.setattr(measurement_in_progress, "_SECONDS_A_TICK", 0.0)  # a record at a time
    return asked


def buttons(app):
    return [b.key for b in app.button if b.key.startswith("cost_")]


def test_measurements_are_drawn_as_they_come_and_can_be_left(quick):
    app = revealed()
    app.button(key="cost_measure").click().run()
    assert buttons(app) == ["cost_cancel"]
    for _ in range(6):
        app.run()
    assert table(app, "memory (MiB)")["time (ms)"].tolist() == [1.0, 5.0]
    assert "naive matrix 5.0" in alt(app, "cost_by_length")
    assert table(app, "cache (bytes)")["uncached (ms)"].tolist() == [3.0]
    app.button(key="cost_shipped").click().run()
    assert len(table(app, "memory (MiB)")) == len(CostResults.load().costs)


def test_measuring_can_be_cancelled_and_what_was_measured_stays(quick):
    app = revealed()
    app.button(key="cost_measure").click().run()
    app.button(key="cost_cancel").click().run()
    app.run()
    assert "cost_cancel" not in buttons(app)
    assert len(table(app, "memory (MiB)")) < 2
    assert len(table(app, "cache (bytes)")) == len(CostResults.load().generation)


def test_too_little_memory_is_reported_and_what_was_measured_stays(monkeypatch):
    def measure_all(**limits):
        yield AttentionCost("naive matrix", 64, 0.001, 1 << 20, 0.0)
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    monkeypatch.setattr(measurements, "measure_all", measure_all)
    app = revealed()
    app.button(key="cost_measure").click().run()
    app.run()
    assert len(app.warning) == 1
    assert table(app, "memory (MiB)")["length"].tolist() == [64]
    assert not model_calls.locked()


def test_the_server_bounds_what_is_measured(quick, monkeypatch):
    app = revealed()
    app.button(key="cost_measure").click().run()
    app.run()
    assert quick["byte_limit"] == measurements.byte_limit()
    assert 1 <= quick["rounds"] <= 3
    assert 0.0 < quick["second_limit"] <= 0.5
    gibibyte = 1 << 30
    for memory, limit in ((gibibyte, 22 << 20), (None, 16 << 20), (64 * gibibyte, 128 << 20)):
        monkeypatch.setattr(measurements, "memory_total", lambda memory=memory: memory)
        assert 16 << 20 <= measurements.byte_limit() <= limit


def test_a_measurement_leaves_the_models_to_others_between_records(quick):
    app = revealed()
    app.button(key="cost_measure").click().run()
    assert not model_calls.locked()


def test_without_its_results_the_page_shows_an_error(monkeypatch, tmp_path):
    monkeypatch.setattr(CostResults, "shipped", lambda: tmp_path / "none.json")
    app = arrive()
    assert "none.json" in app.error[0].value
