"""All webhooks of a site."""

from collections.abc import Callable, Sequence
from pathlib import Path

from tablebridge.deliveries.sending import Sending
from tablebridge.host.clock import Clock
from tablebridge.model.site_event import SiteEvent
from tablebridge.settings.site import Site
from tablebridge.settings.state import WEBHOOK_EVENTS
from tablebridge.web.webhooks.hook import Hook, secret_of, wanted_by


class Webhooks(Sending[SiteEvent]):
    """The webhooks of a site, from `start` to `stop`."""

    def __init__(self, hooks: Sequence[Hook], path: Path, clock: Clock | None = None) -> None:
        super().__init__(hooks, path, SiteEvent, clock)
        self.hooks = hooks

    def happened(self, event: SiteEvent, kept: Callable[[], None]) -> None:
        """An event: it is for all webhooks that want it. `kept` is called when a restart does not lose it, by
        another thread if need be.
        """
        self.put(wanted_by(self.hooks, event), kept)


def webhooks_of(site: Site) -> Webhooks:
    """The webhooks that the site file names. Raises ConfigError if a secret cannot be read or made."""
    hooks = tuple(Hook(webhook, secret_of(site.state_dir, webhook.name)) for webhook in site.webhooks)
    return Webhooks(hooks, WEBHOOK_EVENTS.path(site.state_dir))
