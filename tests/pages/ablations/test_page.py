"""The page on ablations: what it draws, the numbers it quotes, what it refuses."""

import re
from dataclasses import replace

import pytest
import torch

from lm_core import results as experiment_results
from lm_core.experiments.ablations.results import AblationResults
from lm_core.experiments.ablations.variants import COMPARISONS, MODERN, VARIANTS
from lm_core.models.registry import build
from pages.ablations.comparison import models_control
from pages.ablations.curve_choice import style_of, titled
from pages.ablations.modern_parts import MODERN_PARTS
from pages.ablations.questions import QUESTIONS
from pages.shared.charts.palette import GUESS
from tests.pages.playing import put
from tests.pages.visits import alt, data, drawn_rows, guess, numbers, sent_to, shows, text, visit

PAGE = "pages/ablations/page.py"


def arrive(**asked):
    return visit(PAGE, **{"ablation": "Mask", **asked})


def revealed(**asked):
    return arrive(reveal=",".join(q.name for q in QUESTIONS.values()), **asked)


def ranks(app):
    """How far above the full model each model ends, as it is drawn."""
    return drawn_rows(app, "ablation_ranks").query("kind == 'model'").set_index("model")


def table(app, column):
    """The data table under the chart that has this column; None if there is no such chart."""
    return next((f.value for f in app.dataframe if column in f.value), None)


def losses(app):
    """The lines of the training curves: losses by training step, by the line's name."""
    rows = table(app, "training step")
    return {
        name: dict(zip(of_line["training step"], of_line["loss (nats per character)"], strict=True))
        for name, of_line in rows.groupby("model")
    }


def finding(app):
    """The training step of the snapshot, and the loss of each model there."""
    return numbers(alt(app, "ablation_losses"))


def loss_at(name, step):
    """The loss of a model on the training text, as the page writes it."""
    curve = AblationResults.load().trainings[name].curve
    return round(dict(zip(curve.step, curve.loss, strict=True))[step], 2)


def validation(name):
    return AblationResults.load().trainings[name].validation


@pytest.mark.parametrize("option", range(3))
def test_the_page_opens_on_ranked_bars_of_which_one_waits(option):
    app = visit(PAGE)
    drawn = ranks(app)
    waiting = drawn[drawn["text"] == "?"]
    assert waiting.index.tolist() == ["no residual"]
    assert waiting["difference"].isna().all()
    assert len(drawn) == 8
    lost = validation("no-residual").loss
    above = contributed("no-residual")
    everything = text(app) + alt(app, "ablation_ranks") + data(app, "ablation_ranks").to_string()
    assert not {f"{lost:.2f}", f"{lost:.3f}", f"{above:.2f}", f"{above:.3f}"} & set(
        re.findall(r"[\d.]+\d", everything)
    )
    app = guess(app, "ranked", option)
    drawn = ranks(app)
    assert drawn.loc["no residual", "difference"] == pytest.approx(above)
    assert shows(app, round(above, 2), round(lost, 2))
    assert shows(app, "Right") == (option == 2)
    marked = [name for name in drawn.index if GUESS in name]
    assert marked == [f"{name} ({GUESS})" for name in ("1 layer", "no positions")][option:][:1]


def test_the_model_without_mask_waits_for_a_guess():
    app = arrive()
    assert set(losses(app)) == {"full model"}
    assert any(element.value.startswith("no mask: The prince") for element in app.text)
    assert f"{validation('no-mask').loss:.2f}" not in text(app)
    assert table(app, "position") is None
    said = app.radio(key="guess_mask").options[1]
    guess(app, "mask", 1)
    assert not app.exception
    assert f"**{said}**" in text(app)
    assert set(losses(app)) == {"full model", "no mask"}
    assert finding(app) == [1200, loss_at("full", 1200), loss_at("no-mask", 1200)]
    assert len(table(app, "position")) == 64


@pytest.mark.parametrize("asked", [{}, {"reveal": "ranked"}])
def test_every_bar_opens_that_models_curve_beside_the_full_ones(asked):
    bars = ranks(visit(PAGE, **asked))
    for title in bars.index:
        app = visit(PAGE, **asked)
        app.session_state["ablation_ranks"] = {"selection": {"pick": [{"model": title}]}}
        app.run()
        comparison, (first, *_) = next(
            item for item in COMPARISONS.items() if title in {VARIANTS[n].title for n in item[1]}
        )
        assert app.session_state["ablation"] == comparison
        chosen = app.session_state[models_control(comparison)]
        assert [VARIANTS[name].title for name in chosen] == [VARIANTS[first].title, title]


