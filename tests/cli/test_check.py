"""``ratingbook check``: findings only, and whether the report can be rated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SPRING_OPEN = ROOT / "examples" / "reports" / "spring-open.trf"
FINDING_KEYS = {"code", "severity", "message", "where"}

REPORT: dict[str, Any] = {
    "ratingbook": "report/1",
    "event": {"name": "Match", "start": "2010-01-08", "end": "2010-01-08"},
    "players": [
        {"id": "A", "standing": {"rating": 2806, "games": 100}},
        {"id": "B", "standing": {"rating": 2577, "games": 100}},
    ],
    "games": [{"round": 1, "white": "A", "black": "B", "result": "0-1"}],
}


def file(folder: Path, data: object, name: str = "report.json") -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


def squeezed(text: str) -> str:
    return " ".join(text.split())


def codes(document: dict[str, Any]) -> list[str]:
    return [finding["code"] for finding in document["findings"]]


def test_a_good_report(run, tmp_path):
    path = file(tmp_path, REPORT)
    done = run("check", path)
    assert done.status == 0
    assert done.err == ""
    assert squeezed(done.out) == (
        f"{path}: can be rated (report document, utf-8, 2 players, 1 games) "
        "recognised by: a JSON object or list"
    )


def test_json(run, tmp_path):
    path = file(tmp_path, {**REPORT, "colour": "red"})
    document = json.loads(run("check", path, "--format", "json").out)
    assert document["report"] == str(path)
    assert (document["format"], document["encoding"]) == ("report document", "utf-8")
    assert document["refused"] is False
    (finding,) = document["findings"]
    assert finding.keys() >= FINDING_KEYS
    assert finding["where"] == {"file": str(path), "path": "colour"}


def test_findings_are_grouped_with_place_and_remedy(run, tmp_path):
    games = [{"white": "A", "black": "A", "result": "1-0"}, *REPORT["games"]]
    path = file(tmp_path, {**REPORT, "games": games, "colour": "red"})
    done = run("check", path)
    assert done.status == 1
    out = squeezed(done.out)
    assert "refused" in out
    assert "games[0]" in out
    assert "→" in out
    assert out.index("error") < out.index("[game.self]") < out.index("warning")
    assert out.index("warning") < out.index("[report.unknown-key]")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file.empty"),
        (bytes(range(256)) * 20, "file.binary"),
        (b"Dear arbiter\n", "file.unknown-format"),
        (b"{", "json.syntax"),
        ({**REPORT, "games": [{"white": "A", "black": "C"}]}, "game.unknown-player"),
        ({**REPORT, "players": []}, "report.no-players"),
    ],
)
@pytest.mark.parametrize("format_", ["table", "json"])
def test_what_cannot_be_rated_is_refused(run, tmp_path, data, code, format_):
    done = run("check", file(tmp_path, data), "--format", format_)
    assert done.status == 1
    assert code in done.out
    assert done.err == ""


def test_what_an_edition_needs_is_checked_if_it_is_named(run, tmp_path):
    players = [{"id": "A", "standing": {"rating": 2806.5, "games": 100}}, {"id": "B"}]
    path = file(tmp_path, {**REPORT, "players": players})
    done = run("check", path, "--format", "json")
    assert done.status == 0
    assert codes(json.loads(done.out)) == []
    done = run("check", path, "--format", "json", "--rulebook", "fide-2009")
    assert done.status == 1
    assert "rating.not-whole" in codes(json.loads(done.out))


def test_an_edition_of_another_time_is_told(run, tmp_path):
    path = file(tmp_path, {**REPORT, "event": {"start": "1999-01-08"}})
    done = run("check", path, "--format", "json", "--rulebook", "fide-2009")
    assert done.status == 0
    assert "edition.outside-validity" in codes(json.loads(done.out))


@pytest.mark.parametrize("options", [(), ("--rulebook", "fide-2009")])
def test_it_finds_what_rate_finds(run, options):
    checked = json.loads(run("check", SPRING_OPEN, "--format", "json", *options).out)
    rated = json.loads(run("rate", SPRING_OPEN, "--rulebook", "fide-2009", "--format", "json").out)
    assert set(codes(checked)) <= set(codes(rated))
    if options:
        assert checked["findings"] == rated["findings"]


def test_several_files(run, tmp_path):
    good, bad = file(tmp_path, REPORT), file(tmp_path, b"", "bad.json")
    done = run("check", good, bad, tmp_path / "none", "--format", "json")
    assert done.status == 1
    assert [document["refused"] for document in json.loads(done.out)] == [False, True, True]
    done = run("check", good, bad)
    assert done.status == 1
    assert squeezed(done.out).count(str(tmp_path)) >= 3


def test_markup_and_control_characters_are_text(run, tmp_path):
    path = file(tmp_path, {**REPORT, "[bold]\x1b[2J": 1}, "[red].json")
    done = run("check", path)
    assert "[bold]\N{REPLACEMENT CHARACTER}[2J" in done.out or "[bold]\\u001b[2J" in done.out
    assert "[red].json" in squeezed(done.out).replace(" ", "")
    assert "\x1b" not in done.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("check",), "files"),
        (("check", "FILE", "--rulebook", "fide-1900"), "fide-2009"),
        (("check", "FILE", "--format", "csv"), "json"),
    ],
)
def test_usage(run, tmp_path, arguments, told):
    path = file(tmp_path, REPORT)
    done = run(*(path if argument == "FILE" else argument for argument in arguments))
    assert done.status == 2
    assert done.out == ""
    assert told in squeezed(done.err)


def test_the_installed_command(command, tmp_path):
    assert command("check", SPRING_OPEN).status == 0
    done = command("check", file(tmp_path, b""))
    assert done.status == 1
    assert "file.empty" in done.out


def test_what_to_do_about_several_of_one_kind_is_said_once(run, tmp_path):
    rows = "".join(f'{n};"Player, {n}";1500;{100 + n}w1\n' for n in (1, 2, 3))
    path = tmp_path / "table.csv"
    path.write_text("Nr.;Name;Elo;1\n" + rows)
    done = run("check", path)
    assert done.status == 1
    assert done.out.count("[game.opponent]") == 3
    assert done.out.count("Correct the opponent") == 1
