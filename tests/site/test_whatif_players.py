"""A what-if of a player of the office goes on with all that the office's run goes on with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

import ratingbook as rb
from ratingbook.office.acts import desk, imports, receive, runs, setup
from ratingbook.office.home import Home
from ratingbook.office.store.ledger import Who
from ratingbook.site.opening import open_site
from tests.site.people import nobody

TINA = Who("tina", at=datetime(2026, 4, 2, 9, 0, tzinfo=UTC))
RATED = {"1": 1900, "2": 1850, "3": 1950, "4": 2000}
NEW = "9"


def opened(folder: Path, edition: str, lines: Sequence[str]) -> Home:
    """An office with a pool into which a file brings players."""
    home = setup.init(folder / "office", TINA)
    setup.add_pool("club", edition, TINA)
    opening = folder / "opening.csv"
    opening.write_text("\n".join([*lines, ""]), "utf-8")
    imports.import_file(home, opening, "national", TINA, "club")
    return home


def published(home: Home) -> Client:
    """Its site, with a list."""
    run = runs.make(home, "club", date(2026, 3, 1), TINA).run
    runs.approve(run.id, TINA)
    runs.publish(home, run.id, TINA)
    open_site(home.folder)
    return nobody()


def met(folder: Path, edition: str, scores: Sequence[str]) -> tuple[Client, int]:
    """The site of an office in which somebody new has met four others, and who that is."""
    lines = [f'{key},{rating},90,"Invented, P{key}"' for key, rating in RATED.items()]
    home = opened(folder, edition, ["id,rating,games,name", *lines])
    said = {
        "ratingbook": "report/1",
        "event": {"name": "First", "start": "2026-01-10", "end": "2026-01-10"},
        "players": [
            *({"id": key, "name": f"Invented, P{key}", "ids": {"national": key}} for key in RATED),
            {"id": NEW, "name": "Somebody, New", "birth_date": "1980-01-01"},
        ],
        "games": [
            {"round": number, "white": NEW, "black": other, "result": result}
            for number, (other, result) in enumerate(zip(RATED, scores, strict=True), 1)
        ],
    }  # fmt: skip
    path = folder / "first.json"
    path.write_text(json.dumps(said), "utf-8")
    received = receive.receive(home, path, TINA, receive.Options(pool="club", another=True))
    assert received.id is not None
    ((person,), _) = desk.link_new(received.id, TINA)
    return published(home), person


@pytest.mark.parametrize("edition", ["uscf-2011", "uscf-2025"])
@pytest.mark.parametrize(
    ("scores", "results"),
    [
        (["1-0"] * 4, (4, 0, 0)),
        (["0-1"] * 4, (0, 0, 4)),
        (["1-0", "1/2-1/2", "0-1", "0-1"], (1, 1, 2)),
    ],
)
def test_the_results_so_far_are_filled_in(tmp_path, edition, scores, results):
    """US Chess 1.4: after nothing but wins, or losses, the special formula holds."""
    asker, person = met(tmp_path, edition, scores)
    asked = {"rulebook": "pool:club", "player": person, "o1": 2500, "r1": 1}
    got: Any = asker.get("/whatif.json?" + urlencode(asked)).json()
    filled = {each["name"]: each["value"] for each in got["own"]}
    said = dict(zip(("wins", "draws", "losses"), map(str, results), strict=True))
    assert {name: filled[name] for name in said} == said
    assert "uscf.results-unknown" not in [each["code"] for each in got["findings"]]
    alone = asker.get("/whatif.json?" + urlencode({**asked, **said})).json()
    assert got["answer"] == alone["answer"]
    api = asker.get("/api/v1/whatif?" + urlencode(asked)).json()
    assert api["answer"] == got["answer"]


@pytest.mark.parametrize("edition", ["iecg-1999"])
def test_who_is_established_after_few_games_stays_so(tmp_path, edition):
    """IECG III.1: such a rating changes by section V, not by all games so far as in IV."""
    lines = ["id,rating,games,status,name", '1,1810,10,established,"Invented, One"']
    asker = published(opened(tmp_path, edition, lines))
    asked = {"rulebook": "pool:club", "player": 1, "o1": 1900, "r1": 1}
    got: Any = asker.get("/whatif.json?" + urlencode(asked)).json()
    alone = rb.whatif(
        ["1900=1"], edition, rating=1810, games=10, standing={"status": "established"}
    )  # fmt: skip
    assert got["answer"]["after"] == alone["outcomes"][0]["after"], got["findings"]


def test_games_that_made_no_rating_yet_are_told_to_be_left_out(tmp_path):
    """FIDE 6a: with five games there is a first rating; the form knows none of the four before."""
    asker, person = met(tmp_path, "fide-2024", ["1-0", "0-1", "1/2-1/2", "1-0"])
    asked = {"player": person, "o1": 1900, "r1": 1}
    told = "This player has 4 rated games here that have brought no published rating yet"
    for path in ("/whatif.json?", "/api/v1/whatif?"):
        got: Any = asker.get(path + urlencode({**asked, "rulebook": "pool:club"})).json()
        (found,) = [x for x in got["findings"] if x["code"] == "site.games-so-far"]
        assert found["message"].startswith(told)
    page = asker.get("/whatif?" + urlencode({**asked, "rulebook": "pool:club"}))
    assert told in page.content.decode()
    for other in ({"player": 1, "rulebook": "pool:club"}, {"rulebook": "fide-2024"}):
        got = asker.get("/whatif.json?" + urlencode({**asked, **other})).json()
        assert "site.games-so-far" not in str(got["findings"])
