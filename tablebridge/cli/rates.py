"""`tablebridge rates`: hands, rake and seats per hour of a table and a dealer."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tablebridge.export.rates import Rates


@click.command(
    short_help="Count hands, rake and seats per hour, by table and dealer.",
    epilog="Example: tablebridge rates /var/lib/tablebridge/journal/*.sqlite --by dealer",
)
@click.argument(
    "journals",
    metavar="JOURNAL...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
)
@click.option(
    "--by",
    type=click.Choice(["table", "dealer", "both"]),
    default="both",
    show_default=True,
    help="What a line is of.",
)
@click.option(
    "--from",
    "since",
    metavar="TIME",
    type=click.DateTime(["%Y-%m-%dT%H:%M", "%Y-%m-%d"]),
    help="Only hands that began from this time on, UTC.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def command(journals: tuple[Path, ...], by: str, since: datetime | None, as_json: bool) -> None:
    """Count what was dealt, from the records of tables. Each journal is verified first.

    A pause of more than a quarter of an hour between two hands is a break and no time of play.
    """
    from datetime import UTC

    import msgspec

    from tablebridge.export.rates import summed

    since_ns = 0 if since is None else int(since.replace(tzinfo=UTC).timestamp()) * 10**9
    found = [rate for path in journals for rate in _of(path, since_ns)]
    shown = found if by == "both" else summed(found, by=by)
    if as_json:
        for rate in shown:
            more = {"hands_an_hour": rate.hands_an_hour, "rake_an_hour": rate.rake_an_hour}
            click.echo(msgspec.json.encode({**msgspec.structs.asdict(rate), **more}))
        return
    lines: list[tuple[str, ...]] = [
        ("table", "dealer", "hands", "void", "hours", "hands/h", "rake", "rake/h", "seat hours")
    ]
    lines += [_line(rate) for rate in shown]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        cells = zip(line, widths, strict=True)
        click.echo(
            "  ".join(
                cell.ljust(width) if column < 2 else cell.rjust(width)
                for column, (cell, width) in enumerate(cells)
            ).rstrip()
        )


def _line(rate: "Rates") -> tuple[str, ...]:
    return (
        rate.table or "all",
        rate.dealer or "-",
        str(rate.hands),
        str(rate.void),
        f"{rate.hours:.2f}",
        f"{rate.hands_an_hour:.1f}",
        str(rate.rake),
        f"{rate.rake_an_hour:.0f}",
        f"{rate.seat_hours:.2f}",
    )


def _of(path: Path, since_ns: int) -> "list[Rates]":
    from tablebridge.export.account import accounts
    from tablebridge.export.rates import rates
    from tablebridge.journal.read import entries
    from tablebridge.journal.store import Journal

    journal = Journal(path, None, readonly=True)
    try:
        hands = accounts(entries(journal), journal.table)
        return rates(account for account in hands if account.began.wall_ns >= since_ns)
    finally:
        journal.close()
