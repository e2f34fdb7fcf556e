"""What visitors leave on the server: theirs alone, bounded, and gone when it was said to go."""

import os
import time

import pytest

from lm_core.errors import LimitError
from pages.shared.server.visitor_store import KEPT_DAYS, Quotas, VisitorStore

ANNA, BORIS, CLARA = "a" * 16, "b" * 16, "c" * 16
DAY_S = 86_400.0


@pytest.fixture
def store(tmp_path):
    return VisitorStore(tmp_path / "visitors")


def with_quotas(tmp_path, **quotas):
    return VisitorStore(tmp_path / "visitors", Quotas(**quotas))


def noise(n):
    """Bytes that nobody can compress."""
    return os.urandom(n)


def test_what_a_visitor_left_is_theirs_alone_and_the_last_one_counts(store):
    store.keep(ANNA, "page.text", b"first")
    store.keep(ANNA, "page.text", b"second \x00 \xff")
    assert store.read(ANNA, "page.text") == b"second \x00 \xff"
    assert store.read(BORIS, "page.text") is None
    assert store.has(ANNA)
    assert not store.has(BORIS)
    assert list(store.entries(ANNA)) == ["page.text"]


def test_it_outlives_the_server(tmp_path, store):
    store.keep(ANNA, "page.text", b"kept")
    assert VisitorStore(tmp_path / "visitors").read(ANNA, "page.text") == b"kept"


def test_what_is_forgotten_is_off_the_disk(tmp_path, store):
    for name in ("one", "two"):
        store.keep(ANNA, name, b"a secret")
    store.keep(BORIS, "one", b"another")
    store.drop(ANNA, "one")
    assert list(store.entries(ANNA)) == ["two"]
    store.forget(ANNA)
    assert [path.name for path in (tmp_path / "visitors").iterdir()] == [BORIS]
    assert store.read(BORIS, "one") == b"another"


@pytest.mark.parametrize("name", ["../other", "a/b", ".hidden", "", "A", "x" * 101])
def test_a_name_that_could_leave_the_folder_is_refused(store, name):
    with pytest.raises(ValueError, match="a name has"):
        store.keep(ANNA, name, b"x")


@pytest.mark.parametrize("visitor", ["../aaaaaaaaaaaaa", "A" * 16, "", "a" * 17])
def test_a_visitor_who_could_leave_the_folder_is_refused(store, visitor):
    with pytest.raises(ValueError, match="a visitor has"):
        store.keep(visitor, "page.text", b"x")


def test_a_visitor_is_refused_beyond_their_bytes_and_loses_nothing(tmp_path):
    store = with_quotas(tmp_path, visitor_bytes=3_000)
    store.keep(ANNA, "one", noise(2_000))
    with pytest.raises(LimitError, match="for a visitor"):
        store.keep(ANNA, "two", noise(2_000))
    assert list(store.entries(ANNA)) == ["one"]
    store.keep(ANNA, "one", noise(2_500))  # in place of what was there
    store.keep(BORIS, "one", noise(2_000))
    store.drop(ANNA, "one")
    store.keep(ANNA, "two", noise(2_500))


def test_a_visitor_is_refused_beyond_their_number_of_things(tmp_path):
    store = with_quotas(tmp_path, visitor_entries=2)
    for name in ("one", "two", "two"):
        store.keep(ANNA, name, b"x")
    with pytest.raises(LimitError, match="for a visitor"):
        store.keep(ANNA, "three", b"x")


def test_many_visitors_of_one_address_are_refused_and_nobody_elsewhere_is(tmp_path):
    store = with_quotas(tmp_path, address_bytes=5_000, address_visitors=3)
    store.keep(ANNA, "one", noise(2_000), "school")
    store.keep(BORIS, "one", noise(2_000), "school")
    with pytest.raises(LimitError, match="your network"):
        store.keep(CLARA, "one", noise(2_000), "school")
    store.keep(CLARA, "one", noise(2_000), "home")
    assert store.read(ANNA, "one") is not None


def test_numbers_made_up_at_one_address_are_refused(tmp_path):
    store = with_quotas(tmp_path, address_visitors=3)
    for i in range(3):
        store.keep(f"{i:016x}", "one", b"x", "attacker")
    with pytest.raises(LimitError, match="your network"):
        store.keep(f"{3:016x}", "one", b"x", "attacker")


def test_all_together_are_bounded_and_nobody_is_thrown_out(tmp_path):
    store = with_quotas(tmp_path, all_bytes=5_000)
    for who in (ANNA, BORIS):
        store.keep(who, "one", noise(2_000))
    again = with_quotas(tmp_path, all_bytes=5_000)  # another process counts on the disk
    with pytest.raises(LimitError, match="no more room"):
        again.keep(CLARA, "one", noise(2_000))
    assert again.read(ANNA, "one")
    again.forget(ANNA)
    again.keep(CLARA, "one", noise(2_000))


def aged(store, visitor, days, name=None):
    path = store.folder / visitor / (name or "")
    long_ago = time.time() - days * DAY_S
    os.utime(path, (long_ago, long_ago))


def test_it_goes_after_its_days_and_a_visit_begins_them_anew(store):
    for who in (ANNA, BORIS, CLARA):
        store.keep(who, "page.text", b"x")
    aged(store, ANNA, KEPT_DAYS + 0.1)
    aged(store, BORIS, KEPT_DAYS - 0.1)
    aged(store, CLARA, KEPT_DAYS + 0.1)
    assert store.read(CLARA, "page.text") == b"x"
    store.purge()
    assert [store.has(who) for who in (ANNA, BORIS, CLARA)] == [False, True, True]


def test_what_belongs_to_a_tab_goes_after_a_day(store):
    for name in ("tab.0f.answers", "page.text"):
        store.keep(ANNA, name, b"x")
        aged(store, ANNA, 1.1, name)
    store.purge()
    assert list(store.entries(ANNA)) == ["page.text"]


def test_a_damaged_file_is_nothing(store):
    store.keep(ANNA, "page.text", b"x")
    (store.folder / ANNA / "page.text").write_bytes(b"no zlib")
    assert store.read(ANNA, "page.text") is None
