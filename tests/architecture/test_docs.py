"""What the documents show is made from the code."""

import runpy
from pathlib import Path

DRAWING = runpy.run_path(str(Path(__file__).resolve().parents[2] / "docs" / "architecture.py"))


def test_the_picture_of_the_architecture_is_that_of_the_imports():
    drawn = DRAWING["PICTURE"].read_text(encoding="utf-8")
    assert drawn == DRAWING["picture"](), "make docs draws it anew"


def test_an_arrow_that_a_longer_way_implies_is_left_out():
    arrows = {"a": {"b", "c"}, "b": {"c"}, "c": set()}
    assert DRAWING["without_implied"](arrows) == {"a": {"b"}, "b": {"c"}, "c": set()}


def test_every_arrow_falls():
    arrows = DRAWING["imports"]()
    height = DRAWING["floors"](arrows, sorted(arrows))
    assert all(height[room] > height[there] for room in arrows for there in arrows[room])
