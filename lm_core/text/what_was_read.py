"""What a reader made of something that a visitor has brought: one record for every reader."""

from dataclasses import dataclass


@dataclass(frozen=True)
class WhatWasRead:
    """What was understood, what was left out, and what that looks like."""

    facts: tuple[str, ...]
    """Kind, encoding, marks and sizes, in a few words each: they become one line."""
    notes: tuple[str, ...] = ()
    """What was assumed or left out and why, in sentences for the visitor; not escaped."""
    preview: tuple[tuple[str, ...], ...] = ()
    """The first rows as they were read, the names of the columns before them."""

    @property
    def line(self) -> str:
        """Return the facts as one sentence."""
        return f"Read as {', '.join(self.facts)}."
