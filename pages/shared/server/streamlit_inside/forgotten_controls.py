"""What a browser still says of controls that its visit has forgotten.

A link that is followed makes the visit forget the page's controls (`arrive_by_link`), so that it decides
them all. If that run is cut short, as by the clock of a phone that a class's presenter leads, the browser
next sends the values of the page that was left. Streamlit would take each for one that the visitor has
just changed: the link's settings would be lost, and callbacks would be run whose controls are gone.
"""

import functools
from collections.abc import Callable

from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.state.common import user_key_from_element_id
from streamlit.runtime.state.session_state import SessionState


def leave_out_forgotten_controls() -> None:
    """Put the guard in place, for all visitors of this process; call it once."""
    take = _unless_forgotten(SessionState.set_widgets_from_proto)
    SessionState.set_widgets_from_proto = take  # type: ignore[assignment,method-assign]


def _unless_forgotten(
    take: Callable[[SessionState, WidgetStates], None],
) -> Callable[[SessionState, WidgetStates], None]:
    """Leave out what is said of a control that was drawn, and whose key is known no more."""

    @functools.wraps(take)
    def set_widgets_from_proto(state: SessionState, sent: WidgetStates) -> None:
        drawn, known = state._new_widget_state.widget_metadata, state._key_id_mapper
        kept = WidgetStates()
        for widget in sent.widgets:
            key = user_key_from_element_id(widget.id)
            if widget.id not in drawn or key is None or key in known:
                kept.widgets.append(widget)
        take(state, kept)

    return set_widgets_from_proto
