"""What a first and a second visit cost over a class's Wi-Fi: `python -m tests.benchmarks.wifi`.

Thirty phones at one access point have some 1.6 Mbit/s each. Chromium visits each page twice at each
emulated rate, with 50 ms of delay, as a visitor who has never been there and as one who comes back.
Printed are the seconds until the heading and the picture are seen, and the kilobytes by kind until the
picture and in all. Websocket messages are counted as the page reads them: where they are compressed,
fewer bytes come over the network.

``--phone``: the screen of a phone, a processor four times slower, no limit of the network: how long the
main thread was kept, beside an empty page of Streamlit. ``--class N``: so many first visits at once, and
the processor time that they cost the server.

The server is asked by a name that is no secure origin, as a laptop in a classroom is: browsers then take
gzip alone. ``--secure`` asks it as ``localhost``, which browsers trust like a site with a certificate:
they take brotli.
"""

import argparse
import asyncio
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from pages.shared.registry import PAGES
from tests.benchmarks.crowd import crowd
from tests.benchmarks.first_visit import Conditions, Visit, visit
from tests.browser.conftest import CHROMIUM, ROOT, serving

RATES = (0.8, 1.6, 10.0)
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
LAPTOP = {"viewport": {"width": 1280, "height": 720}}
SLOWER = 4.0
NAME = "lab.test"
EMPTY = "import streamlit as st\nst.title('Empty')\n"
_COLUMNS = ("scripts", "styles", "fonts", "websocket", "other")


@contextmanager
def _browser() -> Iterator[Browser]:
    flags = ["--no-sandbox", "--disable-gpu", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield browser
        browser.close()


def _time(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.1f}"


def _row(page: str, which: str, found: Visit) -> str:
    before, in_all = found.bytes_by_kind(found.picture), found.bytes_by_kind()
    kilobytes = [f"{before[kind] / 1e3:.0f} / {in_all[kind] / 1e3:.0f}" for kind in _COLUMNS]
    totals = f"{before.total() / 1e3:.0f} / {in_all.total() / 1e3:.0f}"
    times = [_time(found.heading), _time(found.picture)]
    return f"| {' | '.join([page or 'home', which, *times, totals, *kilobytes])} |"


def visits_at(browser: Browser, address: str, pages: list[str], rate: float) -> None:
    """Print the rows of one rate."""
    print(f"\n{rate:g} Mbit/s, kB until the picture / in all")
    print(f"| page | visit | heading s | picture s | all | {' | '.join(_COLUMNS)} |")
    print("|---|---|---|---|---|" + "---|" * len(_COLUMNS))
    for page in pages:
        context = browser.new_context(**LAPTOP)
        for which in ("first", "second"):
            found = visit(context, f"{address}/{page}", Conditions(kilobits=1000 * rate))
            print(_row(page, which, found), flush=True)
        context.close()


def phone_visits(browser: Browser, address: str, pages: list[str]) -> None:
    """Print what keeps the main thread of a phone, of the empty page first."""
    print(f"\nA phone, its processor {SLOWER:g} times slower")
    print("| page | heading s | picture s | longest task ms | blocked ms | tasks over 200 ms |")
    print("|---|---|---|---|---|---|")
    with TemporaryDirectory() as folder:
        (Path(folder) / "app.py").write_text(EMPTY, encoding="utf-8")
        with serving(Path(folder), Path(folder) / "server.log") as empty:
            _phone_row(browser, _as_named(empty), "an empty page of Streamlit")
    for page in pages:
        _phone_row(browser, f"{address}/{page}", page or "home")


def _phone_row(browser: Browser, address: str, name: str) -> None:
    context = browser.new_context(**PHONE)
    visit(context, address, Conditions())  # so that the server has loaded what the page needs
    context.close()
    context = browser.new_context(**PHONE)
    found = visit(context, address, Conditions(slower=SLOWER))
    context.close()
    long = ", ".join(
        f"{length:.0f} at {at / 1e3:.1f} s" for at, length in found.tasks if length > 200
    )
    times = f"{_time(found.heading)} | {_time(found.picture)}"
    print(
        f"| {name} | {times} | {found.longest_task():.0f} | {found.blocked():.0f} | {long or '-'} |",
        flush=True,
    )


def crowds(browser: Browser, address: str, pages: list[str], n: int) -> None:
    """Print what so many first visits at once cost the server."""
    print(f"\n{n} first visits at once")
    print("| page | files | MB sent | processor s | of it files | all have their page after s |")
    print("|---|---|---|---|---|---|")
    for page in pages:
        context = browser.new_context(**PHONE)
        paths = visit(context, f"{address}/{page}", Conditions()).paths
        context.close()
        with ThreadPoolExecutor(1) as thread:  # Playwright has an event loop in this one
            visiting = thread.submit(asyncio.run, crowd(address, page, paths, n))
            files, run = visiting.result()
        seconds = f"{files.processor + run.processor:.2f} | {files.processor:.2f}"
        sent = f"{len(paths)} | {files.received / 1e6:.1f}"
        print(
            f"| {page or 'home'} | {sent} | {seconds} | {files.clock + run.clock:.1f} |", flush=True
        )


def _as_named(address: str) -> str:
    return re.sub(r"127\.0\.0\.1|localhost", NAME, address)


def main() -> None:
    """Measure and print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", help="addresses; default: all")
    parser.add_argument("--rates", type=float, nargs="+", default=RATES, help="Mbit/s")
    parser.add_argument(
        "--phone", action="store_true", help="a slow processor, no limit of the network"
    )
    parser.add_argument("--class", type=int, dest="visitors", metavar="N", help="so many at once")
    parser.add_argument("--secure", action="store_true", help="as a site with a certificate")
    arguments = parser.parse_args()
    pages = [page.strip("/") for page in arguments.pages] or [spec.address for spec in PAGES]
    with TemporaryDirectory() as folder:
        os.environ["LM_LAB_HOME"] = folder  # the server's too: it inherits the environment
        with serving(ROOT, Path(folder) / "server.log") as address, _browser() as browser:
            named = (
                re.sub(r"127\.0\.0\.1", "localhost", address)
                if arguments.secure
                else _as_named(address)
            )
            if arguments.visitors:
                crowds(browser, address, pages, arguments.visitors)
            elif arguments.phone:
                phone_visits(browser, named, pages)
            else:
                for rate in arguments.rates:
                    visits_at(browser, named, pages, rate)


if __name__ == "__main__":
    main()
