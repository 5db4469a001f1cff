"""The web site of an office: what is shown stands in ``shown``, pages and forms in ``views``."""
