"""The page on how vectors are learned: the window, the training, its snapshots, a stranger's text."""

import math
import re
from dataclasses import replace
from itertools import islice
from statistics import fmean

import pytest

from lm_core.analysis.word_space import WordSpace, unit_vectors
from lm_core.experiments.word2vec.full_softmax import FullSoftmaxConfig
from lm_core.experiments.word2vec.short_text import (
    GROUPS,
    SKIP_GRAM,
    RecordedTraining,
    centre_word_probabilities,
    real_pair_probabilities,
    short_text,
)
from lm_core.experiments.word2vec.synthetic import SyntheticVectors
from lm_core.jobs import jobs
from lm_core.jobs.records import RunState
from lm_core.jobs.run import train_here
from pages.shared.trainings.training_links import link_of
from pages.word2vec import run as run_part
from pages.word2vec import text as material
from pages.word2vec import training as training_part
from tests.pages.playing import put
from tests.pages.visits import (
    alt,
    charts,
    data,
    guess,
    holds,
    numbers,
    press,
    sent_to,
    shows,
    text,
    visit,
)

PAGE = "pages/word2vec/page.py"
SETTINGS = {
    "width": 32,
    "window": 4,
    "max_norm": 1.0,
    "learning_rate": 0.1,
    "batch": 256,
    "seed": 1,
}
TALE = "the wolf ate the little goat and the old goat wept in the house by the wood . " * 30


pytestmark = pytest.mark.usefixtures("no_workers")


def arrive(**asked):
    return visit(PAGE, **asked)


def with_text(own, **asked):
    app = arrive(text="Your own", **asked)
    return app.text_area(key="own_text").set_value(own).run()


def trained(**asked):
    """Train on the synthetic text, and look at the last snapshot."""
    return at_the_end(train(arrive(reveal="company", epochs="3", **asked)))


def at_the_end(app):
    return put(app, "snapshot", len(app.session_state["vector_training"][1].snapshots) - 1)


def train(app):
    return press(app, "vectors_train")


def passages(app):
    drawn = sent_to(app)
    return next(data["passages"] for data in drawn if "passages" in data)


def marked(app, role):
    return [piece for piece, mark in passages(app)[0]["pieces"] if mark == role]


# The window -----------------------------------------------------------------------------------


def test_the_window_stands_around_the_word_in_the_middle():
    app = arrive(window="2", place="3")
    pieces = passages(app)[0]["pieces"]
    words = [piece for piece, _ in pieces if piece.isalpha()]
    assert marked(app, "middle") == [words[3]]
    assert marked(app, "window") == [words[1], words[2], words[4], words[5]]
    assert shows(app, "CBOW", words[1], words[2], words[4], words[5], words[3])
    put(app, "place", 0)
    assert marked(app, "window") == words[1:3]
    app.slider(key="window").set_value(3).run()
    assert marked(app, "window") == words[1:4]
    app.segmented_control(key="method").set_value("skip-gram").run()
    assert shows(app, *words[:4], 3)


def test_words_without_a_vector_are_struck_out_and_passed_over():
    app = arrive(text="Your own")
    app.text_area(key="own_text").set_value(f"Once upon a time {TALE}").run()
    assert marked(app, "absent") == ["Once", "upon", "a", "time"]
    assert marked(app, "middle")[0] in TALE
    assert shows(app, "crossed", 5), "and it is said why"
    assert not shows(arrive(), "crossed"), "of nothing, nothing is said"


# The training ---------------------------------------------------------------------------------


def test_the_page_opens_on_a_trained_network_and_asks_for_the_cosine_alone():
    app = arrive()
    assert charts(app) == ["network"]
    found = SyntheticVectors.load()
    words, vectors = found.words, found.vectors
    unit = unit_vectors(vectors.input)
    cosine = round(float(unit[words.index("king")] @ unit[words.index("ruler")]), 2)
    assert not shows(app, "king", "ruler", cosine)
    guess(app, "company")
    assert shows(app, "Not quite", "king", "ruler", cosine)
    strips = data(app, "company_strips").pivot(index="word", columns="place", values="value")
    king, ruler, dog = (strips.loc[word].to_numpy() for word in ("king", "ruler", "dog"))
    assert abs(king - ruler).max() < abs(king - dog).max(), "what is asked about is drawn"


