"""The page on positional encoding: its five parts, what their controls change, what is refused."""

import re

import numpy as np
import pytest
import torch

from lm_core.experiments.positional_encoding.equal_words import WordComparison
from lm_core.models.positional_encoding.absolute import sinusoidal_positions
from pages.positional_encoding import encodings
from pages.positional_encoding.scores import KINDS, _scores, spread_at_equal_distance
from pages.positional_encoding.words_by_encoding import finding_of
from tests.pages import visits
from tests.pages.visits import text


def arrive(part="Equal words", **asked):
    asked = {"part": part, "reveal": "clocks,equal_words,distance,buckets,cosines", **asked}
    return visits.visit("pages/positional_encoding/page.py", **asked)


def table(app, column):
    """The first data table that has this column."""
    return next(f.value for f in app.dataframe if column in f.value)


# Equal words ----------------------------------------------------------------------------------


def outputs(app):
    """The outputs as typed and shuffled, by word: arrays of shape (times it occurs, width)."""
    return by_word(visits.data(app, "outputs_typed")), by_word(visits.data(app, "outputs_shuffled"))


def by_word(frame):
    words = {}
    for name, rows in frame.groupby("name"):
        words.setdefault(name[3:], []).append(rows["value"].to_numpy())
    return {word: np.stack(rows) for word, rows in words.items()}


def are_equal(rows):
    return np.allclose(rows, rows[0], atol=1e-5)


def test_only_the_outputs_of_equal_words_wait_for_a_guess():
    app = arrive("Equal words", reveal="")
    assert are_equal(by_word(visits.data(app, "vectors"))["can"])
    assert set(by_word(visits.data(app, "outputs_typed"))) == {"canner"}
    visits.guess(app, "equal_words", 1)
    typed, _ = outputs(app)
    assert typed["can"].shape == (3, 16)
    assert are_equal(typed["can"])
    assert are_equal(typed["a"])
    assert "outputs_apart" not in visits.charts(app), "nothing tells them apart"
    assert visits.shows(app, "can", 3, "a", 2)
    assert "**0.000**" in text(app)


@pytest.mark.parametrize("encoding", ["learned", "sinusoidal", "rotary", "ALiBi"])
def test_positions_distinguish_them(encoding):
    app = arrive(encoding=encoding)
    typed, _ = outputs(app)
    assert not are_equal(typed["can"])
    assert not are_equal(typed["a"])
    assert visits.shows(app, "can", 3, "a", 2)
    assert "**0.000**" not in text(app)
    assert not app.warning
    apart = visits.drawn_rows(app, "outputs_apart")
    assert np.abs(apart.groupby("coordinate")["value"].sum()).max() < 1e-4, "a mean is 0"
    assert visits.numbers(visits.alt(app, "outputs_apart"))[0] == round(
        apart["value"].abs().max(), 2
    )


def test_the_mask_alone_distinguishes_what_has_other_words_before_it():
    app = arrive(causal="true")
    assert not are_equal(outputs(app)[0]["can"])
    app.text_input(key="sentence").set_value("ha ha ha").run()
    assert are_equal(outputs(app)[0]["ha"])


def test_the_shuffle_moves_each_output_with_its_word():
    app = arrive(shuffle_seed="3")
    typed, shuffled = (visits.data(app, f"outputs_{order}") for order in ("typed", "shuffled"))
    assert sorted(name[3:] for name in typed["name"]) == sorted(n[3:] for n in shuffled["name"])
    assert list(typed["name"]) != list(shuffled["name"])
    before, after = outputs(app)
    for word, rows in before.items():
        assert np.allclose(after[word], rows, atol=1e-5)


def test_the_table_holds_every_encoding_with_and_without_the_mask():
    rows = table(arrive(compare="true"), "change by shuffling")
    assert len(rows) == 14
    unchanged = rows[rows["change by shuffling"] < 1e-4]
    assert unchanged[["encoding", "mask"]].values.tolist() == [["none", "none"]]


@pytest.mark.parametrize(
    ("sentence", "limits"),
    [("alone", (2, 12, 1)), ("<b>" + "x" * 30, (20,)), ("a b " * 60, (200, 240))],
)
def test_what_is_no_sentence_gets_the_limits_and_the_way_back_is_open(sentence, limits):
    app = arrive(sentence=sentence)
    assert visits.holds(app.error[0].value, *limits)
    app.text_input(key="sentence").set_value("one two").run()
    assert not app.error
    assert set(outputs(app)[0]) == {"one", "two"}


