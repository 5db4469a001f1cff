"""What a run leaves on disk: generations of files, each whole, verified when read back.

A folder that somebody chose holds links with the names of the tables, and ``.ratingbook``
with what they lead to::

    ratings.parquet -> .ratingbook/current/ratings.parquet
    .ratingbook/current -> 000007-5f0c…
    .ratingbook/000007-5f0c…/manifest, ratings.parquet, standings.parquet …

A generation never changes.  A new one is written beside it, synced, and becomes the
current one by one rename, so whoever reads sees the old one or the new one, whole.
"""

from ratingbook.engine.store.disk import DISK, NOT_TO_BE_HAD, Disk
from ratingbook.engine.store.generation import Damaged, Generation, file_name
from ratingbook.engine.store.making import Making
from ratingbook.engine.store.store import INSIDE, Foreign, Store, Unfit

__all__ = [
    "DISK", "INSIDE", "NOT_TO_BE_HAD", "Damaged", "Disk", "Foreign", "Generation", "Making",
    "Store", "Unfit", "file_name",
]  # fmt: skip
