"""The page on estimating P(bird | x): what is on screen follows the sample, and the numbers agree."""

import pytest

from lm_core.experiments.estimation.experiment import EstimationSettings, Method, run_experiment
from tests.pages.visits import alt, charts, data, guess, numbers, press, shows, text, visit

PAGE = "pages/estimation/page.py"


def arrive(**asked):
    return visit(PAGE, **asked)


@pytest.fixture
def page():
    return arrive()


def counts_those_that_fly(page, settings):
    """Whether the page says how many animals of the sample can fly, and how many of these are birds."""
    animals = run_experiment(settings).animals
    return shows(page, int(animals.can_fly.sum()), int(animals.is_bird[animals.can_fly].sum()))


def test_the_first_paint_counts_fifty_animals(page):
    assert counts_those_that_fly(page, EstimationSettings(Method.COUNTING, 50))
    assert numbers(alt(page, "estimate_1"))[:2] == [12, 33]
    assert shows(page, 50, 33, 0, 89), "how far the other samples are from this one"
    assert len(page.get("vega_lite_chart")) == 2
    assert not page.error


@pytest.mark.parametrize(
    ("name", "method", "said"),
    [
        ("Counting", Method.COUNTING, "8 intervals"),
        ("Logistic", Method.LOGISTIC, "three weights"),
        ("Network", Method.NETWORK, "17 weights"),
    ],
)
def test_every_method_says_what_it_does_and_quotes_its_own_likelihood(name, method, said):
    page = arrive(method=name)
    assert said in text(page)
    seen = run_experiment(EstimationSettings(method, 50)).likelihood
    assert f"**{seen.cross_entropy:.3f} nats**" in text(page)
    assert f"{seen.log_likelihood:.2f}".replace("-", "−") in text(page)
    table = next(t.value for t in page.dataframe if "−log P, nats" in t.value)
    assert len(table) == 50
    assert table["−log P, nats"].sum() == pytest.approx(-seen.log_likelihood, abs=0.05)


def test_size_sample_and_length_are_the_visitors(page):
    page.select_slider(key="animals").set_value(10).run()
    page.number_input(key="seed").set_value(3).run()
    page.select_slider(key="length").set_value(20).run()
    assert counts_those_that_fly(page, EstimationSettings(Method.COUNTING, 10, seed=3))
    assert numbers(alt(page, "estimate_1"))[0] == 20


def test_counting_owns_that_it_has_no_answer_for_some(page):
    assert "**undefined" in text(page)
    page.select_slider(key="intervals").set_value(2).run()
    page.select_slider(key="animals").set_value(500).run()
    assert "**undefined" not in text(page)


def test_the_truth_and_the_others_can_be_hidden(page):
    length, own, truth, *others = numbers(alt(page, "estimate_1"))
    assert truth == 74
    page.toggle(key="truth").set_value(False).run()
    assert numbers(alt(page, "estimate_1")) == [length, own, *others]
    page.toggle(key="others").set_value(False).run()
    assert numbers(alt(page, "estimate_1")) == [length, own]
    assert numbers(alt(page, "estimate_0"))[0] == length


def test_the_spread_waits_for_a_guess():
    page = arrive(method="Logistic")
    assert charts(page) == ["estimate_1", "estimate_0"]
    right, wrong = guess(arrive(), "spread", 1), guess(arrive(), "spread", 0)
    for answered, said in ((right, "Right"), (wrong, "Not quite")):
        assert shows(answered, said, 50, 500, 3.3, 10, 3.2)
    page = press(page, "skip_spread")
    assert len(page.get("vega_lite_chart")) == 3
    errors = data(page, "errors").set_index("animals")
    ratio = errors["spread"][50] / errors["spread"][500]
    assert 2.0 < ratio < 5.0
    assert numbers(alt(page, "errors"))[:3] == [50, 500, round(ratio, 1)]
    assert quotes_bias(page)


@pytest.mark.parametrize(
    ("method", "asked", "said"),
    [
        (
            "Network",
            {"hidden": "1", "prior": "0.01"},
            "So few hidden units cannot follow the truth",
        ),
        ("Network", {}, "It falls, probably because more animals"),
        (
            "Network",
            {"hidden": "2", "prior": "10"},
            "hardly change the spread, because the prior is so strong",
        ),
        ("Logistic", {"prior": "10"}, "It falls, probably because more animals"),
        ("Logistic", {}, "The shape of its curve cannot follow the truth"),
        ("Counting", {"intervals": "30"}, "It falls, probably because fewer intervals"),
        ("Counting", {}, "Its intervals cannot follow the truth"),
    ],
)
def test_what_is_said_of_spread_and_bias_follows_from_both(method, asked, said):
    page = arrive(method=method, reveal="spread", **asked)
    assert not page.warning
    assert said in text(page)
    errors = data(page, "errors").set_index("animals")
    bias, spread = errors["bias"], errors["spread"]
    assert ("It falls" in text(page)) == (bias[50] > 1.1 * bias[500])
    assert ("hardly change the spread" in text(page)) == (spread[50] < 1.1 * spread[500])


def quotes_bias(page):
    """Whether a paragraph has the bias with 50 animals and that with 500."""
    bias = data(page, "errors").set_index("animals")["bias"].round(3)
    return shows(page, bias[50], bias[500])


def test_a_link_restores_what_the_teacher_sees():
    page = arrive(
        method="Network", animals="20", seed="2", length="20 cm", reveal="spread", truth="false"
    )
    assert not page.warning
    assert numbers(alt(page, "estimate_1"))[0] == 20
    assert "truth" not in set(data(page, "estimate_1")["curve"])
    assert quotes_bias(page)
