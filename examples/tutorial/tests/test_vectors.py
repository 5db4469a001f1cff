"""Numbers from elsewhere: each line of ``vectors.csv`` is one player's report."""

import csv
from pathlib import Path

import pytest

import nowhere_rating
from ratingbook.engine.rate import rate
from ratingbook.model import Entry, Event, Game, Report, Result, Standing

RESULTS = {"1": Result.WHITE_WINS, "½": Result.DRAW, "0": Result.BLACK_WINS}
TEXT = Path(__file__).with_name("vectors.csv").read_text("utf-8")
VECTORS = list(csv.DictReader(TEXT.splitlines()))


@pytest.mark.parametrize("line", VECTORS, ids=lambda line: line["source"])
def test_vector(line: dict[str, str]) -> None:
    """The rating after the report is that of the source."""
    book = getattr(nowhere_rating, line["edition"].replace("-", "_"))
    standing = (
        Standing(rating=int(line["rating"]), games=int(line["games"])) if line["rating"] else None
    )
    entries, games = [Entry("me", standing=standing)], []
    for number, played in enumerate(line["opponents"].split()):
        rating, _, score = played.partition("=")
        entries.append(Entry(f"{number}", standing=Standing(rating=int(rating), games=100)))
        games.append(Game("me", f"{number}", RESULTS[score]))
    report = Report(Event(end=book.valid_from), tuple(entries), tuple(games))
    rows = {rated.row.id: rated.row for rated in rate(report, book).rows}
    assert rows["me"].after == int(line["after"])
