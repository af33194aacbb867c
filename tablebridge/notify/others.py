"""Notices by the services that Apprise speaks to, such as mail, SMS, pagers and messengers.

These cannot replace or withdraw what was sent, so they get what rings and nothing else.
"""

from typing import Final

import apprise

from tablebridge.model.errors import ConfigError
from tablebridge.notify.notice import CRITICAL, Notice

ACCEPTED, REFUSED = 200, 503
_FLOOR: Final = "/floor"


class AppriseWay:
    """One address of Apprise. Raises ConfigError if it knows no such service."""

    updates = False

    def __init__(self, address: str, person: str, pages: str | None) -> None:
        self._services = apprise.Apprise()
        self._pages = pages
        if not self._services.add(address):
            raise ConfigError(
                f"Apprise knows no service for an address of {person} ({address.partition(':')[0]}): look at "
                "its list of services, and write the address as that says."
            )

    def send(self, notice: Notice) -> int:
        """Whether the service accepted it, as a status of HTTP."""
        link = f"\n{self._pages}{_FLOOR}" if self._pages else ""
        loud = apprise.NotifyType.FAILURE if notice.priority == CRITICAL else apprise.NotifyType.WARNING
        accepted = self._services.notify(body=notice.body + link, title=notice.title, notify_type=loud)
        return ACCEPTED if accepted else REFUSED