def test_the_network_is_that_of_the_window_above():
    app = arrive(place="3", window="2")
    found = SyntheticVectors.load()
    words, vectors = found.words, found.vectors
    frame = data(app, "network")
    context = [*marked(app, "window")]
    assert frame.query("kind == 'input'")["word"].drop_duplicates().tolist() == context
    ids = [words.index(word) for word in context]
    hidden = vectors.input[ids].mean(0)
    assert frame.query("kind == 'hidden'")["value"].tolist() == pytest.approx(hidden.tolist())
    found = (vectors.output @ hidden).softmax(0)
    best = int(found.argmax())
    assert holds(alt(app, "network"), words[best], round(100 * float(found[best])))


def losses(app):
    """The numbers in the heading of the losses."""
    return next(numbers(m.value) for m in app.markdown if holds(m.value, "Loss"))


def test_a_training_keeps_its_snapshots_to_walk_through():
    app = trained()
    training = app.session_state["vector_training"][1]
    assert training.is_done
    assert shows(app, training.n_steps, training.n_steps, 256)
    assert holds(alt(app, "snapshot_map"), 100, "king", 25, "input")
    assert data(app, "snapshot_neighbours")["word"][0] in GROUPS["rulers"]
    end = fmean(training.losses[-10:])
    assert losses(app) == [round(end, 2)]
    put(app, "snapshot", 6)
    half = fmean(training.losses[training.snapshots[6].step - 10 : training.snapshots[6].step])
    assert losses(app) == [round(end, 2), round(half, 2)]
    put(app, "snapshot", 0)
    assert holds(alt(app, "snapshot_map"), 0, "king", 25, "input")
    app.segmented_control(key="embedding").set_value("output").run()
    assert holds(alt(app, "snapshot_map"), 0, "king", 25, "output")
    published = next(c.value for c in app.caption if "WikiText-2" in c.value)
    assert re.findall(r"\d\.\d{3}", published) == ["5.389", "4.486", "8.308"]
    chance = math.log(len(training.text.vocabulary))
    reference = data(app, "snapshot_loss").query("name != 'loss'")["y"]
    assert reference.tolist() == pytest.approx([chance, chance])
    assert not any("other seeds" in c.value for c in app.caption), "theirs is a longer training"


def test_what_the_form_offers_at_first_is_drawn_over_the_losses_of_other_seeds():
    app = at_the_end(train(arrive(reveal="company")))
    assert any("5 other seeds of the same training" in c.value for c in app.caption)


def test_the_prediction_is_that_of_the_snapshot_for_the_window_above():
    app = trained(place="7")
    training = app.session_state["vector_training"][1]
    ids, words = training.text.ids, training.text.vocabulary.words
    for step in (12, 0):
        put(app, "snapshot", step)
        found = centre_word_probabilities(training.snapshots[step], ids, 7, training.config)
        best, truth = int(found.argmax()), int(ids[7])
        first = (words[best], float(f"{100 * float(found[best]):.0f}"))
        assert shows(app, *first, words[truth], float(f"{100 * float(found[truth]):.1f}"))


def test_skip_gram_is_trained_with_the_negative_samples_that_were_chosen():
    app = at_the_end(
        train(arrive(reveal="company", epochs="3", train_method="skip-gram", negatives="2"))
    )
    training = app.session_state["vector_training"][1]
    assert training.config == replace(SKIP_GRAM, negatives=2, epochs=3)
    assert training.is_done
    assert shows(app, training.n_steps, "skip-gram", 2, 0.01)
    assert losses(app) == [round(fmean(training.losses[-10:]), 2)]
    chance = data(app, "snapshot_loss").query("name != 'loss'")["y"]
    assert chance.tolist() == pytest.approx(2 * [3 * math.log(2)])
    assert data(app, "snapshot_neighbours")["word"][0] in GROUPS["rulers"]
    ids, words = training.text.ids, training.text.vocabulary.words
    put(app, "place", 7)
    pairs = real_pair_probabilities(training.snapshots[-1], ids, 7, 4)
    told = [item for i, p in pairs for item in (words[i], float(f"{100 * p:.0f}"))]
    assert shows(app, words[int(ids[7])], *told, 33)
    for of_cbow in ("WikiText-2", "other seeds"):
        assert not any(of_cbow in c.value for c in app.caption), "that is a loss of CBOW"


