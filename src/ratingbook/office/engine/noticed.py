"""What the rules of a pool notice about a report on its way in: its event, its games, its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median_low

from ratingbook.engine.intake import check_for
from ratingbook.engine.rate import checked
from ratingbook.model import Entry, Finding, Game, Report, Severity, Standing
from ratingbook.model.report import StandingStatus
from ratingbook.office.engine.rules import Rules
from ratingbook.office.placing import own_pool

_MANY = 1000
"""So many games are enough for any rule that asks for some."""
_OF_CHOICE = "edition."
"""How the codes begin that are about the choice of an edition, which is the pool's."""


def noticed(report: Report, games: Sequence[Game], rules: Rules) -> list[Finding]:
    """The errors and warnings of the edition about these games of a report, of one pool.

    An error would keep the pool from being rated, or let it be rated by what cannot be. How the
    players stand the office knows, not the report: everybody is taken for somebody with a rating
    on many games, and what would be assumed of others is left out. Of which pool the event is
    was settled before.
    """
    book = rules.book()
    if book.bulk is not None and book.bulk.pools is not None:
        # As whoever chooses the list by hand: nothing is said of how it was found.
        own = own_pool(book)
        chosen = dict.fromkeys(book.bulk.pools.settings[own], own)
        book = replace(rules, parameters={**rules.parameters, **chosen}).book()
        report = _of_no_list(report)
    edition = book.for_report(report)
    usual = median_low(edition.domain.ratings)
    playing = {player for game in games for player in (game.white, game.black)}
    entries = [_settled(each, usual) for each in report.entries if each.id in playing]
    alike = replace(report, entries=tuple(entries), games=tuple(games))
    found = check_for(alike, edition, book)
    if not found.refused:
        found.extend(checked(alike, edition))
    return [
        each for each in found
        if each.severity is not Severity.INFO and not each.assumed
        and not each.code.startswith(_OF_CHOICE)
    ]  # fmt: skip


def _of_no_list(report: Report) -> Report:
    """The report without what it says of its list."""
    event = replace(report.event, pool=None, time_control=None)
    heads = [replace(each, pool=None, time_control=None) for each in report.section_heads]
    return replace(report, event=event, section_heads=tuple(heads))


def _settled(entry: Entry, usual: float) -> Entry:
    standing = Standing(rating=usual, games=_MANY, status=StandingStatus.ESTABLISHED)
    return replace(entry, standing=standing, history=())
