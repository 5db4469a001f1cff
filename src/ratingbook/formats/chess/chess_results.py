"""What programs upload to chess-results.com: XML with the event, its players and pairings.

The fields are those of the site's own description of the upload.  A player's id is his
starting number.  Ratings are those of FIDE; national ones are ratings elsewhere, unless
nobody has one of FIDE.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ratingbook.formats.fide.federations import FEDERATIONS
from ratingbook.formats.tools.characters import one_line
from ratingbook.formats.tools.dates import calendar, days_of
from ratingbook.formats.tools.notes import Notes, Remark, answer
from ratingbook.formats.tools.text import Decoded, Line
from ratingbook.formats.tools.xml_tree import Node, head, parse
from ratingbook.model import (
    Entry,
    Event,
    Finding,
    Findings,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
    Standing,
)
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import row_of, sentence

NUMBER = Remark(
    "chess-results.number",
    Severity.ERROR,
    "A player has no starting number of his own",
    "Upload the event again; the pairings refer to these numbers.",
    each=True,
)
RESULT = Remark(
    "game.result",
    Severity.ERROR,
    "A result was not understood",
    "Enter the result in the program, and write the file again.",
    each=True,
)
OPPONENT = Remark(
    "game.opponent",
    Severity.ERROR,
    "A pairing names a player whom the file does not have",
    "Correct the pairing, or add the player.",
    each=True,
)
TWICE = Remark(
    "game.twice",
    Severity.ERROR,
    "A player has two games in one round",
    "Correct the round of one of them.",
    each=True,
)
RATING = Remark(
    "chess-results.rating",
    Severity.ERROR,
    "A rating is no number",
    "Correct it in the program.",
    each=True,
)
NATIONAL = Remark(
    "chess-results.national",
    Severity.WARNING,
    "Nobody has a rating of FIDE; the ratings by which the list is sorted were taken",
    "Look whether they are those that count.",
)
POINTS = Remark(
    "chess-results.points",
    Severity.WARNING,
    "The points of players are not the sum of their results",
    "Look whether results are missing or wrong.",
)
OPEN = Remark(
    "chess-results.open",
    Severity.INFO,
    "Pairings have no result yet",
    "Write the file again when the results are entered.",
)
DATES = Remark(
    "event.dates",
    Severity.WARNING,
    "Dates of the event were not understood",
    "Write the first and the last day as yyyymmdd or dd.mm.yyyy.",
)
NO_PLAYERS = Finding(
    "chess-results.no-players",
    Severity.FATAL,
    sentence("The file has no players."),
    remedy=sentence("Write the upload of the whole event: tournament data, players and pairings."),
)

_ROOT = "<chessresults"
_KINDS = {"0": "swiss", "1": "round_robin", "2": "team", "3": "team"}
_NOBODY = frozenset({"-1", "-2"})
"""Instead of Black: White has the bye, or is not paired."""
_POINTS = {"1": 2, "0": 0, "0.5": 1, "½": 1}
_ADJOURNED = "H"
_BY_DEFAULT = "K"
_UNRATED = "U"
_BOTH_LOST = "D"
_FLAGS = frozenset({"", _ADJOURNED, _BY_DEFAULT, _UNRATED, _BOTH_LOST})
_RATINGS = range(1, 4000)
_BIRTH_YEARS = range(1850, 2100)
_MOST_ROUNDS = 100
_PERIODS = pattern(r"\s{2,}")
"""What stands between the periods of a time control."""


def looks_like_chess_results(lines: Iterable[Line]) -> bool:
    """Whether the lines are XML whose root is that of an upload."""
    return _ROOT in head(lines)


def read_chess_results(decoded: Decoded) -> tuple[Report | None, Findings]:
    """Read the report; None where the findings say why it cannot be read."""
    root, findings = parse(decoded)
    return answer(root, findings, _report)


def _report(root: Node, notes: Notes) -> Report | Finding:
    nodes = list(_all(root, "players", "player"))
    if not nodes:
        return NO_PLAYERS
    teams = {
        _value(team, "no"): one_line(_value(team, "teamname"))
        for team in _all(root, "teams", "team")
    }
    international = any(_value(node, "rtgfide").strip("0") for node in nodes)
    if not international and (rated := [node for node in nodes if _value(node, "rtg").strip("0")]):
        notes.add(NATIONAL, sentence("{n} players", n=len(rated)), rated[0].place)
    entries: dict[str, Entry] = {}
    for node in nodes:
        number = _value(node, "no")
        if not _is_number(number) or number in entries:
            notes.add(NUMBER, row_of((number or sentence("none"), _name(node)), ": "), node.place)
            continue
        entries[number] = _entry(node, number, teams, international, notes)
    games = tuple(_games(list(_all(root, "playerpairings", "playerpairing")), entries, notes))
    event = _event(root, notes)
    # A team's bye gives its players points without pairings.
    if event.kind != "team":
        _check_points(nodes, games, notes)
    return Report(event, tuple(entries.values()), games)


def _check_points(nodes: Sequence[Node], games: Sequence[Game], notes: Notes) -> None:
    """Whether each player's points are those of the results."""
    halves = {Result.WHITE_WINS: (2, 0), Result.DRAW: (1, 1), Result.BLACK_WINS: (0, 2)}
    counted: Counter[str] = Counter()
    for game in games:
        white, black = halves.get(game.result, (0, 0))
        counted[game.white] += white
        counted[game.black or ""] += black
    for node in nodes:
        number, text = _value(node, "no"), _value(node, "pts").replace(",", ".")
        if re.fullmatch(r"[0-9]{1,3}(\.[05]0?)?", text) and 2 * float(text) != counted[number]:
            what = sentence(
                "{number} {node}: {text} declared, {counted:g} counted",
                number=number,
                node=_name(node),
                text=text,
                counted=counted[number] / 2,
            )
            notes.add(POINTS, what, replace(node.place, player=number))


