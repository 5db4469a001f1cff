"""The report document: the contract's keys, every way to be wrong, and the published schema."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ratingbook.formats.differences import differences
from ratingbook.formats.document.keys import declared
from ratingbook.formats.document.read import (
    MAX_FAULTS,
    MAX_UNKNOWN_KEYS,
    read_document,
    report_from,
)
from ratingbook.formats.document.schema import schema, schema_text
from ratingbook.formats.document.write import (
    frozen_side_as_dict,
    report_as_dict,
    standing_as_dict,
    write_document,
)
from ratingbook.model import (
    Finding,
    Findings,
    FrozenSide,
    GameStatus,
    Report,
    Result,
    SectionHead,
    Severity,
    Standing,
    StandingStatus,
)

ROOT = Path(__file__).parents[3]
PUBLISHED_SCHEMA = ROOT / "docs" / "report-1.schema.json"
OURS = declared(ours=True)

CONTRACT: dict[str, Any] = {
    "ratingbook": "report/1",
    "event": {
        "name": "Autumn Open",
        "place": "Exampleton",
        "federation": "GER",
        "start": "2011-11-05",
        "end": "2011-11-06",
        "kind": "swiss",
        "category": "master_class",
        "time_control": "G/90;d5",
        "class": "A",
        "level": 2200,
        "pool": "regular",
    },
    "players": [
        {
            "id": "1",
            "name": "Alpha, Anna",
            "federation": "GER",
            "sex": "w",
            "birth_date": "1996-04-01",
            "adult": True,
            "grade": "3k",
            "standing": {"rating": 1700, "games": 30, "wins": 12, "draws": 6, "losses": 12},
            "foreign": {"fide": 1650, "cfc": None, "national": None},
            "pools": {"quick": {"rating": 1650, "games": 12}},
            "history": [{"own": 1800, "opponent": 1936, "score": 0.5}],
        },
        {"id": "2"},
    ],
    "games": [
        {
            "round": 1,
            "section": "A",
            "white": "1",
            "black": "2",
            "result": "1-0",
            "status": "played",
            "handicap": 0,
            "start": "2011-11-05",
            "end": "2011-11-05",
            "reported": "2011-11-07",
            "white_rating": 1700,
            "black_rating": 1650,
            "rated": {"white": True, "black": True},
        }
    ],
}
"""The example of the contract, with names and a second player, so that it is valid."""

BESIDE_THE_EXAMPLE: dict[str, dict[str, Any]] = {
    "standing": {
        "status": "established",
        "events": 4,
        "peak": 1750,
        "floor": 1500,
        "olm": False,
        "reached_2400": False,
        "highest_grade": "2k",
        "starting_rating": 800,
        "ter": 1690.5,
    },
    "history": {"start": "2011-10-01", "event": "Summer Open"},
    "game": {
        "event": "Autumn Open",
        "table_result": "0-1",
        "white_for": "2",
        "black_for": "1",
        "margin": 3,
        "neutral": True,
    },
    "player": {"decisions": {"initial_rating": 406, "reason": "result of a match"}},
}
"""What the contract names in its text only, by the object that holds it."""


def full() -> dict[str, Any]:
    """A document with every key that the contract names."""
    data, more = copy.deepcopy((CONTRACT, BESIDE_THE_EXAMPLE))
    player, game = data["players"][0], data["games"][0]
    player["standing"] |= more["standing"]
    player["history"][0] |= more["history"]
    player |= more["player"]
    game |= more["game"]
    return data


def read(data: object) -> tuple[Report | None, Findings]:
    return read_document(data if isinstance(data, str) else json.dumps(data))


def report_of(data: object) -> Report:
    """The report of a document that has no finding at all."""
    report, findings = read(data)
    assert list(findings) == []
    assert report is not None
    return report


def only(findings: Findings) -> Finding:
    (finding,) = findings
    return finding


def refused(data: object, code: str, path: str | None = None) -> Finding:
    """The finding with that code, which refuses the document and says what to do."""
    _, findings = read(data)
    found = [finding for finding in findings if finding.code == code]
    assert found, [str(finding) for finding in findings]
    assert found[0].severity.refuses
    assert found[0].message
    assert found[0].remedy
    if path is not None:
        assert found[0].where.path == path
    return found[0]


def at(data: Any, path: str) -> tuple[Any, str | int]:
    """The object or list that holds the place of a path, and the key in it."""
    keys = [int(key) if key.isdigit() else key for key in re.findall(r"[^.\[\]]+", path)]
    for key in keys[:-1]:
        data = data[key]
    return data, keys[-1]


def changed(path: str, value: object) -> dict[str, Any]:
    """The full document with another value at one place."""
    data = full()
    holder, key = at(data, path)
    holder[key] = value
    return data


# What is read


def test_the_contracts_example_reads():
    report = report_of(CONTRACT)
    assert report.event.name == "Autumn Open"
    assert report.event.class_ == "A"
    assert report.event.level == 2200
    assert (report.event.start, report.event.end) == (date(2011, 11, 5), date(2011, 11, 6))
    anna, second = report.entries
    assert (anna.id, anna.sex, anna.adult, anna.grade) == ("1", "w", True, "3k")
    assert anna.birth_date == date(1996, 4, 1)
    assert anna.standing == Standing(1700, 30, 12, 6, 12)
    assert anna.foreign == {"fide": 1650, "cfc": None, "national": None}
    assert anna.pools == {"quick": Standing(1650, 12)}
    assert anna.history == (FrozenSide(own=1800, opponent=1936, score=0.5),)
    assert second.standing is None
    (game,) = report.games
    assert (game.white, game.black, game.round, game.section) == ("1", "2", 1, "A")
    assert (game.result, game.status) == (Result.WHITE_WINS, GameStatus.PLAYED)
    assert (game.white_rating, game.black_rating) == (1700, 1650)
    assert (game.white_rated, game.black_rated) == (True, True)
    assert game.reported == date(2011, 11, 7)


def test_what_the_contract_names_beside_its_example_reads():
    report = report_of(full())
    standing = report.entries[0].standing
    assert standing is not None
    assert standing.status is StandingStatus.ESTABLISHED
    expected = BESIDE_THE_EXAMPLE["standing"]
    assert standing.extra == {key: expected[key] for key in expected if key != "status"}
    assert report.entries[0].history[0].start == date(2011, 10, 1)
    assert report.entries[0].history[0].event == "Summer Open"
    assert report.entries[0].decisions == BESIDE_THE_EXAMPLE["player"]["decisions"]
    (game,) = report.games
    assert game.table_result is Result.BLACK_WINS
    assert (game.event, game.white_for, game.black_for) == ("Autumn Open", "2", "1")


def keys_of(data: Any, path: str = "") -> Iterator[str]:
    """The paths of all keys of a document, without the numbers of list items."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield f"{path}.{key}".lstrip(".")
            yield from keys_of(value, f"{path}.{key}")
    elif isinstance(data, list):
        for item in data:
            yield from keys_of(item, path)


