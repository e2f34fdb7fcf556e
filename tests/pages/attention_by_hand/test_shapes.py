"""Heads by shape: what reshape does waits for the guess, and the lecture's line is run."""

import pytest

from tests.pages.visits import data, guess, shows, text, visit

PAGE, PART = "pages/attention_by_hand/page.py", "Shapes"


@pytest.mark.parametrize("heads", ["2", "4"])
def test_reshape_is_shown_after_the_guess(heads):
    app = visit(PAGE, part=PART, split_heads=heads)
    before = data(app, "head_shapes")
    assert before[before["matrix"] == "reshape 1"]["value"].isna().all()
    kept = before[before["matrix"] == "transpose 1"]
    assert (kept["value"] // 100 == kept["row"]).all()
    app = guess(app, f"head_shapes_{heads}", 1)
    found = data(app, "head_shapes")
    first = found[found["matrix"] == "reshape 1"]["value"] // 100
    assert set(first) == set(range(1, 4 // int(heads) + 1))
    assert shows(app, 100, 25)


def test_the_line_of_a_lecture_is_run_with_two_shapes():
    said = text(visit(PAGE, part=PART))
    assert "4 tokens, 4 units | no error, and numbers that are wrong" in said
    assert "5 tokens, 4 units | softmax(Q Kᵀ) Vᵀ needs as many tokens as units" in said
