"""Downloads against a small server on the loopback: retries, limits, cut lines, cancelling."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from lm_core.errors import CorpusUnavailableError
from lm_core.text import download as module
from lm_core.text.download import download

BODY = bytes(range(256)) * 1000  # four chunks


class Server:
    """Answers request number i with `answers[i]`, the last one for ever.

    An answer is (status, body, announced length), None for an announced length meaning "not said".
    """

    def __init__(self):
        self.answers = [(200, BODY, len(BODY))]
        self.requests = 0
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                status, body, announced = owner.answers[min(owner.requests, len(owner.answers) - 1)]
                owner.requests += 1
                self.send_response(status)
                if announced is not None:
                    self.send_header("Content-Length", str(announced))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/text"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(module, "_PAUSES_SECONDS", (0.0, 0.0))
    server = Server()
    yield server
    server.close()


def test_bytes_arrive_unchanged_in_one_request(server):
    assert download(server.address, len(BODY)) == BODY
    assert server.requests == 1


@pytest.mark.parametrize("announced", [len(BODY), None])
def test_progress_rises_to_the_end(server, announced):
    server.answers = [(200, BODY, announced)]
    seen = []
    download(server.address, len(BODY), lambda received, total: seen.append((received, total)))
    received = [count for count, _ in seen]
    assert len(received) > 1
    assert received == sorted(set(received))
    assert received[-1] == len(BODY)
    assert {total for _, total in seen} == {announced}


@pytest.mark.parametrize(
    "failure", [(503, b"", 0), (429, b"", 0), (200, BODY[:1000], len(BODY))], ids=str
)
def test_a_passing_failure_is_tried_again(server, failure):
    server.answers = [failure, failure, (200, BODY, len(BODY))]
    assert download(server.address, len(BODY)) == BODY
    assert server.requests == 3


def test_it_gives_up_after_three_attempts(server):
    server.answers = [(500, b"", 0)]
    with pytest.raises(CorpusUnavailableError, match=r"could not be downloaded: .*Internal"):
        download(server.address, len(BODY))
    assert server.requests == 3


def test_a_final_answer_is_not_tried_again(server):
    server.answers = [(404, b"", 0)]
    with pytest.raises(CorpusUnavailableError, match="Not Found"):
        download(server.address, len(BODY))
    assert server.requests == 1


def test_a_body_that_stays_cut_off_is_refused(server):
    server.answers = [(200, BODY[:-1], len(BODY))]
    with pytest.raises(CorpusUnavailableError, match="255999 bytes read, 1 more expected"):
        download(server.address, len(BODY))


@pytest.mark.parametrize("announced", [len(BODY), None])
def test_a_body_over_the_limit_is_refused(server, announced):
    server.answers = [(200, BODY, announced)]
    seen = []
    with pytest.raises(CorpusUnavailableError, match="at most 255,999 were expected"):
        download(server.address, len(BODY) - 1, lambda received, _: seen.append(received))
    assert max(seen, default=0) < len(BODY)
    assert server.requests == 1


def test_an_exception_in_progress_cancels_at_once(server):
    def cancel(received, total):
        raise InterruptedByVisitorError

    with pytest.raises(InterruptedByVisitorError):
        download(server.address, len(BODY), cancel)
    assert server.requests == 1


class InterruptedByVisitorError(Exception):
    """Stands for whatever a page raises to stop a download."""


def test_an_absent_server_is_named(server):
    server.close()
    with pytest.raises(CorpusUnavailableError, match=rf"{server.address} could not be downloaded"):
        download(server.address, len(BODY))
