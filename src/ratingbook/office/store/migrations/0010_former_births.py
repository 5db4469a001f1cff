import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("office", "0009_substitutions")]
    operations = [
        migrations.CreateModel(
            name="FormerBirth",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("birth_date", models.DateField(null=True)),
                ("birth_year", models.SmallIntegerField(null=True)),
                ("salt", models.TextField()),
                ("fact", models.BigIntegerField()),
                ("until", models.BigIntegerField()),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to="office.person"
                    ),
                ),
            ],
        ),
    ]
