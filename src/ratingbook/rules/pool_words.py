"""The speed of an event as its name or type says it, in the languages that events use."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from ratingbook.model.patterns import pattern

STANDARD, RAPID, BLITZ, BULLET = "standard", "rapid", "blitz", "bullet"

SPEED_WORDS = {
    STANDARD: (
        "standard classical classic klassisch klassische klassisches classique classico clasico "
        "clásico clásicas classiche lento lenta klasyczne klasyczny классика классические "
        "классический классическим класичні klassiek klasik normalschach langschach langpartie "
        "стандарт"
    ).split(),
    RAPID: [
        *(
            "rapid rapids rapidplay quickplay rapide rapides rapido rapida rápido rápida rápidas "
            "rápidos semirapide semirápidas semirrápidas semirrápido semilampo schnell "
            "schnellturnier rapidturnier aktivschach active activechess szybkie "
            "szybkich szybki rapidowe rapidowy рапид рапида рапиду рапідом рапід быстрые быстрым "
            "быстрых активные активным активных швидкі швидких ускорен ускорени убрзани ubrzani "
            "cugeri rapidu rapidzie hızlı rapidă ράπιντ greitųjų greitieji rapidopen"
        ).split(),
        "быстрые шахматы",
        "активные шахматы",
        "active chess",
        "tempo hızlı",
        "quick play",
        "parties rapides",
        "torneo activo",
        "ajedrez activo",
        "partidas activas",
        "nopea shakki",
        "nopean shakin",
        "ātrais šahs",
        "ātrajā šahā",
        "γρήγορου σκακιού",
        "γρήγορο σκάκι",
        "σκάκι ταχείας",
        "catur cepat",
        "cờ nhanh",
        "xake azkarra",
        "sürətli şahmat",
        "שחמט מהיר",
        "شطرنج سريع",
        "شطرنج سریع",
    ],
    BLITZ: [
        *(
            "blitz blitze blitzturnier blitzschach blitzmeisterschaft blitzopen lampo relámpago "
            "relampago relâmpago llampec блиц блица блицу блицтурнир бліц бліцу błyskawiczne "
            "błyskawiczny błyskawicznych blesk villám lynskak lynsjakk "
            "blixt blixtschack snelschaak snelschaken pikashakki pikapeli yıldırım fulger μπλιτς "
            "brzopotezni brzopotez молниеносные blitzowe blitzu blitzkampioenschap žaibo בליץ"
        ).split(),
        "i lyn",
        "zibens šahs",
        "σκάκι αστραπή",
        "catur kilat",
        "cờ chớp",
        "xake bizia",
        "tournoi éclair",
        "parties éclair",
        "شطرنج خاطف",
    ],
    BULLET: ["bullet", "ultrabullet", "hyperbullet"],
}
"""The words of each speed; FIDE's names for the lists, and the bullet of servers."""
_STEMS = {
    RAPID: (
        "*schnellschach* rapidscha* rapidturnier* rapidtoernooi* rapidkampioenschap* rapidsakk* "
        "rapidschnell* snabbschack* snabb hurtigska* hurtigsjakk* aktivschach* ubrzan* убрзан* "
        "забрзан* ускорен* pospešen* atskák* kiirmale* kiirturniir* ātrspēle*"
    ),
    BLITZ: (
        "*blitzturnier* *blitzmeister* *blitzschach* *blitzopen* *blitzcup* *blitzpokal* "
        "*blitzmannschaft* *blitzeinzel* monatsblitz vereinsblitz stadtblitz neujahrsblitz "
        "osterblitz weihnachtsblitz silvesterblitz nikolausblitz sommerblitz abendblitz "
        "mannschaftsblitz tandemblitz blitzkamp* blixtscha* blixttur* lynska* lynsjakk* "
        "snelschaak* pikashak* pikapeli* villámsakk* villámverseny* villámtorna* bleskov* "
        "brzopotez* брзопотез* hitropotez* блицтурнир* błyskawiczn* молниеносн* hraðskák* "
        "välkturniir* välkmale* zibenstur* zibensspēl*"
    ),
}
"""What words begin with, or hold, that are put together or inflected; ``*`` is any letters."""
_SIGNS = {
    RAPID: "快棋 ラピッド 早指し",
    BLITZ: "超快棋 ブリッツ",
}
"""What is written in signs without blanks between words."""


def folded(text: str) -> str:
    """Small letters without accents; a half as ``.5``."""
    small = text.casefold().replace("ı", "i").replace("ł", "l").replace("½", ".5")
    plain = unicodedata.normalize("NFKD", small)
    return "".join(c for c in plain if not unicodedata.combining(c))


_REMEMBERED = 1024
"""Of how many texts it is kept what they name: reader, choice of an edition and checks all ask."""
_NO_SPEED = pattern(
    r"\b(?:(?:grand|cedar|big|elk|coon|wisconsin|park|sauk|eaton|little) rapids|rapid city"
    r"|(?:sk |sc )?(?<!sah )rapid (?:wien|bucur\w*|vienna)|standard (?:liege|chartered)"
    r"|yildirim (?:beled|bayez|beyaz)\w*|schnell[ -](?:memorial|gedenk\w*)"
    r"|active (?:senior|adult|kid|club|life|age)\w*|classic car)\b|(?<=[^\W_] )classic\b(?! chess)"
)
"""Cities, clubs and people with such names, and the noun that any event may have as its name."""


def _patterns() -> Iterator[tuple[int, str, str]]:
    """Of each word how long it is, the pattern of it, and its speed."""
    for speed, words in SPEED_WORDS.items():
        yield from ((len(each), rf"{_BEFORE}({re.escape(each)}){_BEHIND}", speed)
                    for each in map(folded, words))  # fmt: skip
    for speed, stems in _STEMS.items():
        for stem in map(folded, stems.split()):
            inner = re.escape(stem).replace(r"\*", r"[^\W\d_]{0,30}")
            yield len(stem), rf"{_BEFORE}({inner}){_BEHIND}", speed
    for speed, signs in _SIGNS.items():
        yield from ((len(each), f"({re.escape(each)})", speed) for each in folded(signs).split())


_BEFORE, _BEHIND = r"(?<![^\W\d_])", r"(?![^\W\d_])"
"""No other letter: a figure may stand beside, as in ``Rapid2024``."""
_WORDS = sorted(_patterns(), reverse=True)
_ANY = pattern("|".join(text for _, text, _ in _WORDS))
_PARTS = {
    max(re.split("[* ]", folded(each)), key=len)
    for words in (*SPEED_WORDS.values(), *map(str.split, (*_STEMS.values(), *_SIGNS.values())))
    for each in words
}
"""Of each word a part that stands in every text with it."""


def speeds_named(text: str | None) -> list[str]:
    """The speeds that a text names, each once, in their order."""
    return [*_speeds_in(text)] if text else []


@lru_cache(_REMEMBERED)
def _speeds_in(text: str) -> tuple[str, ...]:
    plain = folded(text)
    if not any(part in plain for part in _PARTS):
        # So it is with most texts, and the pattern of all words takes long to compile.
        return ()
    plain = _NO_SPEED.sub(" ", plain)
    found = (_WORDS[(match.lastindex or 0) - 1][2] for match in _ANY.finditer(plain))
    return tuple(dict.fromkeys(found))


def speed_named(text: str | None) -> str | None:
    """The speed that a text names; None where it names none, or several."""
    found = speeds_named(text)
    return found[0] if len(found) == 1 else None
