"""Rating systems that know how sure they are: Glicko, Glicko-2, and that of Weng and Lin."""

from rating_models.glicko import glicko
from rating_models.glicko_2 import glicko_2
from rating_models.weng_lin import weng_lin

__all__ = ["glicko", "glicko_2", "weng_lin"]