def _all(root: Node, group: str, tag: str) -> Iterator[Node]:
    for each in root.children:
        if each.tag.casefold() == group:
            yield from (node for node in each.children if node.tag.casefold() == tag)


def _value(node: Node, name: str) -> str:
    """An attribute, or else an element in it, whatever its capitals."""
    for key, text in node.attributes.items():
        if key.casefold() == name:
            return text.strip()
    return next((child.text for child in node.children if child.tag.casefold() == name), "")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6 and int(text) > 0


def _name(node: Node) -> str:
    surname, first = one_line(_value(node, "lastname")), one_line(_value(node, "firstname"))
    return ", ".join(filter(None, (surname, first)))


def _entry(
    node: Node, number: str, teams: dict[str, str], international: bool, notes: Notes
) -> Entry:
    place = replace(node.place, player=number)
    fide = _rating(node, "rtgfide" if international else "rtg", place, notes)
    national = _rating(node, "rtgnat", place, notes) if international else None
    day = next(iter(days_of(_value(node, "dob")).values()), None)
    year = _value(node, "dob")
    code, register = _value(node, "fed").upper(), _value(node, "fideid").lstrip("0")
    return Entry(
        id=number,
        name=_name(node),
        federation=code if code in FEDERATIONS else None,
        title=_value(node, "title").upper() or None,
        sex={"m": "m", "w": "w", "f": "w"}.get(_value(node, "sex").casefold()),
        birth_date=day,
        birth_year=int(year) if _is_number(year) and int(year) in _BIRTH_YEARS else None,
        club=one_line(_value(node, "clubname")) or None,
        team=teams.get(_value(node, "teamno")) or None,
        rank=int(rank) if _is_number(rank := _value(node, "rank")) else None,
        ids={"fide": register} if register.isascii() and register.isdigit() else {},
        standing=Standing(rating=fide) if fide else None,
        foreign={"national": national} if national else {},
        place=place,
    )


def _rating(node: Node, name: str, place: Place, notes: Notes) -> int | None:
    text = _value(node, name)
    if not text.strip("0"):
        return None
    if not _is_number(text) or int(text) not in _RATINGS:
        notes.add(RATING, f"{_name(node)}: {text[:20]}", place)
        return None
    return int(text)


