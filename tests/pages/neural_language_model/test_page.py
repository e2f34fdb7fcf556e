"""The page on Bengio's model: what each part draws, what it hides until a guess, and what it refuses."""

import math

import pytest

from lm_core.experiments.neural_language_model import sentences
from lm_core.experiments.neural_language_model.names import new_names
from lm_core.experiments.neural_language_model.results import NeuralLanguageModelResults
from lm_core.experiments.neural_language_model.study import CONTEXT_SIZES
from lm_core.experiments.neural_language_model.word_results import WordResults
from lm_core.experiments.published import MAKEMORE_MLP
from lm_core.models.mlp import NORMAL, SCALED, SMALL_OUTPUT
from lm_core.text import corpora
from lm_core.text.catalogue import NAMES
from lm_core.text.names import load_names, split_names
from pages.neural_language_model.book_words import FIRST
from pages.neural_language_model.few_sentences import CONTEXT
from tests.pages.playing import put
from tests.pages.visits import alt, charts, drawn_rows, guess, numbers, press, shows, visit

needs_names = pytest.mark.skipif(
    corpora.locate(NAMES.name) is None, reason="the names are not on this machine"
)
PAGE = "pages/neural_language_model/page.py"
LETTERS, SIZES, SATURATION, REAL = "Letters", "Sizes", "Saturation", "Real or not"
WORDS = "Words"
ROOMS, ROADS = {"kitchen", "garden", "door"}, {"tunnel", "city", "street"}


def answered(app, option=0):
    """Return the page after its one question was answered."""
    (question,) = [radio.key for radio in app.radio if radio.key.startswith("guess_")]
    return guess(app, question.removeprefix("guess_"), option)


# Dog and cat ----------------------------------------------------------------------------------


def expected(app):
    """Return what each stage expects, by its name and word."""
    rows = drawn_rows(app, "dog_and_cat_next")
    rows = rows[rows["text"] != ""]
    return {
        (stage, symbol): p
        for stage, symbol, p in zip(rows["stage"], rows["symbol"], rows["probability"], strict=True)
    }


def of_network(app, words):
    return sum(
        p
        for (stage, word), p in expected(app).items()
        if stage.startswith("network") and word in words
    )


def of_counts(app, n, words):
    return sum(
        p for (stage, word), p in expected(app).items() if stage == f"n = {n}" and word in words
    )


def test_counts_are_on_screen_and_the_network_waits_for_the_guess():
    app = visit(PAGE)
    assert of_counts(app, 5, ROOMS | ROADS) == 0
    assert of_counts(app, 4, ROOMS) == pytest.approx(of_counts(app, 4, ROADS)) == pytest.approx(0.5)
    asked = {word for stage, word in expected(app) if stage == "network" and word}
    assert asked - {" "} == ROOMS
    assert (
        drawn_rows(app, "dog_and_cat_next")
        .query("stage == 'network' and header == ''")["probability"]
        .dropna()
        .empty
    )
    app = answered(app, 2)
    corpus = sentences.read_sentences(sentences.SENTENCES)
    last = sentences.learn_sentences(corpus, app.number_input(key="sentence_seed").value)[-1]
    after = last.after(corpus.encode(CONTEXT))
    share = sum(after[corpus.words.index(word)] for word in ROOMS)
    assert of_network(app, ROOMS) == pytest.approx(share, abs=1e-6)
    assert share > 0.9


def test_the_guess_is_drawn_as_outlines_of_the_three_rooms():
    app = answered(visit(PAGE), 2)
    rows = drawn_rows(app, "dog_and_cat_next")
    guessed = rows[(rows["before"] > 0)]
    assert set(guessed["symbol"]) == ROOMS
    assert guessed["before"].sum() == pytest.approx(0.5)


def test_a_bus_goes_where_cars_go():
    app = visit(PAGE, words_before="the bus goes through the")
    assert not app.radio
    assert of_network(app, ROADS) > 0.9 > 0.1 > of_network(app, ROOMS)


def test_before_the_training_all_words_are_alike():
    app = visit(PAGE, words_before="the bus goes through the", sentence_frame="0")
    n_words = len(sentences.read_sentences(sentences.SENTENCES).words)
    assert of_network(app, ROADS) == pytest.approx(3 / n_words, abs=0.02)