@pytest.mark.parametrize(
    ("comparison", "hidden", "right"),
    [
        ("Residual and norm", {"no residual", "no residual, rate 0.0003", "no norm"}, 0),
        ("8 layers", {"no residual or norm"}, 2),
        ("Positions, heads, layers", {"no positions", "1 head", "1 layer"}, 0),
    ],
)
def test_only_the_curves_that_are_asked_for_wait(comparison, hidden, right):
    titles = {titled(name) for name in COMPARISONS[comparison]}
    app = arrive(ablation=comparison)
    assert set(losses(app)) == titles - hidden
    guess(app, QUESTIONS[comparison].name, right)
    assert set(losses(app)) == titles
    assert any(element.value.startswith(":green-badge") for element in app.markdown)


def test_the_explanation_quotes_the_measured_losses():
    app = revealed()
    found = validation("no-mask")
    assert f"**{found.by_position[-1]:.2f}**" in text(app)
    results = AblationResults.load()
    unigram, curve = results.unigram_loss, results.trainings["no-mask"].curve
    copies, loss = next(
        pair for pair in zip(curve.step, curve.loss, strict=True) if pair[1] < unigram / 20
    )
    assert shows(app, f"few steps: after {copies} its loss is {loss:.2f}")
    compared = (found.masked_loss, unigram, validation("full").loss)
    assert shows(app, *(round(loss, 2) for loss in compared))
    assert table(app, "position")["masked now"].tolist() == list(found.masked_by_position)


def test_the_snapshot_changes_losses_and_texts():
    app = revealed()
    before = [element.value for element in app.text]
    put(app, "snapshot", 1)
    results = AblationResults.load()
    assert finding(app) == [100, loss_at("full", 100), loss_at("no-mask", 100)]
    generated = results.snapshot("no-mask", 100).text
    after = [element.value for element in app.text]
    assert f"The prince {generated}" in after
    assert f"The prince {generated}" not in before


def test_on_held_out_text_the_model_without_mask_has_two_lines():
    app = revealed(loss="held-out text")
    last = AblationResults.load().trainings["no-mask"].snapshots[-1]
    drawn = {name: line[last.step] for name, line in losses(app).items()}
    assert drawn.pop("no mask") == last.loss
    del drawn["full model"]
    assert list(drawn.values()) == [last.masked_loss]


def test_residual_and_norm_come_with_the_gradient_of_each_block():
    assert table(revealed(), "gradient norm") is None
    drawn = table(revealed(ablation="Residual and norm"), "gradient norm")
    last = AblationResults.load().trainings["no-norm"].snapshots[-1]
    of_model = drawn[drawn["model"] == "no norm"]
    assert of_model["gradient norm"].tolist() == list(last.block_gradients)


def test_what_is_not_chosen_is_not_drawn():
    app = revealed(models_mask="no mask")
    assert set(losses(app)) == {"no mask"}
    app.pills(key="models_mask").set_value([]).run()
    assert not app.exception
    assert table(app, "training step") is None
    assert len(app.info) == 1


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_every_comparison_that_is_trained_can_be_seen(comparison):
    app = revealed(ablation=comparison)
    trained = [n for n in COMPARISONS[comparison] if n in AblationResults.load().trainings]
    is_offered = len(trained) > 1
    assert bool(app.warning) == (not is_offered)
    if is_offered:
        assert set(losses(app)) == {titled(name) for name in trained}


def test_lines_of_one_chart_differ_by_more_than_colour():
    for names in COMPARISONS.values():
        assert len({style_of(name) for name in names}) == len(names)


# Modern parts ---------------------------------------------------------------------------------


def rows_of(app):
    """The table beside the bars: the cells of each model, by its title."""
    written = next(m.value for m in app.markdown if m.value.startswith("| Model | Loss"))
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in written.split("\n")[2:]
    ]
    return {title: rest for title, *rest in cells}


@pytest.mark.parametrize("option", range(4))
def test_modern_parts_wait_for_a_guess_and_are_judged_by_the_seeds_band(option):
    app = visit(PAGE, ablation=MODERN_PARTS)
    assert data(app, "ablation_modern")["difference"].isna().all()
    rows = rows_of(app)
    assert [row[0] for row in rows.values()][1:] == 4 * ["?"]
    hidden = {f"{validation(name).loss:.3f}" for name in MODERN}
    assert not hidden & set(re.findall(r"\d\.\d{3}", text(app)))
    app = guess(app, "modern", option)
    assert shows(app, "Right") == (option == 1)
    drawn = data(app, "ablation_modern").set_index("model")["difference"]
    for name in MODERN:
        title = VARIANTS[name].title
        assert drawn[title] == pytest.approx(contributed(name))
        assert rows_of(app)[title][0] == f"{validation(name).loss:.3f}"
    assert shows(app, "RMSNorm", "grouped queries", "nothing measurable at this size")


