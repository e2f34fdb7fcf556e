"""Every lesson that comes with the lab: its minutes, its links, and the figures that it promises."""

import re

import pytest
import torch
from streamlit.testing.v1.element_tree import Block
from torch.nn.functional import cosine_similarity

from lm_core.analysis.attention_trace import Intervention, trace_attention
from lm_core.classroom.numbered import NUMBERED
from lm_core.training.checkpoints import CHECKPOINTS, load_checkpoint
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared.lessons.kept import shipped_lessons
from pages.shared.registry import PAGES, page_at
from tests.pages.visits import arrive, numbers, press, questions, text

SHIPPED = shipped_lessons().lessons
STEPS = [
    pytest.param(step, id=f"{name}-{n}")
    for name, lesson in SHIPPED.items()
    for n, step in enumerate(lesson.steps, 1)
]


def parameters(step):
    """Return what a step's link asks for."""
    from urllib.parse import parse_qs, urlsplit

    asked = parse_qs(urlsplit(step.link).query, keep_blank_values=True)
    return {name: values if len(values) > 1 else values[0] for name, values in asked.items()}


def opened(step, **more):
    asked = {name: value for name, value in (parameters(step) | more).items() if value is not None}
    app = arrive(page_at(step.address).path, **asked)
    assert not app.exception
    return app


def shown_numbers(app):
    """Return the numbers that a page shows, in words, charts' descriptions, tables and controls."""
    words = [text(app), *(element.value for element in [*app.text, *app.info, *app.success])]
    words += [chart.proto.alt for chart in app.get("vega_lite_chart")]
    words += [component.proto.json for component in app.get("bidi_component")]
    words += [" ".join(c.values) for c in app.session_state["lab_drawn"].values()]
    return set(numbers(" ".join(words)))


def test_no_shipped_lesson_is_damaged_and_each_chapter_has_one_of_45_minutes():
    assert shipped_lessons().damaged == ()
    minutes = [(lesson.chapter, lesson.minutes) for lesson in SHIPPED.values()]
    short = [chapter for chapter, length in minutes if length == 45]
    assert short == list(dict.fromkeys(spec.chapter for spec in PAGES))
    assert [lesson.title for lesson in SHIPPED.values() if lesson.minutes != 45] == [
        "From counting to attention"
    ]
    assert SHIPPED["counting-to-attention"].minutes == 90


@pytest.mark.parametrize("step", STEPS)
def test_the_answer_of_a_step_is_one_of_its_options(step):
    assert bool(step.question) == bool(step.answer)
    if step.question:
        asked = step.class_question
        assert asked.kind != "word" or not step.options
        assert asked.right is not None or not step.options
        assert asked.reason == step.answer


def test_each_kind_of_question_with_numbers_is_asked_in_a_lesson():
    asked = [step.values[0].class_question for step in STEPS if step.values[0].question]
    of_a_page = {"cell"}  # of a picture, which no line can draw
    assert {question.kind for question in asked} >= {*NUMBERED, "choice", "number"} - of_a_page
    assert any(question.tolerance for question in asked)


@pytest.mark.parametrize("step", STEPS)
def test_a_page_has_every_setting_of_a_step_and_shows_the_figures_that_it_promises(step):
    app = opened(step)
    drawn = app.session_state["lab_drawn"]
    assert not app.warning, [warning.value for warning in app.warning]
    asked = {name: value for name, value in parameters(step).items() if name != "reveal"}
    assert set(asked) <= set(drawn), "no such control on this page, at these settings"
    revealed = opened(step, reveal=gates) if (gates := gates_of(app)) else app
    missing = set(numbers(step.see)) - shown_numbers(revealed)
    assert not missing, step.see


def gates_of(app):
    """Return what reveals all answers of a page, in a link."""
    return ",".join(questions(app))


PROJECTED = re.compile("first_screen|part|part_controls|shape|ablation|main_playback.*")
"""Keys of the places that the presenter view shows: the others are hidden there."""


