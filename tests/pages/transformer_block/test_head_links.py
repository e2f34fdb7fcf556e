"""From a head within its block to the page about heads and back: sentence, model, head and token are carried along."""

import pytest

from pages.shared.models.head_links import MOST_TOKENS
from pages.shared.models.read_sentences import Sentence, titles, transformers
from tests.pages.visits import numbers, visit

BLOCK, HEADS = "pages/transformer_block/page.py", "pages/attention/page.py"
PIERRE = "Pierre looked at Natasha and she at him"


def led(app):
    """Return where a page has led, and what its controls there are set to."""
    assert not app.exception
    values = app.session_state["lab_drawn"]
    return {name: control.values for name, control in values.items()}


def choose(app, head):
    return app.button_group(key="leads_to_head").set_value(head).run()


def test_a_head_of_the_picture_leads_to_its_page():
    app = visit(BLOCK, sentence=PIERRE, stage="12", token="04 ·and")
    assert app.title[0].value.startswith("One block")
    app = choose(app, (1, 2))
    found = led(app)
    assert app.title[0].value.startswith("Attention heads")
    assert found["sentence"] == (PIERRE,)
    assert [found[name] for name in ("layer", "head", "query")] == [("2",), ("3",), ("4",)]


def test_the_model_goes_with_it():
    name = "library-transformer"
    app = visit(BLOCK, sentence=PIERRE, stage="3", model=titles()[name])
    found = led(choose(app, (0, 4)))
    assert found["model"] == (titles()[name],)
    assert found["head"] == ("5",)


def test_heads_are_led_to_from_their_shares_once_the_answer_is_there():
    app = visit(BLOCK, part="Who says it")
    assert "leads_to_head" not in [group.key for group in app.button_group]
    app = visit(BLOCK, part="Who says it", reveal="largest_part")
    (strip,) = [group for group in app.button_group if group.key == "leads_to_head"]
    shares = [abs(numbers(option)[-1]) for option in strip.options]
    assert shares == sorted(shares, reverse=True)
    layer, head = (int(part) for part in strip.options[0].split(":")[0].split(" ")[1].split("."))
    found = led(choose(app, (layer - 1, head - 1)))
    assert (found["layer"], found["head"]) == ((str(layer),), (str(head),))


def test_a_head_leads_to_its_block():
    app = visit(HEADS, sentence=PIERRE, layer="3", head="2", query="4")
    app = app.button(key="leads_to_block").click().run()
    found = led(app)
    assert app.title[0].value.startswith("One block")
    assert found["sentence"] == (PIERRE,)
    assert found["token"] == ("4",)
    assert "what the heads mix of block 3" in "".join(m.value for m in app.markdown).lower()


@pytest.mark.parametrize(
    "asked", [{"sentence": "He and I saw her " * 15}, {"snapshot": "80"}], ids=["long", "untrained"]
)
def test_what_the_block_does_not_show_has_no_link(asked):
    app = visit(HEADS, **asked)
    assert "leads_to_block" not in [button.key for button in app.button]


def test_a_sentence_that_is_too_long_is_known_by_its_tokens():
    meta = transformers()["book-subword-transformer"]
    assert len(Sentence(meta, "He and I saw her " * 15).symbols) > MOST_TOKENS
