"""The office: reports come in, people are identified, runs are approved, lists are published.

``logic`` is plain functions over plain values, ``store`` the tables and the ledger (Django),
``acts`` what an officer does, ``engine`` the only module that rates.
"""
