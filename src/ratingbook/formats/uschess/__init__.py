"""The files of US Chess: its rating report (2C) and the cross tables that it prints.

- ``report_2c`` -- three dBase files that are one report;
- ``cross_table`` -- tables of text;
- ``rows``, ``games`` -- what both have: a player's cells, and the games in them.
"""
