"""For all tests that run pages."""

# Limits the threads of numpy and torch when it is first imported: before any test compares the
# environment with what it was.
from pages.shared import server  # noqa: F401