def test_words_of_both_kinds_are_named():
    def found(distinguished, identical):
        comparison = WordComparison("none", False, distinguished, identical, 0.5)
        return finding_of(comparison, ("a", "b", "a", "b"), torch.tensor([0, 1, 0, 1]))

    assert visits.holds(found((), (0,)), "a", 2)
    assert visits.holds(found((1,), ()), "b", 2)
    assert found((1,), (0,)) == f"{found((), (0,))}. {found((1,), ())}"
    assert found((0,), ()) != found((), (0,))


# Encoding vectors -----------------------------------------------------------------------------


def compared(app):
    """The two positions that are compared, how they are encoded, and the cosine of the encodings."""
    return visits.numbers(visits.alt(app, "encodings"))


def test_two_positions_are_compared():
    asked = {"width": "4", "base": "100", "first_position": "3", "second_position": "10"}
    app = arrive("Encoding vectors", positions="12", **asked)
    cosine = (np.cos(7) + np.cos(0.7)) / 2
    assert compared(app)[:4] == [3, 10, 2, round(cosine, 3)]
    app.slider(key="positions").set_value(8).run()
    assert not app.exception
    assert app.slider(key="second_position").value == 7


def test_binary_digits_are_counted():
    app = arrive("Encoding vectors", shown_encoding="binary", positions="16")
    assert set(table(app, "coordinate")["coordinate"]) == {0, 1, 2, 3}
    explanation = next(m.value for m in app.markdown if "16 positions" in m.value)
    assert re.findall(r"\d+", explanation) == ["16", "4", "15", "7", "8", "4"]


def test_slow_waves_are_only_called_slow_where_the_base_makes_them_so():
    for base in (10_000, 2):
        app = arrive("Encoding vectors", base=str(base))
        steps = sinusoidal_positions(60, 32, base).diff(dim=0).abs()
        explanation = next(m.value for m in app.markdown if m.value.startswith("Waves"))
        assert f"by up to {steps[:, :2].max():.2f} and" in explanation
        assert ("no step changes all" in explanation) == (steps[:, -2:].max() < 0.1)
    assert "at most 0.51" in explanation


def test_learned_encodings_are_offered_where_a_model_has_some(monkeypatch):
    offered = app_options(arrive("Encoding vectors"))
    assert offered == ["sinusoidal", "binary", "learned, 64 positions"]
    monkeypatch.setattr(encodings, "_learned", lambda: {"learned": np.eye(20)})
    asked = {"first_position": "2", "second_position": "2"}
    app = arrive("Encoding vectors", shown_encoding="learned", **asked)
    assert app_options(app) == ["sinusoidal", "binary", "learned"]
    assert len(table(app, "coordinate")) == 400
    assert compared(app)[:3] == [2, 2, 1]


def app_options(app):
    return app.selectbox(key="shown_encoding").options


# Shift as rotation ----------------------------------------------------------------------------


def test_the_rotation_maps_one_position_to_the_other_wherever_it_is():
    app = arrive("Shift as rotation", shift="2", pair="1", base="100", position="7")
    angle = 2 * 100**-0.25 * 180 / np.pi
    assert visits.numbers(visits.alt(app, "clocks"))[:4] == [7, 9, 1, round(angle, 1)]
    latex = app.get("latex")[0].value
    cosine, sine = np.cos(2 * 100**-0.25), np.sin(2 * 100**-0.25)
    assert rf"{cosine:.3f} & {sine:.3f} \\ {-sine:.3f} & {cosine:.3f}" in latex
    assert rf"&= \begin{{pmatrix}} {np.sin(9 * 100**-0.25):.3f}" in latex
    assert re.search(r" to (\d\s×\s)?10⁻[⁷⁸]\.", text(app))
    app.button(key="position_forward").click().run()
    assert visits.numbers(visits.alt(app, "clocks"))[:2] == [8, 10]
    assert rf"{cosine:.3f} & {sine:.3f} \\ " in app.get("latex")[0].value


def test_the_page_opens_on_equal_words_whose_outputs_wait():
    app = visits.visit("pages/positional_encoding/page.py")
    assert len(app.radio(key="guess_equal_words").options) == 3
    assert visits.numbers(visits.alt(app, "outputs_typed"))[-1] == 5  # can and a


