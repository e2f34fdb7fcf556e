"""Lines with names: names keep apart, axes stay fixed, the present step is marked; marks."""

import pytest

from pages.shared.charts.lines import Axis, Guesses, LineStyle, Waiting, line_chart, spread

X = Axis("step", (0.0, 100.0))
Y = Axis("loss", (0.0, 5.0))
LOG = Axis("time", (0.1, 1000.0), True, (1.0, 10.0, 100.0))
APART = 1.2 * 13 / (320 - 94)
"""Of an axis of the usual height: two names, a line each."""
LOOKS = {"a": LineStyle("#0072B2"), "b": LineStyle("#D55E00", 1)}


def drawn(lines, y=Y, **options):
    return line_chart(lines, LOOKS, X, y, **options)


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([], []),
        ([0.2, 0.8], [0.2, 0.8]),
        ([0.5, 0.5, 0.5], [0.4, 0.5, 0.6]),
        ([0.0, 0.0], [0.0, 0.1]),
        ([0.98, 1.0], [0.9, 1.0]),
        ([0.30, 0.34, 0.43], [0.257, 0.357, 0.457]),  # the third is pushed by the first two
        ([0.0, 0.0, 0.16], [0.0, 0.1, 0.2]),  # so it is where the lower end pushes them up
    ],
)
def test_names_move_apart_as_little_as_may_be(places, expected):
    assert spread(places, 0.1) == pytest.approx(expected, abs=1e-3)


def test_each_line_has_its_name_at_its_last_point():
    data = drawn({"a": [(0, 4.0), (90, 1.0)], "b": [(0, 4.0), (90, 1.0)]}).data
    named = data[data["label"] != ""]
    assert named["x"].tolist() == [90, 90]
    assert named["label"].tolist() == ["a", "b"]
    first, second = named["label_at"]
    assert second - first == pytest.approx(APART * 5.0, abs=1e-4)
    assert (first + second) / 2 == pytest.approx(1.0)


def test_a_rule_of_its_colour_leads_from_the_end_of_each_line_to_its_name():
    drawing = drawn({"a": [(0, 4.0), (90, 1.0)], "b": [(0, 4.0), (90, 1.0)]})
    (rule,) = [
        layer
        for layer in drawing.spec["layer"]
        if layer["encoding"].get("y2", {}).get("field") == "label_at"
    ]
    assert rule["mark"]["type"] == "rule"
    assert rule["encoding"]["y"]["field"] == "y"
    assert rule["encoding"]["color"] == {"field": "colour", "scale": None, "type": "nominal"}
    assert rule["transform"] == [{"filter": "datum.kind === 'line' && datum.label != ''"}]
    assert drawing.data[drawing.data["label"] != ""]["colour"].tolist() == ["#0072B2", "#D55E00"]


def test_large_names_move_apart_by_their_size():
    drawing = drawn({"a": [(90, 1.0)], "b": [(90, 1.0)]}, height=260)
    first, second = drawing.table_for(26)["label_at"].to_pylist()
    assert second - first == pytest.approx(1.2 * 26 / 200 * 5.0)


def test_a_low_chart_holds_names_of_the_usual_size_apart_too():
    drawing = drawn({"a": [(90, 1.0)], "b": [(90, 1.0)]}, height=160)
    first, second = drawing.data["label_at"]
    assert second - first == pytest.approx(1.2 * 13 / (160 - 94) * 5.0, abs=1e-4)
    assert drawing.table_for(13) is drawing.table


def test_names_of_lines_that_end_elsewhere_stay_where_they_are():
    data = drawn({"a": [(50, 1.0)], "b": [(90, 1.0)]}).data
    assert data[data["label"] != ""]["label_at"].tolist() == [1.0, 1.0]


def test_a_name_that_reaches_beyond_the_end_of_another_line_moves_apart_from_its_name():
    """A letter takes at most a thirtieth of the axis."""
    name = "b" * 13
    styles = {"a": LOOKS["a"], name: LOOKS["b"]}
    data = line_chart({name: [(50, 1.0)], "a": [(90, 1.0)]}, styles, X, Y).data
    first, second = data["label_at"]
    assert second - first == pytest.approx(APART * 5.0, abs=1e-4)


def test_on_a_logarithmic_axis_names_move_by_factors():
    data = drawn({"a": [(1, 10.0)], "b": [(1, 10.0)]}, y=LOG).data
    low, high = data["label_at"]
    assert low * high == pytest.approx(100.0, rel=1e-3)
    assert LOG.place(high) - LOG.place(low) == pytest.approx(APART, abs=1e-4)


