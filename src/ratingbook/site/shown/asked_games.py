"""Games of which a correction asks something: all that it asks of each, before and after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from ratingbook.office.acts.masking import as_reported
from ratingbook.office.logic.corrections import SCORES, Content
from ratingbook.office.logic.fixes import Said, called
from ratingbook.office.logic.printed import sides_of


@dataclass(frozen=True)
class GameOf:
    """A game as it was and as it is."""

    event: str
    report: int
    round: int | None
    white: str
    black: str
    was: str
    now: str
    """The results, of those who are named first and second; empty: another one is not asked for."""
    before: tuple[str, ...]
    after: tuple[str, ...]
    """What else is asked for, line by line: who has White, for whom it is rated, its status."""


def games_of(
    contents: Iterable[Content], games: Iterable[Any], masked: Callable[[str], str]
) -> tuple[GameOf, ...]:
    """The games of these contents, of which ``before`` says how each was.

    ``games`` have them as :func:`ratingbook.office.acts.results.games_asked` gives them.
    """
    wanted = {each["key"]: each for each in contents if each["kind"] == "game"}
    found = {each.stable_key: each for each in games}
    return tuple(_shown(found[key], said, masked) for key, said in wanted.items() if key in found)


def _shown(game: Any, content: Content, masked: Callable[[str], str]) -> GameOf:
    say = content["say"]
    sides = called(say, sides_of(game.white, game.black))
    entries = dict(zip(sides, (game.white, game.black), strict=True))
    # Those of whom it tells results, who had White when it was asked for first.
    white, black = say.get("sides", sides)
    names = {x: as_reported(entries[x], entries[x].name, masked) for x in (white, black)}
    was = {"white": white, **content["before"]}
    now = {**was, **say}
    if say.get("swap"):
        # An older request names nobody: it turns what it finds.
        now["white"] = black if was["white"] == white else white
    before, after = (SCORES[each["half"]] if "half" in say else "" for each in (was, now))
    return GameOf(
        event=masked(str(game.section.facts.get("name") or game.section.event)),
        report=game.version.report_id, round=game.round,
        white=names[white], black=names[black], was=before, now=after,
        before=_lines(say, was, names), after=_lines(say, now, names),
    )  # fmt: skip


def _lines(say: Said, row: Said, names: Mapping[str, str]) -> tuple[str, ...]:
    """What a row has of all that is asked besides the result."""
    found = []
    if "white" in say or say.get("swap"):
        found.append(_("White: {name}").format(name=names.get(row["white"], row["white"])))
    if "rated" in say:
        found.append(_rated(row["rated"], list(names.values())))
    if "status" in say:
        found.append(_("status: {status}").format(status=_(row["status"])))
    return tuple(found)


def _rated(flag: str, sides: Sequence[str]) -> str:
    """For whom a game is rated: by name, as the flag is of who had White when it was asked for."""
    if flag in ("white", "black"):
        name = sides[0] if flag == "white" else sides[1]
        return _("rated for {name} only").format(name=name)
    return _("rated for both") if flag == "both" else _("rated for nobody")
