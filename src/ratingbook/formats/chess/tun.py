"""Swiss-Manager's own file of an event (.TUN, .TUNX): nobody reads it, and so it is said.

Each of its parts begins with the same three bytes behind one that numbers the part.
"""

from __future__ import annotations

from ratingbook.model import Findings, Report, Severity
from ratingbook.model.sentences import sentence

_SIGN = b"\xff\x89\x44"
_PARTS = range(0x90, 0xB0)


def looks_like_tun(data: bytes) -> bool:
    """Whether the bytes begin as a part of such a file."""
    return data[1:4] == _SIGN and data[0] in _PARTS


def read_tun(data: bytes) -> tuple[Report | None, Findings]:
    """What the file is, and what to send in its place."""
    findings = Findings()
    findings.add(
        Severity.FATAL,
        "swiss-manager.own-file",
        sentence("This is the file in which Swiss-Manager keeps an event (.TUN); it is not read."),
        remedy=sentence(
            "Open it in Swiss-Manager and export the event for FIDE (Other, FIDE data export "
            "TRF16), or send the upload file for chess-results."
        ),
    )
    return None, findings
