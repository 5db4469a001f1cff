"""The picture of the README, from the very functions that print on a terminal.

``python tools/picture.py`` writes ``docs/images/rate.svg``; a test compares it.
The picture asks for no font or file from anywhere.
"""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI

from ratingbook.cli.rate import show
from ratingbook.desk.players import read_players_files
from ratingbook.desk.rated import rate_file, reports_in
from ratingbook.rules import registry

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "images" / "rate.svg"
REPORT = Path("examples/reports/spring-open.trf")
PLAYERS = Path("examples/reports/spring-open-players.csv")
TITLE = "ratingbook rate spring-open.trf --rulebook fide-2009 --explain 5"
WIDTH = 88

SVG = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def picture() -> str:
    """The picture as SVG."""
    console = Console(
        record=True, file=io.StringIO(), width=WIDTH, markup=False, highlight=False, emoji=False
    )
    book = registry.load("fide-2009")
    known = read_players_files([ROOT / PLAYERS], book, reports_in([ROOT / REPORT], book))
    rated = rate_file(ROOT / REPORT, book, known, frozenset({"5"}), coefficients=True)
    show(rated, console)
    return console.export_svg(
        title=TITLE, theme=DIMMED_MONOKAI, code_format=SVG, unique_id="ratingbook"
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
