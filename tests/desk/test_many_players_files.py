"""Several players files and lists beside one report: what is told of who is in none of them."""

from __future__ import annotations

from pathlib import Path

import ratingbook as rb
from ratingbook.desk.players import Players, PlayersFile
from ratingbook.model import Entry, Event, Report
from ratingbook.rules import registry

REPORT = Report(
    Event(), (Entry("1", "Ruhe, Rita"), Entry("2", "Weiss, Hans"), Entry("3", "Neu, Nora")), ()
)


def test_files_of_strangers_are_one_finding() -> None:
    files = [PlayersFile((Entry("77", "Other, Otto"),), Path(f"{n}.csv")) for n in range(12)]
    _, findings = Players(tuple(files)).filled(REPORT, registry.load("fide-2024"))
    assert [each.message for each in findings if each.code == "players.no-match"] == [
        "Nobody of 12 players files is in the report: 0.csv, 1.csv, 2.csv and 9 more."
    ]


def test_one_file_of_strangers_is_told_as_before() -> None:
    files = PlayersFile((Entry("77", "Other, Otto"),), Path("a.csv"))
    _, findings = Players((files,)).filled(REPORT, registry.load("fide-2024"))
    (told,) = (each.message for each in findings if each.code == "players.no-match")
    assert told == "Nobody of the players file is in the report."


def test_whoever_would_be_found_by_name_is_counted() -> None:
    files = PlayersFile((Entry("77", "Ruhe, Rita"), Entry("78", "Other, Otto")))
    _, findings = Players((files,)).filled(REPORT, registry.load("fide-2024"))
    (told,) = (each for each in findings if each.code == "players.no-match")
    assert "1 player of the report would be found by name" in told.message
    assert "--id name" in told.remedy


def _list(tmp_path: Path, name: str, *numbers: str) -> Path:
    head = "ID Number      Name                                                         Fed Sex Tit"
    head += "  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
    rows = [f"{number:<15}{'Player ' + number:<61}GER M   " for number in numbers]
    at = head.index("SRtng")
    rows = [f"{row:<{at}}1800  0   20" for row in rows]
    path = tmp_path / name
    path.write_text("\n".join([head, *rows]) + "\n", "utf-8")
    return path


def test_who_is_in_one_list_is_missed_in_no_other(tmp_path: Path) -> None:
    players = [
        {"id": str(n), "name": f"Player {n}", "ids": {"fide": str(n)}} for n in (1000001, 1000002)
    ]
    games = [{"round": 1, "white": "1000001", "black": "1000002", "result": "1-0"}]
    document = tmp_path / "r.json"
    event = {"name": "x", "start": "2024-04-01", "end": "2024-04-02", "time_control": "90 min"}
    import json

    document.write_text(
        json.dumps({"ratingbook": "report/1", "event": event, "players": players, "games": games})
    )
    lists = [_list(tmp_path, "a.txt", "1000001"), _list(tmp_path, "b.txt", "1000002")]
    for given, missed in (([lists[0]], 1), (lists, 0)):
        rated = rb.rate(document, "fide-2024", players=given)
        told = [each for each in rated.findings if each.code == "list.not-found"]
        assert len(told) == missed, list(rated.findings)
