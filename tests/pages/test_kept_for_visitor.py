"""What a visitor typed, dropped or answered is there after a reload, in a new session, and nobody else gets it."""

import ast
import json
from typing import NamedTuple

import pytest

from pages.shared.registry import PAGES
from pages.shared.server.visitor_store import KEPT_DAYS, visitor_store
from tests.conftest import ROOT
from tests.pages.shared.classroom.people import arrive_as, visitor
from tests.pages.visits import press, text

PATHS = {spec.address: spec.path for spec in PAGES}
TALE = "the wolf ate the little goat and the old goat wept in the house by the wood . " * 30


class Own(NamedTuple):
    """A field that a link does not carry: where it is, and what is typed."""

    page: str
    asked: dict[str, str]
    key: str
    typed: str


FIELDS = (
    Own("word2vec", {"text": "Your own"}, "own_text", TALE),
    Own("surprisal", {"text": "Your own"}, "own_text", "My own sentence is here to be read."),
    Own("inside-a-writer", {"text": "Your own"}, "own_text", '"Where?" he asked, and went out.'),
    Own(
        "transformer-block",
        {"part": "Units", "unit_text": "Your own"},
        "own_unit_text",
        '"Where?" he asked, and went out.',
    ),
    Own("neural-language-model", {}, "sentences", "die katze geht\nder hund geht\ndie katze ruht"),
    Own(
        "model-ladder",
        {"part": "Where they differ"},
        "own_text",
        "She said nothing, and the prince went on with his long story.",
    ),
    Own(
        "embeddings",
        {"part": "Neighbours"},
        "search_sentences",
        "The king went to war.\nThe queen drank tea.",
    ),
    Own("embeddings", {"part": "Neighbours"}, "search_for", "A feast in the palace."),
    Own("n-grams", {"part": "Shannon game", "game_line": "Your own"}, "game_own", "a line of mine"),
    Own("n-grams", {"part": "Your documents"}, "document_beginning", "In the evening"),
    Own(
        "fine-tuning",
        {"part": "Your labels"},
        "own_sentences",
        "\n".join(f"Sentence number {n} is one of mine." for n in range(30)),
    ),
    Own(
        "war-and-peace",
        {"view": "Train your own", "text": "Your own text"},
        "training_pasted",
        TALE * 3,
    ),
)
_NOT_A_VISITORS_WORK = {
    "pages/shared/ui/visitor.py": "the presenter's code",
    "pages/shared/classroom/answer_form.py": "an answer, which the class room keeps",
    "pages/shared/classroom/panel.py": "a passcode and a name, which the class room keeps",
    "pages/shared/classroom/own_question.py": "a question, which the class room keeps",
    "pages/join/page.py": "the code of a class",
    "pages/shared/lessons/completion.py": "a code that a student hands in",
    "pages/lessons/upload.py": "a lesson, which is kept under its link",
}


pytestmark = pytest.mark.usefixtures("no_workers")


_CONTROLS = ("control", "of_all", "training_setting", "text", "field", "folded")
"""What draws a field whose text is in the link, unless it says otherwise."""


