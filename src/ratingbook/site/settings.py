"""Settings of Django for the site, beside those of the office's tables."""

from pathlib import Path

from django.conf.locale import LANG_INFO
from django.utils.translation import to_language


def _languages(folder: Path) -> list[tuple[str, str]]:
    """English, and each language that has a compiled catalogue, by its own name."""
    codes = sorted(to_language(each.parts[-3]) for each in folder.glob("*/LC_MESSAGES/django.mo"))
    names = [(code, LANG_INFO[code]["name_local"]) for code in codes if code in LANG_INFO]
    return [("en", "English"), *((code, name[:1].upper() + name[1:]) for code, name in names)]


INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    # Before allauth, whose templates ours take the place of.
    "ratingbook.site.apps.SiteConfig",
    "allauth",
    "allauth.account",
    "allauth.mfa",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "ratingbook.site.headers.policy",
    "ratingbook.site.unturned.unturned",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "ratingbook.site.languages.Languages",
    "ratingbook.site.marks.Marks",
    "django.middleware.common.CommonMiddleware",
    # Before a form is asked for: nothing can be sent to most pages.
    "ratingbook.site.access.Methods",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "ratingbook.site.access.Gate",
    # Behind the gate: it gives nothing away that the gate refuses.
    "ratingbook.site.rendered.Rendered",
    "ratingbook.site.errors.Refusals",
]
ROOT_URLCONF = "ratingbook.site.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["ratingbook.site.templatetags.wrong"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "ratingbook.site.frame.of_every_page",
                "ratingbook.site.accounts.of_reader",
            ],
        },
    },
]
LANGUAGE_CODE = "en"
LANGUAGES = _languages(Path(__file__).parent / "locale")
LOCALE_PATHS = [Path(__file__).parent / "words"]  # What the site says otherwise in English, too.
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": 10}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]
AUTHENTICATION_BACKENDS = ["ratingbook.site.adapter.SignedIn"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "my_page"
PASSWORD_RESET_TIMEOUT = 24 * 3600
"""Seconds for which a one-time link can be used."""
ACCOUNT_ADAPTER = "ratingbook.site.adapter.Accounts"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "login_failed": "10/m/ip,5/5m/key"}
"""The rest are those of allauth; they are counted in files of the office, which all of its
processes share."""
MFA_ADAPTER = "ratingbook.site.adapter.SecondFactors"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "ratingbook"
MFA_TOTP_TOLERANCE = 1
"""Steps of 30 seconds before and after now of which codes are taken: clocks differ."""
MFA_FORMS = {
    name: f"ratingbook.site.second_factor_forms.{form}"
    for name, form in (
        ("authenticate", "Code"), ("reauthenticate", "CodeAgain"), ("add_webauthn", "AddPasskey"),
        ("authenticate_webauthn", "PasskeyBesides"), ("login_webauthn", "PasskeyAlone"),
        ("reauthenticate_webauthn", "PasskeyAgain"),
    )
}  # fmt: skip
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
"""By ``no-referrer`` browsers send forms with ``Origin: null``: as if they were from elsewhere."""
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"stderr": {"class": "logging.StreamHandler", "level": "ERROR"}},
    "loggers": {
        "django.request": {"handlers": ["stderr"], "level": "ERROR", "propagate": False},
        "ratingbook.site": {"handlers": ["stderr"], "level": "ERROR"},
    },
}
"""A fault of ours is told where the server runs; Django would mail it to nobody."""
RATINGBOOK_SECOND_FACTOR = True
"""Whether officers and administrators need a second factor before their roles count."""
RATINGBOOK_RATES = {"address": 120, "token": 600}
"""Requests of the API a minute, of an address and by a token."""
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 2**20
"""Bytes of a form without its files; those are limited where they are taken in."""
