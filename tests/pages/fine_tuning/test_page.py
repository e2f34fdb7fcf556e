"""The page on fine-tuning: what waits for a guess, heads on one's own text, the recipe, one's own labels."""

import json
import math
from dataclasses import replace

import pytest
import streamlit as st

from lm_core.experiments.fine_tuning import asking, authors, settings
from lm_core.experiments.fine_tuning.learning_curves import (
    accuracy_curve,
    auxiliary_curve,
    labels_needed,
    masked_loss_curve,
    value_at,
)
from lm_core.experiments.fine_tuning.results import FineTuningResults
from lm_core.experiments.fine_tuning.study import WEIGHTS
from lm_core.jobs import jobs
from lm_core.jobs.jobs import Job
from lm_core.jobs.records import RunState, RunStatus
from lm_core.jobs.run_folder import RunFolder
from pages.fine_tuning.examples import LABELS, PAIRS, PASSAGES, SENTENCES, SPOKEN, TAGGED
from pages.fine_tuning.subject import encoder, vocabulary
from pages.shared.charts.predictions import percentage
from pages.shared.numbers import percent
from tests.pages.visits import data, drawn_rows, guess, holds, press, shows, text, visit

PAGE = "pages/fine_tuning/page.py"
CURVES, HEADS, RECIPE, OWN = "Learning curves", "Four heads", "GPT's recipe", "Your labels"
KEPT = "loss on the book"


@pytest.fixture(scope="module")
def results():
    return FineTuningResults.load()


def lines(app, key="learning_curves"):
    return set(drawn_rows(app, key).query("kind == 'line'")["name"])


# Learning curves ------------------------------------------------------------------------------


@pytest.mark.parametrize("task", settings.TASKS)
def test_the_network_from_scratch_waits_for_the_guess(results, task):
    app = visit(PAGE, part=CURVES, labelled_task=task)
    assert lines(app) == set(settings.METHODS) - {settings.SCRATCH}
    few = value_at(accuracy_curve(results, task, settings.TUNED), 100)
    scratch = accuracy_curve(results, task, settings.SCRATCH)
    assert f"{settings.TUNED} {percent(few)}" in text(app)
    answers = list(app.radio[0].options)
    app = guess(app, f"labels_needed_{task.replace(' ', '_')}", 0)
    assert lines(app) == set(settings.METHODS)
    needed = labels_needed(scratch, few)
    borders = (0.0, 173.0, 548.0, 1_732.0, math.inf)
    right = max(i for i, least in enumerate(borders) if needed >= least)
    assert ("Right" in text(app)) == (right == 0)
    assert len(answers) == len(borders)
    if math.isinf(needed):
        assert shows(app, percent(scratch[-1].mean), "even with all", int(scratch[-1].at))
    else:
        assert shows(app, "about", float(f"{needed:.2g}"))
    is_apart = few > value_at(scratch, 100) + 0.02
    assert is_apart == (task in (settings.TAG, settings.SPEAKER))
    assert shows(app, "begins with random weights" if is_apart else "too few to tell the two apart")
    (mark,) = drawn_rows(app, "learning_curves").query("kind == 'guess'").to_dict("records")
    assert (mark["x"], mark["y"]) == (100.0, pytest.approx(few))


def test_all_points_and_the_spread_over_seeds_are_drawn(results):
    app = visit(PAGE, part=CURVES, reveal="labels_needed_author", labelled_task=settings.AUTHOR)
    table = data(app, "learning_curves")
    for method in settings.METHODS:
        found = results.accuracies(settings.AUTHOR, method)
        own = table[table["method"] == method]
        assert own["labelled"].tolist() == list(found)
        assert own["mean"].tolist() == pytest.approx([sum(v) / len(v) for v in found.values()])
        assert own["lowest"].tolist() == [min(v) for v in found.values()]
        assert own["highest"].tolist() == [max(v) for v in found.values()]
    bands = drawn_rows(app, "learning_curves").query("kind == 'band'")
    assert sorted(bands["low"]) == sorted(table["lowest"])
    ((rule, share),) = results.tasks[settings.AUTHOR].baselines.items()
    named = drawn_rows(app, "learning_curves").query("kind == 'reference'")
    assert set(named["name"]) == {f"{rule}: {percent(share)}"}
    best = max(
        settings.METHODS, key=lambda m: value_at(accuracy_curve(results, settings.AUTHOR, m), 100)
    )
    assert f"passages: {best}" in text(app)


