"""The index of the book, built in a process of its own: it takes 290 MB and some seconds of a processor.

The process hands over what is worth keeping, in a file, and takes the rest with it.
`python -m lm_core.generation.book_index_process VOCABULARY` is that process.
"""

import mmap
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import numpy as np

import lm_core
from lm_core.errors import LMCoreError, TextError
from lm_core.generation.memorisation import BookIndex
from lm_core.text.training_text import load_book
from lm_core.text.vocabularies import vocabulary_named

_SOURCES = Path(lm_core.__file__).parents[1]
_NICENESS = 10
"""Of that process: whoever waits for a page comes first."""


def book_index(vocabulary: str) -> BookIndex:
    """Return the index of the book in a vocabulary of characters, built by another process.

    Raises TextError if that process fails, with what it said last: there is no book, or no memory.
    """
    paths = [str(_SOURCES), os.environ.get("PYTHONPATH", "")]
    with TemporaryFile() as file:
        built = subprocess.run(
            [sys.executable, "-m", __name__, vocabulary],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            check=False,
        )
        if built.returncode:
            said = built.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise TextError(f"the book could not be indexed: {said or f'exit {built.returncode}'}")
        file.seek(0)
        return receive(file)


def send(ids: np.ndarray, file: IO[bytes]) -> None:
    """Build the index of a text, and write text and index for `receive`."""
    np.save(file, ids.astype(np.uint8))
    np.save(file, BookIndex.build(ids).suffixes)


def receive(file: IO[bytes]) -> BookIndex:
    """Return the index that `send` has written; it stays in the file, which a search reads in few places.

    After a search the pages that it has read are let go: the system keeps them for the next one as
    long as there is room, and this process does not.
    """
    ids = np.load(file)
    np.lib.format.read_magic(file)
    (n,), _, dtype = np.lib.format.read_array_header_1_0(file)
    read = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    let_go = partial(read.madvise, mmap.MADV_DONTNEED) if sys.platform == "linux" else None
    return BookIndex.of(ids, np.frombuffer(read, dtype, n, file.tell()), let_go)


def main() -> None:
    """Build the index and write it to the standard output."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    try:
        send(load_book(vocabulary_named(sys.argv[1])).ids, sys.stdout.buffer)
    except LMCoreError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
