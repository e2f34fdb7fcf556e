"""Why a sigmoid, this loss, a penalty: what is asked for waits for the guess, and the numbers are computed."""

import pytest
import torch

from lm_core.experiments.estimation import reasons
from pages.shared.numbers import percent, significant
from tests.pages.visits import charts, data, drawn_rows, guess, shows, text, visit

PAGE = "pages/estimation/page.py"
SIGMOID, LOSS, PENALTY = "Why a sigmoid?", "Why this loss?", "Why a penalty?"


def lines(app, key):
    return set(data(app, key).columns)


def test_two_bells_of_one_width_are_a_sigmoid_with_its_numbers():
    app = visit(PAGE, part=SIGMOID)
    found = reasons.log_odds(reasons.Bell(14.0, 3.0), reasons.Bell(8.0, 3.0), 0.5)
    assert f"{significant(found.slope, 3)} · length" in text(app)
    for length in (5.0, 8.0):
        at = float(found.posterior(torch.tensor(length, dtype=torch.float64)))
        assert percent(at) in text(app)
    assert charts(app) == ["bells_densities", "bells_posterior"]


def test_unequal_bells_show_their_curve_after_the_guess():
    app = visit(PAGE, part=SIGMOID, birds_spread="6.0")
    assert not len(data(app, "bells_posterior"))
    app = guess(app, "bells", 1)
    curve = drawn_rows(app, "bells_posterior").query("kind == 'line'")["y"].to_numpy()
    assert curve[0] > 2 * curve.min()
    assert "length²" in text(app)


def test_nothing_is_asked_where_the_picture_ends_before_the_curve_rises():
    app = visit(PAGE, part=SIGMOID, birds_mean="28.0", others_mean="2.0")
    assert not app.radio
    curve = drawn_rows(app, "bells_posterior").query("name.str.startswith('with')")["y"]
    assert curve.iloc[0] < 0.01


def test_least_squares_wait_for_the_guess():
    app = visit(PAGE, part=LOSS)
    assert reasons.LOSSES[1] not in lines(app, "losses_pull") | lines(app, "losses_learned")
    assert f"from a slope of −8: {reasons.LOSSES[0]} " in text(app)
    app = guess(app, "losses", 0)
    assert reasons.LOSSES[1] in lines(app, "losses_pull") & lines(app, "losses_learned")
    logit = torch.tensor(0.01, dtype=torch.float64).logit()
    hard, soft = (float(reasons.pull(name, logit)) for name in reasons.LOSSES)
    assert shows(app, round(hard, 2), round(soft, 3), round(hard / soft))
    for name in reasons.LOSSES:
        right = reasons.descend(name, reasons.flying_sample(200, 0), -8.0).right[-1]
        assert percent(float(right)) in text(app)


@pytest.mark.parametrize(("n", "said"), [("20", "beyond 14"), ("50", "likeliest at a slope of")])
def test_the_slope_of_a_sample_alone_and_with_its_prior(n, said):
    app = visit(PAGE, part=PENALTY, prior_animals=n)
    assert said in text(app)
    rings = drawn_rows(app, "penalty_nats").query("kind == 'ring'")
    slopes = torch.linspace(0.0, 14.0, 141, dtype=torch.float64)
    nats = reasons.slope_nats(reasons.flying_sample(int(n), 0), slopes)
    best = [
        float(slopes[found.argmin()]) for found in (nats, nats + reasons.prior_nats(slopes, 1.0))
    ]
    assert rings["x"].tolist() == pytest.approx(best)
    assert rings["y"].iloc[1] == pytest.approx(
        float((nats + reasons.prior_nats(slopes, 1.0)).min() - nats.min()), abs=1e-3
    )
    assert f"{best[1]:.1f} with the prior" in text(app)


def test_more_animals_outweigh_the_prior():
    app = guess(visit(PAGE, part=PENALTY), "penalty", 0)
    assert shows(app, 50, 2.8, 500, 5.2)
