"""The page on words that are alike: what each part says, what it asks first, what it refuses."""

import json
import math
import re
import subprocess
import sys
from urllib.parse import parse_qsl

import numpy as np
import pytest
import torch

from lm_core.analysis.neighbourhood_preservation import neighbourhood_preservation
from lm_core.analysis.principal_components import principal_components
from lm_core.analysis.shared_contexts import Concordance
from lm_core.analysis.word_space import WordSpace, odd_one_out, unit_vectors
from lm_core.experiments.clustering.word_points import word_clusters
from lm_core.experiments.word2vec.telling_contexts import TellingContexts
from lm_core.rng import generator
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.training import checkpoints
from lm_core.training.checkpoints import SHIPPED, load_checkpoint
from pages.embeddings import comparisons, contexts, files, telling_contexts, two_passages, vectors
from pages.embeddings.shown_words import THEMES
from pages.embeddings.word_space_chart import least_crowded_view
from tests.conftest import ROOT
from tests.pages.playing import put
from tests.pages.small_vectors import WORDS, save_small_vectors
from tests.pages.visits import alt, charts, data, guess, holds, numbers, press, shows, visit

PAGE = "pages/embeddings/page.py"


@pytest.fixture(autouse=True)
def shelf(tmp_path, monkeypatch):
    folder = tmp_path / "vectors"
    save_small_vectors(folder)
    monkeypatch.setattr(checkpoints, "SHIPPED", folder)
    monkeypatch.setattr(vectors, "SNAPSHOT_WORDS", len(WORDS) - 1)
    return folder


def arrive(**asked):
    return visit(PAGE, **{"part": "Neighbours", **asked})


def on_map(**asked):
    return visit(PAGE, **{"projection": "PCA", **asked})


def spaces(folder, name="library-skip-gram", subtract_mean=False):
    model = load_checkpoint(folder / name).model
    return [
        WordSpace.of(model.vocabulary, table.detach(), subtract_mean=subtract_mean)
        for table in (model.input, model.output)
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
        assert holds(alt(app, f"bars_{table}"), "father", word, round(cosine, 3))
        pair = space.pair(*(space.vocabulary.ids[w] for w in ("father", "rain")))
        formula = next(x.value for x in app.get("latex") if rf"\text{{{table}}}" in x.value)
        numbers = [f"{n:.3f}" for n in (pair.dot, *pair.lengths, pair.cosine)]
        assert re.findall(r"-?\d+\.\d{3}", formula) == numbers
    assert shows(app, "Input", "father", "centre")
    published = next(c for c in app.caption if "0.766" in c.value)
    for number in ("WikiText-2", "4,056", "5.389", "4.486"):
        assert number in published.proto.help
    app = arrive(model="Small CBOW")
    assert shows(app, "Input", "king", "context")
    assert not app.warning


def test_the_numbers_of_both_vectors_are_strips(shelf):
    strips = data(arrive(word="father", other="rain"), "vector_strips")
    space = spaces(shelf)[0]
    for word in ("father", "rain"):
        unit = space.unit([space.vocabulary.ids[word]])[0]
        assert strips.query("word == @word")["value"].tolist() == pytest.approx(unit.tolist())
    assert set(data(arrive(other="king"), "vector_strips")["word"]) == {"king"}


def test_the_mean_is_asked_about_first_and_taken_off_by_the_switch_alone(shelf):
    app = arrive()
    means = [
        [round(space.mean_cosine(), 3) for space in spaces(shelf, subtract_mean=off)]
        for off in (False, True)
    ]
    assert not any(shows(app, mean) for mean in means[0])
    guess(app, "mean")
    is_right = [":green-badge" in m.value for m in app.markdown if "-badge[" in m.value]
    assert is_right == [all(abs(mean) < 0.1 for mean in means[0])]
    for plain, centred in zip(*means, strict=True):
        assert shows(app, plain, centred)
    pairs = [spaces(shelf, subtract_mean=off)[1].pair(0, 1).cosine for off in (False, True)]
    for pair, is_subtracted in zip(pairs, (False, True), strict=True):
        app.toggle(key="subtract_mean").set_value(is_subtracted).run()
        assert shows(app, "queen", *(round(cosine, 3) for cosine in pairs))
        assert f"\\mathbf{{{pair:.3f}}}" in app.get("latex")[1].value


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
    assert holds(app.error[0].value, "fahter", 5)
    app.button(key="instead_word_fahter_father").click().run()
    assert not app.error
    assert holds(alt(app, "bars_input"), "father")


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
    ("typed", "named"),
    [
        ("", ()),
        ("🙂 <b>Бог</b>", ("b",)),
        ("king and queen", (3, "king", "and", "queen")),
        ("ab " * 500, (400, 1_500)),
    ],
)
def test_what_is_no_known_word_gets_a_message_and_the_way_back_is_open(typed, named):
    app = arrive(word="rain")
    app.text_input(key="word").set_value(typed).run()
    assert holds(app.error[0].value, *named)
    assert holds(alt(app, "bars_input"), "king"), "the picture is that of the first word"
    assert not app.exception
    app.text_input(key="word").set_value("king").run()
    assert not app.error


