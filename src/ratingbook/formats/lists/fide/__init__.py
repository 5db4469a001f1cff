"""FIDE's rating lists, as text and as XML: what both hold, and what fits into either."""