def test_what_was_forgotten_is_drawn_beside_the_loss_before(results):
    app = visit(PAGE, part=CURVES, labelled_task=settings.SPEAKER, curve_measure=KEPT)
    assert not app.radio
    assert lines(app) == set(settings.METHODS) - {settings.SCRATCH}
    most = masked_loss_curve(results, settings.SPEAKER, settings.TUNED)[-1]
    before = results.provenance["pretrained_masked_loss"]
    assert shows(app, int(most.at), round(most.mean, 2), "before", round(before, 2))
    named = drawn_rows(app, "learning_curves").query("kind == 'reference'")
    assert set(named["y"]) == {before}


@pytest.mark.parametrize("task", settings.TASKS)
def test_the_folds_say_how_it_was_measured(results, task):
    app = visit(PAGE, part=CURVES, labelled_task=task)
    record = results.tasks[task]
    assert shows(app, f"{record.n_training:,}", f"{record.n_test:,}")
    table = next(m.value for m in app.markdown if "learned numbers" in m.value)
    for method in settings.METHODS:
        assert holds(table, method, record.learned[method], settings.LEARNING_RATES[method])
    frames = [frame.value for frame in app.dataframe if "learning rate" in frame.value]
    (rates,) = frames
    compared = [score for score in results.rates if score.task == task]
    assert rates["accuracy"].tolist() == [score.accuracy for score in compared]


def test_both_books_of_one_author_have_the_same_characters_and_that_is_said():
    books = authors.TRAINING_BOOKS["Mark Twain"], authors.TEST_BOOKS["Mark Twain"]
    assert books == ("huckleberry_finn", "tom_sawyer")
    app = visit(PAGE, part=CURVES, labelled_task=settings.AUTHOR)
    assert shows(app, "except Mark Twain, because Tom and Huck are in both of his books")


def test_a_link_with_what_is_not_there_keeps_the_page():
    app = visit(PAGE, part=CURVES, labelled_task="poetry", curve_measure="speed")
    assert len(app.warning) == 2
    assert app.selectbox(key="labelled_task").value == settings.TAG


# Four heads -----------------------------------------------------------------------------------


def test_the_author_of_a_passage(results):
    app = visit(PAGE, part=HEADS, labelled_task=settings.AUTHOR)
    table = data(app, "class_bars")
    assert set(table["symbol"]) == {
        name.replace(" ", "\u00a0") for name in results.tasks[settings.AUTHOR].labels
    }
    assert table["probability"].sum() == pytest.approx(1.0, abs=1e-5)
    best = table.iloc[0]
    name = best["symbol"].replace("\u00a0", " ")
    assert f"{name}, {percentage(best['probability'])}" in text(app)
    app.text_area(key="passage").set_value(PASSAGES[2]).run()
    assert not data(app, "class_bars").equals(table)
    app.text_area(key="passage").set_value("very " * 100).run()
    assert any("at most 46 subwords" in message.value for message in app.error)


def test_every_example_that_is_offered_can_be_read():
    for passage in PASSAGES:
        asking.read_passage(passage, vocabulary())
    for pair in PAIRS:
        asking.read_pair(*pair, vocabulary())
    for sentence in TAGGED:
        asking.read_words(sentence, vocabulary())
    for passage in SPOKEN:
        for said in asking.quotations_of(passage, vocabulary()):
            asking.read_question(passage, said, vocabulary(), encoder().config)


