from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("office", "0013_moved")]
    operations = [
        migrations.AddField(model_name="list", name="salt", field=models.TextField(null=True)),
    ]
