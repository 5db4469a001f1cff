"""FIDE's list as XML: streamed, guarded, and written as FIDE writes it."""

from __future__ import annotations

import io
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.formats.lists import FidePlayer, Rated, write_fide_xml
from ratingbook.formats.lists.fide.xml import looks_like_fide_xml, read_fide_xml
from ratingbook.formats.lists.files import Source
from ratingbook.formats.lists.refusal import Refused
from ratingbook.formats.tools.notes import CountedNotes
from ratingbook.model import Findings, Severity
from tests.formats.helpers import Edits, codes, damaged, edits, one
from tests.formats.lists.samples import fide_players

DOE = FidePlayer(
    "12345678", "Doe & <Co>, Jö", "AUT", "F", "WFM", "WFM", "NA,FT", "AFM", Rated(2101, 9, 20),
    None, Rated(2050, 0, 20), 1990, "wi",
)  # fmt: skip
ORDER = (
    "fideid name country sex title w_title o_title foa_title rating games k rapid_rating "
    "rapid_games rapid_k blitz_rating blitz_games blitz_k birthday flag"
).split()
"""The elements of FIDE's combined list, in their order."""


def read(
    data: bytes | str, name: str = "players_list_xml_foa.xml"
) -> tuple[list[FidePlayer], Findings]:
    raw = data.encode() if isinstance(data, str) else data
    notes, findings, players = CountedNotes(), Findings(), []
    try:
        for _, player in read_fide_xml(Source(io.BytesIO(raw), name), notes):
            assert isinstance(player, FidePlayer)
            players.append(player)
    except Refused as refusal:
        findings.extend([refusal.finding])
    findings.extend(notes.findings())
    return players, findings


def written(players: list[FidePlayer], pool: str | None = None) -> tuple[bytes, Findings]:
    out = io.BytesIO()
    findings = write_fide_xml(players, out, pool)
    return out.getvalue(), findings


def xml(body: str) -> str:
    return f"<playerslist>{body}</playerslist>"


def player(**texts: str) -> str:
    fields = {"fideid": "1", "name": "Doe, Jo", **texts}
    return f"<player>{''.join(f'<{tag}>{text}</{tag}>' for tag, text in fields.items())}</player>"


def test_what_is_written_has_fides_form() -> None:
    data, findings = written([DOE])
    lines = data.decode().splitlines()
    assert lines[:3] == ["<playerslist>", "<player>", "<fideid>12345678</fideid>"]
    assert [line[1:].partition(">")[0] for line in lines[2:-2]] == ORDER
    assert lines[3] == "<name>Doe &amp; &lt;Co&gt;, Jö</name>"
    assert "<rapid_rating>0</rapid_rating>" in lines
    assert looks_like_fide_xml(data.decode())
    assert not len(findings)


@settings(max_examples=150, deadline=None)
@given(st.lists(fide_players(ascii_only=False), max_size=5))
def test_read_write_read(players: list[FidePlayer]) -> None:
    again, findings = read(written(players)[0])
    assert again == players
    assert not len(findings)


def test_a_list_of_one_pool_is_of_the_pool_that_its_name_says() -> None:
    data, _ = written([DOE], "blitz")
    nothing = DOE._replace(standard=None, rapid=None, blitz=None)
    assert read(data, "blitz_rating_list_xml.xml")[0] == [nothing._replace(blitz=DOE.blitz)]
    players, findings = read(data, "list.xml")
    assert players == [nothing._replace(standard=DOE.blitz)]
    one(findings, "fide-list.pool", Severity.WARNING)


def test_declarations_and_encodings() -> None:
    body = xml(player(name="Dö, Jö"))
    for data in (
        body.encode(),
        b'\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?>' + body.encode(),
        b'<?xml version="1.0" encoding="iso-8859-1"?>\n' + body.encode("cp1252"),
        b"\n\n" + body.encode("cp1252"),
    ):
        assert read(data)[0] == [FidePlayer("1", "Dö, Jö")]
    assert codes(read(body.encode("cp1252"))[1]) == {"list.encoding": Severity.INFO}
    one(read(body.encode("utf-16"))[1], "list.binary", Severity.FATAL)


