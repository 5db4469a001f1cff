"""In which language a page is told: as the account or its reader chose, else as the browser asks.

Whatever is a file stays as it is for everybody: JSON, CSV and feeds are in English, with points in
numbers and days as ISO 8601 writes them.
"""

from __future__ import annotations

from ast import literal_eval
from contextvars import ContextVar
from datetime import date

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.formats import date_format, get_format
from django.utils.translation import gettext, ngettext, pgettext

from ratingbook.desk.language import Language

PLAIN = "en"
"""What the program itself speaks."""
IN_SESSION = "language"
_FILES = (".json", ".csv", ".atom")
_API = "/api/"
TOGETHER = "\N{WORD JOINER}–\N{WORD JOINER}"
"""The dash of a result on a page: no line ends there."""
_FOR_PROGRAMS: ContextVar[bool] = ContextVar("for programs", default=False)
"""Whether what is being said goes into a file."""


class Languages(LocaleMiddleware):
    """Of the account, the cookie, ``Accept-Language``; else English, as is whatever is a file."""

    def process_request(self, request: HttpRequest) -> None:
        """Speak the language of the reader."""
        _FOR_PROGRAMS.set(is_file(request.path))
        if is_file(request.path):
            translation.activate(PLAIN)
            vars(request)["LANGUAGE_CODE"] = PLAIN
        else:
            chosen = _of_account(request)
            if chosen:
                translation.activate(chosen)
                vars(request)["LANGUAGE_CODE"] = chosen
            else:
                super().process_request(request)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Say which language it was, unless no language plays a part in it."""
        _FOR_PROGRAMS.set(False)
        if is_file(request.path):
            response.headers.setdefault("Content-Language", PLAIN)
            return response
        return super().process_response(request, response)


def _of_account(request: HttpRequest) -> str:
    """What somebody chose who has signed in; their session knows it, so nothing more is asked."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return ""
    chosen = request.session.get(IN_SESSION, "")
    return chosen if chosen in dict(settings.LANGUAGES) else ""


def is_file(path: str) -> bool:
    """Whether a path leads to data, which are the same in every language."""
    return path.endswith(_FILES) or path.startswith(_API)


def way_of_speaking() -> tuple[str | None, bool]:
    """What tells texts apart that are made of the same facts: the language, and if for a file."""
    return translation.get_language(), _FOR_PROGRAMS.get()


def decimal_point() -> str:
    """What the language writes between a number and its decimals."""
    return str(get_format("DECIMAL_SEPARATOR"))


def localised(text: str) -> str:
    """A number that is written with a point, as the language writes it."""
    return text.replace(".", decimal_point())


def grouped(count: int) -> str:
    """A count with its thousands apart, from five digits on; a rating is none."""
    if abs(count) < 10_000:
        return str(count)
    return f"{count:,}".replace(",", str(get_format("THOUSAND_SEPARATOR")))


def written_day(value: date) -> str:
    """A day as the language writes it."""
    return date_format(value, pgettext("format of days", "j M Y"))


_SMALL_MONTHS = frozenset({"bg", "ru"})
"""Languages that write the name of a month small within a sentence; by themselves Django has it
as it begins one."""


def month_in_words(value: date) -> str:
    """A month with its name, as the language writes it within a sentence."""
    said = date_format(value, pgettext("format of days", "F Y"))
    return said.lower() if translation.get_language() in _SMALL_MONTHS else said


class Spoken(Language):
    """The language of the page that is being made."""

    def gettext(self, message: str) -> str:
        """What the catalogue has for it."""
        # Of nothing a catalogue knows its own head.
        return gettext(message) if message else ""

    def pgettext(self, context: str, message: str) -> str:
        """What the catalogue has for it in this context."""
        return pgettext(context, message)

    def ngettext(self, one: str, many: str, count: int) -> str:
        """The form of the catalogue for so many."""
        return ngettext(one, many, count)

    def quoted(self, word: str) -> str:
        """In the quotation marks of the language; what is no text has none."""
        if word[:1] not in ("'", '"'):
            return word
        return pgettext("quotation marks", "“{text}”").format(text=literal_eval(word))

    def share(self, text: str) -> str:
        """With its sign as the language sets it: with a space before it, or without."""
        return gettext("{n}%").format(n=self.figure(text.removesuffix("%")))

    def figure(self, text: str) -> str:
        """With the comma of the language, and its thousands apart in its way."""
        if "," not in text:
            return localised(text)
        between = str(get_format("THOUSAND_SEPARATOR"))
        return between.join(localised(part) for part in text.split(","))

    def day(self, text: str) -> str:
        """As the language writes days; in files as it stands."""
        return text if _FOR_PROGRAMS.get() else written_day(date.fromisoformat(text))


class SpokenOnce(Spoken):
    """The same for one page that says few words very often: each is looked up once."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def gettext(self, message: str) -> str:
        """What the catalogue has for it."""
        found = self._known.get(message)
        if found is None:
            found = self._known[message] = super().gettext(message)
        return found


class OnPages(Spoken):
    """The same where it is printed on a page, whose lines end where there is no more room."""

    def result(self, text: str) -> str:
        """No line ends within a result; in a file it stands as it is."""
        said = super().result(text)
        return said if _FOR_PROGRAMS.get() else said.replace("–", TOGETHER)


SPOKEN = Spoken()
ON_PAGES = OnPages()
