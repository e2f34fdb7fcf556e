"""The page on convolution: numbers on screen, what waits for a guess, and input that makes no sense."""

import numpy as np
import pytest
import streamlit as st

from lm_core.experiments.convolution.results import ConvolutionResults
from lm_core.experiments.convolution.study import CNN, GLOBAL_CNN, MLP
from lm_core.experiments.convolution.training import CENTRED
from pages.convolution.pictures import keep_painted, written_sum
from pages.shared.components.cell_grids import Grid, checked_cells, checked_pick
from tests.pages.playing import put
from tests.pages.visits import guess, sent_to, shows, text, visit

PAGE = "pages/convolution/page.py"
ROW, SIZES, SHIFT, DIGITS, NAMES = "One row", "Sizes", "Shift", "Digits", "Names"
PRINTED, FLIPPED = [5, 16, 34, 52, 45, 28], [7, 20, 38, 56, 39, 20]


def drawn(app):
    """Return what the component got that draws the grids."""
    found = sent_to(app)
    (of_grids,) = [part for part in found if "stacks" in part]
    return of_grids


def grid(app, title):
    """Return the values of the grid of that title as rows, None where they are asked for."""
    (found,) = [g for stack in drawn(app)["stacks"] for g in stack if g["title"] == title]
    return np.array(found["values"], object).reshape(found["rows"], found["columns"]).tolist()


def outlines(app, title):
    (found,) = [g for stack in drawn(app)["stacks"] for g in stack if g["title"] == title]
    return [[o["row"], o["column"], o["height"], o["width"]] for o in found["outlines"]]


# Image ----------------------------------------------------------------------------------------


def test_only_the_bar_waits_for_the_guess_and_the_guess_is_drawn():
    app = visit(PAGE)
    feature_map = grid(app, "Feature map")
    assert feature_map[0] == [2, *[None] * 6, -2]
    assert feature_map[4] == [0, 0, 3, 3, -3, -3, 0, 0]
    assert drawn(app)["hint"].endswith("= 3")
    app = guess(app, "filter", 2)
    assert grid(app, "Feature map")[0] == [2, 0, 0, 0, 0, 0, 0, -2]
    assert [0, 1, 1, 6] in outlines(app, "Feature map")
    assert "Right" in text(app)


def test_a_window_that_is_asked_for_shows_no_sum():
    app = visit(PAGE, window="2")
    assert "=" not in drawn(app)["hint"]
    assert grid(app, "Products") == [[None] * 3] * 3


def test_each_picture_and_filter_can_be_chosen_and_an_own_one_typed():
    app = visit(PAGE, image="Diagonal", filter="Falling line", window="0")
    assert not app.radio
    assert outlines(app, "Feature map") == [[0, 0, 1, 1]]
    app.selectbox(key="filter").set_value("Your own")
    app.text_area(key="own_filter").set_value("0 0 0 0 2 0 0 0 0").run()
    inner = [row[1:9] for row in grid(app, "Picture")[1:9]]
    assert grid(app, "Feature map") == [[2 * cell for cell in row] for row in inner]


def test_an_empty_picture_and_what_cannot_be_read_are_answered():
    empty = "\n".join(["0" * 10] * 10)
    app = visit(PAGE, image="Your own", own_picture=empty)
    assert "paint something" in text(app)
    assert drawn(app)["hint"] == "0 = 0"
    app.text_area(key="own_picture").set_value("012").run()
    assert "10 rows" in app.error[0].value
    assert sum(map(sum, grid(app, "Picture"))) == 0, "what could be read last stays"
    app.selectbox(key="filter").set_value("Your own")
    app.text_area(key="own_filter").set_value("a b c").run()
    assert any("must be numbers" in error.value for error in app.error)
    assert len(grid(app, "Feature map")) == 8


def test_sums_are_written_without_zeros():
    assert written_sum([(-1.0, 1.0), (0.0, 1.0), (2.0, 0.5)], 0.0) == "(−1)·1 + 2·0.5 = 0"
    assert written_sum([(1.0, 0.0)], 0.0) == "0 = 0"


