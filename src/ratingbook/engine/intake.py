"""Checks of a report that hold whatever the format and the rule book."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date

from ratingbook.model import (
    Colour,
    Entry,
    Findings,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
)
from ratingbook.rules.book import AnyRuleBook


def check_report(report: Report) -> Findings:
    """What is wrong or odd in the report itself."""
    findings = Findings()
    _check_players(report, findings)
    _check_dates(report, findings)
    ids = {entry.id for entry in report.entries}
    for game in report.games:
        _check_game(game, ids, findings)
    _check_pairs(report.games, findings)
    _tell_repeated(report.games, findings)
    _tell_two_in_a_round(report.games, findings)
    _tell_unfinished(report.games, findings)
    if not report.entries:
        findings.add(
            Severity.ERROR, "report.no-players", "The report holds no player.",
            remedy="Add the players and their games.",
        )  # fmt: skip
    elif not report.games:
        findings.add(
            Severity.WARNING, "report.no-games", "The report holds no game: nothing is rated.",
            remedy="Add the games, or wait for the first round.",
        )  # fmt: skip
    return findings


def check_for(report: Report, book: AnyRuleBook) -> Findings:
    """What the rule book needs to know of any report: dates and ratings within range."""
    findings = Findings()
    low, high = book.rating_range
    for entry in report.entries:
        rating = entry.standing.rating if entry.standing else None
        if rating is not None and not low <= rating <= high:
            findings.add(
                Severity.ERROR,
                "player.rating-range",
                f"Player {entry.id} has the rating {rating:g}; a rating in {book.name} lies "
                f"between {low} and {high}.",
                entry.place,
                "Correct the rating, or leave it out for an unrated player.",
            )
        if book.whole_ratings:
            _check_whole(entry, findings)
        beyond = [
            frozen
            for frozen in entry.history
            if not low <= frozen.opponent <= high
            or not low <= (low if frozen.own is None else frozen.own) <= high
        ]
        if beyond:
            findings.add(
                Severity.ERROR,
                "player.history-range",
                f"The history of player {entry.id} holds a rating that is none in {book.name}: "
                f"{beyond[0].opponent:g} ({len(beyond)} in all).",
                entry.place,
                f"A rating lies between {low} and {high}.",
            )
        for decision in entry.decisions.keys() - book.decisions - {"reason"}:
            findings.add(
                Severity.WARNING,
                "decision.unknown",
                f"{book.name} knows no decision {decision!r}; it is not used for player "
                f"{entry.id}.",
                entry.place,
                f"It knows: {', '.join(sorted(book.decisions)) or 'none'}.",
            )
    for game in report.games:
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
    if day is not None:
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


def check_validity(book: AnyRuleBook, day: date, what: str) -> Findings:
    """A warning where the edition was not in force on the day of ``what``."""
    findings = Findings()
    if (book.valid_from and day < book.valid_from) or (book.valid_until and day > book.valid_until):
        findings.add(
            Severity.WARNING,
            "edition.outside-validity",
            f"The {what} is of {day}; {book.name} was in force from {book.valid_from or '…'} to "
            f"{book.valid_until or 'today'}. It is applied as you asked.",
            remedy="Choose the edition of that time if you want the numbers of that time.",
        )
    return findings


def _tell_unused(report: Report, book: AnyRuleBook, findings: Findings) -> None:
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
            f"Player {entry.id} brings the rating {broken[0]}, which is no whole number "
            f"({len(broken)} such in all).",
            entry.place,
            "Give the ratings of the published lists.",
        )


def place_of(game: Game, player: str | None = None) -> Place:
    """Where a game stands, for a finding."""
    place = game.place
    return Place(
        file=place.file,
        line=place.line,
        column=place.column,
        section=game.section,
        player=player or game.white,
        round=game.round,
        path=place.path,
    )


def _check_players(report: Report, findings: Findings) -> None:
    for player, count in Counter(entry.id for entry in report.entries).items():
        if count > 1:
            findings.add(
                Severity.ERROR,
                "player.duplicate",
                f"{count} players have the id {player}.",
                Place(player=player),
                "Give every player an id of his own.",
            )
    _check_standings(report, findings)
    names = defaultdict(list)
    for entry in report.entries:
        if entry.name and entry.name != entry.id:
            names[entry.name.casefold(), entry.birth_date].append(entry)
    for same in names.values():
        if len(same) > 1:
            findings.add(
                Severity.WARNING,
                "player.same-name",
                f"Players {', '.join(e.id for e in same)} have the same name, {same[0].name}.",
                same[0].place,
                "If this is one person who entered again, give both entries one id.",
            )


def _check_standings(report: Report, findings: Findings) -> None:
    """Standings that contradict themselves, or say less than they seem to."""
    without = []
    for entry in report.entries:
        standing = entry.standing
        if standing is None:
            continue
        results = [n for n in (standing.wins, standing.draws, standing.losses) if n is not None]
        if standing.games is not None and sum(results) > standing.games:
            findings.add(
                Severity.WARNING,
                "player.results-sum",
                f"Player {entry.id} has {standing.games} rated games, but {sum(results)} wins, "
                "draws and losses together.",
                entry.place,
                "Correct the number that is wrong.",
            )
        if standing.rating is None and standing.games and standing.status is None:
            without.append(entry)
    if without:
        findings.add(
            Severity.INFO,
            "player.no-rating",
            f"Standings with games but no rating count as unrated: {len(without)} in all, the "
            f"first of player {without[0].id}.",
            without[0].place,
            "Give the rating, if there is one.",
        )


def _check_dates(report: Report, findings: Findings) -> None:
    event = report.event
    if event.start and event.end and event.end < event.start:
        findings.add(
            Severity.WARNING,
            "event.dates-reversed",
            f"The event ends on {event.end}, before it starts on {event.start}.",
            remedy="Correct the dates; they settle which ratings and which list count.",
        )


def _check_game(game: Game, ids: set[str], findings: Findings) -> None:
    for player in (game.white, game.black, game.white_for, game.black_for):
        if player is not None and player not in ids:
            findings.add(
                Severity.ERROR,
                "game.unknown-player",
                f"A game names player {player}, who is not among the players.",
                place_of(game, player),
                "Add the player, or correct the id.",
            )
    if game.start and game.end and game.end < game.start:
        findings.add(
            Severity.WARNING,
            "game.dates-reversed",
            f"The game of {game.white} and {game.black or 'nobody'} ends on {game.end}, before "
            f"it starts on {game.start}.",
            place_of(game),
            "Correct the dates.",
        )
    if {game.white_for, game.black_for} & {game.white, game.black} - {None}:
        findings.add(
            Severity.ERROR,
            "game.substitute",
            f"In a game of {game.white} and {game.black} a substitute replaces one of the two.",
            place_of(game),
            "white_for and black_for name the players who should have played.",
        )
    if game.white == game.black:
        findings.add(
            Severity.ERROR,
            "game.self",
            f"Player {game.white} plays against himself.",
            place_of(game),
            "Correct the opponent.",
        )
    if game.black is not None and game.status is GameStatus.BYE:
        findings.add(
            Severity.WARNING,
            "game.bye-with-opponent",
            f"A bye of player {game.white} names an opponent, {game.black}; it is not rated.",
            place_of(game),
            "Give the game its status, or leave the opponent out.",
        )
    if game.black is None and game.status is not GameStatus.BYE:
        findings.add(
            Severity.ERROR,
            "game.no-opponent",
            f"A game of player {game.white} has no opponent.",
            place_of(game),
            "Name the opponent, or give the status bye.",
        )


def _check_pairs(games: Iterable[Game], findings: Findings) -> None:
    """Two games of the same pair in one round: a slip, whatever their results."""
    seen: dict[tuple[object, ...], Game] = {}
    for game in games:
        if game.round is None or game.black is None or game.white == game.black:
            continue
        pair = frozenset((game.white, game.black))
        first = seen.setdefault((game.event, game.section, game.round, pair), game)
        if first is game:
            continue
        if first.result.half_points(Colour.WHITE) == _as_seen_from(first.white, game):
            findings.add(
                Severity.ERROR,
                "game.duplicate",
                f"{game.white} and {game.black} have the same game twice in round {game.round}.",
                place_of(game),
                "Remove one, or give the second game a round of its own.",
            )
        else:
            findings.add(
                Severity.ERROR,
                "game.contradiction",
                f"Two results of the game between {game.white} and {game.black} in round "
                f"{game.round} contradict each other.",
                place_of(game),
                "Keep the right one.",
            )


def _tell_two_in_a_round(games: Iterable[Game], findings: Findings) -> None:
    """A player with two opponents in one round: a slip in a Swiss, usual in a league."""
    opponents: dict[tuple[object, ...], set[str]] = defaultdict(set)
    for game in games:
        if game.round is not None and game.black is not None:
            for one, other in ((game.white, game.black), (game.black, game.white)):
                opponents[game.event, game.section, game.round, one].add(other)
    several = [(key, met) for key, met in opponents.items() if len(met) > 1]
    if several:
        (*_, round_, player), met = several[0]
        findings.add(
            Severity.WARNING,
            "game.two-in-round",
            f"Players meet several opponents in one round; all games are rated: {len(several)} "
            f"cases, the first player {player} in round {round_} ({', '.join(sorted(met))}).",
            Place(player=str(player)),
            "Correct the rounds, or the opponents, if this is a slip.",
        )


def _tell_repeated(games: Iterable[Game], findings: Findings) -> None:
    """Without rounds a second game of a pair with the same colours may be a slip."""
    pairings = Counter(
        (game.event, game.section, game.start, game.white, game.black)
        for game in games
        if game.round is None and game.black is not None
    )
    repeated = [pairing for pairing, count in pairings.items() if count > 1]
    if repeated:
        *_, white, black = repeated[0]
        findings.add(
            Severity.WARNING,
            "game.repeated",
            "Players have several games with the same colours and no round; all are rated: "
            f"{len(repeated)} pairs, the first {white} and {black}.",
            Place(player=white),
            "Give the games their rounds, or remove what stands there twice.",
        )


def _as_seen_from(player: str, game: Game) -> int | None:
    return game.result.half_points(Colour.WHITE if game.white == player else Colour.BLACK)


def _tell_unfinished(games: Iterable[Game], findings: Findings) -> None:
    open_games = [
        game
        for game in games
        if game.result is Result.NONE and game.status is GameStatus.PLAYED and game.black
    ]
    if open_games:
        findings.add(
            Severity.WARNING,
            "game.unfinished",
            f"Games without a result are not rated: {len(open_games)} in all, the first between "
            f"{open_games[0].white} and {open_games[0].black}.",
            place_of(open_games[0]),
            "Send the report again when they are finished.",
        )
