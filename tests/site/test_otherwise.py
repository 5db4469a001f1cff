"""What is told of lists on which K or numbers of games alone are others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from django.test import Client

from ratingbook.cli.office.told import entry_told
from ratingbook.office.acts import (
    asking,
    corrections,
    imports,
    reasons,
    receive,
    register,
    runs,
    setup,
)
from ratingbook.office.acts.published import steps_of
from ratingbook.office.acts.registry import Edit, edit
from ratingbook.office.home import Home
from ratingbook.office.store import models as m
from ratingbook.site.opening import open_site
from ratingbook.site.shown import running
from tests.office.reports import document, write
from tests.site.offices import TINA, run_to
from tests.site.pages import FIRST, page_of

PLAYERS = {
    # Number: name, rating, games, born.
    "4100001": ("Bravo, Ben", 1900, 80, "1985-03-07"),
    "4100002": ("Charlie, Chris", 1900, 80, "2012-03-07"),
    "4100003": ("Delta, Dora", 1900, 12, "1985-03-07"),
}
CHRIS, DORA = 2, 3
JANUARY, FEBRUARY, MARCH = (date(2026, month, 1) for month in (1, 2, 3))


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """An older birth date, and a draw taken out: no rating is another one for both."""
    work = tmp_path_factory.mktemp("otherwise")
    setup.init(work / "office", TINA)
    home = open_site(work / "office")
    setup.add_pool("standard", "fide-2024", TINA, {}, {"revise": "affected"})
    _imported(home, work)
    run_to(home, JANUARY, "standard")
    both = {n: (PLAYERS[n][0], "m", PLAYERS[n][3], n) for n in ("4100001", "4100003")}
    said = document("Match", "2026-01-10", players=both)
    for each in said["players"]:
        each["ids"] = {"fide": each["id"]}
    options = receive.Options(pool="standard")
    receive.receive(home, write(work, "match.json", said), TINA, options)
    run_to(home, FEBRUARY, "standard")
    edit(CHRIS, Edit(born=date(1990, 3, 7)), "mistyped", TINA)
    one = corrections.ask(home, [asking.event("1", "withdraw")], "played at home", TINA)
    corrections.accept(home, one.id, TINA)
    run = runs.make(home, "standard", MARCH, TINA).run
    promised = running.lists_reached(run)
    runs.approve(run.id, TINA)
    runs.publish(home, run.id, TINA)
    kept = running.lists_reached(m.Run.objects.select_related("pool").get(id=run.id))
    said_of = [[(x.day, x.becomes, x.columns) for x in some] for some in (promised, kept)]
    assert said_of[0] == said_of[1] == [
        (JANUARY, "revised", ("K",)), (FEBRUARY, "revised", ("Gms", "K")), (MARCH, "new", ()),
    ]  # fmt: skip
    yield home
    from django.db import connections

    connections.close_all()


def _imported(home: Home, work: Path) -> None:
    path = work / "players.csv"
    lines = ["id,name,rating,games,birth_date"]
    lines += [f'{n},"{name}",{r},{g},{born}' for n, (name, r, g, born) in PLAYERS.items()]
    path.write_text("\n".join(lines), "utf-8")
    imports.import_file(home, path, "fide", TINA, "standard")


@pytest.fixture
def reader(office: Home) -> Client:
    open_site(office.folder)
    return Client(headers={"host": "localhost"})


def ribbon(client: Client, url: str) -> str:
    # Two revisions are compared, with what came between: it is looked up once.
    text = page_of(client, url, more=FIRST + 4)
    return text[text.index('<div class="ribbon">') : text.index('<form class="filters"')]


def test_a_list_with_another_k_alone_says_so_and_why(reader):
    said = ribbon(reader, "/lists/standard/2026-01-01")
    assert "No rating differs from the revision before. Columns with other numbers than" in said
    assert "than there: K." in said
    assert "What came between: <bdi>what the office knows of a person was put right</bdi>" in said
    assert "Correction" not in said, "it is about games of February"


def test_a_list_with_other_games_alone_names_the_correction(reader):
    said = ribbon(reader, "/lists/standard/2026-02-01")
    assert "than there: Gms, K." in said
    assert "Correction 1" in said
    assert "what the office knows of a person was put right" in said


def test_of_whom_it_is_officers_alone_are_told(office, reader):
    (pool,) = m.Pool.objects.all()
    told = reasons.between(steps_of(pool.id, 2, 3), for_officers=True)
    found = [(each.day, each.people) for each in told if "birth date said anew" in each.says]
    assert found == [(JANUARY, frozenset({CHRIS}))]


def test_a_correction_tells_the_lists_that_it_has_revised_without_a_rating(office, reader):
    text = page_of(reader, "/corrections/1", more=FIRST)
    assert "No published rating became another one by it; other numbers on lists did." in text
    assert re.findall(r'href="/lists/standard/([^"]+)"', text) == ["2026-02-01/r2"]
    assert register.entry(office, 1)["reach"]["lists"] == ["standard@2026-02-01"]


@pytest.fixture(scope="module")
def put_right(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A birth date is said anew and a game corrected; one run publishes both, and no report."""
    work = tmp_path_factory.mktemp("put_right")
    setup.init(work / "office", TINA)
    home = open_site(work / "office")
    setup.add_pool("standard", "fide-2024", TINA, {}, {"revise": "affected"})
    _imported(home, work)
    players = {n: (name, "m", born, n) for n, (name, _, _, born) in PLAYERS.items()}
    won = {("4100001", "4100002"): "0-1"}
    said = document("Match", "2026-01-10", won, players=players)
    for each in said["players"]:
        each["ids"] = {"fide": each["id"]}
    options = receive.Options(pool="standard")
    receive.receive(home, write(work, "match.json", said), TINA, options)
    run_to(home, FEBRUARY, "standard")
    edit(CHRIS, Edit(born=date(1990, 3, 7)), "mistyped", TINA)
    one = corrections.ask(home, [asking.game(1, 1, "1-0")], "the sheet", TINA)
    corrections.accept(home, one.id, TINA)
    run_to(home, FEBRUARY, "standard")
    yield home
    from django.db import connections

    connections.close_all()


