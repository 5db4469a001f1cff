"""Names in the letters that an encoding has."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingbook.formats.tools import characters
from ratingbook.formats.tools.characters import in_letters_of, one_line


@pytest.mark.parametrize(
    ("encoding", "text", "expected"),
    [
        ("cp1252", "Müller, José", "Müller, José"),
        ("cp1252", "Mu\u0308ller", "Müller"),
        ("cp1252", "Łukasz Đorđe Čapek", "Lukasz Dorde Capek"),
        ("ascii", "Weiß, Ægir Þór", "Weiss, AEgir Thor"),
        ("ascii", "O’Doe – “Jo”", 'O\'Doe - "Jo"'),
        ("cp1252", "Иван", "Ivan"),
        ("ascii", "Γιώργος", "Giorgos"),
        ("ascii", "🂡", "?"),
        ("ascii", "ﬁne x\u0301\u0302", "fine x"),
        ("iso-8859-1", "€", "?"),
    ],
)
def test_letters_that_an_encoding_has_not(encoding, text, expected):
    assert in_letters_of(encoding, text) == expected


def test_other_scripts_have_no_likeness_without_what_spells_them(monkeypatch):
    monkeypatch.setitem(sys.modules, "anyascii", None)
    characters._speller.cache_clear()
    try:
        assert in_letters_of("cp1252", "Иван, José") == "????, José"
    finally:
        characters._speller.cache_clear()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Doe,\tJo \n", "Doe, Jo"),
        ("Doe\x00Jo\x85X\u2028Y", "Doe Jo X Y"),
        ("D\u202eo\ud800e", "Doe"),
        ("Müller\u00a0Ł", "Müller Ł"),
    ],
)
def test_one_line(text, expected):
    assert one_line(text) == expected


@given(st.text(st.characters()), st.sampled_from(["ascii", "cp1252", "iso-8859-1", "utf-8"]))
def test_any_text_can_be_encoded(text, encoding):
    clean = in_letters_of(encoding, one_line(text))
    assert clean.encode(encoding).decode(encoding) == clean
    assert one_line(clean) == " ".join(clean.split())
