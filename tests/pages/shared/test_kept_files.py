"""A shelf of small files: what somebody still opens stays, and nobody fills it alone."""

import os
import time

import pytest

from lm_core.errors import LimitError
from pages.shared.allowances import Allowances
from pages.shared.server.kept_files import MONTH_S, KeptFiles


def grow_old(folder, name, seconds=MONTH_S + 60):
    then = time.time() - seconds
    os.utime(folder / name, (then, then))


def test_what_was_opened_within_a_month_is_never_given_up(tmp_path):
    shelf = KeptFiles(tmp_path, 3, "lessons")
    names = [shelf.keep(f"{n}".encode()) for n in range(3)]
    with pytest.raises(LimitError, match="3 lessons"):
        shelf.keep(b"one more")
    for name in names:
        grow_old(tmp_path, name)
    assert shelf.read(names[0]) == b"0"  # a class opens it
    newer = [shelf.keep(f"new {n}".encode()) for n in range(2)]
    assert [shelf.read(name) for name in names] == [b"0", None, None]
    assert [shelf.read(name) for name in newer] == [b"new 0", b"new 1"]
    with pytest.raises(LimitError, match="opened within the last month"):
        shelf.keep(b"one more")


def test_the_longest_unopened_goes_first(tmp_path):
    shelf = KeptFiles(tmp_path, 3, "lessons")
    names = [shelf.keep(f"{n}".encode()) for n in range(3)]
    for name, days in zip(names, (40, 60, 50), strict=True):
        grow_old(tmp_path, name, 86_400 * days)
    shelf.keep(b"new")
    assert {path.name for path in tmp_path.iterdir()} >= {names[0], names[2]}
    assert shelf.read(names[1]) is None


def test_keeping_again_counts_as_opening_and_takes_nothing(tmp_path):
    shelf, once = KeptFiles(tmp_path, 3, "lessons"), {"a": Allowances(1, MONTH_S)}
    name = shelf.keep(b"content", once)
    grow_old(tmp_path, name)
    assert shelf.keep(b"content", once) == name
    assert time.time() - (tmp_path / name).stat().st_mtime < MONTH_S / 2


def test_an_owner_has_an_allowance_and_others_have_theirs(tmp_path):
    shelf = KeptFiles(tmp_path, 100, "lessons")
    of_visitor, of_address = Allowances(2, MONTH_S), Allowances(3, MONTH_S)
    for n in range(2):
        shelf.keep(f"{n}".encode(), {"a": of_visitor, "router": of_address})
    with pytest.raises(LimitError, match="try again in 360 hours"):
        shelf.keep(b"third", {"a": of_visitor, "router": of_address})
    shelf.keep(b"third", {"b": of_visitor, "router": of_address})
    with pytest.raises(LimitError, match="at your address"):
        shelf.keep(b"fourth", {"c": of_visitor, "router": of_address})
    shelf.keep(b"fourth", {"c": of_visitor, "home": of_address})


def test_another_content_never_takes_a_name_over(tmp_path):
    shelf = KeptFiles(tmp_path, 3, "lessons")
    name = shelf.keep(b"a teacher's lesson")
    assert len(name) == 12
    (tmp_path / name).write_bytes(b"made to collide")
    with pytest.raises(LimitError, match="has this name"):
        shelf.keep(b"a teacher's lesson")
    assert shelf.read(name) == b"made to collide"


def test_links_with_shorter_names_still_lead_somewhere(tmp_path):
    (tmp_path / "ef3i2y3").write_bytes(b"old")
    assert KeptFiles(tmp_path, 3, "lessons").read("ef3i2y3") == b"old"


def test_an_allowance_comes_back_evenly():
    now = [0.0]
    allowances = Allowances(4, 40.0, lambda: now[0])
    for _ in range(4):
        assert allowances.wait_s("a") == 0.0
        allowances.take("a")
    assert allowances.wait_s("a") == 10.0
    assert allowances.wait_s("b") == 0.0
    now[0] = 10.0
    assert allowances.wait_s("a") == 0.0
