"""Correspondence chess in an office: what is shown of it is what it was rated by."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from ratingbook.office import bundle
from ratingbook.office.acts import desk, doctor, imports, receive, setup
from ratingbook.office.acts.bundles import write_bundle
from ratingbook.office.acts.forecast import forecast
from ratingbook.office.acts.lists import is_as_printed
from ratingbook.office.acts.published import head_run
from ratingbook.office.acts.setup import pool_named, rules_of
from ratingbook.office.engine.foreseen import Foreseen
from ratingbook.office.home import Home
from ratingbook.office.intake import Understood, understand
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site.opening import open_site
from ratingbook.site.shown.explanations import View, explanation
from tests.office import reports
from tests.site.offices import run_to
from tests.site.people import nobody

TINA = Who("tina", at=datetime(2026, 9, 2, 9, 0, tzinfo=UTC))
PLAYERS = {
    "1": "Neumann, Nora", "2": "Lind, Ivan", "3": "Moor, Eve", "7": "Hotel, Hugo",
    "8": "India, Ida",
}  # fmt: skip
OPENING = {"2": (2050, 30), "3": (1909, 35), "4": (1700, 40), "5": (1650, 50), "6": (1600, 60)}
Said = dict[str, Any]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return setup.init(tmp_path / "office", TINA)


def pool(home: Home, rulebook: str = "iccf-2009", opening: Said = OPENING) -> None:
    setup.add_pool("mail", rulebook, TINA)
    lines = [f'70{key},"{named(key)}",{rating},{games}' for key, (rating, games) in opening.items()]
    path = home.folder / "opening.csv"
    path.write_text("\n".join(["id,name,rating,games", *lines]) + "\n", "utf-8")
    imports.import_file(home, path, "national", TINA, "mail")


def named(key: str) -> str:
    return PLAYERS.get(key) or reports.PLAYERS[key][0]


def received(home: Home, name: str, games: list[Said], **event: Any) -> int:
    """The number of a report, in which everybody unknown is new."""
    ids = sorted({g[side] for g in games for side in ("white", "black", "white_for") if side in g})
    said = {
        "ratingbook": "report/1",
        "event": {"name": name, "category": "open_class", **event},
        "players": [
            {"id": key, "name": named(key), "ids": {"national": f"70{key}"}} for key in ids
        ],
        "games": [{"round": at, **game} for at, game in enumerate(games, 1)],
    }
    path = reports.write(home.folder, f"{name}.json", said)
    one = receive.receive(home, path, TINA, receive.Options(pool="mail", another=True))
    assert one.id is not None, list(one.findings)
    if one.waiting:
        desk.link_new(one.id, TINA)
    return one.id


def publish(home: Home, until: date) -> None:
    run_to(home, until, "mail", who=TINA)


def said(home: Home, path: str) -> Any:
    open_site(home.folder)
    answer = nobody().get(path)
    assert answer.status_code == 200, (path, answer.content[:300])
    return json.loads(answer.content)


def draw(white: str, black: str, **more: Any) -> Said:
    return {"white": white, "black": black, "result": "1/2-1/2", **more}


def line_of(section: Said, key: str) -> Said:
    found: Said = next(each for each in section["lines"] if each["name"] == named(key))
    return found


def test_opponents_see_the_level_until_a_rating_is_published(home: Home) -> None:
    """Item 8, reading A15: a rating of three games is on no list, and on no page either."""
    pool(home)
    strong = [{"white": "1", "black": each, "result": "1-0"} for each in ("4", "5", "6")]
    received(home, "First Class", strong, start="2025-12-02", end="2026-02-10")
    second = [draw("1", "2"), draw("1", "3"), draw("2", "3")]
    number = received(home, "Second Class", second, start="2026-04-02", end="2026-05-10")
    publish(home, date(2026, 8, 1))
    nora = line_of(said(home, f"/events/{number}.json")["section"], "1")
    assert not nora["is_published"]
    assert nora["after"] is None
    ivan = line_of(said(home, f"/events/{number}.json")["section"], "2")
    # −.31 against 1800, and W_e(141) = .69, −.19 against Eve: −.50 · 23.44.
    assert (ivan["before"], ivan["change"]) == (2050, -12)
    assert ivan["average"] == (1800 + 1909) / 2, "the level counts as the rating would"
    why = said(home, f"/players/{ivan['person']}/changes/mail/{ivan['key']}.json")
    of_nora = next(each for each in why["games"] if each["name"] == "Neumann, Nora")
    assert (of_nora["rating"], of_nora["expected"]) == (1800, 0.81)
    (result,) = said(home, f"/players/{ivan['person']}.json")["results"]
    assert result["average"] == why["average"] == ivan["average"]
    page = nobody().get(f"/players/{ivan['person']}/changes/mail/{ivan['key']}").content.decode()
    assert "no published rating when the game begins: level 1800" in page
    assert '1800 <span class="quiet">level</span>' in page
    rows = list(csv.DictReader(io.StringIO(nobody().get(f"/events/{number}.csv").content.decode())))
    assert next(row["average"] for row in rows if row["name"] == named("2")) == "1854.5"
    secret = round(secret_of(home, nora["person"], "2026-04-01"))
    public = (
        f"/events/{number}", f"/events/{number}.json", f"/events/{number}.csv",
        f"/api/v1/events/{number}/sections/0", f"/players/{ivan['person']}",
        f"/players/{ivan['person']}/changes/mail/{ivan['key']}.json",
    )  # fmt: skip
    for address in public:
        assert str(secret) not in nobody().get(address).content.decode(), address


@pytest.mark.parametrize("rulebook", ["iccf-2009", "iecg-1999"])
def test_a_forfeit_is_rated_where_the_rules_rate_it(home: Home, rulebook: str) -> None:
    """IECG VIII.1, ICCF reading A26: the event page says what the run counted."""
    pool(home, rulebook)
    games = [
        draw("2", "3"), draw("2", "4"),
        {"white": "3", "black": "4", "result": "1-0", "status": "forfeit"},
        {"white": "4", "black": "5", "result": "1-0", "status": "cancelled"},
    ]  # fmt: skip
    number = received(home, "Class", games, start="2026-01-10", end="2026-02-20")
    publish(home, date(2026, 8, 1))
    section = said(home, f"/events/{number}.json")["section"]
    assert section["rated_games"] == 3
    rated = {
        (line["name"], at): cell["is_rated"]
        for line in section["lines"]
        for at, some in enumerate(line["cells"], 1) for cell in some
    }  # fmt: skip
    assert {at: is_rated for (_, at), is_rated in rated.items()} == {
        1: True, 2: True, 3: True, 4: False,
    }  # fmt: skip
    eve = line_of(section, "3")
    titles = [cell["title"] for some in eve["cells"] for cell in some]
    assert any("forfeit" in each for each in titles)
    assert not any("not rated" in each for each in titles), titles
    (result,) = said(home, f"/players/{eve['person']}.json")["results"]
    why = said(home, f"/players/{eve['person']}/changes/mail/{eve['key']}.json")
    assert result["games"] == why["rated_games"] == 2
    if rulebook == "iccf-2009":
        # Ivan's 2050 and Dora's 1700.
        assert eve["average"] == result["average"] == 1875
    assert not any(each["why_unrated"] for each in why["games"])
    client = nobody()
    for notation in ("us-chess", "go", "trf", "icu"):
        page = client.get(f"/events/{number}?notation={notation}").content.decode()
        assert "forfeit, not rated" not in page, notation


def test_half_a_point_is_one(home: Home) -> None:
    pool(home)
    games = [draw("2", "3"), draw("4", "5"), draw("4", "6")]
    number = received(home, "Class", games, start="2026-01-10", end="2026-02-20")
    publish(home, date(2026, 8, 1))
    page = nobody().get(f"/events/{number}").content.decode()
    assert page.count(" · ½ point<") == 4
    assert "½ points" not in page


def test_a_game_that_is_reported_late_stands_with_the_list_that_takes_it(home: Home) -> None:
    """Item 12: event, players and explanations have it on the list of its report."""
    pool(home)
    games = [
        draw("2", "3"), draw("2", "4"), draw("3", "4"),
        {"white": "3", "black": "2", "result": "1-0", "reported": "2026-04-20"},
    ]  # fmt: skip
    number = received(home, "Class", games, start="2026-01-10", end="2026-02-20")
    other = received(home, "Other", [draw("2", "4"), draw("3", "4")], start="2026-04-02",
                     end="2026-04-30")  # fmt: skip
    one_day = [draw("2", "5"), draw("4", "5", reported="2026-03-20")]
    short = received(home, "Short", one_day, start="2026-02-01", end="2026-02-01")
    publish(home, date(2026, 8, 1))
    for report, count in ((number, 4), (other, 2), (short, 2)):
        section = said(home, f"/events/{report}.json")["section"]
        assert section["rated_games"] == count
        cells = [cell for line in section["lines"] for some in line["cells"] for cell in some]
        assert all(cell["is_rated"] for cell in cells), report
    section = said(home, f"/events/{number}.json")["section"]
    for key, lists in (("2", 2), ("3", 2), ("4", 1)):
        line = line_of(section, key)
        results = said(home, f"/players/{line['person']}.json")["results"]
        mine = [x for x in results if number in [each["report"] for each in x["events"]]]
        assert len(mine) == lists
        assert (line["before"], line["after"]) == (mine[-1]["before"], mine[0]["after"])
        assert [each["key"] for each in line["lists"]] == [each["key"] for each in mine[::-1]]
        for each, other in zip(line["lists"], mine[::-1], strict=True):
            assert each["day"] == other["key"]
            for name in ("before", "after", "change"):
                assert each[name] == other[name], name
        assert line["key"] == ("" if lists > 1 else mine[0]["key"])
        for each in mine:
            why = said(home, f"/players/{line['person']}/changes/mail/{each['key']}.json")
            assert len(why["games"]) == why["rated_games"] == each["games"]
            assert not any(game["why_unrated"] for game in why["games"])
            assert why["average"] == pytest.approx(each["average"])


@pytest.mark.parametrize(
    ("rulebook", "days", "sentence"),
    [
        ("iccf-2009", ["2026-04-01", "2026-07-01"], "Lists take games by their own days"),
        ("elo", ["2026-02-20", "2026-05-20"], "Games are rated day by day"),
    ],
)
def test_games_of_several_lists_have_the_change_of_each(
    home: Home, rulebook: str, days: list[str], sentence: str
) -> None:
    """Between its two lists Ivan was rated in another event, so that no sum is a change."""
    pool(home, rulebook)
    games = [
        {"white": "3", "black": "2", "result": "1-0", "end": "2026-02-20"},
        {"white": "3", "black": "2", "result": "1-0", "end": "2026-05-20"},
        draw("4", "5", end="2026-05-20"),
    ]
    number = received(home, "Class", games, start="2026-01-10", end="2026-05-20")
    between = [{"white": "2", "black": "6", "result": "1-0"}]
    received(home, "Between", between, start="2026-03-01", end="2026-03-20")
    publish(home, date(2026, 8, 1))
    section = said(home, f"/events/{number}.json")["section"]
    assert (section["days"], section["day"]) == (days, days[-1])
    ivan, dora = line_of(section, "2"), line_of(section, "4")
    assert [each["day"] for each in ivan["lists"]] == days
    assert [each["day"] for each in dora["lists"]] == days[1:]
    assert (ivan["change"], ivan["key"]) == (None, "")
    assert (dora["change"], dora["key"]) == (dora["lists"][0]["change"], days[1])
    results = said(home, f"/players/{ivan['person']}.json")["results"]
    changes = {each["key"]: each["change"] for each in results}
    assert {each["key"]: each["change"] for each in ivan["lists"]} == {
        key: changes[key] for key in days
    }
    page = nobody().get(f"/events/{number}").content.decode()
    assert sentence in page
    assert "a change is that of the whole list, and Exp." not in page
    for each in ivan["lists"]:
        why = f"/players/{ivan['person']}/changes/mail/{each['key']}"
        link = re.search(rf'<a class="why" href="{why}">(.*?)</a>', page)
        assert link
        assert f"{each['change']:+.{each['decimals']}f}".replace("-", "−") in link[1]
    if rulebook == "iccf-2009":
        assert "rating periods to 1 Apr 2026, 1 Jul 2026" in page
    rows = csv.DictReader(io.StringIO(nobody().get(f"/events/{number}.csv").content.decode()))
    own = next(row for row in rows if row["name"] == named("2"))
    assert own["change"] == ""
    assert own["lists"] == "; ".join(
        f"{each['day']} {each['before']:.{each['decimals']}f} {each['after']:.{each['decimals']}f}"
        for each in ivan["lists"]
    )


@pytest.mark.parametrize(
    ("games", "day"),
    [
        ([draw("2", "3", end="2026-02-20"), draw("2", "4", end="2026-02-25")], "2026-04-01"),
        ([draw("2", "3", end="2026-02-20"), draw("2", "4", reported="2026-06-30")], "2026-10-01"),
    ],
)
def test_the_list_of_an_event_is_that_of_its_last_game_on_all_pages(
    home: Home, games: list[Said], day: str
) -> None:
    """Whatever the report has as the last day of the event."""
    pool(home)
    number = received(home, "Class", games, start="2026-01-10", end="2026-05-20")
    publish(home, date(2026, 11, 1))
    assert said(home, f"/events/{number}.json")["section"]["day"] == day
    (row,) = said(home, "/events.json")["rows"]
    assert (row["list_day"], row["end"]) == (day, "2026-05-20")
    (row,) = said(home, "/home.json")["events"]
    assert row["list_day"] == day
    (row,) = said(home, "/api/v1/events")["items"]
    assert row["list_day"] == day


def test_a_list_that_rated_no_game_of_an_event_is_none_of_its_lists(home: Home) -> None:
    """The second game is rated for nobody; the list that took it has Ivan's of another event."""
    pool(home)
    games = [
        draw("2", "3", end="2026-02-20"), draw("4", "5", end="2026-05-20"),
        draw("2", "3", end="2026-05-20", rated=False),
    ]  # fmt: skip
    number = received(home, "Class", games, start="2026-01-10", end="2026-05-20")
    received(home, "Other", [draw("2", "6")], start="2026-04-10", end="2026-04-20")
    publish(home, date(2026, 8, 1))
    ivan = line_of(said(home, f"/events/{number}.json")["section"], "2")
    assert [each["day"] for each in ivan["lists"]] == ["2026-04-01"]
    assert ivan["key"] == "2026-04-01"


