"""Dates that stand in for birth dates: the same ratings, and nothing else of an age."""

from __future__ import annotations

from datetime import date

import pyarrow as pa
import pytest

from ratingbook.checks.histories import tables
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.foreseen import who_relies_on_births
from ratingbook.office.engine.rating import rate
from ratingbook.office.engine.rules import Rules
from ratingbook.office.stand_ins import with_stand_ins
from ratingbook.rules import registry

YOUNG = date(2012, 5, 17)


def fed_of(name: str, seed: int) -> Fed:
    """A history as an office feeds it, with numbers for players."""
    made = tables(registry.load(name), seed, first=date(2015, 1, 1), years=3.0)

    def numbered(table: pa.Table, *columns: str) -> pa.Table:
        for column in columns:
            ids = [str(int(each.lstrip("p")) + 1) for each in table[column].to_pylist()]
            table = table.set_column(table.column_names.index(column), column, pa.array(ids))
        return table

    return Fed(
        numbered(made["games"], "white", "black"), numbered(made["players"], "id"), made["events"]
    )


def players_of(fed: Fed) -> pa.Table:
    assert fed.players is not None
    return fed.players


def born(fed: Fed, dates: dict[str, date | None]) -> Fed:
    players = [
        {**row, "birth_date": dates.get(row["id"], row["birth_date"])}
        for row in players_of(fed).to_pylist()
    ]
    return Fed(fed.games, pa.Table.from_pylist(players, players_of(fed).schema), fed.events)


def digest(fed: Fed, name: str) -> str:
    return rate(fed, Rules(name)).digest


@pytest.mark.parametrize("name", ["fide", "fide-2014", "fide-2024"])
@pytest.mark.parametrize("seed", range(4))
def test_the_ratings_are_the_same_bits(name, seed):
    fed = fed_of(name, seed)
    made = with_stand_ins(fed, registry.load(name))
    assert made is not None
    stand_ins, count = made
    true = players_of(fed)["birth_date"].to_pylist()
    instead = players_of(stand_ins)["birth_date"].to_pylist()
    assert 0 < count == sum(each is not None for each in instead)
    assert count < sum(each is not None for each in true), "older ones need no date"
    assert not [a for a, b in zip(true, instead, strict=True) if b is not None and a == b]
    assert digest(stand_ins, name) == digest(fed, name)


@pytest.mark.parametrize("name", ["fide", "fide-2014", "fide-2024"])
def test_without_them_the_ratings_are_others(name):
    others = 0
    for seed in range(4):
        fed = fed_of(name, seed)
        plain = Fed(fed.games, players_of(fed).drop_columns(["birth_date"]), fed.events)
        others += digest(plain, name) != digest(fed, name)
    assert others >= 3


def test_who_gets_the_same_answers_gets_the_same_date():
    """All of a year, and all who are juniors in all of their events, cannot be told apart."""
    fed = fed_of("fide-2014", 1)
    book, ids = registry.load("fide-2014"), players_of(fed)["id"].to_pylist()
    found = []
    for day in (YOUNG, date(2012, 12, 31), date(2010, 1, 1), date(2001, 1, 1)):
        made = with_stand_ins(born(fed, dict.fromkeys(ids, day)), book)
        assert made is not None
        found.append(players_of(made[0])["birth_date"].to_pylist())
    assert found[0] == found[1] == found[2] == found[3]
    made = with_stand_ins(born(fed, dict.fromkeys(ids, date(1960, 1, 1))), book)
    assert made is not None
    assert made[1] == 0


def test_rules_that_reckon_with_the_very_age_have_none():
    assert with_stand_ins(fed_of("uscf-2011", 1), registry.load("uscf-2011")) is None


@pytest.mark.parametrize("name", ["fide", "fide-2014"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_those_alone_have_dates_whose_numbers_rest_on_them(name, seed):
    """A junior with few games has K = 40 anyway, and a first rating asks for no K."""
    made = with_stand_ins(fed_of(name, seed), registry.load(name))
    assert made is not None
    dated = {
        row["id"] for row in players_of(made[0]).to_pylist() if row["birth_date"] is not None
    }  # fmt: skip
    rules, until = Rules(name), date(2030, 1, 1)
    relying = who_relies_on_births(made[0], rules, until, dated)
    assert relying
    assert relying < dated
    without: dict[str, date | None] = dict.fromkeys(dated - relying)
    assert digest(born(made[0], without), name) == digest(made[0], name)
    for each in sorted(relying):
        assert digest(born(made[0], {**without, each: None}), name) != digest(made[0], name)
