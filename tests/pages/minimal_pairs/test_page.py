"""The page on minimal pairs: what waits for the guess, what is drawn, and sentences of one's own."""

import pytest

from lm_core.experiments.minimal_pairs import our_pairs
from lm_core.experiments.minimal_pairs.measuring import reader_of
from lm_core.experiments.minimal_pairs.results import PHENOMENA, PUBLISHED, MinimalPairResults
from lm_core.experiments.minimal_pairs.unigram import UNIGRAM
from lm_core.training.checkpoints import SHIPPED, read_meta
from pages.minimal_pairs.models import _SHOWN, STEPS_OF
from pages.shared.models.book_models import BEST_WRITER
from pages.shared.models.language_models import _MOST_BYTES, _WEIGHT_BYTES
from tests.pages.visits import alt, data, drawn_rows, guess, questions, shows, text, visit

PAGE = "pages/minimal_pairs/page.py"
OWN = {"phenomenon": "Your own two sentences"}
BEST, ONE_BOOK = "transformer, 33 books", "transformer, 1 book"
BEST_TITLE = read_meta(SHIPPED / BEST_WRITER).title


@pytest.fixture(scope="module")
def results():
    return MinimalPairResults.load()


def answered(app):
    (question,) = questions(app)
    return guess(app, question)


def lines(app, key):
    rows = drawn_rows(app, key)
    return {
        name: rows[(rows["name"] == name) & (rows["kind"] == "line")] for name in {*rows["name"]}
    }


def test_only_single_words_are_drawn_before_the_guess(results):
    app = visit(PAGE)
    pair = our_pairs.OUR_PAIRS[our_pairs.AGREEMENT][0]
    drawn = {name for name, rows in lines(app, "pair_by_word").items() if len(rows)}
    assert drawn == {"unigram"}
    assert BEST not in alt(app, "pair_by_word")
    app = answered(app)
    found = results.bits_of(pair.good)[BEST_WRITER]
    ahead = sum(found.bad) - sum(found.good)
    assert lines(app, "pair_by_word")[BEST]["y"].iloc[-1] == pytest.approx(ahead, abs=1e-3)
    assert shows(app, BEST_TITLE, f"{2**ahead:.0f}", "times")
    assert shows(app, "were / was")


def test_the_words_stand_along_the_axis_and_in_the_table():
    app = answered(visit(PAGE))
    chart = app.get("vega_lite_chart")[0]
    assert (
        '[\\"The\\", \\"ladies\\", \\"at\\", \\"the\\", \\"ball\\", \\"were / was\\"'
        in chart.proto.spec
    )
    assert data(app, "pair_by_word")["words"].tolist()[:3] == ["The", "ladies", "at"]


@pytest.mark.parametrize("phenomenon", our_pairs.PHENOMENA_OF_OURS)
def test_every_prepared_pair_can_be_chosen(phenomenon):
    app = visit(PAGE, phenomenon=our_pairs.PHENOMENA_OF_OURS[phenomenon])
    pairs = app.selectbox(key="pair")
    assert len(pairs.options) == len(our_pairs.OUR_PAIRS[phenomenon])
    app = pairs.select_index(len(pairs.options) - 1).run()
    assert not app.exception
    assert our_pairs.OUR_PAIRS[phenomenon][-1].good.split()[0] in text(app)


def test_own_sentences_are_read_by_every_model():
    app = visit(PAGE, **OWN)
    app.text_input(key="sentence_1").set_value("The cats sleep.").run()
    app = answered(app.text_input(key="sentence_2").set_value("The cats sleeps.").run())
    reader = reader_of(STEPS_OF)
    good, bad = map(reader.bits_by_word, ("The cats sleep.", "The cats sleeps."))
    drawn = lines(app, "pair_by_word")[ONE_BOOK]["y"].tolist()
    assert drawn == pytest.approx([0.0, 0.0, sum(bad) - sum(good)], abs=1e-3)


def test_the_models_that_it_opens_on_are_kept_together():
    names = [name for name in _SHOWN if name != UNIGRAM]
    parameters = sum(read_meta(SHIPPED / name).parameter_count for name in names)
    assert _WEIGHT_BYTES * parameters <= _MOST_BYTES, "each typed sentence would load them anew"


@pytest.mark.parametrize("typed", ["The ladies at the ball were laughing.", "   ", "Война"])
def test_what_is_no_pair_is_said_and_the_last_one_stays(typed):
    app = visit(PAGE, **OWN)
    app.text_input(key="sentence_2").set_value(typed).run()
    assert not app.exception
    assert app.error
    assert "**was**" in text(app)


def test_a_typed_sentence_is_no_markdown():
    app = visit(PAGE, **OWN)
    app.text_input(key="sentence_2").set_value(
        'The "ladies" at **the** ball was $x$ laughing.'
    ).run()
    assert not app.exception
    assert "**the**" not in text(app)
    assert "ladies at the ball" in text(app)


@pytest.mark.parametrize("between", our_pairs.BETWEEN)
def test_how_far_apart_is_what_was_measured(results, between):
    app = visit(PAGE, part="Words between", between=our_pairs.BETWEEN[between])
    assert not len(lines(app, f"pairs_apart_{between.replace('-', '_')}").get(BEST, ()))
    app = answered(app)
    scores = results.by_distance(BEST_WRITER, between)
    drawn = lines(app, f"pairs_apart_{between.replace('-', '_')}")[BEST]
    assert drawn["x"].tolist() == [score.words for score in scores]
    assert drawn["y"].tolist() == pytest.approx([score.right for score in scores], abs=1e-3)


def test_models_of_one_book_go_by_the_nearest_noun(results):
    best, one_book = (
        results.by_distance(name, our_pairs.OTHER) for name in (BEST_WRITER, STEPS_OF)
    )
    assert min(score.right for score in best) > 0.7
    assert max(score.right for score in one_book) < 0.2


def test_phenomena_wait_for_the_guess_and_stand_beside_the_papers(results):
    app = visit(PAGE, part="Phenomena")
    rows = data(app, "pairs_by_phenomenon")
    assert "33 books" not in set(rows["who"])
    assert {"1 book", "paper: GPT-2", "one person"} <= set(rows["who"])
    app = answered(app)
    rows = data(app, "pairs_by_phenomenon").set_index(["phenomenon", "who"])["right"]
    found = results.by_phenomenon(BEST_WRITER)
    for name, title in PHENOMENA.items():
        row = title.partition(" (")[0]
        assert rows[row, "33 books"] == found[name].right
        assert rows[row, "one person"] == PUBLISHED[name].people
    assert shows(app, "islands", round(100 * found["island_effects"].right))


def test_steps_of_a_training_are_drawn_after_the_guess(results):
    app = visit(PAGE, part="During training")
    assert all(
        not len(rows)
        for name, rows in lines(app, "pairs_while_learning").items()
        if name in PHENOMENA.values()
    )
    app = answered(app)
    drawn = lines(app, "pairs_while_learning")["determiner and noun"]
    steps = [80, 200, 400, 1600]
    assert drawn["x"].tolist() == steps
    names = [f"{STEPS_OF}-step-{step}" for step in steps[:-1]] + [STEPS_OF]
    expected = [results.by_phenomenon(name)["determiner_noun_agreement"].right for name in names]
    assert drawn["y"].tolist() == pytest.approx(expected, abs=1e-3)
