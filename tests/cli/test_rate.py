"""``ratingbook rate``: the contract of its output, and that bad input is refused whole."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratingbook.rules import registry

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "reports"
SPRING_OPEN = EXAMPLES / "spring-open.trf"
SPRING_PLAYERS = EXAMPLES / "spring-open-players.csv"
COMMAND = Path(sys.executable).with_name("ratingbook")
FIDE = ("--rulebook", "fide-2009")
FORMATS = ("table", "json", "jsonl", "csv")

DOCUMENT_KEYS = {"rulebook", "players", "findings"}
PLAYER_KEYS = {"id", "before", "after", "exact", "change", "games", "score", "expected", "status",
               "published", "section", "standing", "explanation"}  # fmt: skip
STEP_KEYS = {"paragraph", "rule", "inputs", "value"}
FINDING_KEYS = {"code", "severity", "message", "where"}

TOP = {"games": 100, "reached_2400": True}


def two_players(result: str = "0-1", **more: Any) -> dict[str, Any]:
    """The example of the regulation: 2806 loses to 2577, K = 10: 2798 and 2585."""
    return {
        "ratingbook": "report/1",
        "event": {"name": "Match", "start": "2010-01-08", "end": "2010-01-08"},
        "players": [
            {"id": "A", "name": "Player A", "standing": {"rating": 2806, **TOP}},
            {"id": "B", "name": "Player B", "standing": {"rating": 2577, **TOP}},
        ],
        "games": [{"round": 1, "white": "A", "black": "B", "result": result}],
        **more,
    }


def file(folder: Path, data: object, name: str = "report.json") -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


@pytest.fixture
def match(tmp_path: Path) -> Path:
    """A report with the example of the regulation."""
    return file(tmp_path, two_players())


def loads(text: str) -> Any:
    """JSON as every program reads it, without NaN and Infinity."""

    def refuse(name: str) -> None:
        raise AssertionError(name)

    return json.loads(text, parse_constant=refuse)


def squeezed(text: str) -> str:
    """A text without its line breaks and runs of blanks."""
    return " ".join(text.split())


# What comes out


def test_the_example_of_the_regulation(run, match):
    done = run("rate", match, *FIDE, "--format", "json")
    assert done.status == 0
    assert done.err == ""
    document = loads(done.out)
    assert document["rulebook"] == "fide-2009"
    by_id = {row["id"]: row for row in document["players"]}
    higher, lower = by_id["A"], by_id["B"]
    assert (higher["before"], higher["after"], higher["change"]) == (2806, 2798, -8)
    assert (lower["before"], lower["after"], lower["change"]) == (2577, 2585, 8)
    assert (higher["games"], higher["score"], lower["score"]) == (1, 0, 1)
    # Table 8.1.2: a difference of 229 is 0.79 for the higher rated.
    assert (higher["expected"], lower["expected"]) == (0.79, 0.21)
    assert (higher["exact"], lower["exact"]) == (2798.1, 2584.9)


def test_the_keys_of_the_contract(run):
    done = run("rate", SPRING_OPEN, *FIDE, "--players", SPRING_PLAYERS, "--explain", "all",
               "--format", "json")  # fmt: skip
    assert done.status == 0
    document = loads(done.out)
    assert document.keys() >= DOCUMENT_KEYS
    assert len(document["players"]) == 12
    for row in document["players"]:
        assert row.keys() >= PLAYER_KEYS
        assert isinstance(row["id"], str)
        assert isinstance(row["standing"], dict)
        assert isinstance(row["published"], bool)
        for step in row["explanation"]:
            assert step.keys() >= STEP_KEYS
            assert isinstance(step["inputs"], dict)
    assert document["findings"]
    for finding in document["findings"]:
        assert finding.keys() >= FINDING_KEYS
        assert isinstance(finding["where"], dict)


def test_change_is_after_less_before_and_the_explanation_ends_in_after(run):
    done = run("rate", SPRING_OPEN, *FIDE, "--players", SPRING_PLAYERS, "--explain", "all",
               "--format", "json")  # fmt: skip
    changed = 0
    for row in loads(done.out)["players"]:
        if row["before"] is None or row["after"] is None:
            assert row["change"] is None
        else:
            assert row["change"] == row["after"] - row["before"]
            changed += 1
        if row["after"] is not None:
            assert row["explanation"][-1]["value"] == row["after"]
    assert changed == 10


def test_jsonl_is_one_line_for_each_report_also_for_a_refused_one(run, tmp_path, match):
    bad = file(tmp_path, two_players("won"), "bad.json")
    done = run("rate", match, bad, tmp_path / "missing", match, *FIDE, "--format", "jsonl")
    assert done.status == 1
    lines = done.out.splitlines()
    assert len(lines) == 4
    documents = [loads(line) for line in lines]
    assert [len(document["players"]) for document in documents] == [2, 0, 0, 2]
    assert all(document.keys() >= DOCUMENT_KEYS for document in documents)
    for document, code in ((documents[1], "report.bad-value"), (documents[2], "file.unreadable")):
        (finding,) = document["findings"]
        assert finding["code"] == code
        assert finding["where"]["file"]
    assert documents[0]["players"] == documents[3]["players"]


def test_jsonl_equals_json(run, match):
    whole = run("rate", match, *FIDE, "--format", "json", "--explain", "A").out
    line = run("rate", match, *FIDE, "--format", "jsonl", "--explain", "A").out
    assert loads(whole) == loads(line)


def test_json_of_several_reports_is_a_list(run, match):
    documents = loads(run("rate", match, match, *FIDE, "--format", "json").out)
    assert [len(document["players"]) for document in documents] == [2, 2]


def test_each_report_is_rated_by_itself(run, tmp_path, match):
    other = file(tmp_path, two_players("1-0"), "other.json")
    done = run("rate", match, other, *FIDE, "--format", "jsonl")
    first, second = (loads(line)["players"] for line in done.out.splitlines())
    assert [row["after"] for row in first] == [2798, 2585]
    assert [row["after"] for row in second] == [2808, 2575]


def test_csv(run, tmp_path, match):
    done = run("rate", match, match, *FIDE, "--format", "csv")
    assert done.status == 0
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["id"], row["after"], row["change"]) for row in rows] == [
        ("A", "2798", "-8"),
        ("B", "2585", "8"),
    ] * 2
    assert rows[0]["published"] == "true"
    assert rows[0].keys() >= PLAYER_KEYS - {"standing", "explanation"}


def test_csv_of_an_unrated_player_has_empty_cells(run, tmp_path):
    document = two_players(games=[])
    del document["players"][0]["standing"]
    (row, _) = csv.DictReader(
        io.StringIO(run("rate", file(tmp_path, document), *FIDE, "--format", "csv").out)
    )
    assert (row["before"], row["after"], row["change"], row["expected"]) == ("", "", "", "")


@pytest.mark.parametrize(
    "name",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", " =1+1", "\n=1", "＝1", "=cmd|' /C calc'!A0"],
)
def test_csv_holds_no_formula(run, tmp_path, name):
    document = two_players()
    document["players"][0] |= {"id": name, "name": name}
    document["games"][0] |= {"white": name, "section": name}
    done = run("rate", file(tmp_path, document), *FIDE, "--format", "csv")
    assert done.status == 0
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert len(rows) == 2
    for row in rows:
        for cell in row.values():
            is_number = re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", cell)
            assert is_number or not cell.lstrip().startswith(tuple("=+-@＝＋－＠\t\r"))
    assert rows[0]["name"].endswith(name.strip())


@pytest.mark.parametrize("name", ['Alpha, "Anna"', "Beta;Ben", "two\nlines", "ü", "O'Neill"])
def test_csv_keeps_names(run, tmp_path, name):
    document = two_players()
    document["players"][0]["name"] = name
    done = run("rate", file(tmp_path, document), *FIDE, "--format", "csv")
    (row, _) = csv.DictReader(io.StringIO(done.out))
    assert row["name"] == name.replace("\n", "\N{REPLACEMENT CHARACTER}")


# What people see


def test_the_table(run, match):
    done = run("rate", match, *FIDE)
    assert done.status == 0
    header, *rows = [line.split() for line in done.out.splitlines()[1:]]
    assert header == ["id", "name", "K", "before", "after", "change", "rated", "exp.", "Rp", "opp."]
    # 2806 against 2577, K 10: expected .79.
    assert rows[0][:8] == ["A", "Player", "A", "10", "2806", "2798", "−8", "0/1"]
    assert rows[1][:9] == ["B", "Player", "B", "10", "2577", "2585", "+8", "1/1", "0.21"]
    assert [row[-1] for row in rows] == ["2577", "2806"]
    assert "Match" in done.out.splitlines()[0]


@pytest.mark.parametrize("width", ["30", "44", "60", "80", "200"])
def test_nothing_vanishes_and_no_blanks_are_added(run, monkeypatch, match, width):
    """COLUMNS is the width of what no terminal receives."""
    monkeypatch.setenv("COLUMNS", width)
    done = run("rate", match, *FIDE)
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= int(width)
    assert not any(line.endswith(" ") for line in lines)
    for text in ("Player A", "2806", "2798", "−8", "0/1", "0.79", "2577"):
        assert text in " ".join(done.out.split())


def test_results_and_findings_are_apart(command, tmp_path):
    """The results of one report can be read from the output while the findings are on screen."""
    report = file(tmp_path, {**two_players(), "colour": "red"})
    done = command("rate", report, *FIDE, "--format", "json")
    assert done.status == 0
    # What all numbers hang on stands first.
    findings = loads(done.out)["findings"]
    assert [f["code"] for f in findings] == ["fide.pool-unknown", "report.unknown-key"]
    assert [f["code"] for f in findings[0]["parts"]] == ["fide.pool-unknown", "fide.lists"]
    assert done.err == ""
    for format_ in ("table", "csv"):
        done = command("rate", report, *FIDE, "--format", format_)
        assert "2798" in done.out
        assert "report.unknown-key" not in done.out
        assert "report.unknown-key" in done.err


@pytest.mark.parametrize(
    "name",
    ["[bold]Anna[/bold]", "[/]", "[red]", ":smile:", "\\[x]", "[link=http://a.example]b[/link]"],
)
def test_markup_in_names_is_text(run, tmp_path, name):
    document = two_players(event={"name": name, "place": name, "start": "2010-01-08"})
    document["players"][0] |= {"id": name, "name": name}
    document["games"][0] |= {"white": name, "section": name}
    done = run("rate", file(tmp_path, document), *FIDE, "--explain", "all", "--explain", name)
    assert done.status == 0
    assert squeezed(done.out).count(name) >= 6


@pytest.mark.parametrize(
    "name",
    ["\x1b[2J", "\x1b]0;title\x07", "a\rb", "a\x08b", "\x9b31m", "\u202eabc", "a\nb", "\x00"],
    ids=ascii,
)
@pytest.mark.parametrize("format_", FORMATS)
def test_no_control_character_reaches_the_terminal(run, tmp_path, name, format_):
    rated = two_players(event={"name": name, "place": name}) | {name: 1}
    rated["players"][0] |= {"id": f"x{name}", "name": name}
    rated["games"][0] |= {"white": f"x{name}", "section": name}
    explain = () if format_ == "csv" else ("--explain", "all")
    for each in (rated, rated | {"event": {"start": name}}):
        done = run("rate", file(tmp_path, each), *FIDE, *explain, "--format", format_)
        printed = done.out + done.err
        if format_ in ("json", "jsonl"):
            # For programs: JSON escapes what C0 holds, and the rest is the text as it is.
            assert not set(map(chr, range(32))) & set(printed.replace("\n", ""))
        else:
            assert all(char.isprintable() or char == "\n" for char in printed)


def test_several_reports_have_their_names_above(run, tmp_path, match):
    other = file(tmp_path, two_players("1-0"), "other.json")
    done = run("rate", match, other, *FIDE)
    assert str(match) in done.out
    assert str(other) in done.out
    assert done.out.index(str(match)) < done.out.index("2798") < done.out.index(str(other))


def test_the_explanation_of_one_player(run, match):
    done = run("rate", match, *FIDE, "--explain", "A")
    assert "A Player A: 2806 → 2798 (−8)" in done.out
    assert "B Player B: " not in done.out
    for number in ("0.79", "229", "−7.9", "2798"):
        assert number in done.out[done.out.index("→") :]
    for paragraph in ("1b", "1c", "2a", "2b", "2c", "5b"):
        assert re.search(rf"^ +{paragraph} ", done.out, re.MULTILINE)


def test_a_step_shows_the_article_of_the_federations_text(run, match):
    done = run("rate", match, "--rulebook", "fide-2024", "--explain", "A")
    assert re.search(r"^ +1b .*\[B\.02 8\.3\.1\]$", done.out, re.MULTILINE)
    assert re.search(r"^ +5b .*\[B\.02 8\.3\.4\]$", done.out, re.MULTILINE)
    told = run("rate", match, "--rulebook", "fide-2024", "--explain", "A", "--format", "json").out
    steps = json.loads(told)["players"][0]["explanation"]
    assert {s["article"] for s in steps if s["paragraph"] == "1b"} == {"B.02 8.3.1"}
    assert all(step.keys() >= STEP_KEYS for step in steps)
    # iccf-2009 has the numbers of the rules themselves.
    told = run("whatif", "--rulebook", "iccf-2009", "--rating", 2000, "--games", 50, "2000=1",
               "--explain", "--format", "json").out  # fmt: skip
    assert '"article"' not in told


@pytest.mark.parametrize(
    ("asked", "explained"),
    [
        ([], []),
        (["A"], ["A"]),
        (["A", "B"], ["A", "B"]),
        (["all"], ["A", "B"]),
        (["A", "all"], ["A", "B"]),
        (["player b"], ["B"]),
    ],
)
def test_who_is_explained(run, match, asked, explained):
    options = [part for player in asked for part in ("--explain", player)]
    document = loads(run("rate", match, *FIDE, "--format", "json", *options).out)
    assert [row["id"] for row in document["players"] if row["explanation"]] == explained


def test_the_sentence_of_who_is_explained_names_the_game_that_moved_most(run):
    """In round 7 Echo has 2090 against 2310: expected 0.22, lost, K 25: 25 × (0 − 0.22)."""
    done = run("rate", SPRING_OPEN, *FIDE, "--players", SPRING_PLAYERS, "--explain", "5")
    said = " ".join(done.out.split())
    assert "The loss to Chris Charlie in round 7 cost most (−5.5)." in said


@pytest.mark.parametrize(("player", "meant"), [("Z", ""), ("Plaier B", "B"), ("[bold]", "")])
def test_who_is_no_player_cannot_be_explained(run, match, player, meant):
    done = run("rate", match, *FIDE, "--format", "json", "--explain", player, "--explain", "A")
    assert (done.status, done.out) == (2, "")
    assert player in done.err
    if meant:
        assert f"did you mean {meant}" in done.err


# Parameters and players


def test_a_parameter_is_set_and_shown(run, match):
    """K 20 in place of 10: 20 × (0 − 0.79) = −15.8."""
    done = run("rate", match, *FIDE, "--format", "json", "--set", "k_top=20")
    document = loads(done.out)
    assert document["players"][0]["after"] == 2790
    assert document["parameters"] == {"k_top": 20}


def test_several_parameters(run, match):
    done = run("rate", match, *FIDE, "--format", "json", "--set", "k_top = 20", "--set",
               "expectancy=logistic", "--set", "k10_before_30=yes")  # fmt: skip
    document = loads(done.out)
    assert done.status == 0
    assert document["parameters"].keys() == {"k_top", "expectancy", "k10_before_30"}


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("k_top", "PARAMETER=VALUE"),
        ("", "PARAMETER=VALUE"),
        ("ktop=20", "k_top"),
        ("=20", "k_top"),
        ("k_top=ten", "ten"),
        ("k_top=", "k_top"),
        ("k_top=" + "9" * 5_000, "k_top"),
        ("expectancy=guess", "logistic"),
        ("k10_before_30=perhaps", "perhaps"),
        ("k_top=\x1b[2J", "k_top"),
    ],
)
def test_a_bad_parameter_is_a_usage_error(run, match, setting, told):
    done = run("rate", match, *FIDE, "--set", setting)
    assert done.status == 2
    assert done.out == ""
    assert told in squeezed(done.err)
    assert "\x1b" not in done.err


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999"])
def test_a_parameter_is_a_finite_number(run, match, value):
    done = run("rate", match, *FIDE, "--set", f"points_per_half_point={value}")
    assert done.status == 2
    assert "points_per_half_point" in squeezed(done.err)


def without_standings(folder: Path) -> Path:
    document = two_players()
    for player in document["players"]:
        del player["standing"]
    return file(folder, document)


PLAYERS_FILES: dict[str, object] = {
    "csv": b"id;rating;games;reached_2400\r\nA;2806;100;true\r\nB;2577;100;true\r\n",
    "flat": [{"id": "A", "rating": 2806, **TOP}, {"id": "B", "rating": 2577, **TOP}],
    "nested": {"players": two_players()["players"]},
}


@pytest.mark.parametrize("kind", PLAYERS_FILES)
def test_players_fill_what_the_report_lacks(run, tmp_path, kind):
    players = file(tmp_path, PLAYERS_FILES[kind], "players")
    done = run("rate", without_standings(tmp_path), *FIDE, "--players", players, "--format", "json")
    assert done.status == 0
    assert [row["after"] for row in loads(done.out)["players"]] == [2798, 2585]


def test_a_rating_that_contradicts_is_a_finding_at_its_place(run, tmp_path, match):
    players = file(tmp_path, b"id,rating\nB,2577\nA,2805\n", "players.csv")
    document = loads(run("rate", match, *FIDE, "--players", players, "--format", "json").out)
    (finding,) = [f for f in document["findings"] if f["code"] == "players.rating-differs"]
    assert finding["where"] == {"file": str(players), "line": 3, "player": "A"}
    assert [row["after"] for row in document["players"]] == [2798, 2585]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file.empty"),
        (bytes(range(256)) * 20, "file.binary"),
        (b"number,rating\nA,2806\n", "players.no-id"),
        (b"id,rating\nA,28O6\n", "report.bad-value"),
        (b"id,rating\nA,2806\nA,2806\n", "players.duplicate"),
        (b"{", "json.syntax"),
        ('[{"id": "ü"}]'.encode("latin-1"), "json.encoding"),
    ],
)
def test_a_bad_players_file_refuses_every_report(run, tmp_path, match, data, code):
    players = file(tmp_path, data, "players.csv")
    done = run("rate", match, match, *FIDE, "--players", players, "--format", "jsonl")
    assert done.status == 1
    for line in done.out.splitlines():
        document = loads(line)
        assert document["players"] == []
        (finding,) = [f for f in document["findings"] if f["code"] == code]
        assert finding["where"]["file"] == str(players)


def test_a_missing_players_file_is_a_finding(run, tmp_path, match):
    done = run("rate", match, *FIDE, "--players", tmp_path / "none.csv")
    assert done.status == 1
    assert "file.unreadable" in done.err
    assert "2798" not in done.out


# Bad input


def player_of(**standing: object) -> dict[str, Any]:
    document = two_players()
    document["players"][0]["standing"] = standing
    return document


def games_of(*games: dict[str, Any]) -> dict[str, Any]:
    return two_players(games=[{"round": 1, "white": "A", "black": "B", **game} for game in games])


def long_line() -> bytes:
    return b'{"ratingbook": "' + b"a" * (100 * 1024 * 1024)


BAD_REPORTS: dict[str, tuple[object, str]] = {
    "empty": (b"", "file.empty"),
    "binary": (bytes(range(256)) * 100, "file.binary"),
    "archive": (b"PK\x03\x04" + bytes(200), "file.binary"),
    "other text": (b"Dear arbiter, the results follow.\n", "file.unknown-format"),
    "latin-1": (json.dumps({"a": "ü"}, ensure_ascii=False).encode("latin-1"), "json.encoding"),
    "utf-16": (json.dumps(two_players()).encode("utf-16"), "json.encoding"),
    "cut off": (json.dumps(two_players()).encode()[:-20], "json.syntax"),
    "NaN": (b'{"ratingbook": "report/1", "players": [], "games": NaN}', "json.syntax"),
    "other json": ({"tournament": 5}, "report.version"),
    "meets himself": (games_of({"black": "A", "result": "1-0"}), "game.self"),
    "contradiction": (games_of({"result": "1-0"}, {"result": "0-1"}), "game.contradiction"),
    "contradiction of colours": (
        games_of({"result": "1-0"}, {"white": "B", "black": "A", "result": "1-0"}),
        "game.contradiction",
    ),
    "the same game twice": (games_of({"result": "1-0"}, {"result": "1-0"}), "game.duplicate"),
    "unknown player": (games_of({"black": "C", "result": "1-0"}), "game.unknown-player"),
    "no opponent": (games_of({"black": None, "result": "1-0"}), "game.no-opponent"),
    "player twice": (two_players(players=[{"id": "A"}, {"id": "A"}, {"id": "B"}]),
                     "player.duplicate"),
    "no players": (two_players(players=[], games=[]), "report.no-players"),
    "negative rating": (player_of(rating=-1), "player.rating-range"),
    "rating of nobody": (player_of(rating=100_000), "player.rating-range"),
    "broken rating": (player_of(rating=2806.5), "rating.not-whole"),
    "rating as text": (player_of(rating="2806"), "report.bad-value"),
    "negative rating in a game": (games_of({"result": "1-0", "white_rating": -5}),
                                  "game.rating-range"),
    "unknown result": (two_players("2-0"), "report.bad-value"),
    "bad date": (two_players(event={"start": "2010-02-30"}), "report.bad-value"),
    "date beyond all dates": (two_players(event={"start": "2010-01-08", "end": "9999-12-31"}),
                              "report.bad-value"),
    "without games": ({"ratingbook": "report/1", "players": [{"id": "A"}]}, "report.missing-key"),
}  # fmt: skip
PLACELESS = {"report.no-players", "file.empty", "report.missing-key"}
"""What is missing altogether has no place but the file."""


@pytest.mark.parametrize("kind", BAD_REPORTS)
def test_bad_input_is_refused_with_place_and_remedy(run, tmp_path, kind):
    data, code = BAD_REPORTS[kind]
    path = file(tmp_path, data)
    done = run("rate", path, *FIDE, "--format", "json", "--explain", "all")
    assert done.status == 1
    document = loads(done.out)
    assert document["players"] == []
    found = [f for f in document["findings"] if f["code"] == code]
    assert found, document["findings"]
    assert found[0]["severity"] in ("fatal", "error")
    assert found[0]["remedy"]
    assert found[0]["where"]["file"] == str(path)
    assert len(found[0]["where"]) > 1 or code in PLACELESS | {"file.binary"}


@pytest.mark.parametrize("kind", BAD_REPORTS)
def test_a_refused_report_has_no_table_at_all(run, tmp_path, match, kind):
    path = file(tmp_path, BAD_REPORTS[kind][0], "bad.json")
    done = run("rate", path, *FIDE, "--explain", "all")
    assert done.status == 1
    assert done.out == ""
    assert BAD_REPORTS[kind][1] in done.err
    assert "bad.json" in squeezed(done.err)
    done = run("rate", path, *FIDE, "--format", "csv")
    assert done.status == 1
    assert len(list(csv.reader(io.StringIO(done.out)))) == 1
    done = run("rate", path, match, *FIDE, "--format", "csv")
    assert done.status == 1
    assert [row["report"] for row in csv.DictReader(io.StringIO(done.out))] == [str(match)] * 2


@pytest.mark.parametrize("format_", FORMATS)
def test_a_line_of_100_megabytes_is_refused(command, tmp_path, format_):
    path = file(tmp_path, long_line())
    done = command("rate", path, *FIDE, "--format", format_)
    path.unlink()
    assert done.status == 1
    assert "file.too-large" in done.out + done.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("rate",), "REPORT"),
        (("rate", "REPORT"), "rulebook"),
        (("rate", *FIDE), "REPORT"),
        (("rate", "REPORT", "--rulebook", "fide-2090"), "fide-2009"),
        (("rate", "REPORT", "--rulebook", ""), "fide-2009"),
        (("rate", "REPORT", "--rulebook", "\x1b[2J"), "fide-2009"),
        (("rate", "REPORT", *FIDE, "--format", "xml"), "jsonl"),
        (("rate", "REPORT", *FIDE, "--explian", "A"), "--explian"),
        (("rait",), "rait"),
    ],
)
def test_usage(run, match, arguments, told):
    done = run(*(match if argument == "REPORT" else argument for argument in arguments))
    assert done.status == 2
    assert done.out == ""
    assert told.lower() in squeezed(done.err).lower()
    assert "\x1b" not in done.err


# The installed command


def test_exit_status_0(command):
    done = command("rate", SPRING_OPEN, *FIDE, "--players", SPRING_PLAYERS, "--explain", "5")
    assert done.status == 0
    assert "Alpha, Anna" in done.out
    assert "5 Echo, Emil" in done.out


def test_exit_status_1(command, tmp_path):
    done = command("rate", file(tmp_path, b""), *FIDE)
    assert done.status == 1
    assert done.out == ""
    assert "file.empty" in done.err


def test_exit_status_2(command, match):
    done = command("rate", match, "--rulebook", "fide-2090")
    assert done.status == 2
    assert done.out == ""
    assert "fide-2009" in done.err


def test_a_bad_encoding_of_the_terminal(tmp_path):
    """Names are written in UTF-8 whatever the locale says."""
    document = two_players()
    document["players"][0]["name"] = "Łukasz Müller 李"
    done = subprocess.run(
        [COMMAND, "rate", file(tmp_path, document), *FIDE],
        capture_output=True,
        check=False,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )
    assert done.returncode == 0
    assert "Łukasz Müller 李" in done.stdout.decode("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("format_", FORMATS)
def test_odd_names_of_files(tmp_path, format_):
    names = (b"\xff\xfe.json", b"\x1b[31m.json", b"[bold].json")
    paths = [os.path.join(os.fsencode(tmp_path), name) for name in names]
    for data in (json.dumps(two_players()).encode(), b""):
        for path in paths:
            Path(os.fsdecode(path)).write_bytes(data)
        # All together, and one by itself, which is named otherwise.
        for asked in (paths, paths[1:2]) if format_ == "table" else (paths,):
            done = subprocess.run(
                [COMMAND, "rate", *asked, *asked, *FIDE, "--format", format_],
                capture_output=True,
                check=False,
            )
            assert done.returncode == (0 if data else 1)
            assert b"Traceback" not in done.stderr
            assert b"\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize("format_", FORMATS)
def test_a_reader_that_goes_away_is_no_error(format_):
    """As in ``ratingbook rate … | head -1``, with the reader gone before anything is written."""
    reading, writing = os.pipe()
    os.close(reading)
    explain = () if format_ == "csv" else ("--explain", "all")
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(
            [COMMAND, "rate", SPRING_OPEN, *FIDE, *explain, "--format", format_],
            stdout=pipe,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 0
    assert "Error" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("format_", FORMATS)
def test_a_full_disk_is_said_in_one_line(format_):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [COMMAND, "rate", SPRING_OPEN, *FIDE, "--format", format_],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_a_closed_output_is_no_error(match):
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", COMMAND, "rate", match, *FIDE],
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_a_bar_on_the_terminal_leaves_the_output_alone(match):
    """Progress goes to the terminal of the findings; the results stay where they were sent."""
    master, terminal = pty.openpty()
    try:
        done = subprocess.run(
            [COMMAND, "rate", match, match, match, *FIDE, "--format", "jsonl"],
            stdout=subprocess.PIPE,
            stderr=terminal,
            check=False,
            env={**os.environ, "TERM": "xterm"},
        )
    finally:
        os.close(terminal)
        seen = os.read(master, 100_000)
        os.close(master)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 3
    assert all(len(loads(line)["players"]) == 2 for line in done.stdout.decode().splitlines())
    assert b"rating" in seen
    assert b"players" not in seen


# Anything at all

IDS = st.sampled_from("ABCDE")
RATINGS = st.integers(1000, 2800) | st.sampled_from([1, 1199, 1200, 2400, 4000, 0, -1, 2000.5])
STANDINGS = st.fixed_dictionaries(
    {},
    optional={
        "rating": RATINGS,
        "games": st.integers(0, 60),
        "wins": st.integers(0, 20),
        "status": st.sampled_from(["unrated", "provisional", "established", "unlisted"]),
        "reached_2400": st.booleans(),
    },
)
DATES = st.sampled_from(["2010-01-08", "2009-07-01", "2011-06-30", "1800-01-01", "2199-12-31"])
DECISIONS = st.dictionaries(
    st.sampled_from(["base_rating", "initial_rating", "reason"]),
    RATINGS | st.booleans() | st.text(max_size=3) | st.none(),
)
HISTORIES = st.lists(
    st.fixed_dictionaries(
        {"opponent": RATINGS, "score": st.sampled_from([0, 0.5, 1])},
        optional={"own": RATINGS, "start": DATES, "event": st.text(max_size=3)},
    ),
    max_size=9,
)
GAMES = st.fixed_dictionaries(
    {"white": IDS, "black": IDS | st.none()},
    optional={
        "result": st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]),
        "status": st.sampled_from(
            "played played played time forfeit withdrawn adjudicated cancelled bye".split()
        ),
        "round": st.integers(0, 30),
        "section": st.sampled_from("XY"),
        "event": st.sampled_from("VW"),
        "start": DATES,
        "end": DATES,
        "white_rating": RATINGS,
        "black_rating": RATINGS,
        "white_for": IDS,
        "rated": st.booleans() | st.fixed_dictionaries({"white": st.booleans()}),
    },
)
NUMBERED = st.lists(GAMES, max_size=12).map(
    lambda games: [{**game, "round": number} for number, game in enumerate(games, 1)]
)
EVENTS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.text(max_size=5),
        "start": DATES,
        "end": DATES,
        "kind": st.sampled_from(["swiss", "round_robin", "team", "match"]),
        "category": st.sampled_from(["official", "other"]),
    },
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Documents that the reader understands; not all of them make sense."""
    players = []
    for player in draw(st.sampled_from([("A", "B"), ("A", "B", "C"), tuple("ABCDE")])):
        entry: dict[str, Any] = {"id": player}
        for key, values in (("standing", STANDINGS), ("history", HISTORIES)):
            if draw(st.booleans()):
                entry[key] = draw(values)
        if draw(st.integers(0, 9)) == 0:
            entry["decisions"] = draw(DECISIONS)
        players.append(entry)
    return {
        "ratingbook": "report/1",
        "event": draw(EVENTS),
        "players": players,
        "games": draw(NUMBERED | st.lists(GAMES, max_size=8)),
    }