def test_clocks_have_hands_that_keep_their_angle():
    app = arrive("Shift as rotation", reveal="")
    position, shifted, pair, angle = visits.numbers(visits.alt(app, "clocks"))[:4]
    assert (position, shifted, pair) == (3, 6, 0)
    assert angle == round(3 * 180 / np.pi, 1)
    assert not app.get("latex"), "the matrix would be the answer"
    visits.guess(app, "clocks", 1)
    assert visits.shows(app, f"{angle}")
    assert len(app.get("latex")) == 1


# Scores by distance ---------------------------------------------------------------------------


def scores(app):
    """The drawn scores: queries down, distances across."""
    return table(app, "score").pivot_table(index="query", columns="distance", values="score")


@pytest.mark.parametrize("encoding", ["sinusoidal", "rotary", "T5 buckets", "ALiBi"])
def test_with_four_encodings_only_the_distance_matters(encoding):
    app = arrive("Scores by distance", shown_encoding=encoding)
    spread = scores(app).max() - scores(app).min()
    assert spread.max() < 1e-4
    assert "**binary**" in text(app)


def test_the_other_queries_wait_for_a_guess():
    app = arrive("Scores by distance", reveal="", shown_encoding="binary")
    assert list(scores(app).index) == ["query 63"]
    visits.guess(app, "distance", 1)
    assert list(scores(app).index) == ["query 40", "query 52", "query 63"]
    assert "binary" in text(app)


def test_with_binary_digits_more_than_the_distance_matters():
    app = arrive("Scores by distance", shown_encoding="binary")
    assert (scores(app).max() - scores(app).min()).max() > 1.0
    assert visits.numbers(visits.alt(app, "scores_by_distance"))[0] == 6


def test_the_heads_of_alibi_have_slopes_of_their_own():
    app = arrive("Scores by distance", shown_encoding="ALiBi", head="2")
    assert scores(app).loc["query 63", 8] == -2.0


# T5 buckets -----------------------------------------------------------------------------------


def bucket_counts(app):
    """Pairs without a bucket, and pairs with one of the other direction (4 to 7 are ahead)."""
    frame = table(app, "bucket")
    misplaced = frame["known"] & ((frame["offset"] > 0) == (frame["bucket"] < 4))
    return int((~frame["known"]).sum()), int(misplaced.sum())


def test_the_published_rule_puts_far_keys_into_wrong_buckets():
    app = arrive("T5 buckets")
    assert bucket_counts(app) == (36, 36)
    assert visits.numbers(visits.alt(app, "buckets"))[:3] == [36, 576, 36]
    app.select_slider(key="max_distance").set_value(32).run()
    assert bucket_counts(app) == (0, 0)
    assert visits.numbers(visits.alt(app, "buckets"))[:3] == [0, 576, 0]


def test_the_rule_with_the_error_can_be_switched_off():
    app = arrive("T5 buckets")
    app.toggle(key="published_rule").set_value(False).run()
    assert bucket_counts(app) == (0, 0)
    assert "**3**" in text(app)
    assert "**7**" in text(app)
    assert "**4** and **8**" in text(app)


def test_the_rule_with_the_error_is_not_applied_before_the_guess():
    app = arrive("T5 buckets", reveal="", published_rule="true")
    assert bucket_counts(app) == (0, 0)
    visits.guess(app, "buckets", 2)
    assert bucket_counts(app) == (36, 36)
    corner = table(app, "bucket").set_index(["query", "key"])["bucket"][0, 23]
    assert corner == 8


def test_with_one_direction_the_published_rule_is_correct():
    app = arrive("T5 buckets", bidirectional="false")
    ours = table(arrive("T5 buckets", bidirectional="false", published_rule="false"), "bucket")
    assert table(app, "bucket")["bucket"].tolist() == ours["bucket"].tolist()
    assert visits.numbers(visits.alt(app, "buckets"))[:3] == [0, 576, 0]


