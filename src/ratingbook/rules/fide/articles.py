"""Where FIDE's own texts have our paragraphs, edition by edition.

Only places that we have seen in a text are named: the chapters of 2024 are known but for a few
sections, of that of 2022 the sections on ratings, of earlier ones the article on K.
"""

from __future__ import annotations

from ratingbook.rules.text import articles_in

ARTICLES = articles_in("""
fide-2009  http://www.fide.com/component/content/article/1-fide-news/4059-changes-to-title-and-rating-regulations-effective-from-july-1st-2009.html
    announcement, Coefficient K: 2c 6c
    announcement, Rating Period: 5c
    announcement, Rating of Previously Unrated Players: 6a 6g
    announcement, Registration of Tournaments: 9
fide-2012  http://www.fide.com/fide/handbook.html?id=161&view=article
    B.02 8.56: 2c 2d
fide-2014  http://www.fide.com/fide/handbook.html?id=172&view=article
    B.02 8.56: 2c 2d 2g
fide-2014
    B.01 1.46b, 1.48: 13
fide-2022  https://handbook.fide.com/chapter/B022022
    B.02 8.3.1: 1b 1e
    B.02 8.1: 1c
    B.02 8.3.3: 2c 2d 2f 2g
    B.02 8.2.1: 6a
    B.02 8.2.2: 6b
    B.02 8.2.3: 6c 6d
    B.02 7.1.4: 6e
    B.02 0.2, 1.1: 9
    B.02 1.1: 14
fide-2024  https://handbook.fide.com/chapter/B022024
    B.02 8.3.1: 1b 1d
    B.02 8.1.2, 8.3.2 a: 1c
    B.02 8.3.2 b, d: 2a
    B.02 8.3.2 c, d: 2b
    B.02 8.3.3: 2c 2d 2f 2g
    B.02 7.2.1: 2e
    B.02 8.3.2 c: 3
    B.02 8.3.4: 5b
    B.02 7.1, 7.1.3: 5c
    B.02 9.1: 5d
    B.02 4: 5e
    B.02 8.2.1: 6a
    B.02 8.2.2: 6b 6h
    B.02 8.2.3: 6d 6i
    B.02 7.1.4: 6e 6f
    B.02 5.1: 8
    B.02 6.1, 6.2: 8c
    B.02 0.2, 1.1: 9
    B.02 7.2.2: 10
    B.02 1.1; rapid and blitz 1.1: 14
fide-2024  https://qc.fide.com/2024/03/01/new-rating-regulations-come-into-force/
    announcement of 1 March 2024: 11
fide-2024  https://handbook.fide.com/chapter/B02RBRegulations2024
    rapid and blitz 7.3.1: 8b
    rapid and blitz 6, 7.2.1: 12
fide-2024  https://handbook.fide.com/chapter/B012024
    B.01 1.4.8: 7
    B.01 1.4.6 b, 1.4.8: 13
""")
"""By edition and by the address of a text: the places in it, by our numbers.

The first text of an edition is its regulation, or what was announced of it.
"""
