"""The page encoder-decoder: what is masked and drawn of a growing sentence, and what a visitor may type."""

import json
from dataclasses import replace

import numpy as np
import pytest

from lm_core.analysis.translation_support import LEAST_SUPPORT, growing
from lm_core.analysis.word_overlap import share_kept
from lm_core.experiments.translation.results import TranslationResults
from lm_core.experiments.translation.settings import RECIPES
from lm_core.generation.translated_words import words_of
from lm_core.text.translation_vocabulary import shipped_vocabulary
from pages.encoder_decoder import how_scored, wrong_word
from pages.shared.models.translation import (
    ATTENTION,
    EXAMPLES,
    MOST_WORDS,
    ONE_VECTOR,
    reference_of,
    translated,
)
from tests.pages import visits

PAGE = "pages/encoder_decoder/page.py"
LONG, SHORT = EXAMPLES[-1].english, EXAMPLES[0].english
LONGER, BESIDE, SIZE, WRONG = ("Growing sentence", "Side by side", "Vector size", "Wrong word")


def texts(app, label="ranslations"):
    """The texts on the page by their title: pairs of a word and how it is marked."""
    found, title = {}, None
    for element in app.get("bidi_component"):
        sent = json.loads(element.proto.json)
        if element.proto.component_name.endswith("token_strip") and label in sent["label"]:
            for token, (roles, *_) in zip(sent["tokens"], visits.tints_of(sent), strict=True):
                if roles == ["heading"]:
                    title = token.removesuffix(": ")
                    found[title] = []
                else:
                    found[title].append((token.strip(), roles))
    return found


def words(app, title, label="ranslations"):
    return [word for word, _ in texts(app, label)[title]]


def question(app):
    (radio,) = app.radio
    return radio.key.removeprefix("guess_")


def reveal(app):
    """Have the answer shown without a guess."""
    return visits.press(app, f"skip_{question(app)}")


def test_only_the_answer_is_masked_until_the_guess_which_is_then_drawn():
    app = visits.visit(PAGE)
    one, attention = (
        visits.drawn_rows(app, f"grown_{name}") for name in ("one_vector", "attention")
    )
    assert set(one["kind"]) == {"masked", "now"}
    assert one["support"].isna().all()
    assert not {"masked", "guess"} & set(attention["kind"])
    assert {tuple(roles) for _, roles in texts(app)["One vector"]} == {("masked",)}
    assert ("masked",) not in {tuple(roles) for _, roles in texts(app)["Attention"]}
    app = visits.guess(app, question(app), 0)
    rows = visits.drawn_rows(app, "grown_one_vector").set_index("kind")
    assert "masked" not in rows.index
    assert rows.loc["guess", "length"] in {len(beginning.split()) for beginning in growing(LONG)}


def known(rows):
    """Whether the English sentence has a drawn word itself: it is not invented then."""
    return rows["word"].str.lower().str.strip(".,").isin(LONG.lower().rstrip(".").split())


def test_every_length_has_its_row_and_invented_words_are_those_without_support():
    app = visits.visit(PAGE)
    rows = visits.drawn_rows(app, "grown_attention")
    drawn = rows[rows["kind"].isin(["supported", "invented"])]
    assert sorted(set(drawn["length"])) == [len(b.split()) for b in growing(LONG)]
    without_support = (drawn["support"] < LEAST_SUPPORT) & ~known(drawn)
    assert ((drawn["kind"] == "invented") == without_support).all()


def test_a_word_of_the_sentence_itself_is_not_invented_however_little_the_judge_gives_it():
    drawn = visits.drawn_rows(visits.visit(PAGE), "grown_attention")
    cafe = drawn[drawn["word"] == "café"]
    assert (cafe["support"] < LEAST_SUPPORT).any()
    assert set(cafe["kind"]) == {"supported"}


def test_a_shorter_beginning_is_drawn_when_its_step_is_chosen():
    app = visits.visit(PAGE, beginning="0")
    now = visits.drawn_rows(app, "grown_attention").set_index("kind").loc["now", "length"]
    assert now == len(growing(LONG)[0].split())
    whole = visits.visit(PAGE)
    assert words(app, "Attention") != words(whole, "Attention")
    assert words(whole, "Attention")[-1] == "(end)"


def test_another_sentence_asks_anew_and_a_short_one_asks_nothing():
    first, other = visits.visit(PAGE), visits.visit(PAGE, caption=SHORT)
    assert question(first) != question(other)
    assert not visits.visit(PAGE, caption="A dog.").radio


@pytest.mark.parametrize("part", [LONGER, BESIDE, WRONG])
@pytest.mark.parametrize(
    ("typed", "is_refused"),
    [
        ("", True),
        ("dog " * 200, True),
        ("x" * 5_000, True),
        ("dog", False),
        ("Un homme dort sur un banc.", False),
        ("A dog 😀 sleeps.", False),
        ("مرحبا بالعالم", False),
        ("<b>*dog*</b> :red[x] $y$", False),
        ("- . !", False),
    ],
)
def test_whatever_is_typed_there_is_a_picture(part, typed, is_refused):
    app = visits.visit(PAGE, part=part, caption=typed)
    assert bool(app.error) == is_refused
    assert texts(app)


