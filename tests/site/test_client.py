"""The client, against the site itself, and the commands that use it, against a server."""

from __future__ import annotations

import io
import json
import re
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, cast
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from typer.testing import CliRunner

pytest.importorskip("httpx")
pytest.importorskip("django")

import httpx
from django.core.handlers.wsgi import WSGIHandler

from ratingbook.cli.app import app
from ratingbook.cli.office.remote import _of_then
from ratingbook.client import BadSignature, BadToken, Client, Problem, verified
from ratingbook.client.said.players import Then
from ratingbook.model import BadArgument
from ratingbook.office.acts import setup, webhooks
from ratingbook.office.home import Home
from ratingbook.site.opening import open_site
from tests.office import reports
from tests.site.people import token_of


@pytest.fixture
def client(world) -> Iterator[Client]:
    setup.open_office(world.folder)
    transport = httpx.WSGITransport(app=WSGIHandler())
    with Client("http://localhost", transport=transport) as one:
        yield one


def test_what_is_published_has_types(client):
    assert [each.name for each in client.pools()] == ["standard", "go"]
    newest = client.lists()[0]
    assert (newest.pool, newest.day) == ("standard", date(2026, 4, 1))
    head = client.list_of("standard", newest.day)
    rows = list(client.rows("standard", newest.day))
    assert (head.players, len(rows)) == (7, 7)
    assert rows[0].place == 1
    assert [each.name for each in client.rows("standard", newest.day, name="alpha")] == [
        "Alpha, Anna"
    ]
    assert client.status().is_well in (True, False)


def test_every_change_has_its_explanation(client):
    (found,) = [each for each in client.search("alpha anna") if each.name == "Alpha, Anna"]
    player = client.player(found.id)
    results = list(client.results(found.id))
    assert len(results) == 3
    for each in results:
        why = client.explain(found.id, each.pool, each.key)
        assert (why.before, why.after) == (each.before, each.after)
        assert why.paragraphs
        assert why.text
    assert {each.pool for each in player.pools} == {"standard", "go"}
    of_standard = next(each for each in results if each.pool == "standard")
    listed = client.list_of("standard", "2026-04-01").number
    asked = found.id, "standard", of_standard.key
    assert client.explain(*asked, listed=listed) == client.explain(*asked)
    with pytest.raises(Problem, match="no list"):
        client.explain(*asked, listed=999_999)


def test_lists_have_what_moved_and_their_files(client):
    assert {each.name for each in client.changes("standard", "2026-04-01")} >= {"Zeta, Željko"}
    assert list(client.changes("standard", "2026-04-01", kind="left")) == []
    files = client.files("standard", "2026-04-01")
    assert {each.form for each in files.files} >= {"csv", "json"}
    newest = {each.pool: each.day for each in client.downloads().pools}
    assert newest["standard"] == files.day


def test_events_and_corrections_have_types(client):
    (line,) = list(client.events(pool="go"))
    one = client.event(line.report)
    assert (one.name, one.start) == (line.name, line.start)
    (number, _), *_ = one.sections
    lines = list(client.section(line.report, number))
    assert len(lines) == line.players
    assert any(cell.opponent for each in lines for cells in each.cells for cell in cells)
    *_, first = client.corrections()
    correction = client.correction(first.number)
    assert (correction.entry, bool(correction.games)) == (first, True)
    movers = list(client.correction_players(first.number))
    assert tuple(movers)[: len(correction.movers)] == correction.movers
    assert any(each.largest for each in movers)


def test_what_becomes_of_a_rating_is_asked(client):
    one = client.whatif(["1500=1", "1800=?"], "fide-2024", rating=1700, games=40, target=1710)
    assert (one.edition, one.answer.open, one.answer.target) == ("fide-2024", 1, 1710)
    of_office = client.whatif("1500=1", player=2).answer
    assert of_office.change == of_office.after - of_office.before
    stones = [client.whatif(f"{x}=1", "egf-2021", rating=1700, own={"grade": "4k"}).answer.change
              for x in ("1700", "1700/give2", "1700/take2")]  # fmt: skip
    assert len({*stones}) == 3
    with pytest.raises(Problem, match=r"There is 1, 0\.5, 0, \?") as found:
        client.whatif(["1500=won"], "fide-2024", rating=1700, games=40)
    assert (found.value.status, found.value.findings[0].code) == (422, "site.unknown-value")
    half, word = (client.whatif([f"1500={x}"], "fide-2024", rating=1700) for x in ("½", "draw"))
    assert half == word
    assert half.answer.score == 0.5
    with pytest.raises(BadArgument, match="own is "):
        client.whatif(["1500=1"], "fide-2024", own=["grade=3k"])
    with pytest.raises(BadArgument, match="OPPONENT=SCORE"):
        client.whatif(["1500"], "fide-2024")
    assert client.expected("fide-2024", 1700, 1500).expected == 0.76


