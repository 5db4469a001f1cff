"""What people are told of corrections: by mail, each by itself or a digest, or not at all."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage, get_connection
from django.core.validators import EmailValidator
from django.db.models import QuerySet

from ratingbook.desk.language import ENGLISH, Language
from ratingbook.model import Findings, Severity
from ratingbook.model.sentences import row_of, sentence, stated
from ratingbook.office.acts.audit import note
from ratingbook.office.acts.effects import of_run
from ratingbook.office.acts.masking import mask_for_public
from ratingbook.office.acts.people import canonical, exists
from ratingbook.office.acts.requests import REOPENED, askers
from ratingbook.office.acts.setup import decimals_of
from ratingbook.office.acts.untold import saying_to_all, untold_of
from ratingbook.office.home import CONFIG, Home
from ratingbook.office.limits import is_id, refuse_long
from ratingbook.office.logic.effects import Number
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act, Who, check_may

EACH, DIGEST, NONE = "each", "digest", "none"
WANTS = (EACH, DIGEST, NONE)
WAITING, SENT, FAILED, UNWANTED = "waiting", "sent", "failed", "unwanted"
_FILES = "django.core.mail.backends.filebased.EmailBackend"
_SENDER = "office@localhost"
_LONGEST = 254
"""Of an address: no server of mail has longer ones (RFC 5321, 4.5.3.1.3)."""
_is_address = EmailValidator()
Speaking = Callable[[str], AbstractContextManager[Language]]
"""Gives the language of a person or an actor; while it is open, the mail is written."""
Leading = Callable[[str, object], str]
"""Gives where ``correction`` N is told, or how who has the token of a mail can ``stop`` them."""
_COMMANDS = {
    "correction": "`ratingbook office register {}`",
    "stop": "`ratingbook office contact --stop {}`",
}


def in_english(whose: str) -> AbstractContextManager[Language]:
    """Whose language nobody knows."""
    del whose
    return nullcontext(ENGLISH)


def by_command(what: str, which: object) -> str:
    """What an office does without a site."""
    return _COMMANDS[what].format(which)


def tell(act: Act, one: m.Correction, kind: str, publication: m.Publication | None = None) -> None:
    """Let those concerned know, once somebody sends the notices that wait."""
    whose_it_is = [f"actor:{actor}" for actor in askers(one.id)]
    wanting = m.Contact.objects.filter(whose__in=whose_it_is).exclude(wants=NONE)
    reason = m.Fact.objects.filter(
        factsubject__kind="correction", factsubject__subject=str(one.id)
    ).last()
    m.Notice.objects.bulk_create(
        [
            m.Notice(
                at=act.at, whose=whose, correction=one, publication=publication, kind=kind,
                state=WAITING, said={"reason": reason.reason if reason else ""},
            )
            for whose in sorted(wanting.values_list("whose", flat=True))
        ]
    )  # fmt: skip


def tell_changed(
    home: Home, act: Act, publication: m.Publication, some: Sequence[m.Correction]
) -> None:
    """Let everybody know once whose published number became another one by corrections."""
    people = m.Contact.objects.filter(whose__startswith="person:").exclude(wants=NONE)
    wanting = set(people.values_list("whose", flat=True))
    if not some or not wanting:
        return
    own: dict[int, list[Number]] = {}
    for each in of_run(home, publication.run, some):
        if f"person:{each.person}" in wanting:
            own.setdefault(each.person, []).append(each)
    pool = publication.run.pool.name
    m.Notice.objects.bulk_create(
        [
            m.Notice(
                at=act.at, whose=f"person:{person}", correction_id=said["corrections"][0],
                publication=publication, kind="changed", state=WAITING,
                said={"pool": pool, **said, "reason": ""},
            )
            for person, numbers in sorted(own.items())
            for said in (_changed(numbers),)
        ]
    )  # fmt: skip


def _changed(numbers: Sequence[Number]) -> dict[str, Any]:
    """What a person is told: the last number that is another one, and by which corrections."""
    last = numbers[-1]
    return {
        "day": last.day.isoformat(), "before": last.was, "after": last.now,
        "corrections": sorted({number for each in numbers for number in each.corrections}),
        **({"own": last.change} if last.is_with_others else {}),
    }  # fmt: skip


def set_contact(whose: str, address: str, wants: str, who: Who) -> Findings:
    """Where to write to a person or an actor, and how often."""
    if not _is_own(whose, who):
        check_may(who, "people")
    refuse_long(address, _LONGEST, sentence("The address"))
    address = address.strip()
    kind, _, name = whose.partition(":")
    if kind == "person" and is_id(name):
        exists(int(name))
        whose = f"person:{canonical(int(name))}"
    elif kind != "actor" or not m.Actor.objects.filter(name=name).exists():
        raise refuse(
            "office.contact",
            sentence("{whose!r} is nobody.", whose=whose),
            sentence("Write person:NUMBER or actor:NAME."),
        )
    if wants == NONE and not address:
        _forget(m.Contact.objects.filter(whose=whose))
        return Findings()
    if wants not in WANTS:
        raise refuse(
            "office.contact",
            sentence("{wants!r} is nothing to want.", wants=wants),
            sentence("Choose one of {what}.", what=row_of(map(stated, WANTS))),
        )
    try:
        _is_address(address)
    except ValidationError:
        raise refuse(
            "office.address",
            sentence("{address!r} is no address of mail.", address=address),
            sentence("Write it as name@example.org."),
        ) from None
    m.Contact.objects.update_or_create(
        whose=whose, defaults={"address": address, "wants": wants},
        create_defaults={"whose": whose, "address": address, "wants": wants,
                         "token": secrets.token_urlsafe(16)},
    )  # fmt: skip
    return Findings()


def _is_own(whose: str, who: Who) -> bool:
    """Whether somebody says where to write to themselves."""
    actor = m.Actor.objects.filter(name=who.actor).first()
    if actor is None:
        return False
    return whose in (f"actor:{actor.name}", f"person:{actor.person}")


def stop(token: str) -> Findings:
    """Whoever has the token of a mail wants no more of them."""
    found = m.Contact.objects.filter(token=token)
    if not found.exists():
        raise refuse(
            "office.contact", sentence("Nobody has this token."), sentence("Copy it from the mail.")
        )
    _unwanted(found)
    found.update(wants=NONE)
    return Findings()


def _forget(found: QuerySet[m.Contact]) -> None:
    """The office keeps no address that it is not to write to."""
    _unwanted(found)
    found.delete()


def _unwanted(found: QuerySet[m.Contact]) -> None:
    """What waits for them is not sent."""
    whose = list(found.values_list("whose", flat=True))
    m.Notice.objects.filter(whose__in=whose, state=WAITING).update(state=UNWANTED)


def send(
    home: Home, who: Who, *, digests: bool = False, speaking: Speaking = in_english,
    leading: Leading = by_command, most: int | None = None,
) -> tuple[int, Findings]:  # fmt: skip
    """Send the notices that wait, with ``digests`` those that go out collected; gives how many.

    At ``most`` so many mails are tried, and the others go on waiting: who asks for it on a page
    waits for the answer.
    """
    check_may(who, "send")
    findings, count, failed = Findings(), 0, 0
    backend, sender = _backend(home)
    for each in waiting():
        if each.contact is None:
            _claimed(each.notices, UNWANTED)
            continue
        if each.is_digest and not digests:
            continue
        if most is not None and count + failed >= most:
            break
        # Marked first: a mail that is sent twice is worse than one that somebody looks for. Who
        # sends at the same moment has none of these.
        notices = _claimed(each.notices, FAILED)
        if not notices:
            continue
        try:
            with speaking(each.whose) as language:
                mail = _mail(each.contact, notices, sender, backend, language, leading)
            mail.send()
        except Exception as error:  # Any backend may fail in ways of its own.
            failed += 1
            mend = "Mend `mail` in office.json, then: ratingbook office notices --again."
            _tell_not_sent(findings, each.whose, error, mend)
            continue
        m.Notice.objects.filter(id__in=[one.id for one in notices]).update(state=SENT)
        count += 1
    if count or failed:
        note(who, "notices sent", "", sentence("{n} sent, {m} not", n=count, m=failed))
    return count, findings


def write_at_once(
    home: Home, whose: Sequence[str], written: Callable[[Language], tuple[str, str]],
    speaking: Speaking,
) -> Findings:  # fmt: skip
    """Write to somebody of what is no correction and cannot wait: its title, and what it says.

    ``whose`` are the names under which the office may have an address that it is to write to.
    """
    findings = Findings()
    wanting = m.Contact.objects.filter(whose__in=whose).exclude(wants=NONE)
    for each in {one.address: one for one in wanting.order_by("whose")}.values():
        try:
            backend, sender = _backend(home)
            with speaking(each.whose) as language:
                title, text = written(language)
            EmailMessage(title, f"{text}\n", sender, [each.address], connection=backend).send()
        except Exception as error:  # Any backend may fail in ways of its own.
            _tell_not_sent(findings, each.whose, error, sentence("Tell them by another way."))
    return findings


def _tell_not_sent(findings: Findings, whose: str, error: Exception, remedy: str) -> None:
    findings.add(
        Severity.WARNING, "office.mail",
        sentence("A mail to {whose} was not sent: {error}.", whose=whose, error=error),
        remedy=remedy,
    )  # fmt: skip


@dataclass(frozen=True)
class Waiting:
    """A mail that waits: one notice, or all that somebody wants collected."""

    whose: str
    contact: m.Contact | None
    """None: whoever it was wants no mails any more."""
    notices: tuple[m.Notice, ...]

    @property
    def is_digest(self) -> bool:
        """Whether it goes out with the digests alone."""
        return self.contact is not None and self.contact.wants == DIGEST


def waiting() -> Iterator[Waiting]:
    """The mails that wait, each with its notices."""
    contacts = {each.whose: each for each in m.Contact.objects.exclude(wants=NONE)}
    found: dict[str, list[m.Notice]] = {}
    for each in m.Notice.objects.filter(state=WAITING).select_related("correction").order_by("id"):
        found.setdefault(each.whose, []).append(each)
    for whose, some in found.items():
        contact = contacts.get(whose)
        if contact is None or contact.wants == DIGEST:
            yield Waiting(whose, contact, tuple(some))
        else:
            yield from (Waiting(whose, contact, (each,)) for each in some)


def again(who: Who) -> int:
    """Let the notices wait again that could not be sent; gives how many."""
    check_may(who, "send")
    count = m.Notice.objects.filter(state=FAILED).update(state=WAITING)
    if count:
        note(who, "notices wait again", "", sentence("{n} notices", n=count))
    return count


def _claimed(some: Iterable[m.Notice], state: str) -> list[m.Notice]:
    """Those that were still waiting, and are nobody else's from now on."""
    waiting_still = m.Notice.objects.filter(state=WAITING)
    return [each for each in some if waiting_still.filter(id=each.id).update(state=state)]


