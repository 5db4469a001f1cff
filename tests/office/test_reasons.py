"""Why a number became another one: only what can have touched it is named."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

from ratingbook.office.acts import (
    asking,
    corrections,
    desk,
    people,
    reasons,
    receive,
    register,
    registry,
    setup,
)
from ratingbook.office.acts.published import history_of
from ratingbook.office.logic.newcomers import NewPerson
from ratingbook.office.store import models as m
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write
from tests.office.test_corrections import publish_one as publish
from tests.office.test_runs import opened

AUGUST = date(2026, 8, 1)
FIRST, OTHERS = "123", "456"
"""Two groups who never meet."""
PUT_RIGHT = "what the office knows of a person was put right"


def received(home, tina, folder, name, day, who, **results):
    """A round robin of some."""
    said = document(name, day, results.get("won"), {each: PLAYERS[each] for each in who})
    path = write(folder, f"{name}.json", said)
    receive.receive_all(home, [path], tina, receive.Options(another=True, pool="standard"))


@prepared
def office(home, tina, tmp_path):
    opened(home, tina, tmp_path, "elo")
    setup.set_policies("standard", {"decimals": "2"}, "", tina)
    for who in (FIRST, OTHERS):
        won = {(who[0], who[1]): "1-0"}
        received(home, tina, tmp_path, f"Open {who}", "2026-01-10", who, won=won)
    publish(home, tina)
    return home


def why(office, person):
    """What the last change of a person's numbers is told to come from."""
    return register.since_first(office, m.Pool.objects.get(name="standard"), person)[-1]["why"]


def test_what_happened_among_others_is_no_reason(office, tina, tmp_path):
    """Two groups: of one a report came late, of the other two are one person."""
    received(office, tina, tmp_path, "Late", "2026-01-15", FIRST, won={("1", "2"): "0-1"})
    people.merge(6, 5, "one person", tina)
    publish(office, tina)
    assert why(office, 1) == ["report 3 came late: Late"]
    assert why(office, 4) == ["Foxtrot, Fay (6) and Echo, Emil (5) are one person"]


def test_what_comes_from_game_to_game_is_a_reason(office, tina, tmp_path):
    """Whoever met somebody who played in it has the late report in the number, too."""
    received(office, tina, tmp_path, "Bridge", "2026-02-10", "34")
    publish(office, tina)
    received(office, tina, tmp_path, "Late", "2026-01-15", FIRST, won={("1", "3"): "0-1"})
    publish(office, tina)
    assert why(office, 4) == ["report 4 came late: Late"]


def test_who_is_in_no_number_of_the_pool_is_no_reason(office, tina, tmp_path):
    """Two who never played in it are one person."""
    one, _ = people.add_person(NewPerson("Golf, Gus"), "", tina)
    other, _ = people.add_person(NewPerson("Golf, Gustav"), "", tina)
    received(office, tina, tmp_path, "Late", "2026-01-15", FIRST, won={("1", "2"): "0-1"})
    people.merge(one, other, "one person", tina)
    publish(office, tina)
    assert why(office, 1) == ["report 3 came late: Late"]


def test_a_birth_date_said_anew_is_told_to_officers_and_to_others_without_whose(
    home, tina, tmp_path
):
    """Of a junior K is another one: the number of the one moves, and no correction tells it."""
    opened(home, tina, tmp_path, "fide-2014")
    received(home, tina, tmp_path, "Open", "2026-01-10", FIRST, won={("1", "3"): "0-1"})
    publish(home, tina)
    name = registry.edit(3, registry.Edit(name="Charlie, Christian"), "a slip", tina)[0]
    fact = registry.edit(3, registry.Edit(born=date(2010, 9, 9)), "passport", tina)[0]
    publish(home, tina)
    assert name < fact
    assert why(home, 3) == [f"birth date said anew (fact {fact})"]
    runs = [x.run for x in m.Publication.objects.order_by("-seq")]
    public = reasons.upto(reasons.between([(runs[0], runs[1])]), date(2026, 3, 1))
    assert public == ["what the office knows of a person was put right"]
    # Nor does it depend on whose number is looked at.
    for person in (1, 3, 5):
        assert [x.says for x in reasons.between([(runs[0], runs[1])], person=person)] == public


@prepared
def put_right(home, tina, tmp_path):
    """A game was corrected and a birth date said anew; one run published both, and no report."""
    opened(home, tina, tmp_path, "fide-2014")
    received(home, tina, tmp_path, "Open", "2026-01-10", FIRST, won={("1", "3"): "0-1"})
    publish(home, tina)
    registry.edit(3, registry.Edit(born=date(2010, 9, 9)), "passport", tina)
    corrected(home, tina, (2, "1-0"))
    return home


