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
        "the player has no published rating when the game begins: level 2000, by the category",
        "the player has no published rating when the game begins: level 1800, by the category",
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


def test_a_rating_beside_a_player_of_no_list_is_a_level(rated):
    """Item 14: one win against 2000 with 1800 as level: 2000 + 677 · .5 = 2338.5, provisional."""
    head = HEAD.replace("Category;Level;", "").replace("White;", "White;White Elo;", 1)
    document = rated("OP/2;101004;Neu, Nora;1800;101002;Bär, Bo;1-0;2010-01-12", head=head)
    nora, _ = steps_of(document)
    (bo,) = [each for each in document["players"] if each["id"] == "101002"]
    assert (nora["before"], nora["after"], nora["published"]) == (None, 2339, False)
    # Table 4: a difference of 200 expects .75 of the higher; k = 20 · 90 games' g of 1: −15.
    assert bo["after"] == 1985
    (found,) = [each for each in document["findings"] if each["severity"] == "warning"]
    assert found["code"] == "players.start-level"


def test_a_rating_that_may_be_a_level_is_never_taken_as_fixed(run, tmp_path):
    """Without a list: the others have a number of games, this one has none."""
    (tmp_path / "period.csv").write_text(
        "Players\nid;name;rating;standing games\n101002;Bär, Bo;2000;90\n101004;Neu, Nora;1800;\n\n"
        "Games\nWhite;Black;Result;End date\n101004;101002;1-0;2010-01-12\n", "utf-8",
    )  # fmt: skip
    done = run("rate", tmp_path / "period.csv", *ICCF, "--format", "json")
    assert done.status == 1
    (found,) = [e for e in json.loads(done.out)["findings"] if e["severity"] == "error"]
    assert found["code"] == "iccf.rating-or-level"
    assert "column category or level" in found["remedy"]


GROWING = 'id,name,rating,games\n1,"Alt, Anna",1950,2\n2,"Bär, Bo",2000,60\n'
ONE = "White ID;White;Black ID;Black;Result;End date\n1;Alt, Anna;2;Bär, Bo;1-0;2010-02-01\n"
EARLIER = "id;opponent;score;own;start\n1;1900;1;1850;2009-05-01\n1;1950;½;1850;2009-06-01\n"


def test_points_are_those_of_all_events(run, tmp_path):
    (tmp_path / "players.csv").write_text(PLAYERS, "utf-8")
    rows = WC.format("higher class", ""), OP.format("open class", "")
    (tmp_path / "period.csv").write_text(HEAD + "\n".join(rows) + "\n", "utf-8")
    own = (tmp_path / "period.csv").read_text("utf-8").replace("2010-01-10\n", "2010-01-10\n"
          "WC/1;higher class;;101004;Neu, Nora;101001;Alt, Anna;+--;2010-01-11\n")  # fmt: skip
    (tmp_path / "period.csv").write_text(own, "utf-8")
    done = run("rate", tmp_path / "period.csv", *ICCF, "--players", tmp_path / "players.csv")
    (nora,) = [line.split() for line in done.out.splitlines() if "Nora" in line]
    # A win by default, and one at the board: two points, of which one is rated.
    assert "2" in nora[nora.index("Nora") + 1 :]
    assert "1/2" in nora


@pytest.mark.parametrize("second", ["table", "file"])
def test_earlier_games_are_a_second_table(run, tmp_path, second):
    """Item 15 by hand: 2½ of 3 against 1950: .83, 273 · .7822 = 213.54."""
    below = f"\nHistory\n{EARLIER}" if second == "table" else ""
    (tmp_path / "period.csv").write_text(ONE + below, "utf-8")
    (tmp_path / "list.csv").write_text(GROWING, "utf-8")
    (tmp_path / "earlier.csv").write_text(EARLIER, "utf-8")
    more = ("--players", tmp_path / "earlier.csv") if second == "file" else ()
    call = ("rate", tmp_path / "period.csv", *ICCF, "--players", tmp_path / "list.csv")
    done = run(*call, *more, "--format", "json")
    assert done.status == 0, done.out
    anna = json.loads(done.out)["players"][0]
    assert (anna["before"], anna["after"], anna["standing"]["games"]) == (1950, 2164, 3)


def test_an_earlier_game_that_cannot_be_read_refuses_the_file(run, tmp_path):
    (tmp_path / "period.csv").write_text(f"{ONE}\nHistory\n{EARLIER.replace('½', 'x')}", "utf-8")
    (tmp_path / "earlier.csv").write_text(EARLIER.replace("1950", "?"), "utf-8")
    assert "[table.earlier]" in run("rate", tmp_path / "period.csv", *ICCF).err
    (tmp_path / "period.csv").write_text(ONE, "utf-8")
    done = run("rate", tmp_path / "period.csv", *ICCF, "--players", tmp_path / "earlier.csv")
    assert (done.status, "line 3" in done.err, "[players.earlier]" in done.err) == (1, True, True)


def test_earlier_games_are_written_and_read_again(run, tmp_path):
    (tmp_path / "a.csv").write_text(f"{ONE}\nHistory\n{EARLIER}", "utf-8")
    for old, new in (("a.csv", "b.json"), ("b.json", "c.xlsx"), ("c.xlsx", "d.json")):
        assert run("convert", tmp_path / old, tmp_path / new).status == 0
    first, last = (
        json.loads((tmp_path / name).read_text("utf-8")) for name in ("b.json", "d.json")
    )
    assert first["players"][0]["history"] == last["players"][0]["history"] == [
        {"own": 1850, "opponent": 1900, "score": 1, "start": "2009-05-01"},
        {"own": 1850, "opponent": 1950, "score": 0.5, "start": "2009-06-01"},
    ]  # fmt: skip


LEDGER = (
    "White ID;White;Black ID;Black;Result;End date\n"
    "2;Bär, Bo;3;Cy, Cora;1-0;2009-11-30\n"
    "2;Bär, Bo;3;Cy, Cora;0-1;2009-12-01\n"
    "3;Cy, Cora;2;Bär, Bo;1-0;2010-02-28\n"
    "3;Cy, Cora;2;Bär, Bo;0-1;2010-03-01\n"
)


def test_of_a_ledger_the_games_of_one_list(run, tmp_path):
    """List 2010/2 takes what was reported from 1 December to 28 February: two wins of Cora."""
    (tmp_path / "ledger.csv").write_text(LEDGER, "utf-8")
    (tmp_path / "list.csv").write_text("id,rating,games\n2,2000,60\n3,2000,60\n", "utf-8")
    call = ("rate", tmp_path / "ledger.csv", *ICCF, "--players", tmp_path / "list.csv")
    done = run(*call, "--list", "2010-04-01", "--format", "json")
    assert done.status == 0
    document = json.loads(done.out)
    points = {row["id"]: (row["score"], row["games"]) for row in document["players"]}
    assert points == {"2": (0, 2), "3": (2, 2)}
    notes = [part for each in document["findings"] for part in (each, *each.get("parts", ()))]
    (left,) = [each for each in notes if each["code"] == "period.other-lists"]
    assert "2010-01-01 (1), 2010-07-01 (1)" in left["message"]
    assert not {each["code"] for each in notes} & {
        "iccf.reported-early",
        "iccf.reported-late",
    }
    other = run(*call, "--list", "2010-04-02")
    assert (other.status, "2010-04-01 (2)" in other.err) == (1, True)
    assert run("rate", tmp_path / "ledger.csv", "--rulebook", "uscf-2023", "--list",
               "2010-04-01").status == 1  # fmt: skip
    assert run(*call, "--list", "soon").status == 2


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
