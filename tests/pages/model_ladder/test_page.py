"""The page of the ladder: what each part draws, what it hides until a guess, and what it refuses."""

import itertools
import re

import pytest

from lm_core.experiments.model_ladder.families import NGRAM, models_to_score
from lm_core.experiments.model_ladder.results import CONTEXTS, LadderResults
from lm_core.experiments.war_and_peace.results import BookLosses
from lm_core.training.checkpoints import SHIPPED, read_meta
from pages.model_ladder.differences import EXAMPLE, MOST_CHARACTERS, OWN
from pages.model_ladder.ladder_models import short_title
from pages.model_ladder.same_prompt import PROMPT
from tests.pages.visits import alt, drawn_rows, guess, numbers, sent_to, tints_of, visit

PAGE = "pages/model_ladder/page.py"
TEXTS, DIFFERENCES, CONTEXT = "Same prompt", "Where they differ", "Context"


def strips(app):
    """Return what the strips of the page hold."""
    return sent_to(app, "token_strip")


def answered(app, option=0):
    """Return the page after its one question was answered."""
    (question,) = [radio.key for radio in app.radio if radio.key.startswith("guess_")]
    return guess(app, question.removeprefix("guess_"), option)


def verdict(app):
    return next(e.value for e in app.markdown if "badge" in e.value)


def table(app):
    return next(f.value for f in app.dataframe if "± paired" in f.value)


# Ladder ---------------------------------------------------------------------------------------


def test_every_rung_is_drawn_but_the_one_that_is_asked_for():
    app, shipped = visit(PAGE), LadderResults.load()
    asked = shipped.named("ngram-9")
    assert set(drawn_rows(app, "ladder_rungs")["model"].dropna()) == {
        rung.title for rung in shipped.rungs if rung != asked
    }
    assert asked.title not in set(table(app)["model"])
    drawn = drawn_rows(app, "ladder_rungs").dropna(subset="model")
    losses = {rung.title: rung.loss for rung in shipped.rungs}
    wanted = [losses[title] - 1.0 for title in drawn["model"]]
    assert list(drawn["above"]) == pytest.approx(wanted), "none is cut off by the axis"
    app = answered(app)
    rows = drawn_rows(app, "ladder_rungs")
    assert set(rows["model"].dropna()) == {rung.title for rung in shipped.rungs}
    (guessed,) = rows[rows["kind"] == "guess"].itertuples()
    assert guessed.parameters == asked.parameters
    assert guessed.above == pytest.approx(shipped.named("source-lstm").loss + 0.2 - 1.0)


def test_the_difference_of_two_models_is_paired():
    shipped = LadderResults.load()
    first, second = shipped.named("source-lstm+ngram-9"), shipped.named("book-lstm")
    app = answered(visit(PAGE, model=first.title, rival=second.title))
    apart = second.minus(first)
    told = numbers(verdict(app))
    assert {round(apart.nats, 3), round(apart.standard_error, 3)} <= set(told)
    assert "orange-badge" in verdict(app)
    app = answered(visit(PAGE, model=first.title, rival=second.title), 2)
    assert "green-badge" in verdict(app), "0.003 nats apart is about as much"


def test_a_model_is_never_compared_with_itself():
    title = LadderResults.load().named("ngram-9").title
    app = visit(PAGE, model=title, rival=title)
    assert title not in app.selectbox(key="rival").options
    assert app.selectbox(key="rival").value != "ngram-9"


# Same prompt ----------------------------------------------------------------------------------


def test_all_models_go_on_from_one_prompt_unnamed_until_the_guess():
    app = visit(PAGE, part=TEXTS)
    n = len(models_to_score())
    prompts = {"".join(s["tokens"][: s["prompt_length"]]) for s in strips(app)}
    assert (len(strips(app)), prompts) == (n, {PROMPT})
    titles = {meta.title for meta in models_to_score()}
    labels = [strip["label"] for strip in strips(app)]
    assert not any(title in label for title in titles for label in labels)
    app = answered(app)
    labels = [strip["label"] for strip in strips(app)]
    assert all(any(title in label for label in labels) for title in titles)
    assert sum("your guess" in label for label in labels) == 1


def test_a_presenter_sees_the_texts_of_the_best_the_worst_and_one_between():
    app = visit(PAGE, part=TEXTS, present="1")
    assert len(strips(app)) == 3
    labels = [strip["label"] for strip in strips(answered(app))]
    scored = LadderResults.load()
    by_loss = sorted(models_to_score(), key=lambda meta: scored.named(meta.name).loss)
    for meta in (by_loss[0], by_loss[-1]):
        assert any(meta.title in label for label in labels)


@pytest.mark.parametrize("prompt", ["", "Война", "x" * 3_000], ids=["empty", "foreign", "long"])
def test_a_prompt_that_cannot_be_read_leaves_texts_on_screen(prompt):
    app = visit(PAGE, part=TEXTS)
    app.text_input(key="prompt").set_value(prompt).run()
    assert not app.exception
    assert len(strips(app)) == len(models_to_score())
    assert all(strip["prompt_length"] for strip in strips(app))


# Where they differ ----------------------------------------------------------------------------