def test_without_a_second_word_the_first_is_still_looked_up():
    app = arrive(other="zzzzzzzzz")
    assert holds(app.error[0].value, "zzzzzzzzz", 5)
    assert not [button for button in app.button if button.key.startswith("instead_")]
    assert holds(alt(app, "bars_input"), "king")
    assert not app.get("latex")


def test_without_vectors_the_page_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(checkpoints, "SHIPPED", tmp_path / "nothing")
    assert str(tmp_path / "nothing") in arrive().error[0].value


def test_every_control_is_taken_from_the_address():
    app = arrive(
        part="Map",
        word="rain",
        other="snow",
        model="Small CBOW",
        among="all",
        subtract_mean="true",
        projection="t-SNE",
        embedding="output",
        shown="most frequent",
        points="40",
        perplexity="5",
        seed="3",
        t_sne_step="10",
        reveal="preservation",
    )
    assert not app.warning
    assert shows(app, 200, 500, 5, 3, 10, 40)


def test_another_word_of_the_map_leaves_every_point_where_it_was():
    app = visit(PAGE, word="king", reveal="preservation")
    before = data(app, "map").set_index("word")
    app.text_input(key="word").set_value("queen").run()
    after = data(app, "map").set_index("word")
    assert before[["x", "y"]].equals(after[["x", "y"]])
    assert before.index[before["role"] == "chosen"].tolist() == ["king"]
    assert after.index[after["role"] == "chosen"].tolist() == ["queen"]


# Several words --------------------------------------------------------------------------------


def test_of_several_words_all_pairs_are_drawn_and_the_odd_one_waits_for_a_guess(shelf):
    words = "rain snow wind bread"
    app = arrive(part="Several words", words=words)
    unit = spaces(shelf)[0].matrix([WORDS.index(w) for w in words.split()])
    best = unit.masked_fill(torch.eye(4, dtype=torch.bool), -2.0)
    first, second = (words.split()[i] for i in divmod(int(best.argmax()), 4))
    assert holds(alt(app, "pairs"), first, second, round(float(best.max()), 3))
    assert "odd" not in charts(app)
    guess(app, "odd_rain_snow_wind_bread", words.split().index("bread"))
    fits = (unit.sum(1) - 1.0) / 3
    assert shows(app, "Right", "bread", round(float(fits.min()), 3), round(float(fits.max()), 3))
    assert "odd" in charts(app)
    app.text_area(key="words").set_value("rain snow wind one").run()
    assert "odd" not in charts(app)


def test_the_list_that_opens_has_an_odd_one_in_both_embeddings_of_all_shipped_vectors():
    words = comparisons._LISTS[next(iter(comparisons._LISTS))].split()
    for folder in (SHIPPED / "library-skip-gram", SHIPPED / "book-cbow"):
        model = load_checkpoint(folder).model
        for table in (model.input, model.output):
            space = WordSpace.of(model.vocabulary, table.detach())
            place, fits = odd_one_out(space.unit(list(model.vocabulary.encode(words))), range(7))
            least, next_one, *_ = fits.sort().values.tolist()
            assert words[place] == "snow"
            assert next_one - least > 0.2, "nobody need argue which it is"