def test_the_example_is_the_one_of_the_contract(reference: Path):
    """The first JSON block of the design page; its dots stand for names."""
    text = (reference / "DESIGN.md").read_text("utf-8")
    block = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert block is not None
    theirs = json.loads(block[1])
    assert set(keys_of(theirs)) == set(keys_of(CONTRACT))
    _, findings = read(theirs)
    assert list(findings) == []


@pytest.mark.parametrize("value", ["1-0", "0-1", "1/2-1/2", "*"])
def test_results(value):
    data = changed("games[0].result", value)
    assert report_of(data).games[0].result.value == value


@pytest.mark.parametrize(
    "value", ["played", "time", "forfeit", "withdrawn", "adjudicated", "cancelled", "bye"]
)
def test_statuses_of_games(value):
    data = changed("games[0].status", value)
    assert report_of(data).games[0].status.value == value


@pytest.mark.parametrize(
    ("flag", "white", "black"),
    [
        (True, True, True),
        (False, False, False),
        (None, True, True),
        ({}, True, True),
        ({"white": False}, False, True),
        ({"black": False, "white": None}, True, False),
    ],
)
def test_the_rated_flag_is_one_for_both_sides_or_one_for_each(flag, white, black):
    (game,) = report_of(changed("games[0].rated", flag)).games
    assert (game.white_rated, game.black_rated) == (white, black)