def test_a_draft_of_two_lists_begins_with_what_its_page_shows_later(home: Home) -> None:
    """Ivan has games of it on the second list alone; on the first one he has another event's."""
    pool(home)
    received(home, "Other", [draw("2", "3")], start="2026-01-10", end="2026-02-10")
    publish(home, date(2026, 8, 1))
    games = [draw("4", "5", end="2026-02-15"), {"white": "2", "black": "3", "result": "1-0",
                                                "end": "2026-04-20"}]  # fmt: skip
    told = drafted(home, games)
    number = received(home, "Two lists", games, start="2026-01-20", end="2026-04-20")
    publish(home, date(2026, 8, 1))
    section = said(home, f"/events/{number}.json")["section"]
    for key in ("2", "3", "4", "5"):
        line, each = line_of(section, key), told[key]
        assert (round(each.before or 0), round(each.after or 0)) == (line["before"], line["after"])
        assert (each.games, each.score) == (1, line["points"])
    assert line_of(section, "2")["before"] != 2050


def drafted(home: Home, games: list[Said]) -> dict[str, Foreseen]:
    """What a draft of the event would give, by entry."""
    one, path = pool_named("mail"), home.folder / "Two lists.json"
    people = {key: m.ExternalId.objects.get(value=f"70{key}").person_id for key in "2345"}
    said = {
        "ratingbook": "report/1", "players": [{"id": key, "name": named(key)} for key in people],
        "event": {"name": "Two lists", "category": "open_class", "start": "2026-01-20",
                  "end": "2026-04-20"},
        "games": [{"round": at, **game} for at, game in enumerate(games, 1)],
    }  # fmt: skip
    found = understand(reports.write(home.folder, path.name, said), rules_of(one), None)
    assert isinstance(found, Understood)
    return forecast(home, head_run(one), one, found, people, None)


