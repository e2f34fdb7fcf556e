"""What the answers for teachers say of overfitting, held to the page's trainings and to the results."""

import math
from statistics import mean

import pytest
import torch

from lm_core.experiments.grokking.results import GrokkingResults
from lm_core.experiments.overfitting import machines
from lm_core.experiments.overfitting.book import EVERY, MORE_TEXT, PLAIN
from lm_core.experiments.overfitting.double_descent import COUNTS
from lm_core.experiments.overfitting.double_descent import POINTS as FITTED_POINTS
from lm_core.experiments.overfitting.results import OverfittingResults
from lm_core.experiments.overfitting.study import DECAY, DROPOUT, EARLY, LABEL_NOISE, NONE, POINTS
from lm_core.experiments.overfitting.training import NetworkSettings, train
from lm_core.experiments.wikipedia.results import PUBLISHED, WikipediaResults
from lm_core.training.early_stopping import stop_early
from pages.overfitting.late_jump import STRONGEST
from pages.overfitting.machines_parameters import STEPS as STEPS
from pages.shared.numbers import percent
from tests.pages.answering import assert_says, suggestion

PAGE = "overfitting"
RESULTS, GROKKING = OverfittingResults.load(), GrokkingResults.load()
SEEDS = range(1, 11)


# Time -------------------------------------------------------------------------------------------


def trainings(**settings):
    return [train(NetworkSettings(seed=seed, **settings)) for seed in SEEDS]


@pytest.fixture(scope="module")
def plain():
    return trainings()


def ends(found):
    """Return the mean lowest and last validation loss, and the mean training loss at the end."""
    losses = [training.validation.losses[:, 0] for training in found]
    lowest, last = mean(float(row.min()) for row in losses), mean(float(row[-1]) for row in losses)
    return lowest, last, mean(float(training.training.losses[-1, 0]) for training in found)


def test_how_often_a_patience_of_one_stops_too_early(plain):
    def too_early(patience):
        rows = [training.validation.losses[:, 0] for training in plain[:5]]
        return sum(stop_early(row.tolist(), patience).best < int(row.argmin()) for row in rows)

    assert (too_early(1), too_early(5)) == (3, 0)
    assert_says(PAGE, "With a patience", "three times", "with a patience of 5 never")


def test_stopping_helps_less_without_wrong_labels(plain):
    for found in (trainings(label_noise=0.0), plain):
        lowest, last, _ = ends(found)
        assert_says(PAGE, "Set wrong labels", f"{lowest:.2f}", f"{last:.2f}")


def test_remedies_put_off_the_rise(plain):
    lowest, last, learned = ends(plain)
    assert_says(PAGE, "Switch on dropout", f"{last / lowest:.0f} times", f"{learned:.2f}")
    for remedy in ({"weight_decay": 0.01}, {"dropout": 0.3}):
        lowest, last, learned = ends(trainings(**remedy))
        assert_says(PAGE, "Switch on dropout", f"{last / lowest:.1f} times", f"{learned:.1f} nats")


# Capacity ---------------------------------------------------------------------------------------


def swept(varied, value):
    return {
        remedy: next(p for p in RESULTS.swept(varied, remedy) if p.value == value).validation
        for remedy in (NONE, DECAY, DROPOUT, EARLY)
    }


def test_which_remedy_helps_most_with_ten_points():
    losses = swept(POINTS, 10)
    said = (f"{losses[remedy]:.1f}" for remedy in (EARLY, DECAY, DROPOUT, NONE))
    assert_says(PAGE, "Which remedy", *said)
    assert min(losses, key=losses.get) == EARLY
    assert_says(PAGE, "Which remedy", f"worst loss is {max(swept(POINTS, 320).values()):.2f}")


def test_with_many_points_a_remedy_is_worse_than_none():
    many, fewer = swept(POINTS, 320), swept(POINTS, 160)
    assert min(many, key=many.get) == NONE
    assert_says(PAGE, "Choose *Training points*", f"{many[NONE]:.2f}")
    assert fewer[DECAY] > fewer[NONE]
    assert all(swept(POINTS, n)[DECAY] < swept(POINTS, n)[NONE] for n in (10, 20, 40, 80))


