"""A person whom somebody names in a form: by a number or a name, with choices where several fit."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import gettext

from ratingbook.office.acts.people import canonical
from ratingbook.office.acts.searching import by_number
from ratingbook.office.limits import is_id
from ratingbook.office.logic.names import tokens
from ratingbook.office.refused import refuse
from ratingbook.site.shown.desk import Searched, searched
from ratingbook.site.views.forms import number_in, text_in

PERSON = "person"
"""The usual name of such a field."""


@dataclass(frozen=True)
class Named:
    """Whom a form names; nobody where its field is empty."""

    text: str = ""
    person: int | None = None
    choices: tuple[Searched, ...] = ()
    """Who goes by the text, where it is not certain who is meant."""
    field: str = PERSON
    """Under what name the form has it."""

    def one(self) -> int | None:
        """The person; None: nobody is named.  Refused where it is not clear who."""
        if self.person is not None or not self.text:
            return self.person
        if self.choices:
            raise refuse(
                "site.several-persons",
                gettext("It is not clear who “{text}” is.").format(text=self.text),
                gettext("Choose below who is meant, or write more of the name."),
            )
        raise refuse(
            "site.no-person",
            gettext("There is nobody of the name or number “{text}”.").format(text=self.text),
            gettext("Write a name as it is in the lists, or a number."),
        )

    def needed(self) -> int:
        """The person; refused where nobody is named, or it is not clear who."""
        person = self.one()
        if person is None:
            raise refuse(
                "site.person",
                gettext("No person is named."),
                gettext("Write the name or the number of the person."),
            )
        return person


def named(request: HttpRequest, field: str = PERSON) -> Named:
    """Whom a field names, or the choice that was made for its text."""
    text = text_in(request, field) or request.GET.get(field, "").strip()
    chosen = number_in(request, f"{field}_chosen")
    if chosen is not None and text_in(request, f"{field}_chosen_for") == text:
        return Named(text, chosen, field=field)
    if not text:
        return Named(field=field)
    if is_id(text) and (people := {canonical(each) for each in by_number(text)}):
        is_one = len(people) == 1
        return (
            Named(text, people.pop(), field=field) if is_one
            else Named(text, None, _who(people), field)
        )  # fmt: skip
    found = searched(text)
    plain = [each for each in found if _goes_by(each, text)]
    # A part of a name may be anybody's, who is only not here yet.
    if len(plain) == 1 and sorted(tokens(plain[0].name)) == sorted(tokens(text)):
        return Named(text, plain[0].person, field=field)
    return Named(text, None, tuple(plain or found), field)


def _who(people: set[int]) -> tuple[Searched, ...]:
    """Several of one number: it is theirs in different registers."""
    return tuple(
        each for one in sorted(people) for each in searched(str(one)) if each.person == one
    )


def _goes_by(one: Searched, text: str) -> bool:
    """Whether the words of a text are words of the name, or their beginnings."""
    words = tokens(one.name)
    asked = tokens(text)
    return bool(asked) and all(any(w.startswith(each) for w in words) for each in asked)
