"""The shared helpers on a page of their own: link, hiding, prediction, steps, strip."""

import doctest
import importlib
import inspect
import pkgutil
import re
import tomllib

import pytest
from streamlit.testing.v1 import AppTest

import pages.shared
from lm_core.errors import TextError
from lm_core.text.word_corpora import WORD_CORPORA
from lm_core.training.checkpoints import CheckpointMeta
from pages.shared import registry
from pages.shared.charts.drawing import TEXT_SIZE
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, visible
from pages.shared.frame.sharing import settings_in_link
from pages.shared.ui import playback, text_input
from pages.shared.ui.addresses import link_to
from pages.shared.ui.appearance import _PRESENTING, ChartStyle
from pages.shared.ui.controls import Control
from pages.shared.ui.figures import _dressed, _packed, _saved_and_packed
from pages.shared.ui.lesson import provenance_text
from pages.shared.ui.playback_slider import Touch, checked_touch
from tests.conftest import ROOT
from tests.pages.visits import numbers

DEFAULTS = ["1.0", "small", "1", "The prince", "False", "['a']"]


@pytest.fixture(autouse=True)
def trial_is_a_page(monkeypatch):
    spec = registry.PageSpec("Trial", "trial", "Does it work?", "", ":material/science:", "x")
    monkeypatch.setattr(registry, "PAGES", (*registry.PAGES, spec))


def trial(**asked):
    app = AppTest.from_file(str(ROOT / "tests" / "pages" / "trial.py"), default_timeout=60)
    for name, value in asked.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def values(app):
    return app.code[0].value.split("|")


# The address ----------------------------------------------------------------------------------


def test_without_an_address_the_defaults_stand_and_nothing_is_noted():
    app = trial()
    assert values(app) == DEFAULTS
    assert not app.warning


def test_the_address_sets_every_control():
    app = trial(
        temperature="0.5",
        model="The large one",
        seed="7",
        prompt="No",
        sure="true",
        kinds=["b", "c"],
    )
    assert values(app) == ["0.5", "large", "7", "No", "True", "['b', 'c']"]
    assert not app.warning


def test_an_address_that_names_the_defaults_is_not_a_mistake():
    app = trial(temperature="1", model="The small one", seed="1", sure="false", kinds="a")
    assert values(app) == DEFAULTS
    assert not app.warning


@pytest.mark.parametrize(
    ("name", "value", "label"),
    [
        ("temperature", "9", "Temperature"),
        ("temperature", "hot", "Temperature"),
        ("temperature", "nan", "Temperature"),
        ("model", "The huge one", "Model"),
        ("seed", "-1", "Seed"),
        ("seed", "1e400", "Seed"),
        ("sure", "perhaps", "Sure"),
        ("kinds", "z", "Kinds"),
    ],
)
def test_a_foreign_value_falls_back_with_a_note(name, value, label):
    app = trial(**{name: value})
    assert values(app) == DEFAULTS
    assert len(app.warning) == 1
    assert label in app.warning[0].value
    assert f"`{value}`" in app.warning[0].value


def test_a_note_stays_when_the_page_runs_again_by_itself_and_goes_with_the_next_move():
    app = trial(model="huge", temperature="9")
    noted = [note.value for note in app.warning]
    assert len(noted) == 2
    app.run()
    app.run()
    assert [note.value for note in app.warning] == noted
    app.slider(key="temperature").set_value(0.5).run()
    assert not app.warning
    app.run()
    assert not app.warning


def test_a_note_shows_foreign_text_as_code_and_never_whole():
    app = trial(model="`[x](http://x)` <b>\x00\n" + "y" * 1000)
    note = app.warning[0].value
    assert note.count("`") == 4
    assert "\x00" not in note
    assert "\n" not in note
    assert len(note) < 200


def test_a_number_beyond_all_bounds_is_replaced_and_the_control_still_works():
    app = trial(seed="1e400")
    app.number_input(key="seed").set_value(5).run()
    assert values(app)[2] == "5"
    assert values(trial(prompt="inf"))[3] == "inf"


@pytest.mark.parametrize("asked", ["1000", "1,000 steps"])
def test_a_link_writes_a_number_plainly_whatever_the_screen_says(asked):
    app = trial(steps=asked)
    assert app.select_slider(key="steps").value == 1_000
    assert not app.warning
    assert app.session_state["lab_drawn"]["steps"].values == ("1000",)


def test_unknown_parameters_do_no_harm():
    assert values(trial(utm_source="x", hide="</style>,,x y", present="yes")) == DEFAULTS


