"""What one visitor can cost the others: `python -m tests.benchmarks.attack` (Linux, loopback alone).

A fresh server is started. A client that means no good sends it the dearest requests there are, one after
another, while a bystander asks ten times a second whether the server is alive. Printed are the processor
time of the server for each request, that of the processes that read what strangers bring, and the
longest that the bystander waited. What a busy machine adds is in the last column alone.
"""

import asyncio
import http.client
import json
import os
import random
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.benchmarks.processor_time import ProcessorTime, _process_with
from tests.benchmarks.visitor import Visitor, connect
from tests.benchmarks.visitors import resident_megabytes
from tests.browser.conftest import ROOT, serving

OWN_TABLE = "clustering?data=your+own+table&clusters=10&initialisation=random+points"
TICKS = 12
LONGEST_S = 90.0


@dataclass
class Attacker(Visitor):
    """A client that presses any button of a page, and hands any file to any of its fields.

    Attributes
    ----------
    elements : dict of str to pair of str, id and fragment of what the server has drawn, by key
    session : str
    """

    elements: dict[str, tuple[str, str]] = field(default_factory=dict)
    session: str = ""

    def _note(self, answer: ForwardMsg) -> None:
        super()._note(answer)
        self.session = answer.new_session.initialize.session_id or self.session
        element = answer.delta.new_element
        if (kind := element.WhichOneof("type")) and (
            name := getattr(getattr(element, kind), "id", "")
        ):
            self.elements[name.split("-", 2)[-1]] = (name, answer.delta.fragment_id)

    async def press(self, key: str, **texts: str) -> float:
        """Press a button, with what stands in text fields of these keys."""
        message = self._asking(key)
        message.rerun_script.widget_states.widgets.add(
            id=self.elements[key][0]
        ).trigger_value = True
        for name, text in texts.items():
            state = message.rerun_script.widget_states.widgets.add(id=self.elements[name][0])
            state.string_value = text
        return await self._run(message)

    async def look(self, key: str) -> float:
        """Run the fragment again in which something lies, as a page's timer does."""
        return await self._run(self._asking(key))

    async def hand_in(self, key: str, address: str, content: bytes) -> float:
        """Upload a file into a field."""
        file = str(uuid.uuid4())
        status = await asyncio.to_thread(put, address, self.session, file, content)
        if status != 204:
            raise ConnectionRefusedError(f"the upload was answered by {status}")
        message = self._asking(key)
        state = message.rerun_script.widget_states.widgets.add(id=self.elements[key][0])
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.name, info.size, info.file_id = "file.json", len(content), file
        info.file_urls.file_id = file
        message.rerun_script.fragment_id = ""  # the whole page, as after a reload
        return await self._run(message)

    async def _run(self, message: BackMsg) -> float:
        try:
            async with asyncio.timeout(LONGEST_S):
                return await super()._run(message)
        except TimeoutError:
            raise ConnectionRefusedError(f"no answer in {LONGEST_S:g} s") from None

    def _asking(self, key: str) -> BackMsg:
        message = self._message()
        message.rerun_script.fragment_id = self.elements[key][1]
        return message


def put(address: str, session: str, file: str, content: bytes) -> int:
    """Upload a file as a browser does, and return the status of the answer."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
    connection.request("GET", "/_stcore/health")
    answer = connection.getresponse()
    answer.read()
    cookie = answer.headers["set-cookie"].split(";")[0]
    border = uuid.uuid4().hex
    head = f'--{border}\r\nContent-Disposition: form-data; name="f"; filename="f.json"\r\n\r\n'
    headers = {"Cookie": cookie, "X-Xsrftoken": cookie.split("=", 1)[1].strip('"')}
    headers["Content-Type"] = f"multipart/form-data; boundary={border}"
    body = head.encode() + content + f"\r\n--{border}--\r\n".encode()
    connection.request("PUT", f"/_stcore/upload_file/{session}/{file}", body, headers)
    return connection.getresponse().status


@asynccontextmanager
async def attacking(address: str, page: str) -> AsyncIterator[Attacker]:
    """Open a page, and leave it when the block is over."""
    async with connect(address) as socket:
        attacker = Attacker(socket, page)
        await attacker.open_page()
        yield attacker


# Files ----------------------------------------------------------------------------------------


def word_piece(prefix: int) -> bytes:
    """Return a WordPiece whose work grows with the prefix and the square of a word's length."""
    mark = "#" * prefix
    model = {
        "type": "WordPiece",
        "unk_token": "[U]",
        "continuing_subword_prefix": mark,
        "max_input_chars_per_word": 1_000,
        "vocab": {"[U]": 0, "a": 1, f"{mark}a": 2},
    }
    return json.dumps({"model": model, "pre_tokenizer": {"type": "Whitespace"}}).encode()