def test_a_bye_has_no_black():
    data = {**CONTRACT, "games": [{"round": 1, "white": "1", "status": "bye"}]}
    assert report_of(data).games[0].black is None


def test_a_standing_may_hold_no_rating():
    data = changed("players[1].standing", {"status": "starting", "starting_rating": 1400})
    standing = report_of(data).entries[1].standing
    assert standing == Standing(status=StandingStatus.STARTING, extra={"starting_rating": 1400})


def test_whole_numbers_as_ids_are_their_digits():
    data = {
        "ratingbook": "report/1",
        "players": [{"id": 7}, {"id": 8.0}],
        "games": [{"white": 7, "black": "8"}],
    }
    report = report_of(data)
    assert [entry.id for entry in report.entries] == ["7", "8"]
    assert (report.games[0].white, report.games[0].black) == ("7", "8")


def test_a_rule_book_may_read_more_of_a_standing():
    text = json.dumps(changed("players[1].standing", {"rating": 1500, "league": "north"}))
    report, findings = read_document(text, {"league": object})
    assert list(findings) == []
    assert report is not None
    assert report.entries[1].standing == Standing(1500, extra={"league": "north"})


def nullable() -> list[str]:
    """The paths of all keys of the full document that are not required."""
    required = (
        r"ratingbook|players|games|players\[\d\]\.id|games\[\d\]\.white"
        r"|players\[\d\]\.history\[\d\]\.(opponent|score)"
    )

    def paths(data: Any, path: str) -> Iterator[str]:
        if isinstance(data, dict):
            for key, value in data.items():
                yield f"{path}.{key}".lstrip(".")
                yield from paths(value, f"{path}.{key}")
        elif isinstance(data, list):
            for index, item in enumerate(data):
                yield from paths(item, f"{path}[{index}]")

    return [path for path in paths(full(), "") if not re.fullmatch(required, path)]


@pytest.mark.parametrize("path", nullable())
def test_null_is_as_good_as_absent(path):
    absent = full()
    holder, key = at(absent, path)
    del holder[key]
    null_report, null_findings = read(changed(path, None))
    absent_report, absent_findings = read(absent)
    keeps_nulls = re.fullmatch(r"players\[0\]\.(foreign|decisions)\..*", path)
    if not keeps_nulls:
        assert null_report == absent_report
    assert list(null_findings) == list(absent_findings)
    assert Draft202012Validator(schema(OURS)).is_valid(changed(path, None))


# Unknown keys


@pytest.mark.parametrize(
    ("holder", "key", "meant"),
    [
        ("", "event_", "event"),
        ("event", "nmae", "name"),
        ("players[1]", "birthdate", "birth_date"),
        ("players[0].standing", "raiting", "rating"),
        ("players[0].pools.quick", "gams", "games"),
        ("players[0].history[0]", "oponent", "opponent"),
        ("games[0]", "reslut", "result"),
        ("games[0].rated", "whit", "white"),
        ("games[0]", "qqq", None),
    ],
)
def test_an_unknown_key_is_a_finding(holder, key, meant):
    path = f"{holder}.{key}".lstrip(".")
    report, findings = read(changed(path, "x"))
    finding = only(findings)
    assert finding.code == "report.unknown-key"
    assert finding.severity is Severity.WARNING
    assert finding.where.path == path
    assert key in finding.message
    assert finding.remedy
    if meant:
        assert f'"{meant}"' in finding.remedy
    assert report == report_of(full())


