"""The numbers of a preview are those of the run that follows."""

from __future__ import annotations

from datetime import date

import pytest

from ratingbook.office.acts import (
    asking,
    corrections,
    desk,
    imports,
    people,
    preview,
    receive,
    register,
    registry,
    reports,
    runs,
    setup,
)
from ratingbook.office.acts.preview import Bench
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from tests.office.officers import Officer
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write

UNTIL = date(2026, 4, 1)


@prepared
def office(home, tina, tmp_path):
    """Six players who came in by a file, and their published event."""
    return published(home, tina, tmp_path, "fide-2009")


def published(home, tina, tmp_path, rulebook, settings=None):
    setup.add_pool("standard", rulebook, tina, settings or {})
    path = tmp_path / "opening.csv"
    rows = [f'{number},"{name}",{1700 + at * 50},40'
            for at, (name, _, _, number) in enumerate(PLAYERS.values())]  # fmt: skip
    path.write_text("\n".join(["id,name,rating,games", *rows]))
    imports.import_file(home, path, "national", tina, "standard")
    receive.receive(home, write(tmp_path, "open.json", document()), tina)
    publish(home, tina)
    return home


def publish(home, tina, until=UNTIL):
    made = runs.make(home, "standard", until, tina)
    runs.approve(made.run.id, tina)
    runs.publish(home, made.run.id, tina)
    return made


def hold(home, contents, tina):
    asked = corrections.ask(home, contents, "so it was", tina)
    corrections.accept(home, asked.id, tina)
    return asked.id


def test_a_pool_that_loses_all_its_games_is_previewed(office, tina):
    content = asking.event("1", "withdraw")
    shown = Bench(office).preview([content]).as_dict()
    assert (shown["players"], shown["batches"]) == (6, 1)
    number = hold(office, [content], tina)
    made = publish(office, tina)
    assert made.run.report["players"] == 6
    assert made.run.report == {
        key: value
        for key, value in shown["pools"]["standard"]["differences"].items()
        if key in made.run.report
    }
    assert "history.no-match" not in [each.code for each in made.findings]
    # And back again: nothing is what all of it is compared with.
    back = corrections.taking_back(number)
    assert Bench(office).preview(back).as_dict()["players"] == 6
    hold(office, back, tina)
    assert publish(office, tina).run.report["players"] == 6


def test_several_previews_count_a_pool_without_games(office, tina):
    withdrawn = asking.event("1", "withdraw")
    opened = asking.opening("standard", {1: {"rating": "2000"}})
    together, apart = preview.previews(office, {1: [withdrawn], 2: [opened]})
    assert together.as_dict()["players"] == apart[1].as_dict()["players"] == 6
    hold(office, [withdrawn], tina)
    hold(office, [opened], tina)
    made = runs.make(office, "standard", UNTIL, tina).run
    assert made.report["players"] == together.as_dict()["players"]


def test_who_comes_in_otherwise_and_plays_nothing_is_counted_as_a_run_does(office, tina):
    hold(office, [asking.event("1", "withdraw")], tina)
    publish(office, tina)
    opened = asking.opening("standard", {1: {"rating": "2000"}})
    shown = Bench(office).preview([opened]).as_dict()
    # The list of the day has the rating, which nobody played for.
    assert (shown["players"], shown["changed"]) == (1, 1)
    hold(office, [opened], tina)
    made = runs.make(office, "standard", UNTIL, tina).run
    assert made.report["players"] == shown["changed"]


def differences(shown):
    """What a preview tells of the one pool that it reaches."""
    return shown["pools"]["standard"]["differences"]


def test_who_comes_in_with_a_rating_has_no_first_one(office, tina):
    """Whether an opening is asked for, or comes to somebody from whom is the same person."""
    new, _ = people.add_person(NewPerson("Golf, Gus"), "", tina)
    other, _ = people.add_person(NewPerson("Golf, Gustav"), "", tina)
    content = asking.opening("standard", {other: {"rating": "2000"}})
    shown = Bench(office).preview([content]).as_dict()
    assert (shown["changed"], differences(shown)["firsts"]) == (1, {"count": 0, "players": []})
    hold(office, [content], tina)
    made = runs.make(office, "standard", UNTIL, tina).run
    assert made.report["firsts"] == {"count": 0, "players": []}
    runs.discard(made.id, tina)
    merged = Bench(office).preview([asking.merge(other, new)]).as_dict()
    assert differences(merged)["firsts"] == {"count": 0, "players": []}


