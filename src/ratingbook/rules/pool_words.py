"""The speed of an event as its name or type says it, in the languages that events use."""

from __future__ import annotations

import re
import unicodedata
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
            "rápidos semirapide semirápidas semirrápidas semilampo schnell schnellschach "
            "schnellturnier rapidturnier rapidschach aktivschach active activechess szybkie "
            "szybkich szybki rapidowe rapidowy рапид рапида рапиду рапідом рапід быстрые быстрым "
            "быстрых активные активным активных швидкі швидких ускорен ускорени убрзани ubrzani "
            "cugeri hurtigskak hurtigsjakk hurtigsjakkturnering snabbschack snabb pikashakki "
            "rapidu "
            "rapidzie hızlı rapidă ράπιντ 快棋 ラピッド rapidschnellschach "
            "schnellschachturnier rapidschachturnier schnellschachmeisterschaft "
            "schnellschachopen rapidopen activechess"
        ).split(),
        "быстрые шахматы",
        "активные шахматы",
        "active chess",
        "tempo hızlı",
        "quick play",
        "parties rapides",
    ],
    BLITZ: [
        *(
            "blitz blitze blitzturnier blitzschach blitzmeisterschaft blitzopen lampo relámpago "
            "relampago relâmpago блиц блица блицу блицтурнир бліц бліцу błyskawiczne błyskawiczny "
            "błyskawicznych blesk bleskový bleskovy bleskovka villám villámsakk lynskak lynsjakk "
            "blixt blixtschack snelschaak snelschaken pikapeli yıldırım fulger μπλιτς brzopotezni "
            "brzopotez 超快棋 ブリッツ молниеносные blitzowe blitzu blitzkampioenschap"
        ).split(),
    ],
    BULLET: ["bullet", "ultrabullet", "hyperbullet"],
}
"""The words of each speed; FIDE's names for the lists, and the bullet of servers."""


def folded(text: str) -> str:
    """Small letters without accents; a half as ``.5``."""
    small = text.casefold().replace("ı", "i").replace("ł", "l").replace("½", ".5")
    plain = unicodedata.normalize("NFKD", small)
    return "".join(c for c in plain if not unicodedata.combining(c))


_WORD_OF = {folded(word): speed for speed, words in SPEED_WORDS.items() for word in words}
_REMEMBERED = 1024
"""Of how many texts it is kept what they name: reader, choice of an edition and checks all ask."""
_PLACES = pattern(r"\b(?:grand rapids|rapid city|(?:sk |sc )?rapid (?:wien|bucur\w*|vienna))\b")
"""Cities and clubs with such names."""
_BY_LENGTH = sorted(_WORD_OF, key=len, reverse=True)
_WHOLE = "|".join(re.escape(each) for each in _BY_LENGTH if each.isascii() or len(each) > 3)
_SIGNS = "|".join(re.escape(each) for each in _BY_LENGTH if not each.isascii() and len(each) <= 3)
_ANY = pattern(rf"(?<![^\W_])(?:{_WHOLE})(?![^\W_])|{_SIGNS}")
"""Words by themselves; what is written in a few signs, as in Chinese, anywhere."""


def speeds_named(text: str | None) -> list[str]:
    """The speeds that a text names, each once, in their order."""
    return [*_speeds_in(text)] if text else []


@lru_cache(_REMEMBERED)
def _speeds_in(text: str) -> tuple[str, ...]:
    plain = _PLACES.sub(" ", folded(text))
    return tuple(dict.fromkeys(_WORD_OF[match[0]] for match in _ANY.finditer(plain)))


def speed_named(text: str | None) -> str | None:
    """The speed that a text names; None where it names none, or several."""
    found = speeds_named(text)
    return found[0] if len(found) == 1 else None
