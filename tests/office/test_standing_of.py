"""How a person stands by a run: with all that the rules go on with, as a report would say it."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from ratingbook.desk.library import rate
from ratingbook.model import Entry, Event, Game, Report, Result
from ratingbook.office.acts import desk, explain, imports, receive, runs, setup
from ratingbook.office.acts.setup import decimals_of, pool_named, rules_of
from ratingbook.office.home import Home
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.store import models as m
from tests.office.conftest import TINA
from tests.office.reports import write
from tests.office.test_forecast import BOOKS, OPENINGS, report

ASKED = [each for each in BOOKS if each not in ("iccf-2009", "iecg-1999")]
"""Those of correspondence chess go on with games, of which no form tells."""


@pytest.mark.parametrize("book", ASKED)
def test_a_game_on_a_standing_gives_what_the_run_gives(
    home: Home, tmp_path: Path, book: str
) -> None:
    """Player 1, who loses all, keeps a floor, a K or a grade from before the history."""
    setup.add_pool("main", book, TINA)
    head, *rows = OPENINGS[book]
    lines = [f"{each},Player {each},{row}" for each, row in enumerate(rows, 1)]
    opening = tmp_path / "opening.csv"
    opening.write_text("\n".join([f"id,name,{head}", *lines]), "utf-8")
    imports.import_file(home, opening, "club", TINA, "main")
    day, last = date.fromisoformat(BOOKS[book]["start"]), None
    step = timedelta(days=BOOKS[book]["step"])
    for number in range(2):
        said = report(book, number, day)
        if number:
            said["players"] = [each for each in said["players"] if each["id"] in "12"]
            said["games"] = [{"round": 1, "white": "1", "black": "2", "result": "0-1"}]
            before = explain.standing_of(home, m.Run.objects.latest("id"), 1)
            other = explain.standing_of(home, m.Run.objects.latest("id"), 2)
            assert before is not None
            assert other is not None
            game = Game("1", "2", Result.BLACK_WINS, round=1)
            asked = Report(
                Event(start=day, end=day, class_=said["event"].get("class"),
                      time_control=said["event"].get("time_control")),
                (Entry("1", standing=before), Entry("2", standing=other)), (game,),
            )  # fmt: skip
            last = rate(asked, rules_of(pool_named("main")).book())
        path = write(tmp_path, f"{number}.json", said)
        [one], _ = receive.receive_all(home, [path], TINA, receive.Options(pool="main"))
        assert one.id is not None
        for each in desk.waiting(one.id) if one.waiting else ():
            desk.link(one.id, each.entry, "new", TINA)
        made = runs.make(home, "main", day + step - timedelta(days=1), TINA).run
        runs.approve(made.id, TINA)
        runs.publish(home, made.id, TINA)
        day += step
    assert last is not None
    change = m.Change.objects.filter(run=made.id, person=1).latest("batch__day")
    [row] = [each for each in last.players if each["id"] == "1"]
    exact = row["after"] if row["exact"] is None else row["exact"]
    assert rounded_one(exact, decimals_of(pool_named("main"))) == change.after