def test_rule_books_and_figures_have_types(client):
    families = {each.name: each for each in client.rulebooks()}
    assert families["fide"].is_series
    book, series = client.rulebook("fide-2024"), client.rulebook("fide")
    assert (book.edition.name, series.name) == ("fide-2024", "fide")
    assert tuple(client.paragraphs("fide-2024")) == book.paragraphs
    assert tuple(client.parameters("fide-2024")) == book.parameters
    assert client.example("fide-2024", 1).players[0].steps
    assert client.statistics("standard").players == 7
    assert client.history(1).rows


def test_a_refusal_is_a_problem(client):
    with pytest.raises(Problem) as refused:
        client.player(987654)
    assert (refused.value.status, refused.value.findings[0].code) == (404, "office.no-person")
    with pytest.raises(Problem, match="token"):
        list(client.reports())


def answering(*answers):
    turns = list(answers)
    return httpx.MockTransport(lambda request: turns.pop(0))


def test_who_asks_too_often_waits_as_long_as_told():
    waited = list[float]()
    often = httpx.Response(429, headers={"Retry-After": "7"})
    transport = answering(often, httpx.Response(200, json=[]))
    with Client("http://x", transport=transport, sleep=waited.append) as client:
        assert client.pools() == []
    assert waited == [7.0]


@pytest.mark.parametrize("answer", [
    httpx.Response(502, text="<html>"), httpx.Response(500, json=[1]),
    httpx.Response(404, json={"title": 1}),
])  # fmt: skip
def test_a_server_that_is_none_of_ours_is_told_plainly(answer):
    with Client("http://x", transport=answering(answer)) as client, pytest.raises(Problem) as found:
        client.pools()
    assert found.value.status == answer.status_code


STRANGE = {
    "list": '[{"number": "1"}]', "parts": '{"pools": [1], "items": [1]}', "page": "<html>",
    "number": "1", "text": '"none"',
}  # fmt: skip


@pytest.mark.parametrize(
    "ask", ["pools", "lists", "rulebooks", "events", "downloads", "rulebook fide", "search x"]
)
@pytest.mark.parametrize("answer", STRANGE)
def test_an_answer_of_another_shape_is_told_plainly(ask, answer):
    name, *words = ask.split()
    transport = answering(httpx.Response(200, text=STRANGE[answer]))
    with Client("http://x", transport=transport) as one, pytest.raises(Problem) as found:
        list(getattr(one, name)(*words))
    assert (found.value.status, "answers otherwise" in str(found.value)) == (200, True)


@pytest.mark.parametrize("url", [
    "nonsense", "ftp://x", "http://", "http://[::1", "http://x\x00", "http://x:99999999999", None,
    7,
])  # fmt: skip
def test_what_is_no_address_is_told_with_one_that_is(url):
    with pytest.raises(BadArgument, match="no address of a server, as https://"):
        Client(url)


def test_a_name_that_no_server_can_have_is_not_reached():
    with Client(f"http://{'a' * 300}") as office, pytest.raises(Problem, match="cannot be reached"):
        office.pools()


def test_a_token_is_not_sent_where_others_read_it():
    with pytest.raises(BadArgument, match="https"):
        Client("http://ratings.example.org", "rb_x")
    Client("http://127.0.0.1:8000", "rb_x").close()
    Client("https://ratings.example.org", "rb_x").close()


@pytest.mark.parametrize(
    "path", ["/../../desk/", "/pools/../../../desk/", "/%2e%2e/%2E%2E/desk/", "/..\\..\\desk/",
             "/./pools", "//elsewhere.example.org/", "pools", "/pools/..?x=1"],
)  # fmt: skip
def test_the_client_leads_to_no_path_but_those_of_the_api(path):
    """Whatever the token could be read by there."""
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json=[])

    with Client("http://localhost", "word", transport=httpx.MockTransport(answer)) as office:
        with pytest.raises(BadArgument, match="is no path of the API"):
            office.json(path)
        assert office.json("/whatif?name=../x") == []
    assert [each.url.path for each in asked] == ["/api/v1/whatif"]


