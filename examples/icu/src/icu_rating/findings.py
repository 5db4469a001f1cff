"""What the Irish rules notice about an event."""

from datetime import date

from icu_rating.rules import TOP
from ratingbook.model import Entry, Findings, Place, Severity, Standing
from ratingbook.rules.book import Batch, RuleBook
from ratingbook.rules.wording import players_named

K = "k"
"""Decision of the office: the K of a player in an event."""
FOREIGN = "foreign"
JOINED = "joined"
MOST_K = 100


class Icu(RuleBook):
    """The edition, with what it notices."""

    def check(self, batch: Batch) -> Findings:
        """What is unclear about kinds of player and K."""
        findings = Findings()
        for entry in batch.entries:
            _check_entry(entry, batch.place_of(entry), findings)
        rated = [entry for entry in batch.entries if _has_own_rating(entry)]
        for unknown, code, told, remedy in (
            (
                [entry for entry in rated if _standing(entry).games is None], "icu.games-unknown",
                "a rating without a number of games; it is taken as one that is not provisional.",
                "Give the games of players who had fewer than 20.",
            ),
            (
                [entry for entry in rated if not _is_k_known(entry, batch)], "icu.k-assumed",
                "the K rests on what is not known; nobody is taken as a junior or a new member "
                "without being known as one.",
                f"Give birth_date and {JOINED}, and the event's start; or set {K} as a decision.",
            ),
        ):  # fmt: skip
            if unknown:
                names = players_named(unknown)
                findings.add(
                    Severity.INFO, code, f"{names}: {told}", batch.place_of(unknown[0]), remedy
                )
        return findings


def _check_entry(entry: Entry, place: Place, findings: Findings) -> None:
    """What one player's standing and decisions say that the rules cannot take."""
    standing = _standing(entry)
    if K in entry.decisions and not _is_k(entry.decisions[K]):
        findings.add(
            Severity.ERROR,
            "icu.decision-value",
            f"Player {entry.id}: the decision {K} cannot be {entry.decisions[K]!r}.",
            place,
            f"Give a whole number from 1 to {MOST_K}, or leave it out.",
        )
    if _is_foreign(standing) and standing.rating is None:
        findings.add(
            Severity.WARNING,
            "icu.foreign-unrated",
            f"Player {entry.id} is {FOREIGN} but has no rating: rated as an unrated player.",
            place,
            "Give the rating with which the player counts.",
        )
    if JOINED in standing.extra and not _has_joined(standing):
        findings.add(
            Severity.WARNING,
            "icu.joined",
            f"Player {entry.id} joined on {standing.extra[JOINED]!r}, which is no day; it counts "
            "as not known.",
            place,
            "Write it as YYYY-MM-DD.",
        )


def _standing(entry: Entry) -> Standing:
    return entry.standing or Standing()


def _is_foreign(standing: Standing) -> bool:
    return str(standing.extra.get(FOREIGN)).casefold() in ("true", "yes", "1")


def _has_own_rating(entry: Entry) -> bool:
    return _standing(entry).rating is not None and not _is_foreign(_standing(entry))


def _has_joined(standing: Standing) -> bool:
    """Whether the day of joining is told, and is one."""
    try:
        return bool(date.fromisoformat(str(standing.extra.get(JOINED))))
    except ValueError:
        return False


def _is_k(said: object) -> bool:
    return type(said) in (int, float) and said in range(1, MOST_K + 1)


def _is_k_known(entry: Entry, batch: Batch) -> bool:
    """Whether nothing that K rests on is unknown."""
    if K in entry.decisions or (_standing(entry).rating or 0) >= TOP:
        return True
    is_born = entry.birth_date is not None or bool(entry.birth_year)
    day = batch.event.start or batch.last_day
    return is_born and day is not None and _has_joined(_standing(entry))
