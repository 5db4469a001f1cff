"""What people call the columns of their tables, in the languages of the field."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from ratingbook.formats.document.schema import FIELDS
from ratingbook.formats.tables.cells import MAX_ROUNDS
from ratingbook.model.patterns import pattern

_PERSON: Mapping[str, str] = {
    "id": (
        "id, player id, playerid, ident, id number, id no, code, key, spieler id, id joueur, "
        "id jugador, ид, icu id, pid"
    ),
    "ids.fide": (
        "fide id, id fide, fideid, fide no, fide number, fide code, code fide, fide nr, "
        "fide ident nr, fide id nr, fin, фиде ид"
    ),
    "ids.egd": "egd pin, pin, egf pin, egd",
    "ids.uscf": "uscf id, uscf, us chess id, uschess id, uscf no, mem id",
    "ids.national": (
        "national id, member no, member number, membership number, mitgliedsnummer, licence, "
        "loc id, local id, license, licencia, licenza, licencja, pkz, code ffe, nr licencji, id nat"
    ),
    "number": (
        "no, nr, num, number, n, start no, start nr, start number, starting number, snr, sno, sn, "
        "startnummer, startnr, start rang, startrang, pairing number, pair no, pair, seed, nummer, "
        "lfd nr, numero, nro, num ini, numer, lp, номер, ст ном, baslangic no, bas no, sira no, "
        "nr crt, redni broj, rb, br, α α, α/α, nº, n°, cislo, sorszam"
    ),
    "rank": (
        "rank, rk, rg, place, pl, platz, pos, position, rang, ranking, classement, cl, clas, "
        "puesto, posicion, posizione, miejsce, plaats, место, м, poradi, helyezes, mesto, "
        "plasman, loc, sira, derece, sijoitus, θεση, місце, classificacao, placering"
    ),
    "name": (
        "name, player, players, player name, full name, participant, participants, competitor, "
        "spieler, spielername, spielerin, teilnehmer, nom, joueur, nom joueur, joueurs, nombre, "
        "jugador, nombre jugador, nome, giocatore, jogador, zawodnik, gracz, imie i nazwisko, "
        "nazwisko i imie, naam, speler, имя, игрок, фио, фамилия имя, участник, jmeno, hrac, namn, "
        "navn, isim, ad soyad, adi soyadi, soyadi adi, oyuncu, nume, nume si prenume, jucator, "
        "ime, "
        "ime i prezime, prezime i ime, igrac, pelaaja, jogadores, nome completo, nombre y "
        "apellidos, "
        "ονομα, ονοματεπωνυμο, παικτης, прізвище та ім я, ім я, гравець, spelare, spiller, nev, "
        "jatekos, name vorname, name first name, nom prenom, nimi"
    ),
    "surname": (
        "surname, last name, lastname, family name, nachname, familienname, nom de famille, "
        "apellido, apellidos, cognome, nazwisko, achternaam, фамилия, prijmeni"
    ),
    "first_name": (
        "first name, firstname, given name, forename, vorname, prenom, imie, voornaam, nombres"
    ),
    "title": "title, tit, titel, titre, titulo, titolo, tytul, звание, ti, typ",
    "federation": (
        "federation, fed, country, nation, nat, foderation, land, pays, pais, paese, nazione, "
        "federacion, federazione, federacja, kraj, fide fed, страна, федерация, ulke, tara, "
        "drzava, orszag, maa, χωρα, pais, zeme"
    ),
    "club": (
        "club, club name, verein, vereinigung, klub, circulo, circolo, клуб, kulup, clube, "
        "egyesulet, seura, συλλογος, vereniging, club city"
    ),
    "team": "team, team name, mannschaft, equipe, equipo, squadra, druzyna, команда, ploeg",
    "grade": "grade, go grade, rank grade, dan, kyu, stufe, niveau, stopien",
    "rating": (
        "rating, elo, rtg, rat, gor, elo rating, rating elo, fide elo, elo fide, fide rating, "
        "rating fide, rtg i, rtg n, rtgi, rtgn, elo i, elo n, elo nat, elo int, national rating, "
        "dwz, nwz, twz, ingo, wertung, wertungszahl, wertzahl, classement elo, puntuacion elo, "
        "ranking elo, punteggio elo, рейтинг, рейт, эло, old rating, rating before, start rating, "
        "rtng, rate, pre rtg, pre rtng, pre rating, rtg fide, rtg int, rtg nat, elof, elo f, "
        "std, std rating, "
        "ukd, kuvvet, elo puani, rejting, ertekszam, cota, coeficient, μοναδες, rating elo fide, "
        "grading, grade rating, icu rating, uscf rating, egf rating, kras, "
        "kansallinen, selo, lask, styrketal, hinnang, レート, レーティング, レイティング, "
        "等级分, 等級分, 棋力分, מד כושר, التصنيف"
    ),
    "sex": (
        "sex, gender, geschlecht, sexe, sexo, sesso, plec, geslacht, пол, cinsiyet, nem, spol, m "
        "f, f m, s"
    ),
    "birth_date": (
        "birth date, birthdate, date of birth, dob, birthday, born, geburtsdatum, geboren, "
        "geburtstag, date de naissance, naissance, ne le, fecha de nacimiento, fecha nacimiento, "
        "data di nascita, nascita, data urodzenia, geboortedatum, дата рождения, bdate"
    ),
    "birth_year": (
        "birth year, year of birth, yob, jahrgang, geburtsjahr, annee de naissance, "
        "ano de nacimiento, anno di nascita, rok urodzenia, rok ur, geboortejaar, год рождения, "
        "year, jg, gr"
    ),
    "games": "games before, rated games, career games, games so far, number of games",
    "points": (
        "points, pts, pt, total, score, sum, punkte, pkt, pkte, summe, gesamt, total points, "
        "puntos, puntaje, punti, punkty, punten, очки, очк, puan, toplam puan, puncte, bodovi, "
        "bodova, pont, pontos, pisteet, βαθμοι, body, poang, poeng, tot"
    ),
}  # fmt: skip
"""Field of a person → its names."""

_GAME: Mapping[str, str] = {
    "round": (
        "round, rd, rnd, runde, ronde, ronda, turno, runda, тур, kolo, fordulo, rund, round no, "
        "round number"
    ),
    "section": (
        "section, group, division, gruppe, groupe, grupo, gruppo, grupa, groep, группа, seccion, "
        "sezione, sekcja, staffel, open"
    ),
    "event": (
        "event, tournament, event name, turnier, tournoi, torneo, turniej, toernooi, турнир, "
        "tournament id, egd code, event id"
    ),
    "result": (
        "result, res, ergebnis, erg, resultat, resultado, risultato, wynik, uitslag, результат, "
        "рез, vysledek, sonuc, rezultat, rezultati, tulos, αποτελεσμα, eredmeny"
    ),
    "opponent": (
        "opponent, opp, gegner, adversaire, adv, adversario, rival, avversario, przeciwnik, "
        "tegenstander, соперник, opp icu id, opponent id, opponent name, souper"
    ),
    "colour": "colour, color, farbe, couleur, colore, kolor, kleur, цвет, col, barva",
    "winner": (
        "winner, winner id, sieger, gewinner, vainqueur, gagnant, ganador, vencedor, vincitore, "
        "zwyciezca, vitez, winnaar, победитель, vinnare, vinder, vinner, kazanan"
    ),
    "loser": "loser, loser id, verlierer, perdant, perdedor, perdente, przegrany",
    "first": "player 1, player1, spieler 1, joueur 1, jugador 1, giocatore 1, player a, spieler a",
    "second": "player 2, player2, spieler 2, joueur 2, jugador 2, giocatore 2, player b, spieler b",
    "own": "own, own rating, own elo, eigene wertung, eigene elo",
    "handicap": "handicap, hd, hcp, vorgabe, stones, handicap stones, steine, pierres, фора",
    "start": (
        "date, start, start date, played, played on, day, datum, tag, beginn, jour, "
        "fecha, data, дата, game date, match date, dat"
    ),
    "end": "end, end date, ende, finished, fin de partie, koniec",
    "reported": "reported, report date, date reported, gemeldet",
    "status": "status, how, by, zustand, estado, stato",
    "forfeit": "forfeit, by forfeit, kampflos, forfait, walkower, wo",
    "rated": "rated, gewertet, counts, elo gewertet, homologue, valorado",
}  # fmt: skip
"""Field of a game → its names."""

_SIDES: Mapping[str, str] = {
    "white": (
        "white, weiss, weiß, blanc, blancs, blanches, blanca, blancas, blanco, bianco, bianchi, "
        "biale, wit, белые, белый, bily, vilagos, vit, hvid, hvit, brancas, valkea, beyaz, alb, "
        "beli, bijeli, branco, brancos, λευκα, білі, белы"
    ),
    "black": (
        "black, schwarz, noir, noirs, noires, negra, negras, negro, nero, neri, czarne, zwart, "
        "черные, черный, cerny, sotet, svart, sort, pretas, musta, siyah, negru, crni, preto, "
        "pretos, μαυρα, чорні"
    ),
}
OF_A_SIDE = (
    "id", "name", "rating", "federation", "title", "grade", "club", "team", "birth_date",
    "birth_year",
)  # fmt: skip
"""What a list of games says of both players."""
_NUMBERS_OF_SIDES: Mapping[str, str] = {
    "ids.icu": "icu id, icu no, icu number",
    "ids.ffg": "ffg id, ffg no, ffg licence",
    "ids.aga": "aga id, aga no, aga number",
    "ids.iccf": "iccf id, iccf no, iccf number",
    "ids.iecg": "iecg id, iecg no, iecg number",
}
"""Registers that a list of games names beside a side; a list of players is that of one."""
NUMBERS = (*(field for field in _PERSON if field.startswith("ids.")), *_NUMBERS_OF_SIDES)
"""Numbers of registers, which a list of games may give of both players, too."""
_SCORES = "score, points, point, result, punkte, pts, points scored, resultat, wynik, puntos, punti"
_PLAYERS = "player, spieler, joueur, jugador, giocatore, zawodnik, speler"

_UNUSED = (
    "board, bd, brett, table, tisch, tavolo, mesa, tablero, szachownica, bord, komi, opening, eco, "
    "moves, pgn, time, remarks, bemerkung, notes, comment, buchholz, buch, bh, sb, sonneborn, "
    "sonneborn berger, sonn, berger, tb, tb1, tb2, tb3, tb4, tb5, tb6, wtg1, wtg2, wtg3, wtg4, "
    "desempate 1, desempate 2, tie break, rp, perf, performance, elo perf, rtg perf, k, rtg+/-, "
    "new rating, rating after, neue dwz, change, we, w we, sos, sosos, mms, "
    "progress, kumul, wins, siege, losses, draws, gp, played games, games, type, gr, prize, email"
)
"""Columns that are known and say nothing that a rating needs."""

_OF_PLAYERS_FILE: Mapping[str, str] = {
    "games": (
        "games, gms, partien, anzahl partien, parties, partidas, partite, partie, partije, партии, "
        "число партий, number of rated games"
    ),
}
"""Field → its names in a table of players that is about no event: games are those before."""

_RATINGS = (
    "rating, elo, rtg, rat, rejting, reiting, reitings, reitingas, reyting, hodnoceni, hodnotenie, "
    "vahvuus, vahvuusluku, рейтинг, рейт, эло, puntuacion, punteggio, ocena, klasifikace"
)
_KINDS_OF_RATING = (
    "fide, uscf, icu, egf, nat, nac, naz, int, inter, intern, national, nacional, nazionale, "
    "nationale, nationales, narodni, narodny, kansallinen, ulusal, krajowy, "
    "national rating, international, internacional, internazionale, internationale, "
    "internationales, mezinarodni, medzinarodny, "
    "kansainvalinen, uluslararasi, местный, национальный, нац, фиде, local, lokal, loc, std, "
    "standard, start, initial, inicial, iniziale, alt, alte, old, vecchio, before, prima, zacatek"
)
"""A rating is called by one of the former words, with one of the latter before or behind it."""

_EVENT: Mapping[str, str] = {
    "name": "event, event name, tournament, tournament name, turnier, tournoi, torneo, turniej",
    "place": "event place, place, venue, city, site, ort, lieu, lugar, luogo, miejsce, plaats",
    "federation": "event federation, federation, country",
    "start": "event start, start, from, start date, beginn, date, datum, fecha, data, debut",
    "end": "event end, end, to, end date, ende, fin",
    "kind": "event kind, kind, type, tournament type, system, art",
    "category": "event category, category, kategorie",
    "time_control": (
        "event time control, time control, time limit, rate of play, bedenkzeit, cadence, ritmo"
    ),
    "class": "event class, class",
    "level": "event level, level",
    "pool": "event pool, pool, rating system",
    "rounds": "event rounds, rounds, number of rounds, runden, rondes, rondas, turni, rundy",
    "komi": "event komi, komi",
    "handicap_reduction": "event handicap reduction",
    "official": (
        "event official, official, arbiter, chief arbiter, deputy arbiter, director, referee, "
        "schiedsrichter, arbitre, arbitro, sedzia, tournament director"
    ),
}  # fmt: skip
"""Key of the event → what stands before its value, above a table."""

_ROUND_WORDS = (
    "r, rd, rnd, round, runde, rde, ronde, ronda, turno, runda, тур, т, kolo, t, g, game, partie, "
    "rund, fordulo, rn, rda, tur, rodada, krog, kierros, γυρος"
)
_TOTAL_WORDS = (
    "total, totals, sum, summe, gesamt, average, mean, durchschnitt, schnitt, avg, totale, media, "
    "moyenne, suma, somma, razem, srednia, итого, среднее, totaal, somme, promedio"
)
_TITLES: Mapping[str, str] = {
    "players": "players, spieler, teilnehmer, joueurs, jugadores, giocatori, zawodnicy, entries",
    "games": "games, partien, parties, partidas, partite, results, ergebnisse, pairings",
    "sections": "sections",
    "history": "history, earlier games, frühere partien, bisherige partien, parties anterieures, "
    "partidas anteriores",
    "event": "event",
}

LEAST_RATING, MOST_RATING = 100, 4000
"""No event has so many rounds that somebody scores as much."""
_UNDECOMPOSED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})
_WHOLE = pattern(r"([0-9]{1,9})(?:[.,]0+)?")
_SIGNS = "+-−–—"
_DOTTED = pattern(r"(?:ids|foreign|decisions|extra|pools)\..+", re.DOTALL)


def key(text: str) -> str:
    """A header without case, accents, blanks and punctuation.

    >>> key("Weiß-Elo"), key("Prénom"), key("Nº")
    ('weisselo', 'prenom', 'no')
    """
    text = unicodedata.normalize("NFKD", text.replace("#", "no")).casefold()
    return "".join(char for char in text.translate(_UNDECOMPOSED) if char.isalnum())


def field_of(header: str) -> str | None:
    """The field that a column holds by its header; None where nobody knows.

    The field of round 5 is ``r5``; columns that say nothing to us are ``-``.
    """
    if _DOTTED.fullmatch(header):
        return header
    return _field_of_key(key(header))


@lru_cache(1 << 12)
def _field_of_key(name: str) -> str | None:
    found = _ours().get(name) or _of_a_side(name) or _of_a_row().get(name)
    if found is None and _is_rating(name):
        return "rating"
    found = found or _documented().get(name)
    if found is None and (number := round_of(name)):
        return f"r{number}"
    return found


def field_of_player(header: str) -> str | None:
    """The field that a column of a players file holds, by its header; None where nobody knows.

    >>> field_of("Partien"), field_of_player("Partien"), field_of_player("Spieler")
    ('-', 'games', 'name')
    """
    return _of_players_file().get(key(header)) or field_of(header)


def are_ratings(texts: Iterable[str]) -> bool:
    """Whether a column that is called points holds ratings: nobody can have scored as much.

    >>> are_ratings(["1650", "", "-"]), are_ratings(["3", "2½"]), are_ratings([])
    (True, False, False)
    """
    numbers = [text for text in texts if text not in ("", "-", "0")]
    return bool(numbers) and all(
        text.isdecimal() and LEAST_RATING <= int(text) <= MOST_RATING for text in numbers
    )


def round_of(name: str) -> int | None:
    """The round that a header's key names: ``rd5``, ``5runde``, ``5``."""
    match = _round_pattern().fullmatch(name)
    number = int(match[1] or match[2]) if match else 0
    return number if 1 <= number <= MAX_ROUNDS else None


