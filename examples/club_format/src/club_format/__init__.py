"""The notes of a club's evenings: a format for ratingbook."""

from ratingbook.formats.format import Format

CLUB_NOTES = Format(
    name="club notes",
    sign="the words Club evening and a day in the first line",
    detector="club_format.read:looks_like_notes",
    reader="club_format.read:read_notes",
    suffix=".club",
    writers={"club": "club_format.write:write_notes"},
)
