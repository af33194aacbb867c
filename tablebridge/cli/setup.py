"""`tablebridge setup`: from a bare box to a site file that works."""

from pathlib import Path

import click


@click.command(epilog="Example: tablebridge setup --out site.toml")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The site file to write. An installed box has /etc/tablebridge/site.toml and starts its tables.",
)
@click.option(
    "--state-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default="/var/lib/tablebridge",
    show_default=True,
    help="Where journals, decks and outboxes will be.",
)
@click.option(
    "--port",
    "ports",
    multiple=True,
    metavar="PORT",
    help="A port to be set up beside those that are plugged in over USB; may be given again.",
)
@click.option(
    "--answers",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Take the answers from FILE, one a line, instead of asking.",
)
@click.option(
    "--wait",
    type=click.FloatRange(min=0.1),
    default=60.0,
    show_default=True,
    help="Seconds after which a card that does not come is left out.",
)
@click.option("--browser", is_flag=True, help="Set up in a browser on this box; a site file may be there.")
@click.option(
    "--page-port",
    type=click.IntRange(0, 65535),
    default=8089,
    show_default=True,
    help="Where the pages of --browser listen, on this box alone.",
)
def command(
    out: Path | None,
    state_dir: Path,
    ports: tuple[str, ...],
    answers: Path | None,
    wait: float,
    browser: bool,
    page_port: int,
) -> None:
    """Find the readers, learn which antenna looks where by laying a card on each place, write the site file,
    enrol a deck and check that every card is read.

    Questions are answered at the terminal, by lines on standard input, or by --answers; an empty line takes
    what is proposed. Enter leaves out a place whose card is awaited. Nothing is written over, and no port is
    spoken to unless you say so. Exit status 1: the file is written and a device does not work.

    With --browser the same is done on a page: it prints a link that is good once, and ends with the set-up.
    """
    import logging

    from tablebridge.install.machine import Machine
    from tablebridge.install.manifest import PORT, SITE, load

    logging.getLogger().addHandler(logging.NullHandler())
    box = Machine(Path("/"))
    installed = out in (None, box.path(SITE)) and load(box.root) is not None
    if out is None and not installed:
        raise click.UsageError("Missing option '--out': tablebridge is not installed here as a service.")
    file = out or box.path(SITE)
    broker_port = PORT if installed else None
    if browser:
        from tablebridge.doctor.setup_process.face import set_up

        ready = set_up(file, state_dir, ports, page_port, click.echo, broker_port)
    else:
        from tablebridge.doctor.dialogue import Dialogue
        from tablebridge.doctor.setup import Setup

        ready = Setup(Dialogue(answers), file, state_dir, wait, broker_port).run(ports)
    if installed and file.exists():
        from tablebridge.install.installer import Installer

        Installer(box, False, click.echo).run()
    if not ready:
        raise SystemExit(1)
