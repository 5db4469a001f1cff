"""Names as they are compared, and who is certain."""

from __future__ import annotations

import pytest

pytest.importorskip("rapidfuzz")

from ratingbook.formats.fide.federations import FEDERATIONS, WITHOUT
from ratingbook.office.logic import countries
from ratingbook.office.logic.countries import same_country
from ratingbook.office.logic.matching import (
    Described,
    described,
    match,
    name_score,
)
from ratingbook.office.logic.names import folded, form, tokens
from ratingbook.office.logic.newcomers import name_keys
from ratingbook.office.logic.rounding import of_hundred


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Müller, Jörg", ("muller", "jorg")),
        ("O'Brien, Seán", ("obrien", "sean")),
        ("Иванов, Пётр", ("ivanov", "petr")),
        ("李小龙", ("li", "xiaolong")),
        ("欧阳修", ("ouyang", "xiu")),
        ("van der Berg, J.", ("van", "der", "berg", "j")),
        ("", ()),
    ],
)
def test_names_become_latin_tokens(name, expected):
    assert tokens(name) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tschaikowski", "chaikovskii"),
        ("shevchenko", "schewtschenko"),
        ("jansson", "yanson"),
        ("mueller", "muller"),
    ],
)
def test_spellings_of_one_sound_fold_into_one(one, other):
    assert folded(one) == folded(other)


def test_a_name_is_found_whatever_the_order_of_its_parts():
    assert name_score(form("Alpha, Anna"), form("Anna Alpha")) == 100
    assert set(name_keys(["Alpha, Anna"], 1990)) == set(name_keys(["Anna Alpha"], 1990))


@pytest.mark.parametrize("name", ["<b>Pohl</b>, Pia", "Pohl&Pia", 'Pia "Pohl"', "[Pohl] Pia"])
def test_whatever_stands_between_is_no_part_of_a_name(name):
    assert {"pohl", "pia"} <= {*tokens(name)}


def test_apostrophes_are_within_names():
    assert tokens("O'Brien, D’Arcy") == ("obrien", "darcy")


def test_a_surname_alone_is_not_the_whole_name():
    assert name_score(form("Ivanov"), form("Ivanov, Petr")) < 95


def test_an_initial_fits():
    assert 85 < name_score(form("Bravo, B."), form("Bravo, Benjamin")) < 95


ANNA = described("Alpha, Anna", birth_year=1990, federation="IRL", rating=2000.0)


def found(entry, people, by_id=None):
    return match(entry, lambda _: people, by_id or {})


def test_name_year_and_federation_are_certain():
    one = found(described("Alpha, Anna", birth_year=1990, federation="IRL"), {1: ANNA})
    assert one.certain is not None
    assert one.certain.person == 1
    assert one.certain.score == 113  # 100 for the name, 10 for the year, 3 for the federation
    assert one.certain.reasons == ("name 100", "same birth year (+10)", "same federation (+3)")


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (described("Alpha, Anna", federation="IRL"), "without an equal birth year"),
        (described("Alpha, Anna", birth_year=1990), "does not confirm"),
        (described("Alpha, Anne", birth_year=1990, federation="IRL"), "agrees to"),
        (described("Alpha, Anna", birth_year=1990, federation="GER"), "does not confirm"),
        (described("Zulu, Zoe", birth_year=1990), "nobody"),
    ],
)
def test_what_is_doubtful_waits_and_says_why(entry, why):
    one = found(entry, {1: ANNA})
    assert one.certain is None
    assert why in one.why


def test_two_of_the_same_name_and_year_are_never_certain():
    twin = described("Alpha, Anna", birth_year=1990, federation="IRL")
    one = found(described("Alpha, Anna", birth_year=1990, federation="IRL"), {1: ANNA, 2: twin})
    assert one.certain is None
    assert [each.person for each in one.candidates] == [1, 2]


def test_three_of_about_that_name_are_never_certain():
    people = {
        1: ANNA,
        2: described("Alpha, Annah", birth_year=1950),
        3: described("Alpha, Hanna", birth_year=1960),
    }
    one = found(described("Alpha, Anna", birth_year=1990, federation="IRL"), people)
    assert one.certain is None
    assert "more than two" in one.why


