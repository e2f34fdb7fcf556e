"""Who has a page open in a class room, and when the room's bar on it is to be drawn anew.

The bars do not ask. One thread of the server looks at each room a few times a second, and has those bars
drawn which something new concerns: a phone in a class that listens has nothing to do.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

from lm_core.classroom.records import RoomState
from lm_core.errors import DatabaseError, LMCoreError
from pages.shared.rooms.membership import Membership
from pages.shared.rooms.store import store
from pages.shared.server.streamlit_inside import pushed_runs
from pages.shared.turns import after_fragments

LOOKS_EVERY_S = 0.4
_LOG = logging.getLogger(__name__)


@dataclass
class WatchedBar:
    """A room's bar on an open page."""

    drawn: pushed_runs.DrawnFragment
    here: Membership
    known: RoomState | str  # what it shows: see `concern`
    # whether its visit has moved something since that may concern the class: see `may_concern`
    has_acted: bool = False

    def is_outdated(self) -> bool:
        """Return whether it has to be drawn anew."""
        return self.has_acted or self.known != concern(self.here)

    def may_concern(self) -> bool:
        """Return whether what is moved on its page may: a presenter leads there, a student answers by it."""
        if self.here.member.is_presenter:
            return True
        asked = None if isinstance(self.known, str) else self.known.asked
        return asked is not None and not asked.is_revealed


def concern(here: Membership) -> RoomState | str:
    """Return what a member's bar shows of a room, or why it can show nothing.

    Students do not see how many have joined and answered: their bars stay as they are meanwhile,
    but for a round of runs that is complete.
    """
    try:
        state = here.state
    except LMCoreError as error:
        return str(error)
    if here.member.is_presenter:
        return state
    return replace(
        state,
        answer_count=0,
        member_count=0,
        here_count=0,
        here_answer_count=0,
        run_count=state.run_count_of_rounds,
    )


class RoomWatch:
    """The bars of a process; several threads may use it.

    Parameters
    ----------
    is_open : callable, says whether the page of a visit is connected
    draw_anew : callable, has a fragment drawn anew, or does nothing if that cannot be just now
    note_presence : callable, is told the code and the member of each page that is open
    """

    def __init__(
        self,
        is_open: Callable[[str], bool],
        draw_anew: Callable[[pushed_runs.DrawnFragment], None],
        note_presence: Callable[[str, str], None],
    ) -> None:
        self._is_open, self._draw_anew, self._note = is_open, draw_anew, note_presence
        self._bars: dict[str, WatchedBar] = {}
        self._lock = threading.Lock()

    def keep(self, bar: WatchedBar) -> None:
        """Watch for a bar that is being drawn, in place of the one before on the same page."""
        with self._lock:
            self._bars[bar.drawn.session] = bar

    def forget(self, session: str) -> None:
        """Watch no more for a visit, which has left."""
        with self._lock:
            self._bars.pop(session, None)

    def note_act(self, session: str, fragment: str | None = None) -> None:
        """Note that a visit has drawn a fragment of its page, or all of it, after its bar."""
        with self._lock:
            bar = self._bars.get(session)
        if bar is not None and bar.drawn.fragment != fragment:
            bar.has_acted = bar.may_concern()

    def refresh(self) -> None:
        """Look at all rooms once: note who is there, and have drawn anew what is outdated.

        A look at a bar that fails is logged, and the others are looked at.
        """
        with self._lock:
            bars = list(self._bars.values())
        for bar in bars:
            try:
                self._look_at(bar)
            except Exception:  # whatever is wrong with one bar, the other phones are served
                _LOG.exception("A look at a class room's bar failed")

    def _look_at(self, bar: WatchedBar) -> None:
        if not self._is_open(bar.drawn.session):
            self.forget(bar.drawn.session)
            return
        with suppress(DatabaseError):  # who answers is told; presence is noted the next time
            self._note(bar.here.code, bar.here.member.id)
        if bar.is_outdated():
            self._draw_anew(bar.drawn)

    def refresh_for_ever(self) -> None:
        """Look again and again."""
        pause = threading.Event()
        while True:
            pause.wait(LOOKS_EVERY_S)
            self.refresh()


def watch_bar(here: Membership) -> None:
    """Have the bar that this thread draws drawn anew when something has changed; call it before it draws."""
    if drawn := pushed_runs.fragment_being_drawn():
        _watch().keep(WatchedBar(drawn, here, concern(here)))


def forget_bar() -> None:
    """Watch no more for this visit: it is in no room."""
    if session := pushed_runs.this_session():
        _watch().forget(session)


def _note_presence(code: str, member: str) -> None:
    store().presence.note(code, member)


def note_page_drawn() -> None:
    """Note that all of this visit's page has been drawn: only now is known which questions it draws."""
    if session := pushed_runs.this_session():
        _watch().note_act(session)


def _note_fragment_drawn() -> None:
    if pushed_runs.runs_by_itself() and (drawn := pushed_runs.fragment_being_drawn()):
        _watch().note_act(drawn.session, drawn.fragment)


@cache
def _watch() -> RoomWatch:
    watch = RoomWatch(pushed_runs.is_open, pushed_runs.draw_anew, _note_presence)
    threading.Thread(target=watch.refresh_for_ever, name="class rooms", daemon=True).start()
    return watch


after_fragments(_note_fragment_drawn)
