"""How much training a machine gives away, each limit an environment variable of its own."""

import os
from dataclasses import dataclass, fields

from lm_core.errors import LimitError, SettingError

_PREFIX = "LM_LAB_MAX_"


@dataclass(frozen=True)
class Limits:
    """What a job may ask for; the variable of `run_seconds` is ``LM_LAB_MAX_RUN_SECONDS``, and so on.

    Attributes
    ----------
    run_seconds : int
        Training time of one run.
    parameters : int
        Size of a model.
    text_bytes : int
        Length of a text that a visitor hands in.
    jobs_per_visitor, jobs : int
        Queued, starting and running ones, of one visitor and of all.
    runs_bytes : int
        Disk that all runs take together; the oldest ended ones make room.
    """

    run_seconds: int = 3_600
    parameters: int = 20_000_000
    text_bytes: int = 5_000_000
    jobs_per_visitor: int = 1
    jobs: int = 40
    runs_bytes: int = 2_000_000_000

    def __post_init__(self) -> None:
        for field in fields(self):
            if getattr(self, field.name) < 1:
                raise SettingError(
                    f"{variable(field.name)} must be at least 1, got {getattr(self, field.name)}"
                )

    @classmethod
    def from_environment(cls) -> "Limits":
        """Return the limits that this machine is set to.

        Raises
        ------
        SettingError
            If a variable is no whole number of at least 1.
        """
        return cls(**{f.name: _whole(variable(f.name), f.default) for f in fields(cls)})

    def require(self, name: str, asked: float, what: str) -> None:
        """Refuse what is more than the limit of that name.

        Raises
        ------
        LimitError
            With both numbers, and the variable to change.
        """
        allowed = getattr(self, name)
        if asked > allowed:
            raise LimitError(
                f"{what} may be at most {allowed:,} here, got {asked:,}. Ask for less, or let the"
                f" machine's keeper raise {variable(name)}"
            )


def variable(name: str) -> str:
    """Return the environment variable of a limit."""
    return f"{_PREFIX}{name.upper()}"


def _whole(name: str, default: int) -> int:
    given = os.environ.get(name)
    if not given:
        return default
    try:
        return int(given)
    except ValueError as error:
        raise SettingError(f"{name} must be a whole number, got {given!r}") from error
