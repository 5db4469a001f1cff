"""Texts and numbers as people read them: on a screen, on a page, in a sentence."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def clean(text: object) -> str:
    """A text without control characters."""
    said = str(text)
    if said.isprintable():
        return said
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in said)


def fixed(value: float, digits: int) -> str:
    """A number with so many digits after the point, and halves of the last one away from zero.

    A half is what is one as a pocket calculator shows the number: 0.285 has two digits as 0.29,
    though what stands for it in binary is a little less.
    """
    fraction = repr(float(value)).partition(".")[2]
    if len(fraction) == digits + 1 and fraction[-1] == "5":
        last = Decimal(1).scaleb(-digits)
        return f"{Decimal(repr(float(value))).quantize(last, ROUND_HALF_UP):f}"
    return f"{value:.{digits}f}"


def number(value: float | None, *, signed: bool = False, digits: int = 2) -> str:
    """A number for people: real minus, no needless digits, – for none."""
    if value is None:
        return "–"
    text = fixed(abs(value), digits)
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if value < 0 and float(text) != 0:
        return "−" + text
    return ("+" if signed and value > 0 else "") + text


def points(value: float) -> str:
    """Points as score tables print them: 3½."""
    whole, half = divmod(round(2 * value), 2)
    return ("½" if half and not whole else f"{whole}½") if half else str(whole)


MOST_DIGITS = 3
"""The decimals of a rating that nothing says more of."""


def rating_number(value: float | None, *, signed: bool = False) -> str:
    """A rating or its change for people: with the decimals that a federation prints."""
    return number(value, signed=signed, digits=MOST_DIGITS)


def as_shown(value: float | None) -> float | None:
    """The number that :func:`rating_number` writes: what stands beside it is reckoned from that."""
    return None if value is None else float(fixed(value, MOST_DIGITS))


def rating_with(value: float | None, decimals: int, point: str) -> str:
    """A rating with these decimals: many are written, and the language is asked for them once."""
    if value is None:
        return "–"
    return fixed(value, decimals).replace(".", point).replace("-", "−")
