"""The ladder's picture: names apart, the axis stretched towards 1, and the guess in its place."""

import itertools

import pytest

from pages.model_ladder.ladder_chart import model_ladder
from pages.model_ladder.ladder_points import LadderPoint
from pages.shared.charts.lines import LineStyle
from pages.shared.charts.palette import BLUE, GREY

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")

STYLES = {"n-gram": LineStyle(GREY, 1), "LSTM": LineStyle(BLUE)}


def points():
    rows = [
        ("pairs", "1", "n-gram", 1_000, 2.4, True),
        ("many", "9", "n-gram", 5_000_000, 1.2, True),
        ("small", "small", "LSTM", 500_000, 1.15, False),
        ("large", "large", "LSTM", 3_000_000, 1.1, False),
        ("twin", "twin", "LSTM", 3_100_000, 1.1005, False),
        ("best", "best", "LSTM", 8_000_000, 0.9, False),
    ]
    return [
        LadderPoint(*row[:5], 0.01, "1 s", 1, is_joined=row[5], is_chosen=False) for row in rows
    ]


def rows_of(guess=None):
    chart = model_ladder(points(), STYLES, reference=("chance", 4.25), guess=guess)
    return chart.data.set_index("label"), chart


def test_names_of_large_models_stand_in_one_column_apart_from_each_other():
    rows, _ = rows_of()
    column = rows[rows["place"] == "right"]
    assert set(column.index) == {"large", "twin", "best"}
    assert column["name_x"].nunique() == 1
    heights = sorted(column["name_y"])
    assert all(b / a > 1.1 for a, b in itertools.pairwise(heights)), "the axis is logarithmic"
    assert rows.loc["small", "place"] == "left"
    assert rows.loc["9", "place"] == "up"


@pytest.mark.parametrize("text_size", [13, 24])
def test_a_line_leads_from_each_point_to_the_name_beside_it(text_size):
    _, chart = rows_of()
    lines = [layer for layer in chart.spec["layer"] if "x2" in layer["encoding"]]
    led = {layer["transform"][0]["filter"] for layer in lines}
    is_model = "datum.kind === 'model'"
    assert led == {f"{is_model} && datum.place === '{place}'" for place in ("left", "right")}
    for row in chart.table_for(text_size).to_pylist():
        if row["place"] in ("left", "right"):
            assert row["name_x"] != row["parameters"]


def test_names_of_small_models_keep_apart_as_well():
    small = [point._replace(parameters=1_000) for point in points()]
    chart = model_ladder(small, STYLES, reference=("chance", 4.25))
    rows = chart.data.set_index("label")
    column = rows[rows["place"] == "left"]
    assert set(column.index) == {"small", "large", "twin", "best"}
    heights = sorted(column["name_y"])
    assert all(b / a > 1.1 for a, b in itertools.pairwise(heights))


def test_names_of_small_models_do_not_rise_into_the_line_of_the_n_grams():
    near = [
        point._replace(parameters=1_000, loss=1.5 - 0.02 * i) for i, point in enumerate(points())
    ]
    chart = model_ladder(near, STYLES, reference=("chance", 4.25))
    rows = chart.table_for(24).to_pandas()
    column = rows[rows["place"] == "left"]
    assert column["name_y"].max() <= column["above"].max() * 1.001


def test_larger_text_moves_the_names_further_apart():
    _, chart = rows_of()

    def reach(size):
        rows = chart.table_for(size).to_pandas()
        return rows[rows["place"] == "right"]["name_y"].agg(lambda y: y.max() / y.min())

    assert reach(24) > reach(13)


def test_what_is_below_the_axis_is_drawn_at_its_end():
    rows, chart = rows_of()
    low = chart.spec["layer"][0]["encoding"]["y"]["scale"]["domain"][0]
    assert rows.loc["best", "above"] == low
    assert rows.loc["large", "above"] == pytest.approx(0.1)
    assert rows.loc["chance", "above"] == pytest.approx(3.25)


def test_the_guess_is_a_layer_of_its_own():
    rows, chart = rows_of(guess=(5e6, 1.3))
    assert rows.loc["your guess", ["parameters", "above"]].tolist() == [5e6, pytest.approx(0.3)]
    assert len(chart.spec["layer"]) == len(rows_of()[1].spec["layer"]) + 2
