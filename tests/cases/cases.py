"""All cases, kind by kind: what is brought, whether it is taken, and words that the visitor is told."""

from typing import NamedTuple

from tests.cases import brought, of_teachers
from tests.cases.readers import Brought


class Case(NamedTuple):
    """What is brought, whether it is taken, and words that the visitor is told."""

    kind: str
    name: str
    brought: Brought
    is_read: bool
    said: str


CASES = [
    Case(kind, name, given[0], given[1] is not None, str(given[-1]))
    for kinds in (brought.KINDS, of_teachers.KINDS)
    for kind, found in kinds.items()
    for name, given in found.items()
]
