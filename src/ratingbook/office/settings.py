"""Settings of Django for the tables of an office; the home adds its database."""

INSTALLED_APPS = [
    "django_tasks",
    "django_tasks_db",
    "ratingbook.office.store.apps.OfficeConfig",
]
USE_TZ = True
TIME_ZONE = "UTC"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
SECRET_KEY = "only the site signs anything, with a key of its own"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}}
"""The queue; what it lacks (lease, attempt, progress, cancel) is ours: ``acts.jobs``."""
