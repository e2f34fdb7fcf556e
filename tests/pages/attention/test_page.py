"""The page on attention heads, on a tiny transformer of the test's own."""

import base64
import csv
import dataclasses
import inspect
import re
import zlib
from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st
import torch

from lm_core.analysis.attention_cell import attention_cell
from lm_core.analysis.attention_trace import Intervention, trace_attention
from lm_core.analysis.head_patterns import PATTERNS, HeadPattern
from lm_core.errors import ResultError
from lm_core.experiments.attention.head_scores import HeadResults, HeadScores
from lm_core.experiments.induction.training import LESSONS, InductionStep
from lm_core.models import gpt
from lm_core.models.attention import attend
from lm_core.models.registry import config_to_dict
from lm_core.models.transformer import TransformerLanguageModel, TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.vocabularies import SOURCE_SUBWORDS, SOURCE_SUBWORDS_SIZE, vocabulary_named
from lm_core.training import checkpoints
from lm_core.training.checkpoints import save_checkpoint
from lm_core.training.recipes import RECIPES
from pages.attention import induction, settings, traces
from pages.attention.heads import SHORT, weights_csv
from pages.attention.interventions import described
from pages.attention.one_head import equations
from pages.attention.settings import SENTENCES
from pages.attention.traces import Choice, generated_by, relation_of
from pages.shared.charts.palette import visible
from pages.shared.components.attention import pack_heads, pack_map
from pages.shared.models import read_sentences
from pages.shared.models.read_sentences import MOST_CHARACTERS, Sentence
from tests.pages.visits import alt, data, guess, numbers, sent_to, shows, text, visit
from tests.small_checkpoints import meta_of

FOX = "a quick brown fox jumps over a lazy dog"
CONFIG = TransformerLanguageModelConfig(len(SOURCE), 16, 4, 2, context=256)


@pytest.fixture(scope="module")
def model():
    model = TransformerLanguageModel(CONFIG)
    model.initialise(generator(4))
    with torch.no_grad():
        for weight in model.parameters():
            weight *= 2.0  # so that heads differ and a change is felt
    return model.eval()


@pytest.fixture(autouse=True)
def shipped(model, tmp_path, monkeypatch):
    """Two snapshots of a tiny model, in place of those that come with the project."""
    for name, steps in ((read_sentences.MODEL, 20), (f"{read_sentences.MODEL}-step-5", 5)):
        snapshot_of = None if name == read_sentences.MODEL else read_sentences.MODEL
        meta = meta_of(
            CONFIG, name=name, steps=steps, characters_seen=1_000, snapshot_of=snapshot_of
        )
        save_checkpoint(tmp_path / "shipped", model, meta)
    for module in (read_sentences, checkpoints):
        monkeypatch.setattr(module, "SHIPPED", tmp_path / "shipped")


def arrive(**asked):
    return visit("pages/attention/page.py", **asked)


def seen(**asked):
    return arrive(reveal="mask", **{"sentence": FOX, **asked})


def sent(app, field):
    """Return what the component that gets this field was sent."""
    found = sent_to(app)
    return next(data for data in found if isinstance(data, dict) and field in data)


def loss_of(model, sentence, **changes):
    ids = torch.from_numpy(SOURCE.encode(sentence))
    return float(trace_attention(model, ids, Intervention(**changes)).losses.mean())


# What is there --------------------------------------------------------------------------------


def test_the_consequences_wait_for_a_guess_and_the_pictures_do_not():
    app = arrive(sentence=FOX)
    assert sent(app, "shades")["length"] == len(FOX)
    assert not app.metric
    said = app.radio(key="guess_mask").options[1]
    guess(app, "mask", 1)
    assert len(app.metric) == 3
    assert f"**{said}**" in text(app)


def test_what_is_said_without_the_division_is_measured_at_every_temperature():
    largest = [
        float(re.search(r"a row is (\d+)\s%", text(seen(scaled="false", **asked)))[1])
        for asked in ({}, {"attention_temperature": "100"})
    ]
    assert largest[0] > 70 > 30 > largest[1]


