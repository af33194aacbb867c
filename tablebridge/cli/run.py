"""`tablebridge run`: everything of a site in one go."""

from pathlib import Path

import click

from tablebridge.cli.log_options import start_logs


@click.command(epilog="Example: tablebridge run --site site.toml")
@click.option(
    "--site",
    "site_file",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The site file.",
)
def command(site_file: Path) -> None:
    """Run everything of a site: broker, a driver process per group of devices, engine, pages. Ctrl-C ends it.

    For a card room use the systemd units instead: they harden each process and start them at boot.
    """
    from tablebridge.app.runner import Runner
    from tablebridge.settings.load import load_site
    from tablebridge.settings.state import LOG

    site = load_site(site_file)
    start_logs(site, None, "run")
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
