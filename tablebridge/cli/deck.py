"""`tablebridge deck`: which cards of a deck wear, and what a record says of a deck."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from tablebridge.cli.options import site_option

if TYPE_CHECKING:
    from tablebridge.antennas.wear import TagHealth
    from tablebridge.app.wear import TagWear
    from tablebridge.model.cards import Card


@click.group(epilog="Example: tablebridge deck health red --site site.toml")
def command() -> None:
    """Which cards of a deck wear, how old it is, and what a table's record says of it."""


@command.command(
    short_help="Which cards answer worst.", epilog="Example: tablebridge deck health red --site site.toml"
)
@click.argument("deck")
@site_option
@click.option(
    "--nights",
    type=click.IntRange(min=1, max=60),
    default=60,
    show_default=True,
    help="Of this number of last nights.",
)
@click.option("--all", "everything", is_flag=True, help="Every card, not only the worst ten.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def health(deck: str, site_file: Path, nights: int, everything: bool, as_json: bool) -> None:
    """How often each card of DECK answers while it lies on the board, the worst first, and how old the deck
    is.

    A card is named by its position in the spread; by its face only on a terminal.
    """
    from tablebridge.antennas.wear import health as judged
    from tablebridge.app.wear import load_wear, wear_path
    from tablebridge.settings.decks import deck_path, load_deck
    from tablebridge.settings.load import load_site

    path = deck_path(load_site(site_file), deck)
    cards = load_deck(path).cards
    wear = load_wear(wear_path(path))
    if wear is None:
        click.echo(f"Nothing is counted of deck {deck} yet; counting begins with its first hand.")
        return
    rows = sorted(
        judged(wear.tallies(tuple(cards), nights)),
        key=lambda row: (not row.weak, 2 if row.rate is None else row.rate),
    )
    rows = rows if everything else rows[:10]
    if as_json:
        click.echo(msgspec.json.encode(_health_json(deck, wear, cards, rows)))
    else:
        _show_health(deck, wear, cards, rows)


def _health_json(
    deck: str, wear: "TagWear", cards: "dict[str, Card]", rows: "list[TagHealth]"
) -> dict[str, object]:
    from tablebridge.model.decks import spread_order

    order = spread_order("52+joker")
    return {
        "deck": deck,
        "since": wear.since,
        "hands": wear.hands,
        "shuffles": wear.shuffles,
        "cards": [
            {
                "position": order.index(cards[row.tag]) + 1,
                "stays": row.stays,
                "rate": row.rate,
                "others": row.others,
                "weak": row.weak,
                "unread": row.unread,
            }
            for row in rows
        ],
    }


def _show_health(deck: str, wear: "TagWear", cards: "dict[str, Card]", rows: "list[TagHealth]") -> None:
    from tablebridge.model.cards import spoken
    from tablebridge.model.decks import spread_order

    order = spread_order("52+joker")
    last = wear.tallies(tuple(cards), 1)
    click.echo(f"Deck {deck}: since {wear.since}, {wear.hands} hands, {wear.shuffles} shuffles.")
    click.echo("card  stays  answers  others  last night  not read in checks")
    for row in rows:
        night = last[row.tag]
        face = f"  {spoken(cards[row.tag])}" if sys.stdout.isatty() else ""
        click.echo(
            f"{order.index(cards[row.tag]) + 1:4d}  {row.stays:5d}  {_share(row.rate):>7}  "
            f"{_share(row.others):>6}  "
            f"{_share(night.rates / night.stays if night.stays else None):>10}  {row.unread:18d}"
            f"{'  weak: replace it' if row.weak else ''}{face}"
        )


@command.command(
    short_help="What a record says of its decks.",
    epilog="Example: tablebridge deck receipt /var/lib/tablebridge/journal/1.sqlite --deck red",
)
@click.argument("journal", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--deck", help="Of this deck only.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def receipt(journal: Path, deck: str | None, as_json: bool) -> None:
    """When each deck of JOURNAL came to the table, its checks, hands, shuffles and findings, and the record's
    last hash.
    """
    from tablebridge.export.receipt import receipts
    from tablebridge.journal.store import Journal
    from tablebridge.model.errors import ConfigError

    record = Journal(journal, None, readonly=True)
    found = [receipt for receipt in receipts(record.records()) if deck in (None, receipt.deck)]
    head, number = record.head, record.next_number - 1
    record.close()
    if deck is not None and not found:
        raise ConfigError(f"{journal} names no deck {deck!r}; without --deck every deck is listed.")
    if as_json:
        click.echo(msgspec.json.encode({"table": record.table, "decks": found, "rows": number, "head": head}))
        return
    for receipt in found:
        name = receipt.deck or "without a name"
        click.echo(
            f"Deck {name} at table {record.table}: {_time(receipt.first_ns)} to {_time(receipt.last_ns)}"
        )
        click.echo(f"  checks: {receipt.checks_passed} passed, {receipt.checks_failed} failed")
        click.echo(f"  {receipt.hands} hands, {receipt.shuffles} shuffles")
        if receipt.cycles:
            took = "" if receipt.cycle_s is None else f", {receipt.cycle_s} s each (median)"
            click.echo(f"  {receipt.cycles} cycles of the shuffler{took}")
        for noted in receipt.findings:
            cause = f" {noted.cause}" if noted.cause else ""
            click.echo(f"  hand {noted.hand}: {noted.finding}{cause}: {noted.sentence}")
    click.echo(f"Last hash of the record: {head}")


def _share(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:.0%}"


def _time(wall_ns: int) -> str:
    return f"{datetime.fromtimestamp(wall_ns / 1e9, UTC):%Y-%m-%d %H:%M} UTC"
