"""Rating regulations of game federations as exact, explained, executable rule books."""

__version__ = "0.1.0"
