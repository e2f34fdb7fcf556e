"""A real server and a real browser; without Chromium the tests are skipped, and say so."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = Path(__file__).parent / "screenshots"
# The first is Chromium without a window's frame, which the others draw around every new tab.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--js-flags=--no-turbofan --no-maglev",  # no tab lives so long that it pays to optimise its code
]
RUN_IS_OVER = "[data-testid=stApp][data-test-script-state=notRunning]"
FITS = "main => main.scrollWidth <= main.clientWidth"  # whether nothing is wider than the screen

TRIAL = """
PAGES = (
    *PAGES,
    PageSpec("Trial", "trial", "Does it work?", "", ":material/science:", "x"),
)
"""


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None:
                item.add_marker(
                    pytest.mark.skip(reason="no Chromium here: `make browser` installs it")
                )


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def over_network(address):
    """Return an address of this machine as the others of its network have it, where browsers trust it less."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent
        except OSError:
            pytest.skip("this machine has no network")
        return address.replace("127.0.0.1", probe.getsockname()[0])


@contextmanager
def serving(folder, log, script="app.py", **environment):
    """Serve a lab as Community Cloud does, and yield its address; nobody has visited it yet."""
    address = f"http://127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless", "true"]
    with log.open("w") as output:
        process = subprocess.Popen(
            [*command, "--server.port", address.rsplit(":", 1)[1]],
            cwd=folder,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | environment,
        )
        try:
            wait_until_healthy(address, process, log)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=600)  # as long as it may take to start


def wait_until_healthy(address, process, log):
    deadline = time.monotonic() + 600  # it may share the machine with a whole class
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=2)
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"the server did not start:\n{log.read_text()}")


@pytest.fixture(scope="session")
def trial_lab(tmp_path_factory):
    """A copy of the lab with one page more, which uses every shared helper."""
    folder = tmp_path_factory.mktemp("trial")
    for name in ("app.py", ".streamlit", "pages"):
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    for name in ("lm_core", "assets"):
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    (folder / "pages" / "trial").mkdir()
    shutil.copy(ROOT / "tests" / "pages" / "trial.py", folder / "pages" / "trial" / "page.py")
    with (folder / "pages" / "shared" / "registry.py").open("a", encoding="utf-8") as registry:
        registry.write(TRIAL)
    return folder


@pytest.fixture(scope="session")
def server_log(tmp_path_factory):
    """The file into which the lab's server writes."""
    return tmp_path_factory.mktemp("lab") / "server.log"


@pytest.fixture(scope="session")
def lab(server_log):
    """The address of the lab itself, with trainings of its own; of one that runs, ``LM_LAB_AT``."""
    if running := os.environ.get("LM_LAB_AT"):
        yield running
        return
    folder = server_log.parent
    environment = {"LM_LAB_HOME": str(folder / "home"), "LM_LAB_DEVICE": "cpu"}
    environment["LM_LAB_WORKER_NICENESS"] = "0"  # nobody is to wait for what runs beside the tests
    with serving(ROOT, server_log, **environment) as address:
        yield address


@pytest.fixture(scope="session")
def trial(trial_lab, tmp_path_factory):
    """The address of the trial page."""
    with serving(trial_lab, tmp_path_factory.mktemp("log") / "server.log") as address:
        yield f"{address}/trial"


@pytest.fixture(scope="session")
def chromium():
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)  # nothing is proved by an answer that a busy machine delays
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call":
        item.failed_in_call = report.failed
    return report


@pytest.fixture(scope="session")
def tabs(chromium):
    """Tabs by settings, each a visitor's own; a kept tab need not compile the app's scripts again."""
    kept = {}

    def tab_of(visitor, **settings):
        key = (visitor, *sorted(settings.items()))
        if key not in kept:
            # Playwright's `wait_for_function` is an eval; `test_policy` walks with the policy in force.
            kept[key] = chromium.new_context(bypass_csp=True, **settings).new_page()
            kept[key].set_default_timeout(90_000)
        return kept[key]

    return tab_of


@pytest.fixture
def visit(tabs, request):
    """Open an address as a new visitor; what a failed test saw last is photographed."""
    pages = []

    def opened(address, *, width=1280, height=720, scheme="light", **settings):
        page = tabs(len(pages), **settings)
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce", forced_colors="none")
        go(page, address)
        return page

    yield opened
    name = re.sub(r"[^A-Za-z0-9-]+", "-", request.node.name).strip("-")
    for i, page in enumerate(pages):
        if getattr(request.node, "failed_in_call", False) or os.environ.get("LM_LAB_SCREENSHOTS"):
            SCREENSHOTS.mkdir(exist_ok=True)
            page.screenshot(path=SCREENSHOTS / f"{name}-{i}.png")
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.context.clear_cookies()
        page.mouse.move(0, 0)
        page.goto("about:blank")


def go(page, address):
    """Load an address, and wait until it is drawn: the server takes it for another visit."""
    page.goto(address)
    settle(page)


def settle(page):
    """Wait until the run is over and nothing is a grey placeholder any more."""
    page.wait_for_selector("[data-testid=stMain] h1")
    page.wait_for_selector(RUN_IS_OVER)
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")


def press_at_rest(button):
    """Press a button that stays where it is: a chart that is drawn for the first time moves what is below it."""
    button.evaluate(
        """async button => {
            let since = performance.now(), before
            while (performance.now() - since < 300) {
                const top = button.getBoundingClientRect().top
                if (top !== before) [since, before] = [performance.now(), top]
                await new Promise(requestAnimationFrame)
            }
        }"""
    )
    button.click()


def show_answers(page):
    """Show each masked answer of a page without a guess, and yield whenever one is drawn."""
    from playwright.sync_api import TimeoutError as BrowserTimeout

    skips = page.get_by_role("button", name="Show without a guess")
    for _ in range(9):
        settle(page)
        if not skips.count():
            return
        try:
            skips.first.click(timeout=10_000)
        except BrowserTimeout:
            continue  # what was touched before arrives late on a busy machine, and took the question away
        settle(page)
        yield
    raise AssertionError(f"{page.url}: the questions never end")


def wait_until(page, holds):
    """Wait for what a busy machine shows a little later, ten seconds at most."""
    for _ in range(100):
        if holds():
            return
        page.wait_for_timeout(100)
    assert holds()


def type_in(page, label, value):
    """Write into a text field and send it; a field drawn anew meanwhile would lose what was typed."""
    settle(page)
    field = page.get_by_label(label)
    field.fill(value)
    field.press("Enter")
