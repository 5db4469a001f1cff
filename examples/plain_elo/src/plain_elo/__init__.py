"""Plain Elo: an invented regulation in five paragraphs, as a rule book for ratingbook."""

from plain_elo.edition import plain_elo_2024

__all__ = ["plain_elo_2024"]