def test_an_own_text_is_learned_from_by_skip_gram_and_found_again_by_its_link():
    app = carried_out(train(with_text(TALE, least="1", epochs="2", train_method="skip-gram")))
    (job,) = jobs.jobs()
    assert job.status.state is RunState.FINISHED
    assert "negatives=5" in link_of(job)
    assert "train_method=skip-gram" in link_of(job)
    assert holds(alt(app, "snapshot_map"), 100, 12)


def test_rare_words_may_be_read_as_one_word_of_the_text():
    app = with_text(f"Once upon a time {TALE}", least="2", epochs="2", rare="map to <unk>")
    assert not marked(app, "absent")
    put(app, "place", 0)
    assert marked(app, "middle") == ["Once"]
    assert marked(app, "window") == ["upon", "a", "time", "the"]
    assert "of *<unk>*, *<unk>*, *<unk>*, *the* with" in text(app)
    assert counted(app) == [514, 12, 2, 4, 514]
    app = carried_out(train(app))
    (job,) = jobs.jobs()
    assert "rare=map+to+%3Cunk%3E" in link_of(job)
    app.selectbox(key="of_word").set_value("<unk>").run()
    assert holds(alt(app, "snapshot_neighbours"), 100, "<unk>")
    app.segmented_control(key="rare").set_value("leave out").run()
    assert marked(app, "absent") == ["Once", "upon", "a", "time"]
    assert "snapshot_map" not in charts(app), "that is another training"


def test_other_settings_are_another_training():
    app = trained()
    app.slider(key="window").set_value(2).run()
    assert "snapshot_map" not in charts(app)
    at_the_end(train(app))
    assert app.session_state["vector_training"][1].config.window == 2
    assert holds(alt(app, "snapshot_map"), 100, "king")


def test_a_link_to_a_snapshot_trains_and_shows_it():
    app = arrive(reveal="company", epochs="2", snapshot="4")
    assert not app.warning
    assert numbers(alt(app, "snapshot_map"))[0] == pytest.approx(33.5, abs=0.5)


def test_a_stopped_training_shows_what_it_has_and_goes_on(monkeypatch):
    app = arrive(reveal="company", epochs="3")
    stopped_after(monkeypatch, 60)
    train(app)
    live_training = app.session_state["vector_training"][1]
    assert len(live_training.losses) == 60
    assert shows(app, 60, live_training.n_steps, 256, "stopped")
    assert holds(alt(app, "snapshot_map"), "king", 25)
    assert not shows(app, "Loss", "end")
    monkeypatch.undo()
    train(app)
    assert app.session_state["vector_training"][1] is live_training
    assert live_training.is_done
    assert not shows(app, live_training.n_steps, "stopped")
    assert shows(app, "Loss", "end")


def stopped_after(monkeypatch, steps):
    """Let Stop be pressed after so many steps: the run ends between two of them."""

    def run(material, training):
        for _, _ in zip(range(steps), training, strict=False):
            pass
        training_part.st.session_state[training_part._RUNNING] = False
        training_part.st.session_state[training_part.SNAPSHOT] = len(training.snapshots) - 1
        training_part.st.rerun()

    monkeypatch.setattr(training_part, "_run", run)


def test_a_training_that_leaves_the_numbers_says_so(monkeypatch):
    def diverge(self):
        raise training_part.DivergenceError("the loss of step 1 is nan")

    monkeypatch.setattr(
        "lm_core.experiments.word2vec.full_softmax.FullSoftmaxTraining._next_loss", diverge
    )
    app = train(arrive(reveal="company", epochs="3"))
    assert holds(app.error[0].value, 1, "nan")
    assert "vector_training" not in app.session_state
    assert len(app.get("expander")) == len(arrive().get("expander")), "the page goes on below"


def test_what_one_visit_has_trained_the_next_one_looks_at():
    first = trained().session_state["vector_training"][1]
    other = arrive(reveal="company", epochs="3")
    assert "vector_training" not in other.session_state
    train(other)
    assert other.session_state["vector_training"][1] is first
    assert numbers(alt(other, "snapshot_map"))[0] == 0, "it is played, as if it were trained now"
    assert other.session_state["snapshot_playback"].is_playing
    train(arrive(reveal="company", epochs="3", seed="2"))
    assert trained(seed="2").session_state["vector_training"][1] is not first


