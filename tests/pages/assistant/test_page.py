"""The page that asks models: what waits for a guess, prompts, templates, a pretrained model, and bad input."""

import re

import pytest
from safetensors.torch import load_file, save_file

from lm_core.experiments.assistant.results import AssistantResults
from lm_core.experiments.assistant.study import RIGHT
from lm_core.experiments.assistant.tasks import PLURAL, SHORT, SHOTS, TRANSLATE
from lm_core.experiments.assistant.templates import CHATML, TEMPLATES
from lm_core.experiments.assistant.tuning import TUNED, WRITER
from lm_core.text.tokenizers.gpt import GPT_2, load_ranked_tokenizer
from pages.assistant.examples_choice import STYLE_TITLES, TASK_TITLES
from pages.shared.numbers import percent
from tests.gpt2_folder import write_gpt2
from tests.pages.visits import alt, data, guess, press, shows, text, visit

PAGE = "pages/assistant/page.py"
PROMPT, TEMPLATES_PART, OWN_MODEL = "One prompt", "Templates", "Your model"


@pytest.fixture(autouse=True)
def no_pretrained(monkeypatch):
    monkeypatch.delenv("LM_LAB_PRETRAINED", raising=False)


@pytest.fixture
def pretrained(tmp_path, monkeypatch):
    """A tiny GPT-2 in the folder that the environment names."""
    folder = write_gpt2(tmp_path / "tiny-gpt2")
    monkeypatch.setenv("LM_LAB_PRETRAINED", str(folder))
    return folder


# Examples -------------------------------------------------------------------------------------


def test_the_writers_line_waits_for_the_guess():
    app = visit(PAGE)
    assert "untuned" not in data(app, "accuracy_by_examples").columns
    assert "untuned" not in alt(app, "accuracy_by_examples")
    app = guess(app, "shots")
    table = data(app, "accuracy_by_examples")
    measured = [cell.accuracy for cell in AssistantResults.load().of(WRITER, PLURAL)]
    assert table["untuned"].tolist() == measured
    assert table["examples"].tolist() == list(SHOTS)
    assert "Right" in text(app) or "Not quite" in text(app)


@pytest.mark.parametrize("task", ["Repeat", "Opposite", "French"])
def test_each_task_is_drawn_with_its_numbers(task):
    app = visit(PAGE, task=task)
    assert not app.radio
    name = {"Repeat": "copy", "Opposite": "opposite", "French": TRANSLATE}[task]
    found = AssistantResults.load().of(TUNED, name)[-1].accuracy
    assert shows(app, percent(found))


def test_examples_are_said_to_help_only_where_they_do():
    results = AssistantResults.load()
    for task, title in TASK_TITLES.items():
        for style, form in STYLE_TITLES.items():
            none, *_, most = results.of(TUNED, task, style)
            helps = most.accuracy - none.accuracy > most.standard_error
            assert helps == ((task, style) == (PLURAL, SHORT))
            app = visit(PAGE, task=title, style=form)
            assert helps != ("Examples do not help here" in text(app))


def test_the_tuned_model_is_compared_with_what_is_chosen():
    app = visit(PAGE, task="French", compared="words it was tuned on")
    assert "seen words" in data(app, "accuracy_by_examples").columns
    app = visit(PAGE, compared="none", style="translate: dog / answer: chien")
    assert not {
        c for c in data(app, "accuracy_by_examples").columns if c in ("seen words", "shuffled")
    }


# One prompt -----------------------------------------------------------------------------------


def test_a_prompt_shows_the_shares_of_eight_answers():
    app = visit(PAGE, part=PROMPT, shots="0", question="3")
    found = data(app, "prompt_candidates")
    assert len(found) == 8
    assert found["probability"].sum() == pytest.approx(1.0, abs=1e-3)
    assert "Right: " in alt(app, "prompt_candidates")


def test_an_own_prompt_is_continued_and_markup_in_it_is_only_text():
    app = visit(PAGE, part=PROMPT, asked_task="Own prompt", own_prompt="<b>dog</b>: ")
    assert not app.error
    assert app.text_area(key="own_prompt").value == "<b>dog</b>: "
    assert "<b>" not in text(app)


def test_an_empty_and_a_too_long_prompt_get_an_answer():
    app = visit(PAGE, part=PROMPT, asked_task="Own prompt", own_prompt="")
    assert not app.error
    app = visit(PAGE, part=PROMPT, asked_task="Own prompt", own_prompt="a" * 2_001)
    assert len(app.text_area(key="own_prompt").value) <= 2_000


