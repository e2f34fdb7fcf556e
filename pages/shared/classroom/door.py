"""How visitors come into a room: known ones at once, new ones at a pace, and codes are not to be guessed."""

import math
from collections import OrderedDict
from threading import Lock

from lm_core.classroom.names import plain_code
from lm_core.errors import RoomError, WaitError
from pages.shared.guesses import Guesses
from pages.shared.rooms.membership import Membership, enter
from pages.shared.rooms.store import store
from pages.shared.ui.visitor import address

_WRONG_CODES = Guesses(
    free=20, every_s=2.0, free_of_all=60, every_s_of_all=0.5, patience_s=5.0, apart_s=2.0
)
_JOINS = Guesses(
    free=40, every_s=3.0, free_of_all=400, every_s_of_all=0.1, patience_s=3.0, apart_s=3.0
)
"""By address and room: a whole class behind one router joins within a minute, and no crowd of one."""
_MOST_FAMILIAR = 10_000
_FAMILIAR: OrderedDict[tuple[str, str], None] = OrderedDict()
"""Addresses, each with a room that somebody is in from there: its code is no secret at that address."""
_LOCK = Lock()


def come_in(code: str, visitor: str) -> Membership:
    """Come back to a room, or join it.

    Raises WaitError if many wrong codes, or many newcomers, came from this address: ask again in a
    moment. Raises RoomError if there is no such room, or it is closed, locked or full and this
    visitor was not in it. Raises DatabaseError if the database does not answer.
    """
    code, asked_from = plain_code(code), address()
    if not code:
        raise RoomError("a class has a code of four letters: type the one that your teacher shows")
    member = store().rooms.member(code, visitor)
    if member is None:
        _require_known(code, visitor, asked_from)
        _keep_pace(code, visitor, asked_from)
        member = store().rooms.join(code, visitor)
    make_familiar(code)
    return enter(code, visitor, member)


def make_familiar(code: str) -> None:
    """Note that somebody is in a room from this address."""
    with _LOCK:
        _FAMILIAR[address(), code] = None
        _FAMILIAR.move_to_end((address(), code))
        while len(_FAMILIAR) > _MOST_FAMILIAR:
            _FAMILIAR.popitem(last=False)


def _require_known(code: str, visitor: str, asked_from: str) -> None:
    """Refuse a code that no room has, and to say of many codes in a row whether one has."""
    if (asked_from, code) in _FAMILIAR:
        return
    if asked_from and (wait_s := _WRONG_CODES.wait_s(asked_from, visitor)):
        raise WaitError(
            "many wrong codes came from your network just now, so yours is looked up in"
            f" {math.ceil(wait_s)} s"
        )
    try:
        store().states.state(code)
    except RoomError:
        _WRONG_CODES.add(asked_from)
        raise


def _keep_pace(code: str, visitor: str, asked_from: str) -> None:
    if not asked_from:
        return
    door = f"{asked_from} {code}"
    if wait_s := _JOINS.wait_s(door, visitor):
        raise WaitError(
            f"many are joining class {code} from your network, so you are let in in"
            f" {math.ceil(wait_s)} s"
        )
    _JOINS.add(door)
