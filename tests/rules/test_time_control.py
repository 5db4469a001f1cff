"""Time controls in figures and in words: seconds of a game of sixty moves by hand."""

from __future__ import annotations

import pytest

from ratingbook.rules.time_control import (
    Extra,
    Period,
    control_of_seconds,
    minutes_text,
    seconds_text,
)
from ratingbook.rules.time_words import Reading, parsed_time_control, reading_of

# The text, the basic minutes, the seconds a move; the wordings of files, mostly.
WORDINGS = [
    ("90'+30''", 90, 30),
    ("15'+10''", 15, 10),
    ("40/90:30", 120, 0),
    ("1:30:00 + 0:01:00", 90, 60),
    ("40/120:60+30", 180, 30),
    ("10min/player + 5sec/move", 10, 5),
    ("1h30/40 cps + 30 mn + 30 s/cp", 120, 30),
    ("90 minutes pour toute la partie plus 30 secondes par coup dès le premier", 90, 30),
    ("100 min. für 40 Züge, 50 min. für die nächsten 20 Züge, 15 min. für den Rest, "
     "30 sec. pro Zug", 165, 30),
    ("60 Minuten Bedenkzeit ohne Inkrement", 60, 0),
    ("2 uur voor 40 zetten en 1 uur voor de rest", 180, 0),
    ("90 min + 30 s/siirto", 90, 30),
    ("90 minuta + 30 sekundi po potezu", 90, 30),
    ("90 хвилин + 30 секунд на хід", 90, 30),
    ("90分钟+每步30秒", 90, 30),
    ("35 in 75 + 15 QP", 90, 0),
    ("45 min main, 20 moves in 5 min canadian byo yomi", 45, 15),
    ("3 min + 2 sec", 3, 2),
    ("15 min + 10 sec/move", 15, 10),
    ("60 min", 60, 0),
    ("25 minutes + 5 seconds increment", 25, 5),
    ("All moves in 90 minutes, plus 10 seconds per move", 90, 10),
    ("120 minutes per player per game", 120, 0),
    ("1:30 + 10 from move 1", 90, 10),
    ("100'x40mm + 50'x20mm + 30\" from move 1", 150, 30),
    ("100'x40+15'+30\"", 115, 30),
    ("90min/40moves+30min+30sec", 120, 30),
    ("40/6000+30:20/3000+30:1500+30", 175, 30),
    ("Blitz 3+2", 3, 2),
    ("3m+2s", 3, 2),
    ("90/40+30", 90, 30),
    ("15 min. + 10 s. per move", 15, 10),
    ("15 minutes + 10 seconds increment per move", 15, 10),
    ("15 minutes plus 10 sec per move", 15, 10),
    ("40/120, 60", 180, 0),
    ("900+10", 15, 10),
    ("5400+30", 90, 30),
    ("G/90;d5", 90, 5),
    ("40/90,SD/30;d5", 120, 5),
    ("40/80, SD30; +30", 110, 30),
    ("40/90 SD/30 D5", 120, 5),
    ("Game/60, delay 5", 60, 5),
    ("G/25 inc5", 25, 5),
    ("15|10", 15, 10),
    ("90+30+30", 120, 30),
    ("1:30:00+0:30", 90, 30),
    ("01:30 + 00:30", 90, 30),
    ("1:30:00+0:01:00", 90, 60),
    ("0:15+0:10", 15, 10),
    ("00:15:00 + 00:00:10", 15, 10),
    ("30m 1x30s", 30, 30),
    ("60 min p.p.", 60, 0),
    ("Partie longue 1h30", 90, 0),
    ("1h30 + 30s par coup", 90, 30),
    ("1h30 pour 40 coups puis 30 min + 30 sec par coup", 120, 30),
    ("90 Min. für 40 Züge + 30 Min. für den Rest + 30 Sek./Zug ab dem 1. Zug", 120, 30),
    ("2 Stunden für 40 Züge, danach 1 Stunde für den Rest der Partie", 180, 0),
    ("90 минут на 40 ходов, затем 30 минут до конца партии с добавлением 30 секунд на ход",
     120, 30),
    ("15 минут + 10 секунд на каждый ход, начиная с первого хода", 15, 10),
    ("60 minutos + 30 segundos de incremento por movimiento", 60, 30),
    ("90 minuti + 30 secondi a mossa", 90, 30),
    ("90 dakika + 30 saniye eklemeli", 90, 30),
    ("90 perc + 30 mp/lépés", 90, 30),
    ("Tempo gry: 15 minut + 10 sekund na ruch", 15, 10),
    ("1 uur 30 min + 15 sec per zet", 90, 15),
    ("90 minutes for the first 40 moves followed by 30 minutes for the rest of the game with an "
     "addition of 30 seconds per move starting from move one", 120, 30),
    ("1½ h + 30 s", 90, 30),
    ("Fischer 90 + 30", 90, 30),
    ("40m/120' + 60'", 180, 0),
    ("15:00", 15, 0),
    ("90 minutes plus 30 sec plus 30 min after 40 moves", 120, 30),
    ("75 minutes plus 15 seconds a move from the start", 75, 15),
    ("4SS, G15+5", 15, 5),
    ("5SS, G/3 d2 (double round, 10 games)", 3, 2),
    ("5SS, 40/80, SD/30, d30", 110, 30),
    ("2 games 15+10", 15, 10),
    ("Game 5, no increment or delay", 5, 0),
    ("TC: G/90 +30", 90, 30),
    ("40/100 20/50 15+30", 165, 30),
    ("40/120:SD/30;d5", 150, 5),
    ("40 in 90", 90, 0),
    ("25'/10''", 25, 10),
    ("90/30 increment", 90, 30),
    ("1,5 h", 90, 0),
    ("1:30h + 30s", 90, 30),
    ("10 min k.o.", 10, 0),
    ("Game/65 d/10", 65, 10),
    ("G/60;d5", 60, 5),
]  # fmt: skip


