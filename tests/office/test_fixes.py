"""What several corrections of one game say together, in whatever order they were accepted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.office.logic.corrections import contradict, mark
from ratingbook.office.logic.fixes import Sides, attributes, fixed, numbered, told, turned

ONE, OTHER = "7", "12"
SHIFT = int(OTHER) - int(ONE)
"""Where so many enter before them, the one gets the number that the other one had."""
HALVES, FLAGS = (
    st.sampled_from((0, 1, 2, None)),
    st.sampled_from(("both", "white", "black", "none")),
)
STATUS = st.sampled_from(("played", "forfeit"))
ROWS = st.builds(
    lambda half, rated, status: {
        "white": ONE, "black": OTHER, "half": half, "rated": rated, "status": status,
    },
    HALVES, FLAGS, STATUS,
)  # fmt: skip


def by_entries(row: Mapping[str, Any]) -> dict[str, Any]:
    """Of each what holds of it, whoever sits where."""
    points = row["half"]
    flags = {"both": {ONE, OTHER}, "none": set(), "white": {row["white"]}, "black": {row["black"]}}
    return {
        "half": points if points is None else {row["white"]: points, row["black"]: 2 - points},
        "rated": flags[row["rated"]], "status": row["status"], "white": row["white"],
    }  # fmt: skip


def holding(row: Mapping[str, Any], every: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    return fixed(row, told(every, sides_in(row)))


def sides_in(row: Mapping[str, Any]) -> Sides:
    """Of a version in which the entries have these numbers, or each of them one more."""
    one = ONE if ONE in (row["white"], row["black"]) else str(int(ONE) + SHIFT)
    return Sides(row["white"], row["black"], one)


@st.composite
def said(draw: st.DrawFn, names: tuple[str, ...] = ("half", "rated", "status", "white")) -> Any:
    """One or several words of a correction, told as of either side."""
    sides = draw(st.permutations((ONE, OTHER)))
    words = st.fixed_dictionaries(
        {}, optional={"half": HALVES, "rated": FLAGS, "status": STATUS, "white": st.sampled_from(
            (ONE, OTHER)
        )},
    )  # fmt: skip
    found = draw(words)
    kept = {name: x for name, x in found.items() if name in names}
    return {"sides": sides, "first": ONE, **kept}


def word(one: Mapping[str, Any]) -> dict[str, Any]:
    """What a correction says of each, by entries."""
    told_of = {"half": 1, "rated": "both", "status": "played", "white": ONE, **one}
    white, black = one["sides"]
    row = {**told_of, "white": white, "black": black}
    whole = by_entries(row) | {"white": told_of["white"]}
    return {name: whole[name] for name in one if name not in ("sides", "first")}


@given(ROWS, st.lists(said(), max_size=6))
def test_of_each_the_last_word_holds(row, every):
    expected = by_entries(row)
    for one in every:
        expected |= word(one)
    assert by_entries(holding(row, every)) == expected


@given(ROWS, st.lists(said(), max_size=4), st.data())
def test_to_accept_the_same_again_changes_nothing(row, every, data):
    if every:
        last = every[-1]
        again = data.draw(st.sampled_from((last, {**word_turned(last)})))
        assert holding(row, [*every, again]) == holding(row, every)


def word_turned(one: Mapping[str, Any]) -> dict[str, Any]:
    """The same said as of the other side."""
    whole = turned({"half": None, "rated": "both", "white": "", "black": "", **one})
    kept = {name: whole[name] for name in ("half", "rated") if name in one}
    return {**one, **kept, "sides": [*reversed(one["sides"])]}


@given(ROWS, st.tuples(said(("half",)), said(("rated",)), said(("white",))))
def test_the_order_of_what_is_said_of_different_things_does_not_matter(row, three):
    states = [holding(row, order) for order in permutations(three)]
    assert all(each == states[0] for each in states)


@given(ROWS, st.lists(said(), max_size=4))
def test_a_version_that_turns_the_colours_becomes_the_same_game(row, every):
    """What a correction says stays true where the next version of the report has it, too."""
    of_either = [{"sides": [ONE, OTHER], "first": ONE, "white": ONE}, *every]
    assert holding(row, of_either) == holding(turned(row), of_either)


def renumbered(row: Mapping[str, Any]) -> dict[str, Any]:
    """The game in a version that gives both entries other numbers."""
    return {**row, **{side: str(int(row[side]) + SHIFT) for side in ("white", "black")}}


@given(ROWS, st.booleans(), st.lists(said(), max_size=4))
def test_a_version_that_numbers_its_entries_anew_becomes_the_same_game(row, is_turned, every):
    """Who is called 12 is then another one than whom the corrections call so."""
    row = turned(row) if is_turned else row
    assert holding(renumbered(row), every) == renumbered(holding(row, every))
    for one in every:
        named = numbered(one, sides_in(renumbered(row)))
        assert named == tuple(str(int(each) + SHIFT) for each in one["sides"])


@given(ROWS, said(), st.booleans())
def test_who_asks_the_same_of_another_version_asks_the_same(row, one, of_other):
    again = word_turned(one) if of_other else one
    anew = {
        name: [str(int(each) + SHIFT) for each in x] if name == "sides"
        else str(int(x) + SHIFT) if name in ("first", "white") else x
        for name, x in again.items()
    }  # fmt: skip
    assert attributes(anew) == attributes(one)
    assert holding(row, [one, anew]) == holding(row, [one])


@given(ROWS, said())
def test_an_older_word_goes_by_the_numbers_where_a_version_has_both(row, one):
    older = {name: x for name, x in one.items() if name != "first"}
    assert holding(row, [older]) == holding(row, [one])
    assert holding(turned(row), [older]) == holding(turned(row), [one])
    # Elsewhere they are told as of who had White then.
    if one["sides"][0] == row["white"]:
        assert holding(renumbered(row), [older]) == holding(renumbered(row), [one])


OLD = st.lists(
    st.fixed_dictionaries(
        {}, optional={"half": HALVES, "rated": FLAGS, "status": STATUS, "swap": st.just(True)}
    ),
    max_size=6,
)  # fmt: skip


@given(ROWS, OLD)
def test_facts_of_before_mean_what_they_meant(row, every):
    """Each was laid over what it found, and its swap turned that."""
    expected = row
    for one in every:
        expected = {**expected, **{name: x for name, x in one.items() if name != "swap"}}
        expected = turned(expected) if one.get("swap") else expected
    assert holding(row, every) == expected


@given(ROWS, OLD, st.lists(said(), max_size=3), OLD)
def test_facts_of_before_and_of_now_go_one_after_another(row, before, now, later):
    """What held by some is all that the next ones know of them."""
    sides = sides_in(row)
    state = told(before, sides)
    for some in (now, later):
        state = told(some, sides, state)
    assert state == told([*before, *now, *later], sides)


@given(said())
def test_who_says_the_same_as_of_the_other_side_says_the_same(one):
    other = word_turned(one)
    first, second = ({"kind": "game", "key": "k", "say": each} for each in (one, other))
    assert attributes(one) == attributes(other)
    assert mark([first]) == mark([second])
    assert not contradict([first], [second])


SIDES = {"sides": [ONE, OTHER]}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ({**SIDES, "white": OTHER}, {**SIDES, "white": OTHER, "half": 0}, False),
        ({**SIDES, "white": OTHER}, {**SIDES, "white": ONE}, True),
        ({**SIDES, "white": OTHER}, {**SIDES, "half": 0}, False),
        ({**SIDES, "half": 2}, {"sides": [OTHER, ONE], "half": 2}, True),
        ({"swap": True}, {"swap": True, "half": 1}, False),
        # What it leaves hangs on what it finds, so each takes back the other one.
        ({"swap": True}, {**SIDES, "white": OTHER}, True),
        ({"half": 1}, {**SIDES, "half": 1}, False),
        ({"half": 2}, {**SIDES, "half": 0}, True),
    ],
)
def test_two_contradict_each_other_by_what_they_say_of_entries(one, other, expected):
    first, second = ({"kind": "game", "key": "k", "say": each} for each in (one, other))
    assert contradict([first], [second]) is expected


def test_the_mark_of_an_older_request_stays():
    """It is kept with the request, and the doctor reckons it again."""
    content = {"kind": "game", "key": "k", "say": {"swap": True}}
    assert mark([content]) == "ba68dd68a036e907fbc0a4b99f4237ec501317c168e7b040fb84f0f4a7bd7693"