def test_a_link_holds_every_control_those_at_their_default_too():
    controls = {
        "seed": Control("Seed", ("1",)),
        "prompt": Control("Prompt", ("a & b=c é",)),
        "kinds": Control("Kinds", ("b", "c")),
    }
    settings = settings_in_link(controls, present=True, hide=("seed", "prompt"))
    assert link_to("page", settings) == (
        "page?seed=1&prompt=a+%26+b%3Dc+%C3%A9&kinds=b&kinds=c&present=1&hide=seed,prompt"
    )


def test_a_page_without_controls_is_its_own_link():
    assert link_to("page", settings_in_link({})) == "page"


# Presenter view and hiding --------------------------------------------------------------------


def style(app):
    return " ".join(html.proto.body for html in app.get("html"))


def test_hiding_a_control_keeps_its_value():
    app = trial(temperature="0.5", hide="temperature,secret")
    assert values(app)[0] == "0.5"
    assert ".st-key-temperature" in style(app)
    assert "secret paragraph" not in [markdown.value for markdown in app.markdown]


def test_nothing_from_the_address_but_plain_names_reaches_the_style():
    app = trial(hide="seed,x{}</style><script>alert(1)</script>")
    assert "script" not in style(app)
    assert ".st-key-seed" in style(app)


def test_presenter_view_is_big():
    assert "html {font-size: 24px" in style(trial(present="1"))
    assert "html {font-size" not in style(trial())


# The lesson -----------------------------------------------------------------------------------


def answered(app):
    return "the answer" in [markdown.value for markdown in app.markdown]


def test_the_answer_waits_for_a_guess():
    app = trial()
    assert not answered(app)
    assert app.button(key="reveal_guess").disabled
    app.radio(key="guess_guess").set_value("yes").run()
    assert not answered(app)
    app.button(key="reveal_guess").click().run()
    assert answered(app)
    assert any("**yes**" in caption.value for caption in app.caption)
    app.slider(key="temperature").set_value(0.5).run()
    assert answered(app)


def test_the_question_can_be_skipped_by_button_and_by_link():
    app = trial()
    app.button(key="skip_guess").click().run()
    assert answered(app)
    assert answered(trial(reveal="guess"))
    assert not answered(trial(reveal="another"))


def test_the_code_shown_is_the_code_that_runs():
    assert inspect.getsource(visible) in [code.value + "\n" for code in trial().code]


META = CheckpointMeta(
    "x", "LSTM 2 x 512", {}, "full", "War and Peace", "", 1, 9, 64_000_000, 7265.0, "CPU", 3
)


def parts(**changes):
    """The parts of the provenance line of a checkpoint that differs from `META` in this."""
    return provenance_text(CheckpointMeta(**(vars(META) | changes))).split(" · ")


def test_stamp():
    title, corpus, seen, computed, seed = parts()
    assert (title, corpus) == (META.title, META.corpus)
    assert seen.startswith("64 M characters")
    assert (computed, seed) == ("CPU, 2 h 1 min", "seed 1")


def test_stamp_of_words():
    _, corpus, seen, loss, _, _ = parts(
        vocabulary="words", corpus="library", losses={"training": 3.037}
    )
    assert corpus == WORD_CORPORA["library"].title
    assert seen.startswith("64 M words")
    assert loss == "3.04 nats"


@pytest.mark.parametrize(
    ("losses", "quoted"), [({"A": 1.2, "B": 1.118}, "1.12"), ({"validation": 1.31}, "1.31")]
)
def test_stamp_quotes_one_yardstick(losses, quoted):
    assert parts(losses=losses, seconds=8.2)[3:5] == [f"{quoted} nats/char", "CPU, 8 s"]


@pytest.mark.parametrize(
    ("count", "seconds", "seen", "duration"),
    [
        (970, 59, "970 characters", "1 min"),
        (999_999, 3599, "999,999 characters", "1 h 0 min"),
        (2_500_000, 7199, "2.5 M characters", "2 h 0 min"),
        (1_200_000_000, 29, "1.2 G characters", "29 s"),
    ],
)
def test_stamp_rounds_honestly(count, seconds, seen, duration):
    rounded = parts(characters_seen=count, seconds=seconds)
    assert rounded[2].startswith(seen)
    assert rounded[3] == f"CPU, {duration}"


# Steps, strip, limits -------------------------------------------------------------------------


def moment(app):
    return next(m.value for m in app.markdown if m.value.startswith("moment "))


