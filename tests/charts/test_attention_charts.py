"""One number a head, and vectors: as rows and as specifications."""

import numpy as np

from pages.shared.charts.attention import heads_chart, heads_table, vectors_chart, vectors_table


def test_every_head_has_its_number_and_one_is_chosen():
    frame = heads_table(np.arange(6.0).reshape(2, 3), (1, 2)).to_pandas()
    assert len(frame) == 6
    row = frame[(frame["layer"] == 2) & (frame["head"] == 1)]
    assert row["value"].item() == 3.0
    assert frame.loc[frame["chosen"], ["layer", "head"]].to_numpy().tolist() == [[2, 3]]


def test_numbers_stand_in_the_cells_and_signed_ones_are_coloured_around_zero():
    values = np.array([[0.0, -0.5], [0.25, 1.0]])
    plain = heads_chart(heads_table(np.abs(values), (0, 0)), title="bits")
    signed = heads_chart(heads_table(values, (0, 0)), title="nats", written="+.3f")
    assert signed.data["label"].tolist() == ["+0.000", "-0.500", "+0.250", "+1.000"]
    assert signed.data["share"].tolist() == [0.0, -0.5, 0.25, 1.0]
    domains = [
        drawn.spec["layer"][0]["encoding"]["color"]["scale"]["domain"] for drawn in (plain, signed)
    ]
    assert domains[0] == [0, 1]
    assert domains[1][0] == -1


def test_heads_that_all_have_zero_are_drawn():
    drawn = heads_chart(heads_table(np.zeros((2, 2)), (0, 0)), title="nats")
    assert drawn.data["share"].tolist() == [0.0] * 4


def test_each_vector_has_colours_of_its_own_range():
    table = vectors_table({"q": np.array([1.0, -4.0]), "k": np.array([0.5, 0.0])})
    drawn = vectors_chart(table)
    assert drawn.data["share"].tolist() == [0.25, -1.0, 1.0, 0.0]
    assert drawn.data["coordinate"].tolist() == [1, 2, 1, 2]
    zero = vectors_chart(vectors_table({"v": np.zeros(3)}))
    assert zero.data["share"].tolist() == [0.0] * 3
