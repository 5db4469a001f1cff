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
    "central": ("cs_CZ", "sk_SK", "pl_PL", "hr_HR", "sl_SI", "ro_RO"),
    "hungarian": ("hu_HU",),
    "turkish": ("tr_TR",),
    "cyrillic": ("ru_RU", "uk_UA", "bg_BG"),
    "chinese": ("zh_CN",),
    "japanese": ("ja_JP",),
    "greek": ("el_GR",),
    "baltic": ("lv_LV", "lt_LT", "et_EE"),
    "hebrew": ("he_IL",),
    "arabic": ("ar_AA", "ar_SA"),
    "taiwanese": ("zh_TW",),
    "korean": ("ko_KR",),
}  # fmt: skip
MORE: Mapping[str, str] = {
    "hu_HU": """Győző Győrffy Győri Jenő Dezső Ernő Rezső Szőke Szőcs Szűcs Szűts Hegedűs Fűzesi
        Fűrész Kőszegi Kővári Kőrösi Kőszeghy Bőle Bőhm Erdős Erdősi Mező Mezősi Sződy Szőnyi
        Vető Cserző Gergő Gergely Csőke Kertész Kovács Szabó Tóth Horváth Varga Kiss Németh Balázs
        Lukács Takács Mészáros Szilágyi Gál Rácz Fekete Török Fehér Vörös Gulyás Bíró Pál Pásztor
        Fülöp Bálint Székely Dömötör Révész Szalókfű Fűri Gyűrű Dűlő Őri Őze Ősz Űrhegyi Csűrös
        Gyűjtő Betűs Tűri Merő Ferenczfői Pető Petőfi Lőrincz Lőwy Szendrő Sződényi Dönő Bökő
        Erős Előd Bettőnyi Jelencső Szőllősi Belső Alsó Felső Keserű Nagyerdő Kisfőd Hősök""",
    "it_IT": """Nicolò Niccolò Noè Mosè Giosuè Salomè Cantù Carrà Cerè Colà Corrò Cucè Dè Donà Forlì
        Frisò Galifè Lagàn Laganà Liberà Macrì Maffè Melì Minà Morabì Nardò Orlandò Palù Pagà
        Patanè Pirrò Romanò Ronchè Salì Sartò Sciascià Scordì Tafurì Tomà Vanù Viganò Zanì Zappalà
        Cefalù Agrò Alì Barillà Bonaffè Calì Cicciò Fodà Mangiò Mandalà Naccarì Schirò Sgrò Trovò
        Cuzzolà Città Società Università""",
    "lt_LT": """Žukauskas Žukauskienė Jankauskas Stankevičius Stankevičienė Petrauskaitė Butkevičius
        Paulauskaitė Urbonavičius Kavaliauskienė Navickas Ramanauskaitė Šimkus Šimkutė Žemaitis
        Žemaitytė Česnauskas Čepas Čepaitė Šarūnas Tomaš Kęstutis Mindaugas Gediminė Rūta Jūratė
        Eglė Aistė Austėja Ugnė Gabrielė Goda Ieva Viktorija Miglė Rugilė Kotryna Agnė Monikaė
        Dovydė Rokas Žygimantas Šarkauskas Mažeika Bražinskas Grigaliūnas Balčiūnas Ažubalis
        Čiurlionis Sabaliauskaitė Kairys Kairytė Pupkevičius Juškevičius Aleksandravičius
        Šaulys Ąžuolas Ąžuolaitė Įlaitė Ūsas Ūselytė Žvirblis Žvirblytė Šležas Gužas Gudelė
        Vaičiūnas Vaičiulytė Matulevičiūtė Petkevičiūtė Jasiūnas Kaušpėdas Lukšas Lukšytė Gečas
        Vėlavičius Bėčius Šližys Kučinskas Račkauskas Račkauskaitė Giedrė Giedrius Danutė Nijolė
        Aldutė Birutė Jonė Vaidotė Žilvinas Žydrūnas Arūnas Saulė Raimondė Laimutė Genovaitė""",
    "lv_LV": """Bērziņš Bērziņa Kalniņš Kalniņa Ozoliņš Ozoliņa Jansonė Krūmiņš Krūmiņa Liepiņš
        Liepiņa Eglītis Eglīte Zariņš Zariņa Pētersons Kļaviņš Kļaviņa Vītols Vītola Šmits Āboliņš
        Āboliņa Dārziņš Siliņš Vilciņš Priedītis Priedīte Sproģis Sproģe Ķēniņš Ķezbers Ģirts
        Ģertrūde Jānis Andris Pēteris Mārtiņš Kārlis Rūdolfs Ēriks Arnīs Ilmārs Līga Ilze Zanē
        Māra Inārs Sandrīs Guntārs Edgārs Uldis Raimonds Kristīne Kristīna Aļona Ņina Ņikita
        Žanis Žanete Čakste Šķēle Šteins Cīrulis Strazdiņš Balodītis Grīnbergs Krišjānis Rozītis
        Gailītis Ābele Ūdris Ūbele Mežs Mežulis Puķītis Puķīte Rušiņš Ķirsis Ļebedevs Ļubova""",
    "et_EE": """Põder Põld Põldma Pärn Pärna Pärtel Mägi Mäe Mänd Männik Mätas Kõiv Kõrv Kõrge
        Kütt Küla Künnap Lääne Lääts Lõhmus Lõoke Lõuk Sõber Sõnajalg Sütt Süld Säde Särg Tõnis
        Tõnu Tõnisson Tähe Täht Tüür Tüli Võsu Võrk Väli Värk Väärt Vähi Õun Õunapuu Õispuu Ööbik
        Öpik Ülle Ülo Ülar Ürgel Ämarik Äärmaa Jõgi Jõeäär Järv Järvi Jürgen Jüri Jürisson Hõbe
        Härm Hääl Höövel Kääpa Käsper Köster Müür Mürk Nõgene Nõmm Nõmme Näkk Rõõm Räpp Rätsep
        Rüütel Šmidt Žukov Šults Pekštein Žilin Kuusemäe Saaremäe Põllumäe Annemäe Õnne""",
    "nl_NL": """André Beatrijs Coördinator Danïel Daniël Daniëlle Desirée Etienné Gaël Gijsbèrt
        Gäbler Hélène Ilë Israël Joël Joëlle Jörg José Jürgen Kühn Leenaërts Loïs Loïc Maël Mariëlle
        Mariëtte Michaël Michèle Michiël Müller Naïma Noëlle Raphaël Renée René Reünig Rönne Saïd
        Samuël Schröder Schüller Thérèse Türk Vyäs Zoë Zoé Chloë Thaïs Anaïs Maïté Aïcha Françoise
        François Raoül Böhm Bürgers Cornelië Creëlle Eliëns Groën Hoïs Meeùs Daniëls Michiëls""",
}
"""Words of languages of which Faker has few, as names are formed there."""
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
    found.update(MORE.get(language, "").split())
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
    "hungarian": ("cp1250", "iso8859-2", "cp852"),
    "turkish": ("cp1254",),
    "cyrillic": ("cp1251", "koi8-r", "koi8-u", "cp866", "iso8859-5"),
    "chinese": ("gb18030",),
    "japanese": ("cp932", "euc_jp"),
    "greek": ("cp1253", "iso8859-7", "cp737"),
    "baltic": ("cp1257", "iso8859-13"),
    "hebrew": ("cp1255",),
    "arabic": ("cp1256",),
    "taiwanese": ("big5",),
    "korean": ("euc_kr",),
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
