"""Texts that were written before a person was suppressed, without the person's name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.db.models import Max

from ratingbook.desk.language import ENGLISH, Language
from ratingbook.model.sentences import Sentence
from ratingbook.office.acts.people import SUPPRESSED, canonical, names_of
from ratingbook.office.acts.registry import suppressed, token
from ratingbook.office.home import current
from ratingbook.office.logic.corrections import Content, persons_in, sentences
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import once


def named_since() -> int:
    """The last fact about a suppressed person: with another one there may be another spelling."""
    hidden = m.FactSubject.objects.filter(kind="person", fact__kind=SUPPRESSED)
    about = m.FactSubject.objects.filter(kind="person", subject__in=hidden.values("subject"))
    return about.aggregate(last=Max("fact"))["last"] or 0


def mask(since: int | None = None) -> Callable[[str], str]:
    """What takes the names of suppressed persons out of a text; they had some in reports, too.

    ``since`` is :func:`named_since`, where it is known.
    """
    if since is None:
        since = named_since()
    if not since:
        return str
    found = _names(current().folder, since)
    if not found:
        return str
    longest = sorted(found, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in longest))
    return lambda text: pattern.sub(lambda one: found[one.group()], text)


@lru_cache(maxsize=4)
def _names(folder: Path, since: int) -> dict[str, str]:
    """Each name that a suppressed person had, and what stands in its place."""
    del folder, since
    hidden = suppressed()
    said = [
        *m.PersonName.objects.filter(person__in=hidden).values_list("person", "text"),
        *m.Link.objects.filter(person__in=hidden).values_list("person", "entry__name"),
    ]
    return {text: token(person) for person, text in said if text and text != token(person)}


def masked_in(said: Any, masked: Callable[[str], str]) -> Any:
    """The same with all texts in it masked; a sentence can still be told in any language."""
    if isinstance(said, Sentence):
        return said.changed(masked)
    if isinstance(said, str):
        return masked(said)
    if isinstance(said, Mapping):
        return {key: masked_in(each, masked) for key, each in said.items()}
    if isinstance(said, Sequence):
        return [masked_in(each, masked) for each in said]
    return said


def saying(
    every: Iterable[Sequence[Content]],
    masked: Callable[[str], str] | None = None,
    language: Language = ENGLISH,
) -> Callable[[Sequence[Content]], list[str]]:
    """What tells in words what each of these corrections asks for.

    Persons have the names of today, which are asked for at once; who is suppressed has none, also
    in what was said of a game or an entry when a correction was asked for.
    """
    people = {who for contents in every for each in contents for who in persons_in(each)}
    names = names_of(people) if people else {}
    hiding = masked or mask()
    return lambda contents: sentences(masked_in(contents, hiding), language, names)


def says_of(contents: Sequence[Content], language: Language = ENGLISH) -> list[str]:
    """The same of one correction."""
    return saying([contents], language=language)(contents)


def name_in_report(entry: m.Entry) -> str:
    """The name that an entry of a report has; of a suppressed person what stands in its place."""
    return as_reported(entry, entry.name, once("names of suppressed persons", mask))


def as_reported(entry: m.Entry, text: str, masked: Callable[[str], str]) -> str:
    """The name or the number of an entry, which is its name where a file has no numbers.

    Somebody else who is called as a suppressed person was, and is known, goes by the own name.
    """
    if masked(text) == text:
        return text
    hidden = once("names of suppressed entries", hidden_entries)
    if entry.id in hidden:
        return hidden[entry.id] if text == entry.name else masked(text)
    known = m.Link.objects.filter(entry=entry, revoked_by__isnull=True).exists()
    return text if known else masked(text)


def hidden_entries() -> dict[int, str]:
    """The entries of suppressed persons, and what stands in the place of their names."""
    links = m.Link.objects.filter(person__in=suppressed(), revoked_by__isnull=True)
    return {entry: token(canonical(who)) for entry, who in links.values_list("entry", "person")}
