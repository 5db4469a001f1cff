from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("office", "0007_facts_in_parts")]
    operations = [migrations.RemoveConstraint(model_name="reportversion", name="version_once")]