def test_remedies_against_wrong_labels():
    losses = swept(LABEL_NOISE, 0.4)
    said = f"{losses[EARLY]:.2f}, {losses[DECAY]:.2f} and {losses[DROPOUT]:.2f}"
    chance = f"{math.log(2):.2f} is what half and half"
    assert_says(PAGE, "Choose *Wrong labels*", f"{losses[NONE]:.1f} nats", said, chance)


# Double descent ---------------------------------------------------------------------------------


def test_the_peak_needs_noise_and_no_penalty():
    at = COUNTS.index(FITTED_POINTS)
    noisy, held, clean = (RESULTS.descent(*w) for w in ((0.3, 0.0), (0.3, 1e-4), (0.0, 0.0)))
    assert max(noisy.new) == noisy.new[at]
    assert held.new[at] < held.new[0]
    assert held.new[at] < 1.1 * min(held.new)
    low = min(range(at), key=noisy.new.__getitem__)
    peak = f"{noisy.new[at]:.1f}"
    said = f"{peak} with {FITTED_POINTS} features after {noisy.new[low]:.2f} with {COUNTS[low]}"
    assert_says(PAGE, "Play from 2 features", said)
    said = f"{FITTED_POINTS} features is {held.new[at]:.2f} instead of {peak}"
    assert_says(PAGE, "Raise λ", said)
    said = f"at most {max(clean.new[at:]):.4f} from {FITTED_POINTS} features on"
    assert_says(PAGE, "Without noise", said)


def test_the_first_fit_through_every_point_has_as_many_features():
    losses = zip(COUNTS, RESULTS.descent(0.3, 0.0).training, strict=True)
    assert next(count for count, loss in losses if loss < 1e-9) == FITTED_POINTS


# The book ---------------------------------------------------------------------------------------


def test_what_is_known_by_heart():
    short, longer = RESULTS.curve(PLAIN), RESULTS.curve(MORE_TEXT)
    lowest = short.validation.index(min(short.validation))
    said = [
        f"{lowest} of {len(short.validation) - 1} evaluations, or {EVERY * lowest} steps",
        f"about {short.recited[lowest]:.0f} characters",
    ]
    assert_says(PAGE, "When does", *said, f"about {round(short.recited[-1]):d} characters")
    assert short.continued[lowest] < 1
    assert longer.recited[-1] < 2
    ends_at = [f"{curve.validation[-1]:.1f}" for curve in (longer, short)]
    assert_says(PAGE, "Compare with ten", f"{ends_at[0]} nats instead of {ends_at[1]}")


# Grokking ---------------------------------------------------------------------------------------


def at(curve, step):
    return next(e for e in curve.evaluations if e.step == step)


def test_the_validation_loss_rises_and_falls_before_the_answers_come():
    curve = GROKKING.curve(0.4, 1.0)
    losses = {e.step: e.held_out_loss for e in curve.evaluations}
    worst = max(losses, key=losses.get)
    said = f"{losses[worst]:.1f} after {worst} steps", f"{losses[1]:.1f},", f"{math.log(59):.2f}"
    assert_says(PAGE, "Switch *Loss*", *said)
    until = curve.steps_until("held_out", 0.5)
    assert until - worst == pytest.approx(1_000, rel=0.1)
    falling = [loss for step, loss in losses.items() if worst <= step <= until]
    assert falling == sorted(falling, reverse=True)


def test_the_waves_are_there_before_the_answers():
    curve = GROKKING.curve(0.4, 1.0)
    early, first, last = at(curve, 464), curve.evaluations[0], curve.evaluations[-1]
    said = [percent(e.strongest(STRONGEST)) for e in (early, first, last)]
    assert_says(PAGE, "Go to step 464", percent(early.held_out_right), *said)


def test_without_weight_decay_no_rule_is_found():
    curve = GROKKING.curve(0.4, 0.0)
    last = curve.evaluations[-1]
    said = f"right after {curve.steps_until('training', 1.0)} steps, and of the others {percent(last.held_out_right)}"
    decayed = GROKKING.curve(0.4, 1.0).evaluations[-1]
    shares = (percent(e.strongest(STRONGEST)) for e in (last, decayed))
    assert_says(PAGE, "Switch weight decay off", said, *shares)
    assert last.training_loss < 1e-6


def test_more_sums_are_understood_sooner():
    steps = {s: GROKKING.curve(s, 1.0).steps_until("held_out", 0.9) for s in (0.5, 0.4, 0.3)}
    few = percent(GROKKING.curve(0.3, 1.0).evaluations[-1].held_out_right)
    assert_says(PAGE, "Choose 50 %", f"{steps[0.5]} steps instead of {steps[0.4]:,}", f"only {few}")
    assert steps[0.3] is None