def test_a_list_needs_three_words_with_a_vector():
    app = arrive(part="Several words", words="rain snow")
    assert holds(app.error[0].value, 3, 12, 2, "rain", "snow")
    app = arrive(part="Several words", words="rain snow qqqqq")
    assert len(app.info) == 1
    app = arrive(part="Several words", words=" ".join(WORDS[:13]))
    assert holds(app.error[0].value, 3, 12, 13)


# Analogies ------------------------------------------------------------------------------------


def test_an_analogy_lists_the_nearest_right_or_wrong(shelf):
    app = arrive(part="Analogies", a="king", b="man", c="woman")
    space = spaces(shelf)[0]
    found = space.analogy(*(space.vocabulary.ids[w] for w in ("king", "man", "woman")), 8)
    best = space.vocabulary.words[found[0].id]
    assert holds(alt(app, "analogy"), "king", "man", "woman", best)
    assert shows(app, "man", "king", "woman", best, round(found[0].cosine, 3))
    card = next(x.value for x in app.dataframe if "expected" in x.value)
    assert card["expected"].tolist() == ["queen", "sister", "princess"]
    right = (card["place"] == "1").sum()
    assert shows(app, len(card), right, len(WORDS))


def test_the_rule_that_passes_over_the_three_words_is_told(shelf):
    app = arrive(part="Analogies", a="king", b="king", c="rain")
    best = nearest(spaces(shelf)[0], "rain")[0][0]
    assert shows(app, "king", "king", "rain", best, "king", "king", "rain", "rain")
    app = arrive(part="Analogies", a="nothinglike", b="man", c="woman")
    assert holds(app.error[0].value, "nothinglike")
    assert not charts(app)


# The map --------------------------------------------------------------------------------------


def test_neighbourhood_preservation_waits_for_a_guess(shelf):
    app = on_map(shown="most frequent", points="40")
    assert set(data(app, "map")["role"]) == {"chosen", "other"}
    guess(app, "preservation")
    unit = unit_vectors(spaces(shelf)[0].vectors[:40])
    picture = principal_components(unit, 2)
    found = neighbourhood_preservation(unit, picture.points, 10)
    n = int(found.preserved[0].sum())
    assert holds(alt(app, "map"), 10, "king", n)
    variance = round(100 * float(picture.shares.sum()), 1)
    far = [WORDS[i] for i in found.true[0][~found.preserved[0]].tolist()]
    assert shows(app, variance, round(found.share * 10, 1), 10, 40, 2.6, "king", *far)
    right = "9 or 10" if round(10 * found.share) >= 9 else "5 to 8"
    assert shows(app, "Right" if right == "9 or 10" else "Not quite", round(10 * found.share, 1))
    roles = data(app, "map").set_index("word")["role"]
    assert set(roles.index[roles == "far here"]) == set(far)
    assert (roles == "near here").sum() == n


def test_neighbours_that_are_not_on_the_map_are_not_called_the_true_ones():
    asked = {"word": "army", "points": "40", "reveal": "preservation"}
    for shown, is_among in (("around the word", False), ("most frequent", True)):
        assert holds(alt(on_map(shown=shown, **asked), "map"), "army", "among") == is_among


def test_the_words_of_a_map_lead_to_the_page_on_clusters(shelf):
    app = on_map(shown="most frequent", points="40", coloured="k-means cluster", map_clusters="3")
    (way,) = (link for link in app.get("page_link") if link.proto.query_string)
    there = dict(parse_qsl(way.proto.query_string))
    drawn = next(t.value for t in app.dataframe if "word" in t.value.columns)
    assert there["words"].split() == drawn["word"].tolist()
    assert there["clusters"] == "3"
    assert there["vectors"] in app.selectbox(key="model").options
    assert set(drawn["group"]) == {"cluster 1", "cluster 2", "cluster 3"}
    links = on_map(shown="most frequent").get("page_link")
    assert not any(link.proto.query_string for link in links)


