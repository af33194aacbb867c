"""What a reader has stored: asked, compared with what its driver needs, written if a person wants that."""

import select
import time
from collections.abc import Callable, Iterator
from typing import Final, Literal, TypeVar

import msgspec

from tablebridge.host import registry
from tablebridge.host.links.link import Link
from tablebridge.host.links.opening import open_link, way
from tablebridge.model.errors import ConfigError
from tablebridge.sdk.driver import Driver, Options, SerialPort
from tablebridge.sdk.stored import Stored

ANSWER_S: Final = 2.0
_Said = TypeVar("_Said")


class Setting(msgspec.Struct, frozen=True):
    """What was found of a stored setting, and what became of it."""

    name: str
    value: str
    wanted: str
    state: Literal["right", "wrong", "written", "refused", "silent"]
    meaning: str = ""

    @property
    def good(self) -> bool:
        """Whether the reader has now what its driver needs."""
        return self.state in ("right", "written")


def configure(port: str, name: str, given: Options, write: bool) -> Iterator[Setting]:
    """The stored settings of the reader at a port. `write`: put right what is wrong. Raises ConfigError if
    the driver knows none, LinkError if the port cannot be opened.
    """
    driver = registry.load(name)
    if not driver.stored:
        raise ConfigError(
            f"The driver {name} knows nothing that its readers store: set them up with the maker's program."
        )
    options = registry.settle(driver, given)
    link = _opened(port, driver, options)
    try:
        for stored in driver.stored:
            yield _setting(link, stored, options, write)
    finally:
        link.close()


def _opened(port: str, driver: Driver, options: Options) -> Link:
    settings = way(port, driver, options)
    link = open_link(port, settings)
    time.sleep(settings.settle_s if isinstance(settings, SerialPort) else 0)
    return link


def _setting(link: Link, stored: Stored, options: Options, write: bool) -> Setting:
    wish = stored.wish(options)
    value, heard = _asked(link, stored.ask(options), stored.read)
    if value is None:
        return Setting(stored.name, "", wish, "silent", stored.meaning)
    if stored.wanted(value, options):
        return Setting(stored.name, value, wish, "right", stored.meaning)
    if not write:
        return Setting(stored.name, value, wish, "wrong", stored.meaning)
    done, _ = _asked(link, stored.write(heard, options), stored.written)
    now, _ = _asked(link, stored.ask(options), stored.read)
    taken = done and now is not None and stored.wanted(now, options)
    return Setting(stored.name, now or value, wish, "written" if taken else "refused", stored.meaning)


def _asked(link: Link, request: bytes, read: Callable[[bytes], _Said | None]) -> tuple[_Said | None, bytes]:
    """What the answer to a request says, None if no whole one came, and all that came."""
    heard, deadline = b"", time.monotonic() + ANSWER_S
    sent = link.send(request)
    while time.monotonic() < deadline:
        select.select([link.fileno()], [], [], 0.02)
        sent = sent or link.send(b"")
        heard += link.read()
        if (said := read(heard)) is not None:
            return said, heard
    return None, heard


__all__ = ["Setting", "configure"]
