"""Where names make persons, a misspelt one is a new person: which is told."""

from __future__ import annotations

import pytest

from ratingbook.desk.identity import Register
from ratingbook.desk.persons import NAME, nearly_one_name
from ratingbook.model import Entry, Event, Findings, Report


def told(*reports: tuple[str, ...], years: dict[str, int] | None = None) -> list[str]:
    register, findings = Register(NAME), Findings()
    for number, names in enumerate(reports):
        entries = tuple(
            Entry(str(n), name, birth_year=(years or {}).get(name))
            for n, name in enumerate(names, 1)
        )
        register.ids_of(Report(Event(), entries, ()), f"{number}.trf", findings)
    register.tell_near(findings)
    return [each.message for each in findings if each.code == "history.near-name"]


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("Tamm, Tea", "Tam, Tea", True),
        ("Tamm, Tea", "T. Tamm", True),
        ("Müller, Hans", "Mueller, Hans Peter", True),
        ("Smith, Joan", "Smith, Jean", False),
        ("Smith, John", "Smith, Mary", False),
        ("Player01", "Player02", False),
        ("Player 1", "Player 2", False),
        ("Tamm", "Tam", False),
        ("", "Tamm, Tea", False),
    ],
)
def test_names_that_are_nearly_one(one: str, other: str, near: bool) -> None:
    assert nearly_one_name(one, other) is near


def test_who_is_new_and_almost_somebody_is_told() -> None:
    assert told(("Tamm, Tea", "Weiss, Hans"), ("Tam, Tea", "Weiss, Hans")) == [
        "Persons by their names, who may be one: Tam, Tea and Tamm, Tea."
    ]


def test_who_plays_in_one_event_is_not_one_person() -> None:
    assert told(("Tamm, Tea", "Tamm, Teo"), ("Tamm, Teo", "Tamm, Tea")) == []


def test_years_of_birth_tell_persons_apart() -> None:
    assert told(("Tamm, Tea",), ("Tam, Tea",), years={"Tamm, Tea": 1980, "Tam, Tea": 2010}) == []


def test_few_of_many_are_named() -> None:
    first = tuple(f"Family{letter * 3}, Given" for letter in "abcdefgh")
    second = tuple(name + "e" for name in first)
    (message,) = told(first, second)
    assert message.endswith(" more.")
    assert message.count(" and ") == 6


def test_the_work_does_not_grow_with_namesakes(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = list[tuple[str, str]]()

    def compare(one: str, other: str) -> bool:
        compared.append((one, other))
        return False

    monkeypatch.setattr("ratingbook.desk.identity.nearly_one_name", compare)
    many = tuple(f"Smith, J{n}" for n in range(400))
    told(many, ("Smith, Jo",))
    assert len(compared) <= 50 * (len(many) + 1)
