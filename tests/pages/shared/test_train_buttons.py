"""A button that trains begins what the page says when it is pressed, not what it was drawn for.

Who types a number and presses at once sends both together: the page is run once, with the number and
the press. What a callback was given before is older.
"""

import re
from types import SimpleNamespace

import pytest

from lm_core.experiments.translation import experiment
from lm_core.jobs import jobs
from pages.encoder_decoder import training_settings
from tests.conftest import ROOT
from tests.pages.visits import visit

TALE = "the wolf ate the little goat and the old goat wept in the house by the wood . " * 30
OTHER = "the prince saw the princess and the old prince smiled at the child by the door . " * 30


@pytest.fixture(autouse=True)
def no_files(no_workers, monkeypatch):
    monkeypatch.setattr(training_settings, "missing_files", list)
    monkeypatch.setattr(experiment, "pairs_sha256", lambda: "made up")


@pytest.fixture
def asked(monkeypatch):
    """Return the trainings that are asked for: what each learns with, and the text it is given."""
    found = []

    def submit(config, text=None, **_):
        found.append(SimpleNamespace(config=config, text=text))
        raise jobs.RunError("not today")

    monkeypatch.setattr(jobs, "submit", submit)
    return found


@pytest.mark.parametrize(
    ("page", "where", "button"),
    [
        ("encoder_decoder", {"part": "Train one"}, "translator_train"),
        ("preferences", {"part": "Your run"}, "preferences_train"),
        ("war_and_peace", {"view": "Train your own", "text": "Your own text"}, "training_start"),
    ],
)
def test_a_seed_that_is_typed_last_is_learned_with(asked, page, where, button):
    app = visit(f"pages/{page}/page.py", **where)
    if page == "war_and_peace":
        app.text_area(key="training_pasted").set_value(TALE * 3).run()
    app.number_input(key="train_seed").set_value(7)
    app.button(key=button).click().run()
    assert not app.exception
    assert [one.config.training["seed"] for one in asked] == [7]


def test_lengths_that_are_typed_last_are_trained(asked):
    app = visit("pages/rnn_vs_lstm/page.py")
    app.text_input(key="train_lengths").set_value("5 9")
    app.button(key="recall_train").click().run()
    assert [one.config.model["lengths"] for one in asked] == [[5, 9]]


def test_a_text_that_is_typed_last_is_read(asked):
    app = visit("pages/word2vec/page.py", text="Your own", least="1")
    app.text_area(key="own_text").set_value(TALE).run()
    app.text_area(key="own_text").set_value(OTHER)
    app.button(key="vectors_train").click().run()
    (one,) = asked
    assert "princess" in one.text
    assert "wolf" not in one.text


def test_epochs_that_are_chosen_last_are_trained_at_once():
    app = visit("pages/word2vec/page.py", epochs="3")
    app.slider(key="epochs").set_value(5)
    app.button(key="vectors_train").click().run()
    assert not app.exception
    settings, training = app.session_state["vector_training"]
    assert training.config.epochs == settings[2].epochs == 5
    assert training.is_done


def test_a_network_that_counts_is_trained_with_the_last_seed():
    app = visit("pages/counting/page.py", run_length="4", hidden_units="8")
    app.number_input(key="seed").set_value(3)
    app.button(key="counting_train").click().run()
    assert not app.exception
    assert [config.seed for config in app.session_state["counting_asked"]] == [3]


def test_no_other_button_trains():
    trains = re.compile(r"button\([^()]*model_training")
    elsewhere = [
        path.name
        for path in sorted((ROOT / "pages").rglob("*.py"))
        if trains.search(path.read_text("utf-8"))
    ]
    assert elsewhere == ["training_requests.py"]