def byte_pairs(prefix: int) -> bytes:
    """Return a BPE that copies a prefix for each letter."""
    vocabulary = {"a": 0, "#" * prefix + "a": 1}
    model = {"type": "BPE", "vocab": vocabulary, "merges": []}
    return json.dumps({"model": model | {"continuing_subword_prefix": "#" * prefix}}).encode()


def unigram(longest: int) -> bytes:
    """Return a Unigram whose entries are a, aa, aaa and so on."""
    pieces = [["[U]", 0.0], *(["a" * n, -float(n)] for n in range(1, longest + 1))]
    return json.dumps({"model": {"type": "Unigram", "unk_id": 0, "vocab": pieces}}).encode()


def table(rows: int, columns: int) -> str:
    """Return random numbers, a line for each point."""
    chance = random.Random(0)
    return "\n".join(
        ",".join(f"{chance.gauss(0, 1):.4f}" for _ in range(columns)) for _ in range(rows)
    )


# Measuring ------------------------------------------------------------------------------------


class Watched:
    """A server, and a bystander who asks it ten times a second whether it is alive."""

    def __init__(self, address: str) -> None:
        self.address, self._port = address, address.rsplit(":", 1)[1]
        self._time, self._server = ProcessorTime(address), _process_with(self._port.encode())

    async def row(self, name: str, request: Callable[[], Awaitable[object]]) -> None:
        """Make a request and print what it cost."""
        longest = [0.0]
        bystander = asyncio.create_task(self._ask(longest))
        children, memory = self._children_s(), resident_megabytes(self._port)
        before: float = time.clock_gettime(self._time._clock)
        said: object = ""
        try:
            said = await request()
        except (ConnectionRefusedError, KeyError, websockets.WebSocketException) as error:
            said = f"refused: {error!r:.60}"
        spent = time.clock_gettime(self._time._clock) - before
        apart = self._children_s() - children
        bystander.cancel()
        grown = resident_megabytes(self._port) - memory
        print(
            f"| {name} | {spent:.2f} | {max(0.0, apart):.2f} | {grown:+.0f} | {longest[0]:.2f} |"
            f" {said if isinstance(said, str) else ''} |",
            flush=True,
        )

    async def _ask(self, longest: list[float]) -> None:
        while True:
            started = time.perf_counter()
            with suppress(OSError, http.client.HTTPException):
                await asyncio.to_thread(self._alive)
            longest[0] = max(longest[0], time.perf_counter() - started)
            await asyncio.sleep(0.1)

    def _alive(self) -> None:
        connection = http.client.HTTPConnection(f"127.0.0.1:{self._port}", timeout=120)
        connection.request("GET", "/_stcore/health")
        connection.getresponse().read()
        connection.close()

    def _children_s(self) -> float:
        """Return the processor seconds of the server's children, those that have ended included."""
        ticks = 0
        for status in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError, IndexError):
                fields = status.read_text().rsplit(")", 1)[1].split()
                if int(status.parent.name) == self._server:
                    ticks += int(fields[13]) + int(fields[14])  # of children that were waited for
                elif int(fields[1]) == self._server:
                    ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


