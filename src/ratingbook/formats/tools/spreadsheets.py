"""Texts in spreadsheets: written so that none is taken for a formula, and read back.

A spreadsheet computes a cell that begins with ``=`` and its kin, whoever wrote it.
"""

from __future__ import annotations

_FORMULA_STARTS = tuple("=+-@＝＋－＠")
_MARK = "'"
"""Spreadsheets take what follows for text."""


def guarded(text: str) -> str:
    """The text so that no spreadsheet takes it for a formula.

    >>> guarded("=1+1"), guarded("Doe, Jo")
    ("'=1+1", 'Doe, Jo')
    """
    return _MARK + text if _needs_guard(text) else text


def unguarded(text: str) -> str:
    """What :func:`guarded` was given, without white space around it."""
    text = text.strip()
    bare = text.removeprefix(_MARK)
    return bare.strip() if bare != text and _needs_guard(bare) else text


def printable(text: str) -> str:
    """The text with a sign in the place of each control character."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def cell(value: object) -> object:
    """A value as a cell of a CSV file that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return value
    return guarded(printable(str(value)))


def _needs_guard(text: str) -> bool:
    """Whether a formula begins here, or after marks, which would otherwise be taken off."""
    return text.lstrip(_MARK).lstrip().startswith(_FORMULA_STARTS)