def test_an_unknown_key_of_many_games_is_one_finding():
    games = [{"white": "1", "black": "2", "round": n, "opening": "C60"} for n in range(5_000)]
    report, findings = read({**CONTRACT, "games": games})
    finding = only(findings)
    assert finding.where.path == "games[0].opening"
    assert "5000" in finding.message
    assert report is not None
    assert len(report.games) == 5_000


def test_very_many_unknown_keys_are_summed_up():
    data = {**CONTRACT, **{f"key {n}": n for n in range(MAX_UNKNOWN_KEYS + 30)}}
    _, findings = read(data)
    assert len(findings) == MAX_UNKNOWN_KEYS + 1
    assert any("30 more" in finding.message for finding in findings)
    assert not findings.refused


# What is refused


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("event", []),
        ("event", "Open"),
        ("event", 0),
        ("event", ""),
        ("event.name", 5),
        ("event.start", "05.11.2011"),
        ("event.start", "20111105"),
        ("event.start", "2011-W44-6"),
        ("event.start", "2011-11-05T00:00:00"),
        ("event.start", "2011-11-05\n"),
        ("event.start", "2011-02-29"),
        ("event.start", "0001-01-01"),
        ("event.end", "9999-12-31"),
        ("event.start", 20111105),
        ("event.level", "2200"),
        ("players", {}),
        ("players[0]", None),
        ("players[0]", "1"),
        ("players[0].id", ""),
        ("players[0].id", True),
        ("players[0].id", 1.5),
        ("players[0].id", ["1"]),
        ("players[0].sex", "f"),
        ("players[0].adult", 1),
        ("players[0].birth_date", "1996-13-01"),
        ("players[0].standing", 1700),
        ("players[0].standing", []),
        ("players[0].standing.rating", "1700"),
        ("players[0].standing.rating", True),
        ("players[0].standing.rating", [1700]),
        ("players[0].standing.rating", 10**400),
        ("players[0].standing.rating", 1e300),
        ("players[0].standing.games", -1),
        ("players[0].standing.games", 2.5),
        ("players[0].standing.status", "Established"),
        ("players[0].standing.olm", "yes"),
        ("players[0].foreign", [1650]),
        ("players[0].foreign.fide", "1650"),
        ("players[0].pools", []),
        ("players[0].pools.quick", 1650),
        ("players[0].history", {}),
        ("players[0].history[0]", None),
        ("players[0].history[0].score", 2),
        ("players[0].history[0].score", "1/2"),
        ("players[0].decisions", "406"),
        ("players[0].decisions.initial_rating", [406]),
        ("players[0].decisions.reason", 5),
        ("games", "1-0"),
        ("games[0]", ["1", "2", "1-0"]),
        ("games[0].round", "1"),
        ("games[0].round", -1),
        ("games[0].white", {}),
        ("games[0].result", "1:0"),
        ("games[0].result", 1),
        ("games[0].table_result", "0.5"),
        ("games[0].status", "won"),
        ("games[0].handicap", -2),
        ("games[0].rated", "yes"),
        ("games[0].rated.white", "yes"),
    ],
    ids=lambda part: part if isinstance(part, str) and "[0]" in part else repr(part)[:20],
)
def test_a_wrong_value_is_refused_with_its_place(path, value):
    refused(changed(path, value), "report.bad-value", path)


