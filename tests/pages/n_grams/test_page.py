"""The page on n-grams: what each part draws, what it hides until a guess, and what it refuses."""

import json
import math
from collections import Counter

import numpy as np
import pytest

from lm_core.analysis.vowels import are_vowels, count_chain, runs
from lm_core.classroom.questions import LONGEST_WORD
from lm_core.classroom.summaries import Summary
from lm_core.experiments.n_grams.results import BOOK, KS, NAMES, NGramResults
from pages.n_grams import vowel_class
from pages.n_grams.game_lines import ALPHABET, GIVEN, LINES, Game, readable_line
from pages.n_grams.vowel_class import as_answer, of_answer
from pages.shared.classroom.asking import ClassPrediction
from tests.pages.playing import put
from tests.pages.visits import alt, drawn_rows, guess, numbers, press, sent_to, shows, visit

PAGE = "pages/n_grams/page.py"
UNSEEN, SMOOTHING, NETWORK, GAME = "Unseen", "Smoothing", "As a network", "Shannon game"


def letters(app):
    """Return the rows of the word's letters that are drawn."""
    return drawn_rows(app, "n_grams_word")


def tiles(app):
    """Return what the game's strip of tinted letters holds."""
    return sent_to(app, "token_strip")[0]


def answered(app):
    """Return the page after its one question was answered with the first option."""
    (question,) = [radio.key for radio in app.radio if radio.key.startswith("guess_")]
    return guess(app, question.removeprefix("guess_"))


# Next letter ----------------------------------------------------------------------------------


def share(name, n):
    """Return the chain rule's probability of a name, counted with the shipped table."""
    ids = [0] * (n - 1) + [ord(letter) - 96 for letter in name] + [0]
    table, product = NGramResults.load().tables[NAMES][n - 1], 1.0
    for place in range(n - 1, len(ids)):
        key = 0
        for i in ids[place - (n - 1) : place]:
            key = 27 * key + i
        row = table.row(np.array(key))
        product *= row[ids[place]] / max(row.sum(), 1)
    return product


@pytest.mark.parametrize("n", [1, 2, 4])
def test_the_word_s_probability_is_the_product_of_its_letters(n):
    app = visit(PAGE, n=str(n), spelled_word="olivia")
    rows = letters(app)
    assert [symbol[0] for symbol in rows["symbol"]] == [*"olivia", "."]
    assert {len(symbol) for symbol in rows["symbol"]} == {1 + n}
    assert math.prod(rows["probability"]) == pytest.approx(share("olivia", n), rel=1e-6)
    assert alt(app, "n_grams_next")


def test_the_letters_wait_for_the_guess_and_the_guess_stays():
    app = visit(PAGE)
    assert set(drawn_rows(app, "n_grams_next")["symbol"].str[0]) <= {"?", "2"}
    assert letters(app)["probability"][2] == 0  # of the letter that is asked for
    app = answered(app)
    assert letters(app)["probability"][2] > 0
    rows = drawn_rows(app, "n_grams_next")
    assert "?" not in set(rows["symbol"])
    assert rows["is_marked"].sum() == 1
    assert any("your guess" in text for text in rows["text"])


@pytest.mark.parametrize("word", ["Łukasz", "  ", "عمر", "x1", "<b>", "😀"])
def test_a_word_that_cannot_be_read_leaves_the_example_on_screen(word):
    app = visit(PAGE)
    app.text_input(key="spelled_word").set_value(word).run()
    assert not app.exception
    assert app.error
    assert [symbol[0] for symbol in letters(app)["symbol"]] == [*"emma", "."]


@pytest.mark.parametrize(
    ("asked", "field"),
    [({}, "spelled_word"), ({"part": GAME, "game_line": "Your own"}, "game_own")],
)
def test_of_what_is_too_long_for_a_field_no_more_is_read_than_it_holds(asked, field):
    app = visit(PAGE, **asked)
    app.text_input(key=field).set_value("a" * 5_000).run()
    assert not app.exception
    assert len(tiles(app)["tokens"]) <= 121 if asked else len(letters(app)) == 8


def test_a_word_that_was_never_counted_has_probability_0():
    app = visit(PAGE, n="6", spelled_word="qxzq")
    assert 0.0 in set(letters(app)["probability"])
    assert not app.exception


@pytest.mark.parametrize("n", [1, 6])
def test_a_line_of_the_book_is_looked_up_in_the_book(n):
    app = visit(PAGE, n=str(n), counted="The book", spelled_line="and so on")
    rows = letters(app)
    assert [symbol[0] for symbol in rows["symbol"]] == [*"and·so·o"]
    assert all(0 < p <= 1 for p in rows["probability"])


