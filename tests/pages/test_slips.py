"""A slip in one field is named, and takes no picture away."""

import pytest

from tests.pages.visits import charts, sent_to, visit

LONG = "a " * 100_000
MATRICES = {"part": "Small matrices"}


@pytest.mark.parametrize(
    ("address", "asked", "field", "slip", "chart"),
    [
        ("war_and_peace", {}, "prompt", LONG, "writing_next_0"),
        ("attention", {}, "sentence", LONG, "next_token"),
        ("attention", {}, "sentence", "", "next_token"),
        ("attention_by_hand", MATRICES, "Q", "1 <b>", "hand_matrices"),
        ("attention_by_hand", MATRICES, "V", "1 2", "hand_matrices"),
        ("counting", {}, "prompt", "seven", "counting_next"),
        ("embeddings", {}, "word", "xyzzyx", "map_neighbours"),
        ("inside_a_cell", {}, "digits", "12x", "inside_left_states"),
        ("positional_encoding", {"part": "Equal words"}, "sentence", "alone", "outputs_typed"),
        ("sequence_models", {}, "word", "two words", "reverser_lengths"),
        (
            "sequence_models",
            {"shape": "Sequence to vector"},
            "sentence",
            "42",
            "classifier_diagram",
        ),
    ],
)
def test_what_cannot_be_read_is_named_and_the_picture_stays(address, asked, field, slip, chart):
    app = visit(f"pages/{address}/page.py", **asked)
    drawn = charts(app)
    assert chart in drawn
    app.get_by_key(field).set_value(slip).run()
    assert not app.exception
    assert app.error or app.warning or app.info
    assert charts(app) == drawn


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("ablations", {"ablation": "Mask", "reveal": "mask"}),
        ("inside_a_writer", {"text": "Your own"}),
        ("model_ladder", {"part": "Where they differ", "text": "Your own"}),
        ("surprisal", {"text": "Your own"}),
    ],
)
def test_the_text_that_could_be_read_last_stays_on_screen(address, asked):
    app = visit(f"pages/{address}/page.py", **asked)
    field = "prompt" if address == "ablations" else "own_text"
    readable = "The horses went home in the dark"
    app.get_by_key(field).set_value(f"{readable}.").run()
    assert any(readable in text for text in _texts(app))
    app.get_by_key(field).set_value("Война").run()
    assert not app.exception
    assert app.error
    assert any(readable in text for text in _texts(app))


def _texts(app):
    """Return the texts that are drawn token by token."""
    found = sent_to(app)
    return ["".join(data["tokens"]) for data in found if "tokens" in data]
