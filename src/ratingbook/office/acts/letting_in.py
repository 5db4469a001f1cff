"""Into what states the sections of a report come as they arrive, and why some of them wait.

A draft is looked at by the same functions, so that its sender reads before what the office is
going to do with it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from shlex import quote
from types import MappingProxyType
from typing import Any, NamedTuple

from ratingbook.model import Finding, Findings, Place, Severity
from ratingbook.model.sentences import day_of, sentence
from ratingbook.office.acts import states
from ratingbook.office.acts.amendments import CORRECTABLE, moves_of, pools_now, staying
from ratingbook.office.acts.asking import place_of
from ratingbook.office.acts.holding import NO_POOL, STRANGERS, WITHOUT_POOL
from ratingbook.office.acts.other_pools import OF_OTHER
from ratingbook.office.acts.places import Places, Strangers, pools_before
from ratingbook.office.acts.setup import rules_of
from ratingbook.office.engine.noticed import noticed
from ratingbook.office.engine.said import kinds_in
from ratingbook.office.intake import SectionRow, Understood, report_in
from ratingbook.office.logic.days import Days, findings_of
from ratingbook.office.logic.stable import event_id
from ratingbook.office.placing import elsewhere, event_of, own_pool
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.wording import either

BEYOND, SUBSTITUTIONS = "beyond", "substitutions"
"""The keys under which the fact of a version says so."""

STAYS = "office.on-next-list"
"""The code of the finding that a version changes no rating, whatever it says."""
STAYS_IN_PART = "office.section-on-next-list"
"""That some of its sections change none."""


class Step(NamedTuple):
    """A fact of a kind: which sections it is about, into what state they come, and why."""

    kind: str
    sections: list[int]
    state: str
    reason: str


def beyond_of(one: Understood) -> dict[str, Any]:
    """Of what the document says more than the rows; runs read it there.

    Versions of which no fact says so are rated as they were when nobody read it.
    """
    found: dict[str, Any] = {BEYOND: kinds_in(one.beyond)} if one.beyond is not None else {}
    if one.substitutions:
        found[SUBSTITUTIONS] = len(one.substitutions)
    return found


class LettingIn:
    """What becomes of the sections of a report, in the place of the version before."""

    def __init__(
        self,
        one: Understood,
        before: m.ReportVersion | None,
        places: Places,
        days: Days,
        there: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.one, self.before, self.places, self.days = one, before, places, days
        self.there = there
        """The sections that their pool has by the same file already, and the reports."""
        self.compared = states.compared(before.report_id) if before is not None else None
        """The version from which this one differs: one that was refused counts for nothing."""
        self.findings = Findings(one.findings)
        was = pools_before(before.report_id) if before is not None else {}
        placed = places.placed(one, was, self._asked())
        self.pools = [pool for pool, _strangers in placed]
        self.findings.extend(_of_strangers(each) for _pool, each in placed if each is not None)
        self.findings.extend(self._noticed())
        self.old: list[int] = []
        """Sections of the versions before, if this one takes their place at once."""
        stays = staying(before.report_id) if before is not None else set()
        self.staying = [each.name for each in one.sections if each.name in stays]
        """The sections that no run rates: a correction of them went on the next list."""
        self.steps = self._steps()
        if self.staying:
            self._tell_kept()
        elif not self.findings.refused and self.compared is not None:
            self._tell_gone(self.compared)
            self._tell_moved(self.compared)
            self._tell_leaving(self.compared.report_id)

    def _asked(self) -> Collection[str] | None:
        """The sections of whose pool the office has asked, where the same bytes are an answer.

        None: it is no answer, and what is said is said of all.
        """
        before = self.before
        if before is None or before.blob_id != self.one.sha256:
            return None
        own = dict(m.Section.objects.filter(version=before).values_list("id", "name"))
        now = states.states(own)
        return {name for number, name in own.items() if now.get(number) == states.HELD}

    def _tell_leaving(self, report: int) -> None:
        """Whose pool is another one by this version is rated in that of before no more."""
        counts = states.that_counts(report)
        own = dict(m.Section.objects.filter(version=counts).values_list("id", "name"))
        now, names = states.states(own), dict(m.Pool.objects.values_list("id", "name"))
        before = {
            own[number]: names[was] for number, was in pools_now(own, ledger.head().seq).items()
            if was is not None and now.get(number) in (states.CHECKED, states.READY)
        }  # fmt: skip
        for each, pool in zip(self.one.sections, self.pools, strict=True):
            if pool is not None and before.get(each.name, pool.name) != pool.name:
                self.findings.add(
                    Severity.WARNING,
                    "office.leaves-pool",
                    sentence(
                        "The event was in the pool {before}, and comes into the pool {pool} by "
                        "this version: in {before} it is rated no more.",
                        before=before[each.name],
                        pool=pool.name,
                    ),
                    Place(path=each.name) if each.name else Place(),
                    sentence(
                        "If it is to stay: `ratingbook office correct --report {report} --to-pool "
                        "{pool} --reason TEXT`; where both rate it, send the file for the other "
                        "pool with --another.",
                        report=self._called(each),
                        pool=quote(before[each.name]),
                    ),
                )

    def _tell_moved(self, before: m.ReportVersion) -> None:
        """A move holds for versions that report the days from which the event was moved."""
        if not ledger.is_any("section fixed"):
            return
        key, known = before.report.event_key, moves_of(before.report_id, ledger.head().seq)
        for each in self.one.sections:
            moved = known.get((event_id(key, each.event), each.name))
            reported = moved.reported[1] if moved is not None else None
            if moved is None or reported is None or each.end is None:
                continue
            day = reported + timedelta(moved.by)
            if (each.start, each.end) != moved.reported and each.end != day:
                self.findings.add(
                    Severity.WARNING,
                    "office.moved-otherwise",
                    sentence(
                        "A correction moved the event from {before} to {day}, and this version "
                        "says {now}: it is rated by that.",
                        before=day_of(reported),
                        day=day_of(day),
                        now=day_of(each.end),
                    ),
                    Place(path=each.name) if each.name else Place(),
                    sentence(
                        "If the correction is right, ask for it again once this version is let in."
                    ),
                )

    def _tell_gone(self, before: m.ReportVersion) -> None:
        """What corrections say of games holds in the versions that have these games."""
        if not ledger.is_any("game fixed"):
            return
        fixes = m.GameFix.objects.filter(revoked_by__isnull=True)
        corrected = m.Game.of(before.id).filter(stable_key__in=fixes.values("stable_key"))
        here = set(self.one.stable_keys(before.report.event_key))
        games = corrected.select_related("section", "white", "black").order_by("number")
        for each in (each for each in games if each.stable_key not in here):
            self.findings.add(
                Severity.WARNING,
                "office.corrected-game-gone",
                sentence(
                    "This version has no game that was corrected: {where}. What was corrected of "
                    "it holds no more.",
                    where=place_of(each),
                ),
                remedy=sentence(
                    "A game is the same by the numbers of registers, or else the names, of its "
                    "players, its round and its section. If it is there by another one, correct it "
                    "again once this version is let in, or send it as it was called before."
                ),
            )

    @property
    def stays(self) -> bool:
        """Whether no run rates anything of what is let in."""
        return len(self.staying) == len(self.one.sections)

    def _tell_kept(self) -> None:
        """A correction of the report went on the next list: what was rated of it stays rated."""
        self.findings.add(
            Severity.WARNING,
            STAYS if self.stays else STAYS_IN_PART,
            sentence(
                "A correction of the report went on the next list, so that the "
                "report stays rated as it was; this version changes no rating."
            )
            if self.stays
            else sentence(
                "A correction of the section {sections} went on the next list, so that it stays "
                "rated as it was; what this version says of it changes no rating.",
                sections=", ".join(self.staying),
            ),
            remedy=CORRECTABLE,
        )

    def _steps(self) -> list[Step]:
        one, before = self.one, self.before
        every = list(range(len(one.sections)))
        refusing = dict.fromkeys(each.code for each in self.findings if each.severity.refuses)
        if refusing:
            # The version before stays what it is.
            return [Step("refused", every, states.REFUSED, ", ".join(refusing))]
        if before is not None:
            # The version before may be one that was refused, and counts for nothing.
            earlier = m.Section.objects.filter(version__report=before.report_id)
            every_old = list(earlier.values_list("id", flat=True))
            now = states.states(every_old)
            old = [each for each in every_old if now.get(each) != states.SUPERSEDED]
            if self._is_same(now):
                self.findings.add(
                    Severity.INFO,
                    "office.nothing-differs",
                    sentence("Nothing differs from the version before, whose place it takes."),
                )
                self.old = old
                # That one was let in as it is.
                return [Step("checked", every, states.CHECKED, "")]
        odd = self.days.odd(
            (each.end, pool.id if pool else None)
            for each, pool in zip(one.sections, self.pools, strict=True)
        )
        # Whoever lets in what is held for another reason has to know of it, too.
        self.findings.extend(findings_of(odd.values()))
        if before is not None:
            if states.published_sections().intersection(every_old):
                # What is published stays until an officer lets the new version in.
                reason = sentence(
                    "the version before is published; an officer looks at what differs"
                )
                return [Step("held", every, states.HELD, self._held("office.is-published", reason))]
            if states.stopped(every_old):
                reason = sentence("an officer has put the version before aside")
                return [Step("held", every, states.HELD, self._held("office.was-stopped", reason))]
            self.old = old
        steps: list[Step] = []
        without = [at for at in every if self.pools[at] is None]
        undated = [
            at for at in every if self.pools[at] is not None and one.sections[at].end is None
        ]
        for sections, code, what, remedy in (
            (without, NO_POOL, WITHOUT_POOL,
             states.INTO_POOL),
            (undated, "office.no-day", sentence("no day is known"),
             sentence("Have the last day of each section written into the file.")),
        ):  # fmt: skip
            if sections:
                steps.append(Step("held", sections, states.HELD, what))
                self.findings.add(
                    Severity.WARNING,
                    code,
                    sentence("The report cannot be rated: {what}.", what=what)
                    if len(sections) == len(every)
                    else sentence(
                        "{n} of the sections cannot be rated: {what}.", n=len(sections), what=what
                    ),
                    remedy=remedy,
                )
        aside = {*without, *undated}
        for code in dict.fromkeys(each.code for each in odd.values()):
            sections = [at for at, each in odd.items() if each.code == code and at not in aside]
            if sections:
                steps.append(Step("held", sections, states.HELD, odd[sections[0]].reason))
        of_others = self._of_other_pools(aside)
        if also := [at for at in of_others if at not in odd]:
            steps.append(Step("held", also, states.HELD, OF_OTHER))
        twice = [at for at in every if one.sections[at].name in self.there]
        self.findings.extend(map(self._of_twice, twice))
        if also := [at for at in twice if at not in {*aside, *odd, *of_others}]:
            reason = sentence("the pool has it by the same file already")
            steps.append(Step("held", also, states.HELD, reason))
        rest = [at for at in every if at not in {*aside, *odd, *of_others, *twice}]
        return [*steps, Step("checked", rest, states.CHECKED, "")] if rest else steps

    def _noticed(self) -> list[Finding]:
        """What the rules of each pool notice about what comes into it."""
        one = self.one
        report = None if self.findings.refused else report_in(one.document)
        if report is None:
            return []
        pool_of = {
            (each.name, each.event): pool
            for each, pool in zip(one.sections, self.pools, strict=True)
        }
        found: list[Finding] = []
        for pool in dict.fromkeys(pool_of.values()):
            if pool is not None:
                games = [x for x in report.games if pool_of.get((x.section or "", x.event)) == pool]
                found += noticed(report, games, rules_of(pool))
        return list(dict.fromkeys(found))

    def _of_other_pools(self, but: Collection[int]) -> list[int]:
        """The sections that are of another list than that of their pool, by what they say."""
        found = []
        for at, section in enumerate(self.one.sections):
            pool = self.pools[at]
            if pool is None or at in but:
                continue
            book = rules_of(pool).book()
            where = elsewhere(book, event_of(section.facts, section.end, pool.name))
            if where is not None:
                found.append(at)
                self.findings.extend([self._of_another(section, pool, book, where)])
        return found

    def _of_another(
        self, section: SectionRow, pool: m.Pool, book: BookOrSeries, where: Sequence[str]
    ) -> Finding:
        # Lists of another federation are no place for what was sent to this one.
        fits = [each.name for each in self.places.that_count(section, self.one.game)
                if rules_of(each).book().federation == book.federation]  # fmt: skip
        told = [str(section.facts[key]) for key in ("pool", "time_control", "name")
                if section.facts.get(key)]  # fmt: skip
        values = {
            "book": book.name, "own": own_pool(book), "pool": pool.name,
            "where": ", ".join(where), "told": "; ".join(told),
        }  # fmt: skip
        return Finding(
            "office.other-pool",
            Severity.WARNING,
            sentence(
                "By what the report says ({told}) the event is {where}, and the pool {pool} is "
                "{own}: it is held.",
                **values,
            )
            if where
            else sentence(
                "By what the report says ({told}) the event is of no list of {book}: it is held.",
                **values,
            ),
            Place(path=section.name) if section.name else Place(),
            sentence(
                "Put it into {pools}: `ratingbook office release {report} --pool {to} --reason "
                "TEXT`. If what it says is wrong, send it again put right, or `ratingbook office "
                "release {report} --reason TEXT` rates it here as it is.",
                pools=", ".join(fits),
                to=quote(fits[0]) if len(fits) == 1 else "POOL",
                report=self._called(section),
            )
            if fits
            else sentence(
                "If what it says is wrong, send it again put right, or `ratingbook office release "
                "{report} --reason TEXT` rates it here as it is; else refuse it, or add a pool for "
                "such events.",
                report=self._called(section),
            ),
        )

    def _of_twice(self, at: int) -> Finding:
        """A section that would be rated twice in a pool."""
        section = self.one.sections[at]
        return Finding(
            "office.in-pool-already",
            Severity.WARNING,
            sentence(
                "The pool has this by the same file already, as report {report}: it is held.",
                report=self.there[section.name],
            ),
            Place(path=section.name) if section.name else Place(),
            sentence(
                "Put it aside: `ratingbook office refuse {report} --reason TEXT`.",
                report=self._called(section),
            ),
        )

    def _called(self, section: SectionRow) -> str:
        """What names a section in a command: of a report with several not all are meant."""
        several = len(self.one.sections) > 1 and section.name
        return quote(f"REPORT:{section.name}") if several else "REPORT"

    def _is_same(self, now: Mapping[int, str]) -> bool:
        """Whether the file says in other bytes what the version before it said, which counts.

        ``now`` are the states of the sections of all versions before it.
        """
        one, before = self.one, self.before
        if before is None or self.compared is None or self.compared.id != before.id:
            return False
        if one.document_sha256 != before.document_sha256:
            return False
        told, now_told = m.Fact.objects.get(seq=before.fact).payload, beyond_of(one)
        if any(told.get(each) != now_told.get(each) for each in (BEYOND, SUBSTITUTIONS)):
            # That one is rated without it.
            return False
        sections = m.Section.objects.filter(version=before)
        if any(now.get(each.id) not in (states.CHECKED, states.READY) for each in sections):
            return False
        if m.SectionFix.objects.filter(section__in=sections).exists():
            # It was corrected where it was played, which belongs to those sections.
            return False
        pools = [each.id if each else None for each in self.pools]
        if pools != list(sections.order_by("id").values_list("pool", flat=True)):
            return False
        born = m.EntryPrivate.objects.filter(entry__version=before)
        known = set(born.values_list("entry__number", "birth_date", "birth_year"))
        return known == {
            (e.number, e.birth_date, e.birth_year)
            for e in one.entries if e.birth_date or e.birth_year
        }  # fmt: skip

    def _held(self, code: str, reason: str) -> str:
        self.findings.add(
            Severity.WARNING,
            code,
            sentence("The new version is held: {reason}.", reason=reason),
            remedy=f"`ratingbook office release REPORT --reason …` {self._promised()}",
        )
        return reason

    def _promised(self) -> str:
        """What comes of letting it in."""
        if self.stays:
            return "lets it in; what was rated stays as it was."
        return f"lets the next run rate {'its other sections' if self.staying else 'it'}."


def _of_strangers(found: Strangers) -> Finding:
    """Why a report is not put into the only pool that counts such events."""
    return Finding(
        STRANGERS,
        Severity.WARNING,
        either(
            found.known,
            "By what the report says only the pool {pool} counts the event, and it knows nobody "
            "who plays in it; {count} of them is known in the pool {known_in}. So the pool is "
            "asked for.",
            "By what the report says only the pool {pool} counts the event, and it knows nobody "
            "who plays in it; {count} of them are known in the pool {known_in}. So the pool is "
            "asked for.",
            pool=found.pool, known_in=found.known_in,
        ),
        Place(path=found.section) if found.section else Place(),
        sentence(
            "Choose the pool. If the name or the time control of the event says another list than "
            "that of its players by a slip, send it again put right."
        ),
    )  # fmt: skip