def test_words_are_coloured_by_cluster_on_the_map(shelf):
    app = on_map(shown="most frequent", points="40", coloured="k-means cluster")
    assert not app.exception
    unit = spaces(shelf)[0].unit(range(40))
    expected = [f"cluster {k + 1}" for k in word_clusters(unit, 5, generator(0)).tolist()]
    assert sorted(set(expected)) == [f"cluster {k}" for k in range(1, 6)]
    tables = [frame.value for frame in app.dataframe if len(frame.value) == 40]
    assert any(expected == list(table[column]) for table in tables for column in table.columns)


def test_the_page_opens_on_the_themes_each_word_placed_and_named(shelf):
    app = visit(PAGE)
    drawn = data(app, "map")
    assert drawn["group"].nunique() == len(THEMES)
    assert set(drawn["word"]) == {word for words in THEMES.values() for word in words.split()}
    neighbours = data(app, "map_neighbours")
    expected = [word for word, _ in nearest(spaces(shelf)[0], "king", len(neighbours))]
    assert neighbours["word"].tolist() == expected


def test_t_sne_of_few_words_runs_at_once_and_can_be_walked():
    app = visit(PAGE, steps="true")
    step, steps, perplexity, seed, end = numbers(alt(app, "map"))[-5:]
    assert (step, steps, perplexity, seed) == (500, 500, 10, 1)
    put(app, "t_sne_step", 0)
    step, *_, start = numbers(alt(app, "map"))[-5:]
    assert step == 0
    assert end < start


def test_t_sne_of_many_words_waits_for_the_button(monkeypatch):
    monkeypatch.setattr("pages.embeddings.t_sne._AT_ONCE", 20)
    app = visit(PAGE)
    assert "map" not in charts(app)
    press(app, "t_sne_run")
    assert "map" in charts(app)
    app.number_input(key="seed").set_value(2).run()
    assert "map" not in charts(app)


def space_of(app):
    """The figure of the space, as the browser gets it."""
    return json.loads(app.get("plotly_chart")[0].proto.spec)


def test_words_are_placed_in_space_with_lines_to_the_true_neighbours(shelf):
    app = on_map(projection="3-D", reveal="preservation")
    traces = space_of(app)["data"]
    lines = [trace for trace in traces if trace["mode"] == "lines"]
    points = {trace["name"]: trace for trace in traces if trace["mode"] != "lines"}
    assert len(lines) == 10
    assert points["king"]["hovertext"] == ["king"]
    assert "father" in points["family"]["hovertext"] or any(
        "father" in points.get(f"true neighbour, {where} here", {}).get("hovertext", ())
        for where in ("near", "far")
    )
    table = next(t.value for t in app.dataframe if "z" in t.value.columns)
    assert table["role"].tolist().count("chosen") == 1
    assert table["role"].isin(["near here", "far here"]).sum() == 10
    assert sum(len(trace["hovertext"]) for trace in points.values()) == len(table)
    space = spaces(shelf)[0]
    unit = space.unit([space.vocabulary.ids[word] for word in table["word"]])
    expected = principal_components(unit, 3).points.numpy()
    assert table[["x", "y", "z"]].to_numpy() == pytest.approx(expected, abs=1e-5)


def test_the_angle_of_the_space_comes_with_the_link():
    asked = {"projection": "3-D", "reveal": "preservation"}
    app = on_map(turn="-121", tilt="44", **asked)
    assert angle_of(app) == pytest.approx((-121, 44))
    app.slider(key="turn").set_value(7).run()
    assert angle_of(app) == pytest.approx((7, 44))
    app = on_map(turn="nan", tilt="91", **asked)
    drawn = next(t.value for t in app.dataframe if "z" in t.value.columns)
    opening = least_crowded_view(drawn[["x", "y", "z"]].to_numpy())
    assert angle_of(app) == pytest.approx(opening)
    assert len(app.warning) == 2


