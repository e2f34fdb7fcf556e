"""The page on words that are alike: what each part says, what it asks first, what it refuses."""

import json
import math
import re
from urllib.parse import parse_qsl

import pytest
import torch

from lm_core.analysis.neighbourhood_preservation import neighbourhood_preservation
from lm_core.analysis.principal_components import principal_components
from lm_core.analysis.word_space import WordSpace, unit_vectors
from lm_core.experiments.clustering.word_points import word_clusters
from lm_core.rng import generator
from lm_core.training import checkpoints
from lm_core.training.checkpoints import load_checkpoint
from pages.embeddings import files, library, why
from pages.shared.components.word_space import checked_angle
from tests.pages.small_vectors import WORDS, save_small_vectors
from tests.pages.visits import press, text, visit

PAGE = "pages/embeddings/page.py"


@pytest.fixture(autouse=True)
def shelf(tmp_path, monkeypatch):
    folder = tmp_path / "vectors"
    save_small_vectors(folder)
    monkeypatch.setattr(checkpoints, "SHIPPED", folder)
    monkeypatch.setattr(library, "SNAPSHOT_WORDS", len(WORDS) - 1)
    return folder


def arrive(**asked):
    return visit(PAGE, **asked)


def spaces(folder, name="library-skip-gram", subtract_mean=False):
    vectors = load_checkpoint(folder / name).model
    return [
        WordSpace.of(vectors.vocabulary, table.detach(), subtract_mean=subtract_mean)
        for table in (vectors.input, vectors.output)
    ]


def nearest(space, word, n=10):
    i = space.vocabulary.ids[word]
    found = space.nearest(space.vectors[i] - space.origin, n, exclude=[i])
    return [(space.vocabulary.words[each.id], each.cosine) for each in found]


# Neighbours -----------------------------------------------------------------------------------


def test_both_tables_name_their_nearest_and_say_what_they_are(shelf):
    app = arrive(word="father", other="rain")
    for table, space in zip(("input", "output"), spaces(shelf), strict=True):
        word, cosine = nearest(space, "father")[0]
        assert f"{table}: nearest to father is {word}, cosine {cosine:.3f}" in text(app)
        pair = space.pair(*(space.vocabulary.ids[w] for w in ("father", "rain")))
        formula = next(x.value for x in app.get("latex") if rf"\text{{{table}}}" in x.value)
        numbers = [f"{n:.3f}" for n in (pair.dot, *pair.lengths, pair.cosine)]
        assert re.findall(r"-?\d+\.\d{3}", formula) == numbers
    assert "father as the word in the middle, which is read" in text(app)
    assert "The source's father, from WikiText-2: context mother 0.766" in text(app)
    assert "each of 4,056 words; the loss fell from 5.389 nats in the first of 7 passes" in text(
        app
    )
    app = arrive(model="Small CBOW")
    assert "king as a neighbour, which is read" in text(app)
    assert "CBOW reads the neighbours" in text(app)
    assert not app.warning


def test_the_mean_is_asked_about_first_and_taken_off_by_the_switch_alone(shelf):
    app = arrive()
    assert "The mean cosine of two words drawn blindly" not in text(app)
    app.radio(key="guess_mean").set_value("About 0 in both tables").run()
    app.button(key="reveal_mean").click().run()
    for plain, centred in zip(spaces(shelf), spaces(shelf, subtract_mean=True), strict=True):
        said = f"**{plain.mean_cosine():.3f}**, with the mean off {centred.mean_cosine():.3f}"
        assert said in text(app)
    plain, centred = (spaces(shelf, subtract_mean=off)[1].pair(0, 1).cosine for off in (0, 1))
    assert f"its cosine with queen goes from {plain:.3f} to {centred:.3f}" in text(app)
    assert f"\\mathbf{{{plain:.3f}}}" in app.get("latex")[1].value
    app.toggle(key="subtract_mean").set_value(True).run()
    assert f"\\mathbf{{{centred:.3f}}}" in app.get("latex")[1].value
    assert f"its cosine with queen goes from {plain:.3f} to {centred:.3f}" in text(app)


