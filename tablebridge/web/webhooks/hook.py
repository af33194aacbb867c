"""One webhook: who is sent which events, and with which signature."""

import secrets
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from tablebridge import private
from tablebridge.deliveries.http import DELIVERY, SIGNATURE, request, sign
from tablebridge.deliveries.receiver import Receiver
from tablebridge.model.errors import ConfigError
from tablebridge.model.site_event import SiteEvent
from tablebridge.settings.site import Webhook
from tablebridge.settings.state import WEBHOOK_SECRET


def secret_of(state_dir: Path, name: str) -> str:
    """The secret with which the events for this webhook are signed, made at random if there is none yet.
    Raises ConfigError.
    """
    path = WEBHOOK_SECRET.path(state_dir, name)
    try:
        if not path.exists():
            private.own_folder(path.parent)
            private.write(path, secrets.token_urlsafe(32).encode())
        return path.read_text().strip()
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read or made ({error.strerror}): run this as the user of the pages."
        ) from None


def send(settings: Webhook, secret: str, event: SiteEvent) -> int:
    """Send one event and return the status of the answer. Raises OSError if there is none."""
    body = msgspec.json.encode(event)
    headers = {
        SIGNATURE: sign(secret, body, int(time.time())),
        DELIVERY: event.id,
        "User-Agent": "tablebridge",
    }
    return request("POST", settings.url, body, headers, loopback=settings.allow_loopback)


class Hook(Receiver[SiteEvent]):
    """The receiver of one webhook. The log names its host, and never the address, which may hold a key."""

    def __init__(self, settings: Webhook, secret: str) -> None:
        self._settings = settings

        def signed(event: SiteEvent, lost_before: int) -> int:
            return send(settings, secret, msgspec.structs.replace(event, lost_before=lost_before))

        called = f"webhook {settings.name} ({urlsplit(settings.url).hostname})"
        super().__init__(settings.name, called, signed)

    def wants(self, event: SiteEvent) -> bool:
        """Whether this webhook is for such an event."""
        wanted = self._settings
        return event.event in wanted.events and (not wanted.tables or event.table in wanted.tables)


def wanted_by(hooks: Sequence[Hook], event: SiteEvent) -> list[tuple[Receiver[SiteEvent], SiteEvent]]:
    """The event with each of these webhooks that it is for."""
    return [(hook, event) for hook in hooks if hook.wants(event)]
