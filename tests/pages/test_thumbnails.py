"""The home page's pictures: one for each lesson, of the page's own results."""

from xml.etree import ElementTree

import pytest

from lm_core.assets import THUMBNAILS
from pages.home.drawing import Frame, bars
from pages.home.pictured import PICTURED
from pages.home.thumbnails import DRAWN
from pages.shared.charts.palette import BLUE, VERMILLION


def test_each_lesson_has_a_picture_of_a_few_marks_and_no_words():
    assert {path.stem for path in THUMBNAILS.iterdir()} == set(DRAWN)
    assert list(PICTURED) == list(DRAWN), "each picture in words"
    for address in DRAWN:
        root = ElementTree.fromstring((THUMBNAILS / f"{address}.svg").read_bytes())
        assert list(root), address
        assert not "".join(root.itertext()).strip(), address


@pytest.mark.parametrize("address", DRAWN)
def test_no_line_is_flat(address):
    root = ElementTree.fromstring((THUMBNAILS / f"{address}.svg").read_bytes())
    for line in root.iter("{http://www.w3.org/2000/svg}polyline"):
        points = line.attrib["points"].split()
        assert len(points) == 2 or len({point.split(",")[1] for point in points}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("address", DRAWN)
def test_the_results_give_what_is_shipped(address):
    assert DRAWN[address]() == (THUMBNAILS / f"{address}.svg").read_text(encoding="utf-8")


def test_values_lie_where_their_axes_say():
    frame = Frame((1, 100), (0, 1), has_log_x=True)
    (left, low), (middle, _), (right, high) = (
        frame.place(*p) for p in ((1, 0), (10, 0.5), (100, 1))
    )
    assert middle == pytest.approx((left + right) / 2)
    assert low > high, "pixels count from the top"
    assert frame.place(1e9, 2) == (right, high), "what lies beyond is drawn at the end"


def test_an_axis_may_run_downwards():
    frame = Frame((0, 1), (4, 0))
    heights = [frame.place(0, y)[1] for y in (-1, 0, 1, 4, 9)]
    assert heights == sorted(heights)
    assert len(set(heights)) == 3


def shipped(address, name):
    root = ElementTree.fromstring((THUMBNAILS / f"{address}.svg").read_bytes())
    return [each.attrib for each in root.iter(f"{{http://www.w3.org/2000/svg}}{name}")]


def heights(line):
    return [float(point.split(",")[1]) for point in line["points"].split()]


def test_what_a_picture_shows_is_what_its_words_say():
    dots = shipped("published-figures", "circle")
    assert len({(dot["cx"], dot["cy"]) for dot in dots}) == len(dots), "each dot is one figure"
    guess, window, memory = map(heights, shipped("order-matters", "polyline"))
    falls = [next(n for n, y in enumerate(row) if y > guess[0] - 5) for row in (window, memory)]
    assert falls == [1, 4]
    assert "With one word" in PICTURED["order-matters"]
    assert "falls with four" in PICTURED["order-matters"]
    _, recurrent, transformer = map(heights, shipped("minimal-pairs", "polyline"))
    assert min(recurrent[2:]) > recurrent[0], "fewer verbs are right, so the line is lower"
    assert max(transformer) < min(recurrent)
    dots = shipped("neural-language-model", "circle")
    is_vowel = [dot["fill"] == BLUE for dot in dots]
    places = [complex(float(dot["cx"]), float(dot["cy"])) for dot in dots]
    vowels = [place for place, found in zip(places, is_vowel, strict=True) if found]
    apart = max(abs(a - b) for a in vowels for b in vowels)
    others = (place for place, found in zip(places, is_vowel, strict=True) if not found)
    near = [place for place in others if min(abs(place - vowel) for vowel in vowels) < apart]
    assert len(near) == 1, "which is y"
    assert "with y" in PICTURED["neural-language-model"]
    rows: dict[str, int] = {}
    for word in shipped("encoder-decoder", "rect"):
        rows[word["y"]] = rows.get(word["y"], 0) + (word["fill"] == VERMILLION)
    *shorter, last_but_one, last = rows.values()
    assert min(last_but_one, last) > max(shorter)
    assert len(shipped("war-and-peace", "rect")) == 7


def test_the_longest_bar_is_the_widest():
    widths = [
        float(r.attrib["width"]) for r in ElementTree.fromstring(f"<g>{bars([1, 4], 'red')}</g>")
    ]
    assert widths[0] == pytest.approx(widths[1] / 4, abs=0.1)
