import django.db.models.deletion
from django.db import migrations, models


def by_letters(apps, schema_editor, collation='"C"'):
    """Beginnings of keys are looked for as a range, which a language's order would tear apart."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            f"ALTER TABLE office_namekey ALTER COLUMN key TYPE text COLLATE {collation}"
        )


def by_language(apps, schema_editor):
    by_letters(apps, schema_editor, '"default"')


class Migration(migrations.Migration):
    dependencies = [
        ("office", "0005_games_by_report"),
    ]

    operations = [
        migrations.AlterField(
            model_name="namekey",
            name="person",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.CASCADE,
                to="office.person",
            ),
        ),
        migrations.RunPython(by_letters, by_language),
    ]
