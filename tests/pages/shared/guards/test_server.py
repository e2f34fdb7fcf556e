"""The lab's own server, as it is started for a school, and clients that mean no good."""

import asyncio
import http.client
import uuid

import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import ROOT, serving

NOTES_CONNECTIONS = """
import socket, sys
LOG = {log!r}
def note(event, arguments):
    with open(LOG, "a") as log:
        log.write(f"{{event}} {{arguments[1:]}}\\n")
def audit(event, arguments):
    if event == "socket.getaddrinfo" and arguments[0] not in ("localhost", "127.0.0.1", None, ""):
        note(event, (None, *arguments))
    if event == "socket.connect" and arguments[0].type & socket.SOCK_STREAM:
        if isinstance(arguments[1], tuple) and not str(arguments[1][0]).startswith("127."):
            note(event, arguments)
sys.addaudithook(audit)
"""
"""What a process is made to write down: every address that it looks up or connects to."""


@pytest.fixture(scope="module")
def outgoing(tmp_path_factory):
    return tmp_path_factory.mktemp("outgoing") / "connections.log"


@pytest.fixture(scope="module")
def server(outgoing, tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    hook = NOTES_CONNECTIONS.format(log=str(outgoing))
    (folder / "sitecustomize.py").write_text(hook, encoding="utf-8")
    environment = {
        "LM_LAB_HOME": str(folder / "home"),
        "PYTHONPATH": str(folder),
        "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1",
    }
    with serving(ROOT, folder / "server.log", **environment) as address:
        yield address.removeprefix("http://")


def connected(server, **settings):
    return websockets.connect(
        f"ws://{server}/_stcore/stream", subprotocols=["streamlit"], max_size=None, **settings
    )


async def asked(socket, kind, value=True):
    message = BackMsg()
    if kind == "rerun_script":
        message.rerun_script.page_name = value
    else:
        setattr(message, kind, value)
    await socket.send(message.SerializeToString())


async def run_page(socket, page="about"):
    """Run a page, and return the session that the server has given it."""
    await asked(socket, "rerun_script", page)
    session = ""
    while True:
        answer = ForwardMsg.FromString(await asyncio.wait_for(socket.recv(), 60))
        session = answer.new_session.initialize.session_id or session
        if answer.WhichOneof("type") == "script_finished":
            return session


def request(server, method, path, body=None, **headers):
    connection = http.client.HTTPConnection(server, timeout=60)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read(), dict(answer.getheaders())


def test_nothing_outside_is_asked_however_foreign_the_origin(server, outgoing):
    async def knock():
        for origin in ("http://evil.example", "https://1.2.3.4", "null", "http://localhost:1"):
            with pytest.raises(websockets.InvalidStatus):
                await connected(server, origin=origin)
        async with connected(server, origin=f"http://{server}") as socket:
            assert await run_page(socket)

    asyncio.run(knock())
    for path in ("/_stcore/health", "/_stcore/host-config", "/"):
        assert request(server, "GET", path, Origin="http://evil.example")[0] == 200
    assert not outgoing.exists(), outgoing.read_text()


def held_by_uploads(server):
    _, body, _ = request(server, "GET", "/_stcore/metrics")
    lines = [line for line in body.decode().splitlines() if "UploadedFileManager" in line]
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines)


def put(server, session, content):
    _, _, headers = request(server, "GET", "/_stcore/health")
    token = headers["set-cookie"].split("=", 1)[1].split(";")[0].strip('"')
    border = uuid.uuid4().hex
    body = (
        f'--{border}\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n'
        "Content-Type: text/plain\r\n\r\n"
    ).encode() + content
    body += f"\r\n--{border}--\r\n".encode()
    return request(
        server,
        "PUT",
        f"/_stcore/upload_file/{session}/{uuid.uuid4()}",
        body,
        **{
            "Content-Type": f"multipart/form-data; boundary={border}",
            "X-Xsrftoken": token,
            "Cookie": headers["set-cookie"].split(";")[0],
        },
    )[0]


def test_a_page_holds_twenty_megabytes_and_a_closed_one_none(server):
    async def fill():
        async with connected(server) as socket:
            session = await run_page(socket)
            content = bytes(9_800_000)
            statuses = [await asyncio.to_thread(put, server, session, content) for _ in range(4)]
            assert statuses == [204, 204, 413, 413]
            assert held_by_uploads(server) == 2 * len(content)

    asyncio.run(fill())
    for _ in range(120):  # no other page is opened or closed meanwhile
        if held_by_uploads(server) == 0:
            return
        asyncio.run(asyncio.sleep(0.5))
    pytest.fail("the files of a closed page are kept")


def test_a_message_that_harms_all_is_not_heard(server):
    async def ask():
        async with connected(server) as socket:
            await run_page(socket)
            await asked(socket, "clear_cache")
            await asked(socket, "load_git_info")
            await asked(socket, "rerun_script", "about")
            kinds = set()
            while "script_finished" not in kinds:
                answer = ForwardMsg.FromString(await asyncio.wait_for(socket.recv(), 60))
                kinds.add(answer.WhichOneof("type"))
            assert "git_info_changed" not in kinds

    asyncio.run(ask())


def test_every_answer_says_what_a_browser_must_refuse(server):
    for path in ("/", "/clustering", "/_stcore/health", "/static/index.html"):
        headers = request(server, "GET", path)[2]
        assert "frame-ancestors 'self'" in headers["content-security-policy"]
        assert "unsafe-eval" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "strict-transport-security" not in headers  # this is plain HTTP