def test_every_control_is_taken_from_the_address():
    app = seen(
        layer="2",
        head="3",
        query="12",
        strongest_key="false",
        key="5",
        causal="false",
        scaled="false",
        attention_temperature="2",
        ablated_heads="1.2",
        ablated_layers="1",
        sink="hidden",
        stage="scores",
        measure="Peak",
        snapshot="5",
        patterns_on="a generated text",
    )
    assert not app.warning
    assert shows(app, 2.3, "`12 n`", "`05 c`")
    changed = Intervention(frozenset({(0, 1)}), frozenset({0}), False, 2.0, False)
    assert described(changed) in text(app)
    assert sent(app, "quantity")["title"] == "head 2.3: scores"
    assert "Peak" in text(app)
    assert any("256" in expander.label for expander in app.expander)


def test_the_pictures_show_the_models_weights(model):
    app = seen(layer="2", head="4", query="20")
    ids = torch.from_numpy(SOURCE.encode(FOX))
    weights = trace_attention(model, ids).weights
    row = sent(app, "hint")["weights"]
    np.testing.assert_allclose(row[:21], weights[1, 3, 20, :21].numpy(), atol=1e-6)
    assert row[21:] == [None] * (len(FOX) - 21)
    shades = np.frombuffer(zlib.decompress(base64.b64decode(sent(app, "shades")["shades"])), "u1")
    np.testing.assert_allclose(shades, (255 * weights.sqrt()).flatten(), atol=2.5)
    assert len(np.unique(shades)) <= 52, "each step more takes bytes that no eye sees"


def test_under_the_row_are_its_scores_at_every_stage(model):
    app = seen(layer="2", head="4", query="20")
    ids = torch.from_numpy(SOURCE.encode(FOX))
    attention = trace_attention(model, ids).layers[1].attention
    scores, scaled, masked, weights, parts = (
        stage["values"] for stage in sent(app, "hint")["stages"]
    )
    np.testing.assert_allclose(scores, attention.scores[3, 20].numpy(), atol=1e-5)
    np.testing.assert_allclose(scaled, attention.scaled_scores[3, 20].numpy(), atol=1e-5)
    assert masked == scaled[:21] + [None] * (len(FOX) - 21)
    assert weights == sent(app, "hint")["weights"]
    added = (attention.weights[3, 20, :, None] * attention.values[3]).norm(dim=-1)
    np.testing.assert_allclose(parts[:21], (added / added.sum())[:21].numpy(), atol=1e-5)
    assert parts[21:] == [None] * (len(FOX) - 21)


def test_what_the_query_looks_at_is_named_by_the_rarest_pattern():
    sentence = Sentence(read_sentences.snapshots()[20], "a quick brown fox")
    assert relation_of(sentence, 16, 14) == "start of the word"
    assert relation_of(sentence, 16, 15) == "previous token"
    assert relation_of(sentence, 16, 3) == ""


def test_the_picture_shows_what_is_switched_off():
    app = seen(query="20")
    switches = {stage["switch"]: stage["is_on"] for stage in sent(app, "hint")["stages"]}
    assert switches == {"": True, "scaled": True, "causal": True}
    app = seen(query="20", causal="false", scaled="false")
    switches = {stage["switch"]: stage["is_on"] for stage in sent(app, "hint")["stages"]}
    assert switches == {"": True, "scaled": False, "causal": False}


def test_the_next_token_is_drawn_and_what_follows_is_marked(model):
    app = seen(query="20", ablated_heads="1.2")
    ids = torch.from_numpy(SOURCE.encode(FOX))
    frame = data(app, "next_token")
    changed = trace_attention(model, ids, Intervention(heads=frozenset({(0, 1)})))
    for column, trace in (("before", trace_attention(model, ids)), ("probability", changed)):
        expected = trace.logits[20].softmax(-1)
        kept = frame[frame["id"] >= 0]
        np.testing.assert_allclose(kept[column], expected[kept["id"].tolist()], atol=1e-5)
    assert frame[frame["is_marked"]]["symbol"].tolist() == [FOX[21]]


@pytest.mark.parametrize("option", range(3))
def test_the_guess_about_the_mask_is_judged_by_this_sentence(model, option):
    app = guess(arrive(sentence=FOX), "mask", option)
    before, after = loss_of(model, FOX), loss_of(model, FOX, is_causal=False)
    right = 0 if after < before / 4 else 2 if after > 1.5 * before else 1
    badges = [m.value.startswith(":green-badge") for m in app.markdown if "-badge" in m.value]
    assert badges == [option == right]
    assert shows(app, round(before, 2), round(after, 2))


