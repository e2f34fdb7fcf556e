"""The page on part-of-speech tagging: what each part draws, what it hides until a guess, what it refuses."""

import numpy as np
import pytest

from lm_core.experiments.part_of_speech_tagging.inference import words_of_sentence
from lm_core.experiments.part_of_speech_tagging.results import COUNTING, TaggingResults
from lm_core.experiments.part_of_speech_tagging.settings import WINDOWS, window_name
from lm_core.experiments.part_of_speech_tagging.worked_window import TAGS as WORKED_TAGS
from lm_core.experiments.part_of_speech_tagging.worked_window import (
    VECTORS,
    padding_share,
    worked_window,
)
from lm_core.models.tagger import AVERAGED, CONCATENATED
from lm_core.text.tagged_sentences import TAGS
from pages.part_of_speech_tagging.two_sentences import FIRST, Read, compared, least_window
from pages.shared.numbers import percent
from pages.shared.rooms.store import store
from tests.pages.shared.classroom import people
from tests.pages.visits import alt, drawn_rows, guess, numbers, press, text, visit

PAGE = "pages/part_of_speech_tagging/page.py"
WINDOW, CONFUSIONS = "Window", "Confusions"
WORDS = tuple(words_of_sentence(sentence) for sentence in FIRST)


def best_tags(app):
    """Return the tag drawn darkest for each word, by its number and spelling."""
    rows = drawn_rows(app, "tag_map")
    rows = rows[~rows["is_gap"]]
    best = rows.loc[rows.groupby("word", sort=False)["probability"].idxmax()]
    return dict(zip(best["word"], best["tag"], strict=True))


@pytest.fixture(scope="module")
def results():
    return TaggingResults.load()


# One word, two tags ---------------------------------------------------------------------------


def test_alone_a_word_has_one_tag_and_with_neighbours_it_has_two():
    alone = best_tags(visit(PAGE))
    assert alone["06 increase"] == alone["09 increase"]
    together = best_tags(visit(PAGE, context_words="2"))
    assert together["06 increase"] == "NOUN"
    assert together["09 increase"] == "VERB"
    assert len(together) == len(WORDS[0]) + len(WORDS[1])


@pytest.mark.parametrize("tagger", ["Bidirectional LSTM", "Transformer"])
def test_taggers_of_whole_sentences_tell_them_apart_without_a_window(tagger):
    app = visit(PAGE, tagger=tagger)
    found = best_tags(app)
    assert (found["06 increase"], found["09 increase"]) == ("NOUN", "VERB")
    assert not any(slider.key == "context_words" for slider in app.select_slider)


def test_a_word_s_probabilities_sum_to_one_and_its_frequent_tag_is_underlined(results):
    rows = drawn_rows(visit(PAGE, context_words="1"), "tag_map")
    rows = rows[~rows["is_gap"]]
    np.testing.assert_allclose(rows.groupby("word")["probability"].sum(), 1.0, rtol=1e-5)
    underlined = rows[rows["is_frequent"]].set_index("word")["tag"]
    for i, word in enumerate(WORDS[0]):
        assert underlined[f"{i:02d} {word}"] == TAGS[results.tag_counts.most_frequent(word)]


def test_the_windows_wait_for_the_guess_and_the_guess_stays():
    app = visit(PAGE)
    rows = drawn_rows(app, "tag_by_window")
    assert set(rows[rows["kind"] == "line"]["x"]) == {0.0}
    app = guess(app, "needed_window", 1)
    rows = drawn_rows(app, "tag_by_window")
    assert set(rows[rows["kind"] == "line"]["x"]) == set(map(float, WINDOWS))
    assert rows[rows["kind"] == "guess"]["x"].tolist() == [1.0]


def test_the_needed_window_is_the_first_from_which_on_the_tags_are_right():
    read = compared(WORDS)
    needed = least_window(read, CONCATENATED)
    assert needed is not None
    assert 1 <= needed <= 3

    def tags(window):
        return [TAGS[p.argmax()] for p in read.at_word(window_name(CONCATENATED, window))]

    assert all(tags(window) == ["NOUN", "VERB"] for window in WINDOWS if window >= needed)
    assert tags(needed - 1) != ["NOUN", "VERB"]


def test_of_words_that_both_sentences_have_the_most_ambiguous_is_compared():
    found = compared((("the", "walk", "the"), ("a", "the", "walk")))
    assert found == Read((("the", "walk", "the"), ("a", "the", "walk")), (1, 2), is_shared=True)
    alone = compared((("the", "walk", "of", "the"),))
    assert (alone.places, alone.is_shared) == ((1,), False)
    assert not compared((("the", "walk"), ("an", "owl"))).is_shared


def test_a_chosen_word_is_compared_with_itself_if_the_other_sentence_has_it_or_with_the_chosen_one():
    first, second = ("I", "can", "open", "a", "can"), ("can", "you", "do", "it")
    assert compared((first, second), (4, None)).places == (4, 0)
    assert compared((first, second), (4, 3)) == Read((first, second), (4, 3), is_shared=False)
    assert compared((first, second), (None, 0)).places == (1, 0)
    alone = compared((first, second), (3, None))
    assert alone.places[0] == 3
    assert not alone.is_shared
    assert compared((first,), (2,)).places == (2,)


