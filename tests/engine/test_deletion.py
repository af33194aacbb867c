"""A hand whose hidden faces were deleted is the same hand, and no hidden face is in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec
import pytest
from hands.suite import hands, path_of
from msgspec.structs import replace

from tablebridge.cli.scripts import load
from tablebridge.engine.hidden.deletion import HiddenFaces
from tablebridge.engine.outcome import Settled
from tablebridge.engine.table import Table
from tablebridge.export.account import Account, accounts
from tablebridge.model.events import Basis, Entry, Hand
from tablebridge.model.findings import Finding

from .test_kept import repeated

PARTS = 4


@dataclass
class Night:
    """What a table made of its entries. `begun`: at each hand the setup before it, but for what is remembered
    of shuffles; `ended`: its last hand that was replaced by it.
    """

    findings: list[Finding] = field(default_factory=list)
    settled: list[Settled] = field(default_factory=list)
    begun: list[bytes] = field(default_factory=list)
    under_way: list[int] = field(default_factory=list)


def night(entries: Sequence[Entry]) -> Night:
    table, made = Table("one"), Night()
    for entry in entries:
        outcome = table.apply(entry)
        made.findings += outcome.findings
        if isinstance(entry.event, Hand):
            made.settled += outcome.settled
            setup = table.setup.kept()
            plain = msgspec.to_builtins(replace(setup, memory=table.setup.memory), str_keys=True)
            del plain["memory"]
            made.begun.append(msgspec.json.encode(plain, order="deterministic"))
    made.under_way = [mark.entry for mark in table.fold.marks]
    return made


def without(entries: Sequence[Entry], made: Night) -> list[Entry]:
    """The entries, without the hidden faces of all hands that can no longer be corrected."""
    changed = {entry.id: entry for entry in entries}
    ends = [*(hand.began for hand in made.settled[1:]), *made.under_way][: len(made.settled)]
    for hand, end in zip(made.settled, ends, strict=True):
        of_hand = [finding for finding in made.findings if hand.began <= finding.evidence[0] < end]
        hidden = HiddenFaces([entry for entry in entries if entry.id >= hand.began], end, of_hand)
        for entry in entries:
            if hidden.of_hand(entry):
                changed[entry.id] = hidden.entry(changed[entry.id])
        changed[hand.began] = replace(
            changed[hand.began], event=replace(changed[hand.began].event, paid=hand.paid)
        )
    return list(changed.values())


def played(part: int, basis: Basis) -> Iterator[tuple[str, list[Entry]]]:
    for key in hands()[part::PARTS]:
        log = list(repeated(load(path_of(key))))
        yield key, [replace(entry, basis=basis) for entry in log]


def outcome_of(account: Account) -> tuple[object, ...]:
    """All that is written of a hand, but for cards and findings."""
    return (
        *(account.number, account.state, account.steps, account.start, account.finish, account.payments),
        *(account.board, account.first_board, account.opened, account.live, account.show_order),
        *(account.incomplete, account.given_up, account.positions, account.names),
    )


@pytest.mark.parametrize("basis", ["script", "rfid"])
@pytest.mark.parametrize("part", range(PARTS))
def test_every_hand_of_every_script_leads_to_the_same_without_its_hidden_faces(
    part: int, basis: Literal["script", "rfid"]
) -> None:
    signs = 0
    for key, entries in played(part, basis):
        made = night(entries)
        changed = without(entries, made)
        assert night(changed).begun == made.begun, key
        for old, new in zip(accounts(entries), accounts(changed), strict=True):
            assert outcome_of(new) == outcome_of(old), f"{key}, hand {old.number}"
        signs += sum(msgspec.json.encode(entry.event).count(b'"?') for entry in changed)
    assert signs > 100, "else hardly any face was deleted"
