from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("office", "0011_needed")]
    operations = [
        migrations.AddField(model_name="ledgerhead", name="few", field=models.JSONField(null=True)),
    ]