def sensible(document: dict[str, Any]) -> dict[str, Any]:
    """The document without what every rule book refuses, so that some are rated."""
    ids = {player["id"] for player in document["players"]}
    games = [
        game
        for game in document["games"]
        if game["black"] and game["white"] != game["black"]
        and ids >= {game["white"], game["black"], game.get("white_for", game["white"])}
    ]  # fmt: skip
    return {**document, "games": [{**game, "round": n} for n, game in enumerate(games, 1)]}


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | DATES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner,
                                                                max_size=2),
    max_leaves=4,
)  # fmt: skip


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every object and list in a document, with each of its keys."""
    if not isinstance(data, dict | list):
        return []
    keys = list(data) if isinstance(data, dict) else list(range(len(data)))
    return [(data, key) for key in keys] + [each for key in keys for each in places(data[key])]


@st.composite
def spoilt(draw: st.DrawFn) -> Any:
    """A document with something replaced or removed."""
    document = draw(documents().map(sensible))
    for _ in range(draw(st.integers(1, 2))):
        found = places(document)
        if found:
            holder, key = found[draw(st.integers(0, len(found) - 1))]
            if draw(st.booleans()):
                holder[key] = draw(JUNK)
            else:
                del holder[key]
    return document


def rows_or_reasons(run: Any, path: Path, data: object, *options: object) -> None:
    """The document is rated, or refused for reasons and without a single row."""
    path.write_text(json.dumps(data), "utf-8")
    done = run("rate", path, *options, "--format", "json", "--explain", "all")
    document = loads(done.out)
    refusing = [f for f in document["findings"] if f["severity"] in ("fatal", "error")]
    assert done.status == (1 if refusing else 0)
    if refusing:
        assert document["players"] == []
        return
    assert isinstance(data, dict)
    ids = [row["id"] for row in document["players"]]
    sections = {game.get("section") for game in data["games"]}
    given_ids = (player["id"] for player in data["players"])
    assert set(ids) <= {str(int(i) if isinstance(i, float) else i) for i in given_ids}
    assert len(sections) > 1 or len(ids) == len(data["players"])
    assert all(row.keys() >= PLAYER_KEYS for row in document["players"])


ANYTHING = settings(max_examples=20, deadline=None, suppress_health_check=[*HealthCheck])
every_edition = pytest.mark.parametrize("edition", registry.names())


@every_edition
@ANYTHING
@given(data=documents() | documents().map(sensible))
def test_any_document_gives_rows_or_reasons(run, tmp_path, edition, data):
    rows_or_reasons(run, tmp_path / "report.json", data, "--rulebook", edition)


@every_edition
@ANYTHING
@given(data=spoilt() | JUNK)
def test_any_spoilt_document_gives_rows_or_reasons(run, tmp_path, edition, data):
    rows_or_reasons(run, tmp_path / "report.json", data, "--rulebook", edition)


@ANYTHING
@given(documents().map(sensible), documents() | spoilt())
def test_any_players_file_gives_rows_or_reasons(run, tmp_path, data, others):
    players = tmp_path / "players.json"
    players.write_text(json.dumps(others), "utf-8")
    rows_or_reasons(run, tmp_path / "report.json", data, *FIDE, "--players", players)


def test_csv_has_no_place_for_an_explanation_and_says_so(run, tmp_path):
    words = ("rate", SPRING_OPEN, *FIDE, "--players", SPRING_PLAYERS, "--explain", "1")
    for how in (("--format", "csv"), ("-o", str(tmp_path / "x.csv"))):
        done = run(*words, *how)
        assert (done.status, done.out) == (2, "")
        assert "--explain goes with --format table, json, jsonl or html" in done.err


def test_a_name_that_is_none_is_cut(run, tmp_path):
    long = "Alder" + "A" * 90_000
    (tmp_path / "t.csv").write_text(
        f"White,White Elo,Black,Black Elo,Result\n{long},1500,Bär,1400,1-0\n", "utf-8"
    )
    done = run("rate", tmp_path / "t.csv", "--rulebook", "elo")
    assert done.status == 0
    assert "AlderAAA" in done.out
    assert "…" in done.out
    assert len(done.out) < 2000
