"""The online update of Weng and Lin (2011), as a rule book for ratingbook."""

from rating_models.weng_lin.edition import weng_lin

__all__ = ["weng_lin"]
