"""PINs with which floor persons close a call of the floor at the table, on the dealer's tablet.

A PIN is short, so it is kept as a hash that is slow to try (scrypt, RFC 7914), opens nothing but this, and is
tried a few times only. There is none until somebody sets it.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from tablebridge.model.errors import ConfigError

SHORTEST: Final = 6
LONGEST: Final = 12
TRIES: Final = 5
"""Wrong PINs of one person, or on one tablet, before no further is taken."""
LOCKED_S: Final = 900.0
"""For how long after the first of them, in seconds."""
_LOG_N, _R, _P = 15, 8, 1
_LENGTH: Final = 32
_MOST_KEPT: Final = 1000


def hash_of(pin: str) -> str:
    """A PIN as it is kept. Raises ConfigError for one that is too easy to guess, without repeating it."""
    digits = [int(digit) for digit in pin] if pin.isascii() and pin.isdigit() else []
    steps = {after - before for before, after in pairwise(digits)}
    if not SHORTEST <= len(digits) <= LONGEST or steps in ({0}, {1}, {-1}):
        raise ConfigError(
            f"a PIN is {SHORTEST} to {LONGEST} digits, not all the same and not in a row such as 123456; "
            "choose another"
        )
    salt = secrets.token_bytes(16)
    return f"scrypt${_LOG_N}${_R}${_P}${salt.hex()}${_derived(pin, salt, _LOG_N, _R, _P).hex()}"


def is_pin(pin: str, kept: str) -> bool:
    """Whether this is the PIN that is kept as `kept`. It takes about a tenth of a second."""
    _, log_n, r, p, salt, derived = kept.split("$")
    given = _derived(pin, bytes.fromhex(salt), int(log_n), int(r), int(p))
    return hmac.compare_digest(given, bytes.fromhex(derived))


def _derived(pin: str, salt: bytes, log_n: int, r: int, p: int) -> bytes:
    memory = 128 * r * (2**log_n + p) + 2**20
    return hashlib.scrypt(pin.encode(), salt=salt, n=2**log_n, r=r, p=p, maxmem=memory, dklen=_LENGTH)


class Tries:
    """How often PINs were tried, by person and by tablet. `monotonic`: the clock, in seconds. A try counts
    before its PIN is looked at, so that many at once are not more.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._tries: dict[str, tuple[float, int]] = {}

    def locked_s(self, *keys: str) -> float:
        """For how many seconds no PIN is taken from any of these; 0 if one is."""
        now = self._monotonic()
        waits = [
            first + LOCKED_S - now
            for first, count in (self._tries.get(key, (0.0, 0)) for key in keys)
            if count >= TRIES
        ]
        return max([0.0, *waits])

    def count(self, *keys: str) -> None:
        """A PIN is tried."""
        now = self._monotonic()
        for key in keys:
            first, count = self._tries.pop(key, (now, 0))
            self._tries[key] = (now, 1) if now - first >= LOCKED_S else (first, count + 1)
        while len(self._tries) > _MOST_KEPT:
            del self._tries[next(iter(self._tries))]

    def succeeded(self, *keys: str) -> None:
        """The PIN was right: the tries begin again."""
        for key in keys:
            self._tries.pop(key, None)
