"""What a page sets its controls to is what counts, wherever they lie."""

import pytest
from streamlit.elements.lib import utils
from streamlit.testing.v1 import AppTest

from pages.shared.server.streamlit_inside import identities as inside


@pytest.fixture(autouse=True)
def identities_told_apart(monkeypatch):
    # Put back afterwards.
    monkeypatch.setattr(utils, "_compute_element_id", utils._compute_element_id)
    inside.tell_identities_apart()


def page(folded: bool) -> None:
    import streamlit as st

    from pages.shared.ui.controls import begin_page, control

    def pictures_set():
        st.session_state.update(query=7, heads=["2.4"], mask=False)

    begin_page("test")
    st.button("a picture", on_click=pictures_set)
    place = st.popover("More") if folded else st.container()
    with place:
        query = control(st.slider, "query", "Query", 0, 9, 2)
        heads = control(st.multiselect, "heads", "Heads", ["1.1", "2.4"])
        mask = control(st.toggle, "mask", "Mask", True)
    st.markdown(f"{query} {heads} {mask}")
    st.markdown("&".join(f"{name}={st.query_params[name]}" for name in sorted(st.query_params)))


def shown(app):
    return app.markdown[0].value


def identities(app):
    return [app.slider[0].proto.id, app.multiselect[0].proto.id, app.toggle[0].proto.id]


def pictures_set(app):
    return app.button[0].click().run()


@pytest.mark.parametrize("folded", [True, False])
def test_a_control_in_a_popover_is_new_to_the_browser_once_the_page_has_set_it(folded):
    app = AppTest.from_function(page, kwargs={"folded": folded}).run()
    before = identities(app)
    pictures_set(app)
    assert shown(app) == "7 ['2.4'] False"
    kept = [old == new for old, new in zip(before, identities(app), strict=True)]
    assert kept == [not folded] * 3
    assert app.markdown[1].value == "heads=2.4&mask=false&query=7"


def test_what_the_page_has_set_outweighs_the_url_and_stays():
    app = AppTest.from_function(page, kwargs={"folded": True})
    app.query_params["query"] = "4"
    assert shown(app.run()) == "4 [] True"
    pictures_set(app)
    assert shown(app) == "7 ['2.4'] False"
    assert shown(app.run()) == "7 ['2.4'] False"
    app.slider(key="query").set_value(4).run()
    assert shown(app) == "4 ['2.4'] False"


def test_a_popover_that_nobody_sets_keeps_its_controls():
    app = AppTest.from_function(page, kwargs={"folded": True}).run()
    before = identities(app)
    app.slider(key="query").set_value(4).run()
    assert identities(app) == before
    assert inside.IDENTITIES not in app.session_state