def test_a_number_links_by_itself_only_with_about_the_name_of_its_person():
    entry = described("Alpha, A.", ids={"fide": "100"})
    assert found(entry, {}, {"fide": (1, ANNA)}).certain.person == 1
    other = described("Bravo, Ben", ids={"fide": "100"})
    one = found(other, {}, {"fide": (1, ANNA)})
    assert one.certain is None
    assert one.candidates[0].person == 1
    assert "another one" in one.why


def test_numbers_of_two_persons_go_to_the_desk():
    entry = described("Alpha, Anna", ids={"fide": "100", "national": "7"})
    one = found(entry, {}, {"fide": (1, ANNA), "national": (2, ANNA)})
    assert one.certain is None
    assert "different persons" in one.why


def test_the_same_entry_meets_the_same_candidates_twice():
    people = {n: described(f"Alpha, Anna{'abcdefgh'[n]}") for n in range(8)}
    once = found(described("Alpha, Anna"), people)
    again = found(described("Alpha, Anna"), dict(reversed(people.items())))
    assert once == again


def test_nothing_is_said_of_what_is_not_known():
    assert found(Described((form("Alpha, Anna"),)), {1: ANNA}).candidates[0].reasons == (
        "name 100",
    )


@pytest.mark.parametrize(
    ("numbers", "is_certain"),
    [({"fide": ["15"]}, True), ({"fide": ["14", "15"]}, True), ({"fide": ["51"]}, False),
     ({"national": ["51"]}, True), ({}, True)],
)  # fmt: skip
def test_another_number_of_the_same_register_contradicts(numbers, is_certain):
    said = {"birth_year": 1990, "federation": "IRL"}
    known = described("Alpha, Anna", **said, numbers=numbers)
    one = found(described("Alpha, Anna", **said, ids={"fide": "15"}), {1: known})
    assert (one.certain is not None) is is_certain
    assert ("other fide number (−10)" in one.candidates[0].reasons) is not is_certain


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("AT", "AUT", True), ("CH", "SUI", True), ("DEU", "GER", True), ("uk", "ENG", True),
        ("ENG", "SCO", False), ("AT", "GER", False), ("AUS", "AUT", False), ("QQ", "QQ", True),
        ("BRN", "BN", False),
    ],
)  # fmt: skip
def test_countries_are_the_same_in_whatever_letters(one, other, is_same):
    assert same_country(one, other) is is_same
    assert same_country(other, one) is is_same


def test_every_federation_of_fide_is_of_a_country_of_two_letters():
    former = {"SCG", "TCH", "URS", "YUG", "GDR"}
    for each in FEDERATIONS - WITHOUT - former:
        assert len(countries._COUNTRY.get(each, each)) == 2, each
    codes = countries._SAID.replace(";", " ").split()
    assert len(codes) == len(set(codes))


def test_a_country_of_two_letters_agrees_with_its_federation():
    known = described("Alpha, Anna", birth_year=1990, federation="AUT")
    one = found(described("Alpha, Anna", birth_year=1990, federation="AT"), {1: known})
    assert one.certain is not None
    assert "same federation (+3)" in one.certain.reasons


def test_a_score_is_shown_as_of_a_hundred():
    """What speaks beside a whole name is no reason for a number that nothing is compared with."""
    assert [of_hundred(each) for each in (0, 79.6, 100, 111.8)] == [0, 80, 100, 100]


def test_an_id_that_is_a_number_of_the_person_is_told_and_makes_nobody_certain():
    entry = described("Alpha, Anna", id="500001")
    known = described("Alpha, Anna", numbers={"iccf": ["500001"]})
    one = found(entry, {1: known, 2: described("Alpha, Anna", numbers={"fide": ["7"]})})
    assert one.certain is None
    reasons = {each.person: each.reasons for each in one.candidates}
    assert reasons == {1: ("name 100", "its id is the iccf number"), 2: ("name 100",)}
