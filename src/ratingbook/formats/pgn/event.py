"""What all games together say of the event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from datetime import date
from typing import TypeVar

from ratingbook.formats.fide.federations import FEDERATIONS
from ratingbook.formats.pgn import tags
from ratingbook.formats.pgn.games import PgnGame
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Event, Game, Place, Severity
from ratingbook.model.sentences import day_of, sentence
from ratingbook.rules.pool_words import speed_named
from ratingbook.rules.time_control import (
    control_of_seconds,
    in_seconds_form,
    minutes_text,
)
from ratingbook.rules.time_words import OR, is_by_mail, parsed_time_control

_Value = TypeVar("_Value")
_SERVERS = ("lichess", "chess.com", "freechess", "chessclub", "playchess", "http")
"""Parts of the sites of servers."""

SEVERAL_EVENTS = Remark(
    "pgn.several-events",
    Severity.WARNING,
    "The file holds several events; each game names its own, and all are read as one report",
    "Send one file for each event, unless a whole period is rated together.",
    shown=12,
)
NO_DATES = Remark(
    "event.no-dates",
    Severity.WARNING,
    "The event's dates are not complete",
    "Add Date to the games, and EventDate.",
)
LAST_DAY = Remark(
    "event.end",
    Severity.INFO,
    "The format does not say when the event ended; the last day of a game was taken",
    "Nothing to do, unless games are missing.",
)
CORRESPONDENCE = Remark(
    "pgn.correspondence",
    Severity.WARNING,
    "Correspondence games have the day on which they began only; in which period they are rated "
    "cannot be told from this file",
    "Add the day on which each game ended as EndDate, or send the report of the event.",
)
TIME_CONTROL = Remark(
    "pgn.time-control",
    Severity.WARNING,
    "A time control was not understood; the format counts in seconds",
    "Write TimeControl as 5400+30 for 90 minutes and 30 seconds a move.",
)
IN_MINUTES = Remark(
    "pgn.time-control-minutes",
    Severity.WARNING,
    "A time control is of no game if it is in seconds, as the format says; it was read in minutes",
    "Write TimeControl as 5400+30 for 90 minutes and 30 seconds a move.",
)
TIME_CONTROLS = Remark(
    "pgn.time-controls",
    Severity.WARNING,
    "Games have different time controls; the event was given all of them",
    "Send games of different lists as separate files.",
)
POOLS = Remark(
    "pgn.pools",
    Severity.WARNING,
    "By EventType or Event the games belong to different lists",
    "Send the games of each list as a file of its own.",
)
KIND = Remark(
    "event.kind",
    Severity.INFO,
    "The type of the event (EventType) is none that is known",
    "Nothing to do, unless the edition treats some kinds differently.",
)

_CONTROLS = 8
"""How many time controls an event has at most; a file with more is no event."""
BY_MAIL = "correspondence"
"""The time control of an event with games by correspondence."""
_MAIL_MODES = frozenset({"pm", "em"})
_MAIL_SITES = frozenset(
    {"iccf", "iecg", "iecc", "lss", "ficgs", "schemingmind", "corr", "cr", "email", "e-mail"}
)
_MAIL_WORDS = ("corr", "e-mail", "email", "postal")


def event_names(games: Iterable[PgnGame]) -> dict[str, Place]:
    """The names of the events in the order of the file, each with its first game's place."""
    names: dict[str, Place] = {}
    for game in games:
        names.setdefault(game.event, game.raw.place)
    return names


def event_of(pgn: Sequence[PgnGame], games: Sequence[Game], notes: Notes) -> Event:
    """The event; of several events nothing is said but what they have in common."""
    names = event_names(pgn)
    if len(names) > 1:
        for name, place in names.items():
            notes.add(SEVERAL_EVENTS, name or "without a name", place)
    by_mail = {game.event for game in pgn if _is_correspondence(game)}
    start, end = _dates(pgn, games, by_mail, len(names) == 1, notes)
    rounds = _only(_values(pgn, "eventrounds")) or ""
    return Event(
        name=(_only(names) or None) if len(names) == 1 else None,
        place=_only(_values(pgn, "site")),
        federation=_federation(pgn),
        start=start,
        end=end,
        kind=_kind(pgn, notes),
        time_control=BY_MAIL if by_mail else _time_control(pgn, notes),
        pool=None if by_mail else _pool(pgn, notes),
        rounds=int(rounds) if rounds.isascii() and rounds.isdigit() and len(rounds) < 4 else None,
    )


def _values(pgn: Iterable[PgnGame], tag: str) -> Iterator[str]:
    """What the games say in a tag, where they say anything."""
    return filter(None, (game.raw.known(tag) for game in pgn))