def test_the_map_leads_from_the_rarest_word_to_its_kin_and_moves_with_the_training():
    places = []
    for frame in (0, len(sentences.FRAMES) - 1):
        rows = drawn_rows(visit(PAGE, sentence_frame=str(frame)), "dog_and_cat_map")
        role = dict(zip(rows["word"], rows["role"], strict=True))
        assert (role["cat"], role["dog"], role["car"]) == ("chosen", "near here", "far here")
        assert "." not in role
        places.append(rows[["x", "y"]].to_numpy())
    assert abs(places[0] - places[1]).max() > 0.1


def test_own_sentences_are_learned():
    app = visit(PAGE)
    app.text_area(key="sentences").set_value("kocię śpi\nszczenię śpi\nszczenię szczeka").run()
    assert not app.exception
    app.text_input(key="words_before").set_value("Kocię").run()
    assert not app.error
    rows = drawn_rows(app, "dog_and_cat_map")
    assert set(rows["word"]) == {"kocię", "śpi", "szczenię", "szczeka"}
    assert of_network(app, {"śpi"}) > 0.5


@pytest.mark.parametrize("typed", ["", "one line", "12\n34", "a b\n" + "word " * 30])
def test_sentences_that_cannot_be_used_leave_ours(typed):
    app = visit(PAGE)
    app.text_area(key="sentences").set_value(typed).run()
    assert not app.exception
    assert app.error
    assert {"cat", "dog"} <= set(drawn_rows(app, "dog_and_cat_map")["word"])


def test_of_sentences_too_long_for_the_field_no_more_is_read_than_it_holds():
    app = visit(PAGE)
    app.text_area(key="sentences").set_value("the cat sleeps\n" * sentences.MOST_CHARACTERS).run()
    assert not app.exception


@pytest.mark.parametrize("typed", ["the zebra", "", "кошка", "…", "x" * 5_000])
def test_words_that_no_sentence_has_leave_the_example(typed):
    app = visit(PAGE)
    app.text_input(key="words_before").set_value(typed).run()
    assert not app.exception
    assert app.error
    assert of_counts(app, 4, ROOMS) == pytest.approx(0.5)


# Letters --------------------------------------------------------------------------------------


def ratio_drawn(app):
    rows = drawn_rows(app, "letters_ratio")
    return rows[rows["kind"] == "line"]


@pytest.mark.parametrize("size", [2, 10])
def test_the_vowels_way_waits_for_the_guess(size):
    app = visit(PAGE, part=LETTERS, letter_numbers=str(size))
    assert len(ratio_drawn(app)) == 1
    app = answered(app)
    drawn = ratio_drawn(app)
    assert len(drawn) == len(NeuralLanguageModelResults.load().embeddings[0])
    assert drawn["y"].iloc[-1] < 0.8 * drawn["y"].iloc[0]
    rows = drawn_rows(app, "letters_ratio")
    assert (rows["kind"] == "guess").sum() == 1
    assert numbers(alt(app, "letters_ratio"))[0] == pytest.approx(
        100 * drawn["y"].iloc[-1], abs=0.5
    )


def test_all_letters_are_on_the_map_and_the_vowels_nearer_to_each_other():
    app = visit(PAGE, part=LETTERS, reveal="letters_2")
    rows = drawn_rows(app, "letters_map").set_index("word")
    assert len(rows) == 27
    assert sorted(rows[rows["group"] == "vowel"].index) == list("aeiou")


# Sizes ----------------------------------------------------------------------------------------


def test_long_contexts_wait_for_the_guess_and_then_all_trained_points_are_drawn():
    app = visit(PAGE, part=SIZES)
    rows = drawn_rows(app, "sizes_losses")
    assert rows[rows["name"] == "10 numbers"]["x"].max() == 3
    app = answered(app)
    rows = drawn_rows(app, "sizes_losses")
    for name, size in (("2 numbers", 2), ("10 numbers", 10)):
        line = rows[(rows["name"] == name) & (rows["kind"] == "line")]
        assert line["y"].tolist() == [
            NeuralLanguageModelResults.load().trained(context, size, 200).validation
            for context in CONTEXT_SIZES
        ]
    assert (rows["kind"] == "guess").sum() == 1
    dots = rows[rows["kind"] == "dot"]
    assert dots["y"].tolist() == [losses[1] for losses in MAKEMORE_MLP.values()]


