"""What was confirmed: what is corrected since is asked anew."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """One column; what was confirmed before stands for results as they were reported."""

    dependencies = (("site", "0003_language"),)
    operations = (
        migrations.AddField("confirmation", "said", models.TextField(blank=True, default="")),
    )
