"""A code that says how far somebody came in a lesson: signed, so that a teacher can check it, and without a name."""

import base64
import hashlib
import hmac
import re
import secrets
import struct
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import NamedTuple

from lm_core.classroom.names import plain_code
from lm_core.errors import LessonError

_FORM = struct.Struct(">4sHBBHH")  # lesson, day, steps opened, all steps, minutes, serial
_FIRST_DAY = date(2020, 1, 1).toordinal()
_SIGNED_BYTES = 8
_LETTERS = 32
_READ_AS = str.maketrans("018", "OIB")
"""Digits that a code has not, and the letters that they are taken for."""


class Completion(NamedTuple):
    """What a code says."""

    steps: int  # that were opened, at most 255
    of: int  # steps of the lesson
    minutes: int  # since the first one was opened
    day: date
    serial: int  # at random, below 65,536: two students with one serial have one code


def completion(steps: int, of: int, seconds: float, day: date) -> Completion:
    """Return what a student has done by now, with a serial of their own."""
    minutes = min(round(seconds / 60), 0xFFFF)
    return Completion(steps, of, minutes, day, secrets.randbelow(0x10000))


def completion_code(done: Completion, lesson: str, secret: bytes) -> str:
    """Return 32 letters and digits in groups of four that nobody can make without the secret.

    Parameters
    ----------
    lesson : str, the name by which links have it
    """
    day = done.day.toordinal() - _FIRST_DAY
    said = _FORM.pack(_named(lesson), day, done.steps, done.of, done.minutes, done.serial)
    code = base64.b32encode(said + _signature(said, secret)).decode()
    return "-".join(re.findall("....", code))


def read_completion_code(code: str, lesson: str, secret: bytes) -> Completion:
    """Return what a code of a lesson says, however it was typed; raises LessonError if it is none."""
    plain = plain_code(code.replace("-", "").replace(" ", "")).translate(_READ_AS)
    if len(plain) != _LETTERS or not re.fullmatch("[A-Z2-7]*", plain):
        raise LessonError(
            f"a completion code has {_LETTERS} signs, letters and the digits 2 to 7: copy it whole"
        )
    whole = base64.b32decode(plain)
    said = whole[: _FORM.size]
    if not hmac.compare_digest(whole[_FORM.size :], _signature(said, secret)):
        raise LessonError(
            "this server has not made this code: a letter is wrong, or it comes from another server"
        )
    name, day, steps, of, minutes, serial = _FORM.unpack(said)
    if name != _named(lesson):
        raise LessonError("this code is of another lesson: open that one, and check it there")
    return Completion(steps, of, minutes, date.fromordinal(_FIRST_DAY + day), serial)


def kept_secret(path: Path) -> bytes:
    """Return the secret that signs a server's codes, made at random where there is none yet."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        made = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        made.touch(mode=0o600)
        made.write_bytes(secrets.token_bytes(32))
        with suppress(FileExistsError):
            path.hardlink_to(made)  # of two processes, the first one's counts
        made.unlink()
    return path.read_bytes()


def _named(lesson: str) -> bytes:
    return hashlib.sha256(lesson.encode()).digest()[:4]


def _signature(said: bytes, secret: bytes) -> bytes:
    return hmac.digest(secret, said, "sha256")[:_SIGNED_BYTES]