KINDS = {
    "result": lambda: asking.game(1, 1, "0-1"),
    "rated": lambda: asking.game(1, 1, rated="white"),
    "player": lambda: asking.player(1, "3", 7),
    "merge": lambda: asking.merge(6, 5),
    "move": lambda: asking.moved("1", date(2026, 2, 12)),
    "pool": lambda: asking.into_pool("1", "rapid"),
    "withdraw": lambda: asking.event("1", "withdraw"),
    "late": lambda: asking.event("2", "late"),
    "opening": lambda: asking.opening("standard", {1: {"rating": "2300"}}),
    "parameters": lambda: asking.parameters("standard", {"k_rated": "40"}),
}


@pytest.mark.parametrize("way", ["rerate", "next_list"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_holds_changes_nothing(office, tina, tmp_path, kind, way):
    """Neither accepted nor published; the same is to be had by another request."""
    setup.add_pool("rapid", "fide-2009", tina)
    people.add_person(NewPerson("Golf, Gus"), "", tina)
    path = write(tmp_path, "late.json", document("Late Open", "2026-03-10", {("1", "3"): "1-0"}))
    receive.receive(office, path, tina, receive.Options("standard", another=True))
    reports.put_aside("2", "hold", "the arbiter asks for it", tina)
    setup.set_policies("standard", {"corrections": way}, "", tina)
    content = KINDS[kind]()
    assert Bench(office).preview([content]).as_dict()["players"]
    hold(office, [content], tina)
    for _ in range(2):
        assert not Bench(office).preview([content]).as_dict()["players"]
        publish(office, tina)


def test_what_a_version_that_is_let_in_replaces_is_by_its_correction(office, tina, tmp_path):
    again = document(results={("3", "4"): "0-1"})
    receive.receive(office, write(tmp_path, "again.json", again), tina)
    number = hold(office, [asking.event("1", "late")], tina)
    assert besides(office) == [f"corrections that were accepted before ({number})"]
    publish(office, tina)
    assert besides(office) == []


def besides(office, *contents):
    """What a preview says that the next run brings besides."""
    said = Bench(office).preview(contents or [asking.game(1, 1, "0-1")]).as_dict()
    return said["pools"]["standard"]["besides"]


def test_a_preview_says_what_else_the_next_run_brings(office, tina, tmp_path):
    """Each kind of what came since, and of whom a birth date is nobody reads."""
    assert besides(office) == []
    one, _ = people.add_person(NewPerson("Golf, Gus"), "", tina)
    registry.edit(one, registry.Edit(born=date(1990, 1, 1)), "never rated here", tina)
    registry.edit(2, registry.Edit(name="Bravo, Benjamin"), "a slip", tina)
    assert besides(office) == []
    receive.receive(office, write(tmp_path, "late.json", document("Late", "2026-03-01")), tina)
    registry.edit(3, registry.Edit(born=date(2010, 9, 9)), "passport", tina)
    registry.edit(4, registry.Edit(born=date(2011, 9, 9)), "passport", tina)
    people.merge(one, 5, "one person", tina)
    first = hold(office, [asking.game(1, 2, "0-1")], tina)
    assert besides(office) == [
        "reports that are rated for the first time (1)",
        "Golf, Gus (7) and Echo, Emil (5) are one person",
        "what the office knows of a person was put right",
        f"corrections that were accepted before ({first})",
    ]
    setup.set_rules("standard", "fide-2014", {}, "the new book", tina)
    assert "the rules of the pool were set otherwise" in besides(office)
    publish(office, tina)
    assert besides(office) == []


def test_what_corrections_bring_is_told_by_their_numbers_alone(office, tina):
    """No event that one of them takes out, nor what it has decided, is anything else."""
    out = hold(office, [asking.event("1", "withdraw")], tina)
    opening = hold(office, [asking.opening("standard", {2: {"rating": "1900"}})], tina)
    told = besides(office, asking.opening("standard", {3: {"rating": "1900"}}))
    assert told == [f"corrections that were accepted before ({out}, {opening})"]


def test_a_list_from_before_an_event_differs_by_no_correction_of_it(office, tina, tmp_path):
    """Who was merged stands on it under another number: that is by the merge alone."""
    setup.set_policies("standard", {"revise": "affected"}, "lists are put right", tina)
    cards = {**{key: PLAYERS[key] for key in "345"}, "1": ("Xu, Xenia", "w", "1991-02-05", "799")}
    later = document("Later Open", "2026-04-04", players=cards)
    receive.receive(office, write(tmp_path, "later.json", later), tina)
    desk.link_new(2, tina)
    publish(office, tina, date(2026, 6, 1))
    (card,) = m.ExternalId.objects.filter(value="799").values_list("person", flat=True)
    hold(office, [asking.merge(1, card)], tina)
    game = m.Game.objects.filter(version__report=2, black__number="1").order_by("id")[0]
    asked = corrections.ask(office, [asking.game(2, game.number, "1-0")], "the score sheet", tina)
    (reach,) = Bench(office).preview(corrections.named(asked.id).contents).reaches
    assert list(reach.lists) == list(reach.columns) == [date(2026, 6, 1)]
    page = Officer(office.folder).sees("preview", asked.id)
    assert "lists on which a number differs: 1\n" in page
    assert "on the list of 2026-06-01: Rating" in page


def test_each_list_that_is_counted_is_named(office, tina):
    """Also where the pool makes no revision of it."""
    publish(office, tina, date(2026, 5, 1))
    content = asking.opening("standard", {1: {"rating": "2100"}})
    asked = corrections.ask(office, [content], "a slip in the list", tina)
    page = Officer(office.folder).sees("preview", asked.id)
    assert "lists on which a number differs: 2\n" in page
    assert "on the list of 2026-04-01: a rating; by this it is not made anew" in page
    assert "on the list of 2026-05-01: " in page


def test_who_was_merged_is_said_to_be_one_with_somebody(office, tina):
    """Nobody lost a rating, and nobody has a first one: it goes on under the other number."""
    other, _ = people.add_person(NewPerson("Golf, Gus"), "", tina)
    content = [asking.merge(1, other)]
    told = f"Alpha, Anna (1) is one with Golf, Gus ({other}) now"
    none = {"count": 0, "players": []}
    one = {"count": 1, "players": ["1"], "into": [str(other)]}
    shown = differences(Bench(office).preview(content).as_dict())
    assert (shown["firsts"], shown["no_longer_rated"], shown["merged"]) == (none, none, one)
    hold(office, content, tina)
    made = runs.make(office, "standard", UNTIL, tina).run
    found = {key: made.report[key] for key in ("firsts", "no_longer_rated", "merged")}
    assert found == {"firsts": none, "no_longer_rated": none, "merged": one}
    page = Officer(office.folder).sees("show", made.id)
    assert told in page
    assert "no longer rated" not in page
    counted = "0 for the first time, 0 with the rating that they came in with"
    assert counted in " ".join(page.split())


@pytest.mark.parametrize("rulebook", ["fide-2009", "elo", "fide-2024"])
def test_what_is_not_published_is_no_part_of_a_preview(home, tina, tmp_path, rulebook):
    """Somebody's only games are in a report that no run has: a merge of him changes no number.

    Also where all is rated again to be compared: game by game, and in a pool that reads another.
    """
    settings = {"pool": "rapid"} if rulebook == "fide-2024" else {}
    office = published(home, tina, tmp_path, rulebook, settings)
    if settings:
        setup.add_pool("long", rulebook, tina)
        imports.import_file(home, tmp_path / "opening.csv", "national", tina, "long")
    known = set(m.Batch.objects.values_list("key", flat=True))
    cards = {**{key: PLAYERS[key] for key in "123"}, "7": ("Secret, Sam", "m", "1990-01-01", "790")}
    said = document("Secret Open", "2026-03-05", {("1", "7"): "0-1", ("2", "7"): "0-1"}, cards)
    receive.receive(office, write(tmp_path, "secret.json", said), tina)
    desk.link_new(2, tina)
    sam = m.PersonName.objects.get(text="Secret, Sam").person_id
    found = Bench(office).preview([asking.merge(sam, 4)]).as_dict()
    assert (found["players"], found["lists"]) == (0, [])
    # What corrects a game of such a report changes nothing that is published either.
    game = m.Game.objects.get(section__version__report=2, white__number=1, black__number=7)
    changed = Bench(office).preview([asking.game(2, game.number, "1-0")]).as_dict()
    assert (changed["players"], changed["lists"]) == (0, [])
    # Nor is what a correction of a published game does to those of the report told.
    (one,) = Bench(office).preview([asking.game(1, 1, "0-1")]).reaches
    assert one.numbers
    assert set(one.rows["key"].to_pylist()) <= known
    # Nor, of a report of days before what is published, what its games do to that.
    early = {**{key: PLAYERS[key] for key in "12"}, "8": ("Hidden, Hal", "m", "1990-01-01", "791")}
    said = document("Hidden Open", "2026-01-03", {("1", "8"): "0-1", ("2", "8"): "0-1"}, early)
    receive.receive(office, write(tmp_path, "hidden.json", said), tina)
    desk.link_new(3, tina)
    hal = m.PersonName.objects.get(text="Hidden, Hal").person_id
    last = m.Game.objects.filter(version__report=1).count()
    alone, both = (
        Bench(office).preview(contents).reaches[0]
        for contents in ([asking.game(1, last, "0-1")],
                         [asking.game(1, last, "0-1"), asking.merge(hal, 4)])
    )  # fmt: skip
    of_both, of_one = ({(x.key, x.person) for x in each.numbers} for each in (both, alone))
    assert of_both == of_one
    # What the run brings is by the report, which it has for the first time.
    number = hold(office, [asking.merge(sam, 4)], tina)
    publish(office, tina)
    assert register.entry(office, number)["changed"] == []
