"""One visit of a page in Chromium at an emulated rate: when what is seen, and what came over the network.

Chromium's own emulation holds back what the browser receives, websockets included; nothing else on the
machine is touched.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, CDPSession, Page

LATENCY_MS = 50
_PATIENCE_MS = 300_000
_AT_REST_MS = 1_500
_LOOKS = 8
"""So many times as long a slow processor may need for a picture of which all has come."""

WATCH = """
(() => {
  const seen = (window.labSeen = { tasks: [] })
  new PerformanceObserver(list => list.getEntries().forEach(({ startTime, duration }) =>
    seen.tasks.push([startTime, duration]))).observe({ type: "longtask", buffered: true })
  const isLarge = element => {
    const { width, height } = element.getBoundingClientRect()
    return width >= 100 && height >= 100
  }
  const look = () => {
    if (document.querySelector("[data-testid=stMain] h1")?.innerText) seen.heading ??= performance.now()
    const pictures = document.querySelectorAll(
      ".st-key-picture :is(svg.marks, canvas, .stBidiComponent, .js-plotly-plot)")
    const isPicture = element =>
      isLarge(element) && !element.closest("[class*=st-key-sentence_], [class*=playback_]")
    if ([...pictures].some(isPicture)) seen.picture ??= performance.now()
    if (!seen.heading || !seen.picture) setTimeout(look, 20)
  }
  look()
})()
"""
"""Notes when the heading and the first picture are there, and every task of more than 50 ms."""

_PLACE = ".st-key-picture"

KINDS = {"Script": "scripts", "Stylesheet": "styles", "Font": "fonts", "WebSocket": "websocket"}


@dataclass
class Visit:
    """What one visit has shown and cost.

    Attributes
    ----------
    heading, picture : float or None, seconds since the visitor asked for the page; None for what did not come
    arrived : list of (float, str, int)
        Second, kind and bytes of each answer, its headers included, and of each message.
    tasks : list of (float, float)
        Start and length, in milliseconds, of what has kept the page's main thread for more than 50 ms.
    paths : list of str, what was asked for, without the host
    """

    heading: float | None = None
    picture: float | None = None
    arrived: list[tuple[float, str, int]] = field(default_factory=list)
    tasks: list[tuple[float, float]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def bytes_by_kind(self, until: float | None = None) -> Counter[str]:
        """Return the bytes of each kind, of all or of what had come by a second."""
        totals: Counter[str] = Counter()
        for at, kind, n in self.arrived:
            if until is None or at <= until:
                totals[kind] += n
        return totals

    def longest_task(self) -> float:
        """Return the milliseconds of the longest task."""
        return max((length for _, length in self.tasks), default=0.0)

    def blocked(self) -> float:
        """Return the milliseconds of all long tasks."""
        return sum(length for _, length in self.tasks)


@dataclass
class Conditions:
    """What a visitor has: kilobits per second (0 for no limit), and how many times slower a processor."""

    kilobits: float = 0.0
    slower: float = 1.0

    def apply(self, session: CDPSession) -> None:
        """Let the browser of a session have it."""
        session.send("Network.enable")
        rate = self.kilobits * 1000 / 8 if self.kilobits else -1
        limits = {"latency": LATENCY_MS if self.kilobits else 0, "offline": False}
        session.send(
            "Network.emulateNetworkConditions",
            {**limits, "downloadThroughput": rate, "uploadThroughput": rate},
        )
        if self.slower > 1:
            session.send("Emulation.setCPUThrottlingRate", {"rate": self.slower})


class _Recorder:
    """Notes what comes over the network, by the browser's own account."""

    def __init__(self, session: CDPSession) -> None:
        self.visit = Visit()
        self._kinds: dict[str, str] = {}
        self._began: float | None = None
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.responseReceived", self._answered)
        session.on("Network.loadingFinished", self._finished)
        session.on("Network.webSocketFrameReceived", self._message)

    def _second(self, timestamp: float) -> float:
        return timestamp - (self._began or timestamp)

    def _asked(self, event: dict[str, Any]) -> None:
        self._began = self._began or event["timestamp"]
        self._kinds[event["requestId"]] = KINDS.get(event.get("type", ""), "other")

    def _answered(self, event: dict[str, Any]) -> None:
        self._kinds[event["requestId"]] = KINDS.get(event["type"], "other")
        address = urlsplit(event["response"]["url"])
        if address.scheme == "http":
            self.visit.paths.append(address.path)

    def _finished(self, event: dict[str, Any]) -> None:
        kind = self._kinds.get(event["requestId"], "other")
        n = int(event["encodedDataLength"])
        self.visit.arrived.append((self._second(event["timestamp"]), kind, n))

    def _message(self, event: dict[str, Any]) -> None:
        # Binary messages are told in base64, and as they were before they were compressed.
        n = len(event["response"]["payloadData"]) * 3 // 4
        self.visit.arrived.append((self._second(event["timestamp"]), "websocket", n))


def visit(context: BrowserContext, address: str, conditions: Conditions) -> Visit:
    """Open an address in a tab of its own, wait for its picture and for silence, and close the tab."""
    page = context.new_page()
    try:
        page.add_init_script(WATCH)
        session = context.new_cdp_session(page)
        conditions.apply(session)
        recorder = _Recorder(session)
        page.goto(address, wait_until="commit", timeout=_PATIENCE_MS)
        _wait_for_silence(page, recorder.visit)
        seen = page.evaluate("window.labSeen")
        for _ in range(_LOOKS if "picture" not in seen and page.query_selector(_PLACE) else 0):
            page.wait_for_timeout(_AT_REST_MS)
            seen = page.evaluate("window.labSeen")
            if "picture" in seen:
                break
    finally:
        page.close()
    found = recorder.visit
    found.heading, found.picture = (_seconds(seen.get(name)) for name in ("heading", "picture"))
    found.tasks = [(start, length) for start, length in seen["tasks"]]
    return found


def _seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1e3


def _wait_for_silence(page: Page, found: Visit) -> None:
    """Wait until the run is over and nothing has come for a while."""
    page.wait_for_selector(
        "[data-testid=stApp][data-test-script-state=notRunning] [data-testid=stMain] h1",
        state="attached",
        timeout=_PATIENCE_MS,
    )
    known = -1
    while len(found.arrived) > known:
        known = len(found.arrived)
        page.wait_for_timeout(_AT_REST_MS)