def test_a_game_of_a_substitute_stands_with_whom_it_was_rated_for(home: Home) -> None:
    """Item 18a: ΔW of Ivan against Eve is negative, so the draw counts for Dora, who is absent."""
    pool(home)
    games = [draw("2", "3", white_for="4"), draw("5", "6"), draw("2", "6")]
    number = received(home, "Teams", games, start="2026-01-10", end="2026-02-20")
    publish(home, date(2026, 8, 1))
    event = said(home, f"/events/{number}.json")
    assert not any("substitute" in each["message"] for each in event["findings"])
    section = event["section"]
    rated = {
        key: [cell["is_rated"] for cells in line_of(section, key)["cells"] for cell in cells]
        for key in ("2", "3", "4", "6")
    }  # fmt: skip
    assert rated == {"2": [False, True], "3": [True], "4": [True], "6": [True, True]}
    assert section["rated_games"] == 3
    for key, opponents in {"2": ["6"], "3": ["2"], "4": ["3"]}.items():
        line = line_of(section, key)
        why = said(home, f"/players/{line['person']}/changes/mail/{line['key']}.json")
        met = [each["name"] for each in why["games"] if not each["why_unrated"]]
        assert met == [named(each) for each in opponents]
        assert not why["substitutes"]
        assert why["rated_games"] == 1
        (result,) = said(home, f"/players/{line['person']}.json")["results"]
        assert [each["report"] for each in result["events"]] == [number]
        assert result["average"] == why["average"]
        page = (
            nobody().get(f"/players/{line['person']}/changes/mail/{line['key']}").content.decode()
        )
        assert "of a substitute is rated for who played it" not in page


