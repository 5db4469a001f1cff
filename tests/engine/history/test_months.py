"""The months of events, by the events where that is enough."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ratingbook.engine.history.months import MonthSpans, month_keys, months_of_games
from ratingbook.engine.history.spans import Spans

EVENTS = 4

games = st.lists(
    st.tuples(st.integers(0, EVENTS - 1), st.integers(-40, 90), st.integers(0, 45)), max_size=30
)


@settings(deadline=None)
@given(games)
def test_the_months_are_those_of_all_games_one_by_one(games):
    events = np.array([event for event, _, _ in games], np.int32)
    days = np.array([begun + more for _, begun, more in games], np.int32)
    begun = np.array([begun for _, begun, _ in games], np.int32)
    spans = Spans.of(begun, days, events, EVENTS)
    found = months_of_games(events, days, begun, spans)
    wanted = MonthSpans.of(month_keys(events, days), begun, days)
    for name in ("keys", "start", "end"):
        assert getattr(found, name).tolist() == getattr(wanted, name).tolist()