# A stranger's text ----------------------------------------------------------------------------


def carried_out(app, steps=None):
    """Let a worker take the steps of the only run, or some of them, and look at the page again."""
    (job,) = jobs.jobs()
    list(islice(train_here(job.run, job.config), steps))
    return app.run()


def test_an_own_text_is_learned_from_in_a_run():
    app = train(with_text(TALE, least="1", epochs="2"))
    (job,) = jobs.jobs()
    assert job.status.state is RunState.QUEUED
    assert "vectors_train" not in [button.key for button in app.button]
    assert not charts(app)
    carried_out(app)
    assert not app.exception
    assert numbers(alt(app, "snapshot_map")) == [100, 12]
    alone = RecordedTraining(short_text(TALE, 1), FullSoftmaxConfig(**SETTINGS | {"epochs": 2}))
    list(alone)
    assert losses(app) == [round(fmean(alone.losses[-10:]), 2)]
    assert shows(app, alone.n_steps, alone.n_steps, 256)
    app.selectbox(key="of_word").set_value("wolf").run()
    assert holds(alt(app, "snapshot_map"), 100, "wolf", 12)


def test_what_was_learned_is_told_by_the_most_similar_pairs_of_the_map():
    app = carried_out(train(with_text(TALE, least="1", epochs="2")))
    training = RecordedTraining(short_text(TALE, 1), FullSoftmaxConfig(**SETTINGS | {"epochs": 2}))
    list(training)
    assert app.selectbox(key="of_word").value == "little", (
        "the first word is one that says something"
    )
    last = len(training.snapshots) - 1
    for step in (last, 0):
        snapshot = training.snapshots[step]
        put(app, "snapshot", step)
        space = WordSpace.of(training.text.vocabulary, snapshot.input)
        words = training.text.vocabulary.words
        (a, b, first), *_ = space.most_alike(range(len(words)), 3)
        (told,) = [m.value for m in app.markdown if "cosines" in m.value]
        assert {words[a], words[b]} == set(re.findall(r"\*\*(\w+)\*\*", told)[:2])
        assert round(first, 2) in numbers(told)
        assert ("by chance" in told) == (step == 0)


def test_a_finished_run_is_read_once(monkeypatch):
    app = carried_out(train(with_text(TALE, least="1", epochs="2")))
    monkeypatch.setattr(run_part, "read_record", pytest.fail)
    app.selectbox(key="of_word").set_value("wolf").run()
    assert not app.exception
    assert holds(alt(app, "snapshot_map"), 100, "wolf", 12)


def test_a_run_is_watched_while_it_goes_on_and_stopped():
    app = train(with_text(20 * TALE, least="1", epochs="15"))
    (job,) = jobs.jobs()
    n_steps, (first, second, *_) = job.status.steps, job.config.snapshot_steps
    steps = train_here(job.run, job.config)
    list(islice(steps, second))
    app.run()
    assert numbers(alt(app, "snapshot_map"))[0] == round(100 * second / n_steps)
    assert app.slider(key="snapshot").value == 2
    assert "vectors_train" not in [button.key for button in app.button]
    press(app, "vectors_stop")
    n_done = second + len(list(steps))
    assert jobs.job(job.key).status.state is RunState.CANCELLED
    assert not job.run.text_file.exists()
    app.run()
    assert first < n_done < n_steps
    assert shows(app, n_done, n_steps, 256, "stopped")
    assert holds(alt(app, "snapshot_map"), "little", 12)


def test_nobody_sees_what_a_text_has_left_but_who_asked_with_it():
    asked = {"least": "1", "epochs": "2"}
    carried_out(train(with_text(TALE, **asked)))
    other = with_text(TALE, **asked)
    assert not charts(other)
    train(other)
    assert not charts(other), "the same text of somebody else is a training of their own"
    assert len(jobs.jobs()) == 2


def test_a_refused_run_says_why(monkeypatch):
    monkeypatch.setenv("LM_LAB_MAX_TEXT_BYTES", "100")
    app = train(with_text(TALE, least="1"))
    assert holds(app.error[0].value, 100)
    assert "vectors_train" in [button.key for button in app.button]