@pytest.mark.parametrize("axis", [Y, LOG])
def test_an_axis_knows_its_places(axis):
    assert axis.place(axis.domain[0]) == 0.0
    assert axis.place(1e9) == 1.0
    assert axis.value(axis.place(3.0)) == pytest.approx(3.0)


def test_a_reference_is_named_at_its_left_and_the_present_is_one_row():
    data = drawn({"a": [(0, 1.0)]}, references={"chance": [(0, 4.0), (100, 4.0)]}, now=30).data
    chance = data[data["name"] == "chance"]
    assert chance["label"].tolist() == ["chance", ""]
    assert data[data["kind"] == "now"]["x"].tolist() == [30]


def test_the_axes_stay_where_they_are_and_leave_room_for_names():
    one, other = drawn({"a": [(0, 1.0)]}), drawn({"b": [(0, 4.9), (80, 0.1)]}, now=3)
    assert one.spec == other.spec
    line = one.spec["layer"][3]["encoding"]
    assert line["y"]["scale"]["domain"] == [0.0, 5.0]
    assert line["x"]["scale"]["domain"] == [0.0, 140.0]
    assert one.spec["layer"][3]["encoding"]["strokeDash"]["scale"]["range"][1] == [6, 3]


def test_the_room_for_names_has_no_numbers_on_its_axis():
    x = drawn({"a": [(0, 1.0)]}).spec["layer"][3]["encoding"]["x"]
    assert x["axis"]["labelExpr"].startswith("datum.value > 100.0 ? '' : ")


def test_marks_are_drawn_where_asked_for():
    kinds = [x["mark"]["type"] for x in drawn({"a": [(0, 1.0)]}, has_points=True).spec["layer"]]
    assert kinds.count("point") == 1
    assert "point" not in [x["mark"]["type"] for x in drawn({"a": [(0, 1.0)]}).spec["layer"]]


def test_bands_dots_and_rings_are_layers_of_their_own_only_where_given():
    plain = drawn({"a": [(0, 1.0)]})
    full = drawn(
        {"a": [(0, 1.0), (9, 2.0)]},
        bands={"a": [(0, 0.5, 1.5), (9, 1.0, 3.0)]},
        dots={"published": [(3, 1.0)]},
        rings={"b": [(5, 2.0)]},
    )
    assert len(full.spec["layer"]) == len(plain.spec["layer"]) + 3
    assert set(full.data["kind"]) == {"line", "band", "dot", "ring"}
    band = full.data[full.data["kind"] == "band"]
    assert band[["x", "low", "high"]].values.tolist() == [[0, 0.5, 1.5], [9, 1.0, 3.0]]
    assert set(band["colour"]) == {LOOKS["a"].colour}
    ring = full.data[full.data["kind"] == "ring"]
    assert ring[["name", "x", "y", "colour"]].values.tolist() == [["b", 5, 2.0, LOOKS["b"].colour]]


def test_a_guess_is_a_mark_with_its_name():
    plain, guessed = (drawn({"a": [(0, 1.0)]}), drawn({"a": [(0, 1.0)]}, guess=Guesses((60, 4.0))))
    new = [x["mark"]["type"] for x in guessed.spec["layer"][len(plain.spec["layer"]) :]]
    assert new == ["point", "text"]
    mark = guessed.data[guessed.data["kind"] == "guess"]
    assert mark[["x", "y", "label", "label_at"]].values.tolist() == [[60, 4.0, "your guess", 4.0]]


@pytest.mark.parametrize(
    ("waiting", "align", "place"),
    [
        (Waiting("c", 30.0), "left", (30.0, 30.0, 0.0, 5.0)),
        (Waiting("c", 100.0), "right", (100.0, 100.0, 0.0, 5.0)),
        (Waiting("c", 4.0, "y"), "left", (0.0, 100.0, 4.0, 4.0)),
    ],
)
def test_what_waits_is_a_rule_where_it_is_asked_for_with_its_name(waiting, align, place):
    rows = drawn({"a": [(0, 1)]}, waiting=waiting).data.to_dict("records")
    (row,) = [row for row in rows if row["kind"] == "waiting"]
    assert (row["x"], row["end"], row["low"], row["high"]) == place
    assert (row["name"], row["label"]) == ("c", "c: ?")
    layers = drawn({"a": [(0, 1)]}, waiting=waiting).spec["layer"]
    names = [layer["mark"] for layer in layers if layer["mark"].get("fontWeight") == "bold"]
    assert [mark["align"] for mark in names] == [align]