def test_the_opponent_of_a_substitute_met_the_higher_rated_of_the_two(home: Home) -> None:
    """Item 18b: on every page the average is of the ratings with which the games were rated."""
    pool(home)
    # Dora, 1700, plays for Ivan, 2050; Hugo, who has no rating, for Eve, 1909.
    games = [draw("4", "5", white_for="2"), draw("7", "5", white_for="3"), draw("5", "6")]
    number = received(home, "Teams", games, start="2026-01-10", end="2026-02-20")
    publish(home, date(2026, 8, 1))
    section = said(home, f"/events/{number}.json")["section"]
    line = line_of(section, "5")
    why = said(home, f"/players/{line['person']}/changes/mail/{line['key']}.json")
    counted = [each["rating"] for each in why["games"]]
    assert counted == [2050, 1909, 1600]
    assert [each["rating_is"] for each in why["games"]] == ["replaced", "replaced", ""]
    (result,) = said(home, f"/players/{line['person']}.json")["results"]
    expected = pytest.approx(sum(counted) / 3)
    assert line["average"] == expected
    assert result["average"] == expected
    assert why["average"] == expected
    page = nobody().get(f"/players/{line['person']}/changes/mail/{line['key']}").content.decode()
    assert "1909 level" not in page


def test_the_point_of_a_substitute_is_given_once(home: Home) -> None:
    """Whoever sat at the board has it; in the line of whom he replaced the game is marked."""
    pool(home)
    games = [{"white": "2", "black": "3", "result": "1-0", "white_for": "4"}, draw("5", "6")]
    number = received(home, "Teams", games, start="2026-01-10", end="2026-02-20")
    publish(home, date(2026, 8, 1))
    section = said(home, f"/events/{number}.json")["section"]
    points = {key: line_of(section, key)["points"] for key in "23456"}
    assert points == {"2": 1, "3": 0, "4": 0, "5": 0.5, "6": 0.5}
    marked = {
        key: [cell["is_substituted"] for cells in line_of(section, key)["cells"] for cell in cells]
        for key in "234"
    }  # fmt: skip
    assert marked == {"2": [False], "3": [False], "4": [True]}
    for notation in ("", "?notation=trf"):
        page = nobody().get(f"/events/{number}{notation}").content.decode()
        assert "†: a substitute played it" in page
        assert page.count("†") == 2, "the cell and the legend"


