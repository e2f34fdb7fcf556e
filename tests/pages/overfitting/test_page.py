"""The page on overfitting: what waits for a guess, stopping by hand and by rule, remedies, machines."""

import pytest

from lm_core.experiments.grokking.results import GrokkingResults
from lm_core.experiments.overfitting.double_descent import COUNTS
from lm_core.experiments.overfitting.results import OverfittingResults
from lm_core.experiments.overfitting.training import NetworkSettings, train
from lm_core.experiments.wikipedia.results import WikipediaResults
from lm_core.training.early_stopping import stop_early
from tests.pages.playing import put
from tests.pages.visits import (
    alt,
    data,
    drawn_rows,
    guess,
    numbers,
    sent_to,
    shows,
    text,
    visit,
)

PAGE = "pages/overfitting/page.py"
CAPACITY, DESCENT, BOOK, GROKKING = "Capacity", "Double descent", "The book", "Grokking"
MACHINES = "Machines"


@pytest.fixture(scope="module")
def losses():
    return train(NetworkSettings(seed=2)).validation.losses[:, 0].tolist()


# Time -----------------------------------------------------------------------------------------


def test_wrong_labels_are_not_all_that_raises_the_validation_loss(losses):
    right = train(NetworkSettings(seed=2, label_noise=0.0)).validation.losses[:, 0]
    assert right[-1] > 3 * right.min()
    assert losses[-1] > right[-1]


def test_few_units_do_not_learn_the_wrong_labels():
    few, many = (train(NetworkSettings(seed=2, units=units)).training for units in (2, 32))
    assert few.errors[-1, 0] > 0.1
    assert many.errors[-1, 0] == 0.0


def test_validation_waits_for_the_guess_and_the_rule_keeps_its_lowest(losses):
    app = visit(PAGE)
    assert list(data(app, "time_losses").columns) == ["step", "training"]
    assert set(drawn_rows(app, "time_losses").query("kind == 'line'")["name"]) == {"training"}
    app = guess(app, "lowest", 1)
    best = min(range(len(losses)), key=losses.__getitem__)
    assert shows(app, 10 * best, pytest.approx(losses[best], abs=5e-3))
    assert data(app, "time_losses")["validation"].tolist() == losses
    assert "guess" in set(drawn_rows(app, "time_losses")["kind"])
    app.selectbox(key="stopping").set_value("By patience").run()
    app.select_slider(key="patience").set_value(3).run()
    assert not app.exception
    stop = stop_early(losses, 3)
    rows = drawn_rows(app, "time_losses")
    assert rows[rows["kind"] == "ring"]["x"].tolist() == [10 * stop.best]
    assert rows[rows["kind"] == "reference"]["x"].unique().tolist() == [10 * stop.stopped]


def test_who_stops_by_hand_sees_nothing_of_what_comes(losses):
    app = visit(PAGE)
    app.selectbox(key="stopping").set_value("By hand").run()
    assert app.slider(key="evaluation").value == 0
    put(app, "evaluation", 7)
    assert drawn_rows(app, "time_losses").query("kind == 'line'")["x"].max() == 70
    assert len(data(app, "time_losses")) == 8
    app.toggle(key="stop_here").set_value(True).run()
    assert not app.exception
    rows = drawn_rows(app, "time_losses")
    assert rows[rows["kind"] == "line"]["x"].max() == 400
    assert rows[rows["kind"] == "ring"]["y"].tolist() == [pytest.approx(losses[7], rel=1e-6)]
    assert shows(app, 70, pytest.approx(losses[7], abs=5e-3))


def test_a_link_restores_a_stopped_training_with_its_remedies():
    asked = {"stopping": "By hand", "stop_here": "true", "evaluation": "5", "dropout": "0.3"}
    app = visit(PAGE, **asked, weight_decay="0.01", units="4", points="10", label_noise="0.2")
    assert drawn_rows(app, "time_losses").query("kind == 'ring'")["x"].tolist() == [50]
    settings = NetworkSettings(4, 10, 0.2, 0.01, 0.3, seed=2)
    last = data(app, "time_losses")["training"].iloc[-1]
    assert last == pytest.approx(float(train(settings).training.losses[-1, 0]))


def test_a_foreign_value_of_a_link_is_told():
    app = visit(PAGE, points="1000000", seed="-1", patience="0")
    assert app.warning
    assert list(data(app, "time_losses").columns) == ["step", "training"]


# Capacity -------------------------------------------------------------------------------------


def test_validation_against_capacity_waits_for_the_guess():
    app = visit(PAGE, part=CAPACITY)
    assert data(app, "setting_losses")["validation"].notna().sum() == 3
    assert "ring" not in set(drawn_rows(app, "setting_losses")["kind"])
    app = guess(app, "capacity", 2)
    assert "guess" in set(drawn_rows(app, "setting_losses")["kind"])
    swept = OverfittingResults.load().swept("units", "None")
    assert data(app, "setting_losses")["validation"].tolist() == [p.validation for p in swept]
    assert shows(app, "Right", pytest.approx(swept[-1].validation, abs=5e-3))