# Unseen ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("counted", "text"), [("Names", NAMES), ("The book", BOOK)])
def test_what_was_seen_of_long_contexts_waits_for_the_guess(counted, text):
    app = visit(PAGE, part=UNSEEN, counted=counted)
    last = NGramResults.load().of_text(text)[-1]
    rows = drawn_rows(app, "n_grams_contexts")
    assert last.seen not in set(rows["y"])
    app = answered(app)
    rows = drawn_rows(app, "n_grams_contexts")
    assert last.seen in set(rows["y"])
    assert (rows["kind"] == "guess").sum() == 1


def test_the_matrix_has_a_square_for_each_pair_and_is_sent_those_that_were_seen():
    app = visit(PAGE, part=UNSEEN, matrix_n="2")
    rows = drawn_rows(app, "n_grams_matrix")
    spec = json.loads(app.get_by_key("charted_n_grams_matrix").get("vega_lite_chart")[0].proto.spec)
    squares = spec["layer"][1]["data"]["sequence"]
    assert squares == {"start": 0, "stop": 27 * 27, "as": "square"}
    assert (rows["value"] > 0).sum() == 620
    assert rows["value"].sum() == 182_625


# Smoothing ------------------------------------------------------------------------------------


def test_add_k_waits_for_the_guess_and_then_follows_k():
    app = visit(PAGE, part=SMOOTHING)
    assert not any("add" in name for name in drawn_rows(app, "n_grams_smoothing")["name"])
    app = answered(app)
    for k in (1.0, 0.01):
        app.select_slider(key="add_k").set_value(k).run()
        rows = drawn_rows(app, "n_grams_smoothing")
        drawn = rows[(rows["name"] == f"add-{k:g}") & (rows["kind"] == "line")]
        expected = [math.exp(s.add_k[KS.index(k)]) for s in NGramResults.load().of_text(NAMES)]
        np.testing.assert_allclose(drawn["y"], expected)


# As a network ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n", ["2", "3"])
def test_the_network_ends_within_a_thousandth_of_the_counts(n):
    app = visit(PAGE, part=NETWORK, network_n=n)
    assert numbers(alt(app, "n_grams_difference"))[-1] < 1e-3
    counts, network = (drawn_rows(app, f"n_grams_{name}") for name in ("counts", "network"))
    np.testing.assert_allclose(counts["value"], network["value"], atol=3e-3)


def test_the_training_is_played_from_random_weights():
    app = visit(PAGE, part=NETWORK)
    app = press(app, "n_grams_train")
    assert app.session_state["network_frame"] < 3
    put(app, "network_frame", 0)
    assert numbers(alt(app, "n_grams_difference"))[0] > 0.1


def test_without_smoothing_the_lowest_weight_waits_for_the_guess():
    app = visit(PAGE, part=NETWORK)
    assert "k = 0" not in set(drawn_rows(app, "n_grams_lowest")["name"])
    app = answered(app)
    rows = drawn_rows(app, "n_grams_lowest")
    line = rows[(rows["name"] == "k = 0") & (rows["kind"] == "line")]["y"]
    smoothed = rows[(rows["name"] == "k = 1") & (rows["kind"] == "line")]["y"]
    assert line.iloc[-1] < smoothed.iloc[-1] - 1
    assert (rows["kind"] == "guess").sum() == 1


# Shannon game ---------------------------------------------------------------------------------


def play(app, letter):
    app.get_by_key("n_grams_letter").set_value(letter).run()
    assert not app.exception
    return app


def test_a_wrong_letter_is_crossed_out_in_its_place_and_the_right_one_moves_the_line_on():
    app = visit(PAGE, part=GAME)
    offered = app.get_by_key("n_grams_letter").options
    line = LINES[0]
    wrong = next(c for c in ALPHABET if c != line[GIVEN])
    app = play(app, wrong)
    game = app.session_state["n_grams_game"]
    assert (game["line"], game["guesses"], game["tried"]) == (line, [], [wrong])
    left = app.get_by_key("n_grams_letter").options
    assert [a for a, b in zip(offered, left, strict=True) if a != b] == [_spelled(wrong)]
    app = play(app, line[GIVEN])
    assert app.session_state["n_grams_game"]["guesses"] == [2]
    assert "".join(tiles(app)["tokens"]) == line[: GIVEN + 1] + "?"
    bits = data_of_bits(app)
    assert bits["you, at least"] <= bits["you, at most"]


def _spelled(letter):
    return "space" if letter == " " else letter


def data_of_bits(app):
    rows = drawn_rows(app, "n_grams_bits")
    return dict(zip(rows["kind"], rows["bits"], strict=True))


def test_nothing_that_is_sent_holds_the_rest_of_the_line():
    app = visit(PAGE, part=GAME)
    assert LINES[0][GIVEN:] not in json.dumps(tiles(app))