def round_in(text: str) -> int | None:
    """The round that a cell or a title names; None where anything would have to be left out.

    >>> round_in("Round 3"), round_in("3.0"), round_in("3.5"), round_in("-3")
    (3, 3, None, None)
    """
    if match := _WHOLE.fullmatch(text):
        return int(match[1])
    digits = re.findall("[0-9]+", text)
    found = round_of(key(text))
    whole = len(digits) == 1 and int(digits[0]) == found and text[0] not in _SIGNS
    return found if whole else None


def event_key_of(text: str) -> str | None:
    """The key of the event that a cell above a table announces."""
    return _event_keys().get(key(text))


def title_of(text: str) -> str | None:
    """What a sheet, or the block below a line, holds: players, games, sections, history, event."""
    return _title_keys().get(key(text))


def is_total(text: str) -> bool:
    """Whether a row with this name is a sum and no player."""
    return key(text) in _total_words()


@cache
def fields() -> frozenset[str]:
    """Every field that a column may be said to hold, but for rounds and dotted ones."""
    of_sides = (field for side in _SIDES for field in (side, *_attributes(side).values()))
    alone = (*_ours().values(), *_of_a_row().values(), *_documented().values())
    return frozenset({*alone, *of_sides, "rating"}) - {"-"}


@cache
def of_players() -> frozenset[str]:
    """The fields that say something of a player."""
    return frozenset({*_PERSON, *FIELDS["player"], *FIELDS["standing"]})


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")]


