"""A student in a class room, on a websocket: what their browser does of itself."""

import json
import secrets
from dataclasses import dataclass

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.benchmarks.visitor import Visitor


@dataclass
class RoomVisitor(Visitor):
    """A visitor whose browser says who they are, and whose bar is drawn anew when the class has changed."""

    _who: str = ""
    _bar: str = ""
    """The bar's fragment."""

    async def join(self) -> None:
        """Open the page, say who it is, and wait until it is drawn for a member."""
        await self.open_page()
        identity = json.dumps({"id": secrets.token_hex(16)})
        message = self._look_message()
        message.rerun_script.widget_states.widgets.add(id=self._who).json_value = identity
        await self._run(message)
        await self.look()

    async def look(self) -> float:
        """Have the bar drawn anew, as the server does; return the seconds that took."""
        return await self._run(self._look_message())

    def _look_message(self) -> BackMsg:
        message = self._message()
        message.rerun_script.fragment_id = self._bar
        message.rerun_script.is_auto_rerun = True
        return message

    def _note(self, answer: ForwardMsg) -> None:
        super()._note(answer)
        element = answer.delta.new_element
        if (
            element.WhichOneof("type") == "bidi_component"
            and "visitor" in element.bidi_component.id
        ):
            self._who, self._bar = element.bidi_component.id, answer.delta.fragment_id
