"""The page on how vectors are learned: the window, the training, its snapshots, a stranger's text."""

import json
import math
import re
from statistics import fmean

import pytest

from lm_core.experiments.word2vec.full_softmax import FullSoftmaxConfig
from lm_core.experiments.word2vec.short_text import GROUPS, centre_word_probabilities
from pages.word2vec import text as material
from pages.word2vec import training as training_part
from tests.pages.visits import press, text, visit

PAGE = "pages/word2vec/page.py"
TALE = "the wolf ate the little goat and the old goat wept in the house by the wood . " * 30


def arrive(**asked):
    return visit(PAGE, **asked)


def trained(**asked):
    return press(arrive(reveal="company", epochs="3", **asked), "Train")


def passages(app):
    return json.loads(app.get("bidi_component")[-1].proto.json)["passages"]


def marked(app, role):
    return [piece for piece, mark in passages(app)[0]["pieces"] if mark == role]


# The window -----------------------------------------------------------------------------------


def test_the_window_stands_around_the_word_in_the_middle():
    app = arrive(window="2", place="3")
    pieces = passages(app)[0]["pieces"]
    words = [piece for piece, _ in pieces if piece.isalpha()]
    assert marked(app, "middle") == [words[3]]
    assert marked(app, "window") == [words[1], words[2], words[4], words[5]]
    assert f"should be that of **{words[3]}**" in text(app)
    app.slider(key="place").set_value(0).run()
    assert marked(app, "window") == words[1:3]
    app.slider(key="window").set_value(3).run()
    assert marked(app, "window") == words[1:4]
    app.segmented_control(key="method").set_value("skip-gram").run()
    assert "3 predictions" in text(app)


def test_words_without_a_vector_are_struck_out_and_passed_over():
    app = arrive(text="Your own")
    app.text_area(key="own_text").set_value(f"Once upon a time {TALE}").run()
    assert marked(app, "absent") == ["Once", "upon", "a", "time"]
    assert "get a vector" in text(app)
    assert marked(app, "middle")[0] in TALE


# The training ---------------------------------------------------------------------------------


def test_the_question_is_asked_before_anything_is_trained():
    app = arrive()
    assert "Train" not in [button.label for button in app.button]
    app.radio(key="guess_company").set_value("Only by chance").run()
    app.button(key="reveal_company").click().run()
    assert "Train" in [button.label for button in app.button]
    assert "king among" not in text(app)


def test_a_training_keeps_its_snapshots_to_walk_through():
    app = trained()
    training = app.session_state["vector_training"][1]
    assert training.is_done
    assert f"{training.n_steps} of {training.n_steps} steps of 256 words" in text(app)
    assert "After 100%: king among 25 words (input embedding)" in text(app)
    nearest = re.search(r"Nearest to king: (\w+)", text(app))[1]
    assert nearest in GROUPS["rulers"]
    end = f"**Loss: {fmean(training.losses[-10:]):.2f} nats a word at the end"
    assert f"{end}**" in text(app)
    app.slider(key="snapshot").set_value(6).run()
    half = fmean(training.losses[training.snapshots[6].step - 10 : training.snapshots[6].step])
    assert f"{end}, at this snapshot {half:.2f}**" in text(app)
    app.slider(key="snapshot").set_value(0).run()
    assert "After 0%: king among 25 words (input embedding)" in text(app)
    app.segmented_control(key="embedding").set_value("output").run()
    assert "king among 25 words (output embedding)" in text(app)
    published = next(c.value for c in app.caption if "WikiText-2" in c.value)
    assert re.findall(r"\d\.\d{3}", published) == ["5.389", "4.486", "8.308"]
    chance = math.log(len(training.text.vocabulary))
    losses = next(x.value for x in app.dataframe if "loss" in set(x.value.get("name", ())))
    assert losses.loc[losses["name"] != "loss", "y"].tolist() == pytest.approx([chance, chance])


def test_the_prediction_is_that_of_the_snapshot_for_the_window_above():
    app = trained(place="7")
    training = app.session_state["vector_training"][1]
    ids, words = training.text.ids, training.text.vocabulary.words
    for step in (12, 0):
        app.slider(key="snapshot").set_value(step).run()
        found = centre_word_probabilities(training.snapshots[step], ids, 7, training.config)
        best = int(found.argmax())
        assert f"centre word: {words[best]} {float(found[best]):.0%}" in text(app)
        truth = int(ids[7])
        assert f"**{words[truth]}**, with probability {float(found[truth]):.1%}" in text(app)


def test_other_settings_are_another_training():
    app = trained()
    app.slider(key="window").set_value(2).run()
    assert "king among" not in text(app)
    press(app, "Train")
    assert app.session_state["vector_training"][1].config.window == 2
    assert "After 100%: king" in text(app)


def test_a_link_to_a_snapshot_trains_and_shows_it():
    app = arrive(reveal="company", epochs="2", snapshot="4")
    assert not app.warning
    assert "After 34%" in text(app) or "After 33%" in text(app)


