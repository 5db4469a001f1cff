"""What reading rows ends in that somebody has damaged."""

from __future__ import annotations

import json
import zlib

import pyarrow as pa
from django.core.exceptions import MultipleObjectsReturned, ObjectDoesNotExist
from django.db import DataError, IntegrityError

DAMAGED: tuple[type[Exception], ...] = (
    ArithmeticError, AssertionError, AttributeError, DataError, IntegrityError, LookupError,
    MultipleObjectsReturned, ObjectDoesNotExist, TypeError, ValueError, json.JSONDecodeError,
    pa.ArrowException, zlib.error,
)  # fmt: skip
"""Rows that are not of the shape in which the office writes them lead to one of these."""
