"""The page on masked language models: what waits for a guess, gaps by link, and input that makes no sense."""

import pytest

from lm_core.experiments.masked_language_model.results import MaskedResults, SplitResults
from lm_core.experiments.masked_language_model.settings import ALL_MASKED, EIGHTY, RECIPES
from lm_core.experiments.masked_language_model.split_scores import LEFT_IN
from lm_core.training.checkpoints import SHIPPED, read_meta
from pages.masked_language_model.one_gap import EXAMPLES
from pages.masked_language_model.splits_of_a_sentence import COLOURS as OF_SPLITS
from pages.masked_language_model.subject import COLOURS
from pages.shared.charts.palette import ORANGE
from pages.shared.numbers import percent
from tests.pages.masked_language_model.test_answers import of_word
from tests.pages.visits import alt, data, drawn_rows, guess, sent_to, shows, text, visit

PAGE = "pages/masked_language_model/page.py"
GAP, GAPS, WORDS = "One gap", "Several", "Sentence"
CLASSES, SPLIT, WRITE = "Word classes", "80 / 10 / 10", "Writing"
REVEALED = {"reveal": "both_sides,gaps_together,sentence_bits,class_gain,split_left_in,gibbs_bits"}


def strip(app):
    """Return the words of the sentence as they are drawn."""
    found = sent_to(app)
    return next(part["tokens"] for part in found if "tokens" in part)


# One gap --------------------------------------------------------------------------------------


def test_only_the_right_side_waits_for_the_guess():
    app = visit(PAGE)
    waits = data(app, "gap_bars").query("stage == 'both sides'")
    assert waits["probability"].isna().all()
    assert waits[waits["is_asked"]]["is_marked"].tolist() == [True]
    drawn = drawn_rows(app, "gap_bars").query("start > 0 and header == ''")
    assert [text for text in drawn["text"] if text] == ["?"]
    app = guess(app, "both_sides", 0)
    rows = data(app, "gap_bars")
    assert list(dict.fromkeys(rows["stage"])) == ["left alone", "both sides"]
    for _, of_stage in rows.groupby("stage"):
        assert of_stage["probability"].sum() == pytest.approx(1.0, abs=1e-4)
    assert "from both sides" in text(app)


def test_the_page_opens_on_a_word_that_the_right_side_tells():
    app = visit(PAGE, **REVEALED)
    rows = data(app, "gap_bars")
    covered = rows[rows["is_marked"]].set_index("stage")["probability"]
    assert covered["both sides"] > 2 * covered["left alone"]


@pytest.mark.parametrize(
    ("word", "why"),
    [("know", "has to fit what follows"), ("shining", "either what follows speaks")],
)
def test_why_is_said_by_whether_the_right_side_helps(word, why):
    sentence = next(example for example in EXAMPLES if word in example.split())
    number = sentence.split().index(word) + 1
    app = visit(PAGE, gap_sentence=sentence, gap_word=f"{number} {word}", **REVEALED)
    left, both = (float(share) for share in of_word(sentence, number - 1))
    assert (both > left) == ("fit" in why)
    assert shows(app, why)


def test_a_link_carries_sentence_and_word_and_a_new_sentence_has_a_word_of_its_own():
    app = visit(PAGE, gap_sentence="The man went home.", gap_word="3 went", **REVEALED)
    assert strip(app) == ["The", " man", " [MASK]", " home", "."]
    app.text_input(key="gap_sentence").set_value(list(EXAMPLES)[1]).run()
    assert strip(app)[1] == " [MASK]"


def test_a_word_of_several_subwords_is_covered_wholly():
    app = visit(PAGE, gap_sentence="He saw telephones there.", gap_word="3 telephones", **REVEALED)
    n_parts = strip(app)[2].count("[MASK]")
    assert n_parts > 1
    assert f"{n_parts} subwords" in text(app)