@pytest.mark.parametrize(
    ("path", "value", "example"),
    [
        ("games[0].rated", [True, False], '{"white": true, "black": false}'),
        ("players[0].decisions", [{"rating": 1900}], '{"initial_rating": 1900, "reason": "'),
        ("players[0].ids", ["4100026"], '{"fide": "'),
        ("players[0].foreign", [2100], '{"'),
        ("players[0].pools", [], '{"rapid": {"rating": '),
    ],
)
def test_what_takes_several_values_is_refused_with_an_example(path, value, example):
    finding = refused(changed(path, value), "report.bad-value", path)
    assert example in finding.message
    assert example in finding.remedy


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("players", None),
        ("games", None),
        ("players[0].id", "players[0]"),
        ("games[0].white", "games[0]"),
        ("players[0].history[0].opponent", "players[0].history[0]"),
        ("players[0].history[0].score", "players[0].history[0]"),
    ],
)
@pytest.mark.parametrize("how", ["absent", "null"])
def test_what_is_required_and_missing(path, where, how):
    data = changed(path, None)
    if how == "absent":
        holder, key = at(data, path)
        del holder[key]
    finding = refused(data, "report.missing-key")
    assert finding.where.path == where
    assert path.rpartition(".")[2] in finding.message


def test_a_finding_on_a_player_names_him():
    finding = refused(changed("players[0].standing.rating", "x"), "report.bad-value")
    assert finding.where.player == "1"


@pytest.mark.parametrize("version", [None, "report/2", "", 1, ["report/1"], {}])
def test_another_version_is_refused(version):
    refused({**CONTRACT, "ratingbook": version}, "report.version", "ratingbook")


@pytest.mark.parametrize("text", ["{}", "[]", "null", "5", '"report/1"', "[{}]"])
def test_other_json_is_refused(text):
    refused(text, "report.version")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("{", 1),
        ('{"ratingbook": "report/1",\n "players": [],\n "games": [}', 3),
        ('{"ratingbook": "report/1",}', 1),
        ("{'ratingbook': 'report/1'}", 1),
        ('{"ratingbook": "report/1"} {}', 1),
        ('{"a": "\x01"}', 1),
    ],
)
def test_a_slip_in_the_json_is_refused_with_its_line(text, line):
    finding = refused(text, "json.syntax")
    assert finding.severity is Severity.FATAL
    assert finding.where.line == line
    assert finding.where.column


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("path", ["players[0].standing.rating", "players[0].decisions.x", "more"])
def test_what_is_no_number_in_json_is_refused(word, path):
    text = json.dumps(changed(path, "HERE")).replace('"HERE"', word)
    finding = refused("\n" + text, "json.syntax")
    assert (finding.where.line, finding.where.column) == (2, text.index(word) + 1)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1" + "0" * 400])
@pytest.mark.parametrize("path", ["players[0].standing.rating", "players[0].decisions.x"])
def test_a_number_beyond_all_numbers_is_refused(number, path):
    text = json.dumps(changed(path, "HERE")).replace('"HERE"', number)
    refused(text, "report.bad-value", path)


def test_a_number_of_thousands_of_digits_is_refused():
    text = json.dumps(changed("games[0].round", "HERE"))
    finding = refused(text.replace('"HERE"', "1" * 5_000), "json.syntax")
    assert finding.where.column == text.index('"HERE"') + 1


@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize("path", ["players[0].name", "more"])
def test_deep_nesting_is_no_exception(opening, path):
    """Python's stack ends at a depth of somewhat below 1,000, be it of reading or of showing."""
    closing = "]" if opening == "[" else "}"
    text = json.dumps(changed(path, "HERE"))
    for depth in (100, *range(850, 1_001), 200_000):
        _, findings = read(text.replace('"HERE"', opening * depth + "1" + closing * depth))
        assert findings.refused or path == "more"
        assert len(findings)
    assert only(findings).code == "json.syntax"


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('"result": "1-0"', '"result": "1-0", "result": "0-1"', "games[0]"),
        ('"rating": 1700', '"rating": 1700, "rating": 1800', "players[0].standing"),
        ('"fide": 1650', '"fide": 1650, "fide": 1700', "players[0].foreign"),
        ('"white": true', '"white": true, "white": false', "games[0].rated"),
        ('"games": [{', '"games": [], "games": [{', None),
    ],
)
def test_a_key_that_stands_twice_is_refused(old, new, where):
    text = json.dumps(CONTRACT)
    assert old in text
    finding = refused(text.replace(old, new, 1), "json.repeated-key")
    assert finding.where.path == where


