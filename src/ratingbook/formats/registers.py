"""Whose numbers players have: what readers call the registers of federations."""

from __future__ import annotations

from collections.abc import Mapping

from ratingbook.formats.chess import icu_csv
from ratingbook.formats.lists.kinds import KINDS
from ratingbook.formats.uschess import rows

_OF: Mapping[str, str] = {
    **{kind.federation: kind.register for kind in KINDS},
    "US Chess": rows.REGISTER,
    "ICU": icu_csv.REGISTER,
}
"""Federation → its register, as regulations call the federation."""
REGISTERS = tuple(dict.fromkeys([*_OF.values(), "national"]))
"""What readers call registers by themselves; reports may name others."""

_DECIMAL = frozenset({"fide", "iccf", "egd", "aga", "uscf", "icu"})
"""Registers whose numbers are of digits alone."""


def can_be_number(register: str, number: str) -> bool:
    """Whether a register may have such a number; of registers that are not known here any."""
    return register not in _DECIMAL or (number.isascii() and number.isdecimal())


def register_of(federation: str) -> str | None:
    """The register of a federation; None: it has none that is known here."""
    return _OF.get(federation)
