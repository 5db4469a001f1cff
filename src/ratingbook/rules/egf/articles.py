"""Where the EGF's own descriptions have our paragraphs.

The descriptions have headings, three numbered equations and two tables, but no numbers of sections.
Only places that we have seen are named; of the page of 2021 we know the system description only.
"""

from __future__ import annotations

from ratingbook.rules.text import articles_in

ARTICLES = articles_in("""
egf-1998  http://www.european-go.org/rating/gor.html
    General remarks: 1 2 7 H
    System description, (1) and (2): 3
    System description, table 2: 4
    System description, (3): 5
    System description, example 5: 6
    System description, (2): 11
egf-1998
    Statistics of even games: 8
egf-2013  https://www.europeangodatabase.eu/EGD/EGF_rating_system_old.php
    General information: 1 2 7 H
egf-2013  https://www.europeangodatabase.eu/EGD/EGF_rating_system_old.php#System
    System description, (1) and (2): 3
    System description, table 2: 4
    System description, (3): 5
    System description, example 5: 6
egf-2013  https://www.europeangodatabase.eu/EGD/EGF_rating_system.php#CLASS
    Tournament class: 10
egf-2021  https://www.europeangodatabase.eu/EGD/EGF_rating_system.php#System
    System description; Remarks: 5
    System description: 9
egf-2021  https://www.europeangodatabase.eu/EGD/EGF_rating_system.php#CLASS
    Tournament class: 10
""")
"""By edition and by the address of a text: the places in it, by our numbers.

The first text of an edition is on the page that describes it.
"""