def test_the_picture_of_all_heads_is_light():
    app = seen(sentence="x" * MOST_CHARACTERS)
    assert sum(len(part.proto.json) for part in app.get("bidi_component")) < 2_000_000


# What the controls do -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "changes"),
    [
        ({"causal": "false"}, {"is_causal": False}),
        ({"scaled": "false"}, {"is_scaled": False}),
        ({"attention_temperature": "10"}, {"temperature": 10.0}),
        ({"ablated_heads": "2.1"}, {"heads": frozenset({(1, 0)})}),
        ({"ablated_layers": "2"}, {"layers": frozenset({1})}),
    ],
)
def test_a_change_shows_the_loss_before_and_after(model, asked, changes):
    app = seen(**asked)
    before, after = loss_of(model, FOX), loss_of(model, FOX, **changes)
    assert f"Loss **{before:.3f} → {after:.3f}**" in text(app)
    assert app.metric[0].value == f"{before:.3f} → {after:.3f}"


def test_the_masks_removal_is_not_shown_before_the_guess():
    assert "Loss **" not in text(arrive(sentence=FOX, causal="false"))
    assert "Loss **" in text(arrive(sentence=FOX, scaled="false"))


def test_without_the_mask_nothing_is_hidden():
    data = sent(seen(causal="false", query="3"), "hint")
    assert None not in data["weights"]
    assert sum(data["weights"]) == pytest.approx(1.0, abs=1e-4)
    assert "39 keys" in seen(causal="false", query="3").get("latex")[0].value


def test_the_chosen_head_is_ablated_and_restored_by_a_button():
    app = seen(layer="1", head="2")
    app.button(key="ablate").click().run()
    assert app.multiselect(key="ablated_heads").value == ["1.2"]
    assert sent(app, "shades")["is_ablated"][0] == [False, True, False, False]
    app.button(key="ablate").click().run()
    assert app.multiselect(key="ablated_heads").value == []


def test_all_changes_are_undone_at_once():
    app = seen(ablated_heads="1.2", causal="false", attention_temperature="5", ablated_layers="2")
    app.button(key="undo_all").click().run()
    assert "Loss **" not in text(app)
    assert app.multiselect(key="ablated_heads").value == []
    assert app.toggle(key="causal").value is True
    assert app.select_slider(key="attention_temperature").value == 1.0


@pytest.mark.parametrize(("sink", "total"), [("hidden", "below"), ("renormalised", "one")])
def test_the_first_token_can_be_left_out_of_the_pictures(sink, total):
    row = sent(seen(sink=sink, query="20", layer="1", head="1"), "hint")
    weights = row["weights"][:21]
    assert weights[0] == 0.0
    assert (sum(weights) < 0.999) == (total == "below")
    stages = {stage["title"]: stage["values"] for stage in row["stages"]}
    assert stages["× |value|"][0] == 0.0


def test_the_loss_without_each_head_names_the_one_that_is_needed_most(model):
    app = seen(measure="Loss without it")
    costs = {
        (i, j): loss_of(model, FOX, heads=frozenset({(i, j)})) - loss_of(model, FOX)
        for i in range(2)
        for j in range(4)
    }
    (i, j), cost = max(costs.items(), key=lambda item: item[1])
    first = re.search(r"\*\*([\d.]+)\*\* \(([+-][\d.]+)\)", text(app))
    assert first.groups() == (f"{i + 1}.{j + 1}", f"{cost:+.3f}")


def test_a_shorter_sentence_takes_token_and_key_with_it():
    app = seen(query="38", strongest_key="false", key="30")
    app.text_input(key="sentence").set_value("a fox").run()
    assert not app.exception
    assert app.slider(key="query").value == 4
    assert app.slider(key="key").value == 4


def test_the_training_step_is_part_of_the_provenance():
    assert "1,000 characters" in text(seen())
    assert seen(snapshot="5").select_slider(key="snapshot").value == 5


def test_an_older_link_to_a_training_step_arrives():
    app = seen(training_step="5")
    assert app.select_slider(key="snapshot").value == 5
    assert not app.warning
    app = seen(training_step="x")
    assert app.select_slider(key="snapshot").value != 5
    assert len(app.warning) == 1