def goes_to_files(home: Home) -> bool:
    """Whether no server of mail is known, so that mails become files of the office's folder."""
    return str(_said(home).get("backend", _FILES)) == _FILES


def _backend(home: Home) -> tuple[Any, str]:
    """The mail of ``office.json``: a backend of Django with its options; else files in a folder."""
    said = _said(home)
    options = {key: value for key, value in said.items() if key not in ("backend", "from")}
    backend = said.get("backend", _FILES)
    if backend == _FILES:
        options.setdefault("file_path", str(home.folder / "mail"))
    return get_connection(backend, **options), str(said.get("from", _SENDER))


def _said(home: Home) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((home.folder / CONFIG).read_text("utf-8")).get("mail") or {}
    return found


def _mail(
    contact: m.Contact, some: Sequence[m.Notice], sender: str, backend: Any, language: Language,
    leading: Leading,
) -> EmailMessage:  # fmt: skip
    say, first = language.gettext, some[0]
    title = _title(first, language)
    if len(some) > 1:
        said = language.ngettext(
            "{n} notice of corrections", "{n} notices of corrections", len(some)
        )
        title = said.format(n=len(some))
    blocks = ["\n".join(_lines(each, language, leading)) for each in some]
    ends = say("You get this since you have asked the office to write to you. To end it: {where}")
    way_out = leading("stop", contact.token)
    blocks.append(ends.format(where=way_out))
    numbers = "-".join(str(each.id) for each in some[:1])
    return EmailMessage(
        title, "\n\n".join(blocks) + "\n", sender, [contact.address], connection=backend,
        headers={
            "Message-ID": f"<notice-{numbers}-{contact.token[:8]}@ratingbook.invalid>",
            # Programs for mail show it as a button.
            **({"List-Unsubscribe": f"<{way_out}>"} if way_out.startswith("http") else {}),
        },
    )  # fmt: skip