@cache
def _ours() -> dict[str, str]:
    """Key of a header that we write ourselves, and that means nothing else → field."""
    standing = {f"standing{key(name)}": name for name in FIELDS["standing"]}
    return standing | {key(name): name for name in ("white_rated", "black_rated")}


@cache
def _of_a_row() -> dict[str, str]:
    """Key of a header → field, of a player or a game."""
    named = {**_PERSON, **_GAME}
    return {key(name): field for field, names in named.items() for name in _words(names)}


@cache
def _documented() -> dict[str, str]:
    """Headers of which no table says otherwise.

    The fields of the report document are known by their own names.
    """
    own = dict.fromkeys([*FIELDS["player"], *FIELDS["standing"], *FIELDS["game"]])
    unused = {key(name): "-" for name in _words(_UNUSED)}
    documented = {key(name): name for name in own if key(name) not in unused}
    heads = {"pool": "pool", "timecontrol": "time_control", "kind": "kind"}
    heads |= {key(name): field for field in ("category", "level") for name in _words(_EVENT[field])}
    return {**unused, **documented, **heads}


def _is_rating(name: str) -> bool:
    """Whether it is ``Rating``, ``Rating Nac``, ``Nac. Rating`` in any of their words."""
    ratings, kinds = _rating_words()
    return name in ratings or any(
        (name.startswith(word) and name[len(word) :] in kinds)
        or (name.endswith(word) and name[: -len(word)] in kinds)
        for word in ratings
    )