def test_a_change_as_large_by_now_is_told_with_its_ends():
    then = Then(4, date(2026, 5, 1), 1, 1583.0, 1613.0, 30.0, True)
    assert _of_then(then, 30.0).endswith(" By now it is from 1583 to 1613.")
    assert _of_then(then, 29.0).endswith(" By now it is +30.")


def test_a_delivery_is_verified_as_bytes_alone():
    with pytest.raises(BadArgument, match="a body is the bytes as they came"):
        verified("secret", "t=1,v1=" + "0" * 64, cast("bytes", "{}"))


@pytest.mark.parametrize("token", ["Zürich", "rb_one\nrb_two", "rb_one rb_two", "rb_\x07"])
def test_what_can_be_no_token_is_refused_and_never_told(token, tmp_path):
    with pytest.raises(BadToken) as found:
        Client("https://ratings.example.org", token)
    file = tmp_path / "token"
    file.write_text(token, "utf-8")
    code, text = asked("https://ratings.example.org", "--token-file", str(file), "reports")
    assert (code, "The token cannot be sent" in text, "--token-file" in text) == (1, True, True)
    for word in token.split():
        assert word not in f"{found.value}{text.replace('ratingbook', '')}", text


def test_the_mark_of_an_editor_is_no_part_of_a_token(served, tmp_path):
    token = tmp_path / "token"
    token.write_text("\ufeff" + token_of("dora", "report") + "\r\n", "utf-8")
    code, text = asked(served, "--token-file", str(token), "reports")
    assert code == 0, text


@pytest.mark.parametrize(
    ("there", "told"),
    [
        ("https://b.example/api/v1/pools", "https://b.example"),
        ("https://b.example/club/api/v1/pools", "https://b.example/club"),
        ("/sign-in?next=pools", "http://x/sign-in?next=pools"),
    ],
)
def test_where_a_server_sends_on_to_is_told_and_nothing_is_sent_there(there, told):
    transport = answering(httpx.Response(301, headers={"Location": there}))
    with Client("http://x", transport=transport) as client, pytest.raises(Problem) as found:
        client.pools()
    (finding,) = found.value.findings
    assert (found.value.status, finding.message) == (
        301, f"The server answers 301: it sends on to {told}.",
    )  # fmt: skip
    assert finding.remedy


@pytest.mark.parametrize("header", [None, "", "t=1", b"t=1,v1=00"])
def test_a_delivery_without_a_signature_is_told_as_any_other_that_is_none(header):
    with pytest.raises(BadSignature, match="no signature"):
        verified("secret", header, b"{}")


def test_deliveries_are_verified():
    body = b'{"event":"list.published"}'
    header = webhooks.signature("secret", body, 1000)
    assert verified("secret", header, body, now=1100.0) == {"event": "list.published"}
    for secret, head, data, now in (
        ("other", header, body, 1100.0), ("secret", header, body + b" ", 1100.0),
        ("secret", header, body, 2000.0), ("secret", header.replace("1000", "1001"), body, 1100.0),
        ("secret", "", body, 1100.0),
    ):  # fmt: skip
        with pytest.raises(BadSignature):
            verified(secret, head, data, now=now)


