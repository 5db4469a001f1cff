"""Histories on Spark: one that is rated by many machines, and many at once.

Workers import ratingbook from an environment like the driver's, and see the folders of
games and results under the same paths.
"""

from ratingbook.engine.spark.history import rate_files_on_cluster, rate_on_cluster
from ratingbook.engine.spark.jobs import Job
from ratingbook.engine.spark.session import cluster
from ratingbook.engine.spark.sweep import rate_many

__all__ = ["Job", "cluster", "rate_files_on_cluster", "rate_many", "rate_on_cluster"]
