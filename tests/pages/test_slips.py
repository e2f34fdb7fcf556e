"""A slip in one field is named, and takes no picture away."""

import pytest

from tests.pages.visits import charts, visit

LONG = "a " * 100_000


@pytest.mark.parametrize(
    ("address", "field", "slip", "chart"),
    [
        ("war_and_peace", "prompt", LONG, "writing_next_0"),
        ("attention", "sentence", LONG, "next_token"),
        ("attention", "sentence", "", "next_token"),
        ("inside_a_cell", "digits", "12x", "inside_left_states"),
        ("embeddings", "word", "xyzzyx", "map_neighbours"),
    ],
)
def test_what_cannot_be_read_is_named_and_the_picture_stays(address, field, slip, chart):
    app = visit(f"pages/{address}/page.py")
    drawn = charts(app)
    assert chart in drawn
    app.text_input(key=field).set_value(slip).run()
    assert not app.exception
    assert app.error or app.warning or app.info
    assert charts(app) == drawn