def angle_of(app):
    eye = space_of(app)["layout"]["scene"]["camera"]["eye"]
    turn = math.degrees(math.atan2(eye["x"], -eye["y"]))
    return turn, math.degrees(math.atan2(eye["z"], math.hypot(eye["x"], eye["y"])))


def test_plotlys_figures_are_imported_for_a_space_alone(shelf):
    """In a process of its own: other tests may have drawn a space in this one.

    Streamlit imports Plotly's template with itself, wherever Plotly is installed; figures are later.
    """
    source = f"""
import sys
from pathlib import Path
from lm_core.training import checkpoints
checkpoints.SHIPPED = Path({str(shelf)!r})
from tests.pages.visits import visit
from tests.pages.playing import put
late = {{"plotly.graph_objs._figure", "plotly.graph_objs._scatter3d", "scipy.stats"}}
for part in ("Neighbours", "Map"):
    visit("pages/embeddings/page.py", part=part)
    assert not late & set(sys.modules), (part, late & set(sys.modules))
visit("pages/embeddings/page.py", part="Map", projection="3-D")
assert "plotly.graph_objs._figure" in sys.modules
"""
    finished = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr


def test_axes_are_made_of_words(shelf):
    app = on_map(
        projection="Axes", shown="most frequent", left="girl", right="boy", low="rain", high="bread wine",
        points="30", reveal="preservation",
    )  # fmt: skip
    assert numbers(alt(app, "map"))[-6:-2] == [1, 1, 1, 2]
    for refused in ("boy", ""):
        app.text_input(key="left").set_value(refused).run()
        assert len(app.error) == 1
        assert "map" not in charts(app)


def test_a_click_on_the_map_chooses_the_word():
    app = visit(PAGE)
    app.session_state["map"] = {"selection": {"pick": [{"word": "snow"}]}}
    app.run()
    assert app.text_input(key="word").value == "snow"


# During training ------------------------------------------------------------------------------------


def test_the_snapshots_of_the_training_lead_to_its_end(shelf):
    app = arrive(part="During training", word="rain", other="snow")
    last, first = spaces(shelf)[0], spaces(shelf, "library-skip-gram-at-0")[0]
    end, start = (
        round(space.pair(WORDS.index("rain"), WORDS.index("snow")).cosine, 3)
        for space in (last, first)
    )
    assert holds(alt(app, "snapshot_bars"), 100, "rain", nearest(last, "rain")[0][0])
    assert shows(app, 100, 8, 8, "rain", "snow", end, end)
    put(app, "snapshot", 0)
    assert holds(alt(app, "snapshot_bars"), 0, "rain", nearest(first, "rain")[0][0])
    assert shows(app, 0, "rain", "snow", start, end, round(first.mean_cosine(), 2))


def test_a_word_or_a_model_without_snapshots_is_said_to_have_none():
    app = arrive(part="During training", word="seldom")
    assert holds(app.info[0].value, len(WORDS) - 1, "seldom")
    assert not charts(app)
    app = arrive(part="During training", word="rain", other="seldom")
    assert "seldom" not in set(data(app, "snapshot_lines")["name"])
    assert shows(app, 8, 8, "rain", "seldom")
    app = arrive(part="During training", word="rain", other="rain")
    assert not shows(app, 8, 8, "rain", "rain")
    app = arrive(part="During training", model="Small CBOW")
    assert len(app.info) == 1
    assert not charts(app)


# Shared contexts ------------------------------------------------------------------------------------

BOOK = (
    "The mighty king sat in the hall. The mighty queen <b>stood</b> there. A king and a queen met."
)
SHARED = [("mighty", 2, 1, "king", 1, "queen"), ("the", 3, 2, "king", 1, "queen")]


@pytest.fixture
def book(monkeypatch):
    monkeypatch.setattr(contexts, "locate", lambda name: "here")
    monkeypatch.setattr(two_passages, "load_body", lambda: BOOK)


