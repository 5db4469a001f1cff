"""Small files of programs whose files we only read; the players are invented."""

from __future__ import annotations

import io
import json
import zipfile

from ratingbook.formats.uschess.report_2c.dbase import dbase_file

PAIRGOTH = json.dumps({
    "type": "INDIVIDUAL", "name": "Coupe de Nulle Part", "shortName": "240127-nullepart",
    "startDate": "2024-01-27", "endDate": "2024-01-28", "country": "fr", "location": "Nulle Part",
    "online": False, "komi": 7.5, "gobanSize": 19,
    "timeSystem": {"type": "FISCHER", "mainTime": 3000, "increment": 15, "maxTime": 0},
    "rounds": 2, "pairing": {"type": "MAC_MAHON"},
    "players": [
        {"id": 2, "name": "Personne", "firstname": "Anaïs", "rating": 2100, "rank": 0,
         "country": "fr", "club": "00Nu", "final": True, "egf": "99000001\n"},
        {"id": 4, "name": "Nobody", "firstname": "Bert", "rating": 1945, "rank": -2,
         "country": "nl", "club": "Nowh", "final": True},
        {"id": 6, "name": "Niemand", "firstname": "Cora", "rating": 1730, "rank": -4,
         "country": "de", "club": "Nirg", "final": True, "skip": [2]},
        {"id": 8, "name": "Nessuno", "firstname": "Dino", "rating": 900, "rank": -12,
         "country": "it", "club": "xxx", "final": False},
    ],
    "games": [
        [{"id": 2, "t": 1, "w": 2, "b": 4, "h": 0, "r": "w"},
         {"id": 3, "t": 2, "w": 6, "b": 0, "h": 0, "r": "w"}],
        [{"id": 4, "t": 1, "w": 4, "b": 6, "h": 2, "r": "b"}],
    ],
}, ensure_ascii=False)  # fmt: skip

SWISSSYS = json.dumps({
    "Overview": {
        "Program": "SwissSys", "Version": 11.6, "Tournament title": "Nowhere Open",
        "Tournament time controls": "G/45;d5", "Starting date": "2026-04-04",
        "Ending date": "2026-04-05",
    },
    "Sections": [
        {"Section name": "Open", "Type": 0, "Section time control": "G/45;d5", "Blitz": False,
         "Players": [
            {"Pair number": 1, "Name": "Nobody, Ann", "ID": "99000001", "Rating": 1951,
             "Results": ["+;2;W;1;2;2;0", "=;3;B;1;3;3;0"]},
            {"Pair number": 2, "Name": "Nobody, Bert", "ID": "99000002", "Rating": 1400,
             "Provisional": True, "Results": ["-;1;B;1;1;1;0", "B;-1;-;0;-1;-1;0"]},
            {"Pair number": 3, "Name": "Nobody, Cleo", "ID": "99000003", "Rating": 0,
             "Results": ["X;4;-;2;4;4;0", "=;1;W;1;1;1;0"]},
            {"Pair number": 4, "Name": "Nobody, Dan", "ID": "99000004", "Rating": 1200,
             "Results": ["F;3;-;2;3;3;0", "U;-1;-;0;-1;-1;0"]},
        ]},
        {"Section name": "Waiting", "Type": 0,
         "Players": [{"Pair number": 1, "Name": "Nobody, Eve", "ID": "99000005"}]},
    ],
})  # fmt: skip

ICU_CSV = """Event,"Isle of Nowhere Masters, 2007"
Start,2007-09-22
End,2007-09-24
Rounds,3
Website,http://example.org/

Player,9456,Nobody,Anthony
1,0,B,Nemo,Peter P.,2209,,ENG
2,=,W,Niemand,Zoe,2205,WFM,GER
3,1,-
Total,1.5

Player,9159,Niemand,Zoe
1,1,W,Personne,Luc,2100,,FRA
2,=,B,Nobody,Anthony,2000,,IRL
3,0,B,Nemo,Peter P.,2209,,ENG
Total,1.5
"""

