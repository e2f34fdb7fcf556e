"""Asks the app in this container whether it answers; ends it when it has not for a minute.

Docker shows a container as unhealthy and leaves it so. Here the process is killed, whatever holds it,
and Docker's restart policy starts the container again.
"""

import os
import signal
import sys
import tempfile
import urllib.request
from pathlib import Path

URL = os.environ.get("LAB_HEALTH_URL", "http://127.0.0.1:8501/_stcore/health")
FAILURES = Path(
    os.environ.get("LAB_HEALTH_FAILURES", Path(tempfile.gettempdir()) / "health-failures")
)
MOST = 6
"""Failures one after another; the check is made every ten seconds."""


def children_of(parent: int) -> list[int]:
    """Return the processes that a process has started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if int(fields[1]) == parent:
            found.append(int(status.parent.name))
    return found


def main() -> int:
    """Return 0 if the app answers, 1 if not."""
    try:
        urllib.request.urlopen(URL, timeout=4).close()
    except OSError:
        n = len(FAILURES.read_bytes()) + 1 if FAILURES.exists() else 1
        FAILURES.write_bytes(b"x" * n)
        if n >= MOST:
            FAILURES.unlink()
            init = int(os.environ.get("LAB_INIT", "1"))
            for process in set(children_of(init)) - {os.getpid(), os.getppid()}:
                os.kill(process, signal.SIGKILL)
        return 1
    FAILURES.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