def _games(nodes: Sequence[Node], entries: dict[str, Entry], notes: Notes) -> Iterator[Game]:
    met: set[tuple[str, int]] = set()
    for node in nodes:
        round_, white, black = (_value(node, name) for name in ("round", "whiteno", "blackno"))
        what = sentence(
            "{player} and {player2} in round {number}",
            player=white or sentence("nobody"),
            player2=black or sentence("nobody"),
            number=round_ or sentence("none"),
        )
        number = int(round_) if _is_number(round_) else 0
        if not 1 <= number <= _MOST_ROUNDS:
            notes.add(RESULT, what, node.place)
            continue
        if not {white, black} <= {*entries, *_NOBODY, "0", ""} or white == black != "":
            notes.add(OPPONENT, what, node.place)
            continue
        place = replace(node.place, round=number, player=white)
        white, black = ("" if side not in entries else side for side in (white, black))
        sides = {(side, number) for side in (white, black) if side}
        if _value(node, "board") in ("", "1") and sides & met:
            notes.add(TWICE, what, place)
            continue
        met |= sides
        game = _game(node, (white, black), what, place, notes)
        if game is not None:
            yield replace(game, round=number, place=place)


def _game(node: Node, sides: tuple[str, str], what: str, place: Place, notes: Notes) -> Game | None:
    """The game of a pairing; None for a round without one that gave nothing."""
    texts = [_value(node, name).replace(",", ".") for name in ("reswhite", "resblack")]
    points = [_POINTS.get(text.removesuffix(".0")) if text else None for text in texts]
    flag = _value(node, "forfeit").upper()
    understood = all(p is not None or not t for p, t in zip(points, texts, strict=True))
    if not understood or flag not in _FLAGS:
        notes.add(RESULT, row_of((what, f"{' – '.join(texts)} {flag}".strip()), ": "), place)
        return None
    white, black = sides
    if not white or not black:
        alone, half_points = (white, points[0]) if white else (black, points[1])
        if not alone or not half_points:
            return None
        result = Result.WHITE_WINS if half_points == 2 else Result.DRAW
        return Game(alone, None, result, GameStatus.BYE, white_rated=False, black_rated=False)
    if flag == _ADJOURNED or points == [None, None]:
        notes.add(OPEN, what, place)
        return Game(white, black)
    if None in points:
        notes.add(RESULT, row_of((what, " – ".join(texts)), ": "), place)
        return None
    return _finished(sides, (points[0] or 0, points[1] or 0), flag, what, place, notes)


def _finished(
    sides: tuple[str, str],
    points: tuple[int, int],
    flag: str,
    what: str,
    place: Place,
    notes: Notes,
) -> Game | None:
    white, black = sides
    results = {(2, 0): Result.WHITE_WINS, (1, 1): Result.DRAW, (0, 2): Result.BLACK_WINS}
    result = results.get(points)
    if flag == _BY_DEFAULT:
        forfeit = result or Result.NONE
        return Game(white, black, forfeit, GameStatus.FORFEIT, white_rated=False, black_rated=False)
    if flag == _BOTH_LOST or points == (0, 0):
        return Game(
            white, black, Result.NONE, GameStatus.ADJUDICATED, white_rated=False, black_rated=False
        )
    if result is None:
        notes.add(RESULT, row_of((what, f"{points[0] / 2:g} – {points[1] / 2:g}"), ": "), place)
        return None
    rated = flag != _UNRATED
    return Game(white, black, result, white_rated=rated, black_rated=rated, rated_said=not rated)


def _event(root: Node, notes: Notes) -> Event:
    node = next(_all(root, "tournamentdata", "tournament"), Node("tournament", {}, 1))
    start, end = _value(node, "from"), _value(node, "to")
    days = calendar(start, end, {})
    for text, day in ((start, days.start), (end, days.end)):
        if text and (day is None or days.in_doubt):
            notes.add(DATES, text[:40], node.place)
    code, rounds = _value(node, "federation").upper(), _value(node, "rounds")
    return Event(
        name=one_line(_value(node, "name")) or None,
        place=one_line(_value(node, "location")) or None,
        federation=code if code in FEDERATIONS else None,
        start=days.start,
        end=days.end,
        kind=_KINDS.get(_value(node, "type")),
        time_control=one_line(_PERIODS.sub(", ", _value(node, "timecontrol"))) or None,
        rounds=int(rounds) if _is_number(rounds) and int(rounds) <= _MOST_ROUNDS else None,
        officials=tuple(
            filter(None, (one_line(_value(node, each)) for each in ("chiefarbiter", "arbiter")))
        ),
    )