def marked_words(app):
    rows = drawn_rows(app, "tag_map")
    return rows[rows["is_marked"]]["word"].unique().tolist()


def test_a_click_on_a_column_compares_its_word_and_another_sentence_begins_anew():
    app = visit(
        PAGE, tagged="I can open a can", tagged_beside="can you do it", tagger="Transformer"
    )
    assert marked_words(app) == ["01 can", "06 can"]
    for clicked, marked in (("04 can", ["04 can", "06 can"]), ("08 do", ["04 can", "08 do"])):
        app.session_state["tag_map"] = {"selection": {"pick": [{"word": clicked}]}}
        app.run()
        assert not app.exception
        assert marked_words(app) == marked
    assert app.selectbox(key="tagged_word").value == 5
    assert "can" in alt(app, "tag_map")
    app.text_input(key="tagged").set_value("the walk was long").run()
    assert app.selectbox(key="tagged_word").value == 0
    app.selectbox(key="tagged_word").set_value(1).run()
    assert marked_words(app)[0] == "00 the"


def test_a_link_names_the_word_and_nothing_is_asked_of_another_than_the_first():
    app = visit(PAGE, tagged_word="3")
    assert not app.warning
    assert marked_words(app)[0] == "02 argued"
    assert not any(radio.key == "guess_needed_window" for radio in app.radio)


@pytest.mark.parametrize(
    "sentence",
    [
        "walk",
        "привет, как дела",
        "\N{GRINNING FACE} \N{DOG FACE}",
        "<b>bold</b> $x$ `y`",
        "word " * 40,
    ],
)
def test_any_short_sentence_is_tagged(sentence):
    app = visit(PAGE)
    app.text_input(key="tagged").set_value(sentence).run()
    assert not app.exception
    assert not app.error
    assert len(best_tags(app)) == len(words_of_sentence(sentence)) + len(WORDS[1])


@pytest.mark.parametrize("sentence", ["", "   ", "word " * 200])
def test_what_cannot_be_tagged_is_named_and_the_last_sentence_stays(sentence):
    app = visit(PAGE)
    app.text_input(key="tagged").set_value(sentence).run()
    assert not app.exception
    assert app.error
    assert len(best_tags(app)) == len(WORDS[0]) + len(WORDS[1])


def test_of_a_word_without_end_no_more_is_read_than_the_field_holds():
    app = visit(PAGE)
    app.text_input(key="tagged").set_value("x" * 5_000).run()
    assert not app.exception
    assert max(map(len, best_tags(app))) <= 410


def test_without_a_second_sentence_there_is_one():
    app = visit(PAGE, tagged="the walk was long", tagged_beside="", context_words="2")
    assert best_tags(app) == {
        "00 the": "DET",
        "01 walk": "NOUN",
        "02 was": "VERB",
        "03 long": "ADJ",
    }
    assert set(drawn_rows(app, "tag_by_window")["name"]) == {"first", "counting"}


# Window ---------------------------------------------------------------------------------------


def line(app, name):
    rows = drawn_rows(app, "wrong_by_window")
    return rows[(rows["name"] == name) & (rows["kind"] == "line")].set_index("x")["y"]


@pytest.mark.parametrize(
    ("shown", "group"), [("all words", "every"), ("ambiguous words", "ambiguous")]
)
def test_the_average_waits_for_the_guess_and_all_lines_are_the_measured_ones(shown, group, results):
    app = visit(PAGE, part=WINDOW, word_group=shown)
    assert line(app, "averaged").index.tolist() == [0.0]
    assert len(numbers(alt(app, "wrong_by_window").split("averaged: ")[1].split(";")[0])) == 2
    app = guess(app, "averaged_windows")
    for combination, name in ((AVERAGED, "averaged"), (CONCATENATED, "concatenated")):
        expected = [1 - results.mean(window_name(combination, w), group) for w in WINDOWS]
        np.testing.assert_allclose(line(app, name), expected)
    rows = drawn_rows(app, "wrong_by_window")
    assert (rows["kind"] == "guess").sum() == 1
    baseline = rows[rows["name"] == "by counting"]["y"]
    np.testing.assert_allclose(baseline, 1 - getattr(results.baseline, group))


# Confusions -----------------------------------------------------------------------------------


def test_confusions_wait_for_the_guess_and_then_have_all_words(results):
    app = visit(PAGE, part=CONFUSIONS)
    rows = drawn_rows(app, "confusion_matrix")
    assert set(rows[rows["kind"] == "wrong"]["text"]) == {"?"}
    app = guess(app, "confused_tags")
    rows = drawn_rows(app, "confusion_matrix")
    assert rows["count"].sum() == results.sizes["every"]
    assert (rows["guess"] == "your guess").sum() == 1
    assert rows["is_chosen"].sum() == 1


def tapped(tag, predicted):
    return {"selection": {"cell": [{"tag": tag, "predicted": predicted}]}}


