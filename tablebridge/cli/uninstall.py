"""`tablebridge uninstall`: takes an installation away again."""

from pathlib import Path

import click


@click.command(epilog="Example: tablebridge uninstall --dry-run")
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default="/",
    show_default=True,
    help="The root of the machine that it is taken from.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option(
    "--purge",
    is_flag=True,
    help="Remove journals, decks, settings and passwords as well; it asks before it does.",
)
def command(root: Path, dry_run: bool, purge: bool) -> None:
    """Stop the units and remove what `tablebridge install` wrote.

    Journals, decks, the site file, passwords and files that you changed stay, so that a later installation
    goes on with them. The package itself is removed by what installed it: apt or pip.
    """
    from tablebridge.install.machine import Machine
    from tablebridge.install.removal import Removal

    if dry_run:
        click.echo("Nothing is changed. This would be done:")
    elif purge:
        click.confirm(
            "All journals, hands, decks and settings of this box are deleted and cannot be had back. Go on?",
            abort=True,
        )
    Removal(Machine(root), purge, dry_run, click.echo).run()
    if not dry_run:
        kept = "" if purge else " State and settings are kept in /var/lib/tablebridge and /etc/tablebridge."
        click.echo(f"tablebridge is removed from this box.{kept}")