def test_other_low_rank_updates_give_other_answers(results):
    app = visit(PAGE, part=HEADS, labelled_task=settings.AUTHOR)
    most = data(app, "class_bars")
    slider = app.select_slider(key="learned_from_author")
    assert list(slider.options) == [
        f"{n:,} passages" for n in (100, results.tasks[settings.AUTHOR].n_training)
    ]
    slider.set_value(100).run()
    assert not data(app, "class_bars").equals(most)
    assert shows(app, 100, "passages", results.tasks[settings.AUTHOR].learned[settings.LORA])


def test_a_pair_is_read_in_its_order():
    app = visit(PAGE, part=HEADS, labelled_task=settings.PAIR)
    first = data(app, "class_bars")
    assert len(first) == 2
    for name, sentence in zip(("first_sentence", "second_sentence"), PAIRS[0][::-1], strict=True):
        app.text_input(key=name).set_value(sentence)
    app.run()
    assert not data(app, "class_bars").equals(first)
    app.text_input(key="second_sentence").set_value("Пьер").run()
    assert any("the second sentence is empty" in message.value for message in app.error)
    assert not app.exception


def test_every_word_has_its_tag(results):
    app = visit(PAGE, part=HEADS)
    table = data(app, "tag_map")
    words = TAGGED[0].removesuffix(".").split()
    assert len(set(table["word"])) == len(words) + 1
    assert table.groupby("word")["probability"].sum().tolist() == pytest.approx(
        [1.0] * (len(words) + 1), abs=1e-5
    )
    best = table.groupby("word")["probability"].max()
    assert percentage(float(best.min())) in text(app)
    marked = set(table[table["is_marked"]]["word"])
    assert marked == {best.idxmin()}
    app.text_input(key="sentence_to_tag").set_value("").run()
    assert any("the sentence is empty" in message.value for message in app.error)
    assert len(data(app, "tag_map")) == len(table)


def test_who_says_it_is_marked_in_the_passage():
    app = visit(PAGE, part=HEADS, labelled_task=settings.SPEAKER)
    assert len(app.selectbox(key="quotation").options) == 2
    first = data(app, "span_bars")
    assert set(first["stage"]) == {"first", "last"}
    app.selectbox(key="quotation").set_value(2).run()
    assert not data(app, "span_bars").equals(first)
    app.text_input(key="spoken_passage").set_value("Nobody speaks here.").run()
    assert any("between quotation marks" in message.value for message in app.error)
    app.text_input(key="spoken_passage").set_value(SPOKEN[1]).run()
    assert not app.error


@pytest.mark.parametrize(
    ("task", "field"),
    [
        (settings.AUTHOR, "passage"),
        (settings.PAIR, "first_sentence"),
        (settings.TAG, "sentence_to_tag"),
        (settings.SPEAKER, "spoken_passage"),
    ],
)
def test_what_is_left_out_is_said_for_every_question_and_a_plain_text_has_no_line(task, field):
    app = visit(PAGE, part=HEADS, labelled_task=task)
    for typed, n in (("%s", 0), ("%s {now}", 2)):
        app.get_by_key(field).set_value(typed % 'The boy ran home. "Come in," said Sonya.').run()
        assert not app.exception
        assert not app.error
        assert ("Read as" in text(app)) == bool(n)
    assert shows(app, n, "characters are not in the vocabulary")


def test_the_diagram_frames_the_chosen_task():
    for task in settings.TASKS:
        app = visit(PAGE, part=HEADS, labelled_task=task)
        rows = drawn_rows(app, "heads")
        (frame,) = rows[rows["kind"] == "frame"].to_dict("records")
        names = rows[rows["kind"] == "name"]
        inside = names[
            names["x"].between(frame["x"], frame["x2"])
            & names["y"].between(frame["y"], frame["y2"])
        ]
        assert inside["text"].tolist() == [task]


