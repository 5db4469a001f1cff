"""What an edition needs to know of any report: its day, and ratings that it can hold."""

from __future__ import annotations

from datetime import date

from ratingbook.engine.intake.games import place_of
from ratingbook.model import Colour, Entry, Findings, Report, Severity
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import BookOrSeries, Series
from ratingbook.rules.wording import called


def check_for(report: Report, book: RuleBook, asked: BookOrSeries | None = None) -> Findings:
    """What the rule book needs to know of any report: dates and ratings within range.

    ``asked`` is the series of editions that ``book`` was chosen from, if it is one.
    """
    findings = Findings()
    low, high = book.rating_range
    for entry in report.entries:
        rating = entry.standing.rating if entry.standing else None
        if rating is not None and not low <= rating <= high:
            findings.add(
                Severity.ERROR,
                "player.rating-range",
                f"Player {called(entry)} has the rating {rating:g}; a rating in {book.name} lies "
                f"between {low} and {high}.",
                entry.place,
                "Correct the rating, or leave it out for an unrated player.",
            )
        if book.whole_ratings:
            _check_whole(entry, findings)
        beyond = entry.history and [
            (whose, number)
            for frozen in entry.history
            for whose, number in (("own", frozen.own), ("opponent's", frozen.opponent))
            if number is not None and not low <= number <= high
        ]
        if beyond:
            findings.add(
                Severity.ERROR,
                "player.history-range",
                f"The history of player {called(entry)} holds a rating that is none in "
                f"{book.name}: {beyond[0][0]} {beyond[0][1]:g} ({len(beyond)} in all).",
                entry.place,
                f"Correct it; a rating lies between {low} and {high}.",
            )
        unknown = entry.decisions and entry.decisions.keys() - book.decisions - {"reason"}
        for decision in sorted(unknown):
            findings.add(
                Severity.WARNING,
                "decision.unknown",
                f"{book.name} knows no decision {decision!r}; it is not used for player "
                f"{called(entry)}.",
                entry.place,
                f"It knows: {', '.join(sorted(book.decisions)) or 'none'}.",
            )
    for game in report.games:
        if game.white_rating is None and game.black_rating is None:
            continue
        for colour in Colour:
            rating = game.rating(colour)
            if rating is not None and not low <= rating <= high:
                findings.add(
                    Severity.ERROR,
                    "game.rating-range",
                    f"{colour.capitalize()} has the rating {rating:g} in this game; a rating in "
                    f"{book.name} lies between {low} and {high}.",
                    place_of(game, game.player(colour)),
                    "Correct the rating of the game, or leave it out.",
                )
            elif rating is not None and book.whole_ratings and rating % 1:
                findings.add(
                    Severity.ERROR,
                    "rating.not-whole",
                    f"{colour.capitalize()} has the rating {rating} in this game; ratings in "
                    f"{book.name} are whole numbers.",
                    place_of(game, game.player(colour)),
                    "Give the rating of the published list.",
                )
    _tell_unused(report, book, findings)
    day = report.event.start or report.event.end
    if day is None:
        days = [game.start or game.end for game in report.games]
        day = min((d for d in days if d), default=None)
    if isinstance(asked, Series):
        _tell_choice(asked, book, report, findings)
    elif day is not None:
        findings.extend(check_validity(book, day, "event"))
    if book.non_default_parameters:
        settings = (f"{name} = {value}" for name, value in book.non_default_parameters.items())
        findings.add(
            Severity.INFO,
            "edition.parameters",
            f"{book.name} is applied with other parameters than its own: {', '.join(settings)}.",
            remedy="Leave --set out for the numbers of the edition.",
        )
    return findings


def _tell_choice(series: Series, book: RuleBook, report: Report, findings: Findings) -> None:
    """Which edition of a series rates the report, and why."""
    day = book.day_of(report)
    if day is None:
        findings.add(
            Severity.WARNING,
            "edition.no-date",
            f"The report names no day; of the editions of {series.name} the latest, {book.name}, "
            "is applied.",
            remedy="Give the event its start and end, or name an edition.",
            assumed=True,
        )
    elif series.valid_from is not None and day < series.valid_from:
        findings.add(
            Severity.WARNING,
            "edition.before-first",
            f"{series.name}: no edition is known for {day}; the first, {book.name}, of "
            f"{book.valid_from} is applied.",
            remedy="Look at the day of the event.",
            assumed=True,
        )
    else:
        until = book.valid_until or "today"
        findings.add(
            Severity.INFO,
            "edition.chosen",
            f"{series.name}: {book.name} is applied, the edition for {day}: in force from "
            f"{book.valid_from} to {until}.",
            remedy="Name an edition to rate with it whatever the day.",
        )


def _check_whole(entry: Entry, findings: Findings) -> None:
    """The ratings that a player brings along are whole numbers."""
    numbers = [entry.standing.rating] if entry.standing else []
    for frozen in entry.history:
        numbers += [frozen.opponent, frozen.own]
    broken = [number for number in numbers if number is not None and number % 1]
    if broken:
        findings.add(
            Severity.ERROR,
            "rating.not-whole",
            f"Player {called(entry)} brings the rating {broken[0]}, which is no whole number "
            f"({len(broken)} such in all).",
            entry.place,
            "Give the ratings of the published lists.",
        )


def _tell_unused(report: Report, book: RuleBook, findings: Findings) -> None:
    """What the report says and the edition does not use."""
    handicap = [game for game in report.games if game.handicap]
    if handicap and not book.handicaps:
        findings.add(
            Severity.WARNING,
            "game.handicap-unused",
            f"{book.name} knows no handicap; {len(handicap)} games with one are rated as even.",
            place_of(handicap[0]),
            "Leave such games out, or mark them as not rated.",
        )
    substituted = [game for game in report.games if game.white_for or game.black_for]
    if substituted and not book.substitutes:
        findings.add(
            Severity.WARNING,
            "game.substitute-unused",
            f"{book.name} has no rule for substitutes; {len(substituted)} games are rated for the "
            "players at the board.",
            place_of(substituted[0]),
            "Leave white_for and black_for out.",
        )


def check_validity(book: BookOrSeries, day: date, what: str, last: date | None = None) -> Findings:
    """A warning where the edition was not in force on the day of ``what``, or until ``last``."""
    findings = Findings()
    until = last or day
    if (book.valid_from and day < book.valid_from) or (
        book.valid_until and until > book.valid_until
    ):
        days = f"is of {day}" if until == day else f"is of {day} to {until}"
        findings.add(
            Severity.WARNING,
            "edition.outside-validity",
            f"The {what} {days}; {book.name} was in force from {book.valid_from or '…'} to "
            f"{book.valid_until or 'today'}. It is applied as you asked.",
            remedy="Choose the edition of that time if you want the numbers of that time.",
        )
    return findings


def check_same_game(format_: str, game: str | None, book: BookOrSeries) -> Findings:
    """An error where a format is of another game: a Go result table is no chess event."""
    findings = Findings()
    if game is not None and book.game and game != book.game:
        findings.add(
            Severity.ERROR,
            "edition.other-game",
            f"The file is a {format_} report, which is of {game}; {book.name} rates {book.game}.",
            remedy="Choose an edition of that game; `ratingbook rulebooks` lists them.",
        )
    return findings
