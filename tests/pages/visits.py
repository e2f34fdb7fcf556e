"""How tests visit a page of the whole app, and read what stands on it."""

from streamlit.testing.v1 import AppTest

from tests.conftest import ROOT


def visit(page, **asked):
    """Open a page as a link does that asks for these values; nothing may go wrong."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    app.switch_page(page)
    for name, value in asked.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def text(app):
    """Return the paragraphs and small print of a page."""
    return "\n".join(element.value for element in [*app.markdown, *app.caption])


def press(app, label):
    """Press a button and return the page after it."""
    return next(button for button in app.button if button.label == label).click().run()