@pytest.mark.parametrize("sentence", ["", "   ", "語語語", "word " * 59])
def test_a_sentence_that_cannot_be_read_is_answered_and_loses_nothing(sentence):
    app = visit(PAGE, **REVEALED)
    before = strip(app)
    app.text_input(key="gap_sentence").set_value(sentence).run()
    assert not app.exception
    assert "sentence" in app.error[0].value
    assert strip(app) == before


@pytest.mark.parametrize("gap", ["[MASK]", "[mask]", "<mask>", "___", "_"])
def test_a_gap_without_a_word_is_answered_with_what_to_write(gap):
    app = visit(PAGE, **REVEALED)
    before = strip(app)
    app.text_input(key="gap_sentence").set_value(f"She {gap} him.").run()
    assert "write a word in its place" in app.error[0].value
    assert strip(app) == before
    app.text_input(key="gap_sentence").set_value("She met the mask_maker.").run()
    assert not app.error


def test_a_foreign_word_in_a_link_falls_back_with_a_note():
    app = visit(PAGE, gap_word="99 nonsense", **REVEALED)
    assert "not on offer" in app.warning[0].value
    assert " [MASK]" in strip(app)


# Several gaps ---------------------------------------------------------------------------------


def test_pairs_wait_for_the_guess_and_then_have_three_ways():
    app = visit(PAGE, part=GAPS)
    rows = data(app, "gap_pairs")
    assert rows[rows["series"] != "at once"]["value"].isna().all()
    app = guess(app, "gaps_together", 0)
    assert data(app, "gap_pairs")["value"].notna().all()
    assert "Right" in text(app), "the page opens on two gaps that need each other"
    orders = app.dataframe[-1].value
    assert orders["order"].tolist()[:2] == ["at once", "left to right"]
    assert all("[MASK]" not in sentence for sentence in orders["sentence"])


def test_orders_that_agree_to_the_per_cent_prove_nothing_by_themselves():
    sentence = "They rode along the road to the village in silence."
    app = visit(PAGE, part=GAPS, gaps_sentence=sentence, **REVEALED)
    assert shows(app, "from the right, so the predictions")
    words = app.multiselect(key="gap_words").options
    app.multiselect(key="gap_words").set_value([words[1], words[9]]).run()
    assert shows(app, "nearly alike, but other words differ, so the predictions")


def test_fewer_than_two_gaps_are_answered():
    app = visit(PAGE, part=GAPS, **REVEALED)
    app.multiselect(key="gap_words").set_value([]).run()
    assert not app.exception
    assert "at least two" in app.info[0].value


# Sentence -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "said"), [("", "What follows a word helps most"), ("Telephones", "at no word")]
)
def test_where_what_follows_helps_is_said_if_it_helps(sentence, said):
    asked = {"scored_sentence": sentence} if sentence else {}
    assert shows(visit(PAGE, part=WORDS, **REVEALED, **asked), said)


def test_the_bits_of_the_words_add_up():
    app = visit(PAGE, part=WORDS, **REVEALED)
    rows = data(app, "word_bits")
    sums = rows.groupby("series", sort=False)["value"].sum()
    said = [round(value) for value in sums]
    assert shows(app, float(said[0]), "bits from the left alone", float(said[1]), "bits")
    app = visit(PAGE, part=WORDS, word_order="backwards", **REVEALED)
    turned = data(app, "word_bits")
    assert turned["label"].iloc[0] != rows["label"].iloc[0]
    assert turned["value"].sum() > rows["value"].sum()


# Measured -------------------------------------------------------------------------------------


def test_classes_wait_for_the_guess_and_show_what_was_measured():
    app = visit(PAGE, part=CLASSES)
    assert "both" not in data(app, "word_classes")
    assert drawn_rows(app, "word_classes")["value"].isna().any()
    app = guess(app, "class_gain", 0)
    every = MaskedResults.load().of_class()
    shown = data(app, "word_classes")
    assert shown["both"].iloc[0] == every.both
    assert percent(every.both) in alt(app, "word_classes")
    assert every.both > every.left


