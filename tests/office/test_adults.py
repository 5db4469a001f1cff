"""What reports say of ages stands in public bundles only where a number rests on it."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest

from ratingbook.office import bundle
from ratingbook.office.acts import bundles, setup
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from tests.office.test_beyond import published, rated
from tests.office.test_unused import LONG, TWO, game, player, report

RATED = [
    {**each, "ids": {"uscf": f"1000000{each['id']}"}, "standing": {"rating": 1500, "games": 40},
     "adult": is_adult}
    for each, is_adult in zip(TWO, (True, False), strict=True)
]  # fmt: skip
NEW = [player("3", "Charlie, Chris"), player("4", "Delta, Dora", adult=True)]
GAMES = [game("4", "1"), game("3", "2", round=2), game("1", "2", round=3)]


def adults(folder):
    """Of whom a bundle says anything: adult, or not."""
    players = pq.read_table(folder / "players.parquet")
    if "adult" not in players.column_names:
        return {}
    rows = zip(players["id"].to_pylist(), players["adult"].to_pylist(), strict=True)
    return {player: said for player, said in rows if said is not None}


@pytest.mark.parametrize("new", [True, False])
def test_who_is_adult_stands_in_a_bundle_where_a_first_rating_rests_on_it(officer, tmp_path, new):
    said = report([*RATED, *NEW], GAMES if new else GAMES[2:], **LONG)
    rated(officer, tmp_path, "uscf-2011", said, {})
    published(officer, 1)
    home, one = setup.open_office(officer.folder), m.List.objects.get()
    dora = {str(each): True for each in m.Link.objects.filter(entry__number="4").values_list(
        "person", flat=True
    )}  # fmt: skip
    for folder, options in (("all", {}), ("auditor", {"with_birth_dates": True})):
        bundles.write_bundle(home, one, tmp_path / folder, Who("tina"), **options)
        checked = bundle.verify(tmp_path / folder)
        assert not any(each.severity.refuses for each in checked.findings), list(checked.findings)
    assert adults(tmp_path / "all") == dora
    assert len(adults(tmp_path / "auditor")) == (3 if new else 2)
