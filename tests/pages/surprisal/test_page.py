"""The page on surprisal: what it asks, what it tints, and what it refuses."""

import re

import pytest

from lm_core.experiments.surprisal.results import (
    BOOK,
    CHARACTERS,
    KINDS,
    OWN,
    OWN_COOL,
    WORDS,
    SurprisalResults,
)
from lm_core.text.corpora import locate
from lm_core.training.checkpoints import SHIPPED, read_meta
from pages.surprisal.texts import GENERATED, MOST_CHARACTERS, SHUFFLED, TEXT
from pages.surprisal.texts import OWN as OWN_TEXT
from tests.pages import visits
from tests.pages.visits import alt, charts, guess, numbers, sent_to, shows, tints_of, visit

PAGE = "pages/surprisal/page.py"
NGRAM = read_meta(SHIPPED / "book-ngram").title
COUNTED = "n-gram, 9 characters (counted now)"
SOURCE_LSTM = read_meta(SHIPPED / "source-lstm").title


def questions(app):
    return {radio.key: radio for radio in app.radio}


def word_question(app):
    return next(r for key, r in questions(app).items() if "kinds" not in key)


def strip(app):
    """What was sent to the text's component."""

    return sent_to(app, "token_strip")[0]


def word_table(app):
    return next(f.value for f in app.dataframe if "Word" in f.value and "Place" in f.value)


def roles(app):
    return [set(tint[0]) for tint in tints_of(strip(app))]


def test_four_words_are_masked_until_the_guess_and_then_the_most_surprising_is_marked():
    app = visit(PAGE)
    asked = word_question(app)
    assert len(set(asked.options)) == 4
    assert all(word in TEXT for word in asked.options)
    masked = {
        "".join(t for t, r in zip(strip(app)["tokens"], roles(app), strict=True) if "masked" in r)
    }
    assert all(word in "".join(masked) for word in asked.options)
    assert "surprisal_words" not in charts(app), "the curve would give the answer away"
    app = guess(app, asked.key.removeprefix("guess_"), 0)
    assert not any("masked" in r for r in roles(app))
    answer = "".join(
        t for t, r in zip(strip(app)["tokens"], roles(app), strict=True) if "answer" in r
    )
    words = word_table(app)
    bits = dict(zip(words["Word"], words.iloc[:, 2], strict=True))
    assert bits[answer.strip()] == max(bits.values())


def test_colours_by_rank_have_four_classes():
    app = visit(PAGE, colour="Rank")
    assert [role for role, _ in strip(app)["legend"]] == [f"rank-{i}" for i in range(4)]
    tinted = {role for r in roles(app) for role in r if role.startswith("rank")}
    assert len(tinted) >= 3


def test_shuffled_words_cost_more_than_the_sentence_and_the_models_own_text_less_than_the_book():
    def bits(**asked):
        return numbers(alt(visit(PAGE, model=SOURCE_LSTM, **asked), "surprisal_kinds"))[0]

    assert bits() < bits(text=SHUFFLED)
    assert bits(text=GENERATED) < SurprisalResults.load().of_model("source-lstm")[BOOK].bits


def test_two_models_share_the_text_and_their_bits_stand_side_by_side():
    app = visit(PAGE, model=SOURCE_LSTM, rival=NGRAM)
    assert not [r for key, r in questions(app).items() if "kinds" not in key]
    assert set().union(*roles(app)) <= {"first", "second"}
    assert '"' not in "".join(strip(app)["tokens"]), "the second model cannot read quotes"
    assert list(word_table(app).columns[2:]) == [SOURCE_LSTM, NGRAM]


def test_the_kinds_of_text_wait_for_a_guess():
    app = visit(PAGE, model=SOURCE_LSTM)
    (name,) = [name for name in visits.questions(app) if "kinds" in name]
    assert "surprisal_ranks" not in charts(app)
    scores = SurprisalResults.load().of_model("source-lstm")
    assert f"{scores[OWN].bits:.2f}" not in alt(app, "surprisal_kinds")
    app = guess(app, name)
    assert shows(app, "Not quite", "In bits a character")
    assert f"{scores[OWN].bits:.2f}" in alt(app, "surprisal_kinds")
    assert all(title in alt(app, "surprisal_kinds") for title in KINDS.values())
    assert "surprisal_ranks" in charts(app)


@pytest.mark.parametrize("typed", ["", "   ", "日本語"])
def test_a_text_that_cannot_be_read_is_named_and_the_controls_stay(typed):
    app = visit(PAGE, text=OWN_TEXT)
    app.text_area(key="own_text").set_value(typed).run()
    assert not app.exception
    assert len(app.error) == 1
    assert app.selectbox(key="model").options
    assert strip(app)["tokens"] == strip(visit(PAGE))["tokens"], "our text stays on screen"


def test_a_long_text_is_scored_whole_and_drawn_in_passages():
    app = visit(PAGE, text=OWN_TEXT, model=NGRAM)
    long = ("The prince looked at the countess. " * 600)[:MOST_CHARACTERS]
    app.text_area(key="own_text").set_value(long).run()
    assert not app.exception
    assert len(strip(app)["tokens"]) == 2_000
    first = strip(app)["tokens"]
    app.select_slider(key="passage").set_value(2_000).run()
    assert strip(app)["tokens"] == list(long[2_000:4_000]) != first


def test_markup_is_only_ever_text():
    app = visit(PAGE, text=OWN_TEXT, model=NGRAM)
    app.text_area(key="own_text").set_value("**bold** <b>x</b> ![a](https://b) " * 12).run()
    assert not app.exception
    assert not any("https://b" in element.value for element in app.markdown)


needs_novels = pytest.mark.skipif(
    not locate("gutenberg/emma"), reason="the book or the novels are not on this machine"
)


@needs_novels
def test_a_model_that_is_not_shipped_writes_its_own_text():
    app = visit(PAGE, model=COUNTED, text=GENERATED)
    text = "".join(strip(app)["tokens"])
    assert len(text) > 500
    assert text not in SurprisalResults.load().written.values()


@needs_novels
def test_a_model_that_is_not_shipped_is_scored_on_demand():
    app = visit(PAGE, model=COUNTED)
    assert "surprisal_kinds" not in charts(app)
    app = app.button(key="score_kinds").click().run()
    (name,) = [name for name in visits.questions(app) if "kinds" in name]
    app = guess(app, name)
    shown = map(float, re.findall(r"([\d.]+) bits", alt(app, "surprisal_kinds")))
    bits = dict(zip(["the text", *KINDS], shown, strict=True))
    assert bits[OWN_COOL] < bits[OWN] < bits[BOOK] < bits[WORDS] < bits[CHARACTERS]


@pytest.mark.parametrize("name", ["source-lstm", "book-lstm"])
def test_the_order_of_kinds_is_that_of_their_bits_and_is_not_on_offer(name):
    app = visit(PAGE, model=read_meta(SHIPPED / name).title)
    (asked,) = [asked for asked in visits.questions(app) if "kinds" in asked]
    offered = app.multiselect(key=f"guess_{asked}").options
    scored = SurprisalResults.load().of_model(name)
    bits = {title: scored[kind].bits for kind, title in KINDS.items() if title in offered}
    order = sorted(bits, key=bits.get)
    assert offered != order
    app.multiselect(key=f"guess_{asked}").set_value(order).run()
    app = visits.press(app, f"reveal_{asked}")
    assert shows(app, "Right", "In bits a character")
