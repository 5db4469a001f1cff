"""Programs elsewhere are told what happens: signed, tried again, never at the inside."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import BaseRequestHandler, ThreadingTCPServer

import pytest

from ratingbook.office import posting
from ratingbook.office.acts import asking, corrections, jobs, receive, webhooks
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store.ledger import Who
from ratingbook.site.views import hooks
from tests.office import reports
from tests.site.offices import TINA, run_to
from tests.site.people import signed_in

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


class Listener:
    """A program that is told, and answers as it is bidden."""

    def __init__(self) -> None:
        self.heard: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.heard.append((dict(self.headers), body))
                self.send_response(outer.answers.pop(0) if outer.answers else 204)
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                """Nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?a=1"

    def said(self) -> list[dict[str, object]]:
        return [json.loads(body) for _, body in self.heard]


@pytest.fixture
def listener() -> Iterator[Listener]:
    one = Listener()
    yield one
    one.server.shutdown()
    one.server.server_close()


@pytest.fixture
def inside(office):
    """The office may send to addresses of the inside."""
    path = office.folder / "office.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "webhooks": {"inside": True}}))
    return office


def test_what_happens_is_told_once_and_signed(inside, listener, tmp_path):
    _, secret = webhooks.add(inside, listener.url, webhooks.EVENTS, TINA)
    assert webhooks.work(inside) == 0
    path = reports.write(tmp_path, "x.json", reports.document("Fifth", "2026-03-30", {}))
    sent = receive.receive(inside, path, Who("dora"), receive.Options(pool="club"))
    assert sent.id is not None
    run_to(inside, date(2026, 4, 1))
    asked = corrections.ask(inside, [asking.game(sent.id, 1, "1-0")], "so it was", Who("dora"))
    assert jobs.work(once=True) >= 0
    told = {(x["event"], json.dumps(x["said"], sort_keys=True)) for x in listener.said()}
    assert ("correction.registered", f'{{"correction": {asked.id}}}') in told
    assert ("report.state", f'{{"report": {sent.id}, "state": "published"}}') in told
    lists = [x["said"] for x in listener.said() if x["event"] == "list.published"]
    assert [(x["pool"], x["revision"]) for x in lists] == [("club", 1)]
    headers, body = listener.heard[0]
    at, _, given = headers["Ratingbook-Signature"].partition(",v1=")
    at = at.removeprefix("t=")
    right = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    assert given == right
    assert abs(int(at) - datetime.now(UTC).timestamp()) < 60
    count = len(listener.heard)
    webhooks.work(inside)
    assert len(listener.heard) == count


def test_what_does_not_arrive_is_tried_again_and_given_up(inside, listener):
    webhooks.add(inside, listener.url, ["correction.registered"], TINA)
    corrections.ask(inside, [asking.game(1, 1, "0-1")], "so it was", Who("dora"))
    listener.answers = [500, 302, 404, 500, 500, 500, 200]
    now, attempts = NOW, []
    for _ in range(8):
        before = len(listener.heard)
        webhooks.work(inside, now)
        attempts.append(len(listener.heard) - before)
        webhooks.work(inside, now + timedelta(seconds=30))
        now += timedelta(days=1)
    assert attempts == [1, 1, 1, 1, 1, 1, 0, 0]
    one = webhooks.last()[0]
    assert (one.state, [what for _, what in one.log]) == (
        "failed", ["500", "302", "404", "500", "500", "500"]
    )  # fmt: skip
    webhooks.again(one.id, TINA)
    assert webhooks.work(inside, datetime.now(UTC)) == 1
    assert webhooks.last()[0].state == "sent"


@pytest.mark.parametrize("address", [
    "127.0.0.1", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "0.0.0.0", "::1",
    "fe80::1%eth0", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "224.0.0.1",
    "100.64.0.1", "::", "ff02::1",
])  # fmt: skip
def test_addresses_of_the_inside(address):
    assert not posting.is_outside(address)


def test_addresses_of_the_outside():
    assert posting.is_outside("93.184.215.14")
    assert posting.is_outside("2606:2800:220:1:248:1893:25c8:1946")


@pytest.mark.parametrize(
    "host",
    ["localhost", "hooks.localhost", "127.0.0.1", "[::1]", "10.0.0.7", "localhost.", "127.0.0.1.",
     "2130706433", "0x7f000001", "0x7f.1", "127.1", "0177.0.0.1", "0"],
)  # fmt: skip
def test_an_address_that_is_plainly_of_the_inside_is_not_taken(office, host):
    with pytest.raises(OfficeRefused, match="of the inside"):
        webhooks.add(office, f"https://{host}/x", ["report.state"], TINA)


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1"])
def test_nothing_goes_to_an_address_that_is_written_otherwise(host):
    with pytest.raises(posting.NotSent, match="of the inside"):
        posting.post(f"https://{host}/x", b"", {}, inside=False)


def test_nothing_goes_to_the_inside_unless_allowed(office, listener, monkeypatch):
    with pytest.raises(OfficeRefused, match="no address to send to"):
        webhooks.add(office, listener.url, ["report.state"], TINA)
    webhooks.add(office, "https://hooks.example.org/x", ["correction.registered"], TINA)
    corrections.ask(office, [asking.game(1, 1, "0-1")], "so it was", Who("dora"))
    port = listener.server.server_port
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    assert webhooks.work(office) == 0
    assert listener.heard == []
    assert "inside" in webhooks.log_of(webhooks.last()[0])[0][1]


