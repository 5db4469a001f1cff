"""Time controls as people write them, in many words and several languages.

A word that is not known makes the whole text not understood.  Where bare figures leave two
meanings and only one is of a game that people play, that one is taken, and :func:`reading_of`
names it: nothing is guessed in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from ratingbook.model.patterns import pattern
from ratingbook.rules.pool_words import SPEED_WORDS, folded
from ratingbook.rules.time_control import (
    Extra,
    Period,
    TimeControl,
    control_of_seconds,
    in_seconds_form,
    is_by_days,
)

_LONGEST_TEXT = 200
_DAYS = r"(?:days?|tagen?|jours?|dias?|giorn[io]|dagar?|dager|dagen?|dni|dni[ae]|dnu|дн[а-я]*)"
_MOVES = r"(?:moves?|zugen?|zuge?|coups?|jugadas?|lances?|mosse|mossa|zetten|ruchow|tahu|ход[а-я]*)"
_FOR = r"(?:per|a|for|fur|pro|je|par|por|para|al|ogni|na|za|за|на|в|in|en|innerhalb|w|pour)"
_BY_MAIL = pattern(
    rf"\d\s*{_DAYS}\W*(?:{_FOR}\W+)?(?:\d+\W*)?{_MOVES}"
    rf"|{_MOVES}\W*(?:{_FOR}\W+)?\d+\W*{_DAYS}"
    r"|\bcorr(?:esp|\b)|\bfernschach|\bfernpartie|\bkorrespond|\bpostal|\be-?mail\b|переписк"
)
"""Words of games that are played by days."""
_MOST_MINUTES = 240
"""No period has more minutes where only a number is said; from 600 on it is seconds."""
_LEAST_SECONDS = 600
_FEWEST_MOVES = 20
"""No period by moves has fewer where only numbers are said."""
_USUAL_MOVES = 40
_MOVES_OF_HOURS = (35, 36, 40, 45, 50)
"""The moves of ``40/2`` where nothing follows; 30/1 may be 30 minutes and a second."""
_MOST_HOURS = 2.5
"""So few minutes for moves, or for the rest behind moves, are hours: ``40/2, 20/1, SD/1``."""
_INCREMENTS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 45, 60)
"""The seconds a move of ``15/10`` and ``15 10``."""


class Reading(Enum):
    """What was taken of two things that a text may mean, as one says it."""

    HOURS = "small numbers behind moves are hours"
    PLUS = "the second number is seconds a move"
    EACH = "both players have the time"


_VOCABULARY = {
    "HOUR": "h hr hrs hour hours hora horas heure heures std stunde stunden uur uren ora ore godz "
    "godzina godziny godzin час часа часов ч година години годин hodina hodiny hodin saat tim "
    "timme timmar sat sata óra ώρα ώρες 小时 小時 時間",
    "MIN": "m mn min mins minute minutes minuten minuut minuta minutas minuto minutos minuti "
    "minutu minut minuty minuter minutter minuuttia мин минут минута минуты минути хв хвилин "
    "хвилини dk dak dakika perc λεπτά λ 分 分钟 分鐘 minuten' menit phut",
    "SEC": "s sec secs second seconds sek sekunde sekunden secunden seconden seg segs segundo "
    "segundos secondo secondi seconde secondes secunde sekund sekundy sekunda sekundi sekunder "
    "sekuntia vteřin vteřiny vteřina сек секунд секунда секунды секунди секунду с sn saniye mp "
    "másodperc másodperccel δευτερόλεπτα 秒 detik giay",
    "MOVES": "move moves mv mvs mm mosse mossa zug züge zuege zügen zuegen coup coups cp cps "
    "jugada jugadas movimiento movimientos mov lance lances posunięć posunięcie ruchów ruch хід "
    "ход хода ходов ходы ходу потез потеза potez poteza potezu hamle hamlede zet zetten drag trekk "
    "træk lépés siirto siirtoa tah tahů tahy ťah ťahov κίνηση κινήσεις mutare mutări 步 手 手目",
    "STONES": "stone stones stein steine pierres камней kamieni kamenů",
    "PER": "per pro par por a à each every je jede jeden jedem jeder chaque cada ogni за на na za "
    "op elke iedere varje hver för kaikki başına pe ανά каждый каждому każde każdy 每 pr po",
    "ALL": "all alle tous toute toutes todos todas tutte tutti все rest remaining remainder "
    "restliche restlichen reste restantes restanti оставшиеся остаток остальные whole entire "
    "gesamte ganze",
    "REST": "g sd game games partie partien parties partida partita партию партия партии partię "
    "qp dohrání dohranie match end fin finish ende ko qpf guillotine sudden death konca koniec "
    "конца spiel finale",
    "PLUS": "plus with and und et y e и i og och ve та і con mit avec com z więcej zuzüglich zzgl "
    "más mas più piu mais плюс sowie oraz en met s",
    "THEN": "then dann danach puis ensuite luego después poi depois затем потом далее potem "
    "következő sonra after afterwards anschließend anschliessend followed następnie",
    "FROM": "from starting ab beginning since desde od dal dalla vanaf fra från depuis начиная "
    "partir dès ab",
    "FIRST": "first ersten erstem erster one premier première primer primera primo prima primeiro "
    "start outset "
    "первого первый первой pierwszego ilk eerste första første prvého prvního",
    "INC": "i inc incr increment increments inkrement incremento incrément fischer zuschlag bonus "
    "zeitgutschrift gutschrift zeitzugabe zugabe cumulative cumulatively добавление добавлением "
    "добавка добавления приращением приращение прибавлением bonificación bonificacion abbuono "
    "ajout inkrementem inkrementu eklemeli dodatak",
    "DELAY": "d td delay bronstein simple-delay",
    "BYO": "byoyomi byo yomi 秒読み 読秒 бёёми",
    "CANADIAN": "canadian kanadisch",
    "NOISE": "the an of in on to for player players spieler joueur joueurs jugador jugadores "
    "giocatore игрока игроку игрок zawodnika zawodnik oyuncu side person time times control "
    "controls limit tempo cadence bedenkzeit ritmo rate play thinking контроль времени время "
    "czas tempo gry periods period x- additional additionally extra add added adding addition "
    "zusätzlich additionnel adicional adicionales dodatkowo für pour para by de del della du des "
    "dem den der die das le la les il lo un une uno una testa a' base main starting-time only "
    "delays seconds' minutes' move' until till up bis jusqu au aux nach nos d' l' s' no nothing "
    "fide uscf us chess otb is are have has get gets do to complete make played using basic "
    "regular fixed "
    "на протяжении до дополнительно участнику каждого ходом после before within so as flag mode "
    "notated incremental initial total completion completed stage phase second-period digital "
    "next following nächsten folgenden suivants prossime successive siguientes "
    "następnych następne следующие следующих volgende voor "
    "clock clocks tc pp p/p p longue longues ea pl jugador/a el los las al ber",
    "ORDINAL": "st nd rd th er го ой",
}
_CLASS_OF = {
    folded(word): class_
    for class_, words in reversed(_VOCABULARY.items())
    for word in words.split()
} | {folded(word): "NOISE" for words in SPEED_WORDS.values() for word in words if " " not in word}
_SIGNS = {
    '"': "SEC", "″": "SEC", "“": "SEC", "”": "SEC", "„": "SEC", "''": "SEC", "’’": "SEC",
    "'": "MIN", "′": "MIN", "’": "MIN", "´": "MIN", "`": "MIN", "‘": "MIN",
    "+": "PLUS", "&": "PLUS", "|": "PLUS", ",": "COMMA", ";": "THEN", "/": "SLASH",
    "×": "TIMES", "x": "TIMES", "*": "TIMES", "х": "TIMES", "@": "SLASH",
}  # fmt: skip
_TOKEN = pattern(
    r"(?P<clock>\d{1,2}:\d{2}(?::\d{2})?(?!\d|:))|(?P<number>\d{0,5}\.\d{1,10}|\d{1,5})(?!\d)"
    r"|(?P<sign>''|’’|′′|´´|[\"″“”„'′’´`‘+&|,;/×*@])|(?P<word>[^\W\d_]+)|(?P<skip>[\s.()\[\]:–—-]+)"
)
_NO_HOURS = pattern(r"00?:\d\d")
"""As a time is written in hours and minutes, or in minutes and seconds."""
_HOURS = "|".join(map(re.escape, map(folded, _VOCABULARY["HOUR"].split())))
_REWRITTEN = (
    (pattern(r"(?<=\d)\s+1/2\b"), ".5"),
    (pattern(rf"(?<![\d,.])(\d),(5|25|75)(?=\s*(?:{_HOURS})\b)"), r"\1.\2"),
    (pattern(r"byo[\s-]+yomi"), "byoyomi"),
    (pattern(r"\bk\.\s?o\b"), "ko"),
    (pattern(r"(?<=\d)\s+in\s+(?=\d)"), "/"),
    (pattern(r"(?<=\d:\d\d)\s*h\b"), ""),
    (pattern(r"(?<=\d):(?=\s*(?:sd|g)\b)"), ","),
    # How many rounds or games there are says nothing of their time: 4SS, 3-RR, 2 games.
    (pattern(r"\b\d{1,2}[\s-]*(?:d?ss|d?rr|rounds?|games|runden|partien)\b,?"), " "),
    # 10 min/player
    (pattern(r"/\s*(?=(?:player|side|person|spieler|joueur|jugador|giocatore|speler)\b)"), " "),
    # Each move first, as in Chinese.
    (pattern(r"每步\s*(\d{1,3})\s*秒"), r"\1 秒 每 步"),
    # Periods parted as PGN parts them, in minutes.
    (pattern(r"(?<=\d)(/\d{2,3}):(?=\d{2,3}(?:\+\d{1,2})?\s*$)"), r"\1, sd/"),
    (pattern(r"\bdouble[\s-]rounds?\b,?"), " "),
    (
        pattern(
            r"[,;]?\s*\b(?:no|without|ohne|sans|senza|sin|sem|zonder|без|bez) (?:inc\w*|ink\w*"
            r"|delay|zuschlag|добавлени\w*)(?: (?:or|and) (?:inc\w*|delay))?(?![^\W_])"
        ),
        "",
    ),
)
"""What is said in another way before the words are looked at."""
_SIDES = (
    ("white", "weiss", "blancs", "blancas", "bianco", "белые"),
    ("black", "schwarz", "noirs", "negras", "nero", "черные"),
)


class _Token(NamedTuple):
    class_: str
    number: float = 0


class _Chunk(NamedTuple):
    """What stands between two separators."""

    tokens: list[_Token]
    sign: str
    """``PLUS``, ``THEN`` or ``COMMA``, whichever stands before it; nothing: the first."""


class _Amount(NamedTuple):
    """What a chunk comes to: a period, or seconds a move."""

    seconds: float
    moves: int = 0
    extra: Extra = Extra.NONE
    since: int = 1
    bare: bool = False
    """A number without a unit."""
    sign: str = ""
    reading: Reading | None = None


class _Understood(NamedTuple):
    """A control, and which of two meanings was taken."""

    control: TimeControl
    reading: Reading | None = None


def is_by_mail(text: str | None) -> bool:
    """Whether a time control is one of correspondence: days for a move, or for some.

    >>> is_by_mail("1/86400"), is_by_mail("10 moves in 50 days"), is_by_mail("90+30, 2 days")
    (True, True, False)
    """
    if not text:
        return False
    return is_by_days(text) or _BY_MAIL.search(folded(text[:_LONGEST_TEXT])) is not None


def parsed_time_control(text: str | None) -> TimeControl | None:
    """What a text means; None for no text, and for one that is not understood.

    ``G/45;d5``, ``40/90,SD/30;d5``, ``90+30``, ``15 minutes plus 10 sec per move``,
    ``100'x40 + 15' + 30"``; figures in seconds as PGN and TRF26 write them.
    """
    found = _understood(text)
    return found.control if found else None


def reading_of(text: str | None) -> Reading | None:
    """Which of two meanings was taken; None where a text leaves no doubt, or is not understood.

    >>> [reading_of(text) for text in ("40/2, SD/1", "3/2", "90+30")]
    [<Reading.HOURS: 'small numbers behind moves are hours'>, \
<Reading.PLUS: 'the second number is seconds a move'>, None]
    """
    found = [_understood(part) for part in (text or "").split(OR)]
    return next((each.reading for each in found if each and each.reading), None)


@lru_cache(maxsize=256)
def _understood(text: str | None) -> _Understood | None:
    whole = (text or "").strip()
    if not whole or len(whole) > _LONGEST_TEXT:
        return None
    figures = control_of_seconds(whole) if in_seconds_form(whole) else None
    if figures and min(period.seconds for period in figures.periods) >= _LEAST_SECONDS:
        return _Understood(figures)
    plain = folded(whole)
    for written, other in _REWRITTEN:
        plain = written.sub(other, plain)
    sides = _sides(plain)
    if sides is None:
        return _control(plain)
    white, black = map(_control, sides)
    if white is None or black is None or white.control[1:] != black.control[1:]:
        return None
    if white.control == black.control:
        return white
    both = white.control._replace(black=black.control.periods)
    return _Understood(both, white.reading or black.reading)


OR = " or "
"""Between the time controls of an event whose games have several."""


def parsed_time_controls(text: str | None) -> tuple[TimeControl, ...]:
    """Every time control of an event; nothing where one of them is not understood.

    >>> [control.minutes for control in parsed_time_controls("90+30 or 3+2")]
    [90, 3]
    """
    found = [parsed_time_control(part) for part in (text or "").split(OR)]
    return tuple(each for each in found if each) if all(found) else ()


def _sides(plain: str) -> tuple[str, str] | None:
    """What is said of White and of Black, where each has something of his own."""
    found = [next((word for word in words if word in plain), None) for words in _SIDES]
    if None in found:
        return None
    white, black = str(found[0]), str(found[1])
    first, second = sorted((white, black), key=plain.index)
    before, between = plain.split(first, 1)
    between, after = between.split(second, 1)
    parts = (between, after) if not before.strip() else (before, between)
    parts = (parts[0].strip(" ,;/:"), parts[1].strip(" ,;/:"))
    return parts if first == white else (parts[1], parts[0])


def _control(plain: str) -> _Understood | None:
    tokens = _tokens(plain)
    if tokens is None:
        return None
    chunks = [*_chunks(_durations(tokens))]
    pair = _minutes_and_seconds(chunks[0]) if len(chunks) == 1 else None
    if pair:
        return pair
    amounts: list[_Amount] = []
    for chunk in chunks:
        amount = _amount(chunk, len(chunks) == 1)
        if amount is None:
            return None
        amounts.append(amount)
    control = _put_together(amounts) if amounts else None
    if control is None:
        return None
    return _Understood(control, next((each.reading for each in amounts if each.reading), None))


_PAIRS = ("NUM SLASH NUM", "NUM NUM", "DURATION SLASH NUM")


def _minutes_and_seconds(chunk: _Chunk) -> _Understood | None:
    """``3/2``, ``5 0`` and ``90/30``: minutes and seconds, where they cannot be moves."""
    kinds = [_KINDS[token.class_] for token in chunk.tokens if token.class_ in _KINDS]
    ends = any(token.class_ == "REST" for token in chunk.tokens)
    core = [token for token in chunk.tokens if token.class_ not in (*_KINDS, "REST")]
    if " ".join(token.class_ for token in core) not in _PAIRS or len(kinds) > 1:
        return None
    first, second = core[0].number, core[-1].number
    if core[0].class_ == "DURATION":
        first /= 60
    if second not in _INCREMENTS or not max(1, second) <= first <= _MOST_MINUTES:
        return None
    # 30/30 may be moves and minutes, and 30/2 moves and hours.
    sure = ends or bool(kinds)
    if not sure and first >= _FEWEST_MOVES and (first == second or 0 < second <= _MOST_HOURS):
        return None
    if not sure and first == _USUAL_MOVES:
        return None  # 40/5 is forty moves in five minutes.
    periods = (Period(0, round(first * 60)),)
    if not second:
        return _Understood(TimeControl(periods), Reading.PLUS)
    control = TimeControl(periods, int(second), kinds[0] if kinds else Extra.UNSAID)
    return _Understood(control, None if kinds else Reading.PLUS)


def _tokens(plain: str) -> list[_Token] | None:
    """The words and numbers; None where one is not known."""
    found: list[_Token] = []
    at = 0
    while at < len(plain):
        match = _TOKEN.match(plain, at)
        if match is None:
            return None
        at = match.end()
        if match["number"]:
            found.append(_Token("NUM", float(match["number"])))
        elif match["clock"]:
            seconds = _clock(match["clock"])
            if _NO_HOURS.fullmatch(match["clock"]) and found and found[-1].class_ == "PLUS":
                # Behind a time for moves it may be another one of half an hour.
                is_increment = {token.class_ for token in found} <= {"DURATION", "SECONDS", "PLUS"}
                seconds = seconds / 60 if is_increment and seconds else None
            if seconds is None:
                return None
            found.append(_Token("SECONDS" if seconds <= 60 else "DURATION", seconds))
        elif sign := match["sign"]:
            found.append(_Token("SEC" if sign in ("′′", "´´") else _SIGNS[sign]))
        elif word := match["word"]:
            class_ = _CLASS_OF.get(word) or _SIGNS.get(word)
            if class_ is None:
                return None
            found.append(_Token(class_))
        elif match["skip"] == "-" and plain[at : at + 1].isdigit():
            return None  # 15-10: from 10 to 15, or plus?
        elif ":" in match["skip"].strip() and plain[match.start() - 1 : match.start()].isdigit():
            return None
    return [*_with_letter_s(found)]


def _with_letter_s(tokens: Sequence[_Token]) -> Iterator[_Token]:
    """The Cyrillic letter for *s* is a second, *with* or *from*: what stands around it tells."""
    for at, token in enumerate(tokens):
        before = tokens[at - 1].class_ if at else ""
        behind = tokens[at + 1].class_ if at + 1 < len(tokens) else ""
        if token.class_ == "SEC" and before != "NUM":
            yield _Token("FROM" if behind in ("FIRST", "NUM") else "PLUS")
        elif token.class_ == "ORDINAL":
            if before != "NUM":
                yield _Token("UNKNOWN")
        else:
            yield token


def _clock(text: str) -> float | None:
    """The seconds of a time such as 1:30 (hours) or 15:00 (minutes); None: it may be both."""
    first, second, *third = (int(part) for part in text.split(":"))
    if third:
        return first * 3600 + second * 60 + third[0]
    if first <= 2:
        return first * 3600 + second * 60
    return first * 60 + second if first >= 10 else None


_UNITS = {"HOUR": 3600, "MIN": 60, "SEC": 1}


def _durations(tokens: Sequence[_Token]) -> list[_Token]:
    """Numbers with their units as ``DURATION``, with moves as ``MV``; the beginning as ``FROM``."""
    found: list[_Token] = []
    kept = [token for token in tokens if token.class_ != "NOISE"]
    if any(token.class_ == "UNKNOWN" for token in kept) or kept[-1:] == [_Token("PLUS")]:
        return [_Token("UNKNOWN")]
    at = 0
    while at < len(kept):
        class_, number = kept[at]
        ahead = [token.class_ for token in kept[at + 1 : at + 4]] + ["", "", ""]
        if class_ == "FROM" and ahead[0] != "FROM":
            start, length = _beginning(kept[at + 1 : at + 5])
            found.append(_Token("FROM", start) if length else _Token("NOTHING"))
            at += 1 + length
            continue
        if class_ == "NUM" and ahead[0] == "HOUR":
            number *= 3600
            at += 2
            if at < len(kept) and kept[at].class_ == "NUM" and ahead[2] not in ("SEC", "MOVES"):
                number += kept[at].number * 60
                at += 2 if ahead[2] == "MIN" else 1
            found.append(_Token("DURATION", number))
            continue
        if class_ == "NUM" and ahead[0] in _UNITS:
            found.append(
                _Token("SECONDS" if ahead[0] == "SEC" else "DURATION", number * _UNITS[ahead[0]])
            )
            at += 2
            continue
        if class_ == "NUM" and ahead[0] in ("MOVES", "STONES"):
            found.append(_Token("MV" if ahead[0] == "MOVES" else "STONES", number))
            at += 2
            continue
        if class_ in ("PER", "SLASH", "ALL") and ahead[0] == "MOVES":
            found.append(_Token("REST" if class_ == "ALL" else "PERMOVE"))
            at += 2
            continue
        if class_ == "SLASH" and ahead[0] in ("PER", "REST", "ALL", ""):
            at += 1
            continue
        if class_ in ("PER", "FROM") and ahead[0] == class_:
            at += 1
            continue
        if class_ in ("REST", "DELAY", "INC") and ahead[0] == "SLASH":
            found.append(kept[at])
            at += 2
            continue
        if class_ == "MOVES":
            found.append(_Token("PERMOVE"))
        elif class_ in _UNITS:
            found.append(_Token("UNKNOWN"))
        elif class_ not in ("PER", "ALL", "FIRST"):
            found.append(kept[at])
        at += 1
    return [token for token in found if token.class_ != "NOTHING"]


def _beginning(tokens: Sequence[_Token]) -> tuple[float, int]:
    """From which move, and how many tokens say so: ``move 1``, ``1. Zug``, ``first move``."""
    number = 0.0
    for at, token in enumerate(tokens):
        if token.class_ == "NUM" and not number:
            number = token.number
        elif token.class_ == "FIRST" and not number:
            number = 1
        elif token.class_ not in ("MOVES", "PER", "ALL"):
            return number, at if number else 0
    return number, len(tokens) if number else 0


_SEPARATORS = ("PLUS", "THEN", "COMMA")
_TIMES = ("DURATION", "SECONDS", "NUM")


def _chunks(tokens: Sequence[_Token]) -> Iterator[_Chunk]:
    """The parts between separators; two times side by side are two parts."""
    own: list[_Token] = []
    sign = ""
    for at, token in enumerate(tokens):
        if token.class_ in _SEPARATORS:
            if own:
                yield _Chunk(own, sign)
            sign = token.class_ if own or sign != "PLUS" else sign
            own = []
            continue
        ahead = tokens[at + 1].class_ if at + 1 < len(tokens) else ""
        begins = token.class_ in ("REST", "DELAY", "INC") and ahead in _TIMES
        begins = begins or (token.class_ == "NUM" and ahead == "TIMES")
        if [each.class_ for each in own[-3:]] == ["NUM", "SLASH", "NUM"] and token.class_ == "NUM":
            yield _Chunk(own, sign)  # 40/100 20/50 15+30
            own, sign = [], "THEN"
        if token.class_ == "SECONDS" and [each.class_ for each in own] == ["DURATION", "SLASH"]:
            yield _Chunk(own[:1], sign)  # 15'/10"
            own, sign = [], "PLUS"
        if begins and any(each.class_ in _TIMES for each in own):
            yield _Chunk(own, sign)  # 40/90 SD/30 d5
            own, sign = [], "PLUS" if token.class_ == "NUM" else "THEN"
        timed = any(each.class_ in ("DURATION", "SECONDS") for each in own)
        joined = own and own[-1].class_ in ("SLASH", "TIMES", "STONES")
        if timed and token.class_ in ("DURATION", "SECONDS") and not joined:
            markers: list[_Token] = []
            while own[-1].class_ in ("INC", "DELAY", "BYO"):
                markers.insert(0, own.pop())
            yield _Chunk(own, sign)
            own, sign = markers, "PLUS"
        own.append(token)
    if own:
        yield _Chunk(own, sign)


_KINDS = {
    "INC": Extra.INCREMENT,
    "DELAY": Extra.DELAY,
    "BYO": Extra.BYOYOMI,
    "CANADIAN": Extra.CANADIAN,
    "PERMOVE": Extra.UNSAID,
}


def _amount(chunk: _Chunk, alone: bool) -> _Amount | None:
    """What a part comes to, alone or with others; None where it cannot be understood."""
    kinds = {_KINDS[token.class_] for token in chunk.tokens if token.class_ in _KINDS}
    since = next((int(token.number) for token in chunk.tokens if token.class_ == "FROM"), 1)
    core = [t for t in chunk.tokens if t.class_ not in (*_KINDS, "FROM")]
    ends = any(token.class_ == "REST" for token in core)
    core = [token for token in core if token.class_ != "REST"]
    shape = " ".join(token.class_ for token in core)
    numbers = [token.number for token in core if token.class_ != "SLASH"]
    kind = next((each for each in (5, 4, 3, 2, 1) if each in kinds), None)
    if not core and kinds and chunk.sign == "PLUS":
        return None
    if not core:
        # "Fischer" behind a comma and the like: said of what stood before.
        return (
            _Amount(0, extra=Extra(kind or 1), sign="MARK")
            if kinds or since > 1
            else (_Amount(0, sign="MARK") if ends or since else None)
        )
    sign = chunk.sign
    if shape in ("MV DURATION", "STONES DURATION", "STONES SECONDS", "DURATION STONES"):
        moves, seconds = numbers if shape.startswith(("MV", "STONES")) else numbers[::-1]
        if kind == Extra.CANADIAN or "STONES" in shape:
            return _overtime(seconds, moves, sign)
        return _Amount(seconds, int(moves), sign=sign) if not kinds else None
    if shape in ("MV SLASH DURATION", "NUM SLASH DURATION", "MV TIMES DURATION"):
        return _Amount(numbers[1], int(numbers[0]), sign=sign)
    if shape in ("NUM TIMES DURATION", "NUM TIMES NUM") and core[0].number == 2 and not sign:
        seconds = core[2].number * (60 if core[2].class_ == "NUM" else 1)
        return _Amount(seconds, sign=sign, reading=Reading.EACH)
    if shape == "NUM TIMES DURATION":
        moves, seconds = core[0].number, core[2].number
        return _Amount(seconds, int(moves), sign=sign) if moves >= _FEWEST_MOVES else None
    if shape in ("DURATION MV", "DURATION SLASH MV", "DURATION SLASH NUM"):
        return _Amount(numbers[0], int(numbers[1]), sign=sign)
    if shape == "DURATION SLASH DURATION" and numbers[0] == _USUAL_MOVES * 60:
        return _Amount(numbers[1], _USUAL_MOVES, sign=sign)  # 40m/120'
    if shape in ("DURATION TIMES MV", "DURATION TIMES NUM"):
        return _Amount(core[0].number, int(core[2].number), sign=sign)
    if shape in ("MV NUM", "MV SLASH NUM"):
        return _Amount(numbers[1] * 60, int(numbers[0]), sign=sign)
    if shape in ("NUM TIMES SECONDS", "NUM SECONDS"):
        return _Amount(core[-1].number, extra=Extra.BYOYOMI, sign=sign)
    if shape in ("NUM SLASH NUM", "NUM TIMES NUM"):
        first, second = core[0].number, core[2].number
        return _pair(first, second, sign, alone)
    if shape == "MV" and sign == "THEN":
        return _Amount(0, int(numbers[0]), sign="AFTER")
    if shape == "DURATION":
        if kind is not None:
            return _Amount(numbers[0], extra=Extra(kind), since=since, sign=sign)
        return _Amount(numbers[0], sign=sign)
    if shape == "SECONDS":
        if ends and (kinds or chunk.sign):
            return None
        extra = Extra(kind or Extra.UNSAID) if kind or chunk.sign else Extra.NONE
        return _Amount(numbers[0], extra=extra, since=since, sign=sign)
    if shape == "NUM":
        if kind is not None:
            return _Amount(numbers[0], extra=Extra(kind), since=since, sign=sign)
        hours = ends and bool(sign) and 0 < numbers[0] <= _MOST_HOURS
        unit = (3600 if hours else 60) if ends else 1
        bare = _Amount(numbers[0] * unit, since=since, bare=not ends, sign=sign or "FIRST")
        return bare._replace(reading=Reading.HOURS) if hours else bare
    return None


def _overtime(seconds: float, moves: float, sign: str) -> _Amount | None:
    """Canadian overtime: so many moves in each period."""
    if not moves or not sign:
        return None
    return _Amount(seconds / moves, extra=Extra.CANADIAN, sign=sign)


def _pair(first: float, second: float, sign: str, alone: bool) -> _Amount | None:
    """Moves and minutes of ``40/90`` or ``90/40``; None where both may be either."""
    usual = first in _MOVES_OF_HOURS if alone else 10 <= first <= 60
    if usual and 0 < second <= _MOST_HOURS:
        return _Amount(second * 3600, int(first), sign=sign, reading=Reading.HOURS)
    if alone and first == second != _USUAL_MOVES:
        return None  # 30/30: moves and minutes, or minutes and seconds?
    if second == _USUAL_MOVES != first:
        first, second = second, first
    elif first != _USUAL_MOVES:
        # 20/60 and 15/30 go on after 40/120, where moves stand first.
        fewest = 10 if sign else _FEWEST_MOVES
        if not fewest <= first <= min(second, 60):
            return None
    if second > _MOST_MINUTES and second < _LEAST_SECONDS:
        return None
    return _Amount(second * 60 if second <= _MOST_MINUTES else second, int(first), sign=sign)


def _put_together(amounts: Sequence[_Amount]) -> TimeControl | None:
    """The control of its parts."""
    amounts = _marked(amounts)
    if amounts and amounts[-1].sign == "AFTER":
        # 90 min + 30 s + 30 min after 40 moves: said at the end of the first period.
        *amounts, after = amounts
        periods = [each for each in amounts if not each.extra]
        if len(periods) < 2 or any(each.moves or each.bare for each in periods):
            return None
        amounts[0] = amounts[0]._replace(moves=after.moves)
    if any(each.sign == "AFTER" for each in amounts):
        return None
    if len(amounts) > 1 and amounts[0].extra == Extra.INCREMENT:
        # Fischer 90 + 30: the word stands before all of it.
        amounts[0] = amounts[0]._replace(extra=Extra.NONE, bare=True)
    extras = [each for each in amounts if each.extra]
    bare = [each for each in amounts if each.bare]
    periods = [each for each in amounts if not each.extra]
    last = bare[-1] if bare else None
    # The last of bare numbers is in seconds: 90+30, 90+30+30.
    if not extras and last is not None and last is amounts[-1] and last.sign == "PLUS":
        extras = [last._replace(extra=Extra.UNSAID)]
        periods = periods[:-1]
    if len(extras) > 1 or not periods or periods[0].sign not in ("", "FIRST", "THEN", "COMMA"):
        return None
    found: list[Period] = []
    for each in periods:
        seconds = _seconds_of(each) if each.bare else each.seconds
        if seconds is None or not 0 < seconds <= 12 * 3600 or each.moves > 200:
            return None
        if found and not found[-1].moves:
            if each.bare and each.sign in ("COMMA", "THEN"):
                return None  # 90,30 and 60;5: another period, or seconds a move?
            if each.moves:
                # 50 + 15 moves in 5 min.
                if extras or each is not periods[-1]:
                    return None
                extras = [_Amount(seconds / each.moves, extra=Extra.CANADIAN)]
                continue
            found[-1] = Period(0, found[-1].seconds + round(seconds))
        else:
            found.append(Period(each.moves, round(seconds)))
    if not extras:
        return TimeControl(tuple(found))
    extra = extras[0]
    if not 0 <= extra.seconds <= 3600:
        return None
    if not extra.seconds:
        return TimeControl(tuple(found))
    number = int(extra.seconds) if extra.seconds == int(extra.seconds) else extra.seconds
    return TimeControl(tuple(found), number, extra.extra, max(1, extra.since))


def _marked(amounts: Sequence[_Amount]) -> list[_Amount]:
    """The amounts; a marker that stands alone tells the kind of the extra before it."""
    found: list[_Amount] = []
    for each in amounts:
        if each.sign != "MARK":
            found.append(each)
        elif each.extra > Extra.UNSAID and found:
            found[-1] = found[-1]._replace(extra=each.extra) if found[-1].extra else found[-1]
    return found


def _seconds_of(amount: _Amount) -> float | None:
    """The seconds of a bare number: minutes, or seconds where it is large."""
    if amount.seconds <= _MOST_MINUTES:
        return amount.seconds * 60
    return amount.seconds if amount.seconds >= _LEAST_SECONDS else None
