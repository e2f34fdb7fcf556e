"""The page on estimating P(bird | x): what is on screen follows the sample, and the numbers agree."""

import re

import pytest

from lm_core.experiments.estimation.experiment import EstimationSettings, Method, run_experiment
from tests.pages.visits import press, text, visit

PAGE = "pages/estimation/page.py"


def arrive(**asked):
    return visit(PAGE, **asked)


@pytest.fixture
def page():
    return arrive()


def test_the_first_paint_counts_fifty_animals(page):
    assert "32 animals that can fly, 12 of them birds" in text(page)
    assert "P(bird | can fly, 8 cm): 12%" in text(page)
    assert not re.search(r"P\(bird \| cannot fly, 8 cm\): \d", text(page)), "none to count"
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
    found = run_experiment(EstimationSettings(Method.COUNTING, 10, seed=3)).animals
    assert f"{int(found.can_fly.sum())} animals that can fly" in text(page)
    assert "P(bird | can fly, 20 cm)" in text(page)


def test_counting_owns_that_it_has_no_answer_for_some(page):
    assert "**undefined" in text(page)
    page.select_slider(key="intervals").set_value(2).run()
    page.select_slider(key="animals").set_value(500).run()
    assert "**undefined" not in text(page)


def test_the_truth_and_the_others_can_be_hidden(page):
    assert "True value: 15%." in text(page)
    page.toggle(key="truth").set_value(False).run()
    assert "True value" not in text(page)
    assert "Other samples" in text(page)
    page.toggle(key="others").set_value(False).run()
    assert "Other samples" not in text(page)


def test_the_spread_waits_for_a_guess():
    page = arrive(method="Logistic")
    assert "the spread shrinks" not in text(page)
    press(page, "Show without a guess")
    ratio = re.search(r"From 50 to 500 animals the spread shrinks ([\d.]+) times", text(page))
    assert 2.0 < float(ratio[1]) < 5.0
    assert re.search(r"bias is 0\.\d{3} before and 0\.\d{3} after", text(page))
    assert len(page.get("vega_lite_chart")) == 3


def test_a_link_restores_what_the_teacher_sees():
    page = arrive(
        method="Network", animals="20", seed="2", length="12 cm", reveal="spread", truth="false"
    )
    assert not page.warning
    assert "P(bird | can fly, 12 cm)" in text(page)
    assert re.search(r"falls, too, from 0\.\d{3} to 0\.\d{3}", text(page))
    assert "True value" not in text(page)


@pytest.mark.parametrize(
    ("name", "value"),
    [("animals", "30"), ("seed", "-4"), ("seed", "nan"), ("method", "Oracle"), ("prior", "0")],
)
def test_settings_that_are_not_on_offer_fall_back_with_a_note(name, value):
    page = arrive(**{name: value})
    assert f"`{value}`" in page.warning[0].value


def test_every_chart_is_told_in_words(page):
    assert any("P(bird | can fly, 8 cm): 12%" in element.value for element in page.text)