def test_a_cell_is_chosen_by_a_tap_and_judged():
    app = visit(PAGE, part=CONFUSIONS)
    assert app.button(key="reveal_confused_tags").disabled
    for predicted, verdict in (("VERB", "Not quite"), ("ADJ", "Right")):
        app = visit(PAGE, part=CONFUSIONS)
        app.session_state["confusion_matrix"] = tapped("NOUN", predicted)
        app.run()
        chosen = drawn_rows(app, "confusion_matrix").query("is_chosen")
        assert chosen[["tag", "predicted", "text"]].values.tolist() == [["NOUN", predicted, "?"]]
        app = press(app, "reveal_confused_tags")
        said = [paragraph.value for paragraph in [*app.caption, *app.markdown]]
        assert any(f"You said: **NOUN → {predicted}**." in line for line in said)
        assert any(verdict in line and "NOUN taken for ADJ" in line for line in said)


def test_a_name_that_is_chosen_after_a_tap_stands():
    app = visit(PAGE, part=CONFUSIONS)
    app.session_state["confusion_matrix"] = tapped("NOUN", "VERB")
    app.run()
    app.selectbox(key="guess_confused_tags_0").set_value(TAGS.index("ADJ") + 1).run()
    chosen = drawn_rows(app, "confusion_matrix").query("is_chosen")
    assert chosen[["tag", "predicted"]].values.tolist() == [["ADJ", "VERB"]]


def test_each_tagger_has_its_own_matrix_and_counting_too(results):
    for asked, name in (
        ({"tagger": "Most frequent tag"}, COUNTING),
        ({"tagger": "Window, averaged", "context_words": "1"}, "averaged-1"),
    ):
        app = visit(PAGE, part=CONFUSIONS, reveal="confused_tags", **asked)
        cells = drawn_rows(app, "confusion_matrix")
        cells = cells[cells["kind"] != "share"]
        found = cells["count"].to_numpy().reshape(len(TAGS), -1)
        np.testing.assert_array_equal(found, results.mistakes[name].counts)


def test_a_clicked_cell_names_its_words(results):
    app = visit(PAGE, part=CONFUSIONS, reveal="confused_tags")
    confusion = max(
        results.mistakes["concatenated-2"].confusions,
        key=lambda c: (TAGS[c.tag] == "ADJ") * c.words[0][1],
    )
    clicked = {"tag": TAGS[confusion.tag], "predicted": TAGS[confusion.predicted]}
    app.session_state["confusion_matrix"] = {"selection": {"cell": [clicked]}}
    app.run()
    assert not app.exception
    rows = drawn_rows(app, "confusion_matrix").query("is_chosen")
    assert rows[["tag", "predicted"]].to_dict("records") == [clicked]
    said = " ".join(paragraph.value for paragraph in app.markdown)
    assert all(f"`{word}` {n}" in said for word, n in confusion.words[:3])


def test_what_is_changed_of_a_sentence_is_said_in_one_line_and_a_plain_one_has_none():
    app = visit(PAGE, tagged="the walk was long", tagged_beside="")
    assert "Read as" not in text(app)
    app.text_input(key="tagged").set_value("“the walk was long”").run()
    assert "Read as 1 sentence, 6 words and signs. 2 signs are written as in the" in text(app)
    app.text_input(key="tagged").set_value("the walk was xqzzy").run()
    assert "1 of them does not occur in the training texts; the first is “xqzzy”" in text(app)


def test_a_window_by_hand_says_its_product_and_what_a_longer_one_costs():
    app = visit(PAGE, part=WINDOW, worked_word="please", worked_window=2)
    assert "| PAD | 0, 0, 0 |" in text(app)
    assert "[15, 4]" in text(app)
    padded = padding_share(tuple(VECTORS), 2)
    scores = worked_window(tuple(VECTORS), 0, 2).scores.tolist()
    assert f"{percent(padded)} of all places" in text(app)
    assert "60 here, 24 more" in text(app)
    assert all(
        f"*{tag}* {score}".replace("-", "−") in text(app)
        for tag, score in zip(WORKED_TAGS, scores, strict=True)
    )
    assert "2 of 5 places hold another word" in text(app)


def test_a_student_answers_the_class_by_a_tap(code, teacher_of_confusions):
    student = people.arrive_as("student", PAGE, room=code, part=CONFUSIONS)
    press(teacher_of_confusions, "ask_confused_tags")
    assert not any("- NOUN" in said.value for said in teacher_of_confusions.markdown)
    people.look_again(student)
    student.session_state["confusion_matrix"] = tapped("NOUN", "ADJ")
    student.run()
    asked = store().rooms.state(code).asked
    expected = f"{TAGS.index('NOUN') + 1}, {TAGS.index('ADJ') + 1}"
    assert store().rooms.own_answer(code, people.visitor("student"), asked.id) == expected


@pytest.fixture
def code():
    return people.opened().code


@pytest.fixture
def teacher_of_confusions(code):
    return people.arrive_as("teacher", PAGE, room=code, part=CONFUSIONS)
