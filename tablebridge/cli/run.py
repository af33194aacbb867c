"""`tablebridge run`: everything of a site in one go."""

import os
import sys
from pathlib import Path

import click

from tablebridge.cli.log_options import log_format, start_logs
from tablebridge.logs import Form


@click.command(epilog="Example: tablebridge run --site site.toml")
@click.option(
    "--site",
    "site_file",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The site file.",
)
@log_format
def command(site_file: Path, form: Form | None) -> None:
    """Run everything of a site: broker, a driver process per group of devices, engine, pages. Ctrl-C ends it.

    If the file is not there yet and somebody sits at the terminal, the set-up opens first.

    For a card room use the systemd units instead: they harden each process and start them at boot.
    """
    from tablebridge.app.runner import Runner
    from tablebridge.settings.load import load_site
    from tablebridge.settings.state import LOG

    if not site_file.exists() and sys.stdin.isatty():
        _first_start(site_file)
    site = load_site(site_file)
    start_logs(site, form, "run")
    if form is not None:
        # The processes of this run log in the same form.
        os.environ["TABLEBRIDGE_LOG"] = form
    with Runner(site_file, LOG.folder(site.state_dir)) as runner:
        runner.start()
        runner.wait_ready(30)
        click.echo(f"Pages: {runner.web_url}")
        for role, token in runner.tokens.items():
            if role == "metrics":
                continue
            click.echo(f"{role:10s} {runner.web_url}/login?token={token}")
        click.echo("These links are good until this run ends. Ctrl-C ends it.")
        runner.wait()


def _first_start(site_file: Path) -> None:
    """There is no site file: the set-up in the browser writes it. Raises ConfigError if it does not."""
    from tablebridge.doctor.setup_process.face import PORT, set_up
    from tablebridge.model.errors import ConfigError

    click.echo(f"There is no {site_file} yet: the set-up writes it.")
    if not set_up(site_file, site_file.absolute().parent / "state", (), PORT, click.echo):
        raise ConfigError(
            f"{site_file} was not written: run the same command to go on with the set-up where it was."
        )
