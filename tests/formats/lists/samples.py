"""Made players of every list, as Hypothesis draws them."""

from __future__ import annotations

import string

from hypothesis import strategies as st

from ratingbook.formats.lists import FidePlayer, IccfPlayer, IecgPlayer, Rated
from ratingbook.formats.tools.characters import one_line

_PLAIN = string.ascii_letters + string.digits + " ,.'-()=+@;&<"


def names(*, ascii_only: bool) -> st.SearchStrategy[str]:
    """Names with single blanks, up to the width of FIDE's column."""
    letters = _PLAIN if ascii_only else None
    text = st.text(letters, max_size=60) if letters else st.text(max_size=60)
    return text.map(one_line)


def rated() -> st.SearchStrategy[Rated | None]:
    """A place in a pool as a reader gives it."""
    games = st.none() | st.integers(0, 999)
    k = st.none() | st.sampled_from([10, 15, 20, 25, 40])
    found = st.builds(Rated, st.none() | st.integers(100, 3999), games, k)
    return found.map(lambda each: None if each in (Rated(), Rated(games=0)) else each)


def fide_players(*, ascii_only: bool) -> st.SearchStrategy[FidePlayer]:
    """Players as FIDE's list can hold them."""
    return st.builds(
        FidePlayer,
        st.integers(1, 999_999_999).map(str),
        names(ascii_only=ascii_only),
        st.sampled_from(["", "AUT", "GER", "FID"]),
        st.sampled_from(["", "M", "F"]),
        st.sampled_from(["", "GM", "WGM", "CM"]),
        st.sampled_from(["", "WGM", "WFM"]),
        st.sampled_from(["", "IA", "IA,FT", "SI,FI,LSI,SLI"]),
        st.sampled_from(["", "AGM", "ACM"]),
        rated(),
        rated(),
        rated(),
        st.none() | st.integers(1900, 2020),
        st.sampled_from(["", "i", "w", "wi"]),
    )


def counts() -> st.SearchStrategy[int | None]:
    """A number of a list, or nothing."""
    return st.none() | st.integers(0, 99_999)


def ratings() -> st.SearchStrategy[int | None]:
    """A rating, or nothing."""
    return st.none() | st.integers(1, 3500)


def numbers() -> st.SearchStrategy[str]:
    """Numbers of players, some with letters."""
    return st.text(string.ascii_letters + string.digits, min_size=1, max_size=20)


def texts() -> st.SearchStrategy[str]:
    """Texts without what the lists cannot hold."""
    return st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=30).map(
        lambda text: text.replace(";", ",").strip()
    )


def iccf_players() -> st.SearchStrategy[IccfPlayer]:
    """Players as ICCF's list can hold them."""
    return st.builds(
        IccfPlayer, numbers(), texts(), texts(), texts(), counts(), ratings(),
        st.sampled_from(["", "M", "F"]),
    )  # fmt: skip


def iecg_players() -> st.SearchStrategy[IecgPlayer]:
    """Players as the IECG list can hold them."""
    return st.builds(
        IecgPlayer, counts(), counts(), numbers(), texts(), texts(), ratings(), ratings(),
        counts(), counts(), counts(), counts(),
    )  # fmt: skip
