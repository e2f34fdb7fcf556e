"""The range of every sampling setting, stated once for functions, settings, command line and pages."""

from typing import NamedTuple

from lm_core.errors import SettingError


class Range(NamedTuple):
    """The values that a setting may take, and the one at which it changes nothing."""

    low: float
    high: float
    """`low` and `high`: bounds; `high` belongs to the range, and so does `low` unless
    `above_low`."""
    neutral: float | None = None
    """Value at which the setting changes nothing; None if there is no such value."""
    above_low: bool = False
    """Whether `low` itself is excluded."""
    whole: bool = False
    """Whether only whole numbers count."""
    extra: float | None = None
    """One more value with a meaning of its own, outside the bounds."""

    def holds(self, value: float) -> bool:
        """Return whether a value is allowed; never for nan."""
        if self.whole and value != int(value):
            return False
        inside = self.low <= value <= self.high and not (self.above_low and value == self.low)
        return inside or value == self.extra

    def __str__(self) -> str:
        kind = "be a whole number" if self.whole else "lie"
        extra = "" if self.extra is None else f"be {self.extra:g} or "
        bracket = "(" if self.above_low else "["
        return f"{extra}{kind} in {bracket}{self.low:g}, {self.high:g}]"


RANGES = {
    "temperature": Range(1e-3, 1e3, neutral=1.0, extra=0.0),
    "top_k": Range(0, 1e9, neutral=0, whole=True),
    "top_p": Range(0.0, 1.0, neutral=1.0, above_low=True),
    "min_p": Range(0.0, 1.0, neutral=0.0),
    "typical_p": Range(0.0, 1.0, neutral=1.0, above_low=True),
    "top_n_sigma": Range(0.0, 1e3, neutral=0.0),
    "repetition_penalty": Range(1e-3, 1e3, neutral=1.0),
    "repetition_window": Range(1, 1e9, whole=True),
    "mirostat_tau": Range(0.0, 64.0, neutral=0.0),
    "mirostat_rate": Range(0.0, 1.0, above_low=True),
}


def require_in_range(name: str, value: float) -> None:
    """Raise unless `value` is allowed for the setting of that name.

    Raises SettingError, naming the setting, its range and the value given.
    """
    try:
        allowed = RANGES[name].holds(value)
    except (TypeError, ValueError, OverflowError):
        allowed = False
    if not allowed:
        raise SettingError(f"{name} must {RANGES[name]}, got {value!r}")
