"""A report becomes a club's notes."""

from club_format.read import RESULTS
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.formats.tools.written import Written
from ratingbook.model import Findings, Report, Severity

NO_DAY = Remark(
    "club-notes.day",
    Severity.FATAL,
    "The event has no last day, which stands in the title",
    "Give the day of the event.",
)


def write_notes(report: Report) -> Written:
    """The evening in lines; what has no place in them is found by reading them again."""
    notes = Notes()
    if report.event.end is None:
        notes.add(NO_DAY, report.event.name or "no name", report.entries[0].place)
        return Written({}, notes.findings())
    signs = {result: sign for sign, result in RESULTS.items()}
    numbers = {entry.id: str(number) for number, entry in enumerate(report.entries, 1)}
    lines = [f"Club evening {report.event.end}"]
    for entry in report.entries:
        rating = entry.standing.rating if entry.standing else None
        shown = "new" if rating is None else f"{rating:.0f}"
        lines.append(f"{numbers[entry.id]} {entry.name or 'nobody'} {shown}")
    for game in report.games:
        if game.black is not None and game.result in signs:
            pair = f"{numbers[game.white]}-{numbers[game.black]}"
            lines.append(f"{pair} {signs[game.result]}")
    text = "".join(f"{line}\n" for line in lines)
    return Written({"": text.encode()}, Findings(), numbers)