def test_a_text_is_tinted_by_the_model_that_expected_each_character_more():
    title = read_meta(SHIPPED / "book-ngram").title
    app = visit(PAGE, part=DIFFERENCES, text=OWN, rival=title)
    (strip,) = strips(app)
    assert "".join(strip["tokens"]) == EXAMPLE
    assert not any(roles for roles, *_ in tints_of(strip))
    app = answered(app)
    (strip,) = strips(app)
    assert {role for roles, *_ in tints_of(strip) for role in roles} == {"first", "second"}
    for roles, _, reading in tints_of(strip):
        ours, theirs = map(float, re.match(r"([\d.]+) nats for .*, ([\d.]+) for", reading).groups())
        if abs(ours - theirs) > 0.02:
            assert roles == (["first"] if ours < theirs else ["second"])
    assert len(drawn_rows(app, "ladder_places")) == 4, "three places and the band"


@pytest.mark.parametrize("text", ["", "Война"], ids=["empty", "foreign"])
def test_a_text_that_cannot_be_read_leaves_the_example_on_screen(text):
    app = visit(PAGE, part=DIFFERENCES, text=OWN)
    app.text_area(key="own_text").set_value(text).run()
    assert not app.exception
    assert app.error
    assert "".join(strips(app)[0]["tokens"]) == EXAMPLE


def test_of_a_text_that_is_too_long_no_more_is_read_than_the_field_holds():
    app = visit(PAGE, part=DIFFERENCES, text=OWN)
    app.text_area(key="own_text").set_value("to be " * 3_500).run()
    assert not app.exception
    assert 0 < len(strips(app)[0]["tokens"]) <= MOST_CHARACTERS


# Context --------------------------------------------------------------------------------------


def test_the_asked_network_waits_for_the_guess_and_the_guess_lies_on_the_n_grams():
    app, shipped = visit(PAGE, part=CONTEXT), LadderResults.load()
    asked = shipped.named("book-lstm")
    hidden = set(drawn_rows(app, "ladder_context")["name"])
    assert asked.title not in hidden
    app = answered(app, 2)
    rows = drawn_rows(app, "ladder_context")
    drawn = rows[rows["name"] == asked.title]
    assert tuple(drawn["x"]) == CONTEXTS
    assert tuple(drawn["y"] + 1) == pytest.approx(asked.by_context)
    (guessed,) = rows[rows["kind"] == "guess"].itertuples()
    assert (guessed.x, guessed.y) == (16, pytest.approx(shipped.best_counted()[4] - 1))
    assert "green-badge" in verdict(app)
    counted = [r.title for r in shipped.rungs if r.family == NGRAM]
    longest = max(int(n) for title in counted for n in re.findall(r"\d+", title))
    assert f"counts look back at {longest} characters at most" in verdict(app)
    assert asked.title in alt(app, "ladder_context")


def test_a_model_of_subwords_is_drawn_where_its_tokens_find_room():
    shipped = LadderResults.load()
    asked = shipped.named("subword-transformer")
    app = answered(visit(PAGE, part=CONTEXT, reader=asked.title))
    rows = drawn_rows(app, "ladder_context")
    drawn = rows[rows["name"] == short_title(asked)]
    assert tuple(drawn["x"]) == CONTEXTS[4:] == tuple(sorted(asked.of_contexts))
    assert tuple(drawn["y"] + 1) == pytest.approx(asked.by_context)
    first, last = (round(asked.of_contexts[context], 2) for context in (16, 256))
    assert numbers(alt(app, "ladder_context"))[-2:] == [first, last]


def test_of_the_mixtures_only_the_chosen_one_is_drawn():
    shipped = LadderResults.load()
    first, second = (shipped.named(f"{name}+ngram-9") for name in ("book-lstm", "source-lstm"))
    assert short_title(first) not in names_drawn(answered(visit(PAGE, part=CONTEXT)))
    names = names_drawn(answered(visit(PAGE, part=CONTEXT, reader=first.title)))
    assert short_title(first) in names
    assert short_title(second) not in names


def names_drawn(app):
    return set(drawn_rows(app, "ladder_context")["name"])


def test_larger_models_mostly_have_a_lower_loss():
    shipped = LadderResults.load()
    losses = [rung.loss for rung in sorted(shipped.rungs, key=lambda rung: rung.parameters)]
    pairs = list(itertools.combinations(losses, 2))
    assert sum(larger < smaller for smaller, larger in pairs) / len(pairs) > 0.85
    for second, said in (("ngram-9", "but not always: "), ("book-lstm", "as here: ")):
        app = answered(visit(PAGE, rival=shipped.named(second).title))
        assert said in next(e.value for e in app.markdown if "Larger models" in e.value)


def test_the_paired_error_is_the_smaller_one_but_beside_the_two_models_that_the_table_names():
    rows = table(answered(visit(PAGE)))
    worse = rows[rows["± paired"] > rows["± block"]]
    assert set(worse["model"]) == {"unigram", "n-gram, 1 character, all counts"}


def test_models_with_quotes_stand_beside_the_ladder_with_what_they_have_read():
    app = answered(visit(PAGE))
    rows = next(f.value for f in app.dataframe if "has read" in f.value).set_index("model")
    losses = {row.title: row for row in BookLosses.load().rows if row.text == "full"}
    assert set(rows.index) == set(losses)
    assert rows["loss"].to_dict() == {t: row.losses["B'"].nats for t, row in losses.items()}
    assert rows["has read"].tolist() == ["33 books", "War and Peace", "War and Peace"]