def _title(one: m.Notice, language: Language) -> str:
    say = language.gettext
    titles = {
        "received": say("Correction {n} is received"),
        "joined": say("Correction {n} joins an earlier one"),
        "rejected": say("Correction {n} is refused"),
        "withdrawn": say("Correction {n} is taken back"),
        REOPENED: say("Correction {n} is open again"),
        "accepted": say("Correction {n} is accepted"),
        "published": say("Correction {n} is published"),
        "changed": language.ngettext(
            "Correction {n} changed your rating", "Corrections {n} changed your rating",
            len(_numbers(one)),
        ),
    }  # fmt: skip
    return titles[one.kind].format(n=", ".join(map(str, _numbers(one))))


def _numbers(one: m.Notice) -> list[int]:
    """The corrections of which a notice tells."""
    found: list[int] = one.said.get("corrections") or [one.correction_id]
    return found


def _lines(one: m.Notice, language: Language, leading: Leading) -> list[str]:
    say = language.gettext
    lines = [say("{sentence}.").format(sentence=_title(one, language))]
    numbers = _numbers(one)
    told = m.Correction.objects.in_bulk(numbers)
    masked, contents = mask_for_public(), {number: x.contents for number, x in told.items()}
    # Who asked knows whom and what it names.
    untold = untold_of(contents) if one.kind == "changed" else ()
    says = saying_to_all(contents, untold, language)
    lines += [f"- {each}" for number in numbers for each in says(number)]
    if one.kind == "changed":
        said, decimals = one.said, _decimals(one)
        now = say("Your rating in the pool {pool} after {day} is {after}; it was {before}.")
        lines.append(
            now.format(
                pool=said["pool"],
                day=language.day(said["day"]),
                after=_number(said["after"], decimals, language),
                before=_number(said["before"], decimals, language),
            )
        )
        if "own" in said and said["own"] is None:
            lines.append(say("It rests on something else of the same run, too."))
        elif "own" in said:
            with_others = say(
                "What was corrected moved it by {change}; something else of the same run moved it, "
                "too."
            )
            change = language.figure(f"{said['own']:+.{decimals}f}".replace("-", "−"))
            lines.append(with_others.format(change=change))
    if one.kind in ("rejected", "withdrawn", REOPENED) and one.said["reason"]:
        # The catalogue knows reasons that the program gives.
        lines.append(
            say("Reason: {reason}").format(reason=language.told(stated(masked(one.said["reason"]))))
        )
    see = say("See {where}")
    lines += [see.format(where=leading("correction", number)) for number in numbers]
    return lines


def _decimals(one: m.Notice) -> int:
    """Of the numbers of which a notice tells."""
    assert one.publication is not None
    run = one.publication.run
    return decimals_of(run.pool, day=run.until)


def _number(value: float | None, decimals: int, language: Language) -> str:
    """A published number as lists have it."""
    return language.gettext("none") if value is None else language.figure(f"{value:.{decimals}f}")