def test_half_a_character_is_no_text():
    text = json.dumps(changed("players[0].name", "HERE")).replace("HERE", "\\ud83d")
    finding = refused(text, "report.bad-value", "players[0].name")
    finding.message.encode("utf-8")
    text = json.dumps(changed("HERE", 1)).replace("HERE", "\\ud83d")
    unknown = only(read(text)[1])
    assert unknown.code == "report.unknown-key"
    str(unknown.where).encode("utf-8")


def test_a_finding_shows_a_long_value_in_part():
    finding = refused(changed("event.start", "x" * 10_000), "report.bad-value")
    assert len(finding.message) < 200
    _, findings = read(changed("y" * 10_000, 1))
    assert len(only(findings).message) < 200
    assert len(str(only(findings).where)) < 200


def test_after_very_many_faults_nothing_more_is_read():
    report, findings = read({**CONTRACT, "games": [{}] * (MAX_FAULTS + 500)})
    assert report is None
    assert len(findings) == MAX_FAULTS + 1
    assert [f.code for f in findings if f.severity is Severity.FATAL] == ["report.too-many-faults"]


@pytest.mark.parametrize("key", ["players", "games"])
def test_a_history_is_no_report(key, monkeypatch):
    monkeypatch.setattr("ratingbook.formats.document.read.MAX_ITEMS", 2)
    finding = refused({**CONTRACT, key: [{"id": "1", "white": "1"}] * 3}, "file.too-large", key)
    assert finding.severity is Severity.FATAL


def test_a_decision_needs_a_reason():
    _, findings = read(changed("players[0].decisions", {"initial_rating": 406}))
    finding = only(findings)
    assert finding.code == "decision.no-reason"
    assert finding.severity is Severity.WARNING
    assert finding.where.player == "1"


def test_a_document_in_memory():
    assert report_from(CONTRACT) == report_of(CONTRACT)
    with pytest.raises(ValueError, match="players"):
        report_from({**CONTRACT, "players": 5})
    with pytest.raises(ValueError, match="games"):
        report_from({**CONTRACT, "games": [{}] * (MAX_FAULTS + 1)})


def test_standings_and_frozen_sides_are_written_as_they_are_read():
    player = full()["players"][0]
    entry = report_of(full()).entries[0]
    assert entry.standing is not None
    assert standing_as_dict(entry.standing) == player["standing"]
    assert [frozen_side_as_dict(side) for side in entry.history] == player["history"]


def _documents() -> st.SearchStrategy[Any]:
    return DOCUMENTS


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.deferred(_documents) | st.builds(full))
def test_what_is_written_reads_as_the_same_report(data):
    first, findings = read(data)
    if first is None or findings.refused:
        return
    written = write_document(first)
    assert VALIDATOR.is_valid(json.loads(written.files[""]))
    again, findings = read_document(written.files[""].decode())
    assert not findings.refused
    assert again is not None
    assert not list(differences(first, again, {}, "report document"))
    assert report_as_dict(again) == report_as_dict(first)


# The schema


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(schema(OURS))


def test_the_published_schema_is_that_of_the_reader():
    r"""To publish it anew, after a change of the document:

    .venv/bin/python -c \
        "from ratingbook.formats.document import keys, schema
        print(schema.schema_text(keys.declared(ours=True)), end='')" \
        > docs/report-1.schema.json
    """
    assert json.loads(PUBLISHED_SCHEMA.read_text("utf-8")) == schema(OURS)
    assert PUBLISHED_SCHEMA.read_text("utf-8") == schema_text(OURS)


