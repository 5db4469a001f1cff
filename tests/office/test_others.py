"""Pools of one federation in an office: each is published by itself, and reads the others."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pyarrow as pa
import pytest

import ratingbook as rb
from ratingbook.engine.history.pooled_tables import own_numbers
from ratingbook.engine.history.tables import changes_table
from ratingbook.office import bundle
from ratingbook.office.acts import bundles, siblings
from ratingbook.office.acts.snapshots import build, fed_by_sections
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.others import reads, told_by
from ratingbook.office.engine.rating import rate
from ratingbook.office.engine.replay import Replay
from ratingbook.office.engine.rules import Rules
from ratingbook.office.logic.feeding import OTHERS
from ratingbook.office.store import models as m
from tests.office.officers import Officer
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write

FEDERATIONS = {
    "fide": ("standard", "rapid", "blitz"),
    "fide-2022": ("standard", "rapid", "blitz"),
    "uscf": ("regular", "quick", "blitz"),
    "uscf-2013": ("regular", "quick"),
}
UNTIL = date(2025, 6, 1)


def world(book: str, seed: int) -> dict[str, list[dict[str, Any]]]:
    """Events of all pools by turns, some on one day; some players have a rating, in one pool."""
    chance, pools = random.Random(f"{book} {seed}"), FEDERATIONS[book]
    known = [
        {"id": str(each), "rating": float(chance.randint(1600, 2300)), "games": 40,
         "pool": chance.choice([pools[0], *pools]), "birth_date": date(1980, 1, each)}
        for each in range(1, 13)
    ]  # fmt: skip
    players = [each if chance.random() < 0.6 else {**each, "rating": None, "games": 0,
                                                   "pool": pools[0]} for each in known]  # fmt: skip
    games, events = [], []
    for number in range(24):
        begun = date(2021, 12, 20) + timedelta(days=50 * number + chance.randint(0, 40))
        ended = begun + timedelta(days=chance.choice([0, 0, 3, 20]))
        name = f"event-{number:02}"
        dual = book.startswith("uscf") and chance.random() < 0.3
        events.append({"event": name, "pool": "dual" if dual else chance.choice(pools),
                       "start": begun, "end": ended})  # fmt: skip
        there = chance.sample([each["id"] for each in players], 6)
        for round_ in range(1, 6):
            table = chance.sample(there, 6)
            for white, black in zip(table[:3], table[3:], strict=True):
                games.append({"date": ended, "start": begun, "event": name, "round": round_,
                              "white": white, "black": black,
                              "score": chance.choice([0.0, 0.5, 1.0])})  # fmt: skip
    return {"players": players, "events": events, "games": games}


def counts_in(pool: str, word: str) -> bool:
    return word == pool or (word == "dual" and pool in ("regular", "quick"))


def fed_of(made: dict[str, Any], pool: str) -> Fed:
    """What an office feeds one of its pools."""
    events = [each for each in made["events"] if counts_in(pool, each["pool"])]
    own = {each["event"] for each in events}
    players = []
    for each in made["players"]:
        nothing = {} if each["pool"] == pool else {"rating": None, "games": 0}
        players.append({**each, **nothing, "pool": None})
    return Fed(
        pa.Table.from_pylist([each for each in made["games"] if each["event"] in own]),
        pa.Table.from_pylist(players).drop_columns(["pool"]),
        pa.Table.from_pylist(events),
    )


def told_to(pool: str, told: dict[str, pa.Table], rules: dict[str, Rules]) -> pa.Table | None:
    parts = [OTHERS.empty_table()]
    for other, table in told.items():
        if other != pool and reads(rules[pool], rules[other]):
            named = table.add_column(1, "pool", pa.array([other] * len(table), pa.string()))
            parts.append(named.cast(OTHERS))
    whole = pa.concat_tables(parts)
    player = whole["person"].cast(pa.string())
    return whole.set_column(0, "player", player) if len(whole) else None


def published_in_turns(book: str, made: dict[str, Any]) -> tuple[dict[str, Fed], dict[str, Rules]]:
    """The pools as they are once each has been published after all that it reads."""
    pools = FEDERATIONS[book]
    rules = {pool: Rules(book, {"pool": pool}) for pool in pools}
    feds = {pool: fed_of(made, pool) for pool in pools}
    told: dict[str, pa.Table] = {}
    while True:
        was = dict(told)
        for pool in pools:
            feds[pool] = replace(feds[pool], others=told_to(pool, told, rules))
            told[pool] = told_by(feds[pool], rules[pool], UNTIL)
        if was.keys() == told.keys() and all(was[each].equals(told[each]) for each in told):
            return feds, rules


def numbers(rows: list[dict[str, Any]]) -> dict[tuple[str, date], list[Any]]:
    found: dict[tuple[str, date], list[Any]] = defaultdict(list)
    for row in rows:
        found[row["player"], row["date"]].append((row["before"], row["after"], row["games"]))
    return {key: sorted(each, key=repr) for key, each in found.items()}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("book", FEDERATIONS)
def test_an_office_has_the_numbers_of_a_history_of_all_pools(book, seed):
    made = world(book, seed)
    together: Any = rb.history(
        pa.Table.from_pylist(made["games"]),
        players=pa.Table.from_pylist(made["players"]),
        events=pa.Table.from_pylist(made["events"]), rulebook=book,
    )  # fmt: skip
    feds, rules = published_in_turns(book, made)
    heard = 0
    for pool, fed in feds.items():
        rated = rate(fed, rules[pool], UNTIL)
        alone = rate(replace(fed, others=None), rules[pool], UNTIL)
        heard += not rated.changes.equals(alone.changes)
        rows = own_numbers(together.together, pool, together.rows[pool])
        exact = changes_table(together.run(pool), rows).to_pylist()
        assert numbers(rated.changes.to_pylist()) == numbers(exact), pool
    assert heard, "no pool hears anything of another one"


@pytest.mark.parametrize("book", ["fide", "uscf"])
def test_explanations_hear_of_the_others_from_wherever_they_begin(book):
    made = world(book, 1)
    feds, rules = published_in_turns(book, made)
    pool = FEDERATIONS[book][1]
    replay = Replay(feds[pool], rules[pool])
    rows = rate(feds[pool], rules[pool]).changes.to_pylist()
    chance = random.Random(2)
    for row in chance.sample(rows, min(len(rows), 40)):
        (told,) = replay.explain(row["player"], row["key"])
        shown = None if told.row.after is None else round(told.row.after)
        assert shown == (None if row["after"] is None else round(row["after"])), row


@prepared
def two_lists(officer: Officer, tmp_path: Any) -> Officer:
    """Everybody has a standard rating, nobody a rapid one; there is an event of both."""
    officer.does("pool", "add", "standard", "--rulebook", "fide")
    officer.does("pool", "add", "rapid", "--rulebook", "fide", "--set", "pool=rapid")
    rows = "".join(
        f'{number},"{name}",{born},{1700 + 40 * at},50\n'
        for at, (name, _, born, number) in enumerate(PLAYERS.values())
    )
    players = tmp_path / "players.csv"
    players.write_text(f"id,name,birth_date,rating,games\n{rows}", "utf-8")
    officer.does("import", players, "--register", "national", "--pool", "standard")
    for name, day, pool in (("Long", "2026-01-10", "standard"), ("Fast", "2026-02-10", "rapid")):
        said = document(name, day, {("1", "2"): "1-0", ("5", "6"): "0-1"}, pool=pool)
        officer.does("receive", write(tmp_path, f"{name}.json", said), "--pool", pool)
    return officer


def publish(officer: Officer, pool: str, until: str = "2026-04-01") -> dict[str, Any]:
    made = officer.does("run", "--pool", pool, "--until", until)
    officer.does("approve", made["run"])
    officer.does("publish", made["run"])
    return made


def codes(said: dict[str, Any]) -> set[str]:
    return {each["code"] for each in said["findings"]}


def first_in_rapid(officer: Officer) -> dict[int, float | None]:
    """With what each came out of the first rapid event."""
    found = {}
    for person in range(1, 7):
        rows = officer.does("person", "history", person, "--pool", "rapid")["changes"]
        if rows:
            found[person] = rows[0]["after"]
    return found


def rated_from(folder: Any, standard: Mapping[int, float]) -> dict[int, float | None]:
    """What the report of the rapid event alone comes to, told of these standard ratings."""
    said = json.loads((folder / "Fast.json").read_text("utf-8"))
    for number, player in enumerate(said["players"], 1):
        player["pools"] = {"standard": {"rating": standard[number]}}
    path = write(folder, "told.json", said)
    return {int(each.row.id): each.row.after for each in rb.rate(path, "fide-2024")}


def all_is_well(officer: Officer, folder: Any) -> None:
    """What was published is made again, and whoever has a bundle comes to the same."""
    assert all(each["is_equal"] for each in officer.does("replay")["publications"])
    assert not codes(officer.does("doctor"))
    for number in (each["list"] for each in officer.does("lists")["lists"]):
        file = folder / f"{number}.zip"
        if not file.exists():
            officer.does("bundle", number, "--with-birth-dates", "-o", file)
            assert not bundle.verify(file).findings.refused


def test_12_who_has_no_rapid_rating_begins_with_the_published_standard_one(two_lists, tmp_path):
    publish(two_lists, "standard")
    officer = two_lists
    standard = {
        person: officer.does("person", "history", person, "--pool", "standard")["changes"][0]
        for person in range(1, 7)
    }
    made = publish(officer, "rapid")
    assert not {"office.others-new", "office.reads-behind"} & codes(made)
    # The list of 1 February has the event of January, and was in force on 10 February.
    assert {row["day"] for row in standard.values()} == {"2026-02-01"}
    known = {n: row["after"] for n, row in standard.items()}
    assert first_in_rapid(officer) == rated_from(tmp_path, known)
    all_is_well(officer, tmp_path)


def test_what_a_pool_opens_with_counts_as_long_as_it_has_published_nothing(two_lists, tmp_path):
    publish(two_lists, "rapid")
    opened = {n: 1700 + 40 * (n - 1) for n in range(1, 7)}
    assert first_in_rapid(two_lists) == rated_from(tmp_path, opened)
    before = first_in_rapid(two_lists)
    # What is published later counts from the next run on, in its own place.
    publish(two_lists, "standard")
    made = publish(two_lists, "rapid")
    assert made["changed"] == 6
    assert first_in_rapid(two_lists) != before
    all_is_well(two_lists, tmp_path)


def test_a_pool_that_goes_less_far_is_told(two_lists):
    publish(two_lists, "standard", "2026-02-01")
    made = publish(two_lists, "rapid")
    (told,) = (each for each in made["findings"] if each["code"] == "office.reads-behind")
    assert "2026-02-01" in told["message"]
    assert "Publish standard first" in told["remedy"]


def test_what_was_published_before_stays_and_the_next_run_tells(two_lists, tmp_path, monkeypatch):
    officer = two_lists
    with monkeypatch.context() as once:
        once.setattr(siblings, "_read", lambda *_: {})
        once.setattr("ratingbook.office.acts.drafting.has_siblings", lambda *_: False)
        publish(officer, "standard")
        publish(officer, "rapid")
        assert first_in_rapid(officer) == {}
    assert first_in_rapid(officer) == {}
    all_is_well(officer, tmp_path)
    made = publish(officer, "rapid")
    assert "office.others-new" in codes(made)
    assert len(first_in_rapid(officer)) == 6
    all_is_well(officer, tmp_path)
    assert "office.others-new" not in codes(publish(officer, "rapid", "2026-04-02"))


def test_what_was_published_before_events_said_their_pool_stays(two_lists, tmp_path, monkeypatch):
    """An office of 0.1.0 as it was in November fed its runs neither years nor pools of events."""

    def without_pools(*given: Any) -> Any:
        fed, sections = fed_by_sections(*given)
        assert fed.events is not None
        return replace(fed, events=fed.events.drop_columns(["pool"])), sections

    officer = two_lists
    with monkeypatch.context() as once:
        once.setattr("ratingbook.office.acts.runs.fed_by_sections", without_pools)
        publish(officer, "standard")
    all_is_well(officer, tmp_path)
    assert not codes(officer.does("explain", 1))
    publish(officer, "standard", "2026-04-02")
    all_is_well(officer, tmp_path)


def test_nobody_is_told_to_install_the_program_that_runs(two_lists, monkeypatch):
    publish(two_lists, "standard")
    monkeypatch.setattr(bundles, "rule_source", lambda _: "another")
    monkeypatch.setattr(bundles, "build", lambda *given: replace(
        build(*given), games=build(*given).games.slice(1)
    ))  # fmt: skip
    (told,) = two_lists.does("replay", status=1)["findings"]
    assert told["code"] == "replay.other-rule-source"
    assert "pip install" not in told["remedy"]
    m.Run.objects.update(engine="0.0.9")
    (told,) = two_lists.does("replay", status=1)["findings"]
    assert told["remedy"].startswith("pip install ratingbook==0.0.9 ")


def test_a_pool_may_be_kept_apart_and_one_of_several_be_named(two_lists, tmp_path):
    officer = two_lists
    publish(officer, "standard")
    said = ("--reason", "it is a list of its own")
    officer.does("pool", "policy", "rapid", "reads=none", *said)
    publish(officer, "rapid")
    assert first_in_rapid(officer) == {}
    officer.does("pool", "policy", "rapid", "reads=all", *said)
    officer.does("pool", "add", "club", "--rulebook", "fide")
    made = officer.does("run", "--pool", "rapid")
    (told,) = (each for each in made["findings"] if each["code"] == "office.reads-which")
    assert "club" in told["message"] + told["remedy"]
    refused = officer.does("pool", "policy", "rapid", "reads=clubb", *said, status=1)
    assert codes(refused) == {"office.no-pool"}
    officer.does("pool", "policy", "rapid", "reads=standard", *said)
    publish(officer, "rapid")
    assert len(first_in_rapid(officer)) == 6
    all_is_well(officer, tmp_path)


def test_a_correction_there_comes_here_with_the_next_run(two_lists, tmp_path):
    officer = two_lists
    publish(officer, "standard")
    publish(officer, "rapid")
    before = first_in_rapid(officer)
    officer.does("correct", "--report", 1, "--game", 1, "--result", "0-1", "--reason", "read wrong")
    (onward,) = officer.does("preview", 1)["onward"]
    assert (onward["pool"], onward["reads"]) == ("rapid", ["standard"])
    assert "rapid, which reads standard: once that is published" in officer.sees("preview", 1)
    officer.does("accept", 1, "--reason", "so it was")
    publish(officer, "standard")
    officer.does("correct", "--report", 2, "--game", 2, "--result", "0-1", "--reason", "read wrong")
    (besides,) = officer.does("preview", 2)["pools"]["rapid"]["besides"]
    assert besides == "what the pool standard has published is otherwise"
    made = publish(officer, "rapid")
    # What was told of rapid, before anything was accepted in standard, is what its run did.
    assert onward["differences"] == made["differences"]
    assert onward["lists"] == list(made["lists"])
    assert onward["players"] == made["changed"]
    after = first_in_rapid(officer)
    (why, *_) = officer.does("why", 1, "--pool", "rapid")["changes"]
    assert "what the pool standard has published is otherwise" in str(why)
    assert {1, 2} <= {person for person in after if after[person] != before[person]}
    assert made["changed"]
    standard = {
        person: officer.does("person", "history", person, "--pool", "standard")["changes"][0]
        for person in range(1, 7)
    }
    assert after == rated_from(tmp_path, {n: row["after"] for n, row in standard.items()})
    # A preview here hears of the others, as the run does.
    told = officer.does("preview", 2)["pools"]["rapid"]
    assert not told["besides"]
    officer.does("accept", 2, "--reason", "so it was")
    made = publish(officer, "rapid")
    assert told["differences"]["largest"] == made["differences"]["largest"]
    assert [each["player"] for each in made["differences"]["largest"]] == ["1", "3"]
    all_is_well(officer, tmp_path)


def published(officer: Officer, pool: str, until: str = "2026-04-01") -> set[str]:
    """The codes of what is told when a pool is published."""
    made = officer.does("run", "--pool", pool, "--until", until)
    officer.does("approve", made["run"])
    return codes(officer.does("publish", made["run"]))


def wanting(officer: Officer) -> dict[str, list[str]]:
    pools = officer.does("calendar", "--on", "2026-04-02")["pools"]
    return {each["pool"]: each["reread"] for each in pools}


def test_a_pool_whose_numbers_are_read_says_when_others_want_a_run(two_lists):
    officer = two_lists
    publish(officer, "standard")
    assert "office.read-otherwise" not in published(officer, "rapid")
    # What comes later could not be read yet.
    assert "office.read-otherwise" not in published(officer, "standard", "2026-05-01")
    assert wanting(officer) == {"standard": [], "rapid": []}
    officer.does("correct", "--report", 1, "--game", 1, "--result", "0-1", "--reason", "read wrong")
    officer.does("accept", 1, "--reason", "so it was")
    made = officer.does("run", "--pool", "standard", "--until", "2026-05-01")
    officer.does("approve", made["run"])
    done = officer.does("publish", made["run"])
    (told,) = (each for each in done["findings"] if each["code"] == "office.read-otherwise")
    assert "rapid" in told["message"]
    assert "office run --pool rapid" in told["remedy"]
    assert wanting(officer) == {"standard": [], "rapid": ["standard"]}
    assert "rapid" in officer.sees("calendar", "--on", "2026-04-02").partition("run it again")[0]
    publish(officer, "rapid")
    assert wanting(officer) == {"standard": [], "rapid": []}


def test_regular_and_quick_tell_each_other(officer, tmp_path):
    """US Chess, Step 1: whoever comes in as the other one's newcomer, in whatever order."""
    for pool in ("regular", "quick"):
        officer.does("pool", "add", pool, "--rulebook", "uscf-2025", "--set", f"pool={pool}")
    players = tmp_path / "players.csv"
    players.write_text('id,name,birth_date,rating,games\n701,"Alpha, Anna",1990-01-05,2000,90\n')
    officer.does("import", players, "--register", "national", "--pool", "regular")
    for at, (pool, day) in enumerate(
        [("quick", "2026-01-10"), ("regular", "2026-01-20"), ("quick", "2026-01-30")]
    ):
        said = document(f"Event {at}", day, {("1", "2"): "1-0"}, pool=pool)
        officer.does("receive", write(tmp_path, f"{at}.json", said), "--pool", pool)
        if not at:
            officer.does("link", 1, "all", "new")
    games = [
        {"date": day, "event": f"e{at}", "round": number, "white": str(one), "black": str(other),
         "score": 1.0 if (one, other) == (1, 2) else 0.5, "pool": pool}
        for at, (pool, day) in enumerate(
            [("quick", date(2026, 1, 10)), ("regular", date(2026, 1, 20)),
             ("quick", date(2026, 1, 30))])
        for number, (one, other) in enumerate(
            [(a, b) for a in range(1, 7) for b in range(a + 1, 7)], 1)
    ]  # fmt: skip
    known = [{"id": str(n), "birth_date": date.fromisoformat(PLAYERS[str(n)][2]),
              "rating": 2000.0 if n == 1 else None, "games": 90 if n == 1 else 0}
             for n in range(1, 7)]  # fmt: skip
    both = rb.history(pa.Table.from_pylist(games), players=pa.Table.from_pylist(known),
                      rulebook="uscf-2025")  # fmt: skip
    wanted = {(row["player"], row["pool"], str(row["date"])): row["after"]
              for row in both.changes.to_pylist()}  # fmt: skip
    # Each rests on what the other one has published before it.
    for pool in ("quick", "regular", "quick", "regular"):
        publish(officer, pool)
    found = {
        (str(person), pool, row["day"]): row["after"]
        for person in range(1, 7) for pool in ("regular", "quick")
        for row in officer.does("person", "history", person, "--pool", pool)["changes"]
    }  # fmt: skip
    assert found == wanted
    all_is_well(officer, tmp_path)