def test_every_pattern_has_a_short_name():
    assert set(SHORT) == set(PATTERNS)


def test_the_weights_of_all_heads_are_exported(model):
    sentence = Sentence(read_sentences.snapshots()[20], FOX)
    written = weights_csv(Choice(sentence, 0, 0, Intervention(), "hidden"))
    rows = list(csv.reader(written.splitlines()))
    assert rows[0] == ["layer", "head", "query", "key", "weight"]
    weights = trace_attention(model, torch.from_numpy(SOURCE.encode(FOX))).weights
    assert len(rows) - 1 == int((weights >= 0.001).sum())
    layer, head, query, key, weight = rows[-1]
    place = int(layer) - 1, int(head) - 1, int(query), int(key)
    assert float(weight) == pytest.approx(float(weights[place]), abs=1e-5)


def test_the_model_generates_the_same_text_every_time():
    sentence = Sentence(read_sentences.snapshots()[20], FOX)
    generated = generated_by(sentence).text
    assert len(generated) == 256
    st.cache_data.clear()
    assert generated_by(sentence).text == generated


# On the book ------------------------------------------------------------------------------------


def on_the_book(monkeypatch, weights_sha256=None):
    """Let the results hold made-up scores of the tiny model, or of other weights."""
    meta = read_sentences.snapshots()[20]
    patterns = (
        HeadPattern(1, 1, "previous token", 0.95, 0.04, 0.04, 900),
        HeadPattern(0, 2, "name of a pronoun", 0.81, 0.72, 0.05, 300),
        HeadPattern(1, 2, "name of a pronoun", 0.63, 0.11, 0.05, 300),
        HeadPattern(0, 0, "previous token", 0.21, 0.04, 0.04, 900),
    )
    entropy, largest = ((1.5, 2.5, 3.5, 4.5),) * 2, ((7.0, 8.0, 9.0, 12.5),) * 2
    sha256 = weights_sha256 or meta.weights_sha256
    scores = HeadScores(read_sentences.MODEL, sha256, 20, patterns, entropy, largest, (8.0, 6.0))
    results = HeadResults({}, {read_sentences.MODEL: scores})
    monkeypatch.setattr(HeadResults, "load", lambda: results)


def test_the_page_begins_with_the_head_that_is_scored_best_and_shows_the_scores(monkeypatch):
    on_the_book(monkeypatch)
    app = arrive()
    assert (app.button_group(key="layer").value, app.button_group(key="head").value) == (2, 3)
    table = next(frame.value for frame in app.dataframe if {"score", "head"} <= {*frame.value})
    assert table["head"].tolist() == ["2.2", "2.3"]
    assert table["score"].tolist() == ["95 %", "63 %"]
    assert table["shuffled"].tolist() == ["4 %", "11 %"]
    assert table["tokens"].tolist() == [900, 300]
    assert shows(app, 8.00, 6.00, "25 %", "3.00 bits", 12.5)


def test_every_head_has_its_scores_controls_and_sharpness(monkeypatch):
    on_the_book(monkeypatch)
    frames = [f.value for f in arrive().dataframe if "largest score" in f.value]
    scores, shuffled, uniform = (frame.set_index("head") for frame in frames)
    assert list(scores.index) == [f"{i}.{j}" for i in (1, 2) for j in (1, 2, 3, 4)]
    assert scores.loc["2.3"].dropna().to_dict() == {
        "entropy, bits": 3.5,
        "largest score": 9.0,
        "name of a pronoun": 0.63,
    }
    assert shuffled.loc["2.3", "name of a pronoun"] == 0.11
    assert uniform.loc["2.3", "name of a pronoun"] == 0.05


def test_a_head_without_a_pattern_here_is_named_by_its_pattern_on_the_book(monkeypatch):
    on_the_book(monkeypatch)
    notes = sent(seen(), "notes")["notes"]
    heads = traces.patterns_of(Sentence(read_sentences.snapshots()[20], FOX))
    assert not any(p.share >= 0.4 and p.excess >= p.share / 2 for p in heads if p.head > 0)
    assert "previous token 95 %" in notes[1][1]
    assert "name of a pronoun 63 %" in notes[1][2]
    assert "name of a pronoun" not in notes[0][2]  # its control gets nearly as much
    assert "previous token 21 %" in notes[0][0]


