"""`tablebridge engine`: sensing, hand engine and journal of the tables of this box."""

from pathlib import Path

import click


@click.command(epilog="Example: tablebridge engine --site /etc/tablebridge/site.toml")
@click.option(
    "--site",
    "site_file",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The site file.",
)
def command(site_file: Path) -> None:
    """Run sensing, hand engine and journal of the tables. It is the only writer of their journals."""
    from tablebridge import logs
    from tablebridge.app.check import check_tables
    from tablebridge.app.engine import EngineProcess

    site = check_tables(site_file)
    logs.start(site.log_level)
    EngineProcess(site).run()