def test_a_name_is_looked_up_once(listener, monkeypatch):
    """What it means a moment later leads nowhere."""
    port, asked = listener.server.server_port, []

    def found(host: str, *_: object, **__: object) -> list[object]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    real = socket.create_connection
    connected = []

    def connect(place: tuple[str, int], *args: object) -> socket.socket:
        connected.append(place)
        monkeypatch.undo()
        return real(place)

    monkeypatch.setattr(socket, "create_connection", connect)
    assert posting.post(f"http://name.example:{port}/", b"{}", {}, inside=True) == 204
    assert asked == ["name.example"]
    assert connected == [("127.0.0.1", port)]
    assert listener.heard[0][0]["Host"] == f"name.example:{port}"


def dripping(begins: bytes) -> Iterator[str]:
    """The address of a program that answers a byte now and then, for as long as one listens."""

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(OSError):
                self.request.sendall(begins)
                for _ in range(200):
                    self.request.sendall(b"a")
                    time.sleep(0.05)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.fixture(params=[b"HTTP/1.1 200 OK\r\nX-A: ", b"HTTP/1.1 200 OK\r\n\r\n", b""])
def dripper(request, monkeypatch) -> Iterator[str]:
    monkeypatch.setattr(posting, "PATIENCE", 0.5)
    yield from dripping(request.param)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_nobody_holds_a_delivery_longer_than_it_is_waited_for(dripper, scheme):
    begun = time.monotonic()
    with pytest.raises(posting.NotSent):
        posting.post(dripper.replace("http", scheme), b"{}", {}, inside=True)
    assert time.monotonic() - begun < 3


def test_nor_does_whoever_looks_its_name_up(monkeypatch):
    monkeypatch.setattr(posting, "PATIENCE", 0.2)
    done = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: done.wait(5) and [])
    begun = time.monotonic()
    with pytest.raises(posting.NotSent, match="seconds"):
        posting.post("https://slow.example.org/", b"{}", {}, inside=False)
    done.set()
    assert time.monotonic() - begun < 3


def test_those_who_hang_hold_a_round_no_longer_than_it_may_last(inside, monkeypatch):
    for _ in range(3):
        webhooks.add(inside, "http://127.0.0.1:9/x", ["correction.registered"], TINA)
    corrections.ask(inside, [asking.game(1, 1, "0-1")], "so it was", Who("dora"))
    now, signed = [100.0], []

    def hangs(_url: str, _body: bytes, headers: dict[str, str], *, inside: bool) -> int:
        signed.append(int(headers[webhooks.SIGNATURE].partition(",")[0].removeprefix("t=")))
        now[0] += posting.PATIENCE
        raise posting.NotSent("late")

    monkeypatch.setattr(webhooks, "monotonic", lambda: now[0])
    monkeypatch.setattr(webhooks, "post", hangs)
    monkeypatch.setattr(webhooks, "LONGEST", 15.0)
    at = int(NOW.timestamp())
    webhooks.work(inside, NOW)
    # Each is signed when it is sent; the third waits for the next round.
    assert signed == [at, at + 10]
    webhooks.work(inside, NOW)
    assert signed == [at, at + 10, at]


@pytest.mark.parametrize("url", [
    "ftp://example.org/", "https://", "https://a:b@example.org/", "https://example.org:99999/",
    "javascript:alert(1)", "https://example.org/\r\nX: y", "https://exämple.org/",
])  # fmt: skip
def test_what_is_no_address(office, url):
    with pytest.raises(OfficeRefused):
        webhooks.add(office, url, ["report.state"], TINA)


def test_administrators_register_them_on_the_site(office):
    browser = signed_in("tina")
    url = "https://hooks.example.org/a"
    page = browser.post("/desk/webhooks/", {"url": url, "events": ["list.published"]})
    secret = re.search(r'<span class="hash">([\w-]{40,})</span>', page.content.decode())
    assert secret is not None
    again = browser.get("/desk/webhooks/").content.decode()
    assert url in again
    assert secret.group(1) not in again
    assert browser.post("/desk/webhooks/", {"url": "x", "events": []}).status_code == 422
    number = webhooks.every()[0].id
    assert browser.post("/desk/webhooks/", {"remove": number}).status_code == 302
    assert webhooks.every() == []
    with pytest.raises(OfficeRefused):
        webhooks.add(office, url, ["list.published"], Who("olga"))


def test_neither_database_nor_backup_gives_secrets_away(inside, listener, tmp_path):
    from ratingbook.office.acts.backups import backup

    _, secret = webhooks.add(inside, listener.url, ["correction.registered"], TINA)
    backup(inside, tmp_path / "kept.tar", TINA)
    key = inside.folder / "webhooks.key"
    rows = [one.secret.encode() for one in webhooks.every()]
    for data in ((tmp_path / "kept.tar").read_bytes(), *rows):
        assert secret.encode() not in data
        assert key.read_bytes().strip() not in data
    assert key.stat().st_mode & 0o077 == 0
    key.unlink()
    corrections.ask(inside, [asking.game(1, 1, "0-1")], "so it was", Who("dora"))
    webhooks.work(inside)
    assert listener.heard == [], "nothing is signed by what nobody can verify"
    assert "register the address anew" in str(webhooks.last()[0].log)


def test_each_event_has_its_words():
    assert hooks.EVENTS.keys() == {*webhooks.EVENTS}
