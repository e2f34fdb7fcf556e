"""A visitor's guess stays in the picture beside the truth, wherever it has a place there."""

import pytest

from pages.shared.charts.palette import GUESS
from tests.pages.visits import data, drawn_rows, guess, sent_to, shows, visit


def of_page(address, name, option, **asked):
    """Open a page, choose an answer, and return the page with the truth revealed."""
    return guess(visit(f"pages/{address}/page.py", **asked), name, option)


def component(app, field):
    """Return the data of the component that has this field."""
    found = sent_to(app)
    return next(data for data in found if field in data)


@pytest.mark.parametrize(
    ("address", "name", "option", "chart", "place", "asked"),
    [
        ("rnn_vs_lstm", "break", 1, "recall_curve", (30, 0.9), {}),
        ("counting", "longer", 1, "counting_lengths", (12, 0.5), {}),
        ("sequence_models", "reverser_longer", 0, "reverser_lengths", (10, 0.95), {}),
        ("mixture_pitfalls", "collapse", 2, "widths", (5, 1e-8), {}),
        ("mixture_pitfalls", "collapse", 1, "widths", (5, 0.4), {}),
        (
            "mixture_pitfalls",
            "limit",
            2,
            "agreement",
            (0.1, 0.9),
            {"part": "Hard-assignment limit"},
        ),
        ("positional_encoding", "cosines", 2, "cosines", (55, 0.0), {"part": "Encoding vectors"}),
        ("number_of_clusters", "bic", 2, "criterion_bic", (3, None), {}),
    ],
)
def test_a_guess_is_a_mark_beside_the_line(address, name, option, chart, place, asked):
    drawn = drawn_rows(of_page(address, name, option, **asked), chart)
    ((x, y),) = drawn[drawn["kind"] == "guess"][["x", "y"]].values.tolist()
    assert x == place[0]
    assert place[1] is None or y == pytest.approx(place[1])


@pytest.mark.parametrize(
    ("address", "name", "chart", "asked", "waits"),
    [
        ("preferences", "hacked", "hacking_rewards", {}, {"rule"}),
        ("preferences", "equal_kl", "frontier", {"part": "Reward"}, {"PPO"}),
        (
            "fine_tuning",
            "labels_needed_part_of_speech",
            "learning_curves",
            {"part": "Learning curves"},
            {"from scratch"},
        ),
        ("ablations", "mask", "ablation_losses", {"ablation": "Mask"}, {"no mask"}),
        (
            "ablations",
            "depth",
            "ablation_losses",
            {"ablation": "8 layers"},
            {"no residual or norm"},
        ),
        ("reservoir_computing", "series", "errors_by_horizon", {}, {"reservoir"}),
        # The other writers, of which one has read more, would tell the answer.
        ("assistant", "shots", "accuracy_by_examples", {}, {"untuned", "LSTM", "33 books"}),
    ],
)
def test_before_the_answer_all_lines_are_drawn_but_the_one_that_is_asked_for(
    address, name, chart, asked, waits
):
    before = visit(f"pages/{address}/page.py", **asked)
    rows = drawn_rows(before, chart)
    shown = set(rows[rows["kind"] == "line"]["name"])
    (waiting,) = rows[rows["kind"] == "waiting"].to_dict("records")
    assert waiting["name"] in waits
    assert waiting["label"] == f"{waiting['name']}: ?"
    assert not waits & shown
    assert not waits & set(data(before, chart).astype(str).to_numpy().ravel())
    assert not waits & set(data(before, chart).columns)
    rows = drawn_rows(guess(before, name), chart)
    assert set(rows[rows["kind"] == "line"]["name"]) == shown | waits
    assert "waiting" not in set(rows["kind"])


def test_a_guessed_spread_is_so_many_times_smaller_than_that_of_the_small_sample():
    drawn = drawn_rows(of_page("estimation", "spread", 0), "errors")
    line = drawn[(drawn["kind"] == "line") & (drawn["name"] == "spread")].set_index("x")["y"]
    ((x, y),) = drawn[drawn["kind"] == "guess"][["x", "y"]].values.tolist()
    assert (x, y) == (500, pytest.approx(line[50] / 10))


def test_a_guessed_word_keeps_its_place_in_the_text():
    app = of_page("tokenization", "strawberry", 1)
    rows = {row["name"]: row for row in component(app, "rows")["rows"]}
    assert "".join(reading for *_, reading, _ in rows[GUESS]["tokens"]) == "strawberry"
    text = component(app, "rows")["text"]
    assert all(text[start:end] == said for _, start, end, said, _ in rows[GUESS]["tokens"])


def test_a_guessed_pair_says_so_at_its_bar():
    drawn = drawn_rows(of_page("byte_pair_encoding", "first_merge", 1), "pair_counts")
    (note,) = [note for note in drawn["note"] if GUESS in note]
    right = drawn["note"].str.contains("next")
    assert right.sum() == 1
    assert note not in set(drawn["note"][right])


def test_a_guessed_word_of_the_printed_example_and_the_misprinted_one_are_named():
    app = of_page("attention_by_hand", "printed", 1, part="A printed example")
    notes = drawn_rows(app, "printed_weights").set_index("key")["note"]
    assert GUESS in notes["01 quick"]
    assert "misprinted" in notes["04 jumps"]
    assert notes.str.contains("▸").sum() == 2


@pytest.mark.parametrize(("option", "said"), [(0, [1, 0]), (1, [0, 1]), (2, [1, 1]), (3, [0, 0])])
def test_a_method_that_was_expected_to_find_the_groups_says_so(option, said):
    app = of_page("clustering", "groups_955", option)
    panels = component(app, "panels")["panels"]
    assert [GUESS in panel["note"] for panel in panels] == said


@pytest.mark.parametrize(("option", "n_hands"), [(0, 9), (1, 8), (2, 9)])
def test_a_guessed_angle_is_a_hand_of_its_own_unless_it_is_the_true_one(option, n_hands):
    app = of_page("positional_encoding", "clocks", option, part="Shift as rotation")
    drawn = drawn_rows(app, "clocks")
    assert len(drawn) == n_hands
    assert (drawn["hand"] == GUESS).sum() == n_hands - 8


def test_the_length_that_was_asked_for_has_the_guess_as_its_outline():
    app = of_page("sequence_models", "generator_length", 2, shape="Vector to sequence")
    drawn = drawn_rows(app, "generator_lengths")
    marked = drawn[drawn["is_marked"]]
    assert marked[["symbol", "before"]].values.tolist() == [["7", 0.5]]
    assert (drawn["before"] == drawn["probability"]).sum() == len(drawn) - 1


@pytest.mark.parametrize("option", range(3))
def test_a_query_twice_as_long_is_drawn_once_its_weight_was_guessed(option):
    before = visit("pages/attention_by_hand/page.py")
    assert component(before, "divisor")["longer"] is None
    app = guess(before, "length", option)
    assert component(app, "divisor")["longer"] == 2
    assert shows(app, "Right") == (option == 0)


def test_a_query_of_no_length_gets_no_longer():
    asked = {"query_x": "0.0", "query_y": "0.0"}
    assert shows(of_page("attention_by_hand", "length", 1, **asked), "Right", 25, 25)
