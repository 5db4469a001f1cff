"""Texts that were written before a person was suppressed, without the person's name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from django.db.models import Max

from ratingbook.desk.language import ENGLISH, Language
from ratingbook.model.sentences import Sentence
from ratingbook.office.acts.people import canonical, names_of
from ratingbook.office.acts.registry import suppressed
from ratingbook.office.acts.results import taken_effect
from ratingbook.office.home import current
from ratingbook.office.logic.chain import canonical as canonical_of
from ratingbook.office.logic.corrections import Content, persons_in, sentences
from ratingbook.office.logic.masked import OF_SUPPRESSED, SUPPRESSED, token
from ratingbook.office.logic.names import parts
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import head, is_any, once


@lru_cache(maxsize=4)
def _named_since(folder: Path, end_of_chain: str) -> int:
    """The last fact about a suppressed person: with another one there may be another spelling."""
    del folder, end_of_chain
    hidden = m.FactSubject.objects.filter(kind="person", fact__kind=SUPPRESSED)
    about = m.FactSubject.objects.filter(kind="person", subject__in=hidden.values("subject"))
    return about.aggregate(last=Max("fact"))["last"] or 0


def mask() -> Callable[[str], str]:
    """What takes the names of suppressed persons out of a text; they had some in reports, too."""
    return _hidden().masked if is_any(SUPPRESSED) else str


UNNAMED = "…"
"""What stands for a name where its reader may have guessed it, and must not learn whose it is."""


def mask_for_public(written: Iterable[str] = ()) -> Callable[[str], str]:
    """The same for all but officers, who could ask by a guessed name who is called ``Player 7``.

    Nothing tells who it is; names that the reader's own file has are left as they are ``written``.
    """
    if not is_any(SUPPRESSED):
        return str
    return _unnamed(_hidden(), frozenset(map(parts, written))).masked


@dataclass(frozen=True)
class _Hidden:
    """The names that suppressed persons had, and what stands in their place."""

    exact: Mapping[str, str]
    """As they were spelled."""
    spelled: Mapping[tuple[str, ...], str]
    """By their parts, of names with several: other orders of these, and other marks."""
    single: Mapping[str, str]
    """By each part of them."""
    numbers: frozenset[str] = frozenset()
    """What registers gave to them."""
    entries: Mapping[int, str] = field(default_factory=dict)
    """The entries that are theirs, and what stands in the place of their names."""

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        longest = sorted(self.exact, key=len, reverse=True)
        pattern = "|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in longest)
        return re.compile(pattern) if longest else None

    @cached_property
    def _most(self) -> int:
        return max(map(len, self.spelled), default=0)

    def called(self, name: str) -> str | None:
        """What stands in the place of a whole name, if it is one of them."""
        return self.exact.get(name) or self.spelled.get(parts(name))

    def masked(self, text: str) -> str:
        """A text without the names."""
        if self._pattern is not None:
            text = self._pattern.sub(lambda one: self.exact[one.group()], text)
        if not self.spelled:
            return text
        words = [(one, parts(one.group())) for one in _WORD.finditer(text)]
        if not any(each in self.single for _, some in words for each in some):
            return text
        found, kept, at = [], 0, 0
        while at < len(words):
            last, instead = self._begins(text, words, at)
            if instead:
                found += [text[kept : words[at][0].start()], instead]
                kept, at = words[last][0].end(), last
            at += 1
        return "".join([*found, text[kept:]])

    def _begins(
        self, text: str, words: Sequence[tuple[re.Match[str], tuple[str, ...]]], at: int
    ) -> tuple[int, str | None]:
        """The last word of the longest name that begins with a word, and what stands for it."""
        have: list[str] = []
        best: tuple[int, str | None] = at, None
        for last in range(at, len(words)):
            before = words[last - 1][0].end() if last > at else words[at][0].start()
            between = text[before : words[last][0].start()]
            have += words[last][1]
            if len(have) > self._most or not _BESIDE.fullmatch(between):
                break
            instead = self.spelled.get(tuple(sorted(have)))
            if instead:
                best = last, instead
        return best

    def bare(self, text: str) -> str:
        """A text without any part of the names, be it a surname alone."""

        def instead(one: re.Match[str]) -> str:
            some = parts(one.group())
            known = [self.single[each] for each in some if each in self.single]
            return known[0] if some and len(known) == len(some) else one.group()

        return _WORD.sub(instead, self.masked(text))


_WORD = re.compile(r"\w(?:(?:(?!['’]s\b)[^\s,.;:/()\-\"])*\w)?")
_BESIDE = re.compile(r"[\s,.\-]{0,3}")
"""What stands between the parts of a name."""
_PART = 3
"""A part of fewer letters is a particle or an initial."""


@lru_cache(maxsize=4)
def _hidden_names(folder: Path, since: int) -> _Hidden:
    del folder, since
    hidden = suppressed()
    said = (
        m.PersonName.objects.filter(person__in=hidden)
        .values_list("person", "text")
        .union(m.Link.objects.filter(person__in=hidden).values_list("person", "entry__name"))
    )
    told = ((text, token(person)) for person, text in sorted(said) if text)
    exact = {text: called for text, called in told if text != called}
    spelled = {some: each for name, each in exact.items() if len(some := parts(name)) > 1}
    single = {
        part: each for name, each in exact.items() for part in parts(name) if len(part) >= _PART
    }
    ids = m.ExternalId.objects.filter(person__in=hidden)
    numbers = frozenset(ids.values_list("value", flat=True))
    links = m.Link.objects.filter(person__in=hidden, revoked_by__isnull=True)
    entries = {entry: token(canonical(who)) for entry, who in links.values_list("entry", "person")}
    return _Hidden(exact, spelled, single, numbers, entries)


def _unnamed(hidden: _Hidden, own: frozenset[tuple[str, ...]]) -> _Hidden:
    """The same names but for those that somebody wrote, and with nobody's number."""
    return _Hidden(
        {name: UNNAMED for name in hidden.exact if parts(name) not in own},
        {some: UNNAMED for some in hidden.spelled if some not in own},
        hidden.single,
    )