@pytest.mark.parametrize(("part", "has_counts"), [("Learned from", False), ("Test", False)])
def test_other_names_have_other_losses_and_no_line_of_counts(part, has_counts):
    app = visit(PAGE, part=SIZES, names_part=part, tanh_units="50", reveal="sizes_50")
    rows = drawn_rows(app, "sizes_losses")
    assert ("Kneser-Ney" in set(rows["name"])) is has_counts
    trained = NeuralLanguageModelResults.load().trained(8, 10, 50)
    last = rows[(rows["name"] == "10 numbers") & (rows["x"] == 8) & (rows["kind"] == "line")]
    assert last["y"].item() == (trained.train if part == "Learned from" else trained.test)


# Saturation -----------------------------------------------------------------------------------


def test_the_careless_loss_waits_for_the_guess():
    app = visit(PAGE, part=SATURATION)
    lines = drawn_rows(app, "saturation_losses")
    assert set(lines[lines["kind"] == "line"]["name"]) == {"scaled"}
    app = answered(app, 3)
    lines = drawn_rows(app, "saturation_losses")
    assert set(lines[lines["kind"] == "line"]["name"]) == {"scaled", "all normal"}
    first = {
        t.config.network.initialisation: t.snapshots[0].loss
        for t in NeuralLanguageModelResults.load().starts
    }
    assert first[NORMAL] > 15
    assert first[SCALED] == pytest.approx(math.log(27), abs=0.02)
    assert first[SMALL_OUTPUT] == pytest.approx(math.log(27), abs=0.02)
    reference = lines[lines["kind"] == "reference"]
    assert reference["y"].iloc[0] == pytest.approx(3.2958, abs=1e-4)


@pytest.mark.parametrize(("title", "start"), [("small output", SMALL_OUTPUT), ("scaled", SCALED)])
def test_the_histograms_are_those_of_the_step(title, start):
    app = visit(PAGE, part=SATURATION, weight_start=title)
    of_start = {
        t.config.network.initialisation: t for t in NeuralLanguageModelResults.load().starts
    }
    for frame in (0, 10):
        put(app, "saturation_frame", frame)
        for shown in (NORMAL, start):
            rows = drawn_rows(app, f"saturation_{shown.replace('-', '_')}")
            found = of_start[shown].snapshots[frame].saturation
            assert rows["share"].tolist() == list(found.histogram)
            assert numbers(alt(app, f"saturation_{shown.replace('-', '_')}"))[0] == pytest.approx(
                100 * found.saturated, abs=0.06
            )


def test_the_shares_over_the_training_end_where_the_snapshots_do():
    app = visit(PAGE, part=SATURATION, weight_start="small output")
    rows = drawn_rows(app, "saturation_shares")
    of_start = {
        t.config.network.initialisation: t for t in NeuralLanguageModelResults.load().starts
    }
    for name, start in (("all normal", NORMAL), ("small output", SMALL_OUTPUT)):
        last = of_start[start].snapshots[-1].saturation
        for what, share in (("saturated", last.saturated), ("dead", last.dead)):
            assert rows[rows["name"] == f"{name}: {what}"]["y"].iloc[-1] == pytest.approx(
                share, rel=1e-6
            )


# Real or not ----------------------------------------------------------------------------------


def names_of(app):
    return list(app.get_by_key(pills(app)).options)


def pills(app):
    return next(g.key for g in app.button_group if g.key.startswith("real_or_not_picked"))


def test_without_the_list_the_page_says_how_to_fetch_it(monkeypatch, tmp_path):
    monkeypatch.setattr(corpora, "search_folders", lambda: [tmp_path])
    app = visit(PAGE, part=REAL)
    assert any("data fetch names" in info.value.replace("\\", "") for info in app.info)
    assert app.button_group(key="part").value == REAL


@needs_names
def test_nothing_tells_real_from_sampled_before_the_answer():
    rows = drawn_rows(visit(PAGE, part=REAL), "real_or_not_bits")
    assert len(rows) == 20
    assert set(rows["kind"]) == {"?"}