def test_a_click_on_a_bar_compares(shelf):
    app = arrive()
    word = nearest(spaces(shelf)[0], "king")[3][0]
    app.session_state["bars_input"] = {"selection": {"pick": [{"word": word}]}}
    app.run()
    assert app.text_input(key="other").value == word
    app.text_input(key="other").set_value("rain").run()
    assert app.text_input(key="other").value == "rain"


# What is typed --------------------------------------------------------------------------------


def test_an_unknown_word_offers_what_is_spelled_nearly_so():
    app = arrive(word="fahter")
    assert "**fahter** has no vector: it stands fewer than 5 times" in app.error[0].value
    app.button(key="instead_word_fahter_father").click().run()
    assert not app.error
    assert "nearest to father" in text(app)


@pytest.mark.parametrize(
    ("typed", "button", "mended"),
    [
        ("snow sno wind", "instead_words_sno_snow", "snow snow wind"),
        ("Rain, snóe, wind", "instead_words_snoe_snow", "Rain, snow, wind"),
    ],
)
def test_a_suggestion_takes_the_place_of_its_word_alone(typed, button, mended):
    app = arrive(part="Several words", words=typed)
    app.button(key=button).click().run()
    assert app.text_area(key="words").value == mended


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "there is no letter from a to z"),
        ("🙂 <b>Бог</b>", "**b** has no vector"),
        ("king and queen", "this is read as 3, king, and, queen"),
        ("ab " * 500, "at most 400 characters, please: this has 1,500"),
    ],
)
def test_what_is_no_known_word_gets_a_message_and_the_way_back_is_open(typed, message):
    app = arrive(word="rain")
    app.text_input(key="word").set_value(typed).run()
    assert message in app.error[0].value
    assert "nearest to" not in text(app)
    assert not app.exception
    app.text_input(key="word").set_value("king").run()
    assert not app.error


def test_without_a_second_word_the_first_is_still_looked_up():
    app = arrive(other="zzzzzzzzz")
    assert "No word is spelled nearly so" in app.error[0].value
    assert "input: nearest to king" in text(app)
    assert not app.get("latex")


def test_without_vectors_the_page_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(checkpoints, "SHIPPED", tmp_path / "nothing")
    assert "no word vectors in" in arrive().error[0].value


def test_every_control_is_taken_from_the_address():
    app = arrive(
        part="Map",
        word="rain",
        other="snow",
        model="Small CBOW",
        among="all",
        subtract_mean="true",
        projection="t-SNE",
        table="output",
        shown="most frequent",
        points="40",
        perplexity="5",
        seed="3",
        t_sne_step="10",
        reveal="honesty",
    )
    assert not app.warning
    assert "Step 200 of 500, perplexity 5, seed 3" in text(app)
    assert "Over all 40 words" in text(app)


@pytest.mark.parametrize(
    ("name", "value"), [("part", "Magic"), ("model", "x"), ("among", "7"), ("table", "both")]
)
def test_a_foreign_value_falls_back_with_a_note(name, value):
    app = arrive(**{"part": "Map", name: value})
    assert len(app.warning) == 1
    assert f"`{value}`" in app.warning[0].value


# Several words --------------------------------------------------------------------------------


def test_of_several_words_all_pairs_are_drawn_and_the_odd_one_waits_for_a_guess(shelf):
    words = "rain snow wind bread"
    app = arrive(part="Several words", words=words)
    unit = spaces(shelf)[0].matrix([WORDS.index(w) for w in words.split()])
    best = unit.masked_fill(torch.eye(4, dtype=torch.bool), -2.0)
    first, second = (words.split()[i] for i in divmod(int(best.argmax()), 4))
    assert f"Most alike: {first} and {second}, cosine {float(best.max()):.3f} (input)" in text(app)
    assert "By the input vectors" not in text(app)
    app.radio[0].set_value("bread").run()
    press(app, "Reveal")
    assert "bread is the odd one out, as you said" in text(app)
    fits = (unit.sum(1) - 1.0) / 3
    assert f"mean cosine with the others is {float(fits.min()):.3f}" in text(app)
    app.text_area(key="words").set_value("rain snow wind one").run()
    assert "By the input vectors" not in text(app)


