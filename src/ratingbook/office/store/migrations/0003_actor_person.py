from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("office", "0002_corrections"),
    ]

    operations = [
        migrations.AddField(
            model_name="actor",
            name="person",
            field=models.IntegerField(null=True),
        ),
    ]
