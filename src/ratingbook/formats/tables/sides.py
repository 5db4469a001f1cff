"""Columns of the same name beside White and Black: their order tells whose they are."""

from __future__ import annotations

from dataclasses import replace

from ratingbook.formats.tables.mapping import AMBIGUOUS, PAIRS, Block, Shape
from ratingbook.formats.tables.words import OF_A_SIDE, key
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Colour, Severity
from ratingbook.model.sentences import sentence

BY_ORDER = Remark(
    "table.by-order",
    Severity.INFO,
    "Two columns have the same name; the order of the columns tells whose they are",
    "Look whether this is right; names such as White Elo and Black Elo leave no doubt.",
)


def tell_sides_apart(block: Block, notes: Notes) -> None:
    """Give the columns of a list of games that stand twice to the two sides."""
    columns = block.head.columns
    if block.head.shape is not Shape.GAMES:
        return
    pair = next(pair for pair in PAIRS if pair[0] in columns and pair[1] in columns)
    found = dict(columns)
    for name in OF_A_SIDE:
        fields = _fields(name, pair)
        if name not in found or not found.keys().isdisjoint(fields):
            continue
        shared = _shared(columns[name], columns[pair[0]], columns[pair[1]])
        # An Elo and a national rating may both be White's.
        if shared and len({key(block.head.row.cell(column)) for column in shared}) == 1:
            del found[name]
            for field, column in zip(fields, shared, strict=True):
                found[field] = (column,)
            header = block.head.row.cell(shared[0])
            what = sentence("{header} as {fields}", header=header, fields=" and ".join(fields))
            notes.add(BY_ORDER, what, block.sheet.place(block.head.row.number, shared[0]))
    if _is_lone_rating(block, found.get("rating", ()), notes):
        del found["rating"]
    if found != columns:
        in_order = sorted(found.items(), key=lambda item: item[1])
        block.head = replace(block.head, columns=dict(in_order))


def _fields(name: str, pair: tuple[str, str]) -> tuple[str, ...]:
    """The fields of the two sides; ratings are those of White and Black in any list."""
    if name == "rating":
        return tuple(f"{colour.value}_rating" for colour in Colour)
    return tuple(f"{side.removesuffix('_name').removesuffix('_id')}_{name}" for side in pair)


def _shared(
    at: tuple[int, ...], white: tuple[int, ...], black: tuple[int, ...]
) -> tuple[int, int] | None:
    """The columns of White and of Black; None where the order does not tell.

    Of two columns each has to stand at another side of the two players' columns: before
    both, between them, or behind both.
    """
    if (len(at), len(white), len(black)) != (2, 1, 1):
        return None
    players = white[0], black[0]
    zones = [sum(player < column for player in players) for column in at]
    if zones[0] == zones[1]:
        return None
    return (at[0], at[1]) if players[0] < players[1] else (at[1], at[0])


def _is_lone_rating(block: Block, at: tuple[int, ...], notes: Notes) -> bool:
    """Whether there is one rating in each row, so that nobody can tell whose it is."""
    if len(at) != 1 or not any(row.cell(at[0]) for row in block.rows):
        return False
    what = sentence(
        "{header} could be the rating of either player", header=block.head.row.cell(at[0])
    )
    notes.add(AMBIGUOUS, what, block.sheet.place(block.head.row.number, at[0]))
    return True
