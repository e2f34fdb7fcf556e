"""The page on cross-attention: what is asked and masked, what a choice leads to, and what bad input does."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from lm_core.analysis.alignments import content_swaps
from lm_core.analysis.word_overlap import share_kept, shared_places
from lm_core.experiments.translation.results import TranslationResults
from lm_core.text.sentence_pairs import SentencePair
from lm_core.text.translation_vocabulary import shipped_vocabulary
from pages.cross_attention import head_costs, memory
from pages.cross_attention.beginning import STOP
from pages.shared.models.translation import EXAMPLES, MOST_WORDS
from tests.pages.playing import put
from tests.pages.visits import (
    alt,
    charts,
    drawn_rows,
    guess,
    press,
    sent_to,
    shows,
    tints_of,
    visit,
)

PAGE = "pages/cross_attention/page.py"
TRANSFORMER = {"translator": "Transformer"}


def picture(app, key="cross_map"):
    """What was sent to an alignment, with its weights as an array."""
    found = [
        json.loads(element.proto.json)
        for element in app.get("bidi_component")
        if element.proto.component_name.endswith("alignment")
    ]
    (sent,) = found
    return sent | {"weights": np.array(sent["weights"])}


def question(app):
    (radio,) = app.radio
    return radio.key.removeprefix("guess_")


def skip(app):
    """Have the answer shown without a guess."""
    return press(app, f"skip_{question(app)}")


# Alignment --------------------------------------------------------------------------------------


def test_one_row_waits_for_a_guess_which_is_then_drawn_into_the_map():
    app = visit(PAGE)
    asked = picture(app)
    row = asked["masked"]
    assert asked["weights"][row].sum() == asked["bits"][row] == 0.0
    others = np.delete(asked["weights"], row, axis=0)
    assert others.sum(-1) == pytest.approx(1.0, abs=0.01)
    assert asked["guess"] is None
    drawn = picture(guess(app, question(app), 0))
    assert drawn["masked"] == -1
    assert drawn["weights"].sum(-1) == pytest.approx(1.0, abs=0.01)
    assert drawn["guess"][0] == row


def test_the_guess_is_right_where_the_row_has_its_largest_weight():
    app = visit(PAGE)
    name, options = question(app), app.radio[0].options
    row = picture(app)["masked"]
    for option in range(len(options)):
        answered = guess(visit(PAGE), name, option)
        sent = picture(answered)
        is_right = any("Right" in element.value for element in answered.markdown)
        assert is_right == (sent["guess"][1] == sent["weights"][row].argmax())


def test_swaps_are_those_of_the_rule():
    sent = picture(skip(visit(PAGE, english=EXAMPLES[3].english)))
    assert sent["swaps"] == [
        list(s) for s in content_swaps(torch.tensor(sent["weights"]), sent["target"])
    ]


def test_arcs_have_the_weights_of_the_map():
    as_map, arcs = (picture(visit(PAGE, drawn_as=view)) for view in ("Map", "Arcs"))
    assert (as_map["view"], arcs["view"]) == ("map", "arcs")
    assert (as_map["weights"] == arcs["weights"]).all()


def test_the_mean_of_a_layer_is_the_mean_of_its_heads():
    heads = [
        picture(skip(visit(PAGE, **TRANSFORMER, cross_layer="2", cross_head=head)))["weights"]
        for head in ("1", "2", "3", "4", "mean")
    ]
    assert np.mean(heads[:4], axis=0) == pytest.approx(heads[4], abs=1e-3)
    other = picture(skip(visit(PAGE, **TRANSFORMER, cross_layer="3")))["weights"]
    assert np.abs(other - heads[4]).max() > 0.05


# Word by word -----------------------------------------------------------------------------------


def test_the_map_grows_with_the_tokens_written():
    sizes = [
        len(picture(visit(PAGE, part="Word by word", written=str(step)))["target"])
        for step in (0, 1, 4)
    ]
    assert sizes[0] == 1
    assert sizes == sorted(sizes)
    sent = picture(visit(PAGE, part="Word by word", written="3"))
    assert sent["current"] == len(sent["target"]) - 1


def test_the_least_certain_token_waits_for_a_guess_which_is_then_drawn_at_its_bar():
    app = visit(PAGE, part="Word by word")
    sent = picture(app)
    assert sent["masked"] == sent["current"] == len(sent["target"]) - 1
    assert sent["target"][-1].endswith("?")
    assert not charts(app)
    options = app.radio[0].options
    app = guess(app, question(app), 2)
    rows = drawn_rows(app, charts(app)[0])
    assert rows.loc[rows["is_guess"], "symbol"].tolist() == [options[2]]
    assert picture(app)["masked"] == -1


def test_no_step_is_seen_after_the_one_that_is_asked_for_but_by_a_link():
    app = visit(PAGE, part="Word by word")
    asked = app.slider(key="written").value
    assert app.slider(key="written").max == asked
    assert press(app, f"skip_{question(app)}").slider(key="written").max > asked
    led = visit(PAGE, part="Word by word", written=str(asked + 1))
    assert not led.radio
    assert not led.warning
    assert charts(led)


def test_no_other_step_waits_and_nothing_is_asked_of_a_beginning_by_hand():
    app = visit(PAGE, part="Word by word", written="0")
    assert picture(app)["masked"] == -1
    assert charts(app)
    assert not visit(PAGE, part="Word by word", begins_with="Deux").radio


def test_a_typed_beginning_is_what_the_translation_begins_with():
    app = visit(PAGE, part="Word by word", begins_with="Deux femmes", written="1")
    ids = shipped_vocabulary().encode("Deux femmes")
    rows = drawn_rows(app, charts(app)[0])
    assert rows.loc[rows["is_marked"], "id"].tolist() == [ids[1]]
    assert picture(app)["target"][0] == "Deux"


def test_a_click_on_a_candidate_leads_elsewhere_and_undo_back():
    app = visit(PAGE, part="Word by word")
    app = press(app, f"skip_{question(app)}")
    put(app, "written", 3)
    before = picture(app)["target"]
    rows = drawn_rows(app, charts(app)[0])
    other = rows[(~rows["is_marked"]) & (rows["id"] > 3)].iloc[0]
    first = shipped_vocabulary().encode(" ".join(before[:3]))
    app.session_state["cross_picked"] = (*first, int(other["id"]))
    app.run()
    assert not app.exception
    assert app.text_input(key="begins_with").value.endswith(
        other["symbol"].replace("·", " ").strip()
    )
    assert app.slider(key="written").value == 4
    app = press(app, "cross_undo")
    assert app.text_input(key="begins_with").value == ""
    assert app.slider(key="written").value == 3
    assert picture(app)["target"] == before


def test_a_translation_can_be_ended_by_hand():
    app = visit(PAGE, part="Word by word", begins_with=f"Un homme{STOP}")
    n = len(shipped_vocabulary().encode("Un homme"))
    assert app.slider(key="written").max == n


@pytest.mark.parametrize("typed", ["шум", "🦓", "a " * 149])
def test_a_beginning_that_cannot_be_written_leaves_the_picture(typed):
    app = visit(PAGE, part="Word by word")
    app.text_input(key="begins_with").set_value(typed).run()
    assert not app.exception
    assert len(app.error) == 1
    assert picture(app)["target"]


# Beam search ------------------------------------------------------------------------------------


def test_the_tree_has_the_beams_that_are_asked_for_and_hides_the_greedy_path_until_the_guess():
    app = visit(PAGE, part="Beam search", beams_kept="3", **TRANSFORMER)
    rows = drawn_rows(app, "cross_beams")
    assert rows.groupby("token").size().max() == 6
    assert (rows[rows["fate"] == "kept"].groupby("token").size() <= 3).all()
    assert rows["is_best"].any()
    assert not rows["is_greedy"].any()
    app = skip(app)
    assert drawn_rows(app, "cross_beams")["is_greedy"].any()
    scores = app.dataframe[-1].value["score"]
    assert scores.is_monotonic_decreasing


def test_the_beams_open_on_a_caption_for_which_greedy_decoding_goes_elsewhere():
    app = visit(PAGE)
    first = app.text_input(key="english").value
    app.segmented_control(key="part").set_value("Beam search").run()
    assert app.text_input(key="english").value != first
    rows = drawn_rows(skip(app), "cross_beams")
    assert (rows["is_best"] != rows["is_greedy"]).any()


def test_the_half_that_was_guessed_is_framed_in_the_tree():
    app = visit(PAGE, part="Beam search")
    for option, framed in ((0, 0.0), (1, 1.0), (2, 1.0)):
        answered = guess(visit(PAGE, part="Beam search"), question(app), option)
        spec = json.loads(answered.get("vega_lite_chart")[0].proto.spec)
        frame = spec["layer"][-1]
        assert frame["mark"]["opacity"] == framed
        assert (frame["encoding"]["x2"]["datum"] > frame["encoding"]["x"]["datum"]) == bool(framed)


@pytest.mark.parametrize(
    ("penalty", "why"), [("0.0", "its beginning was dropped"), ("1.0", "a power of the length")]
)
def test_a_less_probable_sentence_wins_by_its_length_or_because_the_other_was_dropped(penalty, why):
    typed = "Un chien marron saute par-dessus une clôture blanche pendant qu'un garçon regarde."
    asked = {"english": typed, "beams_kept": "10", "length_penalty": penalty, **TRANSFORMER}
    app = skip(visit(PAGE, part="Beam search", **asked))
    assert shows(app, "The greedy sentence is more probable as a whole", why)


def test_one_beam_is_greedy_decoding():
    app = skip(visit(PAGE, part="Beam search", beams_kept="1"))
    rows = drawn_rows(app, "cross_beams")
    assert (rows["is_best"] == rows["is_greedy"]).all()
    assert app.dataframe[-1].value["also"].tolist()[0] == "greedy"


def test_a_length_penalty_of_0_ranks_by_probability():
    app = skip(visit(PAGE, part="Beam search", length_penalty="0.0"))
    table = app.dataframe[-1].value
    assert table["score"].to_numpy() == pytest.approx(table["log-probability"], abs=0.01)


# Without it -------------------------------------------------------------------------------------


def texts(app):
    """The two translations: words, and those that the other one has not."""
    (sent,) = sent_to(app, "token_strip")
    found = []
    for token, (roles, *_) in zip(sent["tokens"], tints_of(sent), strict=True):
        if roles == ["heading"]:
            found.append(([], []))
        else:
            found[-1][0].append(token.strip())
            found[-1][1].extend([token.strip()] if "against" in roles else [])
    return found


def test_the_translation_without_any_of_it_waits_for_the_guess_which_is_then_drawn():
    app = visit(PAGE, part="Without it")
    (whole, marked), (other, _) = texts(app)
    assert (marked, other) == ([], ["?"])
    assert drawn_rows(app, "cross_kept")["share"].isna().all()
    app = guess(app, question(app), 1)
    (words, _), (other, only_there) = texts(app)
    assert words == whole
    assert len(only_there) == len(other) - sum(shared_places(other, whole))
    rows = drawn_rows(app, "cross_kept").set_index("kind")["share"]
    assert rows["guess"] == 0.5
    assert rows["kept"] == pytest.approx(share_kept(whole, other))


def test_one_head_off_is_no_answer_and_is_drawn_before_the_guess():
    app = visit(PAGE, part="Without it", switched_off="Head 3.2", **TRANSFORMER)
    _, (other, _) = texts(app)
    assert len(other) > 2
    shares = drawn_rows(app, "cross_kept")["share"]
    assert shares.isna().tolist() == [True, False]


def test_where_all_of_it_is_one_thing_there_is_nothing_to_choose():
    app = visit(PAGE, part="Without it")
    assert "switched_off" not in {box.key for box in app.selectbox}


def test_each_head_has_a_cost_and_the_one_switched_off_is_outlined():
    app = visit(PAGE, part="Without it", switched_off="Head 2.3", **TRANSFORMER)
    rows = drawn_rows(app, "cross_heads")
    assert len(rows) == 12
    assert rows.loc[rows["chosen"], ["layer", "head"]].to_numpy().tolist() == [[2, 3]]
    assert f"{rows['value'].max():+.2f}" in alt(app, "cross_heads")


def test_what_each_head_is_worth_on_the_test_set_is_that_of_the_results(monkeypatch):
    score = TranslationResults.load().named("translation-transformer")
    rows = drawn_rows(visit(PAGE, part="Without it", **TRANSFORMER), "cross_heads_bleu")
    lost = {
        (head.layer + 1, head.head + 1): score.greedy.score - head.score
        for head in score.ablated_heads
    }
    drawn = rows.set_index(["layer", "head"])["value"].to_dict()
    assert drawn == pytest.approx(lost)
    few = TranslationResults.load()
    fewer = [replace(model, ablated_heads=model.ablated_heads[1:]) for model in few.models]
    monkeypatch.setattr(head_costs, "_results", lambda: replace(few, models=tuple(fewer)))
    app = visit(PAGE, part="Without it", **TRANSFORMER)
    assert "cross_heads" in charts(app)
    assert "cross_heads_bleu" not in charts(app)


# Remember or translate --------------------------------------------------------------------------

PAIRS = (
    SentencePair("A man in a red car.", "Un homme dans une voiture rouge."),
    SentencePair("Two dogs run.", "Deux chiens courent."),
)


@pytest.fixture
def trained_on(monkeypatch):
    """Let the training pairs be a few of ours, whatever is on this machine."""

    def put(pairs, missing=()):
        monkeypatch.setattr(memory, "load_pairs", lambda _: pairs)
        monkeypatch.setattr(memory, "missing_files", lambda: list(missing))
        forget()

    def forget():
        memory._training.clear()
        memory._nearest.clear()

    yield put
    forget()


def passages(app):
    (sent,) = [
        json.loads(element.proto.json)
        for element in app.get("bidi_component")
        if element.proto.component_name.endswith("passages")
    ]
    return sent["passages"]


def test_the_nearest_pairs_come_first_with_their_shared_words(trained_on):
    trained_on(PAIRS)
    first, *_ = passages(visit(PAGE, part="Remember?"))
    shared = [text for text, mark in first["pieces"] if mark == "shared"]
    assert shared == ["A", "man", "in", "a", "red", "car."]


def test_a_copy_is_told_from_a_sentence_of_its_own(trained_on):
    trained_on(PAIRS)
    app = visit(PAGE, part="Remember?")
    own = guess(app, question(app), 1)
    assert any("Right" in element.value for element in own.markdown)
    text = next(m.value for m in own.markdown if "“" in m.value).split("“")[1].split("”")[0]
    trained_on((*PAIRS, SentencePair("A copy.", text)))
    app = visit(PAGE, part="Remember?")
    copied = guess(app, question(app), 0)
    assert any("Right" in element.value for element in copied.markdown)


def test_without_the_corpus_it_says_how_to_fetch_it(trained_on):
    trained_on((), missing=("multi30k/train.en",))
    app = visit(PAGE, part="Remember?")
    assert "data fetch multi30k/train.en" in app.info[0].value
    assert not app.radio


def test_a_sentence_from_elsewhere_is_like_none(trained_on):
    trained_on(PAIRS)
    app = visit(PAGE, part="Remember?", english=memory.OUTSIDE[0])
    assert any("court" in markdown.value for markdown in app.markdown)


# Bad input --------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["Alignment", "Word by word", "Beam search", "Without it"])
@pytest.mark.parametrize(
    "typed",
    ["dog", "Un homme court.", "🦓 🦓", "كلب أسود", "<b>*x*</b> :red[y]", "A " * MOST_WORDS],
)
def test_whatever_can_be_read_is_translated(part, typed):
    app = visit(PAGE, part=part, english=typed.strip())
    assert not app.error


@pytest.mark.parametrize("typed", ["", "word " * 200])
def test_what_cannot_be_read_leaves_the_sentence_before_and_says_why(typed):
    app = visit(PAGE)
    before = picture(app)["source"]
    app.text_input(key="english").set_value(typed).run()
    assert not app.exception
    assert len(app.error) == 1
    assert picture(app)["source"] == before
