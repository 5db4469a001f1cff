"""Games that look alike: an explanation tells each by itself, and lists what it rated alone."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from ratingbook.office.acts import asking, desk, imports, receive, setup
from ratingbook.office.acts.reports import put_aside
from ratingbook.office.home import Home
from ratingbook.office.logic.corrections import in_words
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site.languages import SPOKEN
from ratingbook.site.opening import open_site
from ratingbook.site.shown.own import results
from tests.office import reports
from tests.site.offices import run_to
from tests.site.people import nobody

TINA = Who("tina", at=datetime(2026, 9, 2, 9, 0, tzinfo=UTC))
RATINGS = {"1": 1500, "2": 1600, "3": 1700}
DAY = "2026-05-26"
AGAIN = {"white": "1", "black": "2", "result": "1-0", "round": 1}


def office(folder: Path, rulebook: str, *events: list[dict[str, Any]], held: str = "") -> Home:
    """An office that has rated events of one day, each of these games."""
    home = setup.init(folder / "office", TINA)
    setup.add_pool("club", rulebook, TINA)
    lines = [f"70{key},{rating},30,{reports.PLAYERS[key][0]!r}" for key, rating in RATINGS.items()]
    lines = [line.replace("'", '"') for line in lines]
    path = home.folder / "opening.csv"
    path.write_text("\n".join(["id,rating,games,name", *lines]) + "\n", "utf-8")
    imports.import_file(home, path, "national", TINA, "club")
    for number, games in enumerate(events):
        players = {key: reports.PLAYERS[key] for key in RATINGS}
        said = reports.document("Open", DAY, players=players, place=f"Hall {number}")
        path = reports.write(home.folder, f"{number}.json", {**said, "games": games})
        one = receive.receive(home, path, TINA, receive.Options(pool="club", another=True))
        assert one.id is not None, list(one.findings)
        if one.waiting:
            desk.link_new(one.id, TINA)
        if held:
            put_aside(f"{one.id}:{held}", "hold", "an appeal", TINA)
    run_to(home, date(2026, 8, 1), who=TINA)
    open_site(home.folder)
    return home


def address(key: str) -> str:
    person = m.ExternalId.objects.get(value="701").person_id
    return f"/players/{person}/changes/club/{key.replace('#', '%23')}"


def explained(key: str | None = None) -> dict[str, Any]:
    """The explanation of the first player in a batch, or in the only one."""
    answer = nobody().get(address(key or m.Batch.objects.get().key) + ".json")
    assert answer.status_code == 200, answer.content[:300]
    found: dict[str, Any] = json.loads(answer.content)
    return found


SECTIONS = [{**AGAIN, "section": "A"}, {**AGAIN, "section": "B"}]
PLAIN = [{**AGAIN, "round": None}] * 2


@pytest.mark.parametrize("rulebook", ["elo", "fide-2009", "iecg-1999"])
@pytest.mark.parametrize(
    ("events", "apart"),
    [
        ([SECTIONS], ["Open, A", "Open, B"]),
        ([PLAIN], ["Open, game 1 of the report", "Open, game 2 of the report"]),
        ([[AGAIN], [AGAIN]], ["Open, report 1", "Open, report 2"]),
    ],
    ids=["sections", "repeated", "reports"],
)
def test_each_of_two_games_alike_has_the_own_numbers(tmp_path, rulebook, events, apart):
    office(tmp_path, rulebook, *events)
    page = explained()
    games = page["games"]
    assert [", ".join(filter(None, (x["event"], x["apart"]))) for x in games] == apart
    assert all(0 < game["expected"] < 0.5 for game in games)
    assert sum(game["expected"] for game in games) == pytest.approx(page["expected"], abs=0.02)
    assert sum(game["change"] for game in games) == pytest.approx(page["change"], abs=0.6)
    # Where each game is rated by itself the second begins where the first has led.
    assert (games[0]["expected"] < games[1]["expected"]) == (rulebook == "elo")
    # Then the opponent counts with what the first game has brought, which nobody publishes.
    assert (games[1]["rating_is"] == "then") == (rulebook == "elo")
    told = [title for each in page["paragraphs"] for title, _ in each["games"]]
    assert len(set(told)) == 2
    text = nobody().get(address(m.Batch.objects.get().key)).content.decode()
    assert all(game[key] in text for game in games for key in ("event", "apart"))


def test_own_results_and_corrections_tell_games_alike_apart(tmp_path):
    office(tmp_path, "fide-2009", [*PLAIN, {**AGAIN, "black": "3"}])
    person = m.ExternalId.objects.get(value="701").person_id
    (event,) = results(person, "nobody").events
    apart = ["game 1 of the report", "game 2 of the report", ""]
    assert [each.apart for each in event.games] == apart
    page = render_to_string("site/my_results.html", {"own": results(person, "nobody")})
    assert all(page.count(each) == 2 for each in apart if each)
    said = [asking.game(1, number, "0-1") for number in (1, 2, 3)]
    names = "Alpha, Anna – Bravo, Ben"
    assert [each["where"] for each in said] == [
        f"Open, game 1 of the report, {names}",
        f"Open, game 2 of the report, {names}",
        "Open, round 1, Alpha, Anna – Charlie, Chris",
    ]
    of_round = {**said[0], "where": f"Open, round 1, game 2 of the report, {names}"}
    assert in_words(of_round).startswith(f"Open, round 1, game 2 of the report, {names}: ")
    with override("de"):
        german = in_words(of_round, SPOKEN)
    assert "Runde 1, " in german
    assert "game 2" not in german


def test_a_section_is_explained_by_its_own_games(tmp_path):
    """The same two meet in the main event and in a side event: each has a change of its own."""
    other = {**AGAIN, "black": "3", "round": 2}
    games = [
        *({**each, "section": "Main"} for each in (AGAIN, other)),
        *({**each, "section": "Side"} for each in (AGAIN, {**other, "status": "forfeit"})),
    ]
    office(tmp_path, "uscf-2011", games)
    main, side = sorted(m.Batch.objects.values_list("key", flat=True))
    assert main.endswith("#Main")
    assert [game["why_unrated"] for game in explained(main)["games"]] == ["", ""]
    assert [game["why_unrated"] for game in explained(side)["games"]] == ["", "forfeit, not rated"]


def test_of_sections_alike_the_page_of_the_event_tells_which_was_rated(tmp_path):
    """The first one is held."""
    office(tmp_path, "fide-2009", SECTIONS, held="A")
    page = json.loads(nobody().get("/events/1.json").content)
    rated = {}
    for number, name in page["sections"]:
        section = json.loads(nobody().get(f"/events/1.json?section={number}").content)["section"]
        rated[name] = [
            cell["is_rated"] for line in section["lines"] for some in line["cells"] for cell in some
        ]  # fmt: skip
    assert rated == {"A": [False, False], "B": [True, True]}