PUT_RIGHT = "what the office knows of a person was put right"


def test_a_correction_says_that_a_person_was_put_right_in_its_run(put_right):
    """The command and the page alike, with the reason of the list; of reports nothing is said."""
    client = Client(headers={"host": "localhost"})
    said = register.entry(put_right, 1)
    (by_person,) = (x for x in said["changed"] if x["person"] == CHRIS)
    # By hand: a win with K = 40 is +20, the loss of an adult, with K = 20, is −10. When it was
    # accepted the office knew of the adult: by itself it made a win a loss with K = 20.
    assert (by_person["was"], by_person["now"]) == (1920, 1890)
    assert by_person["change"] == -20
    answer = entry_told(said)
    assert f"the run of standard brought, too: {PUT_RIGHT}" in answer.lines
    assert ">By corrections" in answer.columns
    page_of(client, "/corrections/1", more=FIRST + 2)
    text = page_of(client, "/corrections/1")
    assert f"What else the run of standard brought: <bdi>{PUT_RIGHT}</bdi>." in text
    assert "with something else of the same run" in text
    assert "Largest by corrections" in text
    for each in (text, str(answer)):
        assert "other reports" not in each
        assert "birth date" not in each


def test_a_player_reads_what_else_made_the_ratings_others(put_right):
    client = Client(headers={"host": "localhost"})
    page_of(client, f"/players/{CHRIS}", more=FIRST)
    told = page_of(client, f"/players/{CHRIS}").partition("What else made these ratings")[2]
    assert f"<bdi>{PUT_RIGHT}</bdi>" in told
    assert "1 number of this player was revised." in told
    # Of Ben, whom the correction alone moved, there is nothing else.
    assert "What else made these ratings" not in page_of(client, "/players/1", more=FIRST)