VALIDATOR = Draft202012Validator(schema(OURS), format_checker=Draft202012Validator.FORMAT_CHECKER)


def reader_accepts(data: object) -> bool:
    """Whether the reader finds nothing that the schema could find.

    Two things the schema cannot say, and the documents drawn below do not hold: that a key
    stands twice, and that a text has half a character.
    """
    _, findings = read(data)
    return not findings.refused and all(f.code != "report.unknown-key" for f in findings)


DATES = st.sampled_from(
    ["2011-11-05", "2012-02-29", "2011-02-29", "20111105", "2011-W44-6", "2011-11-5", "0001-01-01",
     "1800-01-01", "2199-12-31", "9999-12-31", "2011-11-05\n", "٢٠١١-11-05", "2011-11-05T10:00"]
)  # fmt: skip
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([0, 1, -1, 0.5, 1.0, 2.5, -0.0, 10**9, 10**9 + 1, 1e9, 1e300, 10**400]),
    st.floats(allow_nan=False, allow_infinity=False),
    DATES,
    st.sampled_from(["", "1", "m", "w", "1-0", "1/2-1/2", "*", "bye", "played", "unrated"]),
    st.text(max_size=5),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "white", "rating", "opponent", "score", "reason", "x", ""]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


def valid(definition: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a part of the schema allows."""
    match definition:
        case {"const": value}:
            return st.just(value)
        case {"enum": values}:
            return st.sampled_from(values)
        case {"anyOf": parts}:
            return st.one_of(*(valid(part) for part in parts))
        case {"$ref": name}:
            return st.deferred(lambda: valid(DEFINITIONS[name.rpartition("/")[2]]))
    kinds = definition["type"] if isinstance(definition["type"], list) else [definition["type"]]
    return st.one_of(*(_valid_kind(kind, definition) for kind in kinds))


def _valid_kind(kind: str, definition: dict[str, Any]) -> st.SearchStrategy[Any]:
    least, most = definition.get("minimum"), definition.get("maximum")
    match kind:
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(least, most) | st.integers(least, most).map(float)
        case "number":
            return st.integers(least, most) | st.floats(least, most)
        case "array":
            return st.lists(valid(definition["items"]), max_size=3)
        case "string" if definition.get("format") == "date":
            return st.dates(date(1800, 1, 1), date(2199, 12, 31)).map(date.isoformat)
        case "string":
            return st.text(min_size=definition.get("minLength", 0), max_size=5)
    properties = definition.get("properties", {})
    required = definition.get("required", ())
    fixed = st.fixed_dictionaries(
        {key: valid(properties[key]) for key in required},
        optional={key: valid(properties[key]) for key in properties if key not in required},
    )
    more = definition["additionalProperties"]
    if more is False:
        return fixed
    others = st.dictionaries(st.sampled_from(["a", "b.c", "fide"]), valid(more), max_size=2)
    return st.builds(lambda one, other: {**other, **one}, fixed, others)


SCHEMA: dict[str, Any] = schema(OURS)
DEFINITIONS = SCHEMA["$defs"]
DOCUMENTS: st.SearchStrategy[Any] = valid(SCHEMA)


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every object and list in a document, with each of its keys."""
    if isinstance(data, dict | list):
        for key in list(data) if isinstance(data, dict) else range(len(data)):
            yield data, key
            yield from places(data[key])


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    """A valid document with up to three changes, which may leave it valid."""
    data = draw(DOCUMENTS | st.just(full()).map(copy.deepcopy))
    for _ in range(draw(st.integers(1, 3))):
        found = list(places(data))
        if not found:
            break
        holder, key = found[draw(st.integers(0, len(found) - 1))]
        match draw(st.sampled_from(["replace", "replace", "remove", "add"])):
            case "replace":
                holder[key] = draw(VALUES)
            case "remove":
                del holder[key]
            case "add" if isinstance(holder, dict):
                holder[draw(st.sampled_from(["x", "", "rating", "name"]))] = draw(VALUES)
    return data


AGREEMENT = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


@AGREEMENT
@given(DOCUMENTS)
def test_the_reader_accepts_what_the_schema_allows(data):
    assert VALIDATOR.is_valid(data)
    assert reader_accepts(data)


@AGREEMENT
@given(mutated())
@example({**CONTRACT, "players": [{"id": "1", "decisions": {"reason": None}}]})
@example({**CONTRACT, "event": None})
def test_the_reader_and_the_schema_agree(data):
    assert reader_accepts(data) == VALIDATOR.is_valid(data)


@AGREEMENT
@given(VALUES)
def test_any_json_is_read_without_an_exception(data):
    for text in (json.dumps(data), json.dumps({**CONTRACT, "players": data, "games": data})):
        read_document(text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40) | st.text('{}[]",:\\u0d1-e.', max_size=40))