def _hidden() -> _Hidden:
    """What is known of those who are suppressed, read again when a fact is about one of them."""
    if not is_any(SUPPRESSED):
        return _Hidden({}, {}, {})
    folder = current().folder
    return _hidden_names(folder, _named_since(folder, head().hash))


def called_as(names: Iterable[str]) -> dict[str, int]:
    """Those of the names that a suppressed person had, in any order of their parts, and who."""
    hidden = _hidden()
    known = {token(person): person for person in suppressed()}
    return {name: known[called] for name in names if (called := hidden.called(name)) in known}


def reason_of(masked: Callable[[str], str]) -> Callable[[str, str], str]:
    """What gives the reason of an act of a kind without the names of suppressed persons.

    That for which somebody was suppressed has no part of such a name either.
    """
    known = cache(_hidden)
    return lambda kind, reason: (known().bare if kind in OF_SUPPRESSED else masked)(reason)


def names_suppressed(text: str) -> bool:
    """Whether the name of somebody who is suppressed stands in a text, or a part of one."""
    return _hidden().bare(text) != text


def count_surnames(fact: int) -> int:
    """How many reasons of acts name those whom a fact suppressed by the surname alone."""
    about = m.FactSubject.objects.filter(fact=fact, kind="person").values_list("subject", flat=True)
    people = set(map(int, about))
    names = m.PersonName.objects.filter(person__in=people).values_list("person", "text")
    said = [text for person, text in names if text != token(person)]
    surnames = {
        part
        for text in said
        for part in parts(text.partition(",")[0] if "," in text else text.split()[-1])
        if len(part) >= _PART
    }
    hiding = mask()
    told = m.Fact.objects.exclude(reason="").exclude(kind__in=OF_SUPPRESSED)
    return sum(
        any(surnames.intersection(parts(one.group())) for one in _WORD.finditer(hiding(reason)))
        for reason in told.values_list("reason", flat=True).iterator()
    )


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
    each_told = _as_told([each for contents in every for each in contents])
    people = {who for each in each_told.values() for who in persons_in(each)}
    names = names_of(people) if people else {}
    hiding = masked or mask()
    return lambda contents: sentences(
        masked_in([each_told.get(canonical_of(each), each) for each in contents], hiding),
        language,
        names,
    )


def _as_told(contents: Sequence[Content]) -> dict[bytes, Content]:
    """Contents as they are told of: with what held of games, and what is undone by its name."""
    told = undone_named(taken_effect(contents))
    return dict(zip(map(canonical_of, contents), told, strict=True))


def undone_named(contents: Sequence[Content]) -> list[Content]:
    """The contents; what no longer holds, with what the fact had said."""
    undone = frozenset(each["fact"] for each in contents if each["kind"] == "undo")
    if not undone:
        return list(contents)
    said = once(("what was said", undone), lambda: _said_by(undone))
    return [
        each if each["kind"] != "undo" else {**each, "decided": [], **said.get(each["fact"], {})}
        for each in contents
    ]  # fmt: skip


def _said_by(facts: frozenset[int]) -> dict[int, dict[str, Any]]:
    """What these facts had said: as a correction by its number, else of whom."""
    corrections = m.FactSubject.objects.filter(
        kind="fact", subject__in=[str(each) for each in facts], fact__kind="correction accepted"
    )
    found: dict[int, dict[str, Any]] = {
        int(fact): {"correction": payload["correction"]}
        for fact, payload in corrections.values_list("subject", "fact__payload")
    }
    if left := facts - found.keys():
        merged = m.Fact.objects.filter(seq__in=left, kind="merge")
        found.update(merged.values_list("seq", "payload"))
    if left := left - found.keys():
        rows = m.Decision.objects.filter(fact__in=left).values_list("fact", "person", "kind")
        for fact, person, kind in rows:
            found.setdefault(fact, {"decided": []})["decided"].append((person, kind))
    return found


def says_of(contents: Sequence[Content], language: Language = ENGLISH) -> list[str]:
    """The same of one correction."""
    return saying([contents], language=language)(contents)


def name_in_report(entry: m.Entry) -> str:
    """The name that an entry of a report has; of a suppressed person what stands in its place."""
    hiding = once("names of suppressed persons, for the public", mask_for_public)
    return as_reported(entry, entry.name, hiding)


def as_reported(entry: m.Entry, text: str, masked: Callable[[str], str]) -> str:
    """The name or the number of an entry, which is its name where a file has no numbers.

    Somebody else who is called as a suppressed person was, and is known, goes by the own name.
    """
    if masked(text) == text:
        return called_by_register(text, lambda: _hidden().entries.get(entry.id))
    hidden = _hidden().entries
    if entry.id in hidden:
        return hidden[entry.id] if text == entry.name else masked(text)
    known = m.Link.objects.filter(entry=entry, revoked_by__isnull=True).exists()
    return text if known else masked(text)


def called_by_register(number: str, instead: Callable[[], str | None]) -> str:
    """The number of an entry; of a suppressed person none that a register gave, which goes.

    ``instead`` says what stands in its place; None: it is somebody else's.
    """
    if number not in _hidden().numbers:
        return number
    return instead() or number
