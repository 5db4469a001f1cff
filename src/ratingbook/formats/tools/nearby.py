"""Paths of which there is nothing, and what may be meant by them."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from ratingbook.model.sentences import Sentence, sentence

_LOOKED_AT = 10_000
"""So many names of a folder are compared; what is called so in a larger one nobody typed."""
_GUESSES = 3
_ALIKE = 0.7
_WORSE = 0.1
"""Beside a name that is as alike as this much more, nobody means the other."""
_LEAST_BEGINNING = 4


def not_there(path: Path) -> Sentence | None:
    """The sentence that there is nothing of this name, with what may be meant; None: there is.

    Where a folder on the way is missing already, it is about that.
    """
    if not _is_missing(path):
        return None
    missing = path
    while _is_missing(missing.parent):
        missing = missing.parent
    is_folder = missing != path
    near = [str(missing.parent / name) for name in _near(missing, is_folder=is_folder)]
    meant = " or ".join(near)
    if is_folder:
        if near:
            return sentence(
                "There is no folder {missing}; did you mean {meant}?", missing=missing, meant=meant
            )
        return sentence("There is no folder {missing}.", missing=missing)
    if near:
        return sentence("There is no file of this name; did you mean {meant}?", meant=meant)
    return sentence("There is no file of this name.")


def _is_missing(path: Path) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):  # Nobody may look, or it is no possible name.
        return False
    return False


def _near(path: Path, *, is_folder: bool) -> list[str]:
    """Names beside a path that are almost it: misspelt, of another suffix, or longer."""
    from difflib import SequenceMatcher, get_close_matches

    stems: dict[str, list[str]] = {}
    try:
        with os.scandir(path.parent) as entries:
            for entry in islice(entries, _LOOKED_AT):
                if not entry.name.startswith(".") and (entry.is_dir() or not is_folder):
                    stems.setdefault(_stem(entry.name), []).append(entry.name)
    except OSError:
        return []
    asked = _stem(path.name)
    near = get_close_matches(asked, sorted(stems), n=_GUESSES, cutoff=_ALIKE)
    if near:
        best = SequenceMatcher(None, near[0], asked).ratio()
        near = [n for n in near if SequenceMatcher(None, n, asked).ratio() > best - _WORSE]
    else:
        begins = asked[: max(_LEAST_BEGINNING, 2 * len(asked) // 3)]
        near = [n for n in sorted(stems) if n.startswith(begins)] if asked else []
    return [name for stem in near for name in sorted(stems[stem])][:_GUESSES]


def _stem(name: str) -> str:
    return Path(name).stem.casefold()
