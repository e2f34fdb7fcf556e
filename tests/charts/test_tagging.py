"""Tags as pictures: which cell is which, what is marked, and what waits for a guess."""

import numpy as np
import pytest

from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.charts.tagging import _STRONGEST, confusion_table, tag_map, tag_table

TAGS = ("NOUN", "VERB", "DET")
SENTENCES = (("the", "walk"), ("walk",))
FOUND = (np.array([[0.1, 0.0, 0.9], [0.7, 0.3, 0.0]]), np.array([[0.2, 0.8, 0.0]]))
COUNTS = np.array([[90, 8, 2], [5, 45, 0], [0, 0, 50]])
COUNTING = np.array([[80, 20, 0], [25, 25, 0], [0, 0, 50]])


@pytest.fixture
def tags():
    return tag_table(SENTENCES, TAGS, FOUND, ((2, 0), (0,)), (1, 0)).to_pandas()


def test_every_word_has_a_cell_for_each_tag_and_a_gap_between_two_sentences(tags):
    assert tags["word"].unique().tolist() == ["00 the", "01 walk", "02 ", "03 walk"]
    assert len(tags) == 4 * len(TAGS)
    walk = tags[tags["word"] == "03 walk"].set_index("tag")
    assert walk["probability"].tolist() == [0.2, 0.8, 0.0]
    assert tags[tags["is_gap"]]["word"].unique().tolist() == ["02 "]


def test_the_best_tag_is_written_the_frequent_one_underlined_and_the_word_marked(tags):
    written = tags[tags["text"] != ""]
    assert written["text"].tolist() == ["90", "70", "80"]
    assert written["tag"].tolist() == ["DET", "NOUN", "VERB"]
    assert tags[tags["is_frequent"]]["tag"].tolist() == ["DET", "NOUN", "NOUN"]
    assert set(tags[tags["is_marked"]]["word"]) == {"01 walk", "03 walk"}


def test_a_long_sentence_has_no_numbers_in_its_cells():
    words = ("walk",) * 30
    table = tag_table((words,), TAGS, (np.tile(FOUND[1], (30, 1)),), ((0,) * 30,), (None,))
    assert set(table["text"].to_pylist()) == {""}
    assert not any(table["is_marked"].to_pylist())


def test_the_axes_of_the_map_hold_all_tags(tags):
    table = tag_table(SENTENCES, TAGS, FOUND, ((2, 0), (0,)), (1, 0))
    drawing = tag_map(table, height=200)
    assert drawing.spec["height"] == 200
    assert drawing.spec["layer"][0]["encoding"]["y"]["scale"]["domain"] == list(TAGS)


def matrix(**settings):
    words = {(0, 1): [("walk", 6), ("run", 2)]}
    return confusion_table(COUNTS, TAGS, COUNTING, words, **settings).to_pandas()


def test_a_confusion_is_shaded_by_its_share_of_the_row_and_the_diagonal_is_not():
    cells = matrix().set_index(["tag", "predicted"])
    assert cells.loc[("NOUN", "VERB"), "count"] == 8
    assert cells.loc[("NOUN", "VERB"), "counting"] == 20
    assert cells.loc[("NOUN", "VERB"), "words"] == "walk 6, run 2"
    assert cells.loc[("VERB", "NOUN"), "shade"] == 1.0  # 10 % of the verbs, 8 % of the nouns
    assert 0 < cells.loc[("NOUN", "DET"), "shade"] < cells.loc[("NOUN", "VERB"), "shade"] < 1
    assert cells.loc[("NOUN", "NOUN"), "shade"] == 0.0


def test_beside_the_matrix_is_how_often_a_tag_is_right_here_and_by_counting():
    cells = matrix().set_index(["tag", "predicted"])
    assert cells.loc[("NOUN", "right"), "share"] == pytest.approx(0.9)
    assert cells.loc[("NOUN", "counting"), "share"] == pytest.approx(0.8)


def test_where_there_is_little_room_numbers_have_three_signs_at_most():
    counts = COUNTS * 100
    table = confusion_table(counts, TAGS, counts, {}).to_pandas()
    short = table.set_index(["tag", "predicted"])["short"]
    assert short[("NOUN", "VERB")] == "800"
    assert short[("VERB", "DET")] == short[("NOUN", "NOUN")] == ""
    assert short[("NOUN", "right")] == "90"
    many = confusion_table(counts * 5, TAGS, counts, {}).to_pandas()
    assert "4k" in set(many["short"])
    assert many["short"].str.len().max() == 3
    assert "4.0k" in set(many["text"])
    assert many["text"].str.len().max() == 5


def test_a_masked_matrix_tells_nothing_off_its_diagonal():
    cells = matrix(is_masked=True)
    wrong = cells[cells["kind"] == "wrong"]
    assert set(wrong["text"]) == set(wrong["short"]) == {"?"}
    assert wrong[["count", "counting", "share"]].isna().all().all()
    assert (wrong["words"] == "").all()
    assert (wrong["shade"] == 0).all()


def test_the_guess_and_the_chosen_cell_are_marked():
    cells = matrix(guess=(0, 1), chosen=(1, 0)).set_index(["tag", "predicted"])
    guessed = cells[cells["guess"] != ""]["guess"]
    assert guessed.to_dict() == {("NOUN", "VERB"): "your guess"}
    assert cells.index[cells["is_chosen"]].tolist() == [("VERB", "NOUN")]


def luminance(colour):
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def mixed(paper, colour, share):
    parts = ([int(one[i : i + 2], 16) for i in (1, 3, 5)] for one in (paper, colour))
    return "#" + "".join(
        f"{round((1 - share) * p + share * c):02x}" for p, c in zip(*parts, strict=True)
    )


@pytest.mark.parametrize(("paper", "ink"), [("#FFFFFF", "#20242A"), ("#14171B", "#E9E7E2")])
def test_the_strongest_cells_are_legible_on_either_paper(paper, ink):
    for colour in (BLUE, VERMILLION):
        lights = luminance(mixed(paper, colour, _STRONGEST)), luminance(ink)
        assert (max(lights) + 0.05) / (min(lights) + 0.05) >= 4.5, colour
