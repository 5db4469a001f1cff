"""An open request says what accepting it would not change: of an event that is out, or twice."""

from __future__ import annotations

from datetime import date

from ratingbook.office.acts import asking, corrections, receive, register, reports, setup
from ratingbook.office.acts.outlook import outlook
from ratingbook.office.acts.preview import Bench
from tests.office.asked import ask, hold, published_open
from tests.office.officers import Officer
from tests.office.prepared import prepared
from tests.office.reports import document, write

OUT = (
    "Invented Open is out (withdrawn): "
    "what is asked of it changes nothing until it is let in again."
)  # fmt: skip
SAID_TWICE = "What it asks for holds already: accepting it changes nothing."


@prepared
def office(home, tina, tmp_path):
    return published_open(home, tina, tmp_path)


def told(number):
    return outlook(corrections.named(number))


def test_what_is_asked_of_an_event_that_is_out_says_so(office, tina):
    setup.add_pool("blitz", "fide-2009", tina)
    game = ask(office, tina, asking.game(1, 1, "0-1"))
    day = ask(office, tina, asking.moved("1", date(2026, 1, 20)))
    pool = ask(office, tina, asking.into_pool("1", "blitz"))
    settings = ask(office, tina, asking.parameters("standard", {}, "1600"))
    every = (game, day, pool, settings)
    assert [told(each) for each in every] == [()] * 4
    hold(office, tina, asking.event("1", "withdraw"))
    assert [told(each) for each in every] == [(OUT,)] * 3 + [()]
    assert register.entry(office, game)["outlook"] == [OUT]
    assert not len(Bench(office).preview(corrections.named(game).contents).rows)
    # What lets it in changes something, and so does what is decided together with that.
    late = ask(office, tina, asking.event("1", "late"))
    both = ask(office, tina, asking.event("1", "late"), asking.game(1, 1, "1/2-1/2"))
    assert [told(each) for each in (late, both)] == [(), ()]
    corrections.accept(office, late, tina)
    assert told(game) == ()


def test_an_event_that_is_held_is_out_unless_a_version_of_it_counts(office, tina, tmp_path):
    game = ask(office, tina, asking.game(1, 1, "0-1"))
    reports.put_aside("1", "hold", "look at it", tina)
    (found,) = told(game)
    assert found.startswith("Invented Open is out (held): ")
    reports.put_aside("1", "release", "as it was", tina)
    assert told(game) == ()
    said = document(results={("1", "2"): "1-0", ("2", "3"): "1-0"})
    receive.receive_all(office, [write(tmp_path, "v2.json", said)], tina, receive.Options())
    reports.put_aside("1", "refuse", "not so", tina)
    assert told(game) == ()


def test_what_holds_already_is_told_so_and_nothing_is_told_once_it_is_decided(office, tina):
    result = ask(office, tina, asking.game(1, 1, "0-1", swap=True))
    colours = ask(office, tina, asking.game(1, 1, swap=True))
    flag = ask(office, tina, asking.game(1, 1, "0-1", "white"))
    assert [told(each) for each in (result, colours, flag)] == [()] * 3
    corrections.accept(office, result, tina)
    assert [told(each) for each in (result, colours, flag)] == [(), (SAID_TWICE,), ()]
    corrections.accept(office, colours, tina)
    assert told(colours) == ()
    later = ask(office, tina, asking.moved("1", date(2026, 1, 20)))
    # With something else it is another request, for the same day.
    same = ask(
        office, tina, asking.moved("1", date(2026, 1, 20)), *corrections.named(flag).contents
    )
    corrections.accept(office, later, tina)
    assert told(same) == ()
    corrections.accept(office, flag, tina)
    assert told(same) == (SAID_TWICE,)


def test_the_commands_say_it(officer: Officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500")
    path = write(tmp_path, "open.json", document(results={("1", "2"): "1-0"}))
    officer.does("receive", path)
    officer.does("link", 1, "all", "new")
    why = ("--reason", "so it was")
    officer.does("correct", "--report", 1, "--game", 1, "--result", "0-1", *why)
    officer.does("withdraw", 1, *why)
    assert "let in again" in officer.sees("corrections")
    for command in ("register", "preview"):
        assert OUT in " ".join(officer.sees(command, 1).split())
    assert officer.does("preview", 1)["outlook"] == {"1": [OUT]}
    assert officer.does("corrections")["corrections"][0]["outlook"] == [OUT]
