"""What an edition needs to know of any report: its day, and ratings that it can hold."""

from __future__ import annotations

from datetime import date

from ratingbook.engine.intake.games import place_of
from ratingbook.model import Colour, Entry, Findings, Report, Severity
from ratingbook.model.sentences import sentence, stated
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import BookOrSeries, Series
from ratingbook.rules.wording import called, either


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
                sentence(
                    "Player {called} has the rating {rating:g}; a rating in {name} "
                    "lies between {low} and {high}.",
                    called=called(entry),
                    rating=rating,
                    name=book.name,
                    low=low,
                    high=high,
                ),
                entry.place,
                sentence("Correct the rating, or leave it out for an unrated player."),
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
                sentence(
                    "The history of player {called} holds a rating that is none in "
                    "{name}: {beyond} {beyond2:g} ({len} in all).",
                    called=called(entry),
                    name=book.name,
                    beyond=beyond[0][0],
                    beyond2=beyond[0][1],
                    len=len(beyond),
                ),
                entry.place,
                sentence("Correct it; a rating lies between {low} and {high}.", low=low, high=high),
            )
        unknown = entry.decisions and entry.decisions.keys() - book.decisions - {"reason"}
        for decision in sorted(unknown):
            findings.add(
                Severity.WARNING,
                "decision.unknown",
                sentence(
                    "{name} knows no decision {decision!r}; it is not used for player {called}.",
                    name=book.name,
                    decision=decision,
                    called=called(entry),
                ),
                entry.place,
                sentence(
                    "It knows: {what}.", what=", ".join(sorted(book.decisions)) or sentence("none")
                ),
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
                    sentence(
                        "{colour} has the rating {rating:g} in this game; a rating in "
                        "{name} lies between {low} and {high}.",
                        colour=stated(colour.capitalize()),
                        rating=rating,
                        name=book.name,
                        low=low,
                        high=high,
                    ),
                    place_of(game, game.player(colour)),
                    sentence("Correct the rating of the game, or leave it out."),
                )
            elif rating is not None and book.whole_ratings and rating % 1:
                findings.add(
                    Severity.ERROR,
                    "rating.not-whole",
                    sentence(
                        "{colour} has the rating {rating} in this game; ratings in "
                        "{name} are whole numbers.",
                        colour=stated(colour.capitalize()),
                        rating=rating,
                        name=book.name,
                    ),
                    place_of(game, game.player(colour)),
                    sentence("Give the rating of the published list."),
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
            sentence(
                "{name} is applied with other parameters than its own: {all}.",
                name=book.name,
                all=", ".join(settings),
            ),
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
            sentence(
                "The report names no day; of the editions of {name} the latest, "
                "{name2}, is applied.",
                name=series.name,
                name2=book.name,
            ),
            remedy=sentence("Give the event its start and end, or name an edition."),
            assumed=True,
        )
    elif series.valid_from is not None and day < series.valid_from:
        findings.add(
            Severity.WARNING,
            "edition.before-first",
            sentence(
                "{name}: no edition is known for {day}; the first, {name2}, of "
                "{valid_from} is applied.",
                name=series.name,
                day=day,
                name2=book.name,
                valid_from=book.valid_from,
            ),
            remedy=sentence("Look at the day of the event."),
            assumed=True,
        )
    else:
        until = book.valid_until or sentence("today")
        findings.add(
            Severity.INFO,
            "edition.chosen",
            sentence(
                "{name}: {name2} is applied, the edition for {day}: in force from "
                "{valid_from} to {until}.",
                name=series.name,
                name2=book.name,
                day=day,
                valid_from=book.valid_from,
                until=until,
            ),
            remedy=sentence("Name an edition to rate with it whatever the day."),
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
            sentence(
                "Player {called} brings the rating {broken}, which is no whole "
                "number ({len} such in all).",
                called=called(entry),
                broken=broken[0],
                len=len(broken),
            ),
            entry.place,
            sentence("Give the ratings of the published lists."),
        )


def _tell_unused(report: Report, book: RuleBook, findings: Findings) -> None:
    """What the report says and the edition does not use."""
    handicap = [game for game in report.games if game.handicap]
    if handicap and not book.handicaps:
        findings.add(
            Severity.WARNING,
            "game.handicap-unused",
            either(
                len(handicap),
                "{name} knows no handicap; {count} game with one is rated as even.",
                "{name} knows no handicap; {count} games with one are rated as even.",
                name=book.name,
            ),
            place_of(handicap[0]),
            sentence("Leave such games out, or mark them as not rated."),
        )
    substituted = [game for game in report.games if game.white_for or game.black_for]
    if substituted and not book.substitutes:
        findings.add(
            Severity.WARNING,
            "game.substitute-unused",
            either(
                len(substituted),
                "{name} has no rule for substitutes; {count} game is rated for the players at the "
                "board.",
                "{name} has no rule for substitutes; {count} games are rated for the players at "
                "the board.",
                name=book.name,
            ),
            place_of(substituted[0]),
            sentence("Leave white_for and black_for out."),
        )


_SUBJECTS = {
    "event": sentence("The event"), "list": sentence("The list"),
    "history": sentence("The history"), "world": sentence("The simulated world"),
    "reform": sentence("The reform"),
}  # fmt: skip


def check_validity(book: BookOrSeries, day: date, what: str, last: date | None = None) -> Findings:
    """A warning where the edition was not in force on the day of ``what``, or until ``last``."""
    findings = Findings()
    until = last or day
    if (book.valid_from and day < book.valid_from) or (
        book.valid_until and until > book.valid_until
    ):
        days = sentence("is of {day}", day=day)
        if until != day:
            days = sentence("is of {day} to {until}", day=day, until=until)
        findings.add(
            Severity.WARNING,
            "edition.outside-validity",
            sentence(
                "{subject} {days}; {name} was in force from {since} to {until}. "
                "It is applied as you asked.",
                subject=_SUBJECTS[what],
                days=days,
                name=book.name,
                since=book.valid_from or "…",
                until=book.valid_until or sentence("today"),
            ),
            remedy=sentence(
                "Choose the edition of that time if you want the numbers of that time."
            ),
        )
    return findings


def is_of_game(game: str | None, book: BookOrSeries) -> bool:
    """Whether a rule book rates what a format of this game holds; None: that of any."""
    return game is None or not book.game or game == book.game


def check_same_game(format_: str, game: str | None, book: BookOrSeries) -> Findings:
    """An error where a format is of another game: a Go result table is no chess event."""
    findings = Findings()
    if not is_of_game(game, book):
        findings.add(
            Severity.ERROR,
            "edition.other-game",
            sentence(
                "The file is a {format} report, which is of {game}; {name} rates {game2}.",
                format=format_,
                game=game,
                name=book.name,
                game2=book.game,
            ),
            remedy="Choose an edition of that game; `ratingbook rulebooks` lists them.",
        )
    return findings
