"""Nouns that are made quickly are as any other frozen dataclass."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from datetime import date

import pytest

from ratingbook.model import Entry, Game, Place, Result
from ratingbook.model.making import QuicklyMade


@dataclass(frozen=True, slots=True)
class Slow:
    name: str
    count: int = 3
    marks: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Quick(metaclass=QuicklyMade):
    name: str
    count: int = 3
    marks: list[int] = field(default_factory=list)


def values(noun):
    return [getattr(noun, each.name) for each in fields(noun)]


def test_its_fields_are_those_that_dataclass_sets():
    for given, named in ((("a",), {}), (("a", 4), {"marks": [1]}), ((), {"name": "b"})):
        assert values(Quick(*given, **named)) == values(Slow(*given, **named))
    assert Quick("a").marks is not Quick("a").marks


def test_it_is_a_noun_of_its_class():
    made = Quick("a", marks=[1])
    assert type(made) is Quick
    assert repr(made) == "Quick(name='a', count=3, marks=[1])"
    assert made == Quick("a", 3, [1]) != Quick("a")
    for other in (pickle.loads(pickle.dumps(made)), copy.copy(made), replace(made)):
        assert (type(other), other) == (Quick, made)
    assert replace(made, name="b").name == "b"
    assert str(inspect.signature(Quick)).startswith("(name: str, count: int = 3, marks:")
    assert inspect.signature(Entry).parameters["birth_date"].annotation == date | None


def test_other_processes_are_sent_its_values_alone():
    assert Quick("a", 4, [1]).__reduce__() == (Quick, ("a", 4, [1]))
    made = pickle.loads(pickle.dumps([Quick("a"), Quick("b", 1, [2])]))
    assert made == [Quick("a"), Quick("b", 1, [2])]


def test_nobody_sets_a_field_afterwards():
    for made in (Quick("a"), Game("1", "2"), Entry("1"), Place()):
        with pytest.raises(FrozenInstanceError):
            setattr(made, fields(made)[0].name, "other")


@pytest.mark.parametrize(
    ("given", "named", "said"),
    [
        ((), {}, "missing 1 required positional argument: 'name'"),
        (("a",), {"other": 1}, "unexpected keyword argument 'other'"),
        (("a",), {"name": "b"}, "multiple values for argument 'name'"),
    ],
)
def test_what_does_not_fit_is_told(given, named, said):
    with pytest.raises(TypeError, match=said):
        Quick(*given, **named)


def test_games_are_found_in_sets():
    assert len({Game("1", "2", Result.DRAW), Game("1", "2", Result.DRAW), Game("2", "1")}) == 2
