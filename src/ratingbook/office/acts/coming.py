"""What the next run of a pool brings besides a correction that is previewed: in words, in short.

A preview shows what a correction makes of what is published. Whatever else was said since comes
with the same run, and moves other numbers, or the same ones further.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import date

from ratingbook.model.sentences import sentence
from ratingbook.office.acts import reasons
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.acts.siblings import to_be_read_anew
from ratingbook.office.engine.rules import Rules, rule_source
from ratingbook.office.home import current
from ratingbook.office.logic.corrections import pools_of, sets_rules
from ratingbook.office.store import models as m

MENDED = sentence("the program of the rules was mended")
_MOST = 3
"""So many merges and decisions are told one by one."""


def coming(
    run: m.Run,
    upto: int,
    sections: Collection[int],
    had: Collection[int],
    rated: Callable[[], Collection[int]],
    waiting: Mapping[int, bool],
) -> tuple[str, ...]:
    """What there is by a fact that a published run, with its pool, did not have.

    ``sections`` are those that are rated then, ``had`` those of the run, ``rated`` the persons who
    have a number in the pool; ``waiting`` are the corrections that were accepted since, and whether
    they reach any number of it.
    """
    every = m.Correction.objects.filter(id__in=list(waiting)).order_by("id") if waiting else ()
    several = [x for x in every if waiting[x.id] or run.pool_id in (pools_of(x.contents) or ())]
    contents = [each for one in several for each in one.contents]
    found = _of_reports(set(had), set(sections), reasons.sections_told(contents))
    found += _of_facts(run, upto, rated)
    found += map(reasons.read_otherwise, to_be_read_anew(current(), run, upto))
    kinds = {each["kind"] for each in contents}
    was = Rules(run.rulebook, run.parameters, run.assume)
    if rules_of(run.pool) != was and not any(map(sets_rules, contents)):
        found.append(reasons.RULES_SET)
    if rule_source(run.rulebook) != run.rule_source and "rules" not in kinds:
        found.append(MENDED)
    if several:
        some = ", ".join(str(each.id) for each in several)
        found.append(sentence("corrections that were accepted before ({numbers})", numbers=some))
    return tuple(found)


def _of_reports(then: set[int], now: set[int], own: frozenset[int]) -> list[str]:
    """How many reports come in, come in another version, or go out, but those of corrections."""
    others = (now ^ then) - own
    if not others:
        return []
    sections = m.Section.objects.filter(id__in=others)
    reports = dict(sections.values_list("id", "version__report"))
    came, gone = ({reports[each] for each in others & some} for some in (now, then))
    told = [
        (came - gone, reasons.rated_first),
        (came & gone, lambda n: sentence("reports that have another version ({n})", n=n)),
        (gone - came, lambda n: sentence("reports that are rated no longer ({n})", n=n)),
    ]
    return [says(len(some)) for some, says in told if some]


def _of_facts(run: m.Run, upto: int, rated: Callable[[], Collection[int]]) -> list[str]:
    """Merges and decisions that can move a number, and that persons were put right."""
    here = m.Run(pool=run.pool, base=run.base + 1, upto=upto)
    people: set[int] = set()

    def moved_from(_run: m.Run, some: Collection[int]) -> date | None:
        # Nobody has reckoned yet from when on it moves any.
        if not people:
            decided = m.Decision.objects.filter(pool=run.pool_id)
            people.update(rated(), decided.values_list("person", flat=True))
        return date.min if people.intersection(some) else None

    told = reasons.said_between(here, run, moved_from)
    found = list(dict.fromkeys(each.says for each in told))
    if len(found) > _MOST:
        more = sentence("and {n} more", n=len(found) - _MOST)
        # What was put right of persons is told last.
        found = [*found[: _MOST - 1], found[-1], more]
    return found
