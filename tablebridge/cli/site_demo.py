"""`tablebridge site demo`: a whole room on this machine, to be looked at."""

import tempfile
import time
from pathlib import Path

import click

from tablebridge.cli.demo import until_interrupted

_STEP_S = 2.0
_EVERY_S = 1.0


@click.command(
    "demo",
    short_help="Run a whole room on this machine.",
    epilog="Example: tablebridge site demo --tables 20 --seconds 60",
)
@click.option("--tables", type=click.IntRange(1, 200), default=20, show_default=True, help="How many.")
@click.option("--boxes", type=click.IntRange(1, 20), default=2, show_default=True, help="How many.")
@click.option("--workers", type=click.IntRange(1, 16), default=4, show_default=True, help="Of the archive.")
@click.option("--seconds", type=click.FloatRange(1), help="End after this time; without it with Ctrl-C.")
@click.option("--speed", type=click.FloatRange(0.1, 1000), default=5.0, show_default=True, help="Of life.")
@click.option("--pages", type=click.IntRange(0, 8), default=2, show_default=True, help="Processes of them.")
def demo(tables: int, boxes: int, workers: int, seconds: float | None, speed: float, pages: int) -> None:
    """Start three nats-servers, PostgreSQL, archive workers, the pages of the room, and boxes whose tables
    are dealt at by themselves, and show how the records arrive.

    Nothing is installed and nothing stays. It needs PostgreSQL: apt install postgresql.
    """
    from tablebridge.sim.room.whole import WholeRoom

    with tempfile.TemporaryDirectory(prefix="tablebridge-site-") as folder, until_interrupted() as stopped:
        click.echo("Three nats-servers, PostgreSQL, the archive and the boxes are starting ...")
        with WholeRoom(
            Path(folder), tables=tables, boxes=min(boxes, tables), workers=workers, pages=pages
        ) as room:
            click.echo(f"{tables} tables on {min(boxes, tables)} boxes, {workers} archive workers.")
            click.echo(f"  nats-servers   {', '.join(room.cluster.addresses)}")
            click.echo(f"  database       psql '{room.postgres.address}'")
            click.echo(f"  logs           {room.logs}")
            for link in room.page_links():
                click.echo(f"  pages          {link}")
            click.echo("Each link is for one browser. Ctrl-C ends it.")
            end_s = time.monotonic() + seconds if seconds else float("inf")
            shown_s = time.monotonic()
            pause_s = _STEP_S / speed / tables
            for _ in room.deal():
                now_s = time.monotonic()
                if stopped[0] or now_s > end_s:
                    break
                if now_s - shown_s >= _EVERY_S:
                    shown_s = now_s
                    room.check()
                    click.echo(_line(*room.count()))
                time.sleep(pause_s)
            count = room.catch_up()
            click.echo(_line(*count))
            lost = count.recorded - count.archived
            click.echo(f"In the end: {lost} lost, {count.doubled} doubled, {count.findings} findings.")
            if lost or count.doubled or count.findings:
                raise SystemExit(1)


def _line(recorded: int, archived: int, doubled: int, hands: int, findings: int) -> str:
    return (
        f"recorded {recorded:7d}   archived {archived:7d}   on the way {recorded - archived:5d}   "
        f"hands {hands:6d}   findings about the records {findings}"
    )
