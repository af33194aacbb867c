"""`tablebridge install`: from the package to a box."""

from pathlib import Path

import click

from tablebridge import __version__


@click.command(epilog="Example: tablebridge install --dry-run")
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default="/",
    show_default=True,
    help="The root of the machine that is installed: another one for an image.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
def command(root: Path, dry_run: bool) -> None:
    """Put users, folders, rules for udev, units, the broker's settings and accounts in place, and start what
    the site file names.

    Run it again after a change of /etc/tablebridge/site.toml, after an update, or when it was interrupted.
    Files that you changed are kept, and what is new is put beside them as FILE.new. State is never touched.
    """
    from tablebridge.install.installer import Installer
    from tablebridge.install.machine import Machine

    if dry_run:
        click.echo("Nothing is changed. This would be done:")
    changed = Installer(Machine(root), dry_run, click.echo).run()
    if not dry_run:
        done = "is installed" if changed else "is installed already; nothing had to be changed"
        click.echo(f"tablebridge {__version__} {done}.")
        if not (root / "etc/tablebridge/site.toml").exists():
            click.echo("Next: sudo tablebridge setup, which finds the readers and writes the site file.")
