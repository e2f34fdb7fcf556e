"""What is sent of a drawing: its specification, and its rows."""

import json

import numpy as np
import pytest

from pages.counting.numbers_chart import generated_chart, generated_table
from pages.mixture_pitfalls.mixture_curves_chart import histogram_frame, mixture_curves
from pages.positional_encoding.code_chart import code_frame, code_map
from pages.shared.charts.drawing import with_axes_shared
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.matrices import matrix_frame, matrix_panels


def line(n):
    points = {"a": [(0.0, 1.0), (float(n), 2.0 * n)]}
    axes = Axis(f"step of {n}", (0.0, n)), Axis("loss", (0.0, 2.0 * n))
    return line_chart(points, {"a": LineStyle("#0072B2")}, *axes)


def generated(n):
    frame = generated_table(range(n), (n + 1,), (0.5,))
    return generated_chart(frame, most=9 * n)


def curves(n):
    x = np.linspace(-n, n, 5)
    style = {"a": LineStyle("#0072B2")}
    histogram = histogram_frame(x, 4, (-n, n))
    return mixture_curves(histogram, x, {"a": x[None]}, style, highest=n)


def codes(n):
    return code_map(code_frame(np.zeros((n, 4))), reach=float(n))


def matrices(n):
    return matrix_panels(matrix_frame({"a": np.zeros((n, 8 * n))}))


def whole(spec):
    """Return each layer's encodings as Vega-Lite reads them: those of the whole, and its own."""
    return [spec.get("encoding", {}) | layer.get("encoding", {}) for layer in spec["layer"]]


def without_axes(spec):
    return [
        {
            name: {**channel, "axis": None} if name in "xy" else channel
            for name, channel in each.items()
        }
        for each in whole(spec)
    ]


def axes(spec):
    """Return what is described of axes, whole or in layers."""
    encodings = [spec.get("encoding", {}), *(layer["encoding"] for layer in spec["layer"])]
    return [
        (name, json.dumps(each[name]["axis"]))
        for each in encodings
        for name in ("x", "y")
        if each.get(name, {}).get("axis")
    ]


@pytest.mark.parametrize("draw", [line, generated, curves, codes, matrices])
def test_an_axis_that_all_layers_share_is_sent_once_and_none_is_lost(draw):
    spec = draw(2).spec
    before = json.dumps(spec)
    sent = with_axes_shared(spec)
    assert without_axes(sent) == without_axes(spec)
    assert {*axes(sent)} == {*axes(spec)}
    assert len(axes(sent)) == len({*axes(sent)}), "each is described once"
    assert json.dumps(spec) == before, "other visitors draw it too"


def test_only_what_is_alike_in_all_layers_is_shared():
    x, y, other = {"field": "x"}, {"field": "y"}, {"field": "y", "title": None}
    colour = {"field": "c"}
    spec = {"layer": [{"encoding": {"x": x, "y": y, "color": colour}}] * 2}
    sent = with_axes_shared({"layer": [*spec["layer"], {"encoding": {"x": x, "y": other}}]})
    assert sent["encoding"] == {"x": x}
    assert [list(layer["encoding"]) for layer in sent["layer"]] == [["y", "color"]] * 2 + [["y"]]
    without = with_axes_shared({"layer": [*spec["layer"], {"mark": "rule"}]})
    assert without["encoding"] == {}
