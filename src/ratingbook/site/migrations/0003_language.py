"""The language in which an account is spoken to."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """One column."""

    dependencies = (("site", "0002_tokens"),)
    operations = (
        migrations.AddField("account", "language", models.TextField(blank=True, default="")),
    )