_TRN = {
    "ID": 5, "SURNAME": 25, "FIRSTNAME": 25, "FEDER": 4, "CLUB": 30, "INTL_RTG": 4, "LOC_RTG": 4,
    "INTL_ID": 12, "LOC_ID": 12, "TITLE": 3, "SEX": 1, "BIRTH_DATE": 8,
}  # fmt: skip
_SCO = {"ROUND": 3, "WHITE": 5, "BLACK": 5, "W_SCORE": 3, "B_SCORE": 3, "W_TYPE": 2, "B_TYPE": 2}
_PLAYERS = (
    ("1", "Nobody", "Ann", "IRL", "Nowhere", "2100", "2050", "99000001", "7168", "2", "2",
     "19800131"),
    ("2", "Nemo", "Seán", "", "", "", "1129", "", "880", "0", "1", ""),
    ("3", "Niemand", "Cora", "GER", "", "1800", "", "99000003", "", "", "", ""),
)  # fmt: skip
_GAMES = (
    ("1", "1", "2", "2", "0", "1", "1"), ("1", "3", "0", "2", "0", "4", "0"),
    ("2", "3", "1", "1", "1", "1", "1"), ("3", "2", "3", "0", "2", "3", "3"),
)  # fmt: skip


def swissperfect() -> dict[str, bytes]:
    """The three files of an event of SwissPerfect."""
    players = [dict(zip(_TRN, row, strict=True)) for row in _PLAYERS]
    games = [dict(zip(_SCO, row, strict=True)) for row in _GAMES]
    return {
        "cup.ini": b"[Tournament Info]\r\nName=Nowhere Cup 2009\r\nArbiter=A. Nobody\r\n[X]\r\n",
        "cup.trn": dbase_file(_TRN, players, None),
        "cup.sco": dbase_file(_SCO, games, None),
    }


def zipped(files: dict[str, bytes]) -> bytes:
    """An archive of these files, the same each time."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return data.getvalue()


def ods(rows: list[list[str | float]]) -> bytes:
    """A workbook of LibreOffice with one sheet."""

    def cell(value: str | float) -> str:
        kind = "string" if isinstance(value, str) else f'float" office:value="{value}'
        text = f"<text:p>{value}</text:p>"
        return f'<table:table-cell office:value-type="{kind}">{text}</table:table-cell>'

    inside = "".join(
        f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows
    )
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces}><office:body>'
        f'<office:spreadsheet><table:table table:name="Games">{inside}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    mime = "application/vnd.oasis.opendocument.spreadsheet"
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), mime)
        archive.writestr(zipfile.ZipInfo("content.xml"), content)
        archive.writestr(
            zipfile.ZipInfo("META-INF/manifest.xml"),
            '<?xml version="1.0"?><manifest:manifest '
            'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
        )
    return data.getvalue()


ODS = ods([["White", "Black", "Result", "Date"], ["Ann", "Bert", "1-0", "2024-01-02"],
           ["Bert", "Cleo", "1/2", "2024-01-03"]])  # fmt: skip
PAPI = b"\x00\x01\x00\x00Standard Jet DB\x00" + bytes(100) + "info".encode("utf-16-le")

VEGA_TABLE = """Nowhere Rapid
Nowhere - 03/03/2024, 04/03/2024

 Cross Table at round 3 sorted by score

Pos NAME                           Rtg   T  Fed  Pts |   1     2     3    |   User
--------------------------------------------------------------------------------
  1 Nobody,Ann                     2125  FM NSW  2.5 | +W4   =B2   +F3    |    0.0
  2 Nemo,Bert B                    1900     GER  2.0 | =B3   =W1   +BYE   |    0.0
  3 Niemand,Cora               (W)    0     IND  1.5 | =W2   +B4   -F1    |    0.0
  4 Nessuno,Dan                     810     OS   0.5 | -B1   -W3   =BYE   |    0.0
 Generated by Vega - www.vegachess.com
"""
VEGA_12_TABLE = """Nowhere Classic
Nowhere - 05/09/2026, 07/09/2026

 Cross Table at round 3

  N NAME                 Rtg   T  Fed  Pts |   1     2     3