def test_a_correction_says_what_else_its_run_has_published(put_right):
    """Whose numbers the birth date moved, it moved beside the game; all others the game alone."""
    said = register.entry(put_right, 1)
    assert [each["besides"] for each in said["published"]] == [[PUT_RIGHT]]
    others = {each["person"] for each in said["changed"] if each["with_others"]}
    assert 3 in others
    for each in said["changed"]:
        alone = each["change"] == each["now"] - each["was"]
        assert alone is (each["person"] not in others)


def test_a_correction_of_one_run_is_nothing_else_of_it(office, tina, tmp_path):
    """An event that was taken out, and rules that were set, by corrections that came together."""
    later = replace(tina, at=datetime(2026, 6, 2, tzinfo=UTC))
    received(office, later, tmp_path, "New", "2026-05-20", FIRST)
    settings = asking.parameters("standard", {"k": "30"}, None)
    for content in (asking.event("2", "withdraw"), settings):
        asked = corrections.ask(office, [content], "the sheet", tina)
        corrections.accept(office, asked.id, tina)
    publish(office, tina, AUGUST)
    runs = [x.run for x in m.Publication.objects.order_by("-seq")][:2]
    contents = [each for one in m.Correction.objects.all() for each in one.contents]
    told = reasons.besides((runs[0], runs[1]), contents)
    assert [each.says for each in told] == ["reports that are rated for the first time (1)"]


def test_a_birth_date_that_moves_no_number_is_no_reason(home, tina, tmp_path):
    """The other name and the other year of an adult move nothing, a late report does."""
    opened(home, tina, tmp_path, "fide-2014")
    received(home, tina, tmp_path, "Open", "2026-01-10", FIRST)
    publish(home, tina)
    registry.edit(5, registry.Edit(born=date(1971, 6, 30)), "passport", tina)
    received(home, tina, tmp_path, "Late", "2026-01-15", FIRST, won={("1", "3"): "0-1"})
    publish(home, tina)
    runs = [x.run for x in m.Publication.objects.order_by("-seq")]
    assert [x.says for x in reasons.between([(runs[0], runs[1])])] == ["report 2 came late: Late"]


@prepared
def withheld(home, tina, tmp_path):
    """Rules that publish a rating after six games: nobody has more than four."""
    setup.add_pool("standard", "iecg-1999", tina)
    events = (("2026-01-10", FIRST, date(2026, 3, 10)), ("2026-03-20", "14", AUGUST))
    for number, (day, who, until) in enumerate(events, 1):
        received(home, tina, tmp_path, f"Cup {number}", day, who, won={tuple(who[:2]): "1-0"})
        desk.link_new(number, tina)
        publish(home, tina, until)
    return home


def corrected(home, tina, *games):
    """Corrections of games of the first report, accepted and published by one run."""
    numbers = []
    for game, result in games:
        asked = corrections.ask(home, [asking.game(1, game, result)], "the sheet", tina)
        corrections.accept(home, asked.id, tina)
        numbers.append(asked.id)
    publish(home, tina, AUGUST)
    return numbers


def test_why_tells_of_a_rating_that_the_rules_do_not_publish(withheld, tina):
    """The game itself, and what came after it: of that nothing differs but the rating."""
    (number,) = corrected(withheld, tina, (1, "0-1"))
    said = [f"correction {number}: Cup 1, round 1, Alpha, Anna – Bravo, Ben: 0–1 instead of 1–0"]
    pool = m.Pool.objects.get(name="standard")
    every = register.since_first(withheld, pool, 1)
    assert [(x["was"], x["now"]) for x in every] == [
        (before["after"], now["after"])
        for before, now in zip(history_of(pool, 1, 2), history_of(pool, 1), strict=True)
    ]
    for each in (*every, *register.since_first(withheld, pool, 2)):
        assert (each["corrections"], each["why"]) == ([number], said)
        assert each["was"] != each["now"]
    assert register.since_first(withheld, pool, 3) == []
    # Nobody else is told of them.
    assert register.since_first(withheld, pool, 1, for_public=True) == []
    # The register, which is public, still has no number of theirs.
    assert register.entry(withheld, number)["changed"] == []


def test_of_a_rating_that_is_not_published_all_is_told_that_can_have_moved_it(
    withheld, tina, tmp_path
):
    """Two corrections and a late report of the player, and none of others."""
    received(withheld, tina, tmp_path, "Late", "2026-01-12", "56")
    desk.link_new(3, tina)
    received(withheld, tina, tmp_path, "Late, too", "2026-01-14", "12")
    first, second = corrected(withheld, tina, (1, "0-1"), (2, "1-0"))
    told = why(withheld, 1)
    assert [each.partition(":")[0] for each in told] == [
        f"correction {first}", f"correction {second}", "report 4 came late",
    ]  # fmt: skip
