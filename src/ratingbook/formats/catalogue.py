"""Our own formats, one record for each."""

from __future__ import annotations

from collections.abc import Mapping

from ratingbook.formats.format import Certainty, Format, Source, Target, targets_of

_HERE = "ratingbook.formats"
_LATIN_1 = "iso-8859-1"
_LATIN_9 = "iso-8859-15"

FORMATS: Mapping[str, Format] = {
    each.name: each
    for each in (
        Format(
            name="report document",
            sign="a JSON object or list",
            source=Source.JSON,
            detector=f"{_HERE}.document.read:looks_like_document",
            reader=f"{_HERE}.document.read:read_document",
            takes=("standing_fields",),
            suffix=".json",
            writers={"document": f"{_HERE}.document.write:write_document"},
        ),
        Format(
            name="SwissSys",
            game="chess",
            sign="JSON with the words Overview, Sections and Section name",
            source=Source.JSON,
            detector=f"{_HERE}.uschess.swisssys:looks_like_swisssys",
            reader=f"{_HERE}.uschess.swisssys:read_swisssys",
            suffix=".sjson",
        ),
        Format(
            name="Pairgoth",
            game="Go",
            sign="JSON with the words gobanSize, timeSystem and pairing",
            source=Source.JSON,
            detector=f"{_HERE}.go.pairgoth:looks_like_pairgoth",
            reader=f"{_HERE}.go.pairgoth:read_pairgoth",
            suffix=".tour",
        ),
        Format(
            name="2C",
            game="chess",
            sign="the files THEXPORT.DBF, TSEXPORT.DBF and TDEXPORT.DBF",
            source=Source.PATH,
            detector=f"{_HERE}.uschess.report_2c:looks_like_2c",
            reader=f"{_HERE}.uschess.report_2c:read_2c",
            encoding="cp1252",
            writers={"2c": f"{_HERE}.uschess.report_2c.write:write_2c"},
        ),
        Format(
            name="SwissPerfect",
            game="chess",
            sign="files .trn and .sco of one name",
            source=Source.PATH,
            detector=f"{_HERE}.chess.swissperfect:looks_like_swissperfect",
            reader=f"{_HERE}.chess.swissperfect:read_swissperfect",
            encoding="told by the letters",
        ),
        Format(
            name="SwissPerfect, zipped",
            game="chess",
            sign="an archive with a .trn and a .sco",
            source=Source.BYTES,
            detector=f"{_HERE}.chess.swissperfect:looks_like_zipped",
            reader=f"{_HERE}.chess.swissperfect:read_zipped",
            encoding="told by the letters",
            suffix=".zip",
        ),
        Format(
            name="Papi",
            game="chess",
            sign="a database of Access",
            source=Source.BYTES,
            detector=f"{_HERE}.chess.papi:looks_like_access",
            reader=f"{_HERE}.chess.papi:read_access",
            encoding="none",
            suffix=".papi",
        ),
        Format(
            name="ICU CSV",
            game="chess",
            sign="Event, and Player with a number",
            detector=f"{_HERE}.chess.icu_csv:looks_like_icu_csv",
            reader=f"{_HERE}.chess.icu_csv:read_icu_csv",
            encoding=_LATIN_1,
        ),
        Format(
            name="TRF",
            game="chess",
            sign="a player's line (record 001), or header records",
            detector=f"{_HERE}.fide.trf:looks_like_trf",
            reader=f"{_HERE}.fide.trf:read_trf",
            encoding=_LATIN_1,
            suffix=".trf",
            writers={
                "trf26": f"{_HERE}.fide.trf:write_trf26",
                "trf16": f"{_HERE}.fide.trf:write_trf16",
            },
            writer_for=f"{_HERE}.fide.trf:trf_of_the_day",
        ),
        Format(
            name="PGN",
            game="chess",
            sign='tags in square brackets, as [White "…"]',
            detector=f"{_HERE}.pgn:looks_like_pgn",
            reader=f"{_HERE}.pgn:read_pgn",
            encoding=_LATIN_1,
            suffix=".pgn",
            writers={"pgn": f"{_HERE}.pgn.write:write_pgn"},
        ),
        Format(
            name="US Chess cross table",
            game="chess",
            sign="pairs of lines with bars between the columns",
            detector=f"{_HERE}.uschess.cross_table:looks_like_cross_table",
            reader=f"{_HERE}.uschess.cross_table:read_cross_table",
            encoding=_LATIN_1,
        ),
        Format(
            name="OpenGotha",
            game="Go",
            sign="the root element Tournament of OpenGotha",
            detector=f"{_HERE}.go.opengotha:looks_like_opengotha",
            reader=f"{_HERE}.go.opengotha:read_opengotha",
            encoding=_LATIN_1,
        ),
        Format(
            name="MacMahon",
            game="Go",
            sign="the root element Tournament of MacMahon",
            detector=f"{_HERE}.go.macmahon:looks_like_macmahon",
            reader=f"{_HERE}.go.macmahon:read_macmahon",
            encoding=_LATIN_1,
        ),
        Format(
            name="h9",
            game="Go",
            sign="a grade and results in one line, or a header",
            detector=f"{_HERE}.go.h9:looks_like_h9",
            reader=f"{_HERE}.go.h9:read_h9",
            certainty=Certainty.LIKELY,
            encoding=_LATIN_9,
            suffix=".h9",
            writers={"h9": f"{_HERE}.go.h9:write_h9"},
        ),
        Format(
            name="tou",
            game="Go",
            sign="the headers of a tou file",
            detector=f"{_HERE}.go.tou:looks_like_tou",
            reader=f"{_HERE}.go.tou:read_tou",
            certainty=Certainty.LIKELY,
            encoding=_LATIN_9,
        ),
        Format(
            name="AGA",
            game="Go",
            sign="the words TOURNEY, PLAYERS and GAMES at the beginning of lines",
            detector=f"{_HERE}.go.aga:looks_like_aga",
            reader=f"{_HERE}.go.aga:read_aga",
            encoding=_LATIN_9,
            suffix=".aga",
            writers={"aga": f"{_HERE}.go.aga:write_aga"},
        ),
        Format(
            name="CSV",
            sign="columns with names that are known, or a cross table",
            detector=f"{_HERE}.tables:looks_like_table",
            reader=f"{_HERE}.tables:read_csv",
            certainty=Certainty.GENERAL,
            takes=("columns",),
            encoding=_LATIN_1,
            suffix=".csv",
            writers={"csv": f"{_HERE}.tables:write_csv"},
        ),
        Format(
            name="ODS, XLS",
            sign="a workbook of LibreOffice, or of old Excel",
            source=Source.BYTES,
            detector=f"{_HERE}.tables.other_workbooks:looks_like_other_workbook",
            reader=f"{_HERE}.tables.other_workbooks:read_other_workbook",
            certainty=Certainty.GENERAL,
            takes=("columns",),
            suffix=".ods",
        ),
        Format(
            name="XLSX",
            sign="an Excel workbook",
            source=Source.BYTES,
            detector=f"{_HERE}.tables:looks_like_xlsx",
            reader=f"{_HERE}.tables:read_xlsx",
            certainty=Certainty.GENERAL,
            takes=("columns",),
            suffix=".xlsx",
            writers={"xlsx": f"{_HERE}.tables:write_xlsx"},
        ),
    )
}

TARGETS: Mapping[str, Target] = {
    key: target for each in FORMATS.values() for key, target in targets_of(each).items()
}
