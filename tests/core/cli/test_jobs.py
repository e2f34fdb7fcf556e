import pytest

from lm_core.__main__ import main
from lm_core.jobs import jobs
from lm_core.jobs.metrics_log import MetricsLogWriter
from lm_core.jobs.records import RunState
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from tests.core.small_runs import TEXT, small_config


@pytest.fixture
def finished(background_home):
    run = RunFolder.keyed(small_config().fingerprint())
    list(train_here(run, small_config(), TEXT))
    return run


def test_the_list_tells_where_each_run_stands(finished, capsys):
    second = RunFolder.keyed(small_config(seed=2).fingerprint())
    steps = train_here(second, small_config(seed=2), TEXT)
    next(steps)
    steps.close()
    second.update(message="perhaps the memory ran out")
    damaged = RunFolder.keyed("0123456789abcdef")
    damaged.path.mkdir()
    (damaged.path / "config.json").write_text("{}")
    assert main(["jobs", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"{finished.key}  finished    step 60 of 60  Tiny  cpu" in lines
    assert f"{second.key}  paused      step 1 of 60  Tiny  cpu" in lines
    assert "    perhaps the memory ran out" in lines
    assert "0123456789abcdef  damaged" in lines


def test_watching_shows_numbers_and_samples_to_the_end(finished, capsys):
    assert main(["jobs", "watch", finished.key[:6]]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("step     60  loss ")
    assert "validation" in lines[1]
    assert finished.last_sample()["text"][:20] in "".join(lines)


def test_watching_a_run_that_failed_ends_with_its_message(finished, capsys):
    finished.update(state=RunState.FAILED, message="the loss is nan")
    assert main(["jobs", "watch", finished.key]) == 1
    assert capsys.readouterr().out.endswith("the loss is nan\n")


def test_a_watcher_goes_on_while_the_run_is_live(finished, capsys, monkeypatch):
    owner = finished.own()
    finished.update(state=RunState.RUNNING)
    log = MetricsLogWriter(finished.metrics_file)
    looks = []

    def look(key):
        looks.append(key)
        if len(looks) == 3:
            log.append(finished.last_metrics() | {"step": 61, "loss": 0.125})
            finished.update(state=RunState.FINISHED)
        return original(key)

    original = jobs.job
    monkeypatch.setattr(jobs, "job", look)
    monkeypatch.setattr("lm_core.cli.jobs._LOOK_EVERY_S", 0.0)
    assert main(["jobs", "watch", finished.key]) == 0
    assert "step     61  loss 0.1250" in capsys.readouterr().out
    log.close()
    owner.release()


def test_pause_cancel_and_clean_go_by_the_beginning_of_a_key(background_home, capsys):
    run = RunFolder.keyed(small_config().fingerprint())
    steps = train_here(run, small_config(), TEXT)
    next(steps)
    steps.close()
    assert main(["jobs", "cancel", run.key[:5]]) == 0
    assert f"{run.key}  cancelled" in capsys.readouterr().out
    assert main(["jobs", "clean", run.key]) == 0
    assert capsys.readouterr().out == f"removed {run.key}\n"
    assert main(["jobs", "clean"]) == 0
    assert capsys.readouterr().out == "removed nothing\n"


def test_a_key_must_be_one_runs(finished, capsys):
    assert main(["jobs", "pause", "nothing"]) == 1
    assert "0 runs have a key that begins with 'nothing'" in capsys.readouterr().err
