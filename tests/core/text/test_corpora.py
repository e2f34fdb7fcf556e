"""Look-up order, checks and fetching, with a made-up corpus; no network, no book."""

import dataclasses
import hashlib
import json
import os

import pytest

from lm_core import files
from lm_core.cli import data as data_command
from lm_core.errors import CorpusError, CorpusUnavailableError, SettingError
from lm_core.text import corpora
from lm_core.text.catalogue import CORPORA, WAR_AND_PEACE, Corpus, Signs

TEXT = "Title: A Tale\nIt was a dark night.\nThe end.\n"
OTHER = "Title: A Tale\nIt was a stormy night.\nThe end.\n"
TALE = Corpus(
    name="tale",
    title="A Tale",
    edition="The first",
    path="folder/tale.txt",
    address="http://127.0.0.1:9/tale",
    licence="public domain",
    size_bytes=len(TEXT),
    sha256=hashlib.sha256(TEXT.encode()).hexdigest(),
    signs=Signs(("title: a tale", "the end."), shortest=40, longest=60),
)


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The three places of the look-up, all empty, in their order."""
    monkeypatch.setitem(CORPORA, TALE.name, TALE)
    monkeypatch.setattr(corpora, "_CHECKOUT", tmp_path / "checkout")
    monkeypatch.setenv("LM_LAB_DATA", str(tmp_path / "named"))
    monkeypatch.setenv("LM_LAB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "named", tmp_path / "shared" / "data", tmp_path / "cache"


@pytest.fixture
def arriving(monkeypatch):
    """Set what a download answers; bytes arrive, an exception is raised."""

    def set_answer(answer):
        def answer_with(address, limit_bytes, progress):
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr(corpora, "download", answer_with)

    set_answer(AssertionError("nothing may be downloaded here"))
    return set_answer


def put(folder, text=TEXT):
    path = folder / TALE.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# Where ----------------------------------------------------------------------------------------


def test_look_up_order_is_named_folder_then_shared_data_then_cache(folders, arriving):
    assert corpora.search_folders() == list(folders)
    assert corpora.locate("tale") is None
    for folder in reversed(folders):
        path = put(folder)
        assert corpora.locate("tale") == path


def test_without_settings_the_cache_is_in_the_home_folder(folders, monkeypatch):
    monkeypatch.delenv("LM_LAB_DATA")
    monkeypatch.delenv("LM_LAB_CACHE")
    monkeypatch.setenv("HOME", "/home/reader")
    paths = [path.as_posix() for path in corpora.search_folders()]
    assert paths == [folders[1].as_posix(), "/home/reader/.cache/lm-lab"]


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(SettingError, match=r"one of .*'war-and-peace'.*got 'war'"):
        corpora.locate("war")


def test_an_absent_corpus_names_the_folders_and_the_command(folders):
    with pytest.raises(CorpusUnavailableError) as raised:
        corpora.load_text("tale")
    message = str(raised.value)
    for folder in folders:
        assert str(folder) in message
    assert "python -m lm_core data fetch tale" in message


# Whether --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "verdict"), [(TEXT, "exact"), (OTHER, "another edition")])
def test_a_sound_file_is_loaded_and_judged(folders, text, verdict):
    put(folders[0], text)
    report = corpora.check("tale")
    assert (report.verdict, report.faults) == (verdict, ())
    assert report.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert corpora.load_text("tale") == text


def test_a_byte_order_mark_is_not_part_of_the_text(folders):
    put(folders[0], b"\xef\xbb\xbf" + TEXT.encode())
    assert corpora.load_text("tale") == TEXT


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (OTHER.replace("The end.", "And then"), "lacks the words 'the end.'"),
        (OTHER.replace("Title", "Log in"), "lacks the words 'title: a tale'"),
        (OTHER * 2, "length is 92 characters, not between 40 and 60"),
        ("", "length is 0 characters"),
        (OTHER.replace("stormy", "бурная"), "% of its characters are plain"),
        (OTHER.replace("stormy", "\0" * 6), "% of its characters are plain"),
        (OTHER.encode() + b"\xff", "not UTF-8"),
    ],
)
def test_a_wrong_file_is_refused_with_its_fault(folders, content, fault):
    path = put(folders[0], content)
    report = corpora.check("tale")
    assert report.verdict == "not usable"
    assert any(fault in line for line in report.faults)
    with pytest.raises(CorpusError, match="is not A Tale") as raised:
        corpora.load_text("tale")
    assert str(path) in str(raised.value)


def test_without_signs_only_the_recorded_file_will_do(folders, monkeypatch):
    monkeypatch.setitem(CORPORA, "tale", dataclasses.replace(TALE, signs=None))
    put(folders[0])
    assert corpora.check("tale").verdict == "exact"
    put(folders[0], OTHER)
    assert corpora.check("tale").verdict == "not usable"


def test_the_hash_is_computed_again_only_for_a_changed_file(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"one")
    first = corpora.sha256_of(path)
    assert first == hashlib.sha256(b"one").hexdigest()

    digest, calls = hashlib.file_digest, []
    monkeypatch.setattr(hashlib, "file_digest", lambda *a: calls.append(a) or digest(*a))
    assert corpora.sha256_of(path) == first
    assert calls == []
    path.write_bytes(b"two")
    os.utime(path, ns=(0, 0))
    assert corpora.sha256_of(path) == hashlib.sha256(b"two").hexdigest()
    assert len(calls) == 1


# Fetching -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [TEXT, OTHER])
def test_fetch_stores_the_text_and_the_record_of_what_came(folders, arriving, text):
    arriving(text.encode())
    path = corpora.fetch("tale")
    assert path == folders[2] / TALE.path == corpora.locate("tale")
    assert path.read_text() == text
    record = json.loads((path.parent / "tale.txt.json").read_text())
    assert record["sha256"] == hashlib.sha256(text.encode()).hexdigest()
    assert record["address"] == TALE.address
    assert len(list(path.parent.iterdir())) == 2


@pytest.mark.parametrize("place", [0, 1, 2])
def test_fetch_returns_a_sound_file_that_is_here_already(folders, arriving, place):
    path = put(folders[place])
    assert corpora.fetch("tale") == path


def test_fetch_replaces_a_damaged_file_in_the_cache(folders, arriving):
    path = put(folders[2], TEXT[:20])
    arriving(TEXT.encode())
    assert corpora.fetch("tale") == path
    assert path.read_text() == TEXT


def test_fetch_does_not_touch_a_damaged_file_elsewhere(folders, arriving):
    put(folders[0], TEXT[:20])
    with pytest.raises(CorpusError, match="Remove it"):
        corpora.fetch("tale")


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (b"<html>Please log in</html>", CorpusError, "what came from http.* is not A Tale"),
        (CorpusUnavailableError("no route"), CorpusUnavailableError, "no route. Try again, or put"),
    ],
)
def test_a_failed_fetch_leaves_nothing_behind(folders, arriving, answer, error, words):
    arriving(answer)
    with pytest.raises(error, match=words):
        corpora.fetch("tale")
    assert not folders[2].exists()


def test_a_cancelled_fetch_leaves_nothing_behind(folders, arriving):
    arriving(KeyError("cancelled"))
    with pytest.raises(KeyError):
        corpora.fetch("tale")
    assert not folders[2].exists()


def test_a_disk_that_fails_mid_way_leaves_the_older_file(folders, arriving, monkeypatch):
    path = put(folders[2], TEXT[:20])
    arriving(TEXT.encode())

    def full_disk(_):
        raise OSError("No space left on device")

    monkeypatch.setattr(files.os, "fsync", full_disk)
    with pytest.raises(CorpusUnavailableError, match=r"No space left.*LM_LAB_CACHE"):
        corpora.fetch("tale")
    assert path.read_text() == TEXT[:20]
    assert [p.name for p in path.parent.iterdir()] == ["tale.txt"]


def test_a_reader_of_the_old_file_never_sees_the_new_one(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with path.open("rb") as reader:
        files.write_whole(path, b"new")
        assert reader.read() == b"old"
    assert path.read_bytes() == b"new"


# The command ----------------------------------------------------------------------------------


def run(*words):
    parser = data_command.argparse.ArgumentParser()
    data_command.add_arguments(parser)
    return data_command.run(parser.parse_args(words))


def test_list_says_where_each_corpus_lies(folders, capsys):
    path = put(folders[1])
    assert run("list") == 0
    output = capsys.readouterr().out
    assert str(path) in output
    assert f"{WAR_AND_PEACE.address}\n    not on this machine" in output


def test_check_fails_when_a_file_is_not_usable(folders, capsys):
    assert run("check") == 0
    assert "none of the corpora" in capsys.readouterr().out
    put(folders[0])
    assert run("check") == 0
    assert "tale: exact" in capsys.readouterr().out
    put(folders[0], TEXT[:20])
    assert run("check", "tale") == 1
    assert "lacks the words 'the end.'" in capsys.readouterr().out


def test_fetch_prints_where_the_file_went(folders, arriving, capsys):
    arriving(OTHER.encode())
    assert run("fetch", "tale") == 0
    assert capsys.readouterr().out == f"{folders[2] / TALE.path}: another edition\n"


def test_progress_shows_share_or_plain_amount(capsys):
    data_command._show_progress(500_000, 2_000_000)
    data_command._show_progress(500_000, None)
    assert capsys.readouterr().err == "\r0.5 of 2.0 MB, 25%\r0.5 MB"
