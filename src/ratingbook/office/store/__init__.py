"""The tables of an office, the ledger, and the files kept by their hashes."""

from ratingbook.office.home import start_django

# Models can be imported only once Django has its settings; the database comes with the home.
start_django()
