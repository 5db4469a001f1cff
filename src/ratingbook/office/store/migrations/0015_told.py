import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("office", "0014_salt_of_list")]
    operations = [
        migrations.AddField(
            model_name="run",
            name="told",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="office.blob",
            ),
        ),
    ]