--------------------------------------------------------------
  1 Nobody, Ann          2201  FM SUI  2.0 | +W3   =B2   =HPB
  2 Niemand, Zoë         2150 WFM FRA  1.5 | +PAB  =W1   -F3
  3 Nemo, Bert           1987     GER  1.0 | -B1   -ZPB  +F2
  4 Nessuno, Dan            0     ITA  0.0 |  --    --    --

Generated by Vega - www.vegachess.com
(copy licensed to: unregistered)
"""
VEGA_FILE = """Vega 5.4 # Do not edit this file!
Nowhere Open
Nowhere
ITA
24/12/2009, 27/12/2009
Nobody
0.5 1.0
3
NAME; COUNTRY;BIRTHDAY;G;TITLE;IDFIDE;ELOFIDE; IDNAT;ELONAT;K;ISAVAL
Nobody Ann ;ITA;00.00.00;m; GM; 0; 0; 0; 0;30; 1
"""
VEGA_PAIRS = """Nowhere Classic: Pairing of round 3 sorted by name

=====================================================================================
BYE                   plays with black VS         Nobody, Ann       in board    2
Nemo, Bert            plays with white VS         Niemand, Zoe      in board    1

 Generated by Vega - www.vegachess.com
"""
SM_PLAYERS = """Nr;Name;Titel;Identnr;EloNat;EloInt;Geburt;Fed;Sex;Typ;Gr;KlubNr;Klub;FideIdent;\
Quelle;Pkt;Wtg1;Wtg2;Rang;Nachname;Vorname;Atitel
1;Nobody Ann;WGM;;2400;2447;01.06.1992;SUI;W;;;0;SC Nirgend;99000001;;2½;2;;1;Nobody;Ann;
2;Niemand Zoë;;7168;1950;0;1960;GER;;;;0;;0;;1;3;;2;Niemand;Zoë;
3;Nemo Bert;IM;;0;2329;08.08.1998;POL;;;;0;;0;;½;3;;3;Nemo;Bert;
"""
SM_PAIRINGS = """Runde;Brett;IdentW;IdentS;NrW;NrS;ErgW;ErgS;Kontumaz;Erg;Mnr;ErgEloW;ErgEloS
1;1;0;0;1;2;1;0;;1:0;0;;
1;2;0;0;3;-1;1;1;;1:1;0;;
2;1;0;0;3;1;0,5;0,5;;0,5:0,5;0;;
2;2;0;0;2;-1;0;0;;0:0;0;;
3;1;0;0;1;3;1;0;K;1:0K;0;;
4;1;0;0;2;3;0;0;K;0:0K;0;;
5;1;0;0;2;1;0;0;;0:0;0;;
"""
VEGA_DESCRIPTION = """012 Torneo di Nessuno
022 Nowhere
032 ITA
042 18/12/2009
052 20/12/2009
092 Individual: Swiss-System Dutch (JaVaFo)
102 IA Nessuno Arbitro
122 90 minutes + 30 s of increment for move
162 3
192 Vega 6.0.1

001 1 | m | f | NESSUNO Anna | 2291 | ITA | 99000001 | 2250 | 121317 | 151265 | 2.5 | 1 | \
4 w 1 | 2 b 2 | 3 w +
001 2 | m |   | NESSUNO Bert | 1900 | ITA | 0 | 1850 | 121318 | 01/02/1980 | 2.0 | 2 | 3 w 2 | \
1 w 2 | 0000 - +
001 3 | w |   | NESSUNO Cleo | 0 | ITA | 0 | 1500 | 121319 | | 1.5 | 3 | 2 b 2 | 4 b 1 | 1 b -
001 4 | m |   | NESSUNO Dino | 1600 | ITA | 0 | 1650 | 121320 | | 0.5 | 4 | 1 b 0 | 3 w 0 | 0000 - =
"""
CHESS_RESULTS = """<?xml version="1.0"?>
<chessresults>
<tournamentdata>
<tournament key="1" type="0" name="Nowhere Open" location="Nowhere" rounds="3" currentround="3"
 from="20250926" to="28.09.2025" federation="GER"
 timecontrol="90 min + 30 sec/move  30 min + 30 sec/move  "
 chiefarbiter="IA Nobody" arbiter="  " />