def _only(values: Iterable[_Value]) -> _Value | None:
    """The value if all are the same."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _federation(pgn: Iterable[PgnGame]) -> str | None:
    code = (_only(_values(pgn, "eventcountry")) or "").upper()
    return code if code in FEDERATIONS else None


def _kind(pgn: Sequence[PgnGame], notes: Notes) -> str | None:
    words = dict.fromkeys(_values(pgn, "eventtype"))
    for word in words:
        # The word may name the list alone, which is read beside.
        if tags.kind_of(word) is None and speed_named(word) is None:
            notes.add(KIND, word[:60], Place())
    return _only(tags.kind_of(word) for word in words)


def _pool(pgn: Sequence[PgnGame], notes: Notes) -> str | None:
    """The list that EventType names, or that the names of several events do.

    The name of the only event is left to the rule books, which know it too.
    """
    types: dict[str, set[str | None]] = {}
    for game in pgn:
        types.setdefault(game.event, set()).add(speed_named(game.raw.known("eventtype")))
    alone = len(types) == 1
    said: set[str | None] = set()
    for name, speeds in types.items():
        said |= (speeds - {None}) or {None if alone else speed_named(name)}
    if len(said) == 1:
        return said.pop()
    pools = " and ".join(sorted(each or tags.SLOW for each in said))
    notes.add(POOLS, pools, Place())
    return pools


def _time_control(pgn: Sequence[PgnGame], notes: Notes) -> str | None:
    """What the games say; several ways to write one time control are one."""
    texts = [text for text in dict.fromkeys(_values(pgn, "timecontrol")) if text.strip("- ")]
    controls: dict[str, str | None] = {}
    # Servers count in seconds, and there 15+10 is a quarter of a minute.
    served = any(map(_is_served, _values(pgn, "site")))
    for text in texts:
        if in_seconds_form(text) or not any(map(str.isalpha, text)):
            known = control_of_seconds(text) if in_seconds_form(text) else None
            if known is None and not (in_seconds_form(text) and served):
                known = parsed_time_control(text)
                if known is not None and in_seconds_form(text):
                    notes.add(IN_MINUTES, text[:60], Place())
            controls[text] = minutes_text(known) if known else None
        else:
            known = parsed_time_control(text)
            controls[text] = minutes_text(known) if known else text
        if known is None:
            notes.add(TIME_CONTROL, text[:60], Place())
    different = dict.fromkeys(controls.values())
    if len(different) > 1:
        notes.add(TIME_CONTROLS, ", ".join(texts[:_CONTROLS]), Place())
    if len(texts) == 1 and not in_seconds_form(texts[0]) and controls[texts[0]]:
        return texts[0]
    if None in different or len(different) > _CONTROLS:
        return None
    return OR.join(filter(None, different)) or None


def _is_served(site: str) -> bool:
    return any(name in site.casefold() for name in _SERVERS)


def _is_correspondence(game: PgnGame) -> bool:
    raw = game.raw
    kind = raw.text("eventtype").casefold()
    mode = raw.text("mode").casefold()
    control = raw.text("timecontrol")
    return (
        mode in _MAIL_MODES
        or raw.text("site").casefold() in _MAIL_SITES
        or any(word in text for text in (kind, mode) for word in _MAIL_WORDS)
        or is_by_mail(control)
        # On servers nobody plays over the board without a clock.
        or (control == "-" and _is_served(raw.text("site")))
    )


def _dates(
    pgn: Sequence[PgnGame],
    games: Sequence[Game],
    by_mail: Set[str],
    one_event: bool,
    notes: Notes,
) -> tuple[date | None, date | None]:
    """First and last day of the only event; ``by_mail`` are the events of correspondence."""
    for game in games:
        if game.black and game.end is None and by_mail and (one_event or game.event in by_mail):
            what = sentence(
                "{white} and {black}, begun {start}",
                white=game.white,
                black=game.black,
                start=game.start or sentence("at no known day"),
            )
            notes.add(CORRESPONDENCE, what, game.place)
    if not one_event:
        return None, None
    said = _only(tags.day_of(text).day for text in set(_values(pgn, "eventdate")))
    starts = [game.start for game in games if game.start]
    # The day on which a game by mail began does not tell when it ended.
    ends = [day for game in games if (day := game.end or (None if by_mail else game.start))]
    start = said or min(starts, default=None)
    complete = not by_mail or len(ends) == len(games)
    end = max(ends, default=None) if complete else None
    if end is not None:
        notes.add(LAST_DAY, day_of(end), Place())
    elif not by_mail or start is None:
        notes.add(NO_DATES, sentence("no game has a day"), Place())
    return start, end
