"""The rating rules of the Nowhere Federation."""

from nowhere_rating.edition_2023 import nowhere_2023
from nowhere_rating.edition_2026 import nowhere_2026

__all__ = ["nowhere_2023", "nowhere_2026"]