def test_a_list_needs_three_words_with_a_vector():
    app = arrive(part="Several words", words="rain snow")
    assert "type 3 to 12 words: this is 2 different words, rain, snow" in app.error[0].value
    app = arrive(part="Several words", words="rain snow qqqqq")
    assert "Three words with a vector" in app.info[0].value
    app = arrive(part="Several words", words=" ".join(WORDS[:13]))
    assert "3 to 12 words, please: this is read as 13" in app.error[0].value


# Analogies ------------------------------------------------------------------------------------


def test_an_analogy_lists_the_nearest_right_or_wrong(shelf):
    app = arrive(part="Analogies", a="king", b="man", c="woman")
    space = spaces(shelf)[0]
    found = space.analogy(*(space.vocabulary.ids[w] for w in ("king", "man", "woman")), 8)
    best = space.vocabulary.words[found[0].id]
    assert f"king − man + woman is nearest to {best}" in text(app)
    assert f"cosine {found[0].cosine:.3f}" in text(app)
    card = next(x.value for x in app.dataframe if "expected" in x.value)
    assert card["expected"].tolist() == ["queen", "sister", "princess"]
    right = (card["place"] == "1").sum()
    assert "Of 8 analogies that were written down before any was tried, 3 have" in text(app)
    assert f"**{right}** come out first" in text(app)


def test_the_rule_that_passes_over_the_three_words_is_told(shelf):
    app = arrive(part="Analogies", a="king", b="king", c="rain")
    assert "without that rule the answer would be **rain**" in text(app)
    app = arrive(part="Analogies", a="nothinglike", b="man", c="woman")
    assert "has no vector" in app.error[0].value
    assert "is nearest to" not in text(app)


# The map --------------------------------------------------------------------------------------


def test_the_truth_about_the_map_waits_for_a_guess(shelf):
    app = arrive(part="Map", shown="most frequent", points="50")
    assert "true neighbours of king" not in text(app)
    app.radio(key="guess_honesty").set_value("About half").run()
    app.button(key="reveal_honesty").click().run()
    unit = unit_vectors(spaces(shelf)[0].vectors[:50])
    picture = principal_components(unit, 2)
    found = neighbourhood_preservation(unit, picture.points, 10)
    n = int(found.preserved[0].sum())
    said = f"{n} {'is' if n == 1 else 'are'} near"  # a neighbour, a second *general*, is left out
    assert f"Of the 10 true neighbours of king among these words, {said}" in text(app)
    assert f"keeps **{found.share * 10:.1f} of 10** true neighbours" in text(app)
    assert "would keep 2.0" in text(app)
    assert f"hold {float(picture.shares.sum()):.1%} of their variance" in text(app)
    far = [WORDS[i] for i in found.true[0][~found.preserved[0]].tolist()]
    assert f"dashed to {', '.join(far)}." in text(app)


def test_neighbours_that_are_not_on_the_map_are_not_called_the_true_ones():
    asked = {"part": "Map", "word": "war", "points": "50", "reveal": "honesty"}
    assert "Of the 10 true neighbours of war, " in text(arrive(shown="around the word", **asked))
    frequent = text(arrive(shown="most frequent", **asked))
    assert "Of the 10 true neighbours of war among these words, " in frequent


def test_the_words_of_a_map_lead_to_the_page_on_clusters(shelf):
    app = arrive(
        part="Map", shown="most frequent", points="40", coloured="cluster of k-means", k="3"
    )
    (way,) = app.get("page_link")
    there = dict(parse_qsl(way.proto.query_string))
    drawn = next(t.value for t in app.dataframe if "word" in t.value.columns)
    assert there["words"].split() == drawn["word"].tolist()
    assert there["clusters"] == "3"
    assert there["vectors"] in app.selectbox(key="model").options
    assert set(drawn["group"]) == {"cluster 1", "cluster 2", "cluster 3"}
    assert not arrive(part="Map", shown="most frequent").get("page_link")


