"""What a correction asks for: contents of a few kinds, in words, and what is the same.

A content is a mapping with ``kind`` and what belongs to it:

========== ====================================================================================
game       ``key`` of the game and what to ``say``: ``half`` (None takes it out), ``rated``,
           ``status``, and the entry that has ``white``; the first two are told as of the
           entries ``sides``, White first, as are those of ``before``; which of them is
           ``first`` in the key says who they are in other versions.  Older ones name no
           entries, but White and Black as they are then, and ``swap`` these
player     ``entry_id``, ``person``: who played, instead of whom it was said to be
merge      ``source``, ``target``: two persons are one
undo       ``fact``: a merge, a decision or an earlier correction no longer holds; who tells it
           adds ``source`` and ``target``, ``decided`` or ``correction``, as the fact had said.
           Of an event that was taken out or let in also its ``sections``, and those ``replaced``
move       ``sections``, ``day``: an event ended on another day than on that of ``before``;
           of one that took several days also ``first`` and ``began``, the first day likewise;
           older ones say by how many ``days`` more it was moved than it was then
pool       ``sections``, ``pool``: an event belongs to another pool
withdraw   ``sections``: an event is taken out
late       ``sections``: an event that was held, perhaps for years, is let in
opening    ``pool``, ``values``: by person all of that with which one comes in; None: nothing
decision   ``pool``, ``said``: what was decided of persons holds again, or for the first time
           if it is ``new``: each with person, day, kind, value and reason
parameters ``pool``, ``parameters``, ``assume``: what the rules of a pool are set to
rules      ``pool``, ``before``, ``now``: the program of the rule book itself was mended
========== ====================================================================================

What says again what was taken back names the fact that took it back: ``again``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ratingbook.desk.language import ENGLISH, Language
from ratingbook.model.sentences import Sentence, sentence
from ratingbook.office.logic.called import (
    decision,
    part_of_standing,
    setting,
    value_of_setting,
)
from ratingbook.office.logic.chain import canonical
from ratingbook.office.logic.fixes import attributes

Content = Mapping[str, Any]

_SAME = {
    "game": ("key", "say"), "player": ("entry_id", "person"), "merge": ("source", "target"),
    "undo": ("fact",), "move": ("sections", "day"), "pool": ("sections", "pool"),
    "withdraw": ("sections",), "late": ("sections",), "opening": ("pool", "values"),
    "decision": ("pool", "said"),
    "parameters": ("pool", "parameters", "assume"), "rules": ("pool", "before", "now"),
}  # fmt: skip
"""By what two contents of a kind are the same."""
KINDS = tuple(_SAME)
_ROUND = re.compile(r", round (\d+),")
"""Where a game was, as it was said when its correction was asked for."""
_OF_REPORT = re.compile(r", game (\d+) of the report,")
"""What tells it from one that looks alike, said so, too."""
_REASON = re.compile(
    r"correction (\d+)(?:(?P<next> goes on the next list)|: (?P<why>.*))?", re.DOTALL
)
"""A reason that the program gave: a fact keeps it as a text, whoever reads it."""
_LEFT = re.compile(r"correction (\d+) was taken back by who asked for it")
"""Why what was joined to a request asks on without it."""
SAME_ASKED = sentence("the same was asked before")
BY_ASKER = sentence("taken back by who asked")
UNTOLD = sentence("something that is not published yet")
"""What stands for all that is asked for where its reader may not know of it yet."""
SCORES = {2: "1–0", 1: "½–½", 0: "0–1", None: "no game"}


def mark(contents: Iterable[Content]) -> str:
    """SHA-256 over what is asked for, whoever asks and in whatever words."""
    said = sorted(canonical([each["kind"], *_same(each)]) for each in contents)
    return hashlib.sha256(b"\n".join(said)).hexdigest()


def _same(content: Content) -> Iterator[Any]:
    """That by which a content is the same as another one of its kind."""
    # A mark is kept with its request: that of an older one stays what it was.
    for key in _SAME[content["kind"]]:
        if key == "say" and "sides" in content["say"]:
            yield attributes(content["say"])
        elif key == "day" and "days" in content:
            yield content["days"]
        else:
            yield content.get(key)


def about(content: Content) -> Mapping[str, Any]:
    """What a content changes, and what it says of each."""
    kind = content["kind"]
    if kind == "game":
        said_of = attributes(content["say"])
        return {f"{content['key']} {what}": said for what, said in said_of.items()}
    if kind == "player":
        return {f"entry {content['entry_id']}": content["person"]}
    if kind == "merge":
        # Of one number several may be said: all of them are one person, and none overtakes another.
        return {f"persons {sorted((content['source'], content['target']))}": True}
    if kind == "undo":
        return {f"fact {content['fact']}": None}
    if kind in ("withdraw", "late"):
        return {f"section {each} state": kind for each in content["sections"]}
    if kind in ("move", "pool"):
        # An older move has both: days that are told from another one are no other day.
        said = content["pool"] if kind == "pool" else content.get("day", content.get("days"))
        return {f"section {each} {kind}": said for each in content["sections"]}
    if kind == "opening":
        return {f"opening {content['pool']} {who}": x for who, x in content["values"].items()}
    if kind == "decision":
        return {f"decision {content['pool']} {each[:3]}": each[3] for each in content["said"]}
    if kind == "parameters":
        return {f"{kind} {content['pool']} {name}": x for name, x in _set(content).items()}
    return {f"{kind} {content['pool']}": [content.get(key) for key in _SAME[kind]]}


def overtake(one: Iterable[Content], other: Iterable[Content]) -> bool:
    """Whether two corrections say something else of the same thing: the later one holds."""
    return _is_otherwise(_said(one), _said(other))


def contradict(
    one: Iterable[Content], other: Iterable[Content], who: Callable[[int], int] = int
) -> bool:
    """Whether two corrections ask for what hardly anybody wants who wants the other.

    They say something else of the same thing; or of one number that it is two persons, which
    would make one person of both.  ``who`` tells which person a number is by now.
    """
    mine, theirs = ([*each] for each in (one, other))
    if _is_otherwise(_said(mine, who), _said(theirs, who)):
        return True
    return _is_otherwise(_merged(mine, who), _merged(theirs, who))


def _said(contents: Iterable[Content], who: Callable[[int], int] = int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in contents:
        said = about(each)
        found |= {key: who(x) for key, x in said.items()} if each["kind"] == "player" else said
    return found


def _merged(contents: Iterable[Content], who: Callable[[int], int]) -> dict[int, int]:
    """Whom the numbers are said to be that are found to be somebody else's."""
    return {
        each["source"]: who(each["target"]) for each in contents if each["kind"] == "merge"
    }  # fmt: skip


