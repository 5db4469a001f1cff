"""FIDE's three lists, which read each other: whom one met counts with one number everywhere.

The numbers are reckoned by hand from the lists that were in force, by the rule text: the rating of
the own list, and of who has none there the standard one (paragraph 12).
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.test import Client

from ratingbook.office.acts import asking, corrections, desk, imports, receive, setup
from ratingbook.office.home import Home
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from ratingbook.site import accounts
from ratingbook.site.opening import open_site
from tests.office import reports
from tests.site.offices import SECRET, copied, run_to
from tests.site.people import nobody, signed_in

TINA = Who("tina", at=datetime(2026, 9, 2, 9, 0, tzinfo=UTC))
Said = dict[str, Any]
PLAYERS = {
    **reports.PLAYERS,
    "7": ("Golf, Gerda", "w", "1991-04-04", "707"),
    "8": ("Hotel, Hugo", "m", "1960-05-05", "708"),
}
STANDARD = {"1": 2010, "2": 1903, "3": 1801, "4": 1707, "5": 1602, "7": 1855, "8": 1910}
RAPID = {"1": 1950, "3": 1780}
BLITZ = {"2": 1880, "4": 1733}
FIRST = date(2026, 6, 1)
LISTS = (date(2026, 7, 1), date(2026, 8, 1))
FEW = {"1": "2", "2": "3", "4": "5", "6": "7"}


def results(wins: str, losses: str = "") -> dict[tuple[str, str], str]:
    """Of a round robin in which all other games are draws."""
    keys = list(PLAYERS)
    pairs = [(one, other) for i, one in enumerate(keys) for other in keys[i + 1 :]]
    won = {pair: "1-0" if pair[0] in wins else "0-1" for pair in pairs if set(pair) & set(wins)}
    lost = {
        pair: "0-1" if pair[0] in losses else "1-0" for pair in pairs if set(pair) & set(losses)
    }
    return won | lost


EVENTS = (
    ("standard", "2026-06-05", "90+30", results("1", "8"), PLAYERS),
    ("rapid", "2026-06-06", "15+10", results("3"), PLAYERS),
    # Without a point it is no event that counts towards a first rating.
    ("blitz", "2026-06-07", "3+2", results("", "6"), PLAYERS),
    ("blitz", "2026-06-08", "3+2", results("5"), PLAYERS),
    ("standard", "2026-07-05", "90+30", results("8"), PLAYERS),
    ("rapid", "2026-07-06", "15+10", results("7"), {k: PLAYERS[k] for k in "1256"}),
    ("blitz", "2026-07-07", "3+2", results("2"), {k: PLAYERS[k] for k in "24678"}),
    ("blitz", "2026-07-09", "3+2", results("6"), PLAYERS),
)  # fmt: skip
DIFFERENCES = (
    800, 677, 589, 538, 501, 470, 444, 422, 401, 383, 366, 351, 336, 322, 309, 296, 284,
    273, 262, 251, 240, 230, 220, 211, 202, 193, 184, 175, 166, 158, 149, 141, 133, 125,
    117, 110, 102, 95, 87, 80, 72, 65, 57, 50, 43, 36, 29, 21, 14, 7, 0,
)  # fmt: skip
"""Of the printed table 8.1.1, from 1.00 down to 0.50; below a half with a minus."""


def opening(home: Home, pool: str, ratings: dict[str, int]) -> None:
    lines = [
        f'70{key},"{PLAYERS[key][0]}",{rating},100,{PLAYERS[key][2]}'
        for key, rating in ratings.items()
    ]
    path = home.folder / f"{pool}.csv"
    path.write_text("\n".join(["id,name,rating,games,birth_date", *lines]) + "\n", "utf-8")
    imports.import_file(home, path, "national", TINA, pool)


@pytest.fixture(scope="module")
def fide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    home = setup.init(tmp_path_factory.mktemp("fide") / "office", TINA)
    for pool, ratings in (("standard", STANDARD), ("rapid", RAPID), ("blitz", BLITZ)):
        setup.add_pool(pool, "fide", TINA, {} if pool == "standard" else {"pool": pool})
        opening(home, pool, ratings)
    for number, (pool, day, control, won, players) in enumerate(EVENTS, 1):
        said = reports.document(
            f"{pool} {number}", day, won, players, time_control=control, pool=pool
        )
        path = reports.write(home.folder, f"{number}.json", said)
        one = receive.receive(home, path, TINA, receive.Options(pool=pool, another=True))
        assert one.id is not None, list(one.findings)
        if one.waiting:
            desk.link_new(one.id, TINA)
    for until in LISTS:
        for pool in ("standard", "rapid", "blitz"):
            run_to(home, until, pool, who=TINA)
    yield home
    from django.db import connections

    connections.close_all()


@pytest.fixture
def browser(fide: Home) -> Client:
    open_site(fide.folder)
    return nobody()


def said(browser: Client, path: str) -> Any:
    answer = browser.get(path)
    assert answer.status_code == 200, (path, answer.content[:300])
    return json.loads(answer.content)


class Published:
    """What the lists had, by the names of the players."""

    def __init__(self, browser: Client) -> None:
        opened = {"standard": STANDARD, "rapid": RAPID, "blitz": BLITZ}
        self.of: dict[tuple[str, date], dict[str, float]] = {
            (pool, FIRST): {PLAYERS[key][0]: float(number) for key, number in ratings.items()}
            for pool, ratings in opened.items()
        }
        for pool in opened:
            for day in LISTS:
                lines = said(browser, f"/lists/{pool}/{day}.json")["lines"]
                self.of[pool, day] = {each["name"]: each["rating"] for each in lines}

    def met(self, name: str, pool: str, start: date) -> float | None:
        """Paragraph 12: the rating of the list in force, or the standard one."""
        day = start.replace(day=1)
        own = self.of[pool, day].get(name)
        return self.of["standard", day].get(name) if own is None else own


class Reckoned(NamedTuple):
    """By hand."""

    average: float | None
    performance: int | None


def reckoned(met: list[tuple[float, float]]) -> Reckoned:
    """Of the numbers of opponents and the points against them: Rp = Ra + dp."""
    if not met:
        return Reckoned(None, None)
    total, score, games = sum(each for each, _ in met), sum(half for _, half in met), len(met)
    percent = int(100 * score / games + 0.5)
    difference = DIFFERENCES[100 - percent] if percent >= 50 else -DIFFERENCES[percent]
    return Reckoned(total / games, int(total / games + 0.5) + difference)


def games_of(key: str, pool: str, day: date) -> list[tuple[date, str, float, int]]:
    """The start, opponent, points, and number of the event of a player's games of a list."""
    found = []
    for number, (of, begun, _, won, players) in enumerate(EVENTS, 1):
        start = date.fromisoformat(begun)
        if of != pool or start.month + 1 != day.month or key not in players:
            continue
        for other in players:
            if other != key:
                pair = min(key, other), max(key, other)
                result = won.get(pair, "1/2-1/2")
                white = {"1-0": 1.0, "0-1": 0.0}.get(result, 0.5)
                points = white if pair[0] == key else 1 - white
                found.append((start, PLAYERS[other][0], points, number))
    return found