async def attack(watched: Watched) -> None:
    """Make all requests, one after another."""
    address = watched.address
    print("| request | server, CPU s | apart, CPU s | memory, MB | bystander's longest, s | |")
    print("|---|---|---|---|---|---|")
    await watched.row("nothing, for three seconds", lambda: asyncio.sleep(3))
    for name, content in (
        ("tokenizer: WordPiece, prefix of 40,000", word_piece(40_000)),
        ("tokenizer: WordPiece, prefix of 16, five words of 999", word_piece(16)),
        ("tokenizer: BPE, prefix of 1,000,000", byte_pairs(1_000_000)),
        ("tokenizer: Unigram, entries up to 2,499", unigram(2_499)),
        ("tokenizer: Unigram, entries up to 256", unigram(256)),
    ):
        async with attacking(address, "tokenization?text=" + "+".join(["a" * 999] * 5)) as one:
            await watched.row(name, partial(one.hand_in, "own_tokenizer_file", address, content))
            await watched.row("... its page once more", one.open_page)
    for page, button in (
        (OWN_TABLE, "ask_restarts"),
        ("number-of-clusters?data=your+own+table", "choosing_more"),
    ):
        async with attacking(address, page) as one:
            await one.press("own_table_use", own_table_text=table(2_000, 40))
            await watched.row(
                f"{page.split('?')[0]}: own table of 2,000 x 40", partial(one.press, button)
            )
    async with attacking(address, "clustering?points=2000&clusters=10") as one:
        await watched.row(
            "clustering: restarts, 2,000 points, K = 10", lambda: one.press("ask_restarts")
        )
    async with attacking(address, "attention-cost") as one:
        await watched.row("attention-cost: Measure", lambda: one.press("cost_measure"))
        for tick in range(1, TICKS + 1):
            if "cost_cancel" in one.elements:
                await watched.row(f"... tick {tick}", lambda: one.look("cost_cancel"))
    for page, button in (("word2vec", "vectors_train"), ("war-and-peace", "writing_start")):
        async with attacking(address, page) as one:
            await watched.row(f"{page}: {button}", partial(one.press, button))
    await watched.row("12 handshakes of a foreign origin", lambda: knock(address))
    async with attacking(address, "about") as one:
        await watched.row("60 uploads of 4.9 MB", lambda: fill(one, address))
        await watched.row("20 x clear_cache", lambda: clear(one))
    async with attacking(address, "about") as one:
        await watched.row("a value of 100,000 lists in lists", lambda: nest(one))


async def knock(address: str) -> str:
    """Open connections as a foreign page would."""
    refused = 0
    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    for _ in range(12):
        try:
            await websockets.connect(stream, origin=websockets.Origin("http://evil.example"))
        except websockets.InvalidStatus:
            refused += 1
    return f"{refused} of 12 refused"


async def fill(one: Attacker, address: str) -> str:
    """Upload what no page has asked for."""
    content, taken = bytes(4_900_000), 0
    for _ in range(60):
        status = await asyncio.to_thread(put, address, one.session, str(uuid.uuid4()), content)
        taken += status == 204
    return f"{taken} of 60 taken"


async def clear(one: Attacker) -> None:
    """Ask for everybody's caches to be emptied, then for a page."""
    for _ in range(20):
        await one.socket.send(BackMsg(clear_cache=True).SerializeToString())
    await one.open_page()


async def nest(one: Attacker) -> None:
    """Send what Python cannot read, then ask for a page."""
    message = one._message()
    deep = "[" * 100_000 + "]" * 100_000
    message.rerun_script.widget_states.widgets.add(id="x").json_value = deep
    await one.socket.send(message.SerializeToString())
    await one.open_page()


def main() -> None:
    """Start a server, attack it, and print a row for each request."""
    with TemporaryDirectory() as folder:
        os.environ["LM_LAB_HOME"] = folder  # the server's too: it inherits the environment
        with serving(ROOT, Path(folder) / "server.log") as address:
            asyncio.run(attack(Watched(address)))


if __name__ == "__main__":
    main()
