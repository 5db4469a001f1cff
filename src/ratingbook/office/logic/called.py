"""What users call the keys of the program: parts of a standing, kinds of decisions, settings."""

from __future__ import annotations

from collections.abc import Mapping

from ratingbook.desk.language import ENGLISH, Language

OF_STANDING, OF_DECISION, OF_SETTING = "of a standing", "kind of decision", "setting"
"""Contexts of catalogues: the same words are others elsewhere."""
SETTINGS: Mapping[str, str] = {
    "above_table": "above the table",
    "assume": "rating of unrated players",
    "assigned_games": "formula of assigned ratings",
    "below_floor": "ratings below the floor",
    "bonus": "bonus multiplier",
    "cap": "greatest difference of ratings",
    "cap_rule": "where the greatest difference holds",
    "cutoff": "greatest difference of ratings",
    "decimals": "decimals of published ratings",
    "default_starting": "starting rating",
    "established_games": "games to an established rating",
    "expectancy": "expected scores",
    "first_draws": "draws in a first rating",
    "first_games": "games to a first rating",
    "first_maximum": "greatest first rating",
    "first_months": "months for a first rating",
    "fixed_games": "games to a fixed rating",
    "floor": "floor",
    "home": "points for the side at home",
    "inactive_months": "months without games to inactivity",
    "junior_age": "age of juniors",
    "k": "K",
    "k_everybody": "K of all players",
    "k_high": "K of highly rated players",
    "k_new": "K of new players",
    "k_rated": "K of rated players",
    "k_top": "K of top players",
    "late_lists": "lists until a report is too late",
    "least_minutes": "least minutes of a game",
    "longest_event": "longest event, in days",
    "most_difference": "greatest difference of ratings",
    "new_games": "games of a new player",
    "pool": "kind of list",
    "published_games": "games to a published rating",
    "scale": "scale of differences",
    "season_mean": "mean of a season",
    "season_month": "first month of a season",
    "start": "starting rating",
    "stone": "points for a handicap stone",
    "tie": "rounding of halves",
    "ties": "rounding of halves",
    "top_rating": "rating of top players",
}
"""Settings that offices change; of any other the key says it in words."""
VALUES = ("logistic", "table", "extrapolate", "hold", "half up", "half even", "unrated")
"""Words that settings are set to, beside those that pages say of games and lists."""


def part_of_standing(key: str, language: Language = ENGLISH) -> str:
    """What a standing has: a rating, games, a floor."""
    return language.pgettext(OF_STANDING, key.replace("_", " "))


def decision(kind: str, language: Language = ENGLISH) -> str:
    """What an office decides of a person."""
    return language.pgettext(OF_DECISION, kind.replace("_", " "))


def setting(key: str, language: Language = ENGLISH) -> str:
    """What the rules of a pool are set by."""
    return language.pgettext(OF_SETTING, SETTINGS.get(key, key.replace("_", " ")))


def value_of_setting(value: object, language: Language = ENGLISH) -> str:
    """What a setting is set to: a number, or one of the words that its edition knows."""
    match value:
        case None:
            return language.gettext("as usual")
        case bool():
            return language.gettext("yes" if value else "no")
        case float():
            return language.figure(f"{value:.10g}")
        case str() if not value.isdecimal():
            return language.gettext(value.replace("_", " "))
    return f"{value}"
