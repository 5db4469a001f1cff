"""Keys that survive a new version: what they are made of, by hand."""

from __future__ import annotations

import hashlib

from ratingbook.office.logic.stable import game_keys


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_key_is_the_hash_of_canonical_json():
    made = game_keys(
        [
            ("2026-open", "A", 3, "fide:9", "fide:10"),
            ("2026-open", "A", 3, "fide:10", "fide:9"),
            ("2026-open", "", None, 'o"neil, \\', "Žák\n"),
        ]
    )
    assert made == [
        _sha256('["2026-open","A",3,"fide:10","fide:9",1]'),
        # The same two in the same round once more.
        _sha256('["2026-open","A",3,"fide:10","fide:9",2]'),
        _sha256('["2026-open","",null,"o\\"neil, \\\\","Žák\\n",1]'),
    ]
