"""Lessons for the tests."""

LESSON = """---
title: Groups
chapter: Clustering and statistics
aim: See what k-means assumes.
audience: Sixteen and older
---

## Three groups
link: clustering?clusters=3&seed=5
do: Press Forward
  until nothing moves.
see: The centres rest. So do the points.
minutes: 20

## Heads
link: /attention?query=3
do: Look at the arcs.
see: Each arc ends at an earlier token. The thick one carries most.
minutes: 15
question: Why earlier?
answer: The mask hides what comes later.

## Five groups
link: clustering?clusters=5
do: Press Back.
see: Two groups are cut. The border is straight.
minutes: 10
"""


def with_line(old: str, new: str) -> bytes:
    """Return the lesson with one line of it changed."""
    assert LESSON.count(old) == 1
    return LESSON.replace(old, new).encode()