</tournamentdata>
<players>
<player no="1" id="7" lastname="Nobody,Ann" firstname="" title="FM" rtg="2300" rtgfide="2300"
 rtgnat="2250" dob="1990" sex="W" fed="GER" clubname="SV Nowhere" fideid="99000001" rank="1"
 pts="2,5" />
<player no="2" lastname="Niemand" firstname="Bert" rtg="1957" rtgfide="1957" rtgnat=""
 dob="01.02.1980" sex="M" fed="AUT" fideid="99000002" rank="2" pts="1,5" />
<player no="3" lastname="Nemo,Cleo" firstname="" rtg="1809" rtgfide="" rtgnat="1809" sex="M"
 fed="GER" fideid="" rank="3" pts="1,5" />
<player no="4" lastname="Nessuno,Dan" firstname="" rtg="" rtgfide="0" rtgnat="" rank="4"
 pts="0,5" />
</players>
<playerpairings>
<playerpairing round="1" pairing="1" board="1" whiteno="1" blackno="3" reswhite="1.0"
 resblack="0.0" forfeit="" />
<playerpairing round="1" pairing="2" board="1" whiteno="4" blackno="2" reswhite="0,5"
 resblack="0,5" forfeit="" />
<playerpairing round="2" pairing="1" board="1" whiteno="2" blackno="1" reswhite="0"
 resblack="1" forfeit="K" />
<playerpairing round="2" pairing="2" board="1" whiteno="3" blackno="-1" reswhite="1.0"
 resblack="0.0" forfeit="K" />
<playerpairing round="2" pairing="3" board="1" whiteno="4" blackno="-2" reswhite="0.0"
 resblack="" forfeit="" />
<playerpairing round="3" pairing="1" board="1" whiteno="1" blackno="4" reswhite="" resblack=""
 forfeit="" />
<playerpairing round="3" pairing="2" board="1" whiteno="3" blackno="2" reswhite="0.5"
 resblack="0.5" forfeit="U" />
</playerpairings>
</chessresults>
"""
AGAGD = """Game_ID,Tournament_Code,Game_Date,Round,Pin_Player_1,Pin_Player_2,Rank_1,Rank_2,\
Color_1,Handicap,Komi,Result,Rated,Exclude,Online
1,nowhere1,2026-01-01,1,99001,99002,1d,3k,W,3,0.5,W,1,0,0
2,nowhere1,2026-01-01,2,99002,99003,3k,2d,B,0,7.5,B,1,0,0
3,nowhere2,2026-02-01,1,99001,99003,1d,2d,B,0,7.5,W,1,0,0
4,nowhere2,2026-02-01,2,99001,99002,1d,3k,B,0,7.5,W,0,0,0
5,nowhere2,2026-02-02,3,99001,99002,1d,3k,W,0,7.5,W,1,0,1
"""

TUN = b"\x93\xff\x89\x44" + bytes(100) + b"\x08\x00" + "Open".encode("utf-16-le") + bytes(40)

FILES: dict[str, dict[str, bytes]] = {
    "pairgoth": {"": PAIRGOTH.encode()},
    "swisssys": {"": SWISSSYS.encode()},
    "icu csv": {"": ICU_CSV.encode()},
    "swissperfect": swissperfect(),
    "swissperfect zipped": {"": zipped(swissperfect())},
    "ods": {"": ODS},
    "papi": {"": PAPI},
    "tun": {"": TUN},
    "vega table": {"": VEGA_TABLE.encode()},
    "vega 12 table": {"": VEGA_12_TABLE.encode()},
    "vega file": {"": VEGA_FILE.encode()},
    "swiss-manager": {"": (SM_PLAYERS + SM_PAIRINGS).encode()},
    "swiss-manager files": {
        "players.txt": SM_PLAYERS.encode(),
        "rounds.txt": SM_PAIRINGS.encode(),
    },
    "vega description": {"": VEGA_DESCRIPTION.encode()},
    "chess-results": {"": CHESS_RESULTS.encode()},
    "agagd": {"": AGAGD.encode()},
}
"""What ``make fuzz`` damages."""
