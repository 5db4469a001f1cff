"""What became of a report on its way through a file: every difference, none in silence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date
from enum import Enum
from typing import Any

from ratingbook.formats.tools.notes import shortened
from ratingbook.model import Entry, Findings, Game, GameStatus, Place, Report, Severity

_RATED = (
    "event.time_control", "event.class", "event.pool", "event.kind", "event.category",
    "event.level", "event.start", "event.end", "game", "player.standing", "player.grade",
    "player.birth", "player.pools", "player.foreign", "player.history", "player.decisions",
)  # fmt: skip
"""What begins so may change ratings."""
_SHOWN = 3
"""How many examples a finding names."""
_LONGEST = 40
_NOT_COMPARED = frozenset({"place", "rank"})
"""Where something stood in the file that it was read from, and in its final table: formats
without one make it of the points."""


@dataclass(frozen=True, slots=True)
class _Change:
    """A value before and after; None: there is none."""

    label: str
    before: object
    after: object


def differences(before: Report, after: Report, ids: Mapping[str, str], name: str) -> Findings:
    """What differs in ``after``, which was read from what was written of ``before``.

    ``ids`` says how players were renumbered, ``name`` is that of the format.  One
    finding for each kind of thing that is missing (``convert.lost``), other
    (``convert.changed``) or new (``convert.added``).
    """
    findings = Findings()
    changes: dict[str, list[_Change]] = defaultdict(list)
    _compare(changes, "event", "the event", before.event, after.event)
    _compare_all(changes, "section", _heads(before), _heads(after))
    _compare_all(changes, "event of games", _event_heads(before), _event_heads(after))
    _compare_players(changes, before, after, ids)
    _compare_games(changes, before, after, ids)
    for what, found in changes.items():
        _tell(findings, what, found, name)
    renumbered = {old: new for old, new in ids.items() if old != new}
    if renumbered:
        examples = list(renumbered.items())[:_SHOWN]
        some = ", ".join(f"{shortened(old)} is {shortened(new)}" for old, new in examples)
        findings.add(
            Severity.INFO,
            "convert.renumbered",
            f"{name} numbers the players itself: {some}"
            + (" …" if len(renumbered) > _SHOWN else "")
            + ".",
            remedy="Players files that go with the old file have the old ids.",
        )
    return findings


def rated_differences(before: Report, after: Report, ids: Mapping[str, str]) -> list[str]:
    """What differs of that on which ratings rest, by name: the event first, then the games."""
    changes: dict[str, list[_Change]] = defaultdict(list)
    _compare(changes, "event", "the event", before.event, after.event)
    _compare_games(changes, before, after, ids)
    _compare_players(changes, before, after, ids)
    return [
        _example(change, "." not in what) + ("" if "." not in what else f" ({what})")
        for what, found in changes.items()
        if what.startswith(_RATED)
        for change in found
    ]


def _heads(report: Report) -> dict[Hashable, tuple[str, Any]]:
    return {head.name: (f"section {head.name}", head) for head in report.section_heads}


def _event_heads(report: Report) -> dict[Hashable, tuple[str, Any]]:
    return {head.name: (f"event {head.name}", head) for head in report.event_heads}


def _compare_players(
    changes: dict[str, list[_Change]], before: Report, after: Report, ids: Mapping[str, str]
) -> None:
    old: dict[Hashable, tuple[str, Any]] = {
        ids.get(entry.id, entry.id): (_label(entry), replace(entry, id=""))
        for entry in before.entries
    }
    new: dict[Hashable, tuple[str, Any]] = {
        entry.id: (_label(entry), replace(entry, id="")) for entry in after.entries
    }
    _compare_all(changes, "player", old, new)


def _label(entry: Entry) -> str:
    return f"{entry.id} {entry.name}".strip()


def _compare_all(
    changes: dict[str, list[_Change]],
    what: str,
    old: Mapping[Hashable, tuple[str, Any]],
    new: Mapping[Hashable, tuple[str, Any]],
) -> None:
    for key, (label, noun) in old.items():
        if key in new:
            _compare(changes, what, label, noun, new[key][1])
        else:
            changes[what].append(_Change(label, noun, None))
    for key, (label, noun) in new.items():
        if key not in old:
            changes[what].append(_Change(label, None, noun))


def _compare_games(
    changes: dict[str, list[_Change]], before: Report, after: Report, ids: Mapping[str, str]
) -> None:
    old = [_plain(_renamed(game, ids)) for game in before.games]
    new = [_plain(game) for game in after.games]
    for one, other in _pairs(old, new):
        game = one or other
        label = f"{game.white}–{game.black or 'bye'}" if game else ""
        if game and game.round:
            label = f"round {game.round}, {label}"
        if one and other:
            _compare(changes, "game", label, one, other)
        else:
            changes["game"].append(_Change(label, one, other))


def _renamed(game: Game, ids: Mapping[str, str]) -> Game:
    return replace(
        game,
        white=ids.get(game.white, game.white),
        black=ids.get(game.black, game.black) if game.black else None,
        white_for=ids.get(game.white_for, game.white_for) if game.white_for else None,
        black_for=ids.get(game.black_for, game.black_for) if game.black_for else None,
    )


def _plain(game: Game) -> Game:
    """The game without what makes no difference: who says that it is rated, mostly."""
    return replace(game, rated_said=game.rated_said and game.status is GameStatus.WITHDRAWN)


def _pairs(old: Sequence[Game], new: Sequence[Game]) -> Iterator[tuple[Game | None, Game | None]]:
    """Each game with what became of it: first the equal ones, then the alike ones."""
    left, right = list(old), list(new)
    for key in (_exactly, _by_section, _by_round, _by_players):
        waiting: dict[Hashable, list[Game]] = defaultdict(list)
        for game in right:
            waiting[key(game)].append(game)
        unmatched = []
        for game in left:
            if waiting[key(game)]:
                yield game, waiting[key(game)].pop(0)
            else:
                unmatched.append(game)
        left, right = unmatched, [game for games in waiting.values() for game in games]
    yield from ((game, None) for game in left)
    yield from ((None, game) for game in right)


def _exactly(game: Game) -> Hashable:
    return replace(game, place=Place())


def _by_section(game: Game) -> Hashable:
    return game.section, _by_round(game)


def _by_round(game: Game) -> Hashable:
    return game.round, _by_players(game)


def _by_players(game: Game) -> Hashable:
    return frozenset((game.white, game.black))


def _compare(
    changes: dict[str, list[_Change]], what: str, label: str, before: object, after: object
) -> None:
    old, new = dict(_flat("", before)), dict(_flat("", after))
    for key in dict.fromkeys((*old, *new)):
        if old.get(key) != new.get(key):
            changes[f"{what}.{key}"].append(_Change(label, old.get(key), new.get(key)))


def _flat(path: str, value: Any) -> Iterator[tuple[str, object]]:
    """The values in a noun under their paths, without those that say nothing."""
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            inner = getattr(value, field.name)
            if field.name not in _NOT_COMPARED and inner != field.default:
                yield from _flat(f"{path}.{field.name}".strip("._"), inner)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{path}.{key}", inner)
    elif value not in (None, "", ()):
        yield path, value


def _tell(findings: Findings, what: str, found: Sequence[_Change], name: str) -> None:
    lost = [each for each in found if each.after is None]
    added = [each for each in found if each.before is None]
    changed = [each for each in found if each.before is not None and each.after is not None]
    whole = "." not in what
    # An id may be of a kind whose name the file made up.
    what = shortened(what)
    if lost:
        findings.add(
            Severity.WARNING,
            "convert.lost",
            f"{name} has no place for {what} ({len(lost)}): {_examples(lost, whole)}.",
            remedy="Keep the old file as well, or choose a format that has a place for it.",
        )
    if changed:
        findings.add(
            Severity.WARNING,
            "convert.changed",
            f"{what} is not the same in {name} ({len(changed)}): {_examples(changed, whole)}.",
            remedy="Look whether that matters to whoever gets the file.",
        )
    if added:
        findings.add(
            Severity.INFO,
            "convert.added",
            f"{name} says {what}, which the file did not ({len(added)}): "
            f"{_examples(added, whole)}.",
            remedy="It follows from how the format works; look whether it is right.",
        )


def _examples(found: Sequence[_Change], whole: bool) -> str:
    texts = [_example(each, whole) for each in found[:_SHOWN]]
    return "; ".join(texts) + (" …" if len(found) > _SHOWN else "")


def _example(change: _Change, whole: bool) -> str:
    label = shortened(change.label)
    if whole:
        return label
    values = [_shown(v) for v in (change.before, change.after) if v is not None]
    return f"{label}: {' becomes '.join(values)}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        text = "yes" if value else "no"
    elif isinstance(value, Enum):
        text = str(value.value)
    elif isinstance(value, float):
        text = f"{value:.12g}"
    elif isinstance(value, date):
        text = value.isoformat()
    elif isinstance(value, tuple | list):
        text = _listed(value)
    else:
        text = str(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(_shown, values))