class Threads(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Silent(WSGIRequestHandler):
    def log_message(self, *args: object) -> None:
        """Nothing."""


@contextmanager
def serving() -> Iterator[str]:
    with make_server("127.0.0.1", 0, WSGIHandler(), Threads, Silent) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def served(office) -> Iterator[str]:
    with serving() as url:
        yield url


def asked(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["office", "--server", *words])
    return done.exit_code, done.stdout + done.stderr


def test_the_commands_ask_a_server(served, tmp_path: Path):
    token = tmp_path / "token"
    token.write_text(token_of("dora", "report") + "\n")
    code, text = asked(served, "lists", "--format", "json")
    assert code == 0, text
    day = json.loads(text)["lists"][0]["day"]
    code, text = asked(served, "list", f"club@{day}")
    assert (code, " 1509 " in text) == (0, True), text
    code, text = asked(served, "player", "1")
    assert (code, "2026-01-10" in text) == (0, True), text
    code, text = asked(served, "explain", "1")
    assert (code, "Expected" in text) == (0, True), text
    assert asked(served, "status")[0] == 0
    path = reports.write(tmp_path, "x.json", reports.document("Sixth", "2026-03-31", {}))
    code, text = asked(served, "receive", str(path), "--pool", "club")
    assert code == 1
    assert "token" in text
    code, text = asked(served, "--token-file", str(token), "receive", str(path), "--pool", "club")
    assert (code, "x.json" in text, "ready" in text) == (0, True, True), text
    code, text = asked(served, "--token-file", str(token), "reports")
    assert "Sixth" in text
    broken = tmp_path / "broken.bin"
    broken.write_bytes(b"\x00\x01")
    assert asked(served, "--token-file", str(token), "receive", str(broken))[0] == 1


def at_home(home: Home, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["office", *words, "--home", str(home.folder)])
    return done.exit_code, done.stdout + done.stderr


def as_said(text: str) -> str:
    """What is told, without what the public is told otherwise.

    That is who acted, hashes of facts, marks of quotation, and the command that helps further.
    """
    text = re.sub(r" by [\w-]+|,\s+[0-9a-f]{12}(?=\))|^ *→ .*\n", "", text, flags=re.M)
    return re.sub("[“”]", "'", text)


@pytest.mark.parametrize("words", [
    ("why", "1", "--pool", "standard"), ("why", "3", "--pool", "go"), ("why", "1", "--pool", "no"),
    ("why", "99", "--pool", "go"), ("why", "1", "--pool", "standard", "--format", "json"),
    ("register",), ("register", "1"), ("register", "9"),
    ("register", "--format", "json"), ("list", "1"), ("list", "go@2026-04-12"), ("list", "99"),
    ("list", "standard@2020-01-01"),
], ids=" ".join)  # fmt: skip
def test_what_is_public_a_server_tells_as_the_office_itself(office_with_lists, words):
    open_site(office_with_lists.folder)
    here, text = at_home(office_with_lists, *words)
    with serving() as url:
        there, told = asked(url, *words)
    assert there < 2, told
    assert (there, as_said(told)) == (here, as_said(text))


@pytest.mark.parametrize("words", [(), ("--batch", "2026-04-01"), ("--pool", "standard")],
                         ids=" ".join)  # fmt: skip
def test_a_change_up_to_a_revised_list_is_told_as_it_was(office_with_lists, words):
    """The correction came after the first revision: its number is not that of now."""
    open_site(office_with_lists.folder)
    told = {}
    with serving() as url:
        for revision in (1, 2):
            name = f"standard@2026-05-01r{revision}"
            asks = ("explain", "1", "--list", name, *words, "--format", "json")
            here = json.loads(at_home(office_with_lists, *asks)[1])["players"][-1]["listed"]
            told[revision] = json.loads(asked(url, *asks)[1])
            assert {key: told[revision][key] for key in here} == here
        _, text = asked(url, "explain", "1", "--list", "standard@2026-05-01r1", *words)
        wrong = [asked(url, *asks) for asks in (
            ("explain", "1", "--list", "go@2026-04-12", "--pool", "standard"),
            ("explain", "1", "--list", "go@2026-04-12", "--batch", "none", "--format", "json"),
            ("explain", "1", "--batch", "none", "--format", "json"),
        )]  # fmt: skip
    assert told[1]["change"] != told[2]["change"]
    now = f"{told[2]['change']:+g}".replace("-", "−")
    assert "As it was reckoned for the list of 2026-05-01, revision 1. By now it is" in text
    assert f"{now}." in text
    assert (told[1]["then"]["change"], told[2]["then"]) == (told[2]["change"], None)
    assert [told[1]["then"][x] for x in ("before", "after")] == [
        told[2][x] for x in ("before", "after")
    ]
    assert [code for code, _ in wrong] == [2, 1, 1]
    for _, each in wrong[1:]:
        assert [x["code"] for x in json.loads(each)["findings"]] == ["office.no-change"]


@pytest.mark.parametrize("words", [(), ("--pool", "standard"), ("--batch", "2026-02-01"),
                                   ("--pool", "none"), ("--batch", "none")],
                         ids=" ".join)  # fmt: skip
def test_the_last_change_is_that_of_the_office_itself(office_with_lists, words):
    open_site(office_with_lists.folder)
    asks = ("explain", "1", *words, "--format", "json")
    code, text = at_home(office_with_lists, *asks)
    here = json.loads(text)
    with serving() as url:
        there, text = asked(url, *asks)
    told = json.loads(text)
    assert there == code == ("none" in words)
    if not code:
        assert here["batch"] == told["key"]
        assert here["players"][-1]["listed"].items() <= told.items()


def test_the_register_of_a_server_names_nobody_and_no_reason_of_theirs(office_with_lists):
    open_site(office_with_lists.folder)
    with serving() as url:
        told = [asked(url, "register", number, "--format", form)
                for number in "12" for form in ("json", "table")]  # fmt: skip
    assert [code for code, _ in told] == [0] * 4
    text = "".join(text for _, text in told)
    assert "the sheet says otherwise" in text
    assert "the loser says so" not in text, "nobody has granted it"
    for name in ("olga-the-officer", "paul-who-asked", '"hash"', '"evidence"'):
        assert name not in text


@pytest.mark.parametrize("words", [
    ("desk",), ("desk", "2"), ("desk", "--format", "json"), ("corrections",),
    ("corrections", "--state", "open"), ("corrections", "--state", "rejected"),
    ("corrections", "--format", "json"),
], ids=" ".join)  # fmt: skip
def test_the_desk_of_a_server_is_that_of_the_office_itself(busy, tmp_path, words):
    token = tmp_path / "token"
    open_site(busy.folder)
    token.write_text(token_of("olga", "officer"))
    text = at_home(busy, *words)
    with serving() as url:
        assert asked(url, "--token-file", str(token), *words) == text
        code, told = asked(url, *words)
        token.write_text(token_of("dora"))
        of_director = asked(url, "--token-file", str(token), *words)
    assert text[0] == 0
    assert (code, "token" in told) == (1, True)
    assert (of_director[0], "role officer" in of_director[1]) == (1, True)


def test_lists_have_the_names_that_they_have_in_the_office_itself(served):
    _, text = asked(served, "lists", "--format", "json")
    newest = json.loads(text)["lists"][0]
    name = f"club@{newest['day']}"
    told = {asked(served, "list", each) for each in (str(newest["number"]), name, f"{name}r1")}
    assert len(told) == 1
    assert told.pop()[0] == 0
    last = asked(served, "explain", "1")
    assert asked(served, "explain", "1", "--list", name) == last
    assert asked(served, "explain", "1", "--pool", "club") == last
    code, text = asked(served, "explain", "1", "--pool", "none")
    assert (code, "There is no pool “none”." in text) == (1, True)


def undated(name: str):
    said = reports.document(name, "2026-03-28", {})
    said["event"] = {"name": name}
    for each in said["games"]:
        each.pop("start", None)
        each.pop("end", None)
    return said


def test_each_file_is_a_report_and_what_is_wrong_with_one_keeps_no_other_out(served, tmp_path):
    token = tmp_path / "token"
    token.write_text(token_of("dora", "report") + "\n")

    def receive(*words: str):
        options = ("--pool", "club", "--format", "json")
        code, text = asked(served, "--token-file", str(token), "receive", *words, *options)
        return code, json.loads(text)

    one = reports.write(tmp_path, "one.json", reports.document("Seventh", "2026-03-29", {}))
    two = reports.write(tmp_path, "two.json", undated("Eighth"))
    folder = tmp_path / "events"
    folder.mkdir()
    (folder / "x.json").write_bytes(one.read_bytes())
    none = tmp_path / "none.trf"
    code, said = receive(str(one), str(two), str(folder), str(none))
    assert code == 1
    states = [(each["file"], each["state"]) for each in said["reports"]]
    assert states == [
        ("one.json", "ready"), ("two.json", "refused"), ("events", "refused"),
        ("none.trf", "refused"),
    ]  # fmt: skip
    told = [each["findings"] for each in said["reports"]]
    assert "`end`" in told[1][-1]["remedy"]
    assert told[2][0]["message"] == "This is a folder, not a file."
    assert told[3][0]["code"] == "file.unreadable"
    assert {each["where"]["file"] for each in told[2] + told[3]} == {"events", "none.trf"}
    code, said = receive(str(two), "--end", "2026-03-28")
    assert (code, said["reports"][0]["state"]) == (0, "ready")
    assert asked(served, "receive", str(two), "--end", "tomorrow")[0] == 2


@pytest.mark.parametrize("is_folder", [True, False])
def test_files_that_are_one_report_only_together_are_sent_together(
    served, tmp_path, monkeypatch, is_folder
):
    sent = []

    def post(self, method, path, *, data, files):
        sent.append([name for _, (name, _) in files])
        raise Problem(422, "x", "y", [])

    monkeypatch.setattr(Client, "_asked", post)
    folder = Path(__file__).parents[2] / "examples" / "reports" / "club-open-2c"
    names = ["TDEXPORT.DBF", "THEXPORT.DBF", "TSEXPORT.DBF"]
    words = [str(folder)] if is_folder else [str(folder / each) for each in names]
    assert asked(served, "receive", *words)[0] == 1
    assert sent == [names]


@pytest.mark.parametrize("by_proxy", [True, False])
def test_a_file_that_is_too_large_is_named_and_the_others_are_sent(
    served, tmp_path, monkeypatch, by_proxy
):
    token = tmp_path / "token"
    token.write_text(token_of("dora", "report"))
    small = reports.write(tmp_path, "small.json", reports.document("Ninth", "2026-03-30", {}))
    big = tmp_path / "big.csv"
    big.write_bytes(b"x" * 20_000)
    if by_proxy:
        asking = Client._asked

        def asked_by_proxy(self, method, path, **what):
            if any(len(data) > 10_000 for _, (_, data) in what.get("files", ())):
                raise Problem(413, "The server answers 413", "")
            return asking(self, method, path, **what)

        monkeypatch.setattr(Client, "_asked", asked_by_proxy)
    else:
        monkeypatch.setattr("ratingbook.site.access.MOST_BYTES", 15_000)
    code, text = asked(
        served, "--token-file", str(token), "receive", str(big), str(small), "--pool", "club",
        "--format", "json",
    )  # fmt: skip
    said = json.loads(text)
    assert code == 1
    assert [(x["file"], x["state"]) for x in said["reports"]] == [
        ("big.csv", "refused"), ("small.json", "ready"),
    ]  # fmt: skip
    (finding,) = said["reports"][0]["findings"]
    assert (finding["where"]["file"], bool(finding["remedy"])) == ("big.csv", True)
    assert "413" in finding["message"] or "MB" in finding["message"]


def test_who_may_not_send_is_told_so_once(served, tmp_path):
    paths = [tmp_path / name for name in ("a.trf", "b.trf")]
    for each in paths:
        each.write_bytes(b"012 Open")
    code, text = asked(served, "receive", *map(str, paths), "--format", "json")
    said = json.loads(text)
    assert (code, said["reports"], len(said["findings"])) == (1, [], 1)
    assert said["findings"][0]["remedy"]


def test_who_types_a_name_is_told_which_command_of_the_server_finds_its_number():
    code, text = asked("http://127.0.0.1:9", "explain", "Alpha, Anna")
    assert code == 2
    command = "`ratingbook office --server URL player 'Alpha, Anna'` has it"
    assert command in " ".join(text.split())


def test_a_server_that_is_not_there_is_told_plainly(tmp_path: Path):
    code, text = asked("http://127.0.0.1:9", "status")
    assert (code, "cannot be reached" in text) == (1, True)
    code, text = asked("nonsense", "status")
    assert (code, "no address of a server" in text) == (1, True)
    code, _ = asked("http://127.0.0.1:9", "--token-file", str(tmp_path / "none"), "status")
    assert code == 2
    assert asked("http://127.0.0.1:9", "publish", "1")[0] == 2


def test_arrow_is_a_table(client):
    import pyarrow as pa

    data = client.arrow("/events")
    assert pa.ipc.open_stream(io.BytesIO(data)).read_all().num_rows == 3


@pytest.fixture
def sent() -> Iterator[tuple[Client, list[httpx.Request]]]:
    """A client whose requests are kept, and taken."""
    requests: list[httpx.Request] = []
    said = {
        "id": 1, "version": 1, "state": "ready", "is_new": True, "sha256": "", "waiting": 0,
        "difference": [], "findings": [],
    }  # fmt: skip

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(201, json=said)

    with Client("http://x", transport=httpx.MockTransport(answer)) as one:
        yield one, requests


def test_files_to_send_may_be_named_by_texts(sent, tmp_path):
    office, requests = sent
    path = tmp_path / "open.trf"
    path.write_bytes(b"012 Open")
    for named in (str(path), [str(path)], [path]):
        office.send(named)
    bodies = [request.read() for request in requests]
    assert [(b'filename="open.trf"' in x, b"012 Open" in x) for x in bodies] == [(True, True)] * 3


def test_a_folder_that_is_a_report_is_sent_as_its_files(sent):
    office, requests = sent
    office.send(Path(__file__).parents[2] / "examples" / "reports" / "club-open-2c")
    names = re.findall(rb'filename="(\w+\.DBF)"', requests[0].read())
    assert names == [b"TDEXPORT.DBF", b"THEXPORT.DBF", b"TSEXPORT.DBF"]


def test_days_are_sent_beside_the_files(sent, tmp_path):
    office, requests = sent
    path = tmp_path / "open.trf"
    path.write_bytes(b"012 Open")
    office.send(path, end=date(2026, 3, 28))
    body = requests[0].read().replace(b"\r\n", b"\n")
    fields = dict(re.findall(rb'name="(\w+)"\n\n(.*)\n', body))
    assert fields == {b"pool": b"", b"another": b"false", b"end": b"2026-03-28"}


def test_what_cannot_be_read_is_told_before_anything_is_sent(sent, tmp_path):
    office, requests = sent
    there = tmp_path / "there.trf"
    there.write_bytes(b"012 Open")
    told = {tmp_path / "none.trf": "none.trf", tmp_path: "a folder, not a file"}
    for path, why in told.items():
        with pytest.raises(Problem, match=why) as found:
            office.send([there, path])
        (finding,) = found.value.findings
        assert (found.value.status, finding.code) == (0, "file.unreadable")
        assert (finding.where, bool(finding.remedy)) == ({"file": path.name}, True)
    assert requests == []


def test_days_are_said_as_text_too(client):
    day = date(2026, 4, 1)
    assert client.list_of("standard", "2026-04-01") == client.list_of("standard", day)
    assert [*client.rows("standard", " 2026-04-01 ")] == [*client.rows("standard", day)]


@pytest.mark.parametrize("day", ["2026-13-01", "", "April", None, 20260401])
def test_what_is_no_day_is_told_with_what_is_wanted(client, day):
    for ask in (client.list_of, client.rows):
        with pytest.raises(BadArgument, match=r"day is .*2026-05-31"):
            ask("standard", day)
    with pytest.raises(BadArgument, match=r"start is .*2026-05-31"):
        client.send([], start="yesterday")


def test_what_is_no_text_is_told_with_what_it_is_of(client):
    with pytest.raises(BadArgument, match="pool is None"):
        client.rows(None, "2026-04-01")
    with pytest.raises(BadArgument, match="name is 7"):
        client.rulebook(7)
    with pytest.raises(BadArgument, match="key is None"):
        client.explain(1, "go", None)


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/x", "//elsewhere/x", "pools", None])
def test_a_token_goes_to_the_office_alone(address):
    asked = []

    def answer(request):
        asked.append(request)
        return httpx.Response(200, json={})

    own = Client("https://a.example", "secret", transport=httpx.MockTransport(answer))
    with own, pytest.raises(BadArgument, match="no path of the API"):
        own.json(address)
    assert not asked


@pytest.mark.parametrize("ask", [
    lambda c: c.player("../pools"), lambda c: c.player("1?pool=9"), lambda c: c.event(True),
    lambda c: c.whatif([5], "elo", rating=1500), lambda c: c.whatif(None, "elo", rating=1500),
    lambda c: c.whatif(["1900=1"], "elo", own={"o2": "1900", "r2": "1"}),
    lambda c: c.whatif(["1900=1"], "elo", event={"rating": "9"}), lambda c: c.send(None),
], ids=[*"abcdefgh"])  # fmt: skip
def test_what_is_said_in_a_wrong_way_is_a_bad_argument(client, ask):
    with pytest.raises(BadArgument):
        ask(client)


def test_a_token_that_is_no_text_is_none():
    none: Any = 5
    with pytest.raises(BadToken):
        Client("https://a.example", none)
