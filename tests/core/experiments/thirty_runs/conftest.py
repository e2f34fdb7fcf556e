from contextlib import contextmanager

import pytest


@pytest.fixture
def turns():
    """Return a turn at the model that counts how often it is taken."""

    @contextmanager
    def turn():
        turn.taken += 1
        yield

    turn.taken = 0
    return turn