def rated_games(lists: Published, key: str, pool: str, day: date) -> list[tuple[float, float, int]]:
    """With which number each opponent counted, the points, and the number of the event.

    Who is unrated has no game of an event without a point, and nobody one against the unrated.
    """
    every = games_of(key, pool, day)
    is_new = lists.met(PLAYERS[key][0], pool, day.replace(month=day.month - 1)) is None
    scored = {number for *_, points, number in every if points}
    found = []
    for start, name, points, number in every:
        met = lists.met(name, pool, start)
        if met is not None and (not is_new or number in scored):
            found.append((met, points, number))
    return found


def rows_of(text: bytes) -> list[Said]:
    return list(csv.DictReader(io.StringIO(text.decode("utf-8-sig"))))


def number_of(text: str) -> float | None:
    return float(text) if text else None


def counted_by_steps(shown: Said) -> list[float]:
    """With which numbers the steps reckoned the games."""
    texts, found = list[str](), list[float]()
    for each in shown["paragraphs"]:
        texts += [*each["said"], *(text for _, text in each["games"])]
    for text in texts:
        of_rated = re.search(r"difference [\d.]+ − ([\d.]+) =", text)
        of_new = re.search(r"opponent ([\d.]+), score", text)
        if match := of_rated or of_new:
            found.append(float(match[1]))
    return found


