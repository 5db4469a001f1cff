from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("office", "0006_name_keys"),
    ]

    operations = [
        migrations.AddField(
            model_name="fact",
            name="salt",
            field=models.TextField(null=True),
        ),
    ]
