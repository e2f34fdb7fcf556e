"""States, gates and gradients by step, as rows and as specifications."""

import numpy as np
import pytest

from pages.inside_a_cell import gradient_matrix_chart, gradients_chart, states_chart, unrolled_chart

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")

STATES = {"c memory": np.arange(12.0).reshape(4, 3), "h state": -np.ones((4, 3))}
COLOURS = {"left: RNN": "#D55E00", "right: LSTM": "#0072B2"}


def layer_fields(drawn, channel):
    return [
        layer.get("encoding", {}).get(channel, {}).get("field") for layer in drawn.spec["layer"]
    ]


def test_every_unit_of_every_panel_has_its_value_at_every_step():
    frame = states_chart.state_table(STATES, "3141", now=1).to_pandas()
    assert len(frame) == 24
    row = frame[(frame["part"] == "c memory") & (frame["step"] == 3) & (frame["unit"] == 2)]
    assert row["value"].item() == STATES["c memory"][2, 1]
    assert row["symbol"].item() == "4"
    assert frame.loc[frame["read"], "step"].max() == 2
    assert set(frame.loc[frame["now"], "step"]) == {2}


def test_before_the_first_step_nothing_is_read_and_nothing_outlined():
    frame = states_chart.state_table(STATES, "3141", now=-1).to_pandas()
    assert not frame["read"].any()
    assert not frame["now"].any()


def test_each_band_has_its_own_range_and_its_own_place():
    table = states_chart.state_table(STATES, "3141", now=3)
    drawn = states_chart.state_map(table, {"c memory": 22.0, "h state": 1.0})
    memory, state = (drawn.data[drawn.data["part"] == part] for part in STATES)
    assert memory["shade"].max() == pytest.approx(0.5)
    assert set(state["shade"]) == {-1.0}
    assert memory["bottom"].max() < state["top"].min()
    assert "±22" in str(drawn.spec)
    assert "±1'" in str(drawn.spec)


def test_a_state_map_is_set_up_once_for_all_steps():
    drawn = [
        states_chart.state_map(
            states_chart.state_table(STATES, "3141", now), {"c memory": 1.0, "h state": 1.0}
        )
        for now in (0, 3)
    ]
    assert drawn[0].spec == drawn[1].spec


def gradients(norms, now):
    return gradients_chart.gradient_table(dict(zip(COLOURS, norms, strict=True)), "3141", now)


def test_gradients_end_at_the_output():
    frame = gradients(np.ones((2, 4)), now=2).to_pandas()
    assert frame["step"].max() == 3
    assert len(frame) == 6
    assert len(gradients(np.ones((2, 4)), now=-1)) == 0


def test_a_zero_is_a_cross_and_what_lies_off_the_axis_stays_on_it():
    table = gradients(np.array([[0.0, 1e-30, 1e-3, 1.0]] * 2), now=3)
    drawn = gradients_chart.gradient_bars(table, COLOURS, steps=4)
    first = drawn.data[drawn.data["place"] == 0]
    assert first["is_zero"].tolist() == [True, False, False, False]
    assert first["shown"].min() > drawn.data["floor"].min()
    assert first["shown"].tolist()[2:] == [1e-3, 1.0]
    assert first["norm"].tolist() == [0.0, 1e-30, 1e-3, 1.0]


def test_the_axis_stays_until_a_gradient_explodes():
    def domain(largest):
        table = gradients(np.array([[largest] * 4] * 2), now=3)
        drawn = gradients_chart.gradient_bars(table, COLOURS, steps=4)
        return drawn.spec["layer"][0]["encoding"]["y"]["scale"]["domain"]

    assert domain(1e-5) == domain(99.0) == [1e-10, 1e4]
    assert domain(1e5) == [1e-10, 1e8]
    assert gradients_chart.gradient_bars(
        gradients(np.ones((2, 4)), -1), COLOURS, steps=4
    ).data.empty


def test_two_networks_are_told_apart_by_place_and_name_not_by_colour_alone():
    same = {"left: RNN": "#D55E00", "right: RNN": "#D55E00"}
    table = gradients_chart.gradient_table({name: np.ones(4) for name in same}, "3141", 3)
    drawn = gradients_chart.gradient_bars(table, same, steps=4)
    assert set(drawn.data["place"]) == {0, 1}
    heads = [heading for heading in drawn.data["heading"] if heading]
    assert heads == ["■ left: RNN\n□ right: RNN"]


def test_an_edge_is_thicker_and_brighter_for_a_larger_gradient_and_a_zero_is_a_cross():
    norms = {"left: RNN": np.array([0.0, 1e-6, 0.1]), "right: LSTM": np.array([1e-12, 1.0, 1e9])}
    drawn = unrolled_chart.unrolled_graph(unrolled_chart.unrolled_table(norms, "314"))
    left, right = (frame for _, frame in drawn.data.groupby("network"))
    assert left["power"].tolist() == pytest.approx([-8, -6, -1])
    assert right["power"].tolist() == pytest.approx([-8, 0, 1])
    assert left["width"].is_monotonic_increasing
    assert left["label"].tolist()[0] == "×"
    assert "×" not in set(right["label"])
    assert left["end"].tolist() == ["", "", "output"]
    assert (left["next"] - left["step"]).tolist() == [1, 1, 1]


def test_of_many_edges_a_few_are_labelled_the_first_among_them():
    table = unrolled_chart.unrolled_table({"left: RNN": np.full(40, 0.01)}, "3" * 40)
    labels = unrolled_chart.unrolled_graph(table).data["label"].tolist()
    assert [i for i, label in enumerate(labels) if label] == [0, 8, 16, 24, 32]


def test_a_gradient_matrix_has_no_step_after_its_output():
    norms = np.tril(np.full((5, 5), 0.1))
    norms[4, :3] = 0.0
    table = gradient_matrix_chart.gradient_matrix_table(norms)
    frame = table.to_pandas()
    assert len(frame) == 15
    assert (frame["step"] <= frame["output"]).all()
    drawn = gradient_matrix_chart.gradient_matrix(table)
    assert drawn.data["is_zero"].sum() == 3
    assert drawn.data.loc[~drawn.data["is_zero"], "power"].unique().tolist() == [-1.0]
    assert layer_fields(drawn, "y") == ["output", "output"]
