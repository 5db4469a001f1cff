"""Category and level of the events of a period, in the rows of its games."""

from __future__ import annotations

import json

import pytest

HEAD = "Event;Category;Level;White ID;White;Black ID;Black;Result;End date\n"
PLAYERS = "id,rating,games\n101001,2100,120\n101002,2000,90\n"
ICCF = ("--rulebook", "iccf-2009")


@pytest.fixture
def rated(run, tmp_path):
    """What becomes of the rows of a period."""

    def rate(*rows: str, head: str = HEAD, status: int = 0):
        (tmp_path / "players.csv").write_text(PLAYERS, "utf-8")
        (tmp_path / "period.csv").write_text(head + "\n".join(rows) + "\n", "utf-8")
        done = run("rate", tmp_path / "period.csv", *ICCF, "--players", tmp_path / "players.csv",
                   "--explain", "101004", "--format", "json")  # fmt: skip
        assert done.status == status, done.out
        return json.loads(done.out)

    return rate


def steps_of(document):
    (nora,) = [each for each in document["players"] if each["id"] == "101004"]
    return nora, [step["text"] for step in nora["explanation"]]


WC = "WC/1;{};{};101001;Alt, Anna;101004;Neu, Nora;1-0;2010-01-10"
OP = "OP/2;{};{};101004;Neu, Nora;101002;Bär, Bo;1-0;2010-01-12"


def test_each_event_has_its_own_level(rated):
    """Item 11: higher class 2000, open class 1800.  Item 5: 1 of 2 against 2050 is 2050."""
    nora, steps = steps_of(rated(WC.format("higher class", ""), OP.format("open class", "")))
    assert [text for text in steps if "level, by" in text or "begins: level" in text] == [
        "the player has no rating when the game begins: level 2000, by the category",
        "the player has no rating when the game begins: level 1800, by the category",
    ]
    assert (nora["before"], nora["after"], nora["published"]) == (None, 2050, False)
    assert nora["status"] == "provisional"


def test_one_category_in_all_rows_is_the_events(rated):
    nora, steps = steps_of(rated(WC.format("open class", ""), OP.format("open class", "")))
    assert sum("level 1800" in text for text in steps) >= 2
    assert nora["published"] is False


def test_a_level_in_numbers_and_games_without_an_event(rated):
    rows = [row.partition(";")[2] for row in (WC.format("", 1950), OP.format("", 1850))]
    _, steps = steps_of(rated(*rows, head=HEAD.partition(";")[2]))
    assert any("level 1950" in text for text in steps)
    assert any("level 1850" in text for text in steps)


def test_a_row_that_says_another_category_of_the_same_event(rated):
    other = WC.format("open class", "").replace("1-0", "0-1").replace("01-10", "01-11")
    document = rated(WC.format("higher class", ""), other, status=1)
    assert "table.event-column" in {each["code"] for each in document["findings"]}


def test_without_a_level_the_remedy_names_the_columns(rated):
    document = rated(WC.format("", ""), OP.format("", ""), status=1)
    remedies = {each["code"]: each["remedy"] for each in document["findings"]}
    assert "column category or level" in remedies["iccf.no-level"]


def test_a_rating_that_may_be_a_level_is_never_taken_as_fixed(rated):
    """The others have a number of games by the players file, this one has none."""
    head = HEAD.replace("Category;Level;", "").replace("White;", "White;White Elo;", 1)
    document = rated(
        "OP/2;101004;Neu, Nora;1800;101002;Bär, Bo;1-0;2010-01-12", head=head, status=1
    )
    (found,) = [each for each in document["findings"] if each["severity"] == "error"]
    assert found["code"] == "iccf.rating-or-level"
    assert "column category or level" in found["remedy"]


def test_what_was_read_is_written_and_read_again(run, tmp_path):
    """As a document and as a table."""
    rows = [WC.format("higher class", ""), OP.format("open class", "")]
    (tmp_path / "a.csv").write_text(HEAD + "\n".join(rows) + "\n", "utf-8")
    for old, new in (("a.csv", "b.json"), ("b.json", "c.csv"), ("c.csv", "d.json")):
        assert run("convert", tmp_path / old, tmp_path / new).status == 0
    documents = [json.loads((tmp_path / name).read_text("utf-8")) for name in ("b.json", "d.json")]
    assert [each["events"] for each in documents] == [
        [{"name": "WC/1", "category": "higher class"}, {"name": "OP/2", "category": "open class"}]
    ] * 2