def test_any_text_is_read_without_an_exception(text):
    report, findings = read_document(text)
    assert report is None
    assert findings.refused


SECTIONS = [
    {"name": "B", "number": 1, "pool": "quick", "time_control": "G/15", "kind": "swiss",
     "start": "2011-11-05", "end": "2011-11-06"},
    {"name": "A", "number": 2},
]  # fmt: skip


def test_what_a_report_says_of_its_sections():
    games = [{"white": "1", "black": "2", "section": name} for name in ("C", "A", "B")]
    report, findings = read({**CONTRACT, "sections": SECTIONS, "games": games})
    assert report is not None
    assert not findings.refused
    day = date(2011, 11, 5)
    assert report.section_heads == (
        SectionHead("B", 1, "quick", "G/15", "swiss", day, date(2011, 11, 6)),
        SectionHead("A", 2),
    )
    sections = list(report.sections())
    assert [section.name for section in sections] == ["B", "A", "C"]
    assert [section.head.number for section in sections] == [1, 2, None]


def test_a_section_that_is_described_twice():
    sections = [{"name": "A", "pool": "quick"}, {"name": "A", "pool": "regular"}]
    report, findings = read({**CONTRACT, "sections": sections})
    assert report is not None
    (found,) = [f for f in findings if f.code == "report.repeated-section"]
    assert found.where.path == "sections[0]"


@pytest.mark.parametrize("sections", [{}, [{"number": 1}], [{"name": "A", "number": -1}], ["A"]])
def test_sections_that_are_wrong(sections):
    _, findings = read({**CONTRACT, "sections": sections})
    assert findings.refused


@pytest.mark.parametrize("letter", ["\x1b", "\n", "\x00", "\x9b", "\u2028", "\u202e"], ids=ascii)
@pytest.mark.parametrize(
    ("path", "put"),
    [
        ("event.name", lambda said, text: said["event"].update(name=text)),
        ("event.officials[0]", lambda said, text: said["event"].update(officials=[text])),
        ("players[0].name", lambda said, text: said["players"][0].update(name=text)),
        ("players[0].ids", lambda said, text: said["players"][0].update(ids={"fide": text})),
        ("games[0].section", lambda said, text: said["games"][0].update(section=text)),
    ],
)  # fmt: skip
def test_what_nobody_sees_in_a_text_is_told(letter: str, path: str, put: Any) -> None:
    said = {
        "ratingbook": "report/1", "event": {},
        "players": [{"id": "1", "name": "Zoë \u200cǅ"}, {"id": "2"}],
        "games": [{"white": "1", "black": "2", "result": "1-0"}],
    }  # fmt: skip
    assert list(read_document(json.dumps(said))[1]) == []
    put(said, f"An{letter}na")
    report, findings = read_document(json.dumps(said))
    (found,) = findings
    assert (found.code, found.severity, found.where.path) == (
        "text.control", Severity.WARNING, path,
    )  # fmt: skip
    assert f"U+{ord(letter):04X}" in found.message
    assert report is not None
