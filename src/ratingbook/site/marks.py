"""The marks of answers, by which a reader who has one already is told so."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.utils.cache import get_conditional_response, set_response_etag


class Marks(ConditionalGetMiddleware):
    """Django marks what GET gives only; what HEAD asks about is the same answer."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """The answer with its mark, or that the reader has it."""
        if request.method != "HEAD" or not isinstance(response, HttpResponse):
            return super().process_response(request, response)
        if self.needs_etag(response) and not response.has_header("ETag"):
            # The server leaves the body out, after this.
            set_response_etag(response)
        found = get_conditional_response(request, etag=response.get("ETag"), response=response)
        return response if found is None else found