@pytest.mark.parametrize(("text", "minutes", "seconds"), WORDINGS, ids=[w[0] for w in WORDINGS])
def test_what_wordings_mean(text: str, minutes: int, seconds: int) -> None:
    control = parsed_time_control(text)
    assert control is not None
    assert (control.minutes, control.seconds) == (minutes, seconds)
    again = parsed_time_control(minutes_text(control))
    assert again is not None
    assert (again.basic, again.extra) == (control.basic, control.extra)


@pytest.mark.parametrize(
    ("text", "reading", "meant"),
    [
        ("3/2", Reading.PLUS, "3+2"),
        ("5 0", Reading.PLUS, "G/5"),
        ("15 10", Reading.PLUS, "15+10"),
        ("60 / 30", Reading.PLUS, "60+30"),
        ("90/30", Reading.PLUS, "90+30"),
        ("G/60/5", Reading.PLUS, "60+5"),
        ("2 x 15 min", Reading.EACH, "G/15"),
        ("2x15 + 5", Reading.EACH, "15+5"),
        ("40/2", Reading.HOURS, "40/120"),
        ("40/2.5", Reading.HOURS, "40/150"),
        ("30/90, SD/1", Reading.HOURS, "30/90,SD/60"),
        ("40/2, 20/1, SD/30", Reading.HOURS, "40/120,20/60,SD/30"),
        ("40/2 SD/1 d5", Reading.HOURS, "40/120,SD/60;d5"),
    ],
)
def test_of_two_meanings_the_one_that_people_play_is_taken_and_named(
    text: str, reading: Reading, meant: str
) -> None:
    control = parsed_time_control(text)
    assert control is not None
    assert (reading_of(text), minutes_text(control)) == (reading, meant)
    assert reading_of(meant) is None
    assert parsed_time_control(meant) == control


@pytest.mark.parametrize("move", [1, 2, 3, 41, 61])
def test_the_move_from_which_an_increment_counts_is_written_and_read(move: int) -> None:
    control = parsed_time_control(f"90 min + 30 sec from move {move}")
    assert control is not None
    assert control.since == move
    assert parsed_time_control(minutes_text(control)) == control


def test_the_control_of_each_side_is_written_and_read() -> None:
    control = parsed_time_control("White 5 min, Black 4 min")
    assert control is not None
    assert (control.periods, control.black) == ((Period(0, 300),), (Period(0, 240),))
    assert parsed_time_control(minutes_text(control)) == control


def test_what_leaves_no_doubt_has_no_reading() -> None:
    assert {reading_of(text) for text, _, _ in WORDINGS} == {None}
    assert reading_of("90+30 or 3/2") is Reading.PLUS