# GPT's recipe ---------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [0.0, 3.0])
def test_the_chosen_weight_is_ringed_in_all_three(results, weight):
    app = visit(PAGE, part=RECIPE, language_weight=f"{weight:g}", recipe_labels="300")
    for name in ("accuracy", "test_loss", "book_loss"):
        curve = auxiliary_curve(results, 300, lambda point, name=name: getattr(point, name))
        assert [point.at for point in curve] == list(WEIGHTS)
        table = data(app, f"recipe_{name}")
        assert table.iloc[:, 1].tolist() == pytest.approx([point.mean for point in curve])
        (ring,) = drawn_rows(app, f"recipe_{name}").query("kind == 'ring'").to_dict("records")
        assert ring["y"] == pytest.approx(value_at(curve, weight))
        dots = drawn_rows(app, f"recipe_{name}").query("kind == 'dot'")
        of_weight = [p for p in results.auxiliary if p.n_labelled == 300]
        assert sorted(dots["y"]) == sorted(getattr(p, name) for p in of_weight)
    before = results.provenance["pretrained_book_loss"]
    now = value_at(auxiliary_curve(results, 300, lambda p: p.book_loss), weight)
    assert shows(app, weight, round(now, 2), "before", round(before, 2))
    assert any(rf"{weight:g} \cdot" in element.value for element in app.latex)


# Your labels ----------------------------------------------------------------------------------


@pytest.fixture
def server(monkeypatch, tmp_path):
    """Runs of this test's own, which are done as soon as they are asked for."""
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path))
    monkeypatch.setattr(jobs, "expect_one", lambda: None)
    asked = []

    def submit(config, given, **_):
        run = RunFolder.keyed(config.fingerprint())
        labels = json.loads(given)
        asked.append((config, labels))
        run.create(config, RunStatus(RunState.FINISHED, 20, step=20))
        n = len(labels["others"])
        found = {
            config.training["method"]: [i / (n - 1) for i in range(n)],
            settings.SCRATCH: [1.0 - i / (n - 1) for i in range(n)],
        }
        run.checkpoint.mkdir(parents=True)
        (run.checkpoint / "predictions.json").write_text(json.dumps(found))
        return Job(run, config, run.status())

    monkeypatch.setattr(jobs, "submit", submit)
    yield asked
    st.cache_resource.clear()


def label(app, *labels):
    for given in labels:
        app = press(app, f"own_label_{given}" if given in (0, 1) else "own_skip")
    return app


def headline(app):
    return app.header[0].value


def test_sentences_are_labelled_undone_and_skipped(server):
    app = visit(PAGE, part=OWN)
    assert headline(app) == SENTENCES[0]
    app = label(app, 0, 1, None)
    assert shows(app, 2, "of", 20)
    assert shows(app, 1, LABELS[0], 1, LABELS[1])
    app = press(app, "own_undo")
    assert shows(app, 2, "of", 20)
    app = press(app, "own_undo")
    assert shows(app, 1, "of", 20)
    assert "said" not in headline(app)
    app = press(app, "own_restart")
    assert headline(app) == SENTENCES[0]


def test_twenty_labels_of_one_kind_are_not_enough(server):
    app = visit(PAGE, part=OWN)
    app = label(app, *[0] * 17, *[1] * 3)
    assert shows(app, 17, "calm", 3, "agitated", "until each has", 4)
    app = label(app, 1)
    assert app.button(key="own_tune")
    assert shows(app, 21, "sentences", 39)


def test_a_tuning_is_asked_for_and_its_answers_are_checked(server):
    app = visit(PAGE, part=OWN, own_method=settings.LORA, first_label="peace", second_label="*war*")
    app = label(app, None, *[0, 1] * 10)
    app = press(app, "own_tune")
    ((config, labels),) = server
    assert config.training["method"] == settings.LORA
    assert labels["labelled"] == list(SENTENCES[1:21])
    assert labels["labels"] == [0, 1] * 10
    assert labels["others"] == list(SENTENCES[21:])
    assert "countess" not in json.dumps(config.training)
    p = dict(zip(labels["others"], (i / 38 for i in range(39)), strict=True))
    unsure = sorted(p, key=lambda sentence: abs(p[sentence] - 0.5))
    assert headline(app) == unsure[0]
    assert shows(app, "The model says", percentage(max(p[unsure[0]], 1 - p[unsure[0]])))
    given = [1, 1, 0, 0]
    for answer in given:
        app = press(app, f"own_check_{answer}")
    pairs = list(zip(unsure, given, strict=False))
    right = sum((p[s] > 0.5) == bool(a) for s, a in pairs)
    of_scratch = sum((1.0 - p[s] > 0.5) == bool(a) for s, a in pairs)
    assert right != of_scratch
    assert shows(app, right, "of", 4, "scratch", of_scratch, "of", 4)
    assert headline(app) == unsure[4]
    table = next(f.value for f in app.dataframe if "you" in f.value)
    assert table["sentence"].tolist() == labels["others"][::-1]
    assert sorted(table["you"])[-4:] == ["*war*", "*war*", "peace", "peace"]
    app = press(app, "own_uncheck")
    assert headline(app) == unsure[3]
    app = press(app, "own_restart")
    assert headline(app) == SENTENCES[0]