def test_an_opponent_counts_with_one_number_in_all_places(browser: Client) -> None:
    lists, stood_in, seen = Published(browser), 0, 0
    entered = said(browser, "/events/1.json")["section"]["lines"]
    numbers = {each["name"]: each["person"] for each in entered}
    for key, (name, *_) in PLAYERS.items():
        person = numbers[name]
        results = said(browser, f"/api/v1/players/{person}/results")["items"]
        listed = browser.get(f"/api/v1/players/{person}/results?format=csv")
        for each, row in zip(results, rows_of(listed.content), strict=True):
            pool, day = each["pool"], date.fromisoformat(each["key"])
            games = rated_games(lists, key, pool, day)
            by_hand = reckoned([(met, points) for met, points, _ in games])
            where = name, pool, day
            told = (each["average"], each["performance"])
            assert each["games"] == len(games), where
            assert told == pytest.approx(by_hand), where
            assert (number_of(row["average"]), number_of(row["performance"])) == told, where
            on_page = said(browser, f"/players/{person}.json?pool={pool}")["results"]
            mine = next(x for x in on_page if (x["pool"], x["key"]) == (pool, each["key"]))
            assert (mine["average"], mine["performance"]) == told, where
            why = f"/players/{person}/changes/{pool}/{day}"
            for path in (f"{why}.json", f"/api/v1{why}"):
                shown = said(browser, path)
                assert (shown["average"], shown["performance"]) == told, where
                rated = [x["rating"] for x in shown["games"] if not x["why_unrated"]]
                assert sorted(rated) == sorted(met for met, *_ in games), where
                if games:
                    assert set(counted_by_steps(shown)) == set(rated), where
                stood_in += sum(x["rating_is"] == "stand-in" for x in shown["games"])
            seen += 1
    assert (seen, stood_in > 100) == (44, True)


def test_a_cross_table_has_the_average_of_its_own_event(browser: Client) -> None:
    lists, seen = Published(browser), 0
    keys = {name: key for key, (name, *_) in PLAYERS.items()}
    for number, (pool, begun, *_) in enumerate(EVENTS, 1):
        start = date.fromisoformat(begun)
        day = start.replace(day=1, month=start.month + 1)
        lines = said(browser, f"/events/{number}.json")["section"]["lines"]
        section = said(browser, f"/api/v1/events/{number}/sections/0")
        by_program = {each["name"]: each for each in section["items"]}
        of_file = {x["name"]: x for x in rows_of(browser.get(f"/events/{number}.csv").content)}
        for line in lines:
            games = rated_games(lists, keys[line["name"]], pool, day)
            by_hand = reckoned([(met, points) for met, points, of in games if of == number])
            where = line["name"], pool, number
            told = (line["average"], line["performance"])
            assert told == pytest.approx(by_hand), where
            other, row = by_program[line["name"]], of_file[line["name"]]
            assert (other["average"], other["performance"]) == told, where
            assert (number_of(row["average"]), number_of(row["performance"])) == told, where
            seen += 1
    assert seen == 57


def test_who_starts_from_the_standard_rating_is_told_so(browser: Client) -> None:
    """Paragraph 12: no first rating is reckoned, but what became of the standard one."""
    lists, seen = Published(browser), 0
    entered = said(browser, "/events/1.json")["section"]["lines"]
    numbers = {each["name"]: each["person"] for each in entered}
    for pool, ratings in (("rapid", RAPID), ("blitz", BLITZ)):
        for key in STANDARD.keys() - ratings.keys():
            name, start = PLAYERS[key][0], STANDARD[key]
            shown = said(browser, f"/players/{numbers[name]}/changes/{pool}/2026-07-01.json")
            change = lists.of[pool, LISTS[0]][name] - start
            sentence = "".join(part["text"] for part in shown["sentence"])
            family, given = name.split(", ")
            assert sentence.startswith(
                f"{given} {family} had no rating here and began with {start} (paragraph 12). From "
            )
            sign = "−" if change < 0 else "+"
            *_, last = shown["sum"]
            assert last["text"] == f"{start} {sign} {abs(change):.0f} ="
            assert last["result"] == f"{start + change:.0f}"
            assert (shown["before"], shown["began"]) == (None, start)
            results = said(browser, f"/players/{numbers[name]}.json?pool={pool}")["results"]
            (row,) = [x for x in results if (x["pool"], x["key"]) == (pool, "2026-07-01")]
            assert (row["before"], row["began"], row["after"]) == (None, start, start + change)
            event = next(at for at, each in enumerate(EVENTS, 1) if each[0] == pool)
            (line,) = [
                x for x in said(browser, f"/events/{event}.json")["section"]["lines"]
                if x["name"] == name
            ]  # fmt: skip
            assert (line["before"], line["began"], line["after"]) == (None, start, start + change)
            for path in (f"/players/{numbers[name]}?pool={pool}", f"/events/{event}"):
                page = browser.get(path, headers={"accept-language": "en"}).content.decode()
                assert f"from {start}<" in page, path
                assert f"{sign}{abs(change):.0f}" in page, path
            seen += 1
    assert seen == 10
    fay = said(browser, f"/players/{numbers[PLAYERS['6'][0]]}/changes/blitz/2026-07-01.json")
    assert "The first rating is" in "".join(part["text"] for part in fay["sentence"])
    assert fay["began"] is None