# Machines ---------------------------------------------------------------------------------------


def test_which_rule_is_one_machines_step():
    gradients, sizes = [torch.tensor([1.0, 0.0]), torch.tensor([0.0, 2.0])], [1, 3]
    whole = torch.tensor([1 / 4, 6 / 4])
    found = {how: machines.combine(gradients, sizes, how) for how in machines.COMBINATIONS}
    right = [how for how, step in found.items() if torch.allclose(step, whole)]
    assert len(right) == 1
    assert "weighted" in right[0].lower()


def test_four_equal_machines_take_four_times_the_step():
    gradient = [torch.tensor([1.0, 2.0])] * 4
    (total,) = [how for how in machines.COMBINATIONS if how.lower().startswith("sum of means")]
    assert torch.allclose(machines.combine(gradient, [2] * 4, total), 4 * gradient[0])


def descent(how, rate=0.1, *, is_equal=True, steps=STEPS):
    sizes = machines.shard_sizes(len(machines.EXAMPLES), 4, is_equal=is_equal)
    return machines.descend_together(sizes, how, rate, steps)


def test_unequal_parts_lead_elsewhere():
    found = descent(machines.MEAN_OF_MEANS, is_equal=False)
    said = f"θ is {found.together[-1]:.2f} instead of {found.alone[-1]:.2f}"
    assert_says(PAGE, "Choose *Mean of means*", said)
    end = descent(machines.SUM_OF_MEANS, 0.02, is_equal=False, steps=400).together[-1]
    assert_says(PAGE, "With the *Sum of means*", f"another θ, {end:.2f}")


def test_a_quarter_of_the_rate_takes_one_machines_steps():
    slow, fast = (descent(machines.SUM_OF_MEANS, rate) for rate in (0.05, 0.2))
    assert slow.together == pytest.approx(fast.alone)
    assert_says(PAGE, "With the *Sum of means*", "η = 0.05 go where one goes with 0.2")


# Wikipedia ----------------------------------------------------------------------------------------


def test_unseen_articles_rise_above_learned_ones():
    found, asked = WikipediaResults.load(), "Play the evaluations after the guess"
    losses = [
        (found.per_word(p.held_out), found.learned.per_word(p.training)) for p in found.points
    ]
    above = [unseen > learned for unseen, learned in losses]
    first = above.index(True)
    assert all(above[first:])
    assert_says(PAGE, asked, f"{found.points[first].step} steps on")
    unseen, learned = losses[-1]
    assert_says(PAGE, asked, f"{unseen - learned:.2f} nats a word")
    said = "{:.2f} against {:.2f}".format(*losses[0])
    assert_says(PAGE, asked, f"After {found.points[0].step} steps", said)
    cut = (text.per_word(1.0) for text in (found.learned, found.held_out))
    assert_says(PAGE, asked, "{:.2f} subwords a word instead of {:.2f}".format(*cut))


def test_losses_are_compared_by_word():
    found, asked = WikipediaResults.load(), "The published loss on unseen articles"
    end = found.points[-1].held_out
    question = suggestion(PAGE, asked).text
    assert f"{PUBLISHED.loss:.2f} nats" in question
    assert f"{end:.2f}." in question
    ours, theirs = (each.per_word(1.0) for each in (found, PUBLISHED))
    assert_says(PAGE, asked, f"{ours:.2f} subwords", f"{theirs:.2f}")
    words = f"{found.per_word(end):.2f} and theirs {PUBLISHED.per_word(PUBLISHED.loss):.2f}"
    assert_says(PAGE, asked, words)
    assert round(PUBLISHED.words / found.learned.words) == 4


def test_what_it_writes_is_quoted():
    asked, points = "Read what it writes after 100 steps", WikipediaResults.load().points
    first, last = points[0].text, points[-1].text
    counts = [text.count("\N{REPLACEMENT CHARACTER}") for text in (first, last)]
    assert_says(PAGE, asked, "{1} `<unk>` instead of {0}".format(*counts))
    for quoted in ("The embassy Office passed the relief of", "firer"):
        assert_says(PAGE, asked, quoted)
        assert quoted in last
        assert quoted not in first
