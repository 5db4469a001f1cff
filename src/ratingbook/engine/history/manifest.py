"""What a folder of results says of itself: names and values, as a Parquet table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

NAME = "manifest.parquet"


def write_manifest(folder: Path, said: Mapping[str, Any]) -> None:
    """Write names and values; a value is anything that JSON can say."""
    values = [json.dumps(value) for value in said.values()]
    pq.write_table(pa.table({"name": list(said), "value": values}), folder / NAME)


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """What a folder says of itself; None where it says nothing that can be read."""
    try:
        table = pq.read_table(folder / NAME)
        return {
            str(name): json.loads(value)
            for name, value in zip(
                table["name"].to_pylist(), table["value"].to_pylist(), strict=True
            )
        }
    except (KeyError, OSError, TypeError, ValueError, pa.ArrowException):
        return None
