"""What a generation says of itself: its files with their stamps, and what they were made from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ratingbook.engine.store.hashing import Stamp, stamp_of

NAME = "manifest"
FORMAT = "ratingbook.store/1"
NAMES = "surrogateescape"
"""How texts hold names of files that are no UTF-8: by their bytes."""


class NoManifest(ValueError):
    """The text is no manifest, or is not what was written."""


@dataclass(frozen=True)
class Manifest:
    """Names of files with their stamps; ``said`` is anything that JSON can say."""

    files: Mapping[str, Stamp]
    said: Mapping[str, Any] = field(default_factory=dict)

    def as_bytes(self) -> bytes:
        """The text: a line with the hash of the next one, so that damage shows."""
        body = json.dumps({"files": self.files, "said": self.said}, sort_keys=True).encode()
        return f"{FORMAT} {stamp_of(body).digest}\n".encode() + body + b"\n"

    @classmethod
    def of(cls, data: bytes) -> Manifest:
        """Read what :meth:`as_bytes` wrote; raises :class:`NoManifest`."""
        head, _, body = data.partition(b"\n")
        body, end = body[:-1], body[-1:]
        if end != b"\n" or head != f"{FORMAT} {stamp_of(body).digest}".encode():
            raise NoManifest("it is not what was written, or another version wrote it")
        found = json.loads(body)
        files = {name: Stamp(*stamp) for name, stamp in found["files"].items()}
        return cls(files, found["said"])