@pytest.mark.parametrize("remedy", ["Weight decay", "Dropout", "Early stopping"])
def test_each_remedy_is_drawn_beside_none_with_its_numbers(remedy):
    app = visit(PAGE, part=CAPACITY, remedy=remedy, against="Wrong labels", units="4", points="20")
    lines = drawn_rows(app, "setting_losses").query("kind == 'line'")
    assert set(lines["name"]) == {"training", "validation", "no remedy"}
    swept = OverfittingResults.load().swept("label_noise", remedy)
    assert data(app, "setting_losses")["validation"].tolist() == [p.validation for p in swept]
    (said,) = [m.value for m in app.markdown if m.value.startswith(f"*{remedy}")]
    if remedy == "Weight decay":
        loss, half, squares, whole = numbers(said)[-4:]
        assert whole == pytest.approx(loss + half * squares, abs=0.02)


@pytest.mark.parametrize("settings", [{}, {"units": 1, "points": 320}])
def test_early_stopping_saves_only_the_steps_after_its_patience(settings):
    stop = stop_early(
        train(NetworkSettings(seed=2, **settings)).validation.losses[:, 0].tolist(), 5
    )
    asked = {name: str(value) for name, value in settings.items()}
    app = visit(PAGE, part=CAPACITY, remedy="Early stopping", **asked)
    saved = "no step" if stop.stopped is None else f"the last {400 - 10 * stop.stopped} steps"
    assert f"saves {saved}, but" in text(app)
    assert f"that of step {10 * stop.best}," in text(app)


def test_the_small_print_names_only_lines_that_are_drawn():
    for remedy in ("None", "Dropout", "Early stopping"):
        said = text(visit(PAGE, part=CAPACITY, remedy=remedy))
        assert ("dotted line" in said) == (remedy != "None")
        assert ("stopped early within 400 steps" in said) == (remedy == "Early stopping")


# Double descent -------------------------------------------------------------------------------


def test_the_second_descent_waits_for_the_guess():
    app = visit(PAGE, part=DESCENT)
    assert data(app, "descent_errors")["new points"].notna().sum() == COUNTS.index(20) + 1
    app = guess(app, "descent", 2)
    assert "guess" in set(drawn_rows(app, "descent_errors")["kind"])
    assert shows(app, "Right")
    assert data(app, "descent_errors")["new points"].notna().all()
    app.select_slider(key="ridge").set_value(0.01).run()
    put(app, "features", 3)
    assert not app.exception
    assert alt(app, "descent_fit").startswith(f"The fit with {COUNTS[3]} features")
    curve = OverfittingResults.load().descent(0.3, 0.01)
    assert data(app, "descent_errors")["new points"].tolist() == list(curve.new)


@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("penalty", [0.0, 0.01])
def test_a_fit_is_called_wild_where_it_is(noise, penalty):
    app = visit(PAGE, part=DESCENT, noise=f"{noise:g}", ridge=f"{penalty:g}")
    low, high = numbers(alt(app, "descent_fit"))[-2:]
    is_wild = max(-low, high) > 2  # the truth lies between -1 and 1
    assert shows(app, "it mostly has to bend wildly") == is_wild == bool(noise and not penalty)
    assert shows(app, "the penalty λ prefers shorter weights") == bool(penalty)


# The book -------------------------------------------------------------------------------------


def test_dropout_on_the_book_waits_for_the_guess():
    app = visit(PAGE, part=BOOK)
    assert list(data(app, "book_losses").columns) == ["step", "validation", "training"]
    app = guess(app, "book", 1)
    assert "guess" in set(drawn_rows(app, "book_losses")["kind"])
    dropout = OverfittingResults.load().curve("Dropout 0.2")
    assert data(app, "book_losses")["with dropout"].tolist() == list(dropout.validation)
    assert shows(app, "Right", pytest.approx(dropout.validation[-1], abs=5e-3))
    app.selectbox(key="compared").set_value("Ten times the text").run()
    assert not app.exception
    assert "more text" in data(app, "book_by_heart").columns


# Grokking -------------------------------------------------------------------------------------


def test_the_late_jump_waits_for_the_guess():
    app = visit(PAGE, part=GROKKING)
    assert list(data(app, "grokking_curve").columns) == ["steps", "training"]
    app = guess(app, "grokking", 2)
    curve = GrokkingResults.load().curve(0.4, 1.0)
    assert "guess" in set(drawn_rows(app, "grokking_curve")["kind"])
    table = data(app, "grokking_curve")
    assert table["validation"].tolist() == [e.held_out_right for e in curve.evaluations]
    assert shows(app, "Right", curve.steps_until("held_out", 0.9))
    assert shows(app, 10_000, 99, pytest.approx(100 * curve.evaluations[-1].strongest(6), abs=0.5))


