import django.db.models.deletion
from django.db import migrations, models

import ratingbook.office.store.models.people


class Migration(migrations.Migration):
    dependencies = [
        ("office", "0005_games_by_report"),
    ]

    operations = [
        migrations.AlterField(
            model_name="namekey",
            name="key",
            field=ratingbook.office.store.models.people.ByLetters(),
        ),
        migrations.AlterField(
            model_name="namekey",
            name="person",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.CASCADE,
                to="office.person",
            ),
        ),
    ]
