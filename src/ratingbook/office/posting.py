"""Sends something to an address that somebody named: never to one of the inside, unless allowed."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Timer
from time import monotonic
from urllib.parse import SplitResult, urlsplit

from ratingbook.model.sentences import sentence
from ratingbook.office.refused import refuse

PATIENCE = 10.0
"""Seconds for all of it, from the look-up of the name to the end of the answer."""
_PORTS = {"https": 443, "http": 80}
_EMBEDDING = ipaddress.ip_network("64:ff9b::/96")
"""Addresses of the old kind within those of the new one."""
_MOST_READ = 1024


class NotSent(Exception):
    """Why nothing was sent."""


def checked(url: str, *, inside: bool) -> SplitResult:
    """The parts of an address to which something may be sent; refused in words."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    schemes = ("https", "http") if inside else ("https",)
    odd = parts.username is not None or parts.password is not None or parts.fragment
    plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= 1000
    if parts.scheme not in schemes or not parts.hostname or odd or not plain or port == 0:
        raise refuse(
            "office.webhook-url",
            sentence("{url!r} is no address to send to.", url=url[:200]),
            sentence(
                "Write one as {scheme}://hooks.example.org/path, without a name and a password.",
                scheme=schemes[0],
            ),
        )
    return parts


def post(url: str, body: bytes, headers: Mapping[str, str], *, inside: bool) -> int:
    """Send it; gives the status of the answer.  Nobody is led elsewhere by an answer.

    The name is looked up once, and what was found is what is connected to: a name that means
    something else a moment later leads nowhere.
    """
    parts = checked(url, inside=inside)
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    deadline = monotonic() + PATIENCE
    place = _place(host, port, deadline, inside=inside)
    kind = _Secure if parts.scheme == "https" else _Plain
    connection = kind(host, port, place, deadline)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("POST", path, body, dict(headers))
        answer = connection.getresponse()
        answer.read(_MOST_READ)
        # An answer that was cut off may look whole.
        if monotonic() >= deadline:
            raise _late()
        return answer.status
    except (OSError, http.client.HTTPException) as error:
        if monotonic() >= deadline:
            raise _late() from None
        raise NotSent(f"{type(error).__name__}: {error}"[:200]) from None
    finally:
        connection.done()


def _late() -> NotSent:
    return NotSent(
        sentence("it did not come to its end within {seconds:g} seconds", seconds=PATIENCE)
    )


def is_plainly_inside(host: str) -> bool:
    """Whether a name or address says by itself that it is of the inside; others are looked up."""
    host = host.removesuffix(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return not is_outside(_as_address(host))
    except ValueError:
        return False


def _as_address(host: str) -> str:
    """The address that is written as a number, or in parts of another base, as systems read it."""
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return host


def is_outside(address: str) -> bool:
    """Whether an address is one of the public internet."""
    one = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(one, ipaddress.IPv6Address) and (
        one.ipv4_mapped or one.sixtofour or one.teredo or one in _EMBEDDING
    ):
        return False
    return one.is_global and not one.is_multicast


def _place(host: str, port: int, deadline: float, *, inside: bool) -> tuple[str, int]:
    """The address of a host; none of those that it has may be of the inside."""
    # What looks names up has a patience of its own, which nobody here can set.
    asking = ThreadPoolExecutor(1)
    try:
        looked = asking.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = looked.result(max(0.0, deadline - monotonic()))
    except TimeoutError:
        raise _late() from None
    except (OSError, UnicodeError) as error:
        raise NotSent(sentence("{host} cannot be found: {error}", host=host, error=error)) from None
    finally:
        asking.shutdown(wait=False)
    addresses = [str(each[4][0]) for each in found]
    if not inside and not all(map(is_outside, addresses)):
        raise NotSent(
            sentence("{host} is an address of the inside, to which nothing is sent", host=host)
        )
    return addresses[0], port


class _Plain(http.client.HTTPConnection):
    """A connection to a place that was looked up before, which is cut at a deadline.

    The patience of a socket begins anew with each byte.
    """

    def __init__(self, host: str, port: int, place: tuple[str, int], deadline: float) -> None:
        super().__init__(host, port)
        self._place, self._deadline = place, deadline
        self._cut: tuple[Timer, socket.socket] | None = None

    def connect(self) -> None:
        """To the place, whatever the name means by now."""
        left = max(0.001, self._deadline - monotonic())
        self.sock = socket.create_connection(self._place, left)
        # Another descriptor of the same connection: what reads it may be wrapped, or closed.
        other = self.sock.dup()
        cut = Timer(max(0.0, self._deadline - monotonic()), _end, (other,))
        cut.daemon = True
        self._cut = cut, other
        cut.start()

    def done(self) -> None:
        """Nobody waits for the deadline; a connection is closed before its answer is read."""
        self.close()
        if self._cut is not None:
            cut, other = self._cut
            cut.cancel()
            cut.join()
            other.close()
            self._cut = None


def _end(one: socket.socket) -> None:
    """End a connection, in whatever state it is."""
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)


class _Secure(_Plain):
    """The same, where who answers proves to be the host."""

    default_port = 443

    def connect(self) -> None:
        """With the certificate of the host that was named."""
        super().connect()
        context = ssl.create_default_context()
        self.sock = context.wrap_socket(self.sock, server_hostname=self.host)