def text_fields(path):
    """Yield the text fields and uploaders of a file: its kind, and what is passed with it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            drawn = [ast.unparse(each) for each in (node.func, *node.args)]
            for kind in (
                "st.text_area",
                "st.text_input",
                "st.file_uploader",
                "st.chat_input",
                "page.text",
            ):
                if kind in drawn:
                    yield kind, drawn, {k.arg: ast.unparse(k.value) for k in node.keywords}


def test_every_field_and_upload_of_the_lab_is_walked_or_in_the_link():
    walked = {field.key for field in FIELDS}
    uploads = set()
    for path in sorted((ROOT / "pages").rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if place in _NOT_A_VISITORS_WORK:
            continue
        for _, drawn, settings in text_fields(path):
            is_control = drawn[0].removeprefix("page.") in _CONTROLS
            if is_control and settings.get("in_link") != "False":
                continue  # the link carries it
            name = settings.get("key") or drawn[1 if drawn[0] == "page.text" else 2]
            if is_control:
                assert name.strip("'") in walked, f"{place}: {name} is not walked by this test"
            else:
                uploads.add(place)
    assert uploads == {
        "pages/shared/ui/kept.py",  # `kept_upload`
        "pages/shared/ui/own_file.py",
        "pages/shared/ui/own_texts.py",  # kept once they are counted or learned
        "pages/shared/clustering/own_table.py",
    }


@pytest.mark.parametrize("own", FIELDS, ids=lambda own: f"{own.page}-{own.key}")
def test_an_own_text_is_there_after_a_reload_and_nobody_else_gets_it(own):
    page = PATHS[own.page]
    app = arrive_as("anna", page, **own.asked)
    first = app.get_by_key(own.key).value
    app.get_by_key(own.key).set_value(own.typed).run()
    assert not app.exception
    again = arrive_as("anna", page, **own.asked)
    assert again.get_by_key(own.key).value == own.typed
    assert arrive_as("boris", page, **own.asked).get_by_key(own.key).value == first
    visitor_store().forget(visitor("anna"))
    assert arrive_as("anna", page, **own.asked).get_by_key(own.key).value == first


def test_a_text_that_is_typed_before_the_browser_has_said_who_asks_is_not_overwritten():
    page, asked = PATHS["surprisal"], {"text": "Your own"}
    arrive_as("anna", page, **asked).text_area(key="own_text").set_value("An older text.").run()
    app = arrive_as("anna", page, **asked)
    del app.session_state["lab_visitor_confirmed"]
    app.session_state["lab_kept_looked_up"] = set()
    app.session_state["lab_kept_first"] = {"surprisal.own_text": "An older text."}
    app.text_area(key="own_text").set_value("What I type now.").run()
    app.session_state["lab_visitor_confirmed"] = True
    app.run()
    assert app.text_area(key="own_text").value == "What I type now."
    again = arrive_as("anna", page, **asked)
    assert again.text_area(key="own_text").value == "What I type now."


@pytest.mark.parametrize("own", FIELDS, ids=lambda own: f"{own.page}-{own.key}")
def test_the_page_says_who_keeps_it_and_how_long(own):
    app = arrive_as("anna", PATHS[own.page], **own.asked)
    said = f"{app.get_by_key(own.key).help} {text(app)}"
    assert f"{KEPT_DAYS} days" in said
    assert "this server" in said


# Uploads --------------------------------------------------------------------------------------


def whole_words(*words):
    """A tokenizer.json of whole words."""
    vocabulary = {word: i for i, word in enumerate(("[U]", *words))}
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [],
            "normalizer": None,
            "pre_tokenizer": {"type": "Whitespace"},
            "post_processor": None,
            "decoder": None,
            "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[U]"},
        }
    ).encode()


def test_an_uploaded_tokenizer_is_there_after_a_reload_and_nobody_else_gets_it():
    app = arrive_as("anna", PATHS["tokenization"])
    file = ("mine.json", whole_words("cat", "dog"), "application/json")
    app.get("file_uploader")[0].set_value(file).run()
    assert "mine.json" in text(app)
    again = arrive_as("anna", PATHS["tokenization"])
    assert "mine.json" in text(again)
    assert "mine.json" not in text(arrive_as("boris", PATHS["tokenization"]))
    press(again, "own_tokenizer_forget")
    assert "mine.json" not in text(arrive_as("anna", PATHS["tokenization"]))
    assert not visitor_store().entries(visitor("anna"))


def test_an_uploaded_training_text_is_there_after_a_reload_and_nobody_else_gets_it():
    asked = {"view": "Train your own", "text": "Your own text"}
    app = arrive_as("anna", PATHS["war-and-peace"], **asked)
    file = ("diary.txt", ("Dear diary, " * 900).encode(), "text/plain")
    app.get("file_uploader")[0].set_value(file).run()
    assert "diary.txt" in text(app)
    again = arrive_as("anna", PATHS["war-and-peace"], **asked)
    assert "diary.txt" in text(again)
    assert not again.button(key="training_start").disabled
    assert "diary.txt" not in text(arrive_as("boris", PATHS["war-and-peace"], **asked))
    press(again, "training_file_forget")
    assert "diary.txt" not in text(arrive_as("anna", PATHS["war-and-peace"], **asked))


def test_an_own_table_is_there_after_a_reload_and_nobody_else_gets_it():
    asked = {"data": "your own table"}
    app = arrive_as("anna", PATHS["clustering"], **asked)
    rows = "\n".join(f"{i % 7}.5,{i}" for i in range(23))
    app.text_area(key="own_table_text").set_value(f"height,weight\n{rows}")
    press(app, "own_table_use")
    assert "table of 23 rows" in text(app)
    again = arrive_as("anna", PATHS["clustering"], **asked)
    assert "table of 23 rows" in text(again)
    assert "table of 23 rows" not in text(arrive_as("boris", PATHS["clustering"], **asked))
    press(again, "own_table_forget")
    assert "table of 23 rows" not in text(arrive_as("anna", PATHS["clustering"], **asked))


# Acts -----------------------------------------------------------------------------------------


def test_labels_are_there_after_a_reload_and_nobody_else_gets_them():
    page, asked = PATHS["fine-tuning"], {"part": "Your labels"}
    app = arrive_as("anna", page, **asked)
    for key in ("own_label_0", "own_label_1", "own_skip", "own_label_1"):
        press(app, key)
    seen = app.header[0].value
    again = arrive_as("anna", page, **asked)
    assert again.header[0].value == seen
    assert "3 of" in text(again)
    assert arrive_as("boris", page, **asked).header[0].value != seen
    press(again, "own_restart")
    assert "0 of" in text(arrive_as("anna", page, **asked))


def as_tab(app, tab):
    app.session_state["lab_tab"] = tab
    return app.run()


def test_a_game_goes_on_after_a_reload_in_its_tab_alone():
    page, asked = PATHS["n-grams"], {"part": "Shannon game"}
    app = as_tab(arrive_as("anna", page, **asked), "one")
    app.get_by_key("n_grams_letter").set_value("z").run()
    assert "Wrong so far: `z`" in text(app)
    assert "Wrong so far: `z`" in text(as_tab(arrive_as("anna", page, **asked), "one"))
    assert "Wrong so far" not in text(as_tab(arrive_as("anna", page, **asked), "two"))


def test_a_text_in_which_a_hand_has_picked_is_there_after_a_reload_in_its_tab_alone():
    page = PATHS["war-and-peace"]

    def written(app):
        return [(t.token, t.picked_by_hand) for t in current(app).generation.written]

    def current(app):
        return app.session_state["writing_session"]

    app = as_tab(arrive_as("anna", page), "one")
    own = written(app)
    next(box for box in app.selectbox if box.label == "Pick a token").select(3)
    press(app, "write_token")
    left = written(app)
    assert len(left) == len(own) + 1
    assert left[-1][1]
    again = as_tab(arrive_as("anna", page), "one")
    assert written(again) == left
    assert current(again).picks == 1
    for who, tab in (("anna", "two"), ("boris", "one")):
        assert written(as_tab(arrive_as(who, page), tab)) == own
    assert written(as_tab(arrive_as("anna", page, seed="7"), "one")) != left, (
        "another text begins anew"
    )


def test_a_guess_and_a_drawn_answer_are_there_after_a_reload_in_their_tab_alone():
    page = PATHS["positional-encoding"]
    app = as_tab(arrive_as("anna", page), "one")
    (name,) = {r.key.removeprefix("guess_") for r in app.radio if r.key.startswith("guess_")}
    options = app.radio(key=f"guess_{name}").options
    app.radio(key=f"guess_{name}").set_value(options[1]).run()
    again = as_tab(arrive_as("anna", page), "one")
    assert again.radio(key=f"guess_{name}").value == options[1]
    said = text(press(again, f"reveal_{name}"))
    assert f"You said: **{options[1]}**" in said
    assert text(as_tab(arrive_as("anna", page), "one")) == said
    for who, tab in (("anna", "two"), ("boris", "one")):
        other = as_tab(arrive_as(who, page), tab)
        assert other.radio(key=f"guess_{name}").value is None


def test_an_order_that_was_taken_back_stays_so():
    app = as_tab(arrive_as("anna", PATHS["surprisal"]), "one")
    field = next(f for f in app.multiselect if (f.key or "").startswith("guess_"))
    field.set_value([*field.options]).run()
    assert len(app.multiselect(key=field.key).value) == len(field.options)
    app.multiselect(key=field.key).set_value([]).run()
    for again in (app.run(), as_tab(arrive_as("anna", PATHS["surprisal"]), "one")):
        assert again.multiselect(key=field.key).value == []
