"""What open requests would not change if they were accepted now, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ratingbook.model.sentences import Sentence, sentence, stated
from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import last_day_known
from ratingbook.office.acts.asking import event_named
from ratingbook.office.acts.other_pools import let_in_by
from ratingbook.office.acts.requests import OPEN
from ratingbook.office.acts.results import as_they_are, games_asked, is_so
from ratingbook.office.acts.taken_out import otherwise_without
from ratingbook.office.logic.corrections import Content
from ratingbook.office.logic.fixes import Said
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m

_OUT = (states.WITHDRAWN, states.HELD, states.REFUSED)


def outlook(one: Any) -> tuple[Sentence, ...]:
    """What accepting a request, which knows its state, would not change; decided: nothing."""
    return outlooks([one]).get(one.id, ())


def outlooks(every: Iterable[Any]) -> dict[int, tuple[Sentence, ...]]:
    """The same of several, by the numbers of those of which there is something to say.

    Of an event that is out no game is rated, whatever is corrected of it; and what holds already
    is said once more.
    """
    asked = {each.id: each.contents for each in every if each.state == OPEN}
    contents = [each for some in asked.values() for each in some]
    played = games_asked(contents)
    games = as_they_are(played)
    sections = _sections_of(contents, played)
    known = {each.section_id: each.state for each in played}
    others = {section for some in sections.values() for section in some} - known.keys()
    out = _out(known | (states.states(others) if others else {}))
    found = {}
    for number, some in asked.items():
        if all(_holds(each, games) for each in some):
            told = [sentence("What it asks for holds already: accepting it changes nothing.")]
        else:
            let_in = {x for each in some if each["kind"] == "late" for x in each["sections"]}
            let_in.update(x for each in some for x in let_in_by(each))
            let_in |= otherwise_without(
                [each["fact"] for each in some if each["kind"] == "undo"], ledger.head().seq
            )[0]
            told = []
            for each in some:
                own = [x for x in sections.get(_about(each), ()) if x not in let_in]
                told += _told(own, out)
        if told:
            found[number] = tuple(dict.fromkeys(told))
    return found


def _told(sections: Sequence[int], out: Mapping[int, Sentence | None]) -> list[Sentence]:
    """The events that are out of which these are sections, in all versions: none if one counts."""
    told = [out[each] for each in sections if each in out]
    return [] if None in told else [each for each in told if each is not None]


def _out(now: Mapping[int, str]) -> dict[int, Sentence | None]:
    """What is said of each section that no newer version stands for; None: it is not out.

    ``now`` are the states of the sections.
    """
    found: dict[int, Sentence | None] = {
        each: None for each, state in now.items() if state != states.SUPERSEDED
    }
    wanted = [each for each in found if now[each] in _OUT]
    for each in m.Section.objects.filter(id__in=wanted) if wanted else ():
        found[each.id] = sentence(
            "{event} is out ({state}): what is asked of it changes nothing until it is let in "
            "again.",
            event=event_named(each), state=stated(now[each.id]),
        )  # fmt: skip
    return found


def _about(content: Content) -> tuple[str, Any]:
    """The game, entry or sections about which a content is."""
    kind = content["kind"]
    if kind in ("move", "pool"):
        return "sections", tuple(content["sections"])
    return kind, content.get("key", content.get("entry_id"))


def _sections_of(
    contents: Sequence[Content], games: Sequence[Any]
) -> dict[tuple[str, Any], list[int]]:
    """By what contents are about, the sections of its event in all versions of the report."""
    found: dict[tuple[str, Any], list[int]] = {}
    for each in contents:
        if each["kind"] in ("move", "pool"):
            found[_about(each)] = list(each["sections"])
    for each in games:
        found.setdefault(("game", each.stable_key), []).append(each.section_id)
    entries = {each["entry_id"] for each in contents if each["kind"] == "player"}
    if entries:
        of = m.Entry.objects.filter(id__in=entries).order_by("id")
        for entry, section in of.values_list("id", "version__report__reportversion__section"):
            found.setdefault(("player", entry), []).append(section)
    return found


def _holds(content: Content, games: Mapping[str, Said]) -> bool:
    """Whether a game, or the day of an event, is as a content says it."""
    if content["kind"] == "game":
        return content["key"] in games and is_so(content, games[content["key"]])
    if content["kind"] == "move" and "day" in content:
        day: str = content["day"]
        return day == str(last_day_known(content["sections"], ledger.head().seq))
    return False
