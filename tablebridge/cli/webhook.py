"""`tablebridge webhook`: the secret of a webhook, and a try."""

import time
from datetime import UTC, datetime
from pathlib import Path

import click

from tablebridge.cli.options import site_option
from tablebridge.model.errors import ConfigError
from tablebridge.model.site_event import SCHEMA, SiteEvent
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site, Webhook
from tablebridge.web.webhooks.hook import secret_of, send


@click.group(epilog="Example: tablebridge webhook secret lights --site site.toml")
def command() -> None:
    """Show the secret of a webhook, and send it a test event. Run it as the user of the pages."""


@command.command(epilog="Example: tablebridge webhook secret lights --site site.toml")
@click.argument("name")
@site_option
def secret(name: str, site_file: Path) -> None:
    """Print the secret with which events for the webhook NAME are signed."""
    site = load_site(site_file)
    _webhook(site, name)
    click.echo(secret_of(site.state_dir, name))


@command.command("test", epilog="Example: tablebridge webhook test lights --site site.toml")
@click.argument("name")
@site_option
def send_test(name: str, site_file: Path) -> None:
    """Send one event to the webhook NAME: hand 0 of a table `test` began."""
    site = load_site(site_file)
    now = datetime.now(UTC)
    at = f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z"
    event = SiteEvent(SCHEMA, f"test-{time.time_ns()}", "hand-started", site.name, "test", at, 0)
    try:
        status = send(_webhook(site, name), secret_of(site.state_dir, name), event)
    except (OSError, ValueError) as error:
        raise ConfigError(f"The webhook {name} does not answer: {error}.") from None
    if not 200 <= status < 300:
        raise ConfigError(f"The webhook {name} answers {status} instead of 200.")
    click.echo(f"The webhook {name} answers {status}.")


def _webhook(site: Site, name: str) -> Webhook:
    for webhook in site.webhooks:
        if webhook.name == name:
            return webhook
    known = ", ".join(webhook.name for webhook in site.webhooks) or "none"
    raise ConfigError(f"The site file has no webhook {name!r}; it has {known}.")
