"""What reading rows ends in that somebody has damaged."""

from __future__ import annotations

import json
import zlib

import pyarrow as pa
from django.db import DataError, IntegrityError

DAMAGED: tuple[type[Exception], ...] = (
    ArithmeticError, AttributeError, DataError, IntegrityError, LookupError, TypeError, ValueError,
    json.JSONDecodeError, pa.ArrowException, zlib.error,
)  # fmt: skip
"""Rows that are not of the shape in which the office writes them lead to one of these."""
