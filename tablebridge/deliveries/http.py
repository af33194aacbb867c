"""One request to a receiver: to no other machine than the settings mean, and with a signature if it wants
one.

The name is resolved here, all its addresses are judged, and the connection goes to the address that was
judged: so a name that means another machine a moment later changes nothing. Redirects are not followed, and
no proxy is asked.
"""

import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
from typing import Final
from urllib.parse import urlsplit

TIMEOUT_S: Final = 5.0
_ANSWER: Final = 4_096
_PORTS: Final = {"http": 80, "https": 443}
SIGNATURE: Final = "Tablebridge-Signature"
DELIVERY: Final = "Tablebridge-Delivery"


class Unsafe(OSError):
    """The address leads to where nothing may be sent."""


def sign(secret: str, body: bytes, at_s: int) -> str:
    """The signature header: the time, and HMAC-SHA256 with the secret over the time, a dot and the body, as
    hex.
    """
    digest = hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at_s},v1={digest}"


def is_forbidden(address: str, *, loopback: bool) -> bool:
    """Whether nothing may be sent to this address. `loopback`: this machine itself is allowed. The networks
    of the room are allowed, since that is where receivers are; link-local addresses are not: cloud machines
    keep their keys there.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(ip, "ipv4_mapped", None) or getattr(ip, "sixtofour", None)
    if mapped is not None:
        ip = mapped
    if ip.is_loopback:
        return not loopback
    return ip.is_link_local or ip.is_multicast or ip.is_unspecified or ip.is_reserved


def request(method: str, url: str, body: bytes, headers: dict[str, str], *, loopback: bool) -> int:
    """Send the body, which is JSON, and return the status of the answer. Raises OSError if there is none,
    Unsafe if nothing was sent.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
    connection.sock = _connected(host, port, loopback=loopback)
    try:
        if parts.scheme == "https":
            connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
        connection.request(
            method, path, body, {**headers, "Content-Type": "application/json", "Connection": "close"}
        )
        # The answer holds the socket, also after the connection is closed.
        with connection.getresponse() as answer:
            answer.read(_ANSWER)
            return answer.status
    except http.client.HTTPException as error:
        raise OSError(type(error).__name__) from None
    finally:
        connection.close()


def _connected(host: str, port: int, *, loopback: bool) -> socket.socket:
    """A connection to the first address of the host that accepts it. If one of its addresses is forbidden,
    all are.
    """
    found = [info[4] for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for address in found:
        if is_forbidden(str(address[0]), loopback=loopback):
            raise Unsafe("its name leads to this machine itself, or to where nothing may be sent")
    trouble = OSError("its name leads nowhere")
    for address in found:
        try:
            return socket.create_connection((str(address[0]), port), TIMEOUT_S)
        except OSError as error:
            trouble = error
    raise trouble
