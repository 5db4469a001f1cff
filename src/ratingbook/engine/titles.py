"""What games are called in an explanation, so that no two of a player are called the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ratingbook.model import Colour, Game
from ratingbook.model.sentences import Sentence, row_of, sentence
from ratingbook.rules.wording import label


def game_titles(games: Sequence[Game], player: str, name_of: Callable[[str], str]) -> list[str]:
    """Games as their player would name them.

    Those that are alike are told apart by their sections, and those of one section by their order.
    """
    where = [[game.event] if game.event else [] for game in games]

    def titles() -> list[str]:
        return [
            _title(game, player, name_of, said) for game, said in zip(games, where, strict=True)
        ]

    made = titles()
    for tell in (_section, _order):
        count, seen = Counter(made), Counter[str]()
        if len(count) == len(made):
            break
        for game, said, title in zip(games, where, made, strict=True):
            seen[title] += 1
            if count[title] > 1:
                said.extend(tell(game, seen[title], count[title]))
        made = titles()
    return made


def _section(game: Game, place: int, count: int) -> list[str]:
    del place, count
    return [sentence("section {section}", section=game.section)] if game.section else []


def _order(game: Game, place: int, count: int) -> list[str]:
    del game
    return [sentence("game {n} of {count} alike", n=place, count=count)]


def _title(game: Game, player: str, name_of: Callable[[str], str], where: Sequence[str]) -> str:
    colour = Colour.WHITE if player in (game.white, game.white_for) else Colour.BLACK
    opponent = game.player(colour.other)
    words = {"opponent": label(opponent, name_of(opponent)) if opponent else "nobody"}
    pattern = f"{colour} against {{opponent}}"
    if game.round is not None:
        words["n"], pattern = str(game.round), f"round {{n}}, {pattern}"
    if where:
        words["event"] = where[0] if len(where) == 1 else row_of(where)
        pattern = f"{{event}}, {pattern}"
    return Sentence.of(pattern, words)