def test_short_periods_in_seconds_are_not_taken_for_hours() -> None:
    control = control_of_seconds("20/100:60")
    assert control is not None
    assert parsed_time_control(minutes_text(control)) == control


def test_moves_and_minutes_in_either_order() -> None:
    for text in ("40/90", "90/40", "90 min/40 moves", "40 moves in 90 minutes", "90'x40"):
        control = parsed_time_control(text)
        assert control is not None, text
        assert control.periods == (Period(40, 90 * 60),), text


@pytest.mark.parametrize(
    "text",
    [
        None, "", "-", "?", "fast", "sixty", "moves/time, increment", "60,5", "60;5", "60 +",
        "+ 30s", "10+5, 3+2", "30/30", "30/2", "2/12", "3 x 15 min",
        "90 30 15", "90 MIN + 30 SEC PLUS", "15-10", "300", "5:00", "60 + 30s + 20s",
        "60; DROP TABLE players", "9" * 400, "1 banana + 2",
    ],
)  # fmt: skip
def test_what_may_mean_several_things_is_not_understood(text: str | None) -> None:
    assert parsed_time_control(text) is None


def test_an_increment_from_a_later_move_counts_from_there() -> None:
    """40/120, 20/60, then 15 minutes and 30 seconds from move 61: none of it within 60 moves."""
    control = control_of_seconds("40/7200:20/3600:900+30")
    assert control is not None
    assert (control.extra, control.since) == (30, 61)
    assert control.seconds_for(60) == 195 * 60
    assert control.seconds_for(62) == 195 * 60 + 60
    words = parsed_time_control("2h/40 moves + 1h/20 moves + 15 min + 30 s from move 61")
    assert words is not None
    assert words.seconds_for(62) == 195 * 60 + 60


def test_each_side_has_its_own() -> None:
    control = parsed_time_control("White 5 min, Black 4 min")
    assert control is not None
    assert (control.periods, control.black) == ((Period(0, 300),), (Period(0, 240),))
    assert control.minutes == 4
    turned = parsed_time_control("4 min black, 5 min white")
    assert turned == control


@pytest.mark.parametrize(
    ("text", "kind", "seconds"),
    [
        ("60 + 3x30s byo-yomi", Extra.BYOYOMI, 30),
        ("60 + 30s fischer", Extra.INCREMENT, 30),
        ("50 + 15 stones in 5 min", Extra.CANADIAN, 20),
        ("50 + 15 moves in 5 min", Extra.CANADIAN, 20),
        ("90 + 30", Extra.UNSAID, 30),
        ("G/60;d5", Extra.DELAY, 5),
    ],
)
def test_kinds_of_what_comes_on_top(text: str, kind: Extra, seconds: int) -> None:
    control = parsed_time_control(text)
    assert control is not None
    assert (control.kind, control.extra) == (kind, seconds)


@pytest.mark.parametrize(
    ("text", "minutes", "back"),
    [
        ("5400+30", "90+30", "5400+30"),
        ("300", "G/5", "300"),
        ("30", "G/0.5", "30"),
        ("180+0", "G/3", "180"),
        ("40/7200:3600", "40/120,SD/60", "40/7200:3600"),
        ("40/5400:1800+30", "40/90,SD/30;+30 from move 41", "40/5400:1800+30"),
        ("40/6000+30:900+30", "40/100,SD/15;+30", "40/6000+30:900+30"),
    ],
)
def test_seconds_become_minutes_and_back(text: str, minutes: str, back: str) -> None:
    control = control_of_seconds(text)
    assert control is not None
    assert minutes_text(control) == minutes
    again = parsed_time_control(minutes)
    assert again is not None
    assert seconds_text(again) == back


@pytest.mark.parametrize(
    "text",
    ["90+30", "120+30", "7:5", "3600:1800", "*180", "40/5400+30:1800+10", "1/86400", "0", "-"],
)
def test_what_cannot_be_seconds(text: str) -> None:
    """90 seconds with 30 a move, or different increments: somebody meant something else."""
    assert control_of_seconds(text) is None


def test_what_seconds_cannot_say() -> None:
    control = parsed_time_control("G/90;d5")
    assert control is not None
    assert seconds_text(control) is None
