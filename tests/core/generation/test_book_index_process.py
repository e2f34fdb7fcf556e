"""The index of the book comes from a process of its own, and is the one that is built here."""

import re
import sys
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np
import pytest

from lm_core.errors import TextError
from lm_core.generation.book_index_process import book_index, receive, send
from lm_core.generation.memorisation import BookIndex
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.corpora import locate
from lm_core.text.training_text import load_book

TEXT = "well prince so genoa and lucca are now just family estates"


def test_what_is_received_finds_what_was_built():
    ids = np.array(SOURCE.encode(TEXT))
    with TemporaryFile() as file:
        send(ids, file)
        file.seek(0)
        built, come = BookIndex.build(ids), receive(file)
    assert come.suffixes.tolist() == built.suffixes.tolist()
    asked = np.array(SOURCE.encode("xx prince so genoa xx estates"))
    for own, theirs in zip(come.longest_matches(asked), built.longest_matches(asked), strict=True):
        assert own.tolist() == theirs.tolist()
    assert come.memorised_spans(asked, 10) == built.memorised_spans(asked, 10) != ()


def test_what_the_process_says_is_the_error():
    with pytest.raises(TextError, match="no-such-vocabulary"):
        book_index("no-such-vocabulary")


@pytest.mark.skipif(locate(WAR_AND_PEACE.name) is None, reason="the book is not on this machine")
def test_the_process_knows_the_end_of_the_book():
    ids = load_book(SOURCE).ids
    index = book_index(SOURCE.name)
    assert len(index.suffixes) == len(ids)
    assert index.longest_matches(ids[-100:])[0].tolist() == list(range(100, 0, -1))


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_a_search_keeps_nothing_of_the_file_in_memory():
    ids = some_letters(200_000)
    with TemporaryFile() as file:
        send(ids, file)
        file.seek(0)
        come = receive(file)
    assert len(come.longest_matches(ids[:500])[0]) == 500
    assert mapped_kilobytes(len(ids) * 4) == 0


def some_letters(n):
    return np.random.default_rng(1).integers(1, 20, n)


def mapped_kilobytes(at_least):
    """Return what this process holds in memory of deleted files of that size."""
    held, is_of_file = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if re.match("[0-9a-f]+-", line):
            start, end = (int(place, 16) for place in line.split()[0].split("-"))
            is_of_file = line.endswith("(deleted)") and end - start >= at_least
        elif is_of_file and line.startswith("Rss:"):
            held += int(line.split()[1])
    return held