def test_the_playback_bar_walks_and_stops_at_both_ends():
    app = trial(moment="2")
    assert moment(app) == "moment 2"
    app.button(key="moment_forward").click().run()
    assert moment(app) == "moment 3"
    assert app.button(key="moment_forward").disabled
    for _ in range(3):
        app.button(key="moment_back").click().run()
    assert moment(app) == "moment 0"
    assert app.button(key="moment_back").disabled


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until a test moves it: ``clock[0] = seconds``."""
    now = [100.0]
    monkeypatch.setattr(playback.time, "monotonic", lambda: now[0])
    return now


def playing(app):
    return app.button(key="moment_play").label == "Pause"


def test_playing_leaves_no_step_out_and_stops_at_the_end(clock):
    app = trial()
    app.button(key="moment_play").click().run()
    assert (moment(app), playing(app)) == ("moment 0", True)
    for step in (1, 2, 3):
        app.run()  # a surplus tick
        assert moment(app) == f"moment {step - 1}"
        clock[0] += 60.0  # a late one
        app.run()
        assert moment(app) == f"moment {step}"
    assert not playing(app)


def test_whatever_position_a_browser_sends_while_it_plays_is_no_touch(clock):
    app = trial()
    app.button(key="moment_play").click().run()
    for step in (1, 2, 3):
        clock[0] += 0.5
        app.slider(key="moment").set_value(0).run()  # where its slider was before
        assert (moment(app), playing(app)) == (f"moment {step}", step < 3)
        told = app.slider(key="moment").proto
        assert (told.set_value, list(told.value)) == (True, [float(step)]), "the link follows"
    app.slider(key="moment").set_value(2).run()
    assert moment(app) == "moment 3"


def test_a_touch_pauses_where_it_was_and_one_that_is_repeated_does_nothing(clock):
    app = AppTest.from_function(touched_bar).run()
    app.button(key="moment_play").click().run()
    app.button(key="2a").click().run()
    assert (moment(app), playing(app)) == ("moment 2", False)
    app.button(key="moment_play").click().run()
    app.button(key="2a").click().run()
    assert playing(app)
    app.button(key="1b").click().run()
    assert (moment(app), playing(app)) == ("moment 1", False)


def touched_bar():
    """A bar with buttons that do what a touch of its slider does; a component needs a browser."""
    import streamlit as st

    from pages.shared.ui import playback
    from pages.shared.ui.playback_slider import Touch

    for touch in (Touch(2, "a"), Touch(1, "b")):
        key = f"{touch.step}{touch.id}"
        st.button(key, key=key, on_click=playback._touched, args=("moment", touch))
    playback.playback_bar(
        "moment", 4, lambda step: st.markdown(f"moment {step}"), start=0, seconds_per_step=0.8
    )


@pytest.mark.parametrize(
    ("sent", "expected"),
    [({"step": 2, "id": "a"}, Touch(2, "a")), ({"step": 9, "id": "a" * 99}, Touch(3, "a" * 40))],
)
def test_what_a_browser_sends_as_a_touch_is_checked(sent, expected):
    assert checked_touch(sent, 3) == expected


@pytest.mark.parametrize(
    "sent", [3, {}, {"step": 1}, {"step": "x", "id": ""}, {"step": float("inf"), "id": ""}]
)
def test_what_is_no_touch_is_refused(sent):
    with pytest.raises(TextError, match="a step and an id"):
        checked_touch(sent, 3)


def test_playing_at_the_end_begins_anew(clock):
    app = trial(moment="3")
    app.button(key="moment_play").click().run()
    assert (moment(app), playing(app)) == ("moment 0", True)


@pytest.mark.parametrize(("n_steps", "seconds", "most"), [(26, 0.8, 25), (201, 0.8, 50), (2, 1, 1)])
def test_a_long_process_is_played_in_forty_seconds(clock, n_steps, seconds, most):
    app = AppTest.from_function(bar, args=(n_steps, seconds)).run()
    app.button(key="long_play").click().run()
    seen = [0]
    while app.button(key="long_play").label == "Pause":
        clock[0] += seconds
        seen.append(int(app.run().text[0].value))
    assert (len(seen) - 1, seen[-1]) == (most, n_steps - 1)
    assert len(set(map(int.__sub__, seen[1:], seen[:-1]))) == 1


def bar(n_steps, seconds):
    import streamlit as st

    from pages.shared.ui.playback import playback_bar

    playback_bar("long", n_steps, lambda step: st.text(step), seconds_per_step=seconds, start=0)


def test_the_strip_refuses_what_does_not_fit():
    def too_long():
        import streamlit as st

        from lm_core.errors import TextError
        from pages.shared.components.texts import token_strip
        from pages.shared.ui.text_input import TEXT_CHARACTERS

        try:
            token_strip("x" * (TEXT_CHARACTERS + 1), [], key="strip")
        except TextError as error:
            st.error(str(error))

    app = AppTest.from_function(too_long, default_timeout=60).run()
    assert numbers(app.error[0].value) == [5_000, 5_001]


def test_checked_text_says_by_how_much():
    assert text_input.checked_text("abc", most=3) == "abc"
    with pytest.raises(TextError, match="the prompt") as refused:
        text_input.checked_text("abc", most=2, name="the prompt")
    assert numbers(str(refused.value)) == [2, 3, 1]


def test_a_checkpoint_is_packed_whole(tmp_path):
    import io
    import shutil
    import zipfile

    folder = tmp_path / "lstm"
    folder.mkdir()
    (folder / "meta.json").write_text("{}", encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"\0" * 9)
    saved = _saved_and_packed(lambda root: shutil.copytree(folder, root / "lstm"))
    for packed in (_packed(folder), saved):
        archive = zipfile.ZipFile(io.BytesIO(packed))
        assert archive.namelist() == ["lstm/meta.json", "lstm/model.safetensors"]
        assert archive.read("lstm/model.safetensors") == b"\0" * 9


def test_examples_in_docstrings_hold():
    modules = pkgutil.walk_packages(pages.shared.__path__, "pages.shared.")
    results = [doctest.testmod(importlib.import_module(module.name)) for module in modules]
    assert sum(result.attempted for result in results) >= 3
    assert sum(result.failed for result in results) == 0


# Folds ----------------------------------------------------------------------------------------


@pytest.mark.folded
def test_what_lies_folded_is_drawn_when_it_is_opened():
    app = trial()
    assert not app.dataframe
    assert [code.value for code in app.code] == ["|".join(DEFAULTS)]
    app.session_state["next_data"] = True
    app.session_state["source"] = True
    app.run()
    assert len(app.dataframe[0].value) == 3
    assert "def visible" in app.code[1].value


# What is deleted while it is on screen ----------------------------------------------------------


def of_models():
    import streamlit as st

    from pages.shared.ui.controls import begin_page, choose_titled

    begin_page("trial")
    titles = {"shipped": "The shipped one", "mine": "One of *mine*"}
    if "deleted" in st.session_state:
        del titles["mine"]
    st.text(choose_titled("model", "Model", titles))


def test_a_model_that_is_deleted_gives_way_in_text_and_box_with_a_note():
    app = AppTest.from_function(of_models).run()
    app.selectbox(key="model").set_value("mine").run()
    assert (app.text[0].value, len(app.warning)) == ("mine", 0)
    app.session_state["deleted"] = True
    app.run()
    assert app.text[0].value == app.selectbox(key="model").value == "shipped"
    told = app.selectbox(key="model").proto
    assert (told.set_value, told.raw_value) == (True, "The shipped one"), "the browser is told"
    assert "`One of *mine*` was deleted" in app.warning[0].value
    app.run()
    assert len(app.warning) == 1, "until something is chosen"


def named(*names):
    return line_chart(
        {name: [(0.0, 0.0), (1.0, 1.0)] for name in names},
        dict.fromkeys(names, LineStyle(BLUE)),
        Axis("x", (0.0, 1.0)),
        Axis("y", (0.0, 1.0)),
    )


def test_names_beyond_lines_have_room_on_a_projector_and_are_smaller_on_a_phone_alone():
    projector, laptop = ChartStyle(24, "#000", 1.6), ChartStyle(TEXT_SIZE, "#000", 1.0)
    room = [
        _dressed(named(name), projector, fills_screen=True)["padding"]["right"]
        for name in ("GD", "momentum", "concatenated")
    ]
    assert room[0] == 0 < room[1] < room[2]
    dressed = _dressed(named("concatenated"), laptop, fills_screen=False)
    assert "padding" not in dressed
    assert dressed["config"]["text"]["fontSize"]["expr"].endswith(f": {TEXT_SIZE}")
    names = ("Transformer 4 x 256", "Transformer, subwords")
    longer = [_dressed(named(name), laptop, fills_screen=False)["padding"] for name in names]
    assert 0 < longer[0]["right"] < longer[1]["right"], (
        "the smallest text of a phone needs more room"
    )
    assert _dressed(named("a"), projector, fills_screen=False)["config"]["text"]["fontSize"] == 24


def test_distances_within_a_chart_are_in_the_pixels_of_its_own_view():
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
    large = re.search(r"html { font-size: (\d+)px", _PRESENTING)
    for size, rem in ((TEXT_SIZE, theme["baseFontSize"]), (24, int(large[1]))):
        config = _dressed(named("a"), ChartStyle(size, "#000", 1.0), fills_screen=False)["config"]
        assert config["axis"]["labelPadding"] == config["axis"]["titlePadding"] == rem
        assert config["legend"]["labelPadding"] == rem


def test_a_reference_that_begins_at_the_end_of_its_axis_has_room_for_its_name_too():
    style, axis = {"GD": LineStyle(BLUE)}, Axis("x", (0.0, 1.0))
    for start, longest in ((0.0, len("GD")), (1.0, len("by counting"))):
        references = {"by counting": [(start, 0.5), (1.0 - start, 0.5)]}
        drawn = line_chart({"GD": [(0.0, 0.0)]}, style, axis, axis, references=references)
        assert drawn.longest_name == longest