def test_old_lists_lack_elements_and_new_ones_may_have_more() -> None:
    players, findings = read(xml(player(rating="2000", rapid_rating="", future="x")))
    assert players == [FidePlayer("1", "Doe, Jo", standard=Rated(2000))]
    assert "<future>" in one(findings, "fide-list.unknown", Severity.INFO).message


@pytest.mark.parametrize(
    "texts",
    [
        {"fideid": ""},
        {"fideid": "x1"},
        {"rating": "many"},
        {"rating": "12"},
        {"country": "Austria"},
        {"birthday": "yesterday"},
        {"flag": "?"},
    ],
)
def test_a_player_that_cannot_be_read_is_left_out_and_told(texts: dict[str, str]) -> None:
    players, findings = read(xml(player(**texts) + "\n" + player(fideid="2")))
    assert [each.id for each in players] == ["2"]
    assert one(findings, "fide-list.row", Severity.WARNING).where.line == 1


BOMB = '<!DOCTYPE playerslist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    "bad",
    [
        BOMB + xml(player(name="&b;")),
        '<!DOCTYPE playerslist SYSTEM "file:///etc/hostname">' + xml(player()),
        xml(player(name="&undefined;")),
        xml(player(name="A & B")),
        xml(player())[:-5],
        xml("<player><fideid>1</name></player>"),
        "<other>" + player() + "</other>",
        xml(player()) + xml(player()),
        xml("<player>" + "<a>" * 100),
        xml(player(name="x" * 500_000)),
        xml("<player " + "x" * 2_000_000),
        xml("<!-- " + "x" * 2_000_000 + " -->"),
        "",
    ],
)
def test_xml_that_is_refused(bad: str) -> None:
    _, findings = read(bad)
    one(findings, "fide-list.xml", Severity.FATAL)


class Endless:
    """A stream of one tag, or one text, that has no end."""

    def __init__(self, start: bytes, more: bytes) -> None:
        self.data = start
        self.more = more
        self.left = 400

    def read(self, size: int, /) -> bytes:
        data, self.data = self.data, self.more * (size // len(self.more))
        self.left -= 1
        assert self.left, "it was read to the end"
        return data


@pytest.mark.parametrize(
    ("start", "more"),
    [
        (b"<playerslist><player ", b"x"),
        (b"<playerslist><player><name>", b"x"),
        (b"<playerslist><!-- ", b"x"),
        (b"<playerslist>", b"<a>"),
        (b"<playerslist>", b"x"),
    ],
)
def test_what_has_no_end_takes_no_memory(start: bytes, more: bytes) -> None:
    tracemalloc.start()
    with pytest.raises(Refused):
        list(read_fide_xml(Source(Endless(start, more), "x"), CountedNotes()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000


@settings(max_examples=150, deadline=None)
@given(edits(b"<player>", b"</player>", b"&", b"<!DOCTYPE a>", b"\xfc", b"\0", reach=1500))
def test_damage_gives_findings_and_no_exception(changes: Edits) -> None:
    data, _ = written([DOE, DOE._replace(id="2")])
    players, findings = read(damaged(data, changes))
    assert all(finding.message and finding.remedy for finding in findings)
    assert len(players) <= 4


def test_a_flag_that_nobody_knows_is_told_and_the_player_stays() -> None:
    players, findings = read(xml(player(rating="2100", flag="n") + player(fideid="2", flag="wn")))
    assert [(each.id, each.flag) for each in players] == [("1", ""), ("2", "w")]
    assert players[0].standard == Rated(2100)
    assert "n" in one(findings, "fide-list.flag", Severity.INFO).message