def test_shares_are_written_as_the_axis_says():
    y = Axis("accuracy", (0.0, 1.0), form="%")
    assert (
        "'%'"
        in drawn({"a": [(0, 1.0)]}, y=y).spec["layer"][3]["encoding"]["y"]["axis"]["labelExpr"]
    )


def test_no_lines_are_an_empty_chart():
    empty = drawn({})
    assert empty.data.empty
    assert list(empty.data.columns) == list(drawn({"a": [(0, 1.0)]}).data.columns)


def test_what_is_no_number_reaches_the_browser_as_missing():
    table = drawn({"a": [(0, 1.0), (1, float("nan")), (2, 3.0)]}).table
    assert table["y"].to_pylist() == [1.0, None, 3.0]


def test_the_lower_end_of_an_axis_may_have_a_name_of_its_own():
    x = Axis("weight", (0.03, 3.0), True, (0.03, 1.0), least_name="0")
    spec = line_chart({}, {}, x, Y).spec
    (found,) = {
        axis["labelExpr"]
        for layer in spec["layer"]
        if (axis := layer["encoding"].get("x", {}).get("axis"))
    }
    assert "datum.value <= 0.03 ? '0' : " in found


def test_a_class_s_histogram_rises_from_the_axis_that_it_was_asked_about():
    guess = Guesses(None, [(50.0, 2.0, 2), (90.0, 2.0, 4), (60.0, 2.0, 0)])
    drawn = line_chart({"a": [(50, 1.0), (90, 1.0)]}, {"a": LineStyle("red")}, X, Y, guess=guess)
    columns = drawn.data[drawn.data["kind"] == "column"]
    assert columns["x"].tolist() == [50.0, 90.0, 60.0]
    assert columns["label"].tolist() == ["2", "4 · median", ""]
    heights = [Y.place(high) for high in columns["high"]]
    assert heights == pytest.approx([0.14, 0.28, 0.0])
    assert columns["low"].tolist() == [Y.domain[0]] * 3


def test_a_class_s_histogram_lies_along_the_upright_axis():
    guess = Guesses(None, [(50.0, 2.0, 1), (50.0, 3.0, 2)])
    drawn = line_chart({"a": [(50, 1.0), (90, 1.0)]}, {"a": LineStyle("red")}, X, Y, guess=guess)
    bars = drawn.data[drawn.data["kind"] == "bar"]
    assert bars["y"].tolist() == [2.0, 3.0]
    assert bars["x"].tolist() == [X.domain[0]] * 2
    assert [X.place(end) for end in bars["end"]] == pytest.approx([0.14, 0.28])
    marks = [layer for layer in drawn.spec["layer"] if "'bar'" in str(layer.get("transform"))]
    assert {layer["mark"]["type"] for layer in marks} == {"rule", "text"}


def test_where_a_line_leaves_the_picture_an_arrowhead_says_so():
    """Once a stretch, at its middle, with the value that is no longer drawn."""
    up = [(i, 9.0) for i in range(40, 45)]
    data = drawn({"a": [(0, 4.0), *up, (50, 5.0), (60, -2.0), (70, 0.0)], "b": [(0, 5.0)]}).data
    beyond = data[data["kind"] == "beyond"]
    assert beyond[["name", "x", "y", "colour"]].values.tolist() == [
        ["a", 42, 9.0, "#0072B2"],
        ["a", 60, -2.0, "#0072B2"],
    ]
    marks = [layer["mark"] for layer in drawn({"a": up}).spec["layer"]]
    assert [mark["shape"] for mark in marks if "shape" in mark] == ["triangle-down", "triangle-up"]
    assert beyond["dash"].tolist() == [1, 0]


@pytest.mark.parametrize("value", [0.0, 5.0, float("nan"), float("inf"), float("-inf")])
def test_what_is_drawn_where_it_lies_or_not_at_all_has_no_arrowhead(value):
    assert "beyond" not in drawn({"a": [(0, 1.0), (1, value)]}).data["kind"].tolist()


def test_an_end_with_a_name_of_its_own_has_no_arrowhead():
    named = Axis("loss", (1e-6, 1.0), True, least_name="0")
    assert "beyond" not in drawn({"a": [(0, 1.0), (1, 0.0)]}, named).data["kind"].tolist()
