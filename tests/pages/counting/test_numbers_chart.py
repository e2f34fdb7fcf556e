"""The charts on learning to count: the prompt and what is generated."""

import pytest

from pages.counting.numbers_chart import generated_chart, generated_table

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")


def test_a_generated_number_is_one_more_or_not():
    frame = generated_table((7, 9), (10, 11, 50), (0.9, 0.8, 0.1)).to_pandas()
    assert frame["part"].tolist() == ["prompt", "prompt", "one more", "one more", "another"]
    assert frame["position"].tolist() == [1, 2, 3, 4, 5]
    assert frame["probability"].isna().tolist() == [True, True, False, False, False]


def test_long_rows_lose_their_labels_not_their_points():
    short, long = (
        generated_chart(generated_table(range(n), (1,), (0.5,)), most=127) for n in (20, 60)
    )
    assert short.data["label"].iloc[-1] == "1"
    assert set(long.data["label"]) == {""}
    assert len(long.data) == 61
