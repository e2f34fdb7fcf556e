"""A student in a class room, on a websocket: what their browser does of itself."""

import json
import secrets
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shared.classroom import bar
from tests.benchmarks.visitor import Visitor

LOOK_EVERY_S = bar._STUDENT_S


@dataclass
class RoomVisitor(Visitor):
    """A visitor whose browser says who they are, and looks at the room again and again.

    Attributes
    ----------
    timers : dict of str to float
        Seconds between two runs of each fragment that the page runs of itself.
    """

    timers: dict[str, float] = field(default_factory=dict)
    _who: str = ""

    async def join(self) -> None:
        """Open the page, say who it is, and wait until it is drawn for a member."""
        await self.open_page()
        identity = json.dumps({"id": secrets.token_hex(16)})
        message = self._look_message()
        message.rerun_script.widget_states.widgets.add(id=self._who).json_value = identity
        await self._run(message)
        await self.look()

    async def look(self) -> float:
        """Look at the room as the page's timer does; return the seconds that took."""
        return await self._run(self._look_message())

    def _look_message(self) -> BackMsg:
        message = self._message()
        message.rerun_script.fragment_id = min(self.timers, key=lambda name: self.timers[name])
        message.rerun_script.is_auto_rerun = True
        return message

    def _note(self, answer: ForwardMsg) -> None:
        super()._note(answer)
        if answer.WhichOneof("type") == "auto_rerun":
            self.timers[answer.auto_rerun.fragment_id] = answer.auto_rerun.interval
        element = answer.delta.new_element
        if (
            element.WhichOneof("type") == "bidi_component"
            and "visitor" in element.bidi_component.id
        ):
            self._who = element.bidi_component.id