def test_words_are_coloured_by_cluster_on_the_map(shelf):
    app = arrive(part="Map", shown="most frequent", points="40", coloured="cluster of k-means")
    assert not app.exception
    unit = spaces(shelf)[0].unit(range(40))
    expected = [f"cluster {k + 1}" for k in word_clusters(unit, 5, generator(0)).tolist()]
    assert sorted(set(expected)) == [f"cluster {k}" for k in range(1, 6)]
    tables = [frame.value for frame in app.dataframe if len(frame.value) == 40]
    assert any(expected == list(table[column]) for table in tables for column in table.columns)


def test_t_sne_runs_when_asked_for_and_can_be_walked():
    app = arrive(part="Map", projection="t-SNE", reveal="honesty", shown="seven themes")
    assert "It takes a second, so it runs when you ask for it" in app.info[0].value
    press(app, "Run t-SNE")
    assert "Step 500 of 500, perplexity 10, seed 1" in text(app)
    end = float(re.search(r"neighbours is ([\d.]+) nats", text(app))[1])
    app.slider(key="t_sne_step").set_value(0).run()
    start = float(re.search(r"neighbours is ([\d.]+) nats", text(app))[1])
    assert "Step 0 of 500" in text(app)
    assert end < start
    app.number_input(key="seed").set_value(2).run()
    assert "runs when you ask for it" in app.info[0].value


def test_words_turn_in_space_as_data():
    app = arrive(part="Map", projection="3-D", reveal="honesty", shown="seven themes")
    drawn = json.loads(app.get("bidi_component")[-1].proto.json)
    assert drawn["words"][0] == "king"
    assert len(drawn["points"][0]) == 3
    assert max(abs(x) for point in drawn["points"] for x in point) == 1.0
    assert drawn["roles"].count("chosen") == 1
    assert drawn["roles"].count("near") + drawn["roles"].count("far") == 10
    colours = {entry["colour"]: entry["name"] for entry in drawn["legend"] if entry["colour"]}
    themes = [colours.get(colour, "no theme") for colour in drawn["colours"]]
    assert "no theme" not in themes[1:]
    assert themes[drawn["words"].index("father")] == "family"


def test_the_angle_of_the_space_comes_with_the_link(shelf):
    app = arrive(part="Map", projection="3-D", reveal="honesty", turn="-120", tilt="45")
    assert angle_of(app) == (-120, 45)
    app.slider(key="turn").set_value(7).run()
    assert angle_of(app) == (7, 45)
    app = arrive(part="Map", projection="3-D", reveal="honesty", turn="nan", tilt="91")
    assert angle_of(app) == (30, 15)
    assert len(app.warning) == 2


def angle_of(app):
    drawn = json.loads(app.get("bidi_component")[-1].proto.json)
    return drawn["turn"], drawn["tilt"]


@pytest.mark.parametrize(
    "sent", [{}, {"turn": 181, "tilt": 0}, {"turn": 0, "tilt": math.nan}, {"turn": "a", "tilt": 0}]
)
def test_what_is_no_angle_is_refused(sent):
    with pytest.raises(ValueError, match="no angle"):
        checked_angle(sent)
    assert checked_angle({"turn": -180, "tilt": 90.0}) == (-180, 90)


def test_axes_are_made_of_words(shelf):
    app = arrive(
        part="Map", projection="Axes", left="girl", right="boy", low="rain", high="bread wine",
        points="30", reveal="honesty",
    )  # fmt: skip
    assert "from the mean of 1 words to that of 1; up, from 1 to 2" in text(app)
    app.text_input(key="left").set_value("boy").run()
    assert "the two ends of an axis must differ" in app.error[0].value
    app.text_input(key="left").set_value("").run()
    assert "there is no letter" in app.error[0].value


def test_a_click_on_the_map_chooses_the_word():
    app = arrive(part="Map", shown="seven themes")
    app.session_state["map"] = {"selection": {"pick": [{"word": "snow"}]}}
    app.run()
    assert app.text_input(key="word").value == "snow"


# Over time ------------------------------------------------------------------------------------


