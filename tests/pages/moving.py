"""How tests move controls of any kind, as a browser says it."""

from streamlit.runtime.state.common import user_key_from_element_id


def drawn(app):
    """Return the controls of a page as its link writes them."""
    assert not app.exception, [error.value for error in app.exception]
    return {name: control.values for name, control in app.session_state["lab_drawn"].items()}


def move(app, names):
    """Run a page after its visitor has moved some of its controls; what is typed is left as it is."""
    sent = app._tree.get_widget_states()
    for widget in sent.widgets:
        if (key := user_key_from_element_id(widget.id)) in names:
            _move(widget, app.get_by_key(key))
    app._run(sent)
    assert not app.exception, (names, [error.value for error in app.exception])
    return app


def set_to(app, key, value):
    """Run a page after a control was set, and return what the browser said of it before, None if it is not drawn.

    What a control offers is named as it is on screen: AppTest itself cannot send that back for a select slider.
    """
    sent = app._tree.get_widget_states()
    for widget in sent.widgets:
        kind = widget.WhichOneof("value")
        if kind and user_key_from_element_id(widget.id) == key:
            field = getattr(widget, kind)
            if hasattr(field, "data"):
                before = list(field.data)
                field.data[:] = value if isinstance(value, list) else [value]
            else:
                before = field
                setattr(widget, kind, value)
            app._run(sent)
            return before
    return None


def _move(widget, element):
    """Set what a browser says of a control to the next of its values, of the last one to that before."""
    kind = widget.WhichOneof("value")
    if kind == "bool_value":
        widget.bool_value = not widget.bool_value
    elif kind == "string_array_value":
        widget.string_array_value.data[:] = [_after(widget.string_array_value.data, element)]
    elif kind == "string_value" and hasattr(element, "options"):
        widget.string_value = _after([widget.string_value], element)
    elif kind == "double_array_value":
        moved = [_stepped(value, element.proto) for value in widget.double_array_value.data[-1:]]
        widget.double_array_value.data[-1:] = moved
    elif kind == "double_value":
        widget.double_value = _stepped(widget.double_value, element.proto)


def _after(chosen, element):
    options = list(element.options)
    place = options.index(chosen[-1]) if chosen else -1
    return options[place + 1 if place + 1 < len(options) else place - 1]


def _stepped(value, proto):
    return value + proto.step if value + proto.step <= proto.max else value - proto.step
