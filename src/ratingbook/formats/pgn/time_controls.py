"""Time controls: PGN counts in seconds (``5400+30``), people in minutes (``90+30``)."""

from __future__ import annotations

import re

_DAY = 24 * 60 * 60
_PART = re.compile(r"(?:([0-9]{1,3})/)?([0-9]{1,7})(?:\+([0-9]{1,5}))?")
_NUMBERS = re.compile(r"[-0-9/+:*? ]*")
_LEAST_MOVES = 20
"""Fewer moves' worth of increment than this are in the first time of any usual time control."""

_SUDDEN_DEATH = re.compile(r"(?:G|SD)/([0-9]{1,4})", re.IGNORECASE)
_MOVES = re.compile(r"([0-9]{1,3})/([0-9]{1,4})")
_WITH_INCREMENT = re.compile(r"([0-9]{1,4})\+([0-9]{1,4})")
_INCREMENT = re.compile(r"\+([0-9]{1,4})")


def is_by_days(text: str) -> bool:
    """Whether a move may take a day or longer."""
    match = _PART.match(text)
    return match is not None and int(match[2]) >= _DAY * int(match[1] or _DAY)


def in_minutes(text: str) -> str | None:
    """The time control in minutes; words stay as they are; None for what was not understood.

    >>> in_minutes("40/7200:3600"), in_minutes("5400+30"), in_minutes("300")
    ('40/120,SD/60', '90+30', 'G/5')
    """
    if not _NUMBERS.fullmatch(text):
        return text
    parts = [_PART.fullmatch(part) for part in text.split(":")]
    fields: list[str] = []
    increments: set[str] = set()
    for at, part in enumerate(parts, 1):
        if part is None or int(part[2]) % 60 or not int(part[2]):
            return None
        if (part[1] is None) != (at == len(parts)) and len(parts) > 1:
            return None
        # 120+30 is not two minutes: somebody wrote minutes.
        if part[3] and at == 1 and int(part[3]) * _LEAST_MOVES > int(part[2]):
            return None
        fields.append(f"{part[1] or 'SD'}/{int(part[2]) // 60}")
        increments.update(filter(None, (part[3],)))
    if len(increments) > 1:
        return None
    increment = next(iter(increments), None)
    if len(fields) == 1 and fields[0].startswith("SD/"):
        minutes = fields[0].removeprefix("SD/")
        return f"{minutes}+{increment}" if increment else f"G/{minutes}"
    return ",".join(fields) + (f";+{increment}" if increment else "")


def in_seconds(text: str) -> str | None:
    """The time control as PGN writes it; None where it has no way to say it.

    >>> in_seconds("40/120,SD/60;+30"), in_seconds("G/90;d5")
    ('40/7200:3600+30', None)
    """
    fields: list[str] = []
    for part in re.split(r"[;,]\s*", text.strip()):
        if match := _SUDDEN_DEATH.fullmatch(part):
            fields.append(f"{int(match[1]) * 60}")
        elif match := _MOVES.fullmatch(part):
            fields.append(f"{int(match[1])}/{int(match[2]) * 60}")
        elif match := _WITH_INCREMENT.fullmatch(part):
            fields.append(f"{int(match[1]) * 60}+{int(match[2])}")
        elif (match := _INCREMENT.fullmatch(part)) and fields and "+" not in fields[-1]:
            fields[-1] += f"+{int(match[1])}"
        else:
            return None
    return ":".join(fields)
