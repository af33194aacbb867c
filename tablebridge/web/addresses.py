"""Where the pages can be reached: the addresses of this machine, and a link as a picture for a phone's
camera.
"""

import contextlib
import io
import ipaddress
import socket
from collections.abc import Iterable
from typing import Final

import segno

from tablebridge.settings.site import Web
from tablebridge.web.auth import Role, Token

_ANY: Final = {"0.0.0.0": (socket.AF_INET, "192.0.2.1"), "::": (socket.AF_INET6, "2001:db8::1")}
"""For each address that stands for all: the family, and an address of documentation, to which nothing is
sent.
"""


_PAGES: Final[dict[Role, str]] = {"broadcast": "overlay", "director": "director"}
"""Which page of a table these roles open, with the key in the address."""


def addresses_of(web: Web) -> list[str]:
    """The addresses under which the pages are reached: the one that they listen on, or if they listen on all,
    the one of this machine that the network sees. Localhost if there is no network.
    """
    if web.listen not in _ANY:
        return [web.listen]
    found = [address for family, far in (_ANY[web.listen], _ANY["0.0.0.0"]) if (address := _own(family, far))]
    return list(dict.fromkeys(found)) or ["localhost"]


def links_of(web: Web, tables: Iterable[str], token: Token, secret: str, host: str) -> list[str]:
    """Where to go with a token: signing in, or for the broadcast its page itself, of each table. A program
    that reads the metrics has no address to open: the token alone.
    """
    base = f"http://{f'[{host}]' if ':' in host else host}:{web.port or 'PORT'}"
    if token.role in _PAGES:
        named = [token.table] if token.table else tables
        return [f"{base}/{_PAGES[token.role]}/{table}?key={secret}" for table in named]
    if token.role == "metrics":
        return [secret]
    following = f"&next=/dealer/{token.table}" if token.role == "dealer" else ""
    return [f"{base}/login?token={secret}{following}"]


def qr_picture(link: str) -> str:
    """The link as a QR code: an SVG picture, as an address of its data."""
    return str(segno.make(link, micro=False, error="l").svg_data_uri(scale=6, dark="#000", light="#fff"))


def qr_code(link: str) -> str:
    """The link as a QR code of half blocks, for a terminal."""
    lines = io.StringIO()
    segno.make(link, micro=False, error="l").terminal(lines, compact=True)
    return lines.getvalue().rstrip("\n")


def _own(family: socket.AddressFamily, far: str) -> str:
    """This machine's address on the way there; empty if there is no way. A datagram socket that is connected
    asks the routing table and sends nothing.
    """
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
        asked.connect((far, 9))
        address = str(asked.getsockname()[0])
        return "" if ipaddress.ip_address(address.partition("%")[0]).is_loopback else address
    return ""