def test_scores_of_other_weights_are_not_shown(monkeypatch):
    on_the_book(monkeypatch, "0" * 64)
    app = arrive()
    assert not app.exception
    assert any("not scored" in info.value for info in app.info)
    assert all(not {"score", "head"} <= {*frame.value} for frame in app.dataframe)


def test_missing_scores_are_named_and_the_page_goes_on(monkeypatch):
    def missing():
        raise ResultError("attention.json is missing")

    monkeypatch.setattr(HeadResults, "load", missing)
    app = arrive()
    assert not app.exception
    assert "attention.json" in app.info[0].value
    asked = arrive(patterns_on="this sentence")
    assert not any("attention.json" in info.value for info in asked.info)


def test_another_transformer_is_chosen_and_read_in_its_tokens(model, tmp_path):
    config = dataclasses.replace(CONFIG, vocabulary_size=SOURCE_SUBWORDS_SIZE, context=24)
    other = TransformerLanguageModel(config)
    other.initialise(generator(1))
    meta = dataclasses.replace(
        read_sentences.snapshots()[20],
        name="parts",
        title="In parts",
        config=config_to_dict(config),
        vocabulary=SOURCE_SUBWORDS,
    )
    save_checkpoint(tmp_path / "shipped", other, meta)
    st.cache_resource.clear()
    read = vocabulary_named(SOURCE_SUBWORDS).spell(vocabulary_named(SOURCE_SUBWORDS).encode(FOX))
    app = seen(model="In parts", sentence=" ".join(FOX.split()[:4]))
    assert sent(app, "hint")["letters"] == [
        visible(s) for s in read[: sent(app, "shades")["length"]]
    ]
    assert app.slider(key="query").value == sent(app, "shades")["length"] - 1
    app = seen(model="In parts", sentence=FOX * 3)
    assert numbers(app.error[0].value)[-1] == 24


# Induction heads ------------------------------------------------------------------------------


@pytest.fixture
def curves(monkeypatch):
    """Curves of two measurements a lesson, each lesson a tenth above the last one."""
    made = {
        lesson.title: (
            InductionStep(0, 0.02, 0.02, 4.2, 4.2),
            InductionStep(700, 0.51 + i / 10, 0.01 + i / 50, 4.2, 1.0),
        )
        for i, lesson in enumerate(LESSONS)
    }
    read = SimpleNamespace(curves=made)
    monkeypatch.setattr(induction.InductionResults, "load", lambda: read)
    return made


def test_the_curves_of_induction_heads_are_drawn_and_quoted(curves):
    app = arrive()
    shown = data(app, "induction")
    assert len(shown) == 2 * len(LESSONS)
    assert shows(app, "61 %", "3 %", 700, "51 %", "1 %")
    assert numbers(alt(app, "induction"))[:2] == [51, 1]
    assert not arrive(induction_shown="shuffled").exception


def test_missing_curves_are_named_and_the_page_goes_on(monkeypatch):
    def missing():
        raise ResultError("induction.json is missing")

    monkeypatch.setattr(induction.InductionResults, "load", missing)
    app = arrive()
    assert not app.exception
    assert any("induction.json" in info.value for info in app.info)


# What is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "limits"),
    [("", [0, 2]), ("x", [1, 2]), ("ж" * 9, [0, 2]), ("x" * 257, [256, 257, 1])],
)
def test_what_is_no_sentence_gets_the_limits_and_the_way_back_is_open(typed, limits):
    app = seen()
    app.text_input(key="sentence").set_value(typed).run()
    assert [numbers(error.value) for error in app.error] == [limits]
    app.text_input(key="sentence").set_value("The fox").run()
    assert not app.error
    assert sent(app, "shades")["length"] == 7


def test_what_the_model_cannot_read_is_left_out_and_said():
    app = seen(sentence="<b>fox</b> жук_ 2")
    said = "Read as “bfoxb 2”, 7 characters. 9 characters are not in the vocabulary"
    assert said in text(app)
    assert sent(app, "hint")["letters"] == list("bfoxb·2")
    app.text_input(key="sentence").set_value(FOX).run()
    assert "Read as" not in text(app), "a plain sentence needs no words"


def test_without_its_model_the_page_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(read_sentences, "SHIPPED", tmp_path / "empty")
    app = arrive()
    assert f"train {read_sentences.MODEL}" in app.error[0].value
    assert read_sentences.MODEL in RECIPES


