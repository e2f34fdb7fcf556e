"""The diagrams, letters and probabilities of networks between vectors and sequences."""

import re

import numpy as np
import pytest

from pages.sequence_models.letters_chart import letters_chart, letters_table, probability_lines
from pages.sequence_models.unrolled_network_chart import Unrolled, unrolled_chart, unrolled_table

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")


def arrows(frame):
    shown = frame[frame["kind"] == "arrow"]
    return {
        tuple(np.round([r.x, r.y, r.x2, r.y2]).astype(int).tolist()) for r in shown.itertuples()
    }


def labels(frame, role):
    return frame.loc[frame["role"] == role, "label"].tolist()


def test_inputs_lead_through_the_states_to_outputs():
    frame = unrolled_table(Unrolled(("a", "b"), ("", "p"))).to_pandas()
    assert labels(frame, "input") == ["a", "b"]
    assert labels(frame, "output") == ["p"]
    assert arrows(frame) == {(0, 0, 0, 1), (1, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 2)}


def test_the_mean_has_an_arrow_from_every_state():
    frame = unrolled_table(Unrolled(("a", "b"), ("", "p"), pooled=True)).to_pandas()
    assert (0, 1, 1, 2) in arrows(frame)


def test_a_second_row_of_states_reads_from_the_end():
    frame = unrolled_table(Unrolled(("a", "b"), ("", "p"), backwards=True)).to_pandas()
    assert (1, 2, 0, 2) in arrows(frame)
    assert labels(frame, "state") == ["h"] * 4


def test_the_decoders_first_state_is_named():
    frame = unrolled_table(Unrolled(("a", "b"), ("", "p"), decoder_from=1)).to_pandas()
    assert labels(frame, "state") == ["h", "h'"]


def test_a_longer_network_does_not_shrink_a_shorter_ones_boxes():
    short, long = (unrolled_chart(unrolled_table(Unrolled(("a",) * n, ("",) * n))) for n in (3, 12))
    domains = [c.spec["layer"][0]["encoding"]["x"]["scale"]["domain"] for c in (short, long)]
    assert domains == [[-0.6, 7.6], [-0.6, 11.6]]


def test_every_letter_of_every_step_has_its_cell_and_one_is_chosen():
    rows = [[0.1, 0.6, 0.3], [0.8, 0.1, 0.1]]
    table = letters_table(["a", ""], rows, "ab")
    frame = table.to_pandas()
    assert len(frame) == 6
    assert frame.loc[frame["chosen"], ["step", "letter", "probability"]].values.tolist() == [
        ["01 a", "a", 0.6],
        ["02 ⊣", "⊣", 0.8],
    ]
    assert frame.groupby("step")["probability"].sum().tolist() == pytest.approx([1.0, 1.0])
    scale = letters_chart(table).spec["layer"][0]["encoding"]["color"]["scale"]
    assert scale["domain"] == [0, 1]


def test_probabilities_are_lines_over_their_characters():
    values = {"one": [0.1, 0.5, 0.9], "two": [0.4, 0.4, 0.4]}
    drawing = probability_lines("a b", values, title="speech")
    data = drawing.data
    lines = data[data["kind"] == "line"]
    assert lines.groupby("name")["y"].apply(list).to_dict() == values
    assert lines.groupby("name")[["colour", "dash"]].first().nunique().tolist() == [2, 2]
    below = data[data["kind"] == "character"]
    assert below[["x", "name"]].values.tolist() == [[1, "a"], [2, "·"], [3, "b"]]


def test_more_characters_need_a_wider_chart():
    drawn = [
        probability_lines("a" * n, {"one": [0.5] * n}, title="speech").spec["layer"][-1]
        for n in (10, 50)
    ]
    narrow, wide = (
        int(re.search(r"width >= (\d+)", str(layer["transform"]))[1]) for layer in drawn
    )
    assert wide == 5 * narrow > 0
    assert "data" not in drawn[0]
