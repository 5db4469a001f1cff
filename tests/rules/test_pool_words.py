"""The speed that the name of an event tells."""

from __future__ import annotations

import pytest

from ratingbook.rules.pool_words import SPEED_WORDS, speed_named, speeds_named


@pytest.mark.parametrize(
    ("name", "speed"),
    [
        ("FIDE Women's World Rapid Championship 2024", "rapid"),
        ("Individual: Swiss-System (Rapid)", "rapid"),
        ("swiss (blitz)", "blitz"),
        ("Offene Schnellschachmeisterschaft", "rapid"),
        ("Championnat de Paris Rapide", "rapid"),
        ("Monatsblitzturnier", "blitz"),
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
        ("Rapid City Classic", None),
        ("SK Rapid Wien Open", None),
        ("Rapidity", None),
        ("Vereinsblitz 2024", "blitz"),
        ("Stadtblitzmeisterschaft", "blitz"),
        ("Villám verseny", "blitz"),
        ("Prvenstvo u brzopoteznom šahu", "blitz"),
        ("Državno prvenstvo u ubrzanom šahu", "rapid"),
        ("Pospešeni šah", "rapid"),
        ("MČR v bleskovém šachu", "blitz"),
        ("Pikashakin SM", "blitz"),  # In Finnish "quick chess" is blitz,
        ("Nopean shakin SM", "rapid"),  # and "fast chess" rapid.
        ("Hurtigskakturnering", "rapid"),
        ("Hraðskákmót", "blitz"),
        ("Atskákmót Íslands", "rapid"),
        ("Kiirturniir", "rapid"),
        ("Žaibo turnyras", "blitz"),
        ("Greitųjų šachmatų čempionatas", "rapid"),
        ("Ātrspēles", "rapid"),
        ("Τουρνουά γρήγορου σκακιού", "rapid"),
        ("Torneo Activo", "rapid"),
        ("Torneig Llampec", "blitz"),
        ("שחמט מהיר", "rapid"),
        ("شطرنج خاطف", "blitz"),
        ("全国快棋锦标赛", "rapid"),
        ("超快棋", "blitz"),
        ("ラピッド大会", "rapid"),
        ("Cờ chớp", "blitz"),
        ("Rapid2024", "rapid"),
        ("Blitz3+2", "blitz"),
        ("Șah rapid București", "rapid"),
        ("Cedar Rapids Fall Open", None),
        ("Yıldırım Belediyesi Satranç Turnuvası", None),
        ("Hans Schnell Memorial", None),
        ("Standard Liège", None),
        # A noun that any event may have; it says nothing of its time.
        ("Bay Area Chess Classic", None),
        ("Bay Area Blitz Classic", "blitz"),
        ("swiss (classic)", "standard"),
        ("Rapid and Blitz Festival", None),
        (None, None),
    ],
)
def test_the_speed_of_a_name(name: str | None, speed: str | None) -> None:
    assert speed_named(name) == speed


def test_several_speeds() -> None:
    assert speeds_named("Rapid and Blitz Festival") == ["rapid", "blitz"]


def test_each_word_names_its_speed() -> None:
    for speed, words in SPEED_WORDS.items():
        assert [word for word in words if speeds_named(word) != [speed]] == []
