"""What a visitor types, a link asks for or a file holds is shown on every page, and never obeyed."""

from collections import deque
from dataclasses import replace

import pytest
import torch
from streamlit.testing.v1 import AppTest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from lm_core.jobs.records import RunState
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from pages.shared.registry import LESSONS
from pages.shared.ui import markdown
from tests.core.small_runs import TEXT, small_config
from tests.pages.outside_text import OUTSIDE, live_markdown
from tests.pages.visits import press, visit


def elements(text):
    import streamlit as st

    st.markdown(text)
    st.error(text)
    st.toast(text)
    st.progress(0.5, text)
    st.radio(text, [text], captions=[text], help=text)
    st.pills("pills", [text])
    with st.expander(text):
        st.button(text)
    st.text(text)
    st.selectbox("plain", [text])


def test_markdown_that_is_obeyed_is_found_wherever_it_is_drawn():
    app = AppTest.from_function(elements, args=(OUTSIDE,)).run()
    assert len(live_markdown(app)) == 11


@pytest.mark.parametrize("name", ["escaped", "as_code"])
@pytest.mark.parametrize("around", ["", "`", "``", "- ", "1. ", "# ", "\n\n    ", "\\"])
def test_what_is_quoted_is_not_obeyed(name, around):
    shown = getattr(markdown, name)(f"{around}{OUTSIDE}{around}")
    assert live_markdown(AppTest.from_function(elements, args=(shown,)).run()) == []


@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_no_page_obeys_a_link_or_a_visitor(spec):
    app = visit(spec.path)
    names = set(app.session_state["lab_drawn"])
    asked = dict.fromkeys(names - {"part"}, OUTSIDE)
    for part in parts_of(app):
        app = visit(spec.path, **asked, **part)
        fields = [f for f in [*app.text_input, *app.text_area] if f.value != OUTSIDE]
        for field in fields:  # of another part, or in no link
            field.set_value(OUTSIDE)
        if fields:
            app.run()
        assert not app.exception
        assert live_markdown(app) == []


def parts_of(app):
    """Return what a link asks for to see each part of a page."""
    parts = [group for group in app.get("button_group") if group.key == "part"]
    return [{"part": option} for group in parts for option in group.options] or [{}]


def test_the_names_and_words_of_a_table_are_not_obeyed():
    names = ",".join([f'"{OUTSIDE[i:]}"' for i in (0, 30, 60)])
    rows = "\n".join(f'{i % 7},{i % 5},"{OUTSIDE}"' for i in range(40))
    app = visit("pages/clustering/page.py", data="your own table")
    app.text_area(key="own_table_text").set_value(f"{names}\n{rows}")
    press(app, "own_table_use")
    assert not app.error
    assert live_markdown(app) == []


def test_a_tokenizer_file_is_not_obeyed():
    tokenizer = Tokenizer(WordLevel({"a": 0, OUTSIDE: 1}, unk_token=OUTSIDE))
    tokenizer.pre_tokenizer = Whitespace()
    for name, content in (("a", tokenizer.to_str()), ("b", f'{{"{OUTSIDE}": 1}}'), ("c", "{")):
        app = visit("pages/tokenization/page.py", tokens_text="a zebra")
        file = (f"{OUTSIDE}{name}.json", content.encode(), "application/json")
        app.get("file_uploader")[0].set_value(file).run()
        assert bool(app.error) == (name != "a")
        assert live_markdown(app) == []


@pytest.mark.parametrize("state", [RunState.FINISHED, RunState.FAILED, RunState.QUEUED])
def test_a_training_of_a_visitor_is_not_obeyed_on_the_page_of_another(state, no_workers):
    config = replace(small_config(), title=OUTSIDE)
    run = RunFolder.keyed(config.fingerprint())
    deque(train_here(run, config, TEXT, torch.device("cpu")), maxlen=0)
    run.update(state=state, message=OUTSIDE, device=OUTSIDE, ticket=1)
    asked = {"view": "Train your own", "text": "Your own text", "job": run.key}
    app = visit("pages/war_and_peace/page.py", **asked, model=f"run-{run.key}")
    assert run.key in app.selectbox(key="job").value
    assert live_markdown(app) == []
    if state is RunState.FINISHED:
        assert any(OUTSIDE in title for title in app.selectbox(key="model").options)
        press(app, f"use_{run.key}")
        assert live_markdown(app) == []


def test_an_uploaded_text_is_not_obeyed(no_workers):
    app = visit("pages/war_and_peace/page.py", view="Train your own", text="Your own text")
    for content in (f"{OUTSIDE}\n" * 50, "short"):
        file = (f"{OUTSIDE}.txt", content.encode(), "text/plain")
        app.get("file_uploader")[0].set_value(file).run()
        if content != "short":  # too little for a large model: the warning quotes the file's name
            app.selectbox(key="recipe").set_value("wide").run()
            assert app.warning
        assert not app.exception
        assert live_markdown(app) == []
