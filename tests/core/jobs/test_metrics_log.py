import errno
import json
import os
from pathlib import Path

import pytest

from lm_core.jobs.metrics_log import MetricsLogReader, MetricsLogWriter, last_row


def test_a_reader_goes_on_from_where_it_stopped(tmp_path):
    writer, reader = MetricsLogWriter(tmp_path / "j"), MetricsLogReader(tmp_path / "j")
    assert reader.read() == []
    writer.append({"step": 1})
    writer.append({"step": 2, "text": "two\nlines, “quoted”"})
    assert [row["step"] for row in reader.read()] == [1, 2]
    assert reader.read() == []
    writer.append({"step": 3})
    assert reader.read() == [{"step": 3}]
    assert reader.rows[1]["text"] == "two\nlines, “quoted”"
    writer.close()


def test_half_a_line_is_read_when_it_is_whole(tmp_path):
    path = tmp_path / "j"
    path.write_bytes(b'{"step": 1}\n{"step"')
    reader = MetricsLogReader(path)
    assert reader.read() == [{"step": 1}]
    assert last_row(path) == {"step": 1}
    with path.open("ab") as file:
        file.write(b': 2}\n{"st')
    assert reader.read() == [{"step": 2}]
    assert last_row(path) == {"step": 2}


def test_a_writer_cuts_off_what_a_dead_one_left_and_readers_go_on(tmp_path):
    path = tmp_path / "j"
    path.write_bytes(b'{"step": 1}\n{"step": 2, "lo')
    reader = MetricsLogReader(path)
    reader.read()
    writer = MetricsLogWriter(path)
    writer.append({"step": 2})
    writer.close()
    assert reader.read() == [{"step": 2}]
    assert path.read_bytes() == b'{"step": 1}\n{"step": 2}\n'


def test_what_a_resumed_run_does_again_replaces_the_first_account(tmp_path):
    writer, reader = MetricsLogWriter(tmp_path / "j"), MetricsLogReader(tmp_path / "j")
    for step, loss in ((10, 3.0), (20, 2.0), (30, 1.0), (20, 2.5), (25, 2.2)):
        writer.append({"step": step, "loss": loss})
    writer.close()
    assert len(reader.read()) == 5
    assert [(row["step"], row["loss"]) for row in reader.rows] == [(10, 3.0), (20, 2.5), (25, 2.2)]


def test_lines_that_are_no_rows_are_left_out_and_counted(tmp_path):
    path = tmp_path / "j"
    damaged = [
        b'{"ste',
        b"[1]",
        b"\xff\xfe",
        b'{"loss": 1}',
        b'{"step": "3"}',
        b'{"step": 2, "loss": "x"}',
    ]
    path.write_bytes(b"\n".join([b'{"step": 1}', *damaged, b'{"step": 4}', b"{}", b""]))
    reader = MetricsLogReader(path)
    assert reader.read() == [{"step": 1}, {"step": 4}]
    assert reader.n_unreadable == len(damaged) + 1
    assert last_row(path) == {"step": 4}


def test_there_is_no_last_row_before_the_first(tmp_path):
    assert last_row(tmp_path / "none") is None
    (tmp_path / "empty").touch()
    assert last_row(tmp_path / "empty") is None


def test_the_last_row_may_be_asked_for_that_has_a_field(tmp_path):
    path = tmp_path / "metrics.jsonl"
    looked, later = {"step": 1, "validation_loss": 2.5}, {"step": 2, "validation_loss": None}
    path.write_text("".join(json.dumps(row) + "\n" for row in (looked, later, {"step": 3})))
    assert last_row(path) == {"step": 3}
    assert last_row(path, having="validation_loss") == looked
    assert last_row(path, having="text") is None


def pipe(path):
    os.mkfifo(path)


def loop(path):
    path.symlink_to(path)


UNREADABLE = [Path.mkdir, loop, *([pipe] if hasattr(os, "mkfifo") else [])]


@pytest.mark.parametrize("spoil", UNREADABLE)
def test_what_is_no_file_has_no_rows_and_keeps_nobody_waiting(tmp_path, spoil):
    path = tmp_path / "metrics.jsonl"
    spoil(path)
    assert last_row(path) is None
    assert MetricsLogReader(path).read() == []


def test_a_disk_that_fails_has_no_rows(tmp_path, monkeypatch):
    path = tmp_path / "metrics.jsonl"
    path.write_text('{"step": 1}\n')

    def failing(*given, **settings):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Path, "open", failing)
    assert last_row(path) is None
    assert MetricsLogReader(path).read() == []
