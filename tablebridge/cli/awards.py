"""`tablebridge awards`: high hands and bad beats of a record, and their receipts."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tablebridge.awards.claims import Claim
    from tablebridge.awards.rules import AwardRules
    from tablebridge.journal.store import Journal

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.group(epilog="Example: tablebridge awards list awards.toml /var/lib/tablebridge/journal/final.sqlite")
def command() -> None:
    """Find the hands that a room's rules pay, and prove them."""


@command.command(
    "list",
    short_help="List the hands that the rules pay, and why others are not paid.",
    epilog="Example: tablebridge awards list awards.toml final.sqlite --from 2026-11-22 --receipts paid",
)
@click.argument("rules", type=_FILE)
@click.argument("journals", metavar="JOURNAL...", nargs=-1, required=True, type=_FILE)
@click.option(
    "--from",
    "since",
    metavar="TIME",
    default=None,
    type=click.DateTime(["%Y-%m-%dT%H:%M", "%Y-%m-%d"]),
    help="Only hands that ended from this time on, UTC.",
)
@click.option(
    "--to",
    "until",
    metavar="TIME",
    default=None,
    type=click.DateTime(["%Y-%m-%dT%H:%M", "%Y-%m-%d"]),
    help="Only hands that ended before this time, UTC.",
)
@click.option(
    "--jackpot", metavar="AMOUNT", type=click.IntRange(0, 10**12), default=0, help="What a bad beat wins."
)
@click.option(
    "--receipts",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write receipts there.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per claim.")
def listed(
    rules: Path,
    journals: tuple[Path, ...],
    since: "object",
    until: "object",
    jackpot: int,
    receipts: Path | None,
    as_json: bool,
) -> None:
    """List the high hands and bad beats of journals under the rules of a room, the best high hand per rule.

    Each journal is verified first. Only cards that lay open count.
    """
    import msgspec

    from tablebridge.awards.claims import best
    from tablebridge.awards.rules import load_award_rules

    read = load_award_rules(rules)
    found: list[Claim] = []
    for path in journals:
        found += _of(path, read, _wall_ns(since), _wall_ns(until), jackpot, receipts)
    for claim in found:
        click.echo(msgspec.json.encode(claim) if as_json else _line(claim))
    if not as_json:
        for name, claims in best(found).items():
            winners = ", ".join(f"{claim.table} hand {claim.hand} seat {claim.made.seat}" for claim in claims)
            click.echo(f"best of {name}: {winners}")
        if not found:
            click.echo("no hand is high enough")


@command.command(
    short_help="Check a receipt against the journal.",
    epilog="Example: tablebridge awards verify paid/final-112-3.json journal/final.sqlite",
)
@click.argument("receipt", type=_FILE)
@click.argument("journal", type=_FILE)
def verify(receipt: Path, journal: Path) -> None:
    """Check that the hand of a receipt stands in the journal as it was paid. Exit status 1 if it does not."""
    import msgspec

    from tablebridge.awards.receipt import AwardReceipt, disproved
    from tablebridge.journal.store import Journal
    from tablebridge.model.errors import ConfigError

    try:
        read = msgspec.json.decode(receipt.read_bytes(), type=AwardReceipt)
    except OSError as error:
        raise ConfigError(f"{receipt}: cannot be read ({error.strerror}).") from None
    except msgspec.MsgspecError as error:
        raise ConfigError(f"{receipt}: this is no receipt of an award ({error}).") from None
    opened = Journal(journal, None, readonly=True)
    try:
        why = disproved(read, opened)
    finally:
        opened.close()
    if why:
        raise ConfigError(f"{receipt} is not proved by {journal}: {why}.")
    first, last = read.claim.entries
    click.echo(f"hand {read.claim.hand} of {read.claim.table} stands in records {first} to {last}, all sound")


def _of(
    path: Path, rules: "AwardRules", since_ns: int, until_ns: int, jackpot: int, receipts: Path | None
) -> "list[Claim]":
    from tablebridge.awards.claims import claims
    from tablebridge.export.account import accounts
    from tablebridge.journal.read import entries
    from tablebridge.journal.store import Journal

    journal = Journal(path, None, readonly=True)
    try:
        hands = accounts(entries(journal), journal.table)
        found = [
            claim
            for claim in claims(rules, hands)
            if since_ns <= claim.ended_wall_ns and (not until_ns or claim.ended_wall_ns < until_ns)
        ]
        if receipts is not None:
            _write(receipts, journal, rules, [claim for claim in found if claim.is_paid], jackpot)
        return found
    finally:
        journal.close()


def _write(folder: Path, journal: "Journal", rules: "AwardRules", found: "list[Claim]", jackpot: int) -> None:
    import msgspec

    from tablebridge import __version__, private
    from tablebridge.awards.claims import shares
    from tablebridge.awards.receipt import proof_of, receipt_of
    from tablebridge.awards.rules import BadBeat, HighHand

    every: list[HighHand | BadBeat] = [*rules.high_hands, *rules.bad_beats]
    by_name = {rule.name: rule for rule in every}
    folder.mkdir(parents=True, exist_ok=True)
    for claim in found:
        rule = by_name[claim.rule]
        paid = shares(rule, claim, jackpot) if isinstance(rule, BadBeat) else {}
        receipt = receipt_of(__version__, rule, claim, proof_of(journal, claim), jackpot if paid else 0, paid)
        path = folder / f"{claim.table}-{claim.hand}-{claim.made.seat}-{claim.kind}.json"
        private.write(path, msgspec.json.format(msgspec.json.encode(receipt)))
        click.echo(str(path), err=True)


def _line(claim: "Claim") -> str:
    beaten = (
        ""
        if claim.beaten_by is None
        else f" beaten by {' '.join(claim.beaten_by.cards)} of seat {claim.beaten_by.seat}"
    )
    who = f" ({claim.made.player})" if claim.made.player else ""
    paid = "pays" if claim.is_paid else f"does not pay: {'; '.join(claim.why_not)}"
    return (
        f"{claim.table} hand {claim.hand}: seat {claim.made.seat}{who} {' '.join(claim.made.cards)}{beaten}, "
        f"pot {claim.pot}: {claim.rule} {paid}"
    )


def _wall_ns(at: "object") -> int:
    from datetime import UTC, datetime

    return int(at.replace(tzinfo=UTC).timestamp()) * 10**9 if isinstance(at, datetime) else 0
