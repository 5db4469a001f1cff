"""The days of a draft whose file does not say them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Two columns; drafts of before have no days of their own."""

    dependencies = (("site", "0004_confirmed"),)
    operations = (
        migrations.AddField("draft", "start", models.DateField(null=True)),
        migrations.AddField("draft", "end", models.DateField(null=True)),
    )
