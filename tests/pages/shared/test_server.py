"""What the server does with memory, seen from a process of its own."""

import subprocess
import sys

import pytest

USED = """
from pages.shared.server import start
start.give_large_blocks_back()
before = start.memory_used()
for _ in range(2):  # having freed some, glibc by itself keeps blocks of that size from then on
    blocks = [bytearray(b"x") * (8 << 20) for _ in range(8)]
    del blocks[:7]  # one that is in use lies above them
print((start.memory_used() - before) >> 20)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system's own allocator")
def test_large_blocks_that_are_freed_are_given_back():
    used = subprocess.run([sys.executable, "-c", USED], capture_output=True, text=True, check=True)
    assert 7 <= int(used.stdout) < 12, "the block in use, and nothing beside it"
