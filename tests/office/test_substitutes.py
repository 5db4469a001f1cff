"""A game of a substitute is rated in an office for whom the rules say, from desk to bundle."""

from __future__ import annotations

import copy
from datetime import date

import pytest

import ratingbook as rb
from ratingbook.office import bundle
from ratingbook.office.acts import asking, bundles, corrections, runs, setup
from ratingbook.office.acts.preview import Bench
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from tests.office.reports import write
from tests.office.test_beyond import KNOWN_TEAM, PERIOD, TEAM, numbers, published, rated
from tests.office.test_unused import game, player, report

UNTIL = date(2013, 1, 1)
EVE = {
    **player("5", "Echo, Eve"), "ids": {"iccf": "705"}, "standing": {"rating": 2400, "games": 40}
}  # fmt: skip
FIVE = report([*KNOWN_TEAM, EVE], [*TEAM["games"], game("5", "2", round=3, **PERIOD)], **PERIOD)


def by_report(tmp_path, said):
    """What ``rate`` makes of a report, by name."""
    found = rb.rate(write(tmp_path, "as_it_is.json", said), "iccf-2009").players
    return {row["name"]: row["after"] for row in found}


def begin(officer, tmp_path, people):
    officer.does("pool", "add", "main", "--rulebook", "iccf-2009")
    rows = [f'{x["ids"]["iccf"]},"{x["name"]}",{x["standing"]["rating"]},40' for x in people]
    (tmp_path / "known.csv").write_text("\n".join(["id,name,rating,games", *rows, ""]))
    officer.does("import", tmp_path / "known.csv", "--register", "iccf", "--pool", "main")


def state(officer):
    return officer.does("reports")["reports"][0]["state"]


def test_the_desk_asks_who_it_is_that_a_substitute_replaced(officer, tmp_path):
    """Neither of the two has a game, and one is rated for each."""
    begin(officer, tmp_path, KNOWN_TEAM[:2])
    officer.does("receive", write(tmp_path, "cup.json", TEAM))
    assert [each["entry"] for each in officer.does("desk")["waiting"]] == ["3", "4"]
    officer.does("link", 1, "3", "new")
    assert state(officer) == "checked"
    officer.does("link", 1, "4", "new")
    assert state(officer) == "ready"
    link = m.Link.objects.get(entry__number="4")
    officer.does("undo", link.fact, "--reason", "somebody else")
    assert state(officer) == "checked"


def test_a_game_for_somebody_unknown_is_left_out_where_such_games_are(officer, tmp_path):
    begin(officer, tmp_path, KNOWN_TEAM[:3])
    officer.does("pool", "policy", "main", "unidentified=leave_out_games")
    officer.does("receive", write(tmp_path, "cup.json", TEAM))
    officer.does("run", "--pool", "main", "--until", UNTIL)
    without = report(KNOWN_TEAM[:3], TEAM["games"][:1], **PERIOD)
    assert numbers(officer) == by_report(tmp_path, without)


def test_what_is_published_is_made_again_proved_and_exported(officer, tmp_path):
    rated(officer, tmp_path, "iccf-2009", TEAM, {})
    published(officer, 1)
    home = setup.open_office(officer.folder)
    assert numbers(officer) == by_report(tmp_path, TEAM)
    assert officer.does("doctor")["findings"] == []
    assert officer.does("replay")["findings"] == []
    bundles.write_bundle(home, m.List.objects.get(), tmp_path / "proof", Who("tina"))
    assert not any(each.severity.refuses for each in bundle.verify(tmp_path / "proof").findings)
    officer.does("export", "--history", tmp_path / "history", "--run", 1)
    told = tmp_path / "history"
    found = rb.history(
        told / "games.parquet", rulebook="iccf-2009", players=told / "players.parquet",
        events=told / "events.parquet",
    )  # fmt: skip
    own = numbers(officer)
    assert sorted(found.ratings["rating"].to_pylist()) == sorted(own.values())


def test_somebody_beside_the_ledger_who_says_another_was_replaced_is_noticed(officer, tmp_path):
    from django.db import connection

    rated(officer, tmp_path, "iccf-2009", TEAM, {})
    with connection.cursor() as cursor, pytest.raises(Exception, match="what is written is kept"):
        cursor.execute("DELETE FROM office_substitution")
    m.Substitution.objects.create(
        version_id=1, number=2, side="white", entry=m.Entry.objects.get(number="3")
    )
    found = officer.does("doctor", status=1)["findings"]
    assert [each["code"] for each in found] == ["doctor.games"]


def turned(said):
    first = said["games"][0]
    first["white"], first["black"] = first["black"], first["white"]
    first["black_for"] = first.pop("white_for")


def won(said):
    said["games"][0]["result"] = "1-0"


@pytest.mark.parametrize(
    ("ask", "change"),
    [
        (lambda: asking.game(1, 1, swap=True), turned),
        (lambda: asking.game(1, 1, "1-0"), won),
    ],
)
def test_a_correction_is_previewed_and_rated_as_a_report_that_says_so(
    officer, tmp_path, ask, change
):
    rated(officer, tmp_path, "iccf-2009", FIVE, {})
    published(officer, 1)
    run_is_the_preview(officer, [ask()])
    said = copy.deepcopy(FIVE)
    change(said)
    assert numbers(officer) == by_report(tmp_path, said)


def run_is_the_preview(officer, contents):
    home, who = setup.open_office(officer.folder), Who("tina")
    shown = Bench(home).preview(contents).as_dict()["pools"]["main"]["differences"]
    corrections.accept(home, corrections.ask(home, contents, "so it was", who).id, who)
    made = runs.make(home, "main", UNTIL, who).run
    assert made.report == {key: shown[key] for key in made.report}


def test_who_was_replaced_can_be_another_person(officer, tmp_path):
    """Entry 3 is Eve, whom the office knows, though the report says Chris."""
    begin(officer, tmp_path, FIVE["players"])
    officer.does("receive", write(tmp_path, "cup.json", TEAM))
    officer.does("link", 1, "all", "best")
    officer.does("run", "--pool", "main", "--until", UNTIL)
    published(officer, 1)
    eve = m.ExternalId.objects.get(value="705").person_id
    run_is_the_preview(officer, [asking.player(1, "3", eve)])
    said = copy.deepcopy(FIVE)
    said["games"] = [{**TEAM["games"][0], "white_for": "5"}, TEAM["games"][1]]
    assert numbers(officer) == by_report(tmp_path, said)


def test_what_came_before_is_rated_for_who_played(officer, tmp_path, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr("ratingbook.office.intake._substitutions", lambda report, games: [])
        rated(officer, tmp_path, "iccf-2009", TEAM, {})
        published(officer, 1)
        old = numbers(officer)
    assert old != by_report(tmp_path, TEAM)
    assert officer.does("replay")["findings"] == []
    assert officer.does("doctor")["findings"] == []
    officer.does("receive", write(tmp_path, "cup.json", TEAM | {"note": ""}), "--version-of", 1)
    assert state(officer) == "held"
    officer.does("link", 1, "all", "best")
    officer.does("release", 1, "--reason", "rated by all that it says")
    officer.does("run", "--pool", "main", "--until", UNTIL)
    assert numbers(officer) == by_report(tmp_path, TEAM)
