"""The speed that the name of an event tells."""

from __future__ import annotations

import pytest

from ratingbook.rules.pool_words import speed_named, speeds_named


@pytest.mark.parametrize(
    ("name", "speed"),
    [
        ("FIDE Women's World Rapid Championship 2024", "rapid"),
        ("Individual: Swiss-System (Rapid)", "rapid"),
        ("swiss (blitz)", "blitz"),
        ("Offene Schnellschachmeisterschaft", "rapid"),
        ("Championnat de Paris Rapide", "rapid"),
        ("Monatsblitzturnier", None),
        ("Blitz-Turnier Musterstadt", "blitz"),
        ("Кубок города, активные шахматы", "rapid"),
        ("Первенство по быстрым шахматам", "rapid"),
        ("Чемпионат города (блиц)", "blitz"),
        ("Torneo Semilampo", "rapid"),
        ("Torneo relámpago", "blitz"),
        ("Szachy błyskawiczne", "blitz"),
        ("Mistrzostwa w szachach szybkich", "rapid"),
        ("Yıldırım Turnuvası", "blitz"),
        ("Lynskak", "blitz"),
        ("Hurtigskak", "rapid"),
        ("Rated Bullet game", "bullet"),
        ("Spring Open", None),
        ("Grand Rapids Open", None),
        ("Rapid City Classic", "standard"),
        ("SK Rapid Wien Open", None),
        ("Rapidity", None),
        ("Rapid and Blitz Festival", None),
        (None, None),
    ],
)
def test_the_speed_of_a_name(name: str | None, speed: str | None) -> None:
    assert speed_named(name) == speed


def test_several_speeds() -> None:
    assert speeds_named("Rapid and Blitz Festival") == ["rapid", "blitz"]