@pytest.mark.parametrize("is_bidirectional", [True, False])
@pytest.mark.parametrize("n_buckets", [8, 16, 32])
def test_each_maximum_that_is_offered_has_a_picture_and_buckets_without_distances_are_counted(
    n_buckets, is_bidirectional
):
    asked = {"buckets": str(n_buckets), "bidirectional": str(is_bidirectional).lower()}
    each = n_buckets // 2 if is_bidirectional else n_buckets
    app = arrive("T5 buckets", published_rule="false", text_length="64", **asked)
    for maximum in app.select_slider(key="max_distance").options:
        app = arrive(
            "T5 buckets", published_rule="false", max_distance=maximum, text_length="64", **asked
        )
        assert app.select_slider(key="max_distance").value == int(maximum)
        assert not app.error
        assert not app.warning
        rows = table(app, "bucket").query("offset <= 0")
        if int(maximum) < 64:
            empty = each - rows["bucket"].nunique()
            said = re.search(r"leaves (\d+) of them without any distance", text(app))
            assert int(said[1] if said else 0) == empty


def test_a_maximum_that_the_buckets_do_not_offer_gets_a_note():
    app = arrive("T5 buckets", buckets="32", max_distance="12", bidirectional="false")
    assert "which is not on offer here" in app.warning[0].value
    assert not app.exception


# Links ----------------------------------------------------------------------------------------


def test_one_name_serves_two_parts_and_falls_back_where_its_value_is_not_offered():
    app = arrive("Scores by distance", shown_encoding="ALiBi")
    app.segmented_control(key="part").set_value("Encoding vectors").run()
    assert not app.exception
    assert app.selectbox(key="shown_encoding").value == "sinusoidal"


def test_the_answer_about_equal_words_does_not_depend_on_what_was_drawn_before():
    app = arrive("Scores by distance")
    app.segmented_control(key="part").set_value("Equal words").run()
    assert app.selectbox(key="encoding").value == "none"
    assert are_equal(outputs(app)[0]["can"])


# Beyond the trained length --------------------------------------------------------------------
BEYOND = "Beyond the trained length"


_PLACE = "position, in groups of 16"


def ends(app):
    """Return up to which position each line of the table has a loss."""
    table = visits.data(app, "beyond_length").set_index(_PLACE)
    return {name: int(table[name].last_valid_index()) for name in table}


def test_what_comes_after_the_trained_windows_waits_for_the_guess():
    app = arrive(BEYOND, reveal="")
    assert set(ends(app).values()) == {64}
    found = ends(visits.guess(app, "beyond", 0))
    assert found.pop("learned") == 64, "a learned table ends"
    assert set(found.values()) == {512}
    assert len(found) == 4


def test_the_position_that_is_read_off_is_the_one_in_the_title():
    app = arrive(BEYOND, reveal="beyond", read_to="128")
    rows = visits.drawn_rows(app, "beyond_length")
    rings = rows[rows["kind"] == "ring"]
    assert set(rings["x"]) == {128}
    assert visits.shows(app, *(round(y, 2) for y in rings["y"]))


def test_who_attends_no_farther_than_in_training_reads_on_without_a_question():
    app = arrive(BEYOND, reveal="", attends="The last 64")
    assert set(ends(app).values()) == {512}
    assert not [radio.key for radio in app.radio if radio.key == "guess_beyond"]


def test_the_learned_table_is_among_the_encodings():
    app = arrive("Encoding vectors", shown_encoding="learned, 64 positions")
    assert visits.data(app, "encodings")["position"].nunique() == 60


# Waves ----------------------------------------------------------------------------------------


def test_the_slower_pair_of_columns_waits_for_the_guess():
    app = visits.visit("pages/positional_encoding/page.py", part="Waves")
    assert list(visits.data(app, "waves").columns) == ["position i", "6: sine", "7: cosine"]
    drawn = visits.data(visits.guess(app, "wavelength", 2), "waves")
    assert visits.shows(app, "After", 63)
    codes = sinusoidal_positions(81, 32)[:, 6:10].numpy()
    assert np.allclose(drawn.iloc[:, 1:], codes, atol=1e-6)


def test_what_is_called_a_rounding_error_is_as_small_as_is_said():
    app = arrive("Scores by distance")
    assert visits.shows(app, "a hundred-thousandth and less are rounding errors")
    spreads = {kind: spread_at_equal_distance(_scores(kind, 1, 1)) for kind in KINDS}
    assert {kind for kind, spread in spreads.items() if spread > 1e-5} == {"binary"}
    assert max(spread for kind, spread in spreads.items() if kind != "binary") > 1e-6
