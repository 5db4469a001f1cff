from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("office", "0004_webhooks"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="game", name="game_key"),
    ]