def test_a_substitute_without_a_rating_met_with_the_higher_of_level_and_rating(home: Home) -> None:
    """Items 11 and 18b: the level of 1800 is above the 1700 of Dora, who is replaced by Hugo."""
    pool(home)
    games = [draw("7", "5", white_for="4"), draw("8", "5", white_for="2"), draw("5", "6")]
    number = received(home, "Teams", games, start="2026-01-10", end="2026-02-20")
    publish(home, date(2026, 8, 1))
    line = line_of(said(home, f"/events/{number}.json")["section"], "5")
    why = said(home, f"/players/{line['person']}/changes/mail/{line['key']}.json")
    assert [(each["rating"], each["rating_is"]) for each in why["games"]] == [
        (1800, "level"), (2050, "replaced"), (1600, ""),
    ]  # fmt: skip
    (result,) = said(home, f"/players/{line['person']}.json")["results"]
    assert line["average"] == result["average"] == why["average"] == (1800 + 2050 + 1600) / 3


def test_the_level_is_one_also_where_the_game_counts_for_the_other_of_two(home: Home) -> None:
    """Item 11 in a game that 18a does not rate for the player."""
    pool(home)
    games = [draw("2", "7", white_for="4"), draw("2", "6"), draw("4", "6")]
    number = received(home, "Teams", games, start="2026-01-10", end="2026-02-20")
    publish(home, date(2026, 8, 1))
    section, found = said(home, f"/events/{number}.json")["section"], set()
    for each in ("2", "4"):
        line = line_of(section, each)
        why = said(home, f"/players/{line['person']}/changes/mail/{line['key']}.json")
        found |= {(bool(x["why_unrated"]), x["rating"], x["rating_is"]) for x in why["games"]
                  if x["name"] == named("7")}  # fmt: skip
    assert found == {(True, 1800, "level"), (False, 1800, "level")}