def _is_otherwise(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> bool:
    return any(one[key] != other[key] for key in one.keys() & other.keys())


def left_by(said: Collection[str], content: Content) -> Content | None:
    """What a content still says of what others, by :func:`about`, say nothing of; None: nothing."""
    kind = content["kind"]
    if kind == "opening":
        values = {
            person: value for person, value in content["values"].items()
            if about({**content, "values": {person: value}}).keys().isdisjoint(said)
        }  # fmt: skip
        return {**content, "values": values} if values else None
    if kind == "parameters":
        place = f"{kind} {content['pool']}"
        own = {k: x for k, x in content["parameters"].items() if f"{place} {k}" not in said}
        kept = {k: x for k, x in content.items() if k != "assume" or f"{place} {k}" not in said}
        return {**kept, "parameters": own} if own or "assume" in kept else None
    return content if about(content).keys().isdisjoint(said) else None


def sets_rules(content: Content) -> bool:
    """Whether a content sets what the rules of a pool are set to, or takes that back."""
    return content["kind"] == "parameters" or content.get("of") == "parameters"


def persons_in(content: Content) -> list[int]:
    """The persons whom the sentence about a content tells of."""
    kind = content["kind"]
    if kind == "player":
        return [content["person"], content["before"]]
    if kind == "merge":
        return [content["source"], content["target"]]
    if kind == "undo":
        both = [content[key] for key in ("source", "target") if key in content]
        return [*both, *(person for person, _ in content.get("decided", ())[:_SHOWN])]
    if kind == "opening":
        return [int(each) for each in list(content["values"])[:_SHOWN]]
    if kind == "decision":
        return [int(each[0]) for each in content["said"][:_SHOWN]]
    return []


def told_of(content: Content) -> set[int]:
    """The persons of whom a content tells something beside their games."""
    if content["kind"] == "opening":
        return set(map(int, content["values"]))
    if content["kind"] == "decision":
        return {int(each[0]) for each in content["said"]}
    return {content["source"], content["target"]} if content["kind"] == "merge" else set()


def _who(person: int | str, names: Mapping[int, str], language: Language) -> str:
    name = names.get(int(person))
    if name:
        return f"{name} ({person})"
    return language.gettext("person {person}").format(person=person)


def in_words(content: Content, language: Language = ENGLISH, names: Mapping[int, str] = {}) -> str:
    """What a content says, in a sentence without its full stop.

    ``names`` are those of persons today: none goes into the ledger with a content.
    """
    kind, say = content["kind"], language.gettext
    if kind == "game":
        return _game(content, language)
    if kind in ("move", "pool", "withdraw", "late"):
        return _event(content, language)
    if kind == "player":
        return say("{where}: entry {entry} ({name}) is {person}, not {before}").format(
            where=content["where"], entry=content["entry"], name=content["name"],
            person=_who(content["person"], names, language),
            before=_who(content["before"], names, language),
        )  # fmt: skip
    if kind == "merge":
        one, other = (_who(content[key], names, language) for key in ("source", "target"))
        return say("{one} is {other}").format(one=one, other=other)
    if kind == "undo":
        return _undo(content, language, names)
    if kind == "opening":
        return _opening(content, language, names)
    if kind == "decision":
        return _decision(content, language, names)
    if kind == "parameters":
        said = ", ".join(
            f"{setting(key, language)} = {value_of_setting(value, language)}"
            for key, value in _set(content).items()
        )
        return say("the rules of the pool {pool}: {said}").format(
            pool=content["pool_name"], said=said
        )
    return say(
        "the program of the rules of the pool {pool} was mended (source {before} is now {now})"
    ).format(pool=content["pool_name"], before=content["before"][:8], now=content["now"][:8])


def _undo(content: Content, language: Language, names: Mapping[int, str]) -> str:
    say = language.gettext
    if "correction" in content:
        return say("correction {n} no longer holds").format(n=content["correction"])
    if "source" in content:
        one, other = (_who(content[key], names, language) for key in ("source", "target"))
        return say("{one} and {other} are two persons").format(one=one, other=other)
    decided = content.get("decided", ())
    holds = say("{kind} of {person} no longer holds")
    words = [
        holds.format(kind=decision(kind, language), person=_who(person, names, language))
        for person, kind in decided[:_SHOWN]
    ]
    more = len(decided) - _SHOWN
    if more > 0:
        many = language.ngettext("and {n} more decision", "and {n} more decisions", more)
        words.append(many.format(n=more))
    said, of = say("fact {n} ({of}) no longer holds"), content["of"]
    return "; ".join(words) or said.format(n=content["fact"], of=say(of))


def _set(content: Content) -> dict[str, Any]:
    found = dict(content["parameters"])
    if "assume" in content:
        found["assume"] = content["assume"]
    return found


def _game(content: Content, language: Language) -> str:
    new, before, say = content["say"], content["before"], language.gettext
    words = []
    if "half" in new:
        now, was = (language.result(SCORES[each["half"]]) for each in (new, before))
        words.append(_instead(now, was, language))
    if "white" in new or new.get("swap"):
        words.append(say("the colours are the other way round"))
    if "rated" in new:
        now, was = new["rated"], before["rated"]
        said = say("rated for {now} instead of {before}")
        words.append(said.format(now=say(_FOR.get(now, now)), before=say(_FOR.get(was, was))))
    if "status" in new:
        words.append(_instead(say(new["status"]), say(before["status"]), language))
    return f"{where_of(content, language)}: {', '.join(words)}"


_FOR = {"white": "White", "black": "Black"}
"""For whom a game is rated: a side is no colour of anything."""


def reason_for(number: int, why: str = "", *, on_next_list: bool = False) -> Sentence:
    """Why a fact was written: for a correction, which had a reason of its own."""
    if on_next_list:
        return sentence("correction {number} goes on the next list", number=number)
    if why:
        return sentence("correction {number}: {why}", number=number, why=why)
    return sentence("correction {number}", number=number)


def reason_said(text: str) -> str:
    """A reason as a fact keeps it; one that names a correction can be told in any language."""
    left = _LEFT.fullmatch(text)
    if left is not None:
        return left_by_asker(int(left[1]))
    found = _REASON.fullmatch(text)
    if found is None:
        return text
    return reason_for(int(found[1]), found["why"] or "", on_next_list=bool(found["next"]))


def left_by_asker(number: int) -> Sentence:
    """Why a request asks on by itself, or with another one: it was joined to this one."""
    return sentence("correction {number} was taken back by who asked for it", number=number)


def is_left(reason: str) -> bool:
    """Whether somebody else than its owner brought about what became of a request, for that."""
    return _LEFT.fullmatch(reason) is not None


def is_by_program(reason: str) -> bool:
    """Whether nobody wrote a reason: the program gave it."""
    return reason in (SAME_ASKED, BY_ASKER) or any(x.fullmatch(reason) for x in (_LEFT, _REASON))


def where_of(content: Content, language: Language = ENGLISH) -> str:
    """Of which game a content is, as it was said when its correction was asked for."""
    found: str = content["where"]
    for pattern, said in (
        (_ROUND, language.gettext("round {n}")),
        (_OF_REPORT, language.gettext("game {n} of the report")),
    ):
        found = pattern.sub(partial(_numbered, said), found)
    return found


def _numbered(said: str, found: re.Match[str]) -> str:
    return f", {said.format(n=found[1])},"


def _instead(now: str, before: str, language: Language) -> str:
    return language.gettext("{now} instead of {before}").format(now=now, before=before)


def _event(content: Content, language: Language) -> str:
    kind, say = content["kind"], language.gettext
    said, words = say("{where}: let in"), {"where": content["where"]}
    if kind == "move" and "day" in content:
        days = [name for name in ("day", "before", "first", "began") if name in content]
        words |= {name: language.day(content[name]) for name in days}
        said = say("{where}: ended on {day}, not on {before}")
        if "first" in content:
            said = say("{where}: ended on {day}, not on {before}; began on {first}, not on {began}")
    elif kind == "move":
        count = content["days"]
        words["n"] = abs(count)
        said = (
            language.ngettext("{where}: {n} day later", "{where}: {n} days later", abs(count))
            if count > 0
            else language.ngettext(
                "{where}: {n} day earlier", "{where}: {n} days earlier", abs(count)
            )
        )
    if kind == "pool":
        words["pool"] = content["pool_name"]
        said = say("{where}: belongs to the pool {pool}")
    if kind == "withdraw":
        said = say("{where}: taken out")
    return said.format(**words)


_SHOWN = 3


def _opening(content: Content, language: Language, names: Mapping[int, str]) -> str:
    words, say = [], language.gettext
    for person, value in list(content["values"].items())[:_SHOWN]:
        old = (content.get("before") or {}).get(person) or {}
        new = value or {}
        keys = [key for key in (*old, *(k for k in new if k not in old))
                if old.get(key) != new.get(key)]  # fmt: skip
        if not new and old:
            had = ", ".join(
                f"{part_of_standing(key, language)} {_part(key, old, language)}" for key in old
            )
            words.append(
                say("{person} comes in with nothing, before with {said}").format(
                    person=_who(person, names, language), said=had
                )
            )
            continue
        said = ", ".join(
            say("{what} {now}, was {before}").format(
                what=part_of_standing(key, language), now=_part(key, new, language),
                before=_part(key, old, language),
            )
            for key in keys
        )  # fmt: skip
        came = say("{person} comes in with {said}")
        who = _who(person, names, language)
        words.append(came.format(person=who, said=said or say("the same")))
    more = len(content["values"]) - _SHOWN
    if more > 0:
        many = language.ngettext("and {n} more person", "and {n} more persons", more)
        words.append(many.format(n=more))
    return _of_pool(content, words, language)


def _decision(content: Content, language: Language, names: Mapping[int, str]) -> str:
    said, say = content["said"], language.gettext
    holds = say("{kind} {value} of {person} from {day} holds again")
    if content.get("new"):
        holds = say("{kind} {value} of {person} from {day}")
    words = [
        holds.format(
            kind=decision(kind, language), value=language.figure(f"{value:.10g}"),
            day=language.day(day), person=_who(person, names, language),
        )
        for person, day, kind, value, _ in said[:_SHOWN]
    ]  # fmt: skip
    more = len(said) - _SHOWN
    if more > 0:
        many = language.ngettext("and {n} more decision", "and {n} more decisions", more)
        words.append(many.format(n=more))
    return _of_pool(content, words, language)


def _of_pool(content: Content, words: Iterable[str], language: Language) -> str:
    said = language.gettext("pool {pool}: {said}")
    return said.format(pool=content["pool_name"], said="; ".join(words))


def _part(key: str, standing: Mapping[str, Any], language: Language) -> str:
    """A part of a standing as people read it; words and days are told in the language."""
    match key, standing.get(key):
        case _, None:
            return language.gettext("nothing")
        case "last_played", str(day):
            return language.day(day)
        case "status", str(status):
            return language.gettext(status)
        case _, float(number):
            return language.figure(f"{number:.10g}")
        case _, value:
            return f"{value}"
    raise AssertionError


def sentences(
    contents: Sequence[Content], language: Language = ENGLISH, names: Mapping[int, str] = {}
) -> list[str]:
    """All contents in words."""
    return [in_words(each, language, names) for each in contents]


def pools_of(contents: Iterable[Content]) -> set[int] | None:
    """The pools that they can reach; None: any.

    What says again what was taken back names no ``pools``, as merges and undoing name none.
    """
    found: set[int] = set()
    for each in contents:
        if "pools" not in each and ("pool" not in each or each["kind"] == "pool"):
            return None
        found |= {each["pool"]} if "pool" in each else set()
        found |= set(each.get("pools", ()))
    return found
