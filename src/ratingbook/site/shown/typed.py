"""A small event that is typed in: what its form asks for, and the report document of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from ratingbook.formats.tables import scores
from ratingbook.model import MOST_STONES, GameStatus, Result
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.home import Home
from ratingbook.office.limits import is_id
from ratingbook.office.refused import AllAtOnce, OfficeRefused, refuse
from ratingbook.office.store import blobs
from ratingbook.office.store import models as m
from ratingbook.site.languages import SPOKEN
from ratingbook.site.models import Draft

TYPED = "typed.json"
"""What the file of an event is called that was typed in."""
EVENT = ("name", "place", "start", "end", "time_control", "class", "category", "level")
"""The fields of the form that are about the event."""

_BETWEEN = re.compile(r"\s*[;,]\s*|\s+")
"""What stands between the numbers of a game: players, just above, are typed in with semicolons."""
_STONES = re.compile(rf"(?P<result>.*?\S)(?:{_BETWEEN.pattern})(?P<stones>\d+)[;,]?")
"""What stands behind a result, with the same signs between."""
_NOT_BEGUN = {
    Result.WHITE_WINS: "+--", Result.BLACK_WINS: "--+", Result.NONE: "0-0",
}  # fmt: skip
"""How a game is typed in to which one side, or both, did not come."""


@dataclass(frozen=True)
class Asked:
    """What the rules of some pools ask beyond names and results; by each, the pools that do."""

    stones: tuple[str, ...] = ()
    grade: tuple[str, ...] = ()
    level: tuple[str, ...] = ()
    class_: tuple[str, ...] = ()
    category: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    """The classes that the rules know."""
    categories: tuple[tuple[str, str], ...] = ()
    """The categories, and how they are spoken."""
    is_of_all: bool = True
    """Whether each of the pools is meant wherever one is named: nothing need be said of pools."""


def asked_by(chosen: str) -> Asked:
    """What the form asks for the pool that is chosen; without one, for any of them."""
    pools = list(m.Pool.objects.order_by("id"))
    return asked_of([each for each in pools if each.name == chosen] or pools)


def asked_of(pools: Sequence[m.Pool]) -> Asked:
    """What is asked for any of these pools."""
    books = {each.name: rules_of(each).book() for each in pools}
    bulks = {name: book.bulk for name, book in books.items() if book.bulk is not None}

    def knowing(column: str) -> dict[str, Sequence[str]]:
        return {
            name: words.known for name, bulk in bulks.items()
            if (words := bulk.event_words.get(column)) is not None
        }  # fmt: skip

    classes, categories = knowing("class"), knowing("category")
    words = _once(categories.values())
    return Asked(
        stones=tuple(name for name, book in books.items() if book.handicaps),
        grade=tuple(name for name, book in books.items() if book.domain.grades),
        level=tuple(name for name, bulk in bulks.items() if bulk.assumed_facts is not None),
        class_=tuple(classes),
        category=tuple(categories),
        classes=_once(classes.values()),
        categories=tuple((word, SPOKEN.gettext(word.replace("_", " "))) for word in words),
        is_of_all=len(pools) == 1,
    )


def _once(several: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for words in several for word in words))


def typed(said: Mapping[str, str], asked: Asked) -> bytes:
    """A report document of what was typed in: players in lines, games in lines."""
    event: dict[str, Any] = {key: said[key] for key in EVENT if said.get(key)}
    faults = AllAtOnce()
    players = faults.tried(lambda: _players(said, asked))
    # Where players cannot be read, there are as many as there are lines.
    of = len(_lines(said["players"]))
    games = faults.tried(lambda: _games(said["games"], of, asked))
    if "level" in event:
        event["level"] = faults.tried(lambda: _level(event["level"]))
    faults.refuse()
    document = {"ratingbook": "report/1", "event": event, "players": players, "games": games}
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True).encode()


def _level(text: str) -> int:
    # A rating has no more digits; the document says so of a number that is out of all bounds.
    if not is_id(text) or len(text) > 5:
        raise refuse(
            "site.level",
            gettext("The level is no rating: “{text}”.").format(text=text),
            gettext("Write a whole number, or leave it empty."),
        )
    return int(text)


def _players(said: Mapping[str, str], asked: Asked) -> list[dict[str, Any]]:
    players, problems = [], []
    lines_of_number: dict[str, list[int]] = {}
    for number, line in enumerate(_lines(said["players"]), 1):
        name, federation, own, grade, *more = [*(p.strip() for p in line.split(";")), "", "", ""]
        if any(more) or (grade and not asked.grade):
            problems.append(gettext("line {n} is “{line}”").format(n=number, line=line))
            continue
        one: dict[str, Any] = {"id": str(number), "name": name}
        if federation:
            one["federation"] = federation
        if own:
            one["ids"] = {said["register"]: own}
            lines_of_number.setdefault(own, []).append(number)
        if grade:
            one["grade"] = grade
        players.append(one)
    faults = AllAtOnce()
    faults.tried(lambda: _refuse_unread(problems, asked))
    faults.tried(lambda: _refuse_shared(lines_of_number))
    faults.refuse()
    return players


def _refuse_unread(problems: Sequence[str], asked: Asked) -> None:
    if problems:
        raise refuse(
            "site.players",
            gettext("Some players cannot be read: {problems}.").format(
                problems="; ".join(problems[:5])
            ),
            gettext("Write name; federation; number; grade. What is not known stays empty.")
            if asked.grade
            else gettext("Write name; federation; number. What is not known stays empty."),
        )


def _games(text: str, players: int, asked: Asked) -> list[dict[str, Any]]:
    games, problems = [], []
    for at, line in enumerate(_lines(text), 1):
        # A result may have spaces and commas in it, and stones stand behind it.
        *parts, end = [*_BETWEEN.split(line, maxsplit=3), ""][:4]
        end = end.strip()
        found, stones = _outcome(end.replace(";", " ").strip()), 0
        if found is None and asked.stones:
            found, stones = _with_stones(end)
        if found is None or not all(map(is_id, parts)):
            problems.append(gettext("line {n} is “{line}”").format(n=at, line=line))
            continue
        if not all(1 <= int(p) <= players for p in parts[1:3]) or parts[1] == parts[2]:
            problems.append(
                gettext("line {n} names no two players: “{line}”").format(n=at, line=line)
            )
            continue
        game = {"round": int(parts[0]), "white": parts[1], "black": parts[2],
                "result": found.result.value, "status": found.status.value}  # fmt: skip
        games.append({**game, "handicap": stones} if stones else game)
    if problems:
        raise _no_games(problems, asked)
    return games


def _no_games(problems: Sequence[str], asked: Asked) -> OfficeRefused:
    remedy = gettext(
        "Write round, White, Black and result: 1 3 4 1-0. Players go by their lines. "
        "Results are 1-0, 0-1 and ½-½, also with a colon, or draw; +-- and --+ where one "
        "side did not come, 0-0 where neither did, and * of a game that is not over."
    )
    if asked.stones:
        stones = gettext(
            "The handicap stones of Black may follow, at most {most}: 1 3 4 1-0 5."
        ).format(most=MOST_STONES)
        remedy = f"{remedy} {stones}"
    return refuse(
        "site.games",
        gettext("Some games cannot be read: {problems}.").format(problems="; ".join(problems[:5])),
        remedy,
    )


def _with_stones(text: str) -> tuple[scores.Outcome | None, int]:
    """A result and the stones behind it."""
    found = _STONES.fullmatch(text)
    if found is None or not is_id(found["stones"]) or int(found["stones"]) > MOST_STONES:
        return None, 0
    return _outcome(found["result"]), int(found["stones"])


def _outcome(text: str) -> scores.Outcome | None:
    """The result of a game as people write it, or the points of White; None: it is none."""
    if text in ("1", "0"):
        return scores.Outcome(scores.of_points(scores.HALF[text]))
    found = scores.outcome(text)
    return None if found is None or found.was_date else found


def _refuse_shared(lines_of_number: Mapping[str, Sequence[int]]) -> None:
    """Refuse lines with one number: whoever types names one register, in which it is one person."""
    several = [
        gettext("lines {lines} have {number}").format(
            lines=", ".join(map(str, lines)), number=number
        )
        for number, lines in lines_of_number.items()
        if len(lines) > 1
    ]
    if several:
        raise refuse(
            "site.same-number",
            gettext("Some players have one number: {which}.").format(which="; ".join(several[:5])),
            gettext("Correct the number of one of them; one person has one line."),
        )


def _as_written(game: Mapping[str, Any]) -> str:
    """A typed game as it may be typed."""
    result, stones = Result(game["result"]), game.get("handicap")
    if game["status"] == GameStatus.FORFEIT:
        ended = _NOT_BEGUN[result]
    else:
        ended = "*" if result is Result.NONE else result.value
    line = f"{game['round']} {game['white']} {game['black']} {ended}"
    return f"{line} {stones}" if stones else line


def as_typed(home: Home, draft: Draft) -> Mapping[str, str]:
    """What was typed in for a draft, to be typed on; nothing of a file that was sent."""
    if draft.file_name != TYPED:
        return {}
    try:
        said = json.loads(blobs.load(home, draft.sha256))
        numbers = [dict(each.get("ids", {})) for each in said["players"]]
        register = next((key for each in numbers for key in each), "")
        lines = [
            "; ".join(
                (each["name"], each.get("federation", ""), next(iter(own.values()), ""),
                 each.get("grade", ""))
            ).rstrip("; ")
            for each, own in zip(said["players"], numbers, strict=True)
        ]  # fmt: skip
        rounds = list(map(_as_written, said["games"]))
        event = {key: str(value) for key, value in said["event"].items()}
    except (OfficeRefused, ValueError, LookupError, TypeError, AttributeError):
        return {}
    return {
        **event, "register": register, "pool": draft.pool, "players": "\n".join(lines),
        "games": "\n".join(rounds),
    }  # fmt: skip


def _lines(text: str) -> Sequence[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
