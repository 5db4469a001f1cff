"""What an edition's own check refuses in a report, it refuses in a history of reports."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import ratingbook as rb
from ratingbook.desk.facts import gather
from ratingbook.model import Findings, Severity
from ratingbook.rules import registry
from ratingbook.rules.book import Batch, RuleBook
from ratingbook.rules.settings import Settings
from tests.cli.conftest import run
from tests.engine.toys import TOY, Value, play, rounds_of, toy_of

__all__ = ["run"]


class Parameters(NamedTuple):
    least: int = 2


class Strict(RuleBook):
    """It takes no event of one game."""

    def check(self, batch: Batch) -> Findings:
        findings = Findings()
        if len(batch.games) < self.parameters.least:
            findings.add(Severity.ERROR, "toy.games", "An event has at least two games.")
        return findings


STRICT = toy_of(
    replace(TOY, **rounds_of([play(lambda entered, sides, p: Value(entered.rating, len(sides)))])),
    Settings(Parameters()),
    made=Strict,
)


def report(
    folder: Path, name: str, day: str, players: dict[str, Any], games: list[tuple[str, str]]
) -> Path:
    said = {
        "ratingbook": "report/1",
        "event": {"name": name, "start": day, "end": day, "kind": "swiss", "class": "A"},
        "players": [{"id": id_, **more} for id_, more in players.items()],
        "games": [
            {"white": white, "black": black, "result": "1-0", "round": number}
            for number, (white, black) in enumerate(games, 1)
        ],
    }
    path = folder / f"{name}.json"
    path.write_text(json.dumps(said), "utf-8")
    return path


RATED = {"standing": {"rating": 1500, "games": 50}}


def test_an_error_of_the_edition_refuses_the_history(tmp_path: Path) -> None:
    both = [("A", "B"), ("B", "A")]
    right = report(tmp_path, "Two", "2024-01-06", {"A": RATED, "B": RATED}, both)
    wrong = report(tmp_path, "One", "2024-02-06", {"A": RATED, "B": RATED}, both[:1])
    facts, findings = gather([right], STRICT, id_kind="local")
    assert facts is not None, [*findings]
    facts, findings = gather([right, wrong], STRICT, id_kind="local")
    assert facts is None
    assert [(each.code, each.where.file) for each in findings if each.severity.refuses] == [
        ("toy.games", str(wrong))
    ]


@pytest.mark.parametrize("known", ["", "earlier", "listed"])
def test_who_is_known_by_then_needs_no_grade(tmp_path: Path, known: str) -> None:
    """EGF 2: who has neither a rating nor a grade cannot be rated; a history may know more."""
    paths = [report(tmp_path, "Second", "2024-02-06", {"A": RATED, "B": {}}, [("A", "B")])]
    players = []
    if known == "earlier":
        new = {"A": RATED, "B": {"grade": "5k"}}
        paths.append(report(tmp_path, "First", "2024-01-06", new, [("A", "B")]))
    if known == "listed":
        players = [tmp_path / "players.csv"]
        players[0].write_text("id,rating,games\nB,1400,30\n", "utf-8")
    egf = registry.load("egf")
    facts, findings = gather(paths, egf, players=players, id_kind="local")
    codes = {each.code for each in findings if each.severity.refuses}
    assert (facts is None, codes) == ((True, {"egf.no-grade"}) if not known else (False, set()))


@pytest.mark.parametrize(
    ("others", "told"),
    [({"C": {}}, "egf.no-grade"), ({"C": {"grade": "5k"}}, ""), ({"B": {}}, "")],
)
def test_a_corrected_report_is_checked_as_any_other(
    tmp_path: Path, run: Any, others: dict[str, Any], told: str
) -> None:
    """Who is new needs a grade; B has a rating since the first event."""
    new = {"A": RATED, "B": {"grade": "5k"}}
    first = report(tmp_path, "First", "2024-01-06", new, [("A", "B")])
    second = report(tmp_path, "Second", "2024-02-06", {"A": RATED, "B": {}}, [("A", "B")])
    folder = tmp_path / "club"
    done = run("history", first, second, "--rulebook", "egf-2021", "--id", "local", "-o", folder)
    assert done.status == 0, done.err
    other = next(iter(others))
    report(tmp_path, "Second", "2024-02-06", {"A": RATED, **others}, [(other, "A")])
    done = run("history", folder, "--correct", second, "--preview")
    assert done.status == (1 if told else 0), done.err
    assert told in done.err


def newcomer(folder: Path, *, forfeit: bool, last: bool = True) -> Path:
    """Three events of a player without a rating and a birth date; the first may be a forfeit."""
    events = folder / "events"
    events.mkdir()
    known = {"a": {"name": "A"}, "b": {"name": "B", "standing": {"rating": 1500, "games": 40}}}
    games = [("a", "b"), ("b", "a"), ("a", "b"), ("b", "a")]
    for number in range(1, 4):
        made = report(events, f"{number}", f"2024-0{number}-10", known, games)
        said = json.loads(made.read_text("utf-8"))
        said["event"] |= {"pool": "regular", "time_control": "G/90;d5"}
        if forfeit and number == 1:
            said["games"] = [each | {"status": "forfeit"} for each in said["games"]]
        made.write_text(json.dumps(said), "utf-8")
    return events


@pytest.mark.parametrize(("forfeit", "brings_in"), [(False, "1.json"), (True, "2.json")])
def test_who_has_been_rated_is_no_unknown_player(
    tmp_path: Path, forfeit: bool, brings_in: str
) -> None:
    events = newcomer(tmp_path, forfeit=forfeit)
    _, findings = gather([events], registry.load("uscf"), id_kind="local")
    told = [each for each in findings if each.code == "uscf.no-birth-date"]
    assert [Path(str(each.where.file)).name for each in told] == [brings_in]


@pytest.mark.parametrize("pool", ["regular", "quick"])
@pytest.mark.parametrize(
    ("known", "is_told"),
    [
        ("id,fide\na,2100\n", False),
        ("id,cfc\na,2100\n", False),
        ('[{"id": "a", "foreign": {"fide": 2100}}]', False),
        ("id,quick,quick_games,regular,regular_games\na,1900,30,1950,30\n", False),
        ("id,birth_date\na,1999-03-01\n", False),
        ("id,club\na,Somewhere\n", True),
    ],
)
def test_who_is_unknown_is_told_by_what_the_players_file_says(
    tmp_path: Path, known: str, is_told: bool, pool: str
) -> None:
    """As ``rate`` has it, which looks at the report when it is filled in."""
    players = {"a": {"name": "A"}, "b": {"name": "B"}}
    made = report(tmp_path, "Cup", "2012-03-10", players, [("a", "b"), ("b", "a")])
    said = json.loads(made.read_text("utf-8"))
    said["event"] |= {"pool": pool}
    said["players"][1]["standing"] = {"rating": 1500, "games": 40}
    made.write_text(json.dumps(said), "utf-8")
    file = tmp_path / ("players.json" if known.startswith("[") else "players.csv")
    file.write_text(known, "utf-8")
    _, findings = gather([made], registry.load("uscf"), players=[file], id_kind="local")
    codes = {each.code for each in findings}
    rated = rb.rate(made, "uscf", players=file, id="local")
    assert ("uscf.no-birth-date" in {each.code for each in rated.findings}) is is_told
    assert ("uscf.no-birth-date" in codes) is is_told
