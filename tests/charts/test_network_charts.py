"""Charts of small networks: surfaces, failed starts, and a diagram with its numbers."""

import numpy as np
import pytest

from pages.optimisers.loss_surface_chart import surface_figure
from pages.perceptron.failures_chart import failure_matrix, failure_table
from pages.shared.charts.network_diagram import Edge, Node, diagram_table, network_diagram
from pages.shared.charts.planes import contour_picture, surface_picture
from tests.png_pixels import pixels

SHARES = {("Tanh", "2"): 0.4, ("Tanh", "4"): 0.05, ("ReLU", "2"): 0.85, ("ReLU", "4"): 0.4}


def test_a_surface_is_blue_where_it_is_0_orange_where_it_is_1_and_white_between():
    found = pixels(surface_picture(np.array([[0.0, 1.0], [0.5, np.nan]])))
    zero, one, half, missing = (
        found[i, j].astype(int) for i, j in ((0, 0), (0, -1), (-1, 0), (-1, -1))
    )
    assert zero[2] > zero[0] + 50
    assert one[0] > one[2] + 50
    assert np.ptp(half) == 0
    assert (half == missing).all()
    assert half.min() > 240


def test_contours_are_darker_the_higher_and_survive_what_is_not_a_number():
    losses = np.geomspace(1e-4, 1.0, 40).reshape(1, 40).repeat(5, axis=0)
    found = pixels(contour_picture(losses)).astype(int)
    assert found.shape == (5, 40, 3)
    assert found[2, 0].sum() > found[2, 20].sum() > found[2, -1].sum()
    losses[0, 0] = np.nan
    assert pixels(contour_picture(losses)).shape == (5, 40, 3)
    assert pixels(contour_picture(np.zeros((3, 3)))).shape == (3, 3, 3)


def test_ways_over_a_surface_end_at_its_edge():
    losses = np.add.outer(np.linspace(1, -1, 9) ** 2, np.linspace(-1, 1, 9) ** 2)
    way = np.array([[0.5, 0.5, 0.5], [0.0, 0.0, 0.0], [9.0, 0.0, 81.0]])
    figure = surface_figure(
        losses, (-1, 1, -1, 1), {"GD": ("#123456", way)}, ink="#000", text_size=12, height=300
    )
    surface, line = figure["data"]
    assert np.array(surface["z"]).shape == (9, 9)
    assert surface["y"][0] == 1
    assert line["x"] == [0.5, 0.0]
    assert line["name"] == "GD"


def test_shares_are_numbers_in_their_cells_and_those_asked_for_wait():
    table = failure_table(SHARES, masked=[("Tanh", "2")], chosen=("ReLU", "4"))
    rows = {(r["row"], r["column"]): r for r in table.to_pylist()}
    assert rows["Tanh", "2"]["share"] is None
    assert rows["Tanh", "2"]["text"] == "?"
    assert rows["ReLU", "2"]["text"] == "85 %"
    assert [cell for cell, row in rows.items() if row["is_chosen"]] == [("ReLU", "4")]
    spec = failure_matrix(table, row_title="function", column_title="units").spec
    x = spec["layer"][0]["encoding"]["x"]
    assert x["scale"]["domain"] == ["2", "4"]
    assert x["axis"]["title"] == "units"


def test_a_guess_is_written_in_its_cell():
    table = failure_table(SHARES, guess=(("ReLU", "2"), 0.14))
    said = {(r["row"], r["column"]): r["guess"] for r in table.to_pylist()}
    assert "14 %" in said["ReLU", "2"]
    assert sum(map(bool, said.values())) == 1


def test_a_diagram_has_a_row_for_each_circle_arrow_and_number():
    x, y = Node(0.0, 0.5, "1", "x"), Node(1.0, 0.5, "0", "y", "bias 2", is_current=True)
    rows = diagram_table([x, y], [Edge(x, y, "-3", is_current=True)]).to_pylist()
    kinds = [row["kind"] for row in rows]
    assert kinds.count("node") == 2
    assert kinds.count("outline") == 1
    (edge,) = [row for row in rows if row["kind"] == "edge"]
    assert (edge["x"], edge["x2"], edge["state"]) == (0.0, 1.0, "current")
    (weight,) = [row for row in rows if row["kind"] == "weight"]
    assert weight["text"] == "-3"
    assert 0 < weight["x"] < 1
    assert network_diagram(diagram_table([x], [])).spec["height"] == pytest.approx(320)