def test_splits_wait_for_the_guess_and_show_what_was_measured():
    app = visit(PAGE, part=SPLIT)
    waiting = data(app, "splits_measured")
    assert waiting["value"].isna().sum() == 3
    app = guess(app, "split_left_in", 0)
    measured = SplitResults.load()
    assert measured.of(EIGHTY, LEFT_IN).accuracy > measured.of(ALL_MASKED, LEFT_IN).accuracy
    assert "Right" in text(app)
    assert data(app, "splits_measured")["value"].notna().all()


@pytest.mark.parametrize("stands", ["[MASK]", "the word itself", "a random word"])
def test_three_models_are_asked_about_a_place(stands):
    app = visit(PAGE, part=SPLIT, split_view="Your sentence", split_place=stands)
    rows = data(app, "split_bars")
    assert len(rows["stage"].unique()) == 3
    assert ("[MASK]" in "".join(strip(app))) == (stands == "[MASK]")


@pytest.mark.parametrize(
    ("asked", "key", "colours"),
    [
        ({}, "gap_bars", COLOURS),
        ({"part": SPLIT, "split_view": "Your sentence"}, "split_bars", OF_SPLITS),
    ],
)
def test_bars_have_the_colour_that_their_model_has_in_the_other_parts(asked, key, colours):
    app = visit(PAGE, **asked, **REVEALED)
    stages = list(dict.fromkeys(data(app, key)["stage"]))
    drawn = drawn_rows(app, key).query("header == '' and not is_marked and id >= 0")
    by_panel = drawn.groupby("start")["colour"].unique()
    assert [[colours[stage]] for stage in stages] == [list(found) for found in by_panel]
    assert ORANGE not in colours.values(), "which marks what was covered"


# Writing --------------------------------------------------------------------------------------


def test_a_chain_is_walked_through_by_its_steps():
    app = visit(PAGE, part=WRITE, gibbs_step="0", **REVEALED)
    assert set(strip(app)) == {" [MASK]"}
    app = visit(PAGE, part=WRITE, gibbs_step="5", **REVEALED)
    assert strip(app).count(" [MASK]") == len(strip(app)) - 5
    app = visit(PAGE, part=WRITE, gibbs_step="32", **REVEALED)
    assert " [MASK]" not in strip(app)
    assert shows(app, "32 of 192 draws, sweep 2 of 12")


def test_the_curve_of_the_chains_waits_for_the_guess():
    app = visit(PAGE, part=WRITE)
    assert "mean of all" not in set(drawn_rows(app, "gibbs_bits")["name"])
    assert "mean of all" not in set(data(app, "gibbs_bits")["chain"])
    app = guess(app, "gibbs_bits", 0)
    assert "mean of all" in set(drawn_rows(app, "gibbs_bits")["name"])


# What is shipped ------------------------------------------------------------------------------


def test_the_models_are_small_and_those_of_the_recipes():
    shipped = [name for name in RECIPES if (SHIPPED / name).is_dir()]
    assert len(shipped) == 4
    for name in shipped:
        meta = read_meta(SHIPPED / name)
        assert meta.steps == RECIPES[name].training.steps
        assert meta.recipe["masking"]["masked"] == RECIPES[name].training.masking.masked
    n_bytes = sum((SHIPPED / name / "model.safetensors").stat().st_size for name in shipped)
    assert n_bytes < 8 * 2**20


@pytest.mark.parametrize("part", [None, GAPS])
def test_what_is_left_out_of_a_sentence_is_said_in_one_line_and_a_plain_one_has_none(part):
    name = "gap_sentence" if part is None else "gaps_sentence"
    app = visit(PAGE, **({"part": part} if part else {}), **REVEALED)
    assert "Read as" not in text(app)
    app.text_input(key=name).set_value("He saw the caf\u00e9 {there}.").run()
    assert "Read as “He saw the cafe there.”, 22 characters. 3 characters are not" in text(app)