@pytest.mark.parametrize("rulebook", ["iccf-2009", "iecg-1999"])
def test_a_newcomers_average_is_the_one_that_the_rule_divides(home: Home, rulebook: str) -> None:
    """ICCF 5 within 350 points of the level 1800, IECG III.8 within 400 of the 800."""
    pool(home, rulebook, {**OPENING, "2": (2250, 30)})
    games = [draw("1", each) for each in ("2", "3", "4") * 4]
    number = received(home, "Class", games, start="2026-01-10", end="2026-02-20")
    publish(home, date(2026, 8, 1))
    line = line_of(said(home, f"/events/{number}.json")["section"], "1")
    why = said(home, f"/players/{line['person']}/changes/mail/{line['key']}.json")
    counted = [2150, 1909, 1700] if rulebook == "iccf-2009" else [1200] * 3
    kinds = {2150: "limited", 1200: "limited"}
    assert [(x["rating"], x["rating_is"]) for x in why["games"]] == [
        (each, kinds.get(each, "")) for each in counted * 4
    ]  # fmt: skip
    (result,) = said(home, f"/players/{line['person']}.json")["results"]
    assert line["average"] == result["average"] == why["average"] == sum(counted) / 3
    (said_of_average,) = (
        each for paragraph in why["paragraphs"] for each in paragraph["said"]
        if each.startswith("Rc = ")
    )  # fmt: skip
    assert f"Rc = {4 * sum(counted)} / 12" in said_of_average


def test_a_game_that_counts_for_the_other_of_two_is_explained_by_its_name(home: Home) -> None:
    """Item 18a: no key of the office is a title, and the table says why it does not count."""
    pool(home)
    games = [draw("2", "3", white_for="4"), draw("5", "6"), draw("2", "6"), draw("4", "6")]
    number = received(home, "Teams", games, start="2026-01-10", end="2026-02-20")
    publish(home, date(2026, 8, 1))
    section = said(home, f"/events/{number}.json")["section"]
    line = line_of(section, "2")
    address = f"/players/{line['person']}/changes/mail/{line['key']}"
    why = said(home, f"{address}.json")
    assert [(each["name"], each["why_unrated"]) for each in why["games"]] == [
        (named("3"), "rated for the player replaced"), (named("6"), ""),
    ]  # fmt: skip
    page = nobody().get(address).content.decode()
    assert "round 1, white against Moor, Eve" in page
    key = m.Section.objects.get().event
    titles = [each for each in page.split("<") if key in each and "href" not in each]
    assert not titles


