"""Options that several commands share, and what was wrong with a call."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ratingbook.cli.screen import errors
from ratingbook.desk.written import clean
from ratingbook.formats.tools.encodings import naming
from ratingbook.rules.near import did_you_mean

ColumnOption = Annotated[
    list[str] | None,
    typer.Option(
        "--column", metavar="FIELD=HEADER", help="Which column of a table holds what: white=Weiß."
    ),
]
PlayersOption = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="What is known of players before: CSV or JSON, output of `rate`, or a federation's "
        "rating list. May be given several times: what an earlier one says holds.",
    ),
]
IdOption = Annotated[
    str | None,
    typer.Option(
        "--id",
        metavar="KIND",
        help="What makes two entries one person: the number at fide, egd, uscf, iccf …, local (the "
        "ids of the files), or name. Default: the number of the rule book's federation.",
    ),
]


def _in_encoding(context: typer.Context, name: str | None) -> str | None:
    """All text files that the command reads, directly or not, are in this encoding."""
    if name is None:
        return None
    try:
        is_text = getattr(codecs.lookup(name), "_is_text_encoding", True)
    except (LookupError, ValueError):
        is_text = False
    if not is_text:
        raise typer.BadParameter(f"{name!r} is no encoding; cp1251, koi8-r, gb18030 … are")
    context.with_resource(naming(name))
    return name


EncodingOption = Annotated[
    str | None,
    typer.Option(
        callback=_in_encoding,
        metavar="NAME",
        help="The encoding of text files, where it is not told rightly: cp1251, shift_jis …",
    ),
]


class Engine(StrEnum):
    """Where many games, or many runs, are rated."""

    local = "local"
    spark = "spark"


ALL_CORES = "local[*]"
"""The Spark master that is this machine."""
EngineOption = Annotated[Engine, typer.Option(help="This machine, or a Spark cluster.")]
MasterOption = Annotated[
    str | None,
    typer.Option(help=f"Spark master: local[2], spark://host:7077 …; else {ALL_CORES}."),
]


def master_of(engine: Engine, master: str | None) -> str | None:
    """The address of the Spark master; None: this process rates."""
    if engine is Engine.spark:
        return master or ALL_CORES
    if master is not None:
        raise usage("--master is for --engine spark")
    return None


def pairs_of(option: str, texts: Sequence[str]) -> dict[str, str]:
    """The NAME=VALUE pairs of an option that may repeat."""
    values = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise usage(f"{option} takes {'PARAMETER' if option == '--set' else 'KEY'}=VALUE, "
                         f"not {text!r}")  # fmt: skip
        if name.strip() in values:
            raise usage(f"{option} gives {name.strip()} twice")
        values[name.strip()] = value.strip()
    return values


def id_of(kind: str | None) -> str | None:
    """What joins persons, as it was asked for."""
    from ratingbook.desk.persons import ID_KINDS

    if kind is not None and kind.lower() not in ID_KINDS:
        raise usage(f"--id knows no {kind!r}; {did_you_mean(kind, ID_KINDS, 'it takes')}")
    return None if kind is None else kind.lower()


def columns_of(texts: Sequence[str] | None) -> dict[str, str] | None:
    """The columns of a table as they were named."""
    columns = pairs_of("--column", texts or ())
    if not columns:
        return None
    from ratingbook.formats.tables.words import fields

    known = fields()
    unknown = sorted(columns.keys() - known)
    if unknown:
        guess = did_you_mean(unknown[0], sorted(known), "it knows")
        raise usage(f"--column knows no field {unknown[0]!r}; {guess}")
    return columns


def usage(message: str) -> typer.Exit:
    """Say what was wrong with the call; exit status 2."""
    errors().print(clean(f"ratingbook: {message}"), style="bold red")
    return typer.Exit(2)