def test_the_snapshots_of_the_training_lead_to_its_end(shelf):
    app = arrive(part="While it learned", word="rain", other="snow")
    assert "At 100%: nearest to rain is" in text(app)
    assert "After 100% of the training, **8 of 8** neighbours" in text(app)
    end = spaces(shelf)[0].pair(WORDS.index("rain"), WORDS.index("snow")).cosine
    assert f"Its cosine with **snow** is {end:.3f}; at the end it is {end:.3f}" in text(app)
    app.slider(key="snapshot").set_value(0).run()
    assert "At 0%: nearest to rain is" in text(app)
    start = spaces(shelf, "library-skip-gram-at-0")[0]
    now = start.pair(WORDS.index("rain"), WORDS.index("snow")).cosine
    assert f"is {now:.3f}; at the end it is {end:.3f}" in text(app)
    assert f"mean cosine of {start.mean_cosine():.2f} at this snapshot" in text(app)


def test_a_word_or_a_model_without_moments_is_said_to_have_none():
    app = arrive(part="While it learned", word="seldom")
    assert "**seldom** is not among them" in app.info[0].value
    app = arrive(part="While it learned", word="rain", other="seldom")
    assert "seldom is not among the words that were kept" in text(app)
    app = arrive(part="While it learned", word="rain", other="rain")
    assert "not among" not in text(app)
    app = arrive(part="While it learned", model="Small CBOW")
    assert "no snapshots" in app.info[0].value


# Why close ------------------------------------------------------------------------------------

BOOK = (
    "The mighty king sat in the hall. The mighty queen <b>stood</b> there. A king and a queen met."
)


@pytest.fixture
def book(monkeypatch):
    monkeypatch.setattr(why, "locate", lambda name: "here")
    monkeypatch.setattr(why, "load_body", lambda: BOOK)


def test_shared_contexts_are_shown_as_text(book):
    app = arrive(part="Why close?")
    drawn = json.loads(app.get("bidi_component")[-1].proto.json)
    headings = [p["heading"] for p in drawn["passages"] if p["heading"]]
    assert headings == [
        "mighty: 2 times in the book, 1 near king, 1 near queen",
        "the: 3 times in the book, 2 near king, 1 near queen",
    ]
    second = drawn["passages"][1]["pieces"]
    assert ["mighty", "shared"] in second
    assert ["queen", "middle"] in second
    assert ["stood", "window"] in second
    assert " <" in [piece for piece, _ in second]
    assert "**king** stands 2 times and **queen** 2 times" in text(app)
    assert "**2** are near both" in text(app)


def test_words_that_are_not_in_the_book_and_a_missing_book_are_told(book, monkeypatch):
    app = arrive(part="Why close?", other="soup")
    assert "'soup' does not occur in this text" in app.warning[0].value
    app = arrive(part="Why close?", other="king")
    assert "Choose two different words" in app.info[0].value
    monkeypatch.setattr(why, "locate", lambda name: None)
    app = arrive(part="Why close?")
    assert "data fetch war-and-peace" in app.info[0].value


# Files and people -----------------------------------------------------------------------------


def test_vectors_are_offered_as_files(shelf):
    app = arrive()
    labels = {button.proto.label for button in app.get("download_button")}
    assert {
        "word2vec text",
        "Projector: vectors",
        "Projector: words",
        "CSV",
        "Checkpoint",
    } <= labels
    space = spaces(shelf)[0].most_frequent(files.MOST_WORDS)
    assert files.word2vec_file(space).startswith(f"{len(WORDS)} 24\nking ")
    assert files.metadata_file(space).splitlines()[1] == "king\t1500"
    assert len(files.projector_file(space).splitlines()) == len(WORDS)
    assert files.csv_file(space).startswith("word,x0,x1")


def test_agreement_with_people_comes_with_what_is_unknown():
    app = arrive()
    table = next(x.value for x in app.dataframe if "correlation" in x.value)
    assert table.to_dict("records") == [
        {
            "vectors": "Small skip-gram",
            "pairs": "WordSim-353",
            "correlation": "0.610",
            "pairs judged": "318 of 353",
            "unknown": "10.0%",
        }
    ]
    assert "Small skip-gram · 81 words x 24 · 3 times through the text, 12,345 words read" in text(
        app
    )