# The numbers in the formula -------------------------------------------------------------------


def latex_of(visible=True, **changes):
    q = torch.tensor([[2.0, 0.0, 0.0, 0.0], [3.0, 1.0, 0.0, 0.0]])
    mask = torch.ones(2, 2, dtype=torch.bool).tril()
    intervention = Intervention(**changes)
    stages = attend(
        q,
        q,
        q,
        mask,
        scale=None if intervention.is_scaled else 1.0,
        temperature=intervention.temperature,
    )
    query, key = (1, 0) if visible else (0, 1)
    return equations(attention_cell(stages, query, key), 4, intervention, query + 1)


def test_the_formula_holds_the_cells_numbers():
    lines = latex_of()
    assert lines[0].endswith("q_i k_i = 6.000")
    assert lines[1] == r"s &= q \cdot k / (\sqrt{4})"
    assert lines[2] == "&= 6.000 / 2.000 = 3.000"
    assert lines[3] == r"e^{s - m} &= e^{3.000 - 5.000} = 0.135"
    assert numbers(lines[4]) == [1.135, 2]
    assert lines[5] == r"w &= 0.135 / 1.135 = \mathbf{0.119}"


def test_the_formula_follows_scale_and_temperature():
    assert latex_of(is_scaled=False)[1] == r"s &= q \cdot k = 6.000"
    divided = latex_of(temperature=5.0)
    assert divided[1].endswith(r" / (\sqrt{4} \cdot 5)")
    assert divided[2] == "&= 6.000 / 10.00 = 0.600"


def test_a_masked_cell_ends_at_the_mask():
    assert latex_of(visible=False)[-1] == r"w &= \mathbf{0}"


# What travels ---------------------------------------------------------------------------------


def test_a_map_travels_in_steps_that_give_its_numbers_back():
    values = np.array([[1.5, -np.inf], [-3.0, 0.0]])
    packed = pack_map(values)
    steps = np.frombuffer(zlib.decompress(base64.b64decode(packed.values)), "<i2")
    assert steps[1] == -32768
    np.testing.assert_allclose(steps[[0, 2, 3]] * packed.step, [1.5, -3.0, 0.0], atol=1e-4)
    assert packed.reach == 3.0


def test_a_map_of_nothing_but_zeros_travels():
    assert pack_map(np.zeros((2, 2))).reach == 1.0


def test_shades_are_square_roots():
    shades = np.frombuffer(zlib.decompress(base64.b64decode(pack_heads(np.array([0.25])))), "u1")
    assert shades.tolist() == [130]  # 26 of 51 steps, as near to a half as there is


def test_nothing_done_is_described_by_nothing():
    assert described(Intervention()) == ""
    assert numbers(described(Intervention(frozenset({(1, 3), (0, 0)})))) == [1.1, 2.4]


# What a control is about ----------------------------------------------------------------------


def state(app, *names):
    return {name: app.session_state["lab_drawn"][name].values for name in names}


def test_a_query_belongs_to_its_sentence():
    app = visit("pages/attention/page.py")
    first = state(app, "query")
    app.slider(key="query").set_value(2).run()
    app.text_input(key="sentence").set_value("War").run()
    app.text_input(key="sentence").set_value(SENTENCES[0]).run()
    assert state(app, "query") == first


def test_every_snapshot_opens_on_the_head_that_one_sees_by_sliding_there(monkeypatch):
    def patterns_of(sentence):
        head = 0 if sentence.meta.snapshot_of else 1  # another one before than after training
        return [SimpleNamespace(pattern="name of a pronoun", layer=1, head=head, excess=1.0)]

    monkeypatch.setattr(settings, "patterns_of", patterns_of)
    app = visit("pages/attention/page.py")
    app.select_slider(key="snapshot").set_value(5).run()
    opened = visit("pages/attention/page.py", snapshot="5")
    names = ("snapshot", "layer", "head", "query")
    assert state(app, *names) == state(opened, *names)


@pytest.mark.folded
def test_a_whole_gpt_stands_behind_the_page_in_one_file():
    app = visit("pages/attention/page.py")
    app.session_state["source"] = True
    app.run()
    assert inspect.getsource(gpt) in [code.value + "\n" for code in app.code]