# One row --------------------------------------------------------------------------------------


def test_the_slides_row_waits_for_the_guess():
    app = visit(PAGE, part=ROW)
    assert grid(app, "Sums z") == [FLIPPED, PRINTED]
    assert grid(app, "Toeplitz matrix C")[2] == [5, 6, 7, 0]
    assert drawn(app)["hint"] == "z3 = 5·1 + 6·2 + 7·3 = 38"
    app.toggle(key="flip").set_value(False).run()
    assert grid(app, "Sums z") == [[None] * 6, PRINTED]
    assert grid(app, "Place 3")[2][2:5] == [None] * 3
    assert "=" not in drawn(app)["hint"]
    app = guess(app, "convention", 1)
    assert grid(app, "Sums z") == [FLIPPED, PRINTED, PRINTED]
    assert grid(app, "Place 3") == [
        [0, 0, 1, 2, 3, 4, 0, 0],
        [0, 0, 7, 6, 5, 0, 0, 0],
        [0, 0, 7, 12, 15, 0, 0, 0],
    ]
    assert grid(app, "Toeplitz matrix C")[2] == [7, 6, 5, 0]
    assert shows(app, *PRINTED)


def test_own_rows_are_read_and_absurd_ones_answered():
    app = visit(PAGE, part=ROW, inputs="1 0 2", row_weights="1 −1", zeros="0", flip="false")
    assert grid(app, "Sums z") == [[1, -2]]
    app.text_input(key="inputs").set_value("1 two").run()
    assert "must be numbers" in app.error[0].value
    assert grid(app, "Sums z") == [[1, -2]]
    app.text_input(key="inputs").set_value("4").run()
    assert not app.exception
    assert any("must fit" in error.value for error in app.error)


# Sizes ----------------------------------------------------------------------------------------


def test_the_size_waits_for_the_guess():
    app = visit(PAGE, part=SIZES)
    assert grid(app, "Feature map") == [[None]]
    assert not app.get_by_key("beside").latex
    app = guess(app, "size", 0)
    found = grid(app, "Feature map")
    assert (len(found), len(found[0])) == (3, 4)
    assert "Right" in text(app)
    assert r"\frac{5 + 2\cdot1 - 3 + 2}{2}" in text(app)


def test_the_slides_example_has_its_numbers_and_its_matrix():
    app = visit(PAGE, part=SIZES)
    app.selectbox(key="example").set_value("3 × 3 by 2 × 2").run()
    assert grid(app, "Feature map") == [[19, 25], [37, 43]]
    assert grid(app, "The same as a matrix")[1] == [0, 0, 1, 0, 2, 3, 0, 0, 0]
    app.selectbox(key="example").set_value("Two channels").run()
    assert grid(app, "Sum over channels") == [[56, 72], [104, 120]]


def test_a_filter_that_does_not_fit_is_answered():
    app = visit(
        PAGE, part=SIZES, example="Your own sizes", image_rows="1", filter_side="5", padding="0"
    )
    assert "must fit into the padded input" in app.error[0].value


# Shift ----------------------------------------------------------------------------------------


def test_the_pooled_map_waits_for_the_guess():
    app = visit(PAGE, part=SHIFT)
    assert grid(app, "Pooled after the move") == [[None] * 4] * 4
    app = guess(app, "pooled", 2)
    before, after = grid(app, "Max pooling 2 × 2"), grid(app, "Pooled after the move")
    changed = sum(
        a != b
        for one, other in zip(before, after, strict=True)
        for a, b in zip(one, other, strict=True)
    )
    assert changed == 8 == len(outlines(app, "Pooled after the move"))
    assert "Right" in text(app)


def test_moves_by_the_stride_move_the_pooled_map():
    app = visit(PAGE, part=SHIFT, right="2", moved_image="Ring", pooling="average")
    before, after = grid(app, "Average pooling 2 × 2"), grid(app, "Pooled after the move")
    assert [row[1:3] for row in after] == [row[:2] for row in before]


# Digits ---------------------------------------------------------------------------------------


