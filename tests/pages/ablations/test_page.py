"""The page on transformers without a part: what it draws, what it says, what it refuses."""

import json

import pytest

from lm_core.experiments.ablations.results import WithoutResults
from lm_core.experiments.ablations.variants import VARIANTS
from pages.ablations.measured import GROUPS, look_of
from tests.pages.visits import visit

PAGE = "pages/ablations/page.py"


def arrive(**asked):
    return visit("pages/ablations/page.py", **asked)


def seen(**asked):
    return arrive(reveal="mask", **asked)


def text(app):
    return "\n".join(
        element.value for element in [*app.subheader, *app.markdown, *app.caption, *app.text]
    )


def validation(name):
    return WithoutResults.load()[name]["validation"]


def test_the_mask_waits_for_a_guess():
    app = arrive()
    assert "no mask" not in text(app)
    assert "A loss of zero" not in text(app)
    app.radio(key="guess_mask").set_value("It stays as it was").run()
    app.button(key="reveal_mask").click().run()
    assert not app.exception
    assert "You said: **It stays as it was**" in text(app)
    assert "whole 1.58, no mask 0.04" in text(app)
    assert "A loss of zero" in text(app)


def test_the_explanation_quotes_the_measured_losses():
    app = seen()
    verdict = validation("no-mask")
    assert f"**{verdict['by_place'][-1]:.2f}**, and shared out over 64 places" in text(app)
    letters = WithoutResults.load().letter_frequency_loss
    assert f"**{verdict['masked_loss']:.2f}**, worse than the {letters:.2f}" in text(app)
    assert f"The whole model has {validation('whole')['loss']:.2f}" in text(app)


def test_the_moment_changes_losses_and_texts():
    app = seen()
    last = text(app)
    app.slider(key="moment").set_value(1).run()
    curve = WithoutResults.load()["whole"]["curve"]
    loss = curve["loss"][curve["step"].index(100)]
    assert f"After 100 steps, loss on training text: whole {loss:.2f}" in text(app)
    looks = WithoutResults.load()["no-mask"]["looks"]
    assert f"The prince {looks[1]['text']}" in text(app)
    assert looks[1]["text"] not in last


def test_held_out_text_is_judged_in_both_ways():
    app = seen(loss="held-out text")
    looks = WithoutResults.load()["no-mask"]["looks"]
    assert f"no mask {looks[-1]['loss']:.2f}" in text(app)
    assert f"no mask, masked now {looks[-1]['masked_loss']:.2f}" in text(app)


def test_residual_and_norm_come_with_the_gradient_of_each_block():
    app = seen(part="Residual and norm")
    assert "Shortest gradient of a block" in text(app)
    assert len(app.get("vega_lite_chart")) == len(seen().get("vega_lite_chart")) + 1


def test_what_is_not_chosen_is_not_drawn():
    app = seen(shown_1="no mask")
    assert "After 1,200 steps, loss on training text: no mask" in text(app)
    app.pills(key="shown_1").set_value([]).run()
    assert not app.exception
    assert "Choose at least one model." in [info.value for info in app.info]


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_that_is_trained_can_be_seen(group):
    app = seen(part=group)
    trained = [name for name in GROUPS[group] if name in WithoutResults.load()]
    is_offered = len(trained) > 1
    assert bool(app.warning) == (not is_offered)
    if is_offered:
        told = next(m.value for m in app.markdown if m.value.startswith("**After 1,200 steps"))
        assert all(VARIANTS[name].title in told for name in trained)


def test_lines_of_one_picture_differ_by_more_than_colour():
    for names in GROUPS.values():
        assert len({look_of(name) for name in names}) == len(names)


# Writing --------------------------------------------------------------------------------------


def written(app):
    """The two texts, as the strips show them."""
    found = (json.loads(e.proto.json) for e in app.get("bidi_component"))
    return ["".join(data["tokens"]) for data in found if "prompt_length" in data]


def test_both_models_write_on_from_a_strangers_words():
    app = seen(prompt="<b>Caesar</b> & Σ", seed="5")
    assert not app.error
    assert len(written(app)) == 2
    assert all(
        "bCaesarb" in json for json in written(app)
    )  # what the vocabulary does not hold is gone
    assert "Characters that the models do not know, left out" in text(app)
    again = seen(prompt="<b>Caesar</b> & Σ", seed="5")
    assert written(again) == written(app)
    again.number_input(key="seed").set_value(6).run()
    for text_of_6, text_of_5 in zip(written(again), written(app), strict=True):
        assert not text_of_6.startswith(text_of_5)


def test_a_prompt_of_nothing_known_gets_a_message_and_nothing_is_lost():
    app = seen(prompt="ΣΩ", seed="5")
    assert "Type a few letters for the models to go on from." in [i.value for i in app.info]
    assert app.number_input(key="seed").value == 5


# What can be wrong ----------------------------------------------------------------------------


def test_without_its_results_the_page_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(WithoutResults.load.__func__, "__defaults__", (tmp_path,))
    app = arrive()
    assert "no readable results in" in app.error[0].value


@pytest.mark.parametrize(
    ("name", "value"), [("part", "The brain"), ("moment", "99"), ("loss", "x")]
)
def test_a_foreign_value_falls_back_with_a_note(name, value):
    app = seen(**{name: value})
    assert len(app.warning) == 1
    assert f"`{value}`" in app.warning[0].value


def test_what_each_part_gives_is_the_distance_to_the_whole_model():
    app = seen()
    frame = next(f.value for f in app.dataframe if "difference" in f.value)
    results = WithoutResults.load()
    whole = [n for n in ("whole", "whole-again", "whole-once-more") if n in results]
    mean = sum(validation(name)["loss"] for name in whole) / len(whole)
    row = frame.set_index("model").loc["no residual"]
    assert row["difference"] == pytest.approx(validation("no-residual")["loss"] - mean)
    assert "no mask" not in frame["model"].tolist()