def test_weights_time_and_cache_stand_beside_the_losses():
    rows, found = rows_of(visit(PAGE, ablation=MODERN_PARTS)), AblationResults.load()
    for name in ("full", *MODERN):
        _, weights, time, cache = rows[VARIANTS[name].title]
        assert weights == f"{found.trainings[name].parameters:,}"
        assert float(time) == pytest.approx(1e3 * found.step_seconds[name], rel=0.01)
        model = build(VARIANTS[name].model)
        with torch.no_grad():
            _, state = model(torch.ones(1, 1, dtype=torch.int64), model.initial_state(1))
        assert cache == f"{sum(tensor.nbytes for tensor in state):,} bytes"


def test_without_the_trainings_there_is_no_part_of_modern_parts(monkeypatch):
    found = AblationResults.load()
    old = {name: one for name, one in found.trainings.items() if name not in MODERN}
    monkeypatch.setattr(AblationResults, "load", lambda *_: replace(found, trainings=old))
    app = visit(PAGE, reveal="ranked")
    assert MODERN_PARTS not in app.segmented_control(key="ablation").options
    assert not app.exception


def test_a_bar_of_a_modern_part_opens_them():
    app = visit(PAGE, reveal="ranked")
    app.session_state["ablation_differences"] = {"selection": {"pick": [{"model": "SwiGLU"}]}}
    app.run()
    assert app.session_state["ablation"] == MODERN_PARTS


# Generation -----------------------------------------------------------------------------------


def generated(app):
    """The two texts, as the strips show them."""
    found = sent_to(app)
    return ["".join(data["tokens"]) for data in found if "prompt_length" in data]


def test_both_models_continue_the_prompt_of_a_visitor():
    app = revealed(prompt="<b>Caesar</b> & Σ", seed="5")
    assert not app.error
    assert len(generated(app)) == 2
    assert all("bCaesarb" in found for found in generated(app))  # unknown characters are omitted
    assert shows(app, "Read as “bCaesarb ”", "characters are not in the vocabulary")
    again = revealed(prompt="<b>Caesar</b> & Σ", seed="5")
    for now, before in zip(generated(again), generated(app), strict=True):
        assert now.startswith(before)
    again.number_input(key="seed").set_value(6).run()
    for text_of_6, text_of_5 in zip(generated(again), generated(app), strict=True):
        assert not text_of_6.startswith(text_of_5)


def test_a_prompt_without_a_known_character_gets_a_message_and_keeps_the_seed():
    app = revealed(prompt="ΣΩ", seed="5")
    assert len(app.error) == 1
    ours = generated(revealed(ablation="Mask", seed="5"))
    for text_of_ours, continued in zip(ours, generated(app), strict=True):
        assert text_of_ours.startswith(continued), "our prompt is continued meanwhile"
    assert app.number_input(key="seed").value == 5


def test_a_class_writes_the_texts_once():
    app = revealed(seed="7")
    for _ in range(8):
        app.run()
    assert generated(revealed(seed="7")) == generated(app)


# What can be wrong ----------------------------------------------------------------------------


def test_without_its_results_the_page_shows_an_error(monkeypatch, tmp_path):
    monkeypatch.setattr(experiment_results, "RESULTS", tmp_path)
    app = arrive()
    assert "ablations.json" in app.error[0].value


def contributed(name):
    """How far above the mean of the full model's seeds a model of 4 layers ends."""
    seeds = [validation(name).loss for name in ("full", "full-seed-2", "full-seed-3")]
    return validation(name).loss - sum(seeds) / 3


def test_what_each_part_contributes_is_the_difference_to_the_full_model():
    frame = data(visit(PAGE, reveal="ranked"), "ablation_differences")
    row = frame.set_index("model").loc["no residual"]
    assert row["difference"] == pytest.approx(contributed("no-residual"))
    assert "no mask" not in frame["model"].tolist()


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_no_comparison_shows_what_another_part_of_the_page_asks_for(comparison):
    app = arrive(ablation=comparison)
    assert table(app, "difference") is None
    asked = {f"{validation(name).loss:.2f}" for name in QUESTIONS[comparison].hidden}
    assert not asked & set(re.findall(r"\d\.\d\d", text(app)))