def test_a_refused_sentence_keeps_the_one_before():
    app = visits.visit(PAGE, part=BESIDE, caption=SHORT)
    drawn = words(app, "One vector")
    app.text_input(key="caption").set_value("dog " * (MOST_WORDS + 1)).run()
    assert app.error
    assert words(app, "One vector") == drawn


def test_what_the_models_cannot_read_is_said():
    said = " ".join(c.value for c in visits.visit(PAGE, caption="A 😀 sleeps.").caption)
    assert "<unk>" in said


def test_bars_and_ticks_are_the_probabilities_of_both_models_words():
    app = reveal(visits.visit(PAGE, part=BESIDE, caption=SHORT))
    for name, key in ((ONE_VECTOR, "one_vector"), (ATTENTION, "attention")):
        rows = visits.drawn_rows(app, f"certainty_{key}")
        steps = translated(name, SHORT).steps
        assert rows["certainty"].iloc[-1] == pytest.approx(steps[-1].probability)
        assert rows["certainty"].min() == pytest.approx(min(s.probability for s in steps))
        assert ((rows["kind"] == "invented") == (rows["support"] < LEAST_SUPPORT)).all()
    assert visits.numbers(visits.alt(app, "context_vector"))[0] == len(
        visits.drawn_rows(app, "context_vector")
    )


def test_the_certainty_of_invented_words_waits_and_the_guess_is_a_line():
    app = visits.visit(PAGE, part=BESIDE)
    rows = visits.drawn_rows(app, "certainty_one_vector")
    assert (rows["certainty"].isna() == (rows["support"] < LEAST_SUPPORT)).all()
    assert set(rows["kind"]) == {"supported", "masked"}
    assert "masked" not in set(visits.drawn_rows(app, "certainty_attention")["kind"])
    assert "?" in visits.alt(app, "certainty_one_vector")
    app = visits.guess(app, question(app), 1)
    rows = visits.drawn_rows(app, "certainty_one_vector").set_index("kind")
    assert rows.loc["guess", "certainty"] == 0.5
    assert rows.drop("guess")["certainty"].notna().all()
    assert "guess" not in set(visits.drawn_rows(app, "certainty_attention")["kind"])


def test_a_sentence_without_an_invented_word_asks_nothing(monkeypatch):
    monkeypatch.setattr("lm_core.analysis.translation_support.LEAST_SUPPORT", 0.0)
    app = visits.visit(PAGE, part=BESIDE, caption=SHORT)
    assert not app.radio


ONE, OTHER = "One vector, teacher forcing", "Attention, teacher forcing"


def test_forced_words_come_first_and_are_marked():
    app = reveal(visits.visit(PAGE, part=WRONG, forced="Deux chiens noirs"))
    drawn = texts(app, "Translations")
    assert not any("on" in roles for _, roles in drawn["One vector, left alone"])
    for title in (ONE, OTHER):
        assert words(app, title, "Translations")[:3] == ["Deux", "chiens", "noirs"]
        assert ["on" in roles for _, roles in drawn[title]][:4] == [True, True, True, False]


def test_what_the_one_vector_model_writes_waits_and_the_guess_is_drawn_beside_it():
    app = visits.visit(PAGE, part=WRONG, forced="Deux chiens")
    drawn = texts(app, "Translations")
    assert drawn[ONE] == [("Deux", ["on"]), ("chiens", ["on"]), ("?", ["masked"])]
    assert len(drawn[OTHER]) > 3
    assert "forced_next" not in visits.charts(app)
    rows = visits.drawn_rows(app, "forced_kept").set_index("model")["share"]
    assert np.isnan(rows["one vector"])
    assert rows["attention"] >= 0.0
    app = visits.guess(app, question(app), 1)
    rows = visits.drawn_rows(app, "forced_kept").set_index("kind")
    assert rows.loc["guess", ["model", "share"]].tolist() == ["one vector", 0.5]
    kept = rows.loc["kept"].set_index("model").loc["one vector", "share"]
    following = words(app, ONE, "Translations")[2:-1]
    free = words(app, "One vector, left alone", "Translations")
    assert kept == pytest.approx(share_kept(following, free))
    assert "forced_next" in visits.charts(app)


def test_fewer_steps_show_fewer_words_after_the_beginning():
    whole, first = (
        words(reveal(visits.visit(PAGE, part=WRONG, **a)), ONE, "Translations")
        for a in ({}, {"written": "0"})
    )
    assert len(first) < len(whole)
    assert first == whole[: len(first)]


@pytest.mark.parametrize("typed", ["", "un " * 9, "x" * 200])
def test_a_beginning_that_cannot_be_read_is_refused_in_place(typed):
    app = visits.visit(PAGE, part=WRONG, forced=typed)
    assert len(app.error) == 1
    assert len(texts(app)) > 1