@cache
def _rating_words() -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(map(key, _words(_RATINGS))), frozenset(map(key, _words(_KINDS_OF_RATING)))


@cache
def _of_players_file() -> dict[str, str]:
    return {key(name): field for field, names in _OF_PLAYERS_FILE.items() for name in _words(names)}


def _of_a_side(name: str) -> str | None:
    """What a header says of one side: ``White``, ``White Elo``, ``Elo White``, ``White score``.

    Where two words fit, the one that is named last counts.
    """
    for side in reversed(list(_SIDES)):
        attributes = _attributes(side)
        for word in reversed(_side_words(side)):
            found = []
            if name.startswith(word):
                found.append(name[len(word) :])
            if name.endswith(word):
                found.append(name[: -len(word)])
            if known := [each for each in found if each in attributes]:
                return attributes[known[-1]]
        if name in _side_words(side):
            return side
    return None


@cache
def _side_words(side: str) -> tuple[str, ...]:
    return tuple(map(key, _words(_SIDES[side])))


@cache
def _attributes(side: str) -> dict[str, str]:
    """What may stand beside the word of a side → the field."""
    named = {**_PERSON, **_NUMBERS_OF_SIDES}
    said = {
        key(name): f"{side}_{field}"
        for field in (*OF_A_SIDE, *NUMBERS)
        for name in _words(named[field])
    }
    said |= {key(name): f"{side}_score" for name in _words(_SCORES)}
    return said | {key(name): side for name in _words(_PLAYERS)}


@cache
def _event_keys() -> dict[str, str]:
    return {key(name): field for field, names in _EVENT.items() for name in _words(names)}


@cache
def _title_keys() -> dict[str, str]:
    return {key(name): title for title, names in _TITLES.items() for name in _words(names)}


@cache
def _total_words() -> frozenset[str]:
    return frozenset(key(word) for word in _words(_TOTAL_WORDS))


@cache
def _round_pattern() -> re.Pattern[str]:
    words = "|".join(sorted((key(word) for word in _words(_ROUND_WORDS)), key=len, reverse=True))
    ordinal = "st|nd|rd|th|e|er|eme|a|o"
    return re.compile(rf"(?:{words})?([0-9]{{1,3}})|([0-9]{{1,3}})(?:{ordinal})?(?:{words})?")
