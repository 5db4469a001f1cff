"""Section 3 of US Chess: FIDE's lists name the players whom games elsewhere update.

"Each time a FIDE rating list is produced, the USCF office identifies all players who appear with a
'USA flag' … and who have played at least one FIDE-rated game in the set of events/tournaments that
are included in producing the rating list.  This may include US residents who are not USCF-rated."
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest

from ratingbook.formats.lists import FidePlayer, Rated, source, write_fide_txt
from ratingbook.office.acts import abroad, exchange, imports, receive, runs, setup
from ratingbook.office.acts.suppressing import suppress
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from tests.office.prepared import prepared
from tests.office.reports import document, write
from tests.office.test_runs import codes

MARCH, APRIL = date(2026, 3, 1), date(2026, 4, 1)


def fide_list(folder, *players):
    """A list of one month: number, name, flag, and rated games in the period."""
    path = folder / "standard_rating_list.txt"
    rows = [
        FidePlayer(number, name, flag, "M", standard=Rated(2000, games, 20))
        for number, name, flag, games in players
    ]
    with path.open("wb") as file:
        write_fide_txt(rows, file, MARCH)
    return path


@prepared
def office(home, tina, tmp_path):
    """A federation of three players whom FIDE knows, with a regular and a quick system."""
    setup.add_pool("regular", "uscf", tina, None, {"receives": "fide:35", "sends": "fide:trf16:30"})
    setup.add_pool("quick", "uscf", tina, {"pool": "quick"}, {"receives": "fide:35"})
    people = [
        {"id": str(30000000 + n), "name": name, "federation": "USA", "birth_date": "1990-01-05",
         "standing": {"rating": 1900 + n, "games": 200}}
        for n, name in enumerate(("Alpha, Anna", "Bravo, Ben", "Charlie, Chris"), 1)
    ]  # fmt: skip
    path = tmp_path / "players.json"
    path.write_text(json.dumps(people), "utf-8")
    imports.import_file(home, path, "fide", tina, "regular")
    return home


def states(found):
    return {each.number: (each.played, each.own, each.reported, each.state) for each in found}


def event(folder, name, day, **said):
    """A round robin of the three in one day: two games for each."""
    players = {
        str(n): (name, "m", "1990-01-05", str(30000000 + n))
        for n, name in enumerate(("Alpha, Anna", "Bravo, Ben", "Charlie, Chris"), 1)
    }
    made = document(name, day, players=players, time_control="G/90;d5", **said)
    for one in made["players"]:
        one["ids"] = {"fide": one["ids"]["national"]}
    return write(folder, f"{name}.json", made)


def test_a_list_names_whom_the_rules_update(office, tina, tmp_path, monkeypatch):
    # The whole list of FIDE has more players than are taken as standings at once.
    monkeypatch.setattr(source, "MOST_ENTRIES", 3)
    path = fide_list(
        tmp_path, ("30000001", "Alpha, Anna", "USA", 9), ("30000002", "Bravo, Ben", "USA", 0),
        ("30000003", "Charlie, Chris", "GER", 9), ("30000009", "Nobody, Any", "USA", 1),
        ("40000001", "Elsewhere, Any", "GER", 9),
    )  # fmt: skip
    came = exchange.arrive(office, path, "fide", MARCH, tina)
    assert (came.rows, [each["person"] for each in came.players]) == (5, [1, 2, 3])
    # Under the flag, with a game at least; also who is not rated here. Not in the quick system.
    assert [(x.pool, x.where, x.number, x.name, x.person, x.played) for x in came.abroad] == [
        ("regular", "3.1", "30000001", "Alpha, Anna", 1, 9),
        ("regular", "3.1", "30000009", "Nobody, Any", None, 1),
    ]
    assert states(abroad.of_pool("regular")) == {
        "30000001": (9, 0, 0, "open"), "30000009": (1, 0, 0, "open"),
    }  # fmt: skip
    # Facts name nobody.
    assert "Nobody" not in json.dumps(list(m.Fact.objects.values_list("payload", flat=True)))


def test_who_is_suppressed_is_not_named_by_a_list(office, tina, tmp_path):
    suppress(office, 1, "asked for it", tina)
    path = fide_list(tmp_path, ("30000001", "Alpha, Anna", "USA", 9))
    came = exchange.arrive(office, path, "fide", MARCH, tina)
    assert [each.name for each in came.abroad] == ["Player 1"]


def test_games_of_our_own_and_reports_of_others_close_it(office, tina, tmp_path):
    for path in (
        event(tmp_path, "Ours", "2026-02-10"),
        event(tmp_path, "Abroad", "2026-02-12", kind="fide"),
        event(tmp_path, "Later", "2026-03-10", kind="fide"),
    ):
        received, _ = receive.receive_all(
            office, [path], tina, receive.Options(pool="regular", another=True)
        )
        assert received[0].state == "ready", list(received[0].findings)
    exchange.arrive(
        office, fide_list(tmp_path, ("30000001", "Alpha, Anna", "USA", 4)), "fide", MARCH, tina
    )
    assert states(abroad.of_pool("regular")) == {"30000001": (4, 0, 2, "open")}
    made = runs.make(office, "regular", MARCH, tina)
    runs.approve(made.run.id, tina)
    runs.publish(office, made.run.id, tina)
    # What we sent to FIDE is in its list, and was rated here.
    exchange.send(office, 1, "fide", tmp_path / "out.trf", tina)
    assert states(abroad.of_pool("regular")) == {"30000001": (4, 2, 2, "reported")}


def test_what_was_sent_is_deleted_with_whom_it_names(office, tina, tmp_path):
    path = event(tmp_path, "Ours", "2026-02-10")
    receive.receive_all(office, [path], tina, receive.Options(pool="regular"))
    made = runs.make(office, "regular", MARCH, tina)
    runs.approve(made.run.id, tina)
    runs.publish(office, made.run.id, tina)
    exchange.send(office, 1, "fide", tmp_path / "out.trf", tina)
    sent = m.Blob.objects.filter(evidence__fact__kind="sending")
    kept = [blobs.path_of(office, each.sha256) for each in sent]
    assert [each.exists() for each in kept] == [True]
    suppress(office, 1, "asked", tina, with_files=True)
    assert [each.exists() for each in kept] == [False]


def test_an_officer_settles_what_will_not_come(office, tina, tmp_path):
    exchange.arrive(
        office, fide_list(tmp_path, ("30000001", "Alpha, Anna", "USA", 4)), "fide", MARCH, tina
    )
    late = [x.code for x in exchange.inbox(date(2026, 4, 6))[1]]
    assert late == ["office.list-missed", "office.abroad-open", "office.list-missed"]
    with pytest.raises(OfficeRefused) as refused:
        abroad.settle("regular", MARCH, "30000002", "why", tina)
    assert codes(refused) == ["office.no-update"]
    with pytest.raises(OfficeRefused) as refused:
        abroad.settle("regular", MARCH, "30000001", "why", replace(tina, actor="anna"))
    assert codes(refused) == ["office.actor"]
    abroad.settle("regular", MARCH, "30000001", "a match that FIDE took back", tina)
    assert states(abroad.of_pool("regular")) == {"30000001": (4, 0, 0, "settled")}
    assert "office.abroad-open" not in [x.code for x in exchange.inbox(date(2026, 4, 6))[1]]
    with pytest.raises(OfficeRefused) as refused:
        abroad.of_pool("quick")
    assert codes(refused) == ["office.no-abroad"]


def test_the_period_of_a_list_begins_with_the_list_before(office, tina, tmp_path):
    one = ("30000001", "Alpha, Anna", "USA", 2)
    exchange.arrive(office, fide_list(tmp_path, one), "fide", MARCH, tina)
    exchange.arrive(office, fide_list(tmp_path, one), "fide", APRIL, tina)
    path = event(tmp_path, "Abroad", "2026-03-10", kind="fide")
    receive.receive_all(office, [path], tina, receive.Options(pool="regular"))
    assert [(x.day, x.reported, x.state) for x in abroad.of_pool("regular")] == [
        (MARCH, 0, "open"), (APRIL, 2, "reported"),
    ]  # fmt: skip
