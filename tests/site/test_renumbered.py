"""Pages of a corrected event stay what they are in a version that numbers its players anew."""

from __future__ import annotations

from datetime import date

from ratingbook.office.acts import asking, corrections, receive
from ratingbook.office.acts.entering import document_of
from ratingbook.office.acts.reports import put_aside
from ratingbook.office.store import models as m
from ratingbook.site.shown.event import event
from ratingbook.site.shown.own import own_event
from tests.office import reports
from tests.site.offices import TINA, run_to
from tests.site.people import nobody

UNTIL = date(2026, 5, 1)
WHO = ("white", "black")


def renumbered(said):
    """The report with a player on top who plays nobody."""
    number = {each["id"]: str(at) for at, each in enumerate(said["players"], 2)}
    late = {"id": "1", "name": "Golf, Gus", "federation": "IRL"}
    players = [late, *({**each, "id": number[each["id"]]} for each in said["players"])]
    games = [
        {**game, **{side: number[game[side]] for side in WHO if game.get(side)}}
        for game in said["games"]
    ]
    return {**said, "players": players, "games": games}


def games_of(report):
    """By name whom everybody met, with which colour and result, as the page of an event has it."""
    section = event(report).section
    assert section is not None
    names = {each.number: each.name for each in section.lines}
    return {
        line.name: [(names[x.opponent], x.colour, x.result)
                    for cell in line.cells for x in cell if x.opponent]
        for line in section.lines if line.name != "Golf, Gus"
    }  # fmt: skip


def test_a_corrected_game_is_shown_as_it_holds(office, tmp_path):
    asked = corrections.ask(office, [asking.game(1, 1, "0-1", swap=True)], "the sheet", TINA)
    corrections.accept(office, asked.id, TINA)
    run_to(office, UNTIL)

    def shown():
        rating = [nobody().get(f"/players/{n}.json").json()["results"] for n in (1, 2)]
        numbers = [[(x["before"], x["after"], x["score"]) for x in each] for each in rating]
        reasons = nobody().get("/players/1/changes/club/2026-01-10").content.decode()
        return games_of(1), numbers, "Bravo, Ben" in reasons

    def results():
        own = own_event(1, "anna", 1)
        assert own is not None
        return [(x.is_white, x.opponent, str(x.result), x.is_corrected) for x in own.games]

    before, mine = shown(), results()
    assert (False, "Bravo, Ben") in {each[:2] for each in mine}
    version = m.ReportVersion.objects.get(report=1)
    path = reports.write(tmp_path, "again.json", renumbered(document_of(version)))
    receive.receive(office, path, TINA, receive.Options(pool="club", version_of=1))
    put_aside("1", "release", "the arbiter says so", TINA)
    run_to(office, UNTIL)
    assert m.ReportVersion.objects.filter(report=1).count() == 2
    assert shown() == before
    assert results() == mine
