"""Makes ``formats/tools/letters.py``: which letters stand beside each other in names of people.

``python -m tools.letter_statistics > src/ratingbook/formats/tools/letters.py`` needs the package
Faker, which is not part of the environment: its lists of names, towns and words by language are
counted, and nothing of them is kept but how often two letters stand side by side.
``--test`` counts one half of the words and tries the other half in every encoding, in files of
few names.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from random import Random
from typing import Any

from ratingbook.formats.tools import encodings

SCRIPTS: Mapping[str, tuple[str, ...]] = {
    "western": (
        "de_DE", "de_AT", "fr_FR", "es_ES", "pt_PT", "pt_BR", "sv_SE", "da_DK", "no_NO", "fi_FI",
        "is_IS", "it_IT", "nl_NL",
    ),
    "central": ("cs_CZ", "sk_SK", "pl_PL", "hu_HU", "hr_HR", "sl_SI", "ro_RO"),
    "turkish": ("tr_TR",),
    "cyrillic": ("ru_RU", "uk_UA", "bg_BG"),
    "chinese": ("zh_CN",),
    "japanese": ("ja_JP",),
}  # fmt: skip
_RARE = 2e-5
"""Pairs that are rarer are left out: they cost what any unknown pair does."""
_CEDILLAS = str.maketrans("șțȘȚ", "şţŞŢ")
"""The code pages have Romanian letters with a cedilla."""
_WORD = re.compile(r"[^\W\d_]+")


def texts(value: Any) -> Iterator[str]:
    """Every text in what a provider holds."""
    if isinstance(value, str):
        yield value
    elif hasattr(value, "keys"):
        for key in value:
            yield from texts(key)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts(each)


def words_of(language: str) -> list[str]:
    """The words of a language with letters that are not ASCII, each once."""
    found: set[str] = set()
    for subject in ("person", "address", "job"):
        try:
            provider = import_module(f"faker.providers.{subject}.{language}").Provider
        except ModuleNotFoundError:
            continue
        for name in dir(provider):
            if not name.startswith("_"):
                for text in texts(getattr(provider, name)):
                    found.update(_WORD.findall(text.translate(_CEDILLAS)))
    return sorted(word for word in found if not word.isascii())


def is_for_test(word: str) -> bool:
    """Whether a word belongs to the half that is tried."""
    return bool(hashlib.sha256(word.encode()).digest()[0] % 2)


def statistics(script: str, words: Mapping[str, Iterable[str]]) -> dict[str, float]:
    """The part of each pair among all pairs with a letter that is not ASCII."""
    parts: defaultdict[str, float] = defaultdict(float)
    for found in words.values():
        pairs: Counter[str] = Counter()
        for word in found:
            pairs.update(encodings.pairs_of(word, script))
        total = sum(pairs.values())
        for pair, count in pairs.items():
            parts[pair] += count / total / len(words)
    return {pair: part for pair, part in parts.items() if part >= _RARE}


def by_level(parts: Mapping[str, float]) -> list[str]:
    """The pairs by how many bits each costs."""
    levels: dict[int, list[str]] = {}
    for pair, part in parts.items():
        levels.setdefault(round(-math.log2(part)), []).append(pair)
    return ["".join(sorted(levels.get(bits, ()))) for bits in range(max(levels) + 1)]


def tables(*, all_words: bool) -> dict[str, list[str]]:
    """The levels of every script."""
    found = {}
    for script, languages in SCRIPTS.items():
        words = {
            language: [w for w in words_of(language) if all_words or not is_for_test(w)]
            for language in languages
        }
        found[script] = by_level(statistics(script, words))
    return found


def printed(found: Mapping[str, list[str]]) -> str:
    """The module."""
    lines = [
        '"""How many bits a pair of letters costs in names; made by tools/letter_statistics.py."""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Mapping",
        "",
        "LEVELS: Mapping[str, tuple[str, ...]] = {",
    ]
    for script, levels in found.items():
        lines.append(f'    "{script}": (')
        for level in levels:
            pieces = [level[at : at + 80] for at in range(0, len(level), 80)] or [""]
            lines += [f'        "{piece}"' for piece in pieces[:-1]]
            lines.append(f'        "{pieces[-1]}",')
        lines.append("    ),")
    lines += [
        "}",
        '"""Script → the pairs (of Chinese and Japanese, single letters) by their bits."""',
    ]
    return "\n".join(lines) + "\n"


CODECS = {
    "western": ("cp1252", "cp850"),
    "central": ("cp1250", "iso8859-2", "cp852"),
    "turkish": ("cp1254",),
    "cyrillic": ("cp1251", "koi8-r", "cp866", "iso8859-5"),
    "chinese": ("gb18030",),
    "japanese": ("cp932",),
}


def try_half() -> None:
    """How often each encoding is found from few names that were not counted."""
    encodings.use(tables(all_words=False))
    from charset_normalizer import from_bytes

    chance = Random(1)
    print(f"{'language':9} {'encoding':10}" + "".join(f"{n:>12} words" for n in (1, 2, 4, 10, 40)))
    for script, languages in SCRIPTS.items():
        for language in languages:
            held_out = [word for word in words_of(language) if is_for_test(word)]
            for codec in CODECS[script]:
                cells = []
                for number in (1, 2, 4, 10, 40):
                    right = theirs = tried = 0
                    for _ in range(100 if number < 10 else 40):
                        chosen = chance.choices(held_out, k=number)
                        lines = [f"001  {n:4} m    {w:33} 2100" for n, w in enumerate(chosen, 1)]
                        text = "012 Open 2011\r\n" + "\r\n".join(lines)
                        try:
                            data = text.encode(codec)
                        except UnicodeEncodeError:
                            continue
                        tried += 1
                        guess = encodings.guessed(data)
                        right += text == data.decode(guess.encoding, errors="replace")
                        if number in (4, 40):
                            best = from_bytes(data).best()
                            theirs += best is not None and str(best) == text
                    said = f"{100 * right / tried:.0f} %" if tried else "-"
                    if tried and number in (4, 40):
                        said += f" ({100 * theirs / tried:.0f} %)"
                    cells.append(f"{said:>18}")
                print(f"{language:9} {codec:10}" + "".join(cells), flush=True)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--test", action="store_true", help="try one half of the words")
    if parser.parse_args().test:
        try_half()
    else:
        print(printed(tables(all_words=True)), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
