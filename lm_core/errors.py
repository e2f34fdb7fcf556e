"""Every error that `lm_core` raises on purpose, under one base class.

Messages say what must hold, what was given and, where there is one, the remedy; a page may show
them to a visitor as they are.
"""

from collections.abc import Callable, Mapping


class LMCoreError(Exception):
    """Base of all errors raised on purpose by `lm_core`."""


class ShapeError(LMCoreError, ValueError):
    """A tensor does not have the shape that the function states."""


class SettingError(LMCoreError, ValueError):
    """A setting (temperature, size, name, ...) lies outside its range."""


class TextError(LMCoreError, ValueError):
    """A text cannot be used: empty, too long, or nothing of it is in the vocabulary."""


class DomainError(LMCoreError, ValueError):
    """A function has no value, or no derivative, at the number that it is given."""


class CorpusError(LMCoreError):
    """A corpus file is not what its record says it is."""


class CorpusUnavailableError(CorpusError):
    """A corpus is neither on this machine nor could it be downloaded."""


class CheckpointError(LMCoreError):
    """A checkpoint is missing, incomplete, altered or of another version."""


class ResultError(LMCoreError):
    """A shipped result is missing, incomplete, altered or of another version."""


class DivergenceError(LMCoreError):
    """A training has left the numbers: its loss or its gradient is infinite or not a number."""


class RunError(LMCoreError):
    """A run is unknown, damaged, owned by another process, or its folder cannot be written."""


class DeviceError(LMCoreError):
    """A training on several devices has lost one of its processes."""


class LimitError(LMCoreError):
    """A job asks for more than this machine is set to give.

    Attributes
    ----------
    variable : str
        Of the environment, by which whoever keeps the machine changes the limit; visitors are not told.
    held_by : str, key of the run that holds the visitor's place; empty if none of theirs does
    """

    def __init__(self, message: str, *, variable: str = "", held_by: str = "") -> None:
        super().__init__(message)
        self.variable, self.held_by = variable, held_by


class BoundsError(LMCoreError):
    """Work on what a visitor has brought takes more time or memory than it may."""


class RoomError(LMCoreError):
    """A class room is unknown, closed or full, or does not let this visitor do that."""


class WaitError(RoomError):
    """A class room does what this visitor asks if it is asked again in a moment."""


class DatabaseError(LMCoreError):
    """The database of the class rooms cannot be reached, refuses, or is of another kind or version."""


class LessonError(LMCoreError, ValueError):
    """A lesson's file does not say what a lesson needs."""


class PointsError(LMCoreError, ValueError):
    """Points cannot be clustered: too few, or not finite."""


class CovarianceError(LMCoreError, ValueError):
    """A covariance is not positive definite, so that no normal distribution has it."""


def require_at_least_1(**numbers: float) -> None:
    """Refuse sizes and counts below 1.

    Raises SettingError, with the name and the number of the first one.
    """
    _require(numbers, lambda number: not number < 1, "be at least 1")


def require_fields_at_least_1(record: object, names: str) -> None:
    """Refuse a record in which one of these fields, named with spaces between them, is below 1."""
    require_at_least_1(**{name: getattr(record, name) for name in names.split()})


def require_positive(**numbers: float) -> None:
    """Refuse numbers that are not above 0, NaN among them.

    Raises SettingError, with the name and the number of the first one.
    """
    _require(numbers, lambda number: number > 0.0, "be positive")


def require_below_1(**shares: float) -> None:
    """Refuse shares outside [0, 1), NaN among them.

    Raises SettingError, with the name and the number of the first one.
    """
    _require(shares, lambda share: 0.0 <= share < 1.0, "lie in [0, 1)")


def _require(numbers: Mapping[str, float], holds: Callable[[float], bool], rule: str) -> None:
    for name, number in numbers.items():
        if not holds(number):
            raise SettingError(f"{name} must {rule}, got {number}")