# Templates ------------------------------------------------------------------------------------


def test_the_tokens_of_the_mark_wait_for_the_guess():
    app = visit(PAGE, part=TEMPLATES_PART)
    n = len(load_ranked_tokenizer(GPT_2).encode("<|im_start|>"))
    assert not shows(app, f"{n}", "to it the mark is text")
    app = guess(app, "special", [1, 3, 7].index(n))
    assert shows(app, "Right", n)


@pytest.mark.parametrize("template", TEMPLATES)
def test_each_template_is_drawn(template):
    app = visit(PAGE, part=TEMPLATES_PART, template=template, reveal="special")
    assert not app.error
    if template != CHATML and not TEMPLATES[template].special_tokens:
        assert shows(app, "no special token")


def test_braces_and_marks_in_a_question_are_text():
    app = visit(PAGE, part=TEMPLATES_PART, message="{user} {0} <|im_end|> `x`", reveal="special")
    assert not app.error


# Your model -----------------------------------------------------------------------------------


def test_without_a_pretrained_model_the_page_says_how_to_bring_one():
    app = visit(PAGE, part=OWN_MODEL)
    assert "LM_LAB_PRETRAINED" in app.code[0].value
    assert list(data(app, "own_accuracy").columns) == ["examples", "untuned", "tuned"]


def test_a_pretrained_model_is_asked_and_measured(pretrained):
    app = visit(PAGE, part=PROMPT, model="tiny-gpt2, 2 x 16 (pretrained)")
    assert len(data(app, "prompt_candidates")) == 8
    app = visit(PAGE, part=OWN_MODEL, measured_task="French")
    app = press(app, "measure")
    assert list(data(app, "own_accuracy").columns) == ["examples", "untuned", "tuned", "your model"]


def test_a_folder_that_cannot_be_read_is_named_without_where_it_lies(pretrained):
    (pretrained / "model.safetensors").rename(pretrained / "pytorch_model.bin")
    app = visit(PAGE, part=OWN_MODEL)
    (warning,) = app.warning
    assert "unpickling" in warning.value
    assert str(pretrained) not in warning.value


@pytest.mark.parametrize(
    ("address", "control"),
    [("war_and_peace", "model"), ("surprisal", "model"), ("attention", "model")],
)
def test_other_pages_offer_the_pretrained_model_too(pretrained, address, control):
    page = f"pages/{address}/page.py"
    name = "tiny-gpt2, 2 x 16 (pretrained)"
    app = visit(page, **{control: name})
    assert not app.error
    assert app.selectbox(key=control).value == "pretrained"
    assert "trained elsewhere" in text(app)


@pytest.mark.parametrize(
    ("address", "asked"),
    [("war_and_peace", {}), ("surprisal", {}), ("attention", {}), ("assistant", {"part": PROMPT})],
)
def test_of_a_model_with_a_nan_no_page_says_anything_but_that(pretrained, address, asked):
    stored = load_file(pretrained / "model.safetensors")
    stored["transformer.wpe.weight"][3, 3] = float("nan")
    save_file(stored, pretrained / "model.safetensors", {"format": "pt"})
    app = visit(
        f"pages/{address}/page.py", model="tiny-gpt2, 2 x 16 (pretrained)", reveal="greedy", **asked
    )
    assert any("infinity or NaN" in error.value for error in app.error)
    assert not re.search(r"\bnan\b|100\s?%", text(app).lower())


def test_other_pages_say_what_is_wrong_with_the_folder(pretrained):
    (pretrained / "config.json").write_text("{")
    app = visit("pages/war_and_peace/page.py")
    assert any("pretrained model" in warning.value for warning in app.warning)
    assert "pretrained" not in app.selectbox(key="model").options


# Bad input ------------------------------------------------------------------------------------


def test_values_that_a_link_makes_up_fall_back_with_a_note():
    app = visit(PAGE, task="Singing", part="Nowhere")
    assert len(app.warning) == 2
    assert len(data(app, "accuracy_by_examples")) == len(SHOTS)


def test_what_was_measured_has_the_questions_that_the_caption_names():
    found = AssistantResults.load()
    assert {cell.trials for cell in found.cells} == {found.provenance["trials"]}
    assert found.of(TUNED, PLURAL, SHORT, RIGHT)