@pytest.fixture
def own_office(fide: Home, tmp_path: Path) -> Iterator[Home]:
    """A copy, with an officer who has an account."""
    copied(fide, tmp_path / "office")
    home = open_site(tmp_path / "office")
    from allauth.mfa.totp.internal.auth import TOTP

    TOTP.activate(accounts.add_user("tina", "tina", TINA), SECRET)
    # Somebody who is new in both, and begins in rapid where the standard list has him.
    everybody = {**PLAYERS, "9": ("India, Ivo", "m", "1984-02-02", "709")}
    for number, (pool, day, control) in enumerate(
        [("standard", "2026-06-20", "90+30"), ("rapid", "2026-07-20", "15+10")], len(EVENTS) + 1
    ):
        report = reports.document(
            f"{pool} {number}", day, {("1", "9"): "1-0", ("2", "9"): "0-1"}, everybody,
            time_control=control, pool=pool,
        )  # fmt: skip
        path = reports.write(home.folder, f"{number}.json", report)
        one = receive.receive(home, path, TINA, receive.Options(pool=pool, another=True))
        if one.waiting:
            desk.link_new(one.id or 0, TINA)
    for pool in ("standard", "rapid"):
        run_to(home, LISTS[-1], pool, who=TINA)
    yield home
    from django.db import connections

    connections.close_all()


def in_force(browser: Client, pool: str) -> dict[str, float]:
    lines = said(browser, f"/lists/{pool}/{LISTS[-1]}.json")["lines"]
    return {each["name"]: each["rating"] for each in lines}


def test_who_decides_sees_what_follows_in_the_pools_that_read(own_office):
    tina, anybody = signed_in("tina"), nobody()
    before = {pool: in_force(anybody, pool) for pool in ("rapid", "blitz")}
    number = len(EVENTS) + 1
    game = m.Game.objects.get(
        section__version__report=number, white__number=1, black__number=9
    ).number  # fmt: skip
    corrections.ask(own_office, [asking.game(number, game, "0-1")], "typed the wrong way", TINA)
    shown = tina.get("/desk/corrections/1/?preview=yes")
    assert shown.status_code == 200, shown.headers
    told = {}
    for pool in before:
        behind = plain(shown.content).partition(f"{pool} reads the ratings of standard: ")[2]
        told[pool] = behind.partition("from the first of these numbers on.")[0]
    corrections.accept(own_office, 1, TINA, "so it was")
    for pool in ("standard", *before):
        run_to(own_office, LISTS[-1], pool, who=TINA)
    for pool, was in before.items():
        now = in_force(anybody, pool)
        others = {name: (was.get(name), now.get(name)) for name in was.keys() | now.keys()}
        moved = {name: both for name, both in others.items() if both[0] != both[1]}
        counted = re.search(r"ratings? of (\d+) players?", told[pool])
        assert len(moved) == (int(counted[1]) if counted else 0), (pool, told[pool], moved)
        for name, one, other in re.findall(r"(\w+, \w+) (\d+) → (\d+)", told[pool]):
            assert moved[name] == (float(one), float(other))
    assert "ratings of 9 players others" in told["rapid"]
    assert "India, Ivo" in told["rapid"]
    assert told["blitz"].startswith("by this its numbers stay.")


def plain(page: bytes) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.decode()).split())
