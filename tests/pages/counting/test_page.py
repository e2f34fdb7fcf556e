"""The page on learning to count: what is on screen before, during and after its training."""

import json
import math

import pytest

from lm_core.errors import ResultError
from lm_core.experiments.counting.inference import continue_counting
from lm_core.training.checkpoints import load_checkpoint
from pages.counting import training
from pages.shared.ui import playback as playback_bar
from tests.pages.playing import put
from tests.pages.visits import alt, data, drawn_rows, guess, holds, numbers, shows, text, visit

PAGE = "pages/counting/page.py"


def arrive(**asked):
    return visit(PAGE, **asked)


def loss_of(page):
    """Return the epoch on screen and its loss, from the data of the first chart."""
    losses = data(page, "counting_loss")
    last = losses[losses["run"] == "here"].iloc[-1]
    assert float(f"{last['loss']:.3g}") in numbers(alt(page, "counting_loss"))
    return last["epoch"], last["loss"]


def generated(page):
    """Return the prompt and the numbers that continue it, as the chart says them."""
    return numbers(alt(page, "counting_generated"))


def train(page):
    page.button(key="counting_train").click().run()


@pytest.fixture
def page():
    return arrive()


@pytest.fixture
def trained():
    """The page as a link to the end of a training opens it."""
    return arrive(epoch="25")


def n_right(page):
    """Return how many numbers were generated, and how many before the first wrong one."""
    parts = data(page, "counting_generated").query("part != 'prompt'")["part"].tolist()
    wrong = [i for i, part in enumerate(parts) if part != "one more"]
    return len(parts), wrong[0] if wrong else len(parts)


def test_the_page_opens_on_a_trained_network_that_counts_and_then_fails(page):
    assert page.slider(key="epoch").value == 25
    epoch, loss = loss_of(page)
    assert (epoch, loss < 0.1) == (25, True)
    assert n_right(page) == (12, 8)
    assert shows(page, 25, 7, 8, 9, 10, 12, 8)
    assert not page.error