def test_even_moves_wait_for_the_guess():
    app = visit(PAGE, part=DIGITS)
    results = ConvolutionResults.load()
    table = grid(app, GLOBAL_CNN)
    assert [table[2][4], table[0][0], table[4][2]] == [None] * 3
    assert table[2][3] == pytest.approx(results.accuracies(GLOBAL_CNN, CENTRED)[2, 3], abs=1e-4)
    assert all(None not in row for row in grid(app, MLP))
    app = guess(app, "moved", 2)
    shares = results.accuracies(GLOBAL_CNN, CENTRED)[2, 2:]
    assert grid(app, GLOBAL_CNN)[2][2:] == pytest.approx(shares.tolist(), abs=1e-4)
    assert "Right" in text(app)
    assert [2, 3, 1, 1] in outlines(app, CNN), "where the digit is"


def test_a_drawn_digit_is_read_and_looked_into():
    empty = "\n".join(["a" * 12] * 12)
    app = visit(PAGE, part=DIGITS, view="Inside", digit="Your own", own_digit=empty)
    assert "Nothing is drawn" in text(app)
    shares = np.array(grid(app, "Read as"), float)
    assert shares.sum(0) == pytest.approx([1, 1], abs=1e-2)
    assert np.array(grid(app, "1")).shape == (3, 3)
    trained = grid(app, "1")
    app.selectbox(key="digit").set_value("7")
    put(app, "training_frame", 1)
    assert "After 1 step the CNN" in text(app)
    assert grid(app, "1") != trained
    app.selectbox(key="digit").set_value("Your own")
    app.segmented_control(key="view").set_value("Moved digits").run()
    assert "Nothing is drawn" in text(app)
    app.text_area(key="own_digit").set_value("x").run()
    assert "12 rows of 12 cells" in app.error[0].value
    app.segmented_control(key="learned").set_value("shifted").run()
    assert not app.exception


# Names ----------------------------------------------------------------------------------------


def test_losses_wait_for_the_guess_and_equal_letters_respond_alike():
    app = visit(PAGE, part=NAMES)
    assert grid(app, "Loss on test names") == [[None, None]] * 3
    assert "appears twice, and all 48 filters respond alike" in text(app)
    responses = np.array(grid(app, "Responses of eight filters"), float)
    assert np.allclose(responses[:, 3], responses[:, 10])
    app = guess(app, "names", 0)
    losses = np.array(grid(app, "Loss on test names"))
    assert (losses[:, 0] < losses[:, 1]).all()
    assert "Right" in text(app)


def test_other_names_are_read_and_foreign_letters_answered():
    app = visit(PAGE, part=NAMES, typed_name="Mia", letter="0")
    assert len(grid(app, "Responses of eight filters")[0]) == 3
    app.text_input(key="typed_name").set_value("m1a").run()
    assert "letters a to z" in app.error[0].value
    app.text_input(key="typed_name").set_value("  ").run()
    assert "at least one letter" in app.error[0].value


# Hands ----------------------------------------------------------------------------------------


def test_what_is_painted_becomes_the_own_picture():
    cells = np.zeros((10, 10), int)
    cells[3, 4] = 1
    keep_painted(cells)
    try:
        assert st.session_state["image"] == "Your own"
        assert st.session_state["own_picture"].split()[3] == "0000100000"
    finally:
        del st.session_state["image"], st.session_state["own_picture"]


def test_what_a_browser_sends_is_checked():
    assert checked_cells([0, 7, -3, 1], (2, 2), 1).tolist() == [[0, 1], [0, 1]]
    for sent in ([0, 1], ["a"] * 4):
        with pytest.raises(ValueError):  # noqa: PT011
            checked_cells(sent, (2, 2), 1)
    grids = [Grid("A", np.zeros((2, 3)), is_picked=True), Grid("B", np.zeros((1, 1)))]
    assert checked_pick(0, [1, 2], grids) == (0, 1, 2)
    for at, cell in ((1, [0, 0]), (0, [2, 0]), (5, [0, 0]), (0, [-1, 0])):
        with pytest.raises(ValueError, match="no "):
            checked_pick(at, cell, grids)
