"""The report document: our own format, JSON with a published schema.

- ``schema`` -- what each object may hold, as a table, and the JSON Schema made from it;
- ``read`` -- the reader that follows the table, and ``write`` -- a report as a document.
"""