def test_training_plays_its_epochs_and_ends_with_eleven(page, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(playback_bar.time, "monotonic", lambda: now[0])
    train(page)
    assert page.slider(key="epoch").value == 0
    assert n_right(page)[1] < 8
    for epoch in range(1, 26):
        now[0] += 1.0
        page.run()
        assert page.slider(key="epoch").value == epoch
    assert page.button(key="epoch_play").label == "Play"
    assert generated(page)[:6] == [7, 8, 9, 10, 11, 12]
    assert numbers(alt(page, "counting_next"))[:5] == [7, 8, 9, 10, 11]
    assert "9,408 parameters" in text(page)


def test_a_link_to_an_epoch_restores_it():
    page = arrive(epoch="3")
    assert page.slider(key="epoch").value == 3
    assert n_right(page)[1] < 8
    assert not page.warning


def test_a_link_to_an_epoch_that_is_not_there_is_noted():
    page = arrive(epoch="99")
    assert "Epoch" in page.warning[0].value
    assert page.slider(key="epoch").value == 25


def test_another_setting_is_another_network_not_trained_yet(trained):
    trained.number_input(key="seed").set_value(1).run()
    assert loss_of(trained)[0] == 0
    train(trained)
    put(trained, "epoch", 25)
    assert "seed 1" in text(trained)
    trained.number_input(key="seed").set_value(0).run()
    assert "seed 0" in text(trained)
    assert trained.get_by_key("checkpoint")


def test_a_training_is_shared_and_not_repeated(monkeypatch):
    calls = []
    learn = training.train_counting
    monkeypatch.setattr(training, "train_counting", lambda c: calls.append(c) or learn(c))
    arrive(epoch="25")
    assert not calls  # of the shipped one
    arrive(epoch="25", seed="1")
    arrive(epoch="25", seed="1").slider(key="generated").set_value(9).run()
    assert len(calls) == 1


def test_where_the_shipped_training_is_damaged_another_can_be_made(monkeypatch):
    def damaged():
        raise ResultError("counting.json must be JSON")

    monkeypatch.setattr(training.CountingResults, "load", damaged)
    page = arrive()
    assert "counting.json" in page.error[0].value
    assert loss_of(page)[0] == 0
    train(page)
    put(page, "epoch", 25)
    length, right = n_right(page)
    assert length == 12
    assert right >= 3  # how many more depends on the processor's rounding


def test_the_prompt_and_the_length_of_the_answer_are_the_visitors(trained):
    trained.slider(key="generated").set_value(3).run()
    trained.text_input(key="prompt").set_value("40, 41").run()
    assert generated(trained) == [40, 41, 42, 43, 44]
    assert n_right(trained) == (3, 3)


@pytest.mark.parametrize("prompt", ["", "seven", "7 8 128", "-1", "1 " * 5000, "7.5"])
def test_a_prompt_that_cannot_be_read_gets_the_range_and_costs_nothing(trained, prompt):
    trained.text_input(key="prompt").set_value(prompt).run()
    assert not trained.exception
    said = trained.error[0].value
    assert holds(said, 0, 127) or holds(said, 100, 5000)
    assert trained.slider(key="epoch").value == 25
    assert trained.text_input(key="prompt").value == prompt
    trained.text_input(key="prompt").set_value("7 8 9 10").run()
    assert generated(trained)[:6] == [7, 8, 9, 10, 11, 12]


@pytest.mark.parametrize(("option", "verdict"), [(1, "green"), (0, "orange")])
def test_the_guess_about_longer_prompts_is_answered_with_its_numbers(page, option, verdict):
    guess(page, "longer", option)
    assert shows(page, 54, 12, 100, 6)
    assert f":{verdict}-badge[" in text(page)


def test_unseen_prompts_wait_for_a_guess_and_for_the_training():
    page = arrive(seed="1")
    page.button(key="skip_longer").click().run()
    assert "Train" in page.info[0].value
    train(page)
    assert numbers(alt(page, "counting_lengths"))[1] == 6
    answers = page.dataframe[-1].value.set_index("Prompt")
    assert set(answers.index) >= {"7 9 11", "125 126 127"}
    assert answers["Answer"].between(0, 127).all()


def test_the_other_initialisation_counts_beyond_the_length_of_training():
    page = arrive(epoch="25", initialisation="uniform", generated="20", reveal="longer")
    assert numbers(alt(page, "counting_lengths"))[:4] == [100, 6, 100, 12]
    assert n_right(page) == (20, 20)


def test_the_trained_network_is_offered_as_its_checkpoint(page, tmp_path, monkeypatch):
    offered = []
    monkeypatch.setattr(training, "download_network", lambda save, name: offered.append(save))
    page.run()
    model, meta = load_checkpoint(offered[-1](tmp_path))
    assert (meta.seed, meta.losses["last epoch"] < 0.1) == (0, True)
    assert continue_counting(model, (7, 8, 9, 10), 1)[0].number == 11


def test_every_chart_says_its_numbers(trained):
    specs = [c.proto.alt or c.proto.spec for c in trained.get("vega_lite_chart")]
    assert all(specs)
    drawn = json.loads(trained.get("vega_lite_chart")[2].proto.spec)
    assert len(next(iter(drawn.get("datasets", {"": [0] * 128}).values()))) == 128


def test_other_seeds_lie_behind_the_losses_of_the_first_settings_alone():
    app = arrive()
    rows = drawn_rows(app, "counting_loss")
    even = rows[rows["name"] == "uniform"]
    assert even["y"].tolist() == pytest.approx([math.log(128)] * len(even))
    assert len(even) >= 2
    assert shows(app, "5 other seeds of the same training lay. A loss")
    other = arrive(run_length="4", epoch="25")
    assert not shows(other, "5 other seeds")
    assert shows(other, "known for the first settings alone")
