"""Findings as the office keeps them: with their patterns, to be told in any language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ratingbook.model import Finding, Place, Severity
from ratingbook.model.sentences import Sentence, packed, unpacked

_SAID = "said"
"""The key of the patterns and their words, beside the texts in English."""
_TEXTS = ("message", "remedy")


def stored(finding: Finding) -> dict[str, Any]:
    """A finding for JSON."""
    told: dict[str, Any] = {key: getattr(finding, key) for key in _TEXTS}
    said = {key: packed(text) for key, text in told.items() if isinstance(text, Sentence)}
    return finding.as_dict() | ({_SAID: said} if said else {})


def told_again(kept: Mapping[str, Any]) -> dict[str, Any]:
    """What was kept, with texts that remember their patterns."""
    found = dict(kept)
    return found | {key: unpacked(text) for key, text in found.pop(_SAID, {}).items()}


def finding_of(kept: Mapping[str, Any]) -> Finding:
    """A finding that was kept."""
    said = told_again(kept)
    where = Place(**said["where"])
    return Finding(said["code"], Severity(said["severity"]), said["message"], where, said["remedy"])
