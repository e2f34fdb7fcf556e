"""The container: no root, one volume, a health check without curl, and what requirements.txt says."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from threading import Thread

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deploy.files import COMPOSE, DOCKERFILE, ROOT, instructions

HEALTHY = ROOT / "deploy" / "healthy.py"
LOCK = (ROOT / "deploy" / "requirements.lock").read_text(encoding="utf-8")
TORCH_LOCK = (ROOT / "deploy" / "torch.lock").read_text(encoding="utf-8")
LOCKED = dict(re.findall(r"^(\S+)==(\S+)", LOCK, flags=re.MULTILINE))


def wanted(*files):
    """Return what files of requirements ask for, less other files."""
    lines = [line for file in files for line in file.read_text().splitlines()]
    return [Requirement(line) for line in lines if line[:1].isalpha()]


def test_it_runs_as_a_numbered_user_who_is_not_root():
    """By a number Kubernetes can tell that it is not root."""
    (user,) = instructions("USER")
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)


def test_it_writes_to_one_volume_and_to_tmp():
    assert instructions("VOLUME") == ["/lab"]
    settings = dict(re.findall(r"(\w+)=(\S+)", " ".join(instructions("ENV"))))
    for name in ("LM_LAB_HOME", "LM_LAB_CACHE", "LM_LAB_DATA"):
        assert settings[name].startswith("/lab/")
    assert settings["HOME"] == "/tmp"
    assert settings["PYTHONDONTWRITEBYTECODE"] == "1"


def test_its_health_is_asked_by_python():
    (check,) = instructions("HEALTHCHECK")
    command = json.loads(check[check.index("CMD") + 3 :])
    assert command == ["python", "/opt/lab/healthy.py"]
    assert "deploy/healthy.py /opt/lab/" in instructions("COPY")
    assert "127.0.0.1:8501/_stcore/health" in HEALTHY.read_text(encoding="utf-8")


def test_its_base_is_an_exact_version():
    bases = re.findall(r"^FROM (\S+)", DOCKERFILE, flags=re.MULTILINE)
    assert len(set(bases)) == 1
    assert re.fullmatch(r"python:\d+\.\d+\.\d+-slim-\w+", bases[0])


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_an_app_that_does_not_answer_for_a_minute_is_ended(tmp_path):
    answering = ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler)
    with free_socket() as silent, running("import sys; sys.stdin.read()") as app:
        # In the container the app is the only child of process 1; here this test's process is.
        environment = os.environ | {
            "LAB_HEALTH_FAILURES": str(tmp_path / "failures"),
            "LAB_HEALTH_URL": f"http://127.0.0.1:{silent}/",
            "LAB_INIT": str(os.getpid()),
        }

        def asked(**changes):
            command = ["timeout", "60", sys.executable, str(HEALTHY)]
            return subprocess.run(command, env=environment | changes, check=False).returncode

        Thread(target=answering.serve_forever, daemon=True).start()
        fine = f"http://127.0.0.1:{answering.server_port}/"
        assert [asked() for _ in range(5)] == [1] * 5
        assert asked(LAB_HEALTH_URL=fine) == 0  # what failed before is forgotten
        assert [asked() for _ in range(5)] == [1] * 5
        assert app.poll() is None
        assert asked() == 1
        assert app.wait(timeout=30) == -signal.SIGKILL
    answering.shutdown()
    answering.server_close()


@contextmanager
def free_socket():
    """A port at which nobody answers."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@contextmanager
def running(source):
    with subprocess.Popen([sys.executable, "-c", source], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def test_it_installs_what_requirements_say():
    """No version is written a second time but in the lock, whose every file has a hash."""
    first = " ".join(instructions("RUN", stage=1))
    assert "$(grep '^torch==' /build/requirements.txt)" in first
    hashed = "pip install --require-hashes --no-deps --only-binary :all:"
    assert f"{hashed} -r /build/requirements.lock" in first
    torch = first.index(f'{hashed} --index-url "$TORCH_INDEX" -r /build/torch.lock')
    assert torch < first.index("$(grep '^torch==' /build/requirements.txt)")  # finds it there
    assert not re.search(r"==\d|>=\d", DOCKERFILE)


def test_its_packages_beyond_the_app_are_those_of_the_tests():
    lines = (ROOT / "deploy" / "requirements.txt").read_text().splitlines()
    assert "-r ../requirements.txt" in lines
    tested = wanted(ROOT / "tests" / "requirements.txt")
    for requirement in wanted(ROOT / "deploy" / "requirements.txt"):
        assert requirement in tested


def test_the_lock_satisfies_what_requirements_say():
    asked = wanted(ROOT / "requirements.txt", ROOT / "deploy" / "requirements.txt")
    assert {requirement.name for requirement in asked} - set(LOCKED) == {"torch"}
    for requirement in asked:
        if requirement.name != "torch":
            assert LOCKED[requirement.name] in requirement.specifier, requirement


def test_the_lock_is_whole():
    """What a locked package needs is locked too, in a version that suits it; those of this version that are here say so."""
    here = {canonicalize_name(found.name): found for found in metadata.distributions()}
    same = [name for name in LOCKED if name in here and here[name].version == LOCKED[name]]
    assert same
    machine = {"sys_platform": "linux", "platform_system": "Linux", "python_version": "3.12"}
    for name in ("torch", *same):
        for requirement in map(Requirement, here[name].requires or ()):
            is_asked = not requirement.marker or requirement.marker.evaluate(
                machine | {"extra": ""}
            )
            if is_asked and not requirement.name.startswith(("nvidia-", "cuda-", "triton")):
                locked = LOCKED.get(canonicalize_name(requirement.name), "none")
                assert locked in requirement.specifier, f"{name} needs {requirement}"


def test_torch_is_the_version_that_is_asked_for_and_has_the_hashes_of_two_builds_for_two_machines():
    torch = next(r for r in wanted(ROOT / "requirements.txt") if r.name == "torch")
    first, *hashes = TORCH_LOCK.replace("\\\n", " ").split()
    assert first == str(torch)
    assert len(set(hashes)) == len(hashes) == 4


@pytest.mark.parametrize("lock", [LOCK, TORCH_LOCK], ids=["packages", "torch"])
def test_every_file_of_a_lock_has_a_hash_and_no_index_is_named(lock):
    for entry in lock.replace("\\\n", " ").splitlines():
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( +--hash=sha256:[0-9a-f]{64})+", entry), entry


def test_all_that_it_copies_reaches_the_builder():
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in ignored  # nothing else does: no secret, no history, no virtual environment
    sent = {line[1:] for line in ignored if line.startswith("!")}
    copied = {
        source
        for stage in (1, 2)
        for line in instructions("COPY", stage)
        if not line.startswith("--from")
        for source in line.split()[:-1]
    }
    assert copied == sent
    assert all((ROOT / source).exists() for source in copied)


def test_the_image_is_the_one_that_compose_builds():
    assert {s["image"] for s in COMPOSE["services"].values() if "build" in s} == {"lm-lab"}
