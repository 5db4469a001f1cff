"""FIDE's report of a tournament (``trf``), and the codes of its federations."""
