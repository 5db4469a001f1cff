"""Papi, the pairing program of the French federation: an Access database, of which it is said so.

Nothing here reads Access: the libraries that do need programs of their own.
"""

from __future__ import annotations

from ratingbook.model import Findings, Report, Severity
from ratingbook.model.sentences import sentence

_SIGNS = (b"\x00\x01\x00\x00Standard Jet DB", b"\x00\x01\x00\x00Standard ACE DB")


def looks_like_access(data: bytes) -> bool:
    """Whether the bytes are a database of Access."""
    return data.startswith(_SIGNS)


def read_access(data: bytes) -> tuple[Report | None, Findings]:
    """What the file is, and what to send in its place."""
    findings = Findings()
    papi = b"\x00i\x00n\x00f\x00o" in data or b"i\x00n\x00f\x00o" in data
    findings.add(
        Severity.FATAL,
        "papi.access",
        sentence("This is a database of Access, such as Papi saves; it is not read.")
        if papi
        else sentence("This is a database of Access; it is not read."),
        remedy=sentence(
            "In Papi export the event as a FIDE report (TRF), or open it in Sharly Chess and "
            "export it there."
        ),
    )
    return None, findings
