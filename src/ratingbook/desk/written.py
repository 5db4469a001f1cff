"""Texts and numbers as people read them: on a screen, on a page, in a sentence."""

from __future__ import annotations


def clean(text: object) -> str:
    """A text without control characters."""
    said = str(text)
    if said.isprintable():
        return said
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in said)


def number(value: float | None, *, signed: bool = False, digits: int = 2) -> str:
    """A number for people: real minus, no needless digits, – for none."""
    if value is None:
        return "–"
    text = f"{abs(value):.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if value < 0 and float(text) != 0:
        return "−" + text
    return ("+" if signed and value > 0 else "") + text


def points(value: float) -> str:
    """Points as score tables print them: 3½."""
    whole, half = divmod(round(2 * value), 2)
    return ("½" if half and not whole else f"{whole}½") if half else str(whole)


def rating_number(value: float | None, *, signed: bool = False) -> str:
    """A rating or its change for people: with the decimals that a federation prints."""
    return number(value, signed=signed, digits=3)


def rating_with(value: float | None, decimals: int, point: str) -> str:
    """A rating with these decimals: many are written, and the language is asked for them once."""
    if value is None:
        return "–"
    return f"{value:.{decimals}f}".replace(".", point).replace("-", "−")