def test_a_refusal_is_told_and_the_labels_are_kept(server, monkeypatch):
    def refuse(*_, **__):
        raise jobs.RunError("not today")

    monkeypatch.setattr(jobs, "submit", refuse)
    app = press(label(visit(PAGE, part=OWN), *[0, 1] * 10), "own_tune")
    assert any("not today" in message.value for message in app.error)
    assert shows(app, 20, "sentences are labelled")


def test_a_failed_or_removed_tuning_can_be_repeated(server):
    app = press(label(visit(PAGE, part=OWN), *[0, 1] * 10), "own_tune")
    ((config, _),) = server
    run = RunFolder.keyed(config.fingerprint())
    run.update(state=RunState.FAILED, message="no room")
    app = app.run()
    assert any("no room" in message.value for message in app.warning)
    app = press(app, "own_again")
    assert app.button(key="own_tune")
    run.remove()
    app = press(app, "own_tune")
    RunFolder.keyed(config.fingerprint()).remove()
    app = app.run()
    assert any("is gone" in message.value for message in app.info)


def test_a_tuning_is_watched_and_stopped_by_a_new_start(server, monkeypatch):
    stopped = []
    monkeypatch.setattr(jobs, "cancel", stopped.append)
    monkeypatch.setattr(jobs, "tend", lambda: None)
    app = press(label(visit(PAGE, part=OWN), *[0, 1] * 10), "own_tune")
    ((config, _),) = server
    run = RunFolder.keyed(config.fingerprint())
    run.update(state=RunState.RUNNING)
    steps = [
        {"step": i, "loss": 0.7 / i, "scratch_loss": 0.8 / i, "seconds": 1.0 * i} for i in (1, 2)
    ]
    run.metrics_file.write_text("".join(json.dumps(step) + "\n" for step in steps))
    app = app.run()
    assert data(app, "own_losses")["from scratch"].tolist() == [0.8, 0.4]
    assert lines(app, "own_losses") == {settings.TUNED, settings.SCRATCH}
    assert shows(app, "No band of other seeds")
    press(app, "own_restart")
    assert stopped == [run.key]


def test_own_sentences_are_labelled_and_stay_out_of_the_link(server):
    app = visit(PAGE, part=OWN)
    own = [f"She had {i} [red](x) geese." for i in range(40)]
    app.text_area(key="own_sentences").set_value("\n".join(own)).run()
    assert headline(app) == "She had 0 red(x) geese."
    assert "own_sentences" not in app.session_state["lab_drawn"]
    assert "own_sentences" in app.session_state["lab_unlinked"]
    app.text_area(key="own_sentences").set_value("Only one.").run()
    assert any("different sentences, one a line, got 1" in message.value for message in app.error)
    assert "geese" in headline(app)


def test_the_sentences_of_the_page_fit_and_are_different():
    assert len(set(SENTENCES)) == len(SENTENCES) == 60


def test_results_of_another_encoder_are_not_shown(results, monkeypatch):
    other = replace(results, provenance=results.provenance | {"encoder_sha256": "of another"})
    monkeypatch.setattr(FineTuningResults, "load", lambda: other)
    st.cache_resource.clear()
    app = visit(PAGE)
    assert "the encoder with sha256 of another" in app.error[0].value
    assert not app.radio
    st.cache_resource.clear()
