"""``ratingbook verify``: the ratings of a published list, made again from its bundle."""

from __future__ import annotations

import json
from pathlib import Path

from rich.text import Text

from ratingbook.cli.screen import errors, output, print_findings, write
from ratingbook.desk.written import clean
from ratingbook.office.bundle import Verified, verify
from ratingbook.rules.wording import counted


def run(path: Path, key: str | None, *, as_json: bool) -> bool:
    """Verify a bundle, signed by a key if one is given; True if anything differs."""
    found = verify(path, key)
    refused = found.findings.refused
    of = found.manifest.get("list", {})
    if as_json:
        said = {
            "equal": not refused, "pool": found.manifest.get("pool"), "list": of,
            "head": found.manifest.get("head"),
            "ratings": found.rows, "digest": found.manifest.get("digest"),
            "coefficients_as_said": found.coefficients_said,
            "is_said_of_persons_bound": found.is_said_bound,
            "facts": {
                "by_hash": found.facts.by_hash, "in_part": found.facts.in_part,
                "whole": found.facts.whole, "is_list_shown": found.is_list_shown,
                "is_publication_shown": found.is_publication_shown,
            },
            "signature": {
                "public_key": found.signed.public_key, "is_given_key": found.signed.is_given,
            },
            "proved": [] if refused else _proved(found),
            "not_proved": [] if refused else _not_proved(found),
            **found.findings.as_dict(),
        }  # fmt: skip
        write(json.dumps(said, ensure_ascii=False, indent=2))
        return refused
    if found.manifest:
        output().print(Text(clean(f"{_headline(found)}: {_outcome(found)}")))
        if not refused:
            for word, told in (("Proved", _proved(found)), ("Not proved", _not_proved(found))):
                for each in told:
                    output().print(Text(clean(f"{word}: {each}")))
            output().print(Text(clean(_signed(found))))
            if found.facts.whole:
                output().print(Text(_WHOLE))
    print_findings(found.findings, errors())
    return refused


_WHOLE = (
    "It holds whole facts: who acted, why, and names, also of persons who were suppressed. "
    "It is not for the public."
)


def _headline(found: Verified) -> str:
    """Which list it is; many titles have the date."""
    of = found.manifest["list"]
    day = "" if of["date"] in of["title"] else f", {of['date']}"
    return f"{of['title']}{day}, revision {of['revision']}"


def _outcome(found: Verified) -> str:
    if not found.findings.refused:
        return f"equal, {counted(found.rows, 'rating')} made again"
    return "differs" if found.is_compared else "refused; the numbers were not compared"


def _signed(found: Verified) -> str:
    """Who signed it: the first thing to ask where names and games are believed."""
    by = found.signed.public_key
    if by is None:
        return "Not signed: anybody can have written the bundle."
    if found.signed.is_given:
        return f"Signed by {by}, the key that you gave."
    return (
        f"Signed by {by}; nobody has said here whose key that is. Compare it with the one that the "
        "office publishes, and give that with --key."
    )


def _proved(found: Verified) -> list[str]:
    """What follows from the bundle, and from the head or the key, where the office shows them."""
    said = [
        "by the rules that it names, the games and decisions of the bundle give these numbers, "
        "and the list prints them."
    ]
    if found.is_list_shown:
        facts = found.facts
        which = f"from {facts.by_hash + 1} to {facts.count}" if facts.by_hash else (
            f"up to {facts.count}"
        )  # fmt: skip
        digested = "numbers" if found.manifest["list"]["is_by_all"] else "ratings, games"
        what = "these numbers, these rules and this list are" if found.is_publication_shown else (
            f"players and {digested} of this list are"
        )  # fmt: skip
        also = (
            " (its names, federations, titles, sexes and K as well)" if found.is_said_bound else ""
        )
        said.append(
            f"where the office shows the head {found.manifest['head']} with its list: {what} what "
            f"it published{also}, and the facts {which} came in this order and were not changed "
            "since."
        )
    if found.signed.is_given:
        said.append(
            "all of the bundle, also the names on the list and the games, is what the holder of "
            "the key that you gave has written."
        )
    return said


def _not_proved(found: Verified) -> list[str]:
    facts = found.facts
    said = ["that the games are those of the reports, which are in no bundle."]
    if found.manifest["stand_ins"]:
        said.append(
            f"the ages of {counted(found.manifest['stand_ins'], 'player')}, for whose birth dates "
            "other dates stand: the first by which the rules make the same of them in all events."
        )
    if found.coefficients_said:
        said.append(
            f"K (the column k of list.csv) of {counted(found.coefficients_said, 'player')}, which "
            "hangs on an age that is not in the bundle: it is one of those that the rules give at "
            "one age or another, and which one is taken as the list "
            + ("was published." if found.is_said_bound else "says it.")
        )
    if not found.signed.is_given:
        pool = "" if found.is_pool_shown else "the name of the pool; "
        persons = "" if found.is_said_bound else (
            "names, federations, titles and sexes on the list, with what it marks by them (women); "
        )  # fmt: skip
        said.append(
            f"{pool}{persons}games, events and entries where they bear on no number. The numbers "
            "do not need them, and no key that you gave has signed them."
        )
    if not found.is_list_shown:
        said.append(
            "that an office published this list. For all facts stands the hash of the last, and "
            "the bundle shows nothing of them; whoever knows that hash can put it beside other "
            "games. Compare the digest of the list with the one that the office shows: "
            f"{found.manifest['list']['digest']}."
        )
    elif facts.by_hash:
        rest = "" if found.is_publication_shown else (
            ", and among them is the publication: by which rules, from which games and with which "
            "exact numbers the list was made is not bound to it"
        )  # fmt: skip
        said.append(
            f"what the facts up to {facts.by_hash} say, for which the hash of the last stands: "
            "they were written before something could be left out of one, or whoever made the "
            f"bundle left them out; the bundle shows nothing of them{rest}."
        )
    if facts.in_part:
        said.append(
            f"of {counted(facts.in_part, 'fact')} who acted, why, and what was said of persons, "
            "which is left out: that it was not changed is proved, what it was is not."
        )
    return said
