"""The libraries of data frames, which come in only where somebody asks for a frame of theirs."""

from __future__ import annotations

import importlib
from typing import Any

import pyarrow as pa


def library(name: str) -> Any:
    """A library of frames; raises ModuleNotFoundError, with what to install."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ModuleNotFoundError(
            f"{name} is not installed, which makes this frame: pip install {name}; "
            "or take to_arrow()",
            name=name,
        ) from None


def to_pandas(table: pa.Table) -> Any:
    """A table as a data frame of pandas."""
    library("pandas")
    return table.to_pandas()


def to_polars(table: pa.Table) -> Any:
    """A table as a data frame of Polars."""
    return library("polars").from_arrow(table)
