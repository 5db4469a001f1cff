from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("office", "0012_few")]
    operations = [
        migrations.AddField(model_name="change", name="day", field=models.DateField(null=True)),
        migrations.AddIndex(
            model_name="change",
            index=models.Index(
                condition=models.Q(("day__isnull", False)), fields=["day"], name="changes_moved"
            ),
        ),
    ]
