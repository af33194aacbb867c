"""Where the pages can be reached: the addresses of this machine, and a link as a picture for a phone's
camera.
"""

import contextlib
import io
import ipaddress
import socket
from typing import Final

import segno

from tablebridge.settings.site import Web

_ANY: Final = {"0.0.0.0": (socket.AF_INET, "192.0.2.1"), "::": (socket.AF_INET6, "2001:db8::1")}
"""For each address that stands for all: the family, and an address of documentation, to which nothing is
sent.
"""


def addresses_of(web: Web) -> list[str]:
    """The addresses under which the pages are reached: the one that they listen on, or if they listen on all,
    the one of this machine that the network sees. Localhost if there is no network.
    """
    if web.listen not in _ANY:
        return [web.listen]
    found = [address for family, far in (_ANY[web.listen], _ANY["0.0.0.0"]) if (address := _own(family, far))]
    return list(dict.fromkeys(found)) or ["localhost"]


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