def test_that_substitutes_were_not_applied_is_told_to_everybody(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Item 18: the office has rated the game for who played it, and says so."""
    pool(home)
    games = [draw("2", "3", white_for="4"), draw("5", "6"), draw("4", "6")]
    with monkeypatch.context() as before:
        before.setattr("ratingbook.office.intake._substitutions", lambda report, games: [])
        number = received(home, "Teams", games, start="2026-01-10", end="2026-02-20")
        publish(home, date(2026, 8, 1))
    event = said(home, f"/events/{number}.json")
    (found,) = [x for x in event["findings"] if "substitute" in x["message"]]
    assert found["message"].startswith("1 game of a substitute is rated for who played it")
    page = nobody().get(f"/events/{number}").content.decode()
    assert "came before the office applied what the rules say of substitutes" in page
    assert "Nothing was found wrong or odd" not in page
    for key, is_told in {"2": True, "3": True, "4": True, "5": False, "6": False}.items():
        line = line_of(event["section"], key)
        address = f"/players/{line['person']}/changes/mail/{line['key']}"
        assert ("of a substitute" in nobody().get(address).content.decode()) == is_told, key
        assert bool(said(home, f"{address}.json")["substitutes"]) == is_told


def test_a_list_that_has_the_columns_says_what_was_won_drawn_and_lost(home: Home) -> None:
    """IECG II.5: of the rated games; of who came in with games nobody knows the results."""
    pool(home, "iecg-1999", {"6": (1600, 60)})
    everybody = [
        {"white": "1", "black": "2", "result": "1-0", "status": "forfeit"},
        *(draw("1", "2") for _ in range(3)), draw("2", "6"),
        *({"white": "1", "black": "2", "result": "1-0"} for _ in range(4)),
        {"white": "2", "black": "1", "result": "1-0", "status": "withdrawn"},
    ]  # fmt: skip
    received(home, "Class", everybody, start="2026-01-10", end="2026-02-20")
    more = [{"white": "2", "black": "1", "result": "1-0"}, draw("2", "6")]
    received(home, "Later", more, start="2026-03-10", end="2026-04-20")
    publish(home, date(2026, 4, 1))
    assert totals(home) == {"1": (8, 5, 3, 0), "2": (9, 0, 4, 5), "6": (61, None, None, None)}
    publish(home, date(2026, 8, 1))
    assert totals(home) == {"1": (9, 5, 3, 1), "2": (11, 1, 5, 5), "6": (62, None, None, None)}
    assert not doctor.examine(home).refused
    newest = m.List.objects.latest("id")
    assert is_as_printed(home, newest, newest.pool)
    folder = home.folder.parent / "bundle"
    write_bundle(home, newest, folder, TINA)
    assert [each.code for each in bundle.verify(folder).findings if each.severity.refuses] == []
    changed = (folder / "list.csv").read_text("utf-8")
    assert ",9,5,3,1" in changed


def totals(home: Home) -> dict[str, tuple[int | None, ...]]:
    keys = {named(key): key for key in ("1", "2", "6")}
    rows = m.ListRow.objects.filter(list=m.List.objects.latest("id"))
    return {
        keys[row["name"]]: tuple(row[each] for each in ("games", "wins", "draws", "losses"))
        for row in rows.values_list("printed", flat=True)
    }


def test_opponents_see_the_starting_rating_until_ten_games(home: Home) -> None:
    """IECG III.7: the Tournament Entry Rating is what is shown, and what is rated by."""
    pool(home, "iecg-1999")
    strong = [{"white": "1", "black": each, "result": "1-0"} for each in ("4", "5", "6")] * 2
    received(home, "First Class", [*strong, strong[0]], start="2025-12-02", end="2026-02-10")
    number = received(home, "Second", [draw("1", "2")], start="2026-03-12", end="2026-04-10")
    publish(home, date(2026, 8, 1))
    section = said(home, f"/events/{number}.json")["section"]
    nora, ivan = line_of(section, "1"), line_of(section, "2")
    assert nora["before"] > 1200, "published with seven games, and not the TER yet"
    why = said(home, f"/players/{ivan['person']}/changes/mail/{ivan['key']}.json")
    # Cut off at 400 points below 2050.
    (game,) = why["games"]
    assert (game["rating"], game["rating_is"]) == (1650, "limited")
    assert game["expected"] == pytest.approx(1 / 1.1, abs=0.001)
    (result,) = said(home, f"/players/{ivan['person']}.json")["results"]
    assert ivan["average"] == result["average"] == why["average"] == 1650


def secret_of(home: Home, person: int, key: str) -> float:
    return float(m.Change.objects.get(person=person, batch__key=key).after or 0)


@pytest.mark.parametrize("rulebook", ["iccf-2009", "elo", "iecg-1999"])
def test_events_of_one_report_without_sections_have_each_their_own_games(
    home: Home, rulebook: str
) -> None:
    """The same two with the same colours in both: each table has its game, and it was rated."""
    pool(home, rulebook)
    ended = {"start": "2026-04-10", "end": "2026-04-20"}
    games = [
        {**draw("2", "3", **ended), "event": "Pair A"},
        {**draw("2", "3", **ended), "event": "Pair B", "result": "1-0"},
    ]
    number = received(home, "Pairs", games)
    publish(home, date(2026, 8, 1))
    for at, points in ((0, 0.5), (1, 1.0)):
        section = said(home, f"/events/{number}.json?section={at}")["section"]
        assert section["name"] == ("Pair A", "Pair B")[at]
        assert section["rated_games"] == 1
        page = nobody().get(f"/events/{number}?section={at}").content.decode()
        assert f"<li><bdi>{section['name']}</bdi>: 2 players, 1 rated game</li>" in page
        line = next(x for x in section["lines"] if x["name"] == "Lind, Ivan")
        assert line["points"] == points
        assert [cell["is_rated"] for cells in line["cells"] for cell in cells] == [True]


def test_of_two_games_alike_the_rated_one_is_told_by_its_result(home: Home) -> None:
    """A batch of its own for each day: the explanation of the second is of the loss."""
    pool(home, "elo")
    received(home, "Twice", [
        {"white": "2", "black": "3", "result": "1-0", "end": "2026-05-26", "round": None},
        {"white": "2", "black": "3", "result": "0-1", "end": "2026-05-27", "round": None},
    ], start="2026-05-26", end="2026-05-27")  # fmt: skip
    publish(home, date(2026, 8, 1))
    batches = m.Batch.objects.order_by("day").values_list("pool__name", "key")
    person = m.ExternalId.objects.get(value="702").person_id
    for (pool_, key), result in zip(batches, ("1", "0"), strict=True):
        page = said(home, f"/players/{person}/changes/{pool_}/{key}.json")
        rated = [each["result"] for each in page["games"] if not each["why_unrated"]]
        assert rated == [result]


@pytest.mark.parametrize(
    ("rulebook", "key", "counted", "kinds", "earlier"),
    [
        # Ivan won nothing of 2050 in the first class: 2050 − 19; Emil 1650 − 7, Fay 1600 − 5.
        ("iccf-2009", "2026-07-01", [2031, 1800, 1800, 1595, 1643],
         ["", "level", "level", "", ""], "7000"),
        # III.8: no opponent is more than 400 points above 800.
        ("iecg-1999", "2026-07-04", [1200, 800, 800, 1200, 1200],
         ["limited", "stand-in", "stand-in", "limited", "limited"], "4800"),
    ],
)  # fmt: skip
def test_of_a_provisional_player_the_numbers_stand_that_were_counted(
    home: Home, rulebook: str, key: str, counted: list[int], kinds: list[str], earlier: str
) -> None:
    """Items 5, 8 and 11, paragraph IV.1: a pocket calculator comes to the average of all games."""
    pool(home, rulebook)
    strong = [{"white": "1", "black": each, "result": "1-0"} for each in ("2", "4", "5", "6")]
    received(home, "First Class", strong, start="2025-12-02", end="2026-02-10")
    second = [
        draw("1", "2"), draw("1", "7"), draw("1", "8"), draw("1", "6"),
        {"white": "5", "black": "1", "result": "1-0"},
    ]  # fmt: skip
    received(home, "Second Class", second, start="2026-04-02", end="2026-05-10")
    publish(home, date(2026, 8, 1))
    person = m.ExternalId.objects.get(value="701").person_id
    page = explanation(person, "mail", key, View.office)
    assert [game.rating for game in page.games] == counted
    assert [game.rating_is for game in page.games] == kinds
    assert page.average == pytest.approx(sum(counted) / 5)
    told = [each for paragraph in page.paragraphs for each in paragraph.said]
    assert any(f"earlier games: 4, their score 4, their opponents {earlier} in all" in each
               for each in told)  # fmt: skip
    total = sum(counted) + int(earlier)
    assert any(f"Rc = {total} / 9" in each for each in told)


@pytest.mark.parametrize(("rulebook", "rounds"), [("iccf-2009", 3), ("iecg-1999", 2)])
def test_what_if_a_provisional_player_plays_is_what_the_event_then_makes(
    home: Home, rulebook: str, rounds: int
) -> None:
    """Items 14 and 15, paragraph IV.1: the earlier games of the office's run count again."""
    pool(home, rulebook)
    first = [
        {"white": "1", "black": each, "result": result}
        for each, result in (("2", "1/2-1/2"), ("3", "0-1"), ("4", "1-0"), ("5", "1-0"))
    ] * rounds  # fmt: skip
    received(home, "First Class", first, start="2025-12-02", end="2026-02-10")
    publish(home, date(2026, 4, 10))
    person = m.ExternalId.objects.get(value="701").person_id
    listed = said(home, f"/players/{person}.json")["pools"][0]
    assert listed["games"] == 4 * rounds < (30 if rulebook == "iccf-2009" else 15)
    met = {key: m.ExternalId.objects.get(value=f"70{key}").person_id for key in ("2", "3", "6")}
    numbers = {
        key: said(home, f"/players/{each}.json")["pools"][0]["now"] for key, each in met.items()
    }
    results = {"2": ("1", "1-0"), "3": ("0.5", "1/2-1/2"), "6": ("0", "0-1")}
    asked = {"player": person, "rulebook": "pool:mail"} | {
        f"{part}{n}": value
        for n, (key, (score, _)) in enumerate(results.items(), 1)
        for part, value in (("o", f"{numbers[key]}/100"), ("r", score))
    }
    told = said(home, "/whatif.json?" + urlencode(asked))
    assert told["answer"] is not None, told["findings"]
    then = [{"white": "1", "black": key, "result": result} for key, (_, result) in results.items()]
    received(home, "Second Class", then, start="2026-04-12", end="2026-05-20")
    publish(home, date(2026, 8, 1))
    [change] = m.Change.objects.filter(person=person, run=m.Run.objects.latest("id"))
    assert (told["answer"]["before"], told["answer"]["after"]) == (change.before, change.after)
    page = nobody().get(f"/whatif?player={person}").content.decode()
    assert "Sum of the opponents" in page
