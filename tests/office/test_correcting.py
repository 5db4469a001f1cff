"""The commands of corrections, as an officer gives them."""

from __future__ import annotations

import pytest

from ratingbook.desk.language import ENGLISH
from ratingbook.office.logic.corrections import sentences
from tests.cli.test_examples_in_help import EVERY
from tests.office.officers import Officer
from tests.office.reports import document, write


def test_from_a_request_to_the_register(officer: Officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500",
                 "--policy", "revise=latest")  # fmt: skip
    path = write(tmp_path, "open.json", document(day="2010-04-03", results={("1", "2"): "1-0"}))
    officer.does("receive", path)
    officer.does("link", 1, "all", "new")

    def publish(number: int) -> None:
        officer.does("run", "--pool", "standard", "--until", "2010-07-01")
        officer.does("approve", number)
        officer.does("publish", number)

    publish(1)
    game = officer.does("games", 1)["games"][0]
    assert (game["game"], game["result"]) == (1, "1–0")
    asked = officer.does("correct", "--report", 1, "--game", 1, "--result", "0-1", "--reason", "so")
    assert (asked["correction"], asked["state"]) == (1, "open")
    shown = officer.does("preview", 1)
    assert shown["players"] > 0
    assert {"batches", "lists", "differences", "apart"} <= shown.keys()
    assert "players in" in officer.sees("preview", 1)
    # In 2010 K of new players is 25, and the result is a whole point otherwise.
    other = officer.does("preview", 1, "--way", "next_list")["pools"]["standard"]
    assert (other["corrections"], other["rows"]) == ("next_list", 2)
    assert sorted(other["added"].values()) == [-25, 25]
    assert "on the next list" in officer.sees("preview", 1, "--way", "next_list")
    refused = officer.does("correct", "--merge", 1, 1, "--reason", "so", status=1)
    assert [each["code"] for each in refused["findings"]] == ["office.merged"]
    officer.does("person", "edit", 1, "--born", "1999-01-01", "--reason", "passport")
    put_right = "what the office knows of a person was put right"
    assert f"brings: {put_right}" in officer.sees("preview", 1)
    accepted = officer.does("accept", 1)
    assert (accepted["holds"], accepted["besides"]) == (True, {"standard": [put_right]})
    waits = officer.sees("register", 1)
    assert "the next run will change 2 players, largest difference" in waits
    assert "Will be" in waits
    assert "revised" not in waits
    publish(2)
    assert "2 players, 1 list revised" in officer.sees("register", 1)
    told = officer.does("register", 1)
    assert told["state"] == "published"
    # Both stand on the list of July with what the period to May left.
    players = [int(x["player"]) for x in shown["pools"]["standard"]["differences"]["largest"]]
    assert [(x["batch"], x["person"]) for x in told["changed"]] == [
        (batch, person) for batch in ("2010-05-01", "list 2010-07-01") for person in sorted(players)
    ]
    person = told["changed"][0]["person"]
    assert officer.does("why", person, "--pool", "standard")["changes"][0]["corrections"] == [1]
    assert officer.does("audit", "--kind", "game fixed")["acts"][0]["reason"] == "correction 1: so"
    assert officer.does("corrections")["corrections"][0]["state"] == "published"
    assert officer.does("outbox")["outbox"] == []
    assert officer.does("doctor")["sound"]


def test_the_register_tells_whose_rating_came_or_went(officer: Officer, tmp_path):
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009", "--policy", "assume=1500")
    officer.does("receive", write(tmp_path, "open.json", document(day="2010-04-03")))
    officer.does("link", 1, "all", "new")
    new = officer.does("person", "add", "Golf, Gus")["person"]
    for number in (1, 2):
        officer.does("run", "--pool", "standard", "--until", "2010-07-01")
        officer.does("approve", number)
        officer.does("publish", number)
        if number == 1:
            officer.does("correct", "--report", 1, "--entry", 6, "--player", new, "--reason", "he")
            officer.does("accept", 1)
    told = {x["person"]: (x["was"], x["now"]) for x in officer.does("register", 1)["changed"]}
    assert (told[6][1], told[new][0]) == (None, None)
    assert None not in (told[6][0], told[new][1])
    shown = " ".join(officer.sees("register", 1).split())
    # After the period, and on the list on which they are carried.
    assert shown.count("no rating any more") == shown.count("first rating") == 2


def test_as_says_who_acts_and_nothing_else():
    found = {
        name: parameter.name
        for name, command in EVERY.items()
        for parameter in command.params
        if "--as" in parameter.opts
    }
    assert len(found) > 10
    assert set(found.values()) == {"actor"}


@pytest.mark.parametrize("officer", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--pool standard --opening rating=1700 --person 1 --from 2026-01-01",
         ["--from goes with --decide"]),
        ("--report 1 --withdraw --swap", ["--swap goes with --game"]),
        ("--report 1 --withdraw --result 1-0", ["--result goes with --game"]),
        ("--report 1 --withdraw --person 4", ["--person goes with --opening or --decide"]),
        ("--report 1 --move 2026-01-01 --player 5", ["--player goes with --entry"]),
        ("--merge 1 2 --report 1",
         ["--report goes with --game, --entry, --move, --to-pool, --withdraw or --late"]),
        ("--game 3", ["--game goes with --report",
                      "--game goes with --result, --rated or --swap"]),
        ("--merge 1 2 --decide floor=1900 --register national",
         ["--decide goes with --pool", "--decide goes with --person",
          "--register goes with --openings"]),
        ("--pool standard --take-back 1", ["--pool goes with --opening"]),
        ("--rules-mended", ["--rules-mended goes with --pool"]),
    ],
)  # fmt: skip
def test_an_option_that_would_do_nothing_is_refused(officer, options, told):
    said = " ".join(officer.sees("correct", *options.split(), "--reason", "so", status=2).split())
    for each in told:
        assert each in said
    assert said.count("goes with") == len(told)
    assert officer.does("corrections")["corrections"] == []


def test_an_opening_that_is_no_more_says_that_there_is_none():
    """As those say that were taken back before a take-back undid the fact itself."""
    gone = {"kind": "opening", "pool": 1, "pool_name": "standard", "values": {"1": None},
            "before": {"1": {"rating": 1329}}}  # fmt: skip
    assert sentences([gone], ENGLISH, {1: "Golf, Gus"}) == [
        "pool standard: Golf, Gus (1) comes in with nothing, before with rating 1329"
    ]