def test_a_part_opens_with_its_own_sentence_unless_one_was_chosen():
    app = visits.visit(PAGE)
    first = app.text_input(key="caption").value
    app.segmented_control(key="part").set_value(WRONG).run()
    assert app.text_input(key="caption").value != first
    app.text_input(key="caption").set_value(SHORT).run()
    app.segmented_control(key="part").set_value(LONGER).run()
    assert app.text_input(key="caption").value == SHORT


def test_the_model_of_scheduled_sampling_is_drawn_where_it_is_shipped(monkeypatch, tmp_path):
    (tmp_path / wrong_word.SAMPLED).mkdir()
    shipped = wrong_word.translated

    def stand_in(name, *arguments, **more):
        return shipped(ONE_VECTOR if name == wrong_word.SAMPLED else name, *arguments, **more)

    absent = visits.visit(PAGE, part=WRONG)
    monkeypatch.setattr(wrong_word, "SHIPPED", tmp_path)
    monkeypatch.setattr(wrong_word, "translated", stand_in)
    app = visits.visit(PAGE, part=WRONG)
    added = set(texts(app, "Translations")) - set(texts(absent, "Translations"))
    assert added <= {"One vector, scheduled sampling"}
    assert "One vector, scheduled sampling" in texts(app, "Translations")
    assert "sampled" in visits.drawn_rows(app, "forced_kept")["model"].tolist()


# The schedule -----------------------------------------------------------------------------------


def read(app):
    """What the decoder reads, by whether it is its own."""
    drawn = texts(app, "decoder")
    (title,) = set(drawn) - {"Right"}
    return [(word, roles == ["on"]) for word, roles in drawn[title]]


def test_the_schedule_is_the_training_configs_and_teacher_forcing_reads_what_is_right():
    config = replace(RECIPES[wrong_word.SAMPLED].training, sampled=0.8, sampled_from=0.5)
    asked = {"part": WRONG, "own_share": "80", "own_from": "50"}
    app = visits.visit(PAGE, schedule_step=str(config.steps), **asked)
    line = visits.drawn_rows(app, "schedule")
    line = line[line["kind"] == "line"]
    assert line["y"].tolist() == pytest.approx([config.sampled_at(int(x)) for x in line["x"]])
    assert any(is_own for _, is_own in read(app))
    early = visits.visit(PAGE, schedule_step=str(config.steps // 5 * 2), **asked)
    assert not any(is_own for _, is_own in read(early))
    assert [word for word, _ in read(early)] == [
        word.text for word in words_of(symbols(reference_of(early.text_input(key="caption").value)))
    ]


def symbols(text):
    return shipped_vocabulary().symbols(shipped_vocabulary().encode(text))


def with_sizes(*sizes):
    """The shipped scores, with the one vector's in place of those of these sizes."""
    shipped = TranslationResults.load()
    one = shipped.named(ONE_VECTOR)
    sweep = (replace(one, name=f"translation-context-{n}", context_size=n) for n in sizes)
    others = (model for model in shipped.models if not model.is_of_sweep)
    return replace(shipped, models=(*others, *sweep))


def ship(monkeypatch, results):
    monkeypatch.setattr(TranslationResults, "load", lambda: results)


def test_a_larger_vector_waits_for_the_guess(monkeypatch):
    ship(monkeypatch, with_sizes(512, 32, 128))
    app = visits.visit(PAGE, part=SIZE)
    rows = visits.drawn_rows(app, "sizes")
    assert set(rows[rows["kind"] == "line"]["name"]) == {"32 numbers"}
    app = visits.guess(app, "vector_size", 1)
    rows = visits.drawn_rows(app, "sizes")
    assert set(rows[rows["kind"] == "line"]["name"]) == {f"{n} numbers" for n in (32, 128, 512)}
    assert "guess" in set(rows["kind"])


def test_what_longer_trainings_reach_is_said_for_each_seed(monkeypatch):
    found = with_sizes(32, 64)
    longer = [found.named(name) for name in (ONE_VECTOR, how_scored._AS_LONG, ATTENTION)]
    again = [
        replace(model, name=f"{model.name}-seed-9", seed=9, beam=model.beam._replace(score=score))
        for model, score in zip(longer, (2.5, 3.5, 4.5), strict=True)
    ]
    sweep = (model for model in found.models if model.is_of_sweep)
    models = (*again, *longer, *sweep)
    ship(monkeypatch, replace(found, models=models))
    app = visits.visit(PAGE, part=SIZE)
    one, attention, shipped = (round(model.beam.score, 1) for model in longer)
    assert visits.shows(app, longer[0].steps, one, 2.5, 2, attention, 3.5, 2)
    assert visits.shows(app, longer[2].steps, shipped, 4.5, 2)


def test_one_size_alone_is_drawn_without_a_question(monkeypatch):
    shipped = TranslationResults.load().named(ONE_VECTOR)
    ship(monkeypatch, with_sizes())
    app = visits.visit(PAGE, part=SIZE)
    assert not app.radio
    rows = visits.drawn_rows(app, "sizes")
    line = rows[rows["kind"] == "line"]
    scores = [band.bleu.score for band in shipped.by_length]
    assert line["y"].tolist() == scores
    assert {"attention", "transformer"} <= set(rows[rows["kind"] == "reference"]["name"])