def test_a_run_that_leaves_the_numbers_says_so(monkeypatch):
    def diverge(self):
        raise training_part.DivergenceError("the loss of step 1 is nan")

    monkeypatch.setattr(
        "lm_core.experiments.word2vec.full_softmax.FullSoftmaxTraining._next_loss", diverge
    )
    app = train(with_text(TALE, least="1"))
    with pytest.raises(training_part.DivergenceError):
        carried_out(app)
    app.run()
    assert holds(app.error[0].value, 1, "nan")


@pytest.mark.parametrize(
    ("own", "named"),
    [
        ("hello", [100, 1]),
        ("🙂 … ; " * 300, [100, 0]),
        ("\x00\x01 binary " * 200, [400, 8]),
        ("<script>alert(1)</script> " * 200, [10, 5, 2]),
        ("one two three " * 30_000, [0.3, 0.4]),
    ],
)
def test_what_cannot_be_learned_from_gets_a_message_and_the_way_back_is_open(own, named):
    app = arrive(text="Your own")
    app.text_area(key="own_text").set_value(own).run()
    assert numbers(app.error[0].value) == named
    assert not app.exception
    assert alt(app, "network") == alt(arrive(), "network"), "the synthetic text stays on screen"
    app.selectbox(key="text").set_value(material.SYNTHETIC).run()
    assert not app.error


@pytest.mark.parametrize("own", ["", "   \n "])
def test_an_empty_text_is_asked_for_kindly(own):
    app = arrive(text="Your own")
    app.text_area(key="own_text").set_value(own).run()
    assert len(app.info) == 1
    assert not app.error
    assert alt(app, "network") == alt(arrive(), "network")


def test_what_cannot_be_seen_is_left_out_of_an_own_text_on_request():
    hidden = TALE.replace("wolf", "wo\u00adlf")
    app = with_text(hidden, least="1")
    assert "characters cannot be seen" in text(app)
    app.get_by_key("own_drop_invisible").set_value(True).run()
    assert not app.exception
    assert "characters cannot be seen" not in text(app)
    assert "own_drop_invisible" not in with_text(TALE, least="1").session_state["lab_drawn"]


def test_an_own_text_is_kept_for_the_visit():
    app = with_text(TALE, least="1")
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
    assert counted(app) == [510, 12]


def test_every_control_is_taken_from_the_address():
    app = arrive(
        reveal="company", least="2", width="8", epochs="1", rate="0.3", max_norm="false", seed="7"
    )
    assert not app.warning
    train(app)
    assert app.session_state["vector_training"][1].config == FullSoftmaxConfig(
        width=8, window=4, max_norm=None, epochs=1, learning_rate=0.3, batch=256, seed=7
    )


def counted(app):
    """The numbers in the line that says how many words of the text get a vector."""
    return next(numbers(c.value) for c in app.caption if holds(c.value, "vector"))


def test_what_is_left_out_is_counted_and_nothing_is_said_of_nothing():
    training = trained().session_state["vector_training"][1].text
    assert counted(arrive()) == [training.n_words, len(training.vocabulary), 5]
    app = arrive(text="Your own", least="2")
    ten = "one two three four five six seven eight nine ten "
    app.text_area(key="own_text").set_value(f"{12 * ten} once").run()
    assert counted(app) == [121, 10, 2, 120]


# Any language ---------------------------------------------------------------------------------


def test_a_text_in_another_script_is_learned_from_and_the_page_says_what_was_read():
    sentence = "Die Straße führt zum Müller, und die Mühle steht schön am Fluß der alten Stadt. "
    app = with_text(sentence * 20, least="1")
    assert not app.error
    assert any("Read as a pasted text, 300 words" in caption.value for caption in app.caption)
    unseparated = with_text("磨坊主去了河边说今天天气很好他的女儿笑了狗在睡觉。" * 120, least="1")
    assert "words must be separated by spaces" in unseparated.error[0].value


def test_products_of_two_vectors_are_all_that_the_formulas_hold():
    said = text(arrive())
    assert r"\frac{e^{u_c \cdot \bar v}}{\sum_w e^{u_w \cdot \bar v}}" in said
    assert r"\frac{e^{u_o \cdot v_c}}{\sum_w e^{u_w \cdot v_c}}" in said