@needs_names
def test_ten_are_real_and_the_picks_are_counted():
    app = visit(PAGE, part=REAL)
    names = names_of(app)
    real = set(new_names(split_names(load_names()))) & set(names)
    made_up = [name for name in names if name not in real]
    assert (len(real), len(made_up)) == (10, 10)
    picked = [*made_up[:6], *sorted(real)[:2]]
    app.get_by_key(pills(app)).set_value(picked).run()
    app = press(app, "real_or_not_reveal")
    rows = drawn_rows(app, "real_or_not_bits").set_index("name")
    assert set(rows[rows["kind"] == "sampled"].index) == set(made_up)
    assert rows["mark"].str.startswith("✓").sum() == 20 - 4 - 2
    assert any("14 of 20" in m.value for m in app.markdown)
    known = NeuralLanguageModelResults.load().known
    copies = [name for name in made_up if known.are_trained_on([name])[0]]
    assert sorted(rows[rows["mark"].str.contains("copy")].index) == sorted(copies)
    app = press(app, "real_or_not_next")
    assert app.number_input(key="names_round").value == 2
    assert set(names_of(app)) != set(names)
    assert set(drawn_rows(app, "real_or_not_bits")["kind"]) == {"?"}


@needs_names
def test_the_same_link_asks_for_the_same_names_and_other_settings_for_others():
    first = names_of(visit(PAGE, part=REAL, names_round="5"))
    assert names_of(visit(PAGE, part=REAL, names_round="5")) == first
    assert names_of(visit(PAGE, part=REAL, names_round="5", names_context="1")) != first
    assert names_of(visit(PAGE, part=REAL, names_round="5", names_temperature="0.5")) != first


# Words ----------------------------------------------------------------------------------------


def next_words(app):
    """Return the probabilities of each model's next words by their ids, the rest left out."""
    rows = drawn_rows(app, "words_next")
    rows = rows[rows["id"] >= 0]
    return {
        stage: dict(zip(part["id"], part["probability"], strict=True))
        for stage, part in rows.groupby("stage")
    }


def test_both_models_predict_and_the_network_s_perplexity_waits_for_the_guess():
    app, found = visit(PAGE, part=WORDS), WordResults.load()
    drawn = next_words(app)
    for stage, model in (("network", found.network), ("counts, n = 3", found.counts)):
        expected = found.after(FIRST, model)
        for word, p in drawn[stage].items():
            assert p == pytest.approx(float(expected[word]), abs=1e-6)
        assert int(expected.argmax()) == max(drawn[stage], key=drawn[stage].get)
    assert set(drawn_rows(app, "words_perplexity_chart")["name"]) == {"Kneser-Ney"}
    app = answered(app)
    assert shows(app, f"{found.provenance['held_out']:,} words and ends: the network's loss minus")
    rows = drawn_rows(app, "words_perplexity_chart")
    (network,) = rows[rows["name"] == "network"]["y"]
    assert network == pytest.approx(math.exp(found.losses.network))
    (guessed,) = rows[rows["kind"] == "guess"].itertuples()
    assert guessed.y == pytest.approx(1.2 * math.exp(found.losses.kneser_ney[-1]))


def test_the_nearest_words_are_those_of_the_last_word_that_is_known():
    app = visit(PAGE, part=WORDS, book_words="the prince and a zebra")
    space, vocabulary = WordResults.load().space(), WordResults.load().vocabulary
    word = vocabulary.ids["a"]
    near = space.nearest(space.unit([word])[0], 8, exclude=[word, 0, 1])
    rows = drawn_rows(app, "words_nearest")
    assert rows["word"].tolist() == [vocabulary.words[each.id] for each in near]
    assert rows["cosine"].tolist() == pytest.approx([each.cosine for each in near])


def test_words_too_rare_for_numbers_are_predicted_from_and_have_no_neighbours():
    app = visit(PAGE, part=WORDS, book_words="zebra")
    assert next_words(app)["network"]
    assert charts(app) == ["words_next", "words_perplexity_chart"]
    assert app.info


@pytest.mark.parametrize("typed", ["", "…", "Война", "12 34"])
def test_what_has_no_words_of_the_book_leaves_the_example(typed):
    app = visit(PAGE, part=WORDS)
    before = next_words(app)
    app.text_input(key="book_words").set_value(typed).run()
    assert not app.exception
    assert app.error
    assert next_words(app) == before


def test_of_words_too_long_for_the_field_no_more_is_read_than_it_holds():
    app = visit(PAGE, part=WORDS)
    app.text_input(key="book_words").set_value("x" * 5_000).run()
    assert not app.exception
    assert next_words(app)["network"]
    assert len(alt(app, "words_next")) < 200