def test_a_training_without_weight_decay_is_walked_through():
    asked = {"pairs": "0.5", "as_loss": "true", "decayed": "false", "grokking_step": "3"}
    app = visit(PAGE, part=GROKKING, **asked)
    assert not app.warning
    curve = GrokkingResults.load().curve(0.5, 0.0)
    now, losses = curve.evaluations[3], [e.held_out_loss for e in curve.evaluations]
    assert data(app, "grokking_curve")["validation"].tolist() == losses
    drawn = data(app, "grokking_spectrum")
    assert drawn[drawn.columns[1]].tolist() == list(now.spectrum)


@pytest.mark.parametrize("share", [0.3, 0.4])
def test_memory_is_left_for_the_rule_only_where_it_was(share):
    never = GrokkingResults.load().curve(share, 1.0).steps_until("held_out", 0.9) is None
    said = text(visit(PAGE, part=GROKKING, pairs=str(share)))
    assert "to the rule" in said
    assert ("it has not in 10,000 steps" in said) == never == (share == 0.3)


# Wikipedia ------------------------------------------------------------------------------------


def test_unseen_articles_wait_for_the_guess_and_the_text_is_that_of_the_evaluation():
    found = WikipediaResults.load()
    app = visit(PAGE, part="Wikipedia")
    table = data(app, "wikipedia_losses")
    assert list(table.columns) == ["steps", "learned"]
    a_word = found.learned.subwords / found.learned.words
    assert table["learned"].tolist() == pytest.approx([a_word * p.training for p in found.points])
    put(app, "wikipedia_step", 9)
    written = found.points[9].text.replace("\N{REPLACEMENT CHARACTER}", "<unk>")
    assert app.text[-1].value == f"The film was{written}"
    app = guess(app, "wikipedia", 2)
    assert shows(app, "Right", pytest.approx(6.8), pytest.approx(2.01), pytest.approx(1.88))
    table = data(app, "wikipedia_losses")
    assert table["unseen"].tolist() == [found.per_word(point.held_out) for point in found.points]
    assert "guess" in set(drawn_rows(app, "wikipedia_losses")["kind"])


def test_a_visitors_prompt_is_continued_by_the_shipped_model():
    app = visit(PAGE, part="Wikipedia")

    def written():
        return "".join(sent_to(app, "token_strip")[0]["tokens"])

    last = WikipediaResults.load().points[-1].text.replace("\N{REPLACEMENT CHARACTER}", "<unk>")
    assert written() == f"The film was{last}"
    app.get_by_key("wikipedia_seed").set_value(2).run()
    assert written().startswith("The film was ")
    assert written() != f"The film was{last}"
    app.get_by_key("wikipedia_prompt").set_value("In 1901, he").run()
    assert written().startswith("In 1901 , he ")
    before = written()
    app.get_by_key("wikipedia_prompt").set_value("   ").run()
    assert app.error or app.warning
    assert written() == before


# Machines -------------------------------------------------------------------------------------


def test_the_sum_waits_for_the_guess_and_is_four_times_as_long():
    app = visit(PAGE, part=MACHINES)
    assert list(data(app, "machines_parameter").columns) == ["step", "alone"]
    assert drawn_rows(app, "machines_parameter").query("name == '4 together'")["x"].tolist() == [0]
    put(app, "phase", 3)
    assert not shows(app, -20.5)
    app = guess(app, "machines", 2)
    assert "guess" in set(drawn_rows(app, "machines_parameter")["kind"])
    assert shows(app, "Right", 4, -20.5, -5.12)
    assert shows(app, "Sum", -20.5)
    table = data(app, "machines_parameter")
    assert table["4 together"].iloc[1] == pytest.approx(3.05)
    assert table["alone"].iloc[1] == pytest.approx(1.5125)


@pytest.mark.parametrize(
    ("how", "equal", "is_same"),
    [
        ("Mean of means", "true", True),
        ("Mean of means", "false", False),
        ("Weighted mean", "false", True),
        ("Sum of sums", "false", True),
        ("Sum of means", "false", False),
    ],
)
def test_which_rule_is_one_machines(how, equal, is_same):
    app = visit(PAGE, part=MACHINES, combined=how, equal=equal, step_size="0.02", phase="5")
    table = data(app, "machines_parameter")
    apart = (table["alone"] - table["4 together"]).abs().max()
    assert bool(apart < 1e-9) is is_same
    assert shows(app, "the same" if is_same else "apart")


def test_the_measured_speed_waits_for_the_guess():
    app = visit(PAGE, part=MACHINES, view="Speed")
    assert data(app, "speed_up")["processes"].tolist() == [1, 2]
    app = guess(app, "speed", 1)
    assert "guess" in set(drawn_rows(app, "speed_up")["kind"])
    speeds = OverfittingResults.load().speeds
    assert shows(app, "Right", pytest.approx(speeds[0].seconds / speeds[2].seconds, abs=5e-3))
    assert data(app, "speed_times")["step (ms)"].tolist() == [1e3 * s.seconds for s in speeds]
