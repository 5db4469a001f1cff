"""A federation to try things in: plainly invented people, eight years, files of many formats."""
