"""Files that are packed, by how they begin."""

from __future__ import annotations

_BEGINNINGS = {
    b"PK\x03\x04": "ZIP",
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    **{b"BZh%d1AY&SY" % size: "bzip2" for size in range(1, 10)},
    b"\xfd7zXZ\x00": "xz",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "RAR",
}
ARCHIVE = "ZIP"
"""An archive of files, which some commands read."""


def packed_by(data: bytes) -> str:
    """The name of that by which a file that begins so is packed; empty: it is not."""
    return next((name for start, name in _BEGINNINGS.items() if data.startswith(start)), "")