def test_a_stopped_training_shows_what_it_has_and_goes_on(monkeypatch):
    app = arrive(reveal="company", epochs="3")
    stopped_after(monkeypatch, 60)
    press(app, "Train")
    live_training = app.session_state["vector_training"][1]
    assert len(live_training.losses) == 60
    assert "· stopped" in text(app)
    assert "king among 25 words" in text(app)
    assert "nats a word so far" in text(app)
    monkeypatch.undo()
    press(app, "Go on")
    assert app.session_state["vector_training"][1] is live_training
    assert live_training.is_done
    assert "· stopped" not in text(app)


def stopped_after(monkeypatch, steps):
    """Let Stop be pressed after so many steps: the run ends between two of them."""

    def run(training):
        for _, _ in zip(range(steps), training, strict=False):
            pass
        training_part.st.session_state[training_part._RUNNING] = False
        training_part.st.session_state[training_part.SNAPSHOT] = len(training.snapshots) - 1
        training_part.st.rerun()

    monkeypatch.setattr(training_part, "_run", run)


def test_a_training_that_leaves_the_numbers_says_so(monkeypatch):
    def diverge(self):
        raise training_part.DivergenceError(
            "the loss of step 1 is nan: try a third of the learning rate"
        )

    monkeypatch.setattr(
        "lm_core.experiments.word2vec.full_softmax.FullSoftmaxTraining._next_loss", diverge
    )
    app = trained()
    assert "the loss of step 1 is nan" in app.error[0].value
    assert "vector_training" not in app.session_state


# A stranger's text ----------------------------------------------------------------------------


def test_an_own_text_is_trained_on():
    app = arrive(text="Your own", least="1", epochs="2")
    app.text_area(key="own_text").set_value(TALE).run()
    press(app, "Train")
    assert not app.exception
    assert re.search(r"After 100%: \w+ among 12 words", text(app))
    app.selectbox(key="of_word").set_value("wolf").run()
    assert "After 100%: wolf among 12 words" in text(app)


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ("hello", "at least 100 words to learn from, it has 1"),
        ("🙂 Ще не вмерла " * 300, "it has 0: add more of it"),
        ("\x00\x01 binary " * 200, "control characters"),
        ("<script>alert(1)</script> " * 200, "at least 10 words must occur"),
        ("one two three " * 30_000, "at most 0.3 MB"),
    ],
)
def test_what_cannot_be_learned_from_gets_a_message_and_the_way_back_is_open(own, message):
    app = arrive(text="Your own")
    app.text_area(key="own_text").set_value(own).run()
    assert message in app.error[0].value
    assert not app.exception
    app.selectbox(key="text").set_value(material.SYNTHETIC).run()
    assert not app.error


@pytest.mark.parametrize("own", ["", "   \n "])
def test_an_empty_text_is_asked_for_kindly(own):
    app = arrive(text="Your own")
    app.text_area(key="own_text").set_value(own).run()
    assert "Paste a text to learn from" in app.info[0].value
    assert not app.error


def test_an_own_text_is_kept_for_the_visit():
    app = arrive(text="Your own", least="1")
    app.text_area(key="own_text").set_value(TALE).run()
    app.selectbox(key="text").set_value(material.SYNTHETIC).run()
    app.switch_page("pages/tokenization/page.py").run()
    app.switch_page("pages/word2vec/page.py").run()
    app.selectbox(key="text").set_value("Your own").run()
    assert app.text_area(key="own_text").value == TALE


def test_the_book_is_offered_where_it_is(monkeypatch):
    monkeypatch.setattr(material, "locate", lambda name: None)
    assert material.BOOK not in arrive().selectbox(key="text").options
    monkeypatch.setattr(material, "locate", lambda name: "here")
    monkeypatch.setattr(material, "load_body", lambda: f"A Title\n\nCHAPTER ONE\n\n{TALE}")
    app = arrive(text=material.BOOK, least="1")
    assert not app.warning
    assert "510 words; **12** different ones occur once or more" in text(app)


def test_every_control_is_taken_from_the_address():
    app = arrive(
        reveal="company", least="2", width="8", epochs="1", rate="0.3", max_norm="false", seed="7"
    )
    assert not app.warning
    press(app, "Train")
    assert app.session_state["vector_training"][1].config == FullSoftmaxConfig(
        width=8, window=4, max_norm=None, epochs=1, learning_rate=0.3, batch=256, seed=7
    )


def test_what_is_left_out_is_counted_and_nothing_is_said_of_nothing():
    assert "No word is left out." in text(arrive())
    app = arrive(text="Your own", least="2")
    ten = "one two three four five six seven eight nine ten "
    app.text_area(key="own_text").set_value(f"{12 * ten} once").run()
    assert "No word is left out." not in text(app)
    assert "The others are left out: 120 words remain to learn from" in text(app)
