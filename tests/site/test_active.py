"""Who is active on a list: whoever has played, as far as the office knows, and by its rules."""

from __future__ import annotations

import csv
import io
from datetime import date
from pathlib import Path

import pytest

from ratingbook.office.acts import asking, corrections, imports, receive, setup
from ratingbook.office.home import Home
from ratingbook.site.opening import open_site
from tests.office import reports
from tests.site.offices import TINA, run_to
from tests.site.people import nobody

OPENING = """id,name,rating,games,last_played
701,"Alpha, Anna",1800,40,
702,"Bravo, Ben",1700,40,
703,"Charlie, Chris",1600,40,
704,"Delta, Dora",1500,40,2025-11-30
705,"Echo, Emil",1400,40,2020-11-30
"""
PLAYED = {"2026-01-10": ("1", "2"), "2026-03-10": ("1", "3")}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Anna plays Ben, and later Chris; of Dora and Emil there is only what the import says."""
    home = setup.init(tmp_path / "office", TINA)
    setup.add_pool("club", "fide-2009", TINA)
    setup.set_policies("club", {"revise": "affected"}, "for the test", TINA)
    path = home.folder / "opening.csv"
    path.write_text(OPENING, "utf-8")
    imports.import_file(home, path, "national", TINA, "club")
    for day, until in zip(PLAYED, (date(2026, 3, 1), date(2026, 5, 1)), strict=True):
        both = {key: reports.PLAYERS[key] for key in PLAYED[day]}
        path = reports.write(home.folder, f"{day}.json", reports.document(day, day, None, both))
        receive.receive(home, path, TINA, receive.Options(pool="club", another=True))
        run_to(home, until, who=TINA)
    return home


def active(day: str, most: int) -> list[str]:
    """The names of those who are active on a list, which says how many these are of how many."""
    chosen = csv.DictReader(
        io.StringIO(nobody().get(f"/lists/club/{day}.csv?active=1").content.decode())
    )
    names = [each["name"] for each in chosen]
    page = nobody().get(f"/lists/club/{day}").content.decode()
    assert f"{most} players, {len(names)} of them active" in page
    return names


def test_whoever_was_imported_and_has_never_played_is_not_active(home: Home) -> None:
    open_site(home.folder)
    before = ["Alpha, Anna", "Bravo, Ben", "Delta, Dora"]
    assert active("2026-03-01", 5) == before
    rows = "/api/v1/lists/club/2026-03-01/rows?active="
    by_api = [
        [each["name"] for each in nobody().get(f"{rows}{word}").json()["items"]]
        for word in ("true", "false")
    ]
    assert by_api == [before, ["Charlie, Chris", "Echo, Emil"]]
    # Pages take the words of programs, and tell what they do not understand.
    page = nobody().get("/lists/club/2026-03-01?active=true").content.decode()
    assert "Delta, Dora" in page
    assert "Echo, Emil" not in page
    assert "was not understood" not in page
    for odd in ("active=maybe", "page=x"):
        assert f"“{odd}” in the address was not understood" in (
            nobody().get(f"/lists/club/2026-03-01?{odd}").content.decode()
        )
    assert active("2026-05-01", 5) == [*before[:2], "Charlie, Chris", "Delta, Dora"]
    # A revision of an older list is of its day, though its run knows who has played since.
    asked = corrections.ask(home, [asking.game(1, 1, "1-0")], "Anna won", TINA)
    corrections.accept(home, asked.id, TINA)
    run_to(home, date(2026, 5, 1), who=TINA)
    assert "revision 2" in nobody().get("/lists/club/2026-03-01").content.decode()
    assert active("2026-03-01", 5) == before
