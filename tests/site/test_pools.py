"""What a pool knows of its lists."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import groupby

import pytest

from ratingbook.office.store import models as m
from ratingbook.rules import registry
from ratingbook.site.shown.pools import Published

FROM, DAYS = date(2011, 1, 1), 3 * 366
BY_LISTS = [
    name for name in (*registry.names(), *registry.families())
    if (bulk := registry.load(name).bulk) is not None and bulk.calendar is not None
]  # fmt: skip


@pytest.mark.parametrize("name", BY_LISTS)
def test_the_days_of_a_list_are_those_that_it_takes(name: str) -> None:
    run = m.Run(rulebook=name, parameters={}, assume=None, until=FROM)
    one = Published(m.Pool(name="pool"), run, 1, None)
    days = [FROM + timedelta(days=number) for number in range(DAYS)]
    lists = {
        taking: list(some) for taking, some in groupby(days, key=one.list_of)
    }  # fmt: skip
    # Of the first and the last one not all days are among those asked.
    for taking, some in list(lists.items())[1:-1]:
        assert taking is not None
        assert one.days_of_list(taking) == (some[0], some[-1])
    assert len(lists) > 3