def test_every_model_plays_on_the_same_letters():
    bits = data_of_bits(visit(PAGE, part=GAME))
    assert bits["all letters alike"] == pytest.approx(math.log2(27))
    assert len(bits) >= 7
    assert all(value > 0 for value in bits.values())


def test_a_game_counts_each_guess_once_and_ends():
    game = Game("a b", guesses=[])
    game.line = "x" * GIVEN + "ab"
    for letter in ("z", "z", "!", "a", "b", "b"):
        game.guess(letter)
    assert game.guesses == [2, 1]
    assert game.is_over


@pytest.mark.parametrize("raw", ["Привет, как твои дела", "", "short", "naïve écrit là-bas"])
def test_an_own_line_that_cannot_be_played_leaves_ours(raw):
    app = visit(PAGE, part=GAME, game_line="Your own")
    app.text_input(key="game_own").set_value(raw).run()
    assert not app.exception
    assert app.error
    assert "".join(tiles(app)["tokens"]) == f"{LINES[0][:GIVEN]}?"


def test_an_own_line_is_reduced_to_the_27_symbols():
    assert readable_line("Don't  panic, it's 'fine'!") == "dont panic its fine"


def test_only_our_lines_are_said_to_be_ours():
    app = visit(PAGE, part=GAME)
    assert shows(app, "We wrote the line ourselves")
    app.selectbox(key="game_line").set_value("Your own").run()
    app.text_input(key="game_own").set_value("a line of my own making").run()
    assert not shows(app, "We wrote the line ourselves")


@pytest.mark.parametrize("line", LINES)
def test_our_lines_can_be_played(line):
    assert readable_line(line) == line
    assert set(line) <= set(ALPHABET)


# Vowels, 1913 ---------------------------------------------------------------------------------
VOWELS = "Vowels, 1913"


def table_of_counts(app):
    return next(f.value for f in app.dataframe if "P(vowel)" in f.value)


def test_each_tap_fills_the_table_and_what_the_book_has_waits_for_the_guess():
    app = visit(PAGE, part=VOWELS)
    before = table_of_counts(app)
    assert "Onegin" not in before
    app = press(app, "tap_vowel")
    after = table_of_counts(app)
    assert after["vowels"].astype(int).sum() == before["vowels"].astype(int).sum() + 1
    app = press(app, "tap_back")
    assert table_of_counts(app).equals(before)
    app = press(guess(app, "markov", 2), "tap_rest")
    whole = table_of_counts(app)
    assert int(whole[["vowels", "consonants"]].astype(int).to_numpy().sum()) == 59
    assert {"Onegin", "War and Peace, English"} <= set(whole)
    assert list(whole["Onegin"]) == ["0.128", "0.663"]


@pytest.mark.parametrize(("order", "rows"), [("0", 1), ("1", 2), ("2", 4)])
def test_the_table_has_a_row_for_each_run_of_letters(order, rows):
    app = visit(PAGE, part=VOWELS, letters_back=order)
    assert len(table_of_counts(app)) == rows


@pytest.mark.parametrize("line", ["too short", "дом дерево и много других слов подряд", " " * 30])
def test_a_line_without_letters_leaves_the_first_one_on_screen(line):
    app = visit(PAGE, part=VOWELS, vowel_line="0")
    app.text_input(key="vowel_own").set_value(line).run()
    assert not app.exception
    assert app.error


def test_what_a_phone_sends_is_what_the_presenter_adds():
    counts = count_chain(are_vowels("tolstoywrotethisbook"))
    sent = as_answer(counts)
    assert len(sent) <= LONGEST_WORD
    read = of_answer(sent)
    assert read is not None
    for run in runs():
        if run:
            assert read.letters[run] == counts.letters[run]
    assert read.seen() == counts.seen() - 1  # the first letter came after none


@pytest.mark.parametrize(
    "typed", ["", "many", "1 2 3 4 5 6", "1.2 1.2", "1.2 1.2 1.2 1.2 1.2 -1.2"]
)
def test_what_somebody_types_instead_of_counts_is_left_out(typed):
    assert of_answer(typed) is None


def test_the_counts_of_all_phones_are_added_once_they_are_revealed(monkeypatch):
    lines = [are_vowels("tolstoywrote"), are_vowels("onegin"), are_vowels("onegin")]
    sent = Counter(as_answer(count_chain(line)) for line in lines) + Counter(["hello"])
    asked = ClassPrediction(1, None, Summary(4, dict(sent)))
    monkeypatch.setattr(vowel_class, "class_prediction", lambda name: asked)
    found = vowel_class.counts_of_class(count_chain(lines[0]), is_whole=True)
    for run in [run for run in runs() if run]:
        expected = [sum(n) for n in zip(*(count_chain(x).letters[run] for x in lines), strict=True)]
        assert list(found.letters[run]) == expected