@pytest.mark.parametrize("step", STEPS)
def test_the_projector_shows_what_a_step_asks_for(step):
    """A setting is in sight there, or what it changes is."""
    app = opened(step, present="1")
    asked = set(parameters(step)) - {"reveal"}
    assert asked <= set(app.session_state["lab_drawn"])
    hidden = asked & {child.key for child in leaves(app.main, is_projected=False)}
    gates = gates_of(app)
    if hidden and gates:
        app = opened(step, present="1", reveal=gates)
    for name in hidden:
        without = opened(step, present="1", reveal=gates or None, **{name: None})
        if without.session_state["lab_drawn"] != app.session_state["lab_drawn"]:
            assert projected(without) != projected(app), f"{name} changes nothing that is seen"


def projected(app):
    """Return all that stands on the projector, less the names that Streamlit gives it."""
    seen = "".join(str(child.proto) for child in leaves(app.main, is_projected=True))
    return re.sub(r"\$\$ID-\w+", "", seen)


def leaves(block, *, is_projected, is_inside=False):
    """Yield the elements in the places that are shown, or all others."""
    for child in block.children.values():
        here = is_inside or bool(PROJECTED.fullmatch(child.key or ""))
        if isinstance(child, Block):
            yield from leaves(child, is_projected=is_projected, is_inside=here)
        elif here == is_projected:
            yield child


@pytest.mark.parametrize("step", [step for step in STEPS if " press " in step.values[0].do])
def test_a_button_that_is_to_be_pressed_is_on_the_page(step):
    names = " ".join(button.label for button in opened(step).button)
    for name in re.findall(r"\bpress ([A-Z]\w+)", step.do):
        assert re.search(rf"\b{name}\b", names), f"{name} is not among {names}"


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_next_opens_each_page_as_its_own_link_does(name, monkeypatch, tmp_path):
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path))
    first, *others = SHIPPED[name].steps
    app = opened(first, lesson=name, lesson_step="1")
    for n, step in enumerate(others, 2):
        press(app, "lesson_next")
        assert not app.exception
        assert app.title[0].value == page_at(step.address).title
        assert f"· {n} of {len(others) + 1} ·" in text(app)
        alone = opened(step).session_state["lab_drawn"]
        assert app.session_state["lab_drawn"] == alone


def test_queen_is_near_to_king_without_the_step_from_man_to_woman():
    """As the lesson on words says of its analogy."""
    model = load_checkpoint(CHECKPOINTS / "library-skip-gram").model
    words = dict(zip(model.vocabulary.words, model.input.detach(), strict=False))
    king, queen, man, woman = (words[word] for word in ("king", "queen", "man", "woman"))
    assert cosine_similarity(queen - king, woman - man, dim=0) < 0.3
    assert cosine_similarity(queen, king, dim=0) > 0.5


def test_the_head_of_the_first_visit_helps_and_does_not_know_who_is_meant():
    model, meta = load_checkpoint(CHECKPOINTS / "book-subword-transformer")
    vocabulary, head = vocabulary_of(meta), (3, 7)

    def read(sentence, *ablated):
        ids = torch.from_numpy(vocabulary.encode(sentence))
        return ids.tolist(), trace_attention(model, ids, Intervention(heads=frozenset(ablated)))

    def looked_at(sentence):
        ids, found = read(sentence)
        he = max(i for i, token in enumerate(ids) if vocabulary.symbols[token].strip() == "he")
        return vocabulary.symbols[ids[int(found.weights[*head, he].argmax())]].strip()

    sentence = "Natasha came to Prince Andrew, and he kissed her"
    assert looked_at(sentence) == "Andrew"
    assert looked_at("Rostov went to the hussars, and he found Denisov there.") == "hussars"
    assert read(sentence, head)[1].losses[-2] > read(sentence)[1].losses[-2] + 0.1