def test_shared_contexts_are_shown_as_text(book, shelf):
    app = arrive(part="Shared contexts")
    drawn = json.loads(app.get("bidi_component")[-1].proto.json)
    headings = [p["heading"] for p in drawn["passages"] if p["heading"]]
    assert len(headings) == len(SHARED)
    for heading, named in zip(headings, SHARED, strict=True):
        assert holds(heading, *named)
    second = drawn["passages"][1]["pieces"]
    assert ["mighty", "shared"] in second
    assert ["queen", "middle"] in second
    assert ["stood", "window"] in second
    assert " <" in [piece for piece, _ in second]
    near = Concordance.of(BOOK).shared("king", "queen", 4).n_neighbours
    cosine = spaces(shelf)[0].pair(WORDS.index("king"), WORDS.index("queen")).cosine
    assert shows(app, "king", 2, "queen", 2, 4, *near, len(SHARED), round(cosine, 3))


def test_without_sentences_to_show_it_is_said_why_and_no_empty_list_is_drawn(book, monkeypatch):
    monkeypatch.setattr(
        two_passages, "load_body", lambda: "A king slept. One queen sang. King rose."
    )
    app = arrive(part="Shared contexts")
    assert holds(app.info[-1].value, 4, "king", 2, "queen", 1)
    assert not [slider for slider in app.slider if slider.key == "page"]
    assert not any("Underlined" in caption.value for caption in app.caption)


def test_telling_contexts_come_first_and_with_their_bits(book, monkeypatch):
    ids = np.array([WORDS.index(word) for word in ("rain", "snow", "tea")], np.uint16)
    bits = np.array([[3.0, 2.0, 1.0], [2.5, 4.0, 0.0]])
    table = TellingContexts(np.tile(ids, (2, 1)), bits)
    monkeypatch.setattr(telling_contexts, "load_contexts", lambda name, size: table)
    app = arrive(part="Shared contexts")
    drawn = data(app, "telling_contexts")
    assert drawn["context"].tolist() == ["rain", "snow"]
    assert drawn[["first", "second"]].to_numpy().tolist() == [[3.0, 2.5], [2.0, 4.0]]
    assert holds(alt(app, "telling_contexts"), "king", "queen", 2, 3, "rain", "snow")


def test_words_that_are_not_in_the_book_and_a_missing_book_are_told(book, monkeypatch):
    app = arrive(part="Shared contexts", other="soup")
    assert holds(app.warning[0].value, "soup")
    app = arrive(part="Shared contexts", other="king")
    assert len(app.info) == 1
    assert not shows(app, "king", 2, "king", 2)
    monkeypatch.setattr(contexts, "locate", lambda name: None)
    app = arrive(part="Shared contexts")
    assert WAR_AND_PEACE.name in app.info[-1].value


# Files and people -----------------------------------------------------------------------------


def test_vectors_are_offered_as_files(shelf):
    app = arrive()
    endings = (".txt", "-vectors.tsv", "-metadata.tsv", ".csv")
    keys = {f"file_library-skip-gram-input{ending}" for ending in endings}
    assert keys | {"checkpoint"} <= {button.key for button in app.get("download_button")}
    space = spaces(shelf)[0].most_frequent(files.MOST_WORDS)
    assert files.word2vec_file(space).startswith(f"{len(WORDS)} 24\nking ")
    assert files.metadata_file(space).splitlines()[1] == "king\t1500"
    assert len(files.projector_file(space).splitlines()) == len(WORDS)
    assert files.csv_file(space).startswith("word,x0,x1")


def test_agreement_with_people_comes_with_what_is_unknown(shelf):
    app = arrive()
    meta = load_checkpoint(shelf / "library-skip-gram").meta
    table = next(x.value for x in app.dataframe if "correlation" in x.value)
    assert table.to_dict("records") == [
        {
            "vectors": meta.title,
            "pairs": "WordSim-353",
            "correlation": "0.610",
            "known pairs": "318 of 353",
            "unknown": "10.0 %",
        }
    ]
    assert shows(app, meta.title, len(WORDS), 24, 3, 12_345)
