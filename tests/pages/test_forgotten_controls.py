"""Values of controls that a link has made a visit forget, sent by a browser that has not heard of it yet."""

import pytest

from pages.shared.registry import LESSONS, page_at
from tests.pages.visits import visit


def run_after_forgetting(app):
    """Forget the controls, as the run of a link that is cut short, and run with what the browser says of them."""
    sent = app._tree.get_widget_states()
    for name in app.session_state["lab_drawn"]:
        del app.session_state[name]
    app._run(sent)
    assert not app.exception, [error.value for error in app.exception]


@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_no_callback_meets_a_control_that_is_gone(spec):
    app = visit(spec.path)
    drawn = dict(app.session_state["lab_drawn"])
    run_after_forgetting(app)
    assert app.session_state["lab_drawn"] == drawn


def test_the_settings_of_a_link_are_not_lost_to_those_of_the_page_before():
    app = visit(page_at("clustering").path, clusters="3")
    app.query_params["clusters"] = "5"
    run_after_forgetting(app)
    assert app.session_state["lab_drawn"]["clusters"].values == ("5",)
