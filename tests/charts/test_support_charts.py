"""Charts of translations: which words are drawn as invented, what is masked, and where marks lie."""

import json
from pathlib import Path

import pytest

from pages.shared import components
from pages.shared.charts import support

ROWS = [
    (2, [("Un", 0.9, False), ("", 0.8, False)]),
    (5, [("Un", 0.9, False), ("chat", 0.002, True), ("café", 0.001, False)]),
]


def rows_of(table):
    return table.to_pandas()


def test_invented_words_are_drawn_as_such_and_keep_their_places():
    rows = rows_of(support.support_table(ROWS))
    assert rows["kind"].tolist() == ["supported"] * 3 + ["invented", "supported"]
    assert rows["length"].tolist() == [2, 2, 5, 5, 5]
    assert (rows["start"] < rows["end"]).all()
    assert rows["start"].tolist() == [0, 1, 0, 1, 2]


@pytest.mark.parametrize(
    ("kind", "role"), [(support.SUPPORTED, "supported"), (support.INVENTED, "surprising")]
)
def test_a_word_has_the_same_colour_in_the_map_and_in_the_texts(kind, role):
    drawing = support.support_map(support.support_table(ROWS), longest=9)
    scale = next(
        layer["encoding"]["color"]["scale"]
        for layer in drawing.spec["layer"]
        if "scale" in layer["encoding"].get("color", {})
    )
    css = Path(components.__file__).with_name("token_strip.css").read_text(encoding="utf-8")
    assert (
        f".{role} {{ --colour: {dict(zip(scale['domain'], scale['range'], strict=True))[kind]}; }}"
        in css
    )


def test_masked_words_tell_neither_kind_nor_support():
    rows = rows_of(support.support_table(ROWS, is_masked=True))
    assert set(rows["kind"]) == {"masked"}
    assert rows["support"].isna().all()


def test_the_row_of_now_and_the_guess_are_marked():
    rows = rows_of(support.support_table(ROWS, now=5, guess=2)).set_index("kind")
    assert rows.loc["now", "length"] == 5
    assert rows.loc["guess", "length"] == 2
    assert rows.loc["guess", "said"] == "your guess"


def test_two_maps_of_equal_longest_share_an_axis():
    first, second = (
        support.support_map(support.support_table(rows), longest=9) for rows in (ROWS, ROWS[:1])
    )
    assert first.spec == second.spec
    domains = [
        layer["encoding"]["x"]["scale"]["domain"]
        for layer in first.spec["layer"]
        if "scale" in layer["encoding"]["x"]
    ]
    assert domains
    assert all(domain == [-0.4, 9.0] for domain in domains)


def test_certainty_bars_keep_repeated_words_apart_and_name_the_end():
    table = support.certainty_table(
        ["un", "un", ""], [0.9, 0.2, 1.0], [0.5, 0.001, 0.9], [False, True, False]
    )
    rows = rows_of(table)
    assert rows["word"].nunique() == 3
    assert rows["kind"].tolist() == ["supported", "invented", "supported"]
    assert "(end)" in rows["word"].iloc[-1]
    drawn = {json.dumps(y) for y in positions(support.certainty_bars(table))}
    assert any('"certainty"' in y for y in drawn)
    assert any('"support"' in y for y in drawn)


def positions(drawing):
    """Where the layers of a drawing lie in its height."""
    return [layer["encoding"]["y"] for layer in drawing.spec["layer"] if "y" in layer["encoding"]]


def test_only_the_certainty_of_invented_words_is_masked_and_a_guess_is_no_word():
    given = (["un", "chat", ""], [0.9, 0.2, 1.0], [0.5, 0.001, 0.9], [False, True, False])
    rows = rows_of(support.certainty_table(*given, is_masked=True))
    assert rows["kind"].tolist() == ["supported", "masked", "supported"]
    assert rows["certainty"].isna().tolist() == [False, True, False]
    rows = rows_of(support.certainty_table(*given, guess=0.5))
    assert rows["kind"].tolist() == ["supported", "invented", "supported", "guess"]
    assert rows["certainty"].tolist() == [0.9, 0.2, 1.0, 0.5]


def test_kept_words_of_the_model_asked_about_wait_and_its_guess_lies_in_its_row():
    shares = {"one": 0.25, "other": 0.9}
    masked = support.kept_table(shares, asked="one", is_masked=True)
    assert rows_of(masked)["share"].isna().tolist() == [True, False]
    assert "25 %" not in support.kept_in_words(masked)
    table = support.kept_table(shares, asked="one", guess=0.5)
    assert rows_of(table)[["model", "share"]].values.tolist() == [
        ["one", 0.25],
        ["other", 0.9],
        ["one", 0.5],
    ]
    assert "25 %" in support.kept_in_words(table)
    heights = [
        support.kept_bars(support.kept_table(some, asked="one")).spec["height"]
        for some in ({"one": 0.25}, shares)
    ]
    assert heights[0] < heights[1]
