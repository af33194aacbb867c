"""The receipt of a high hand or a bad beat: the claim, the rule, and the part of the chain that proves it.

`proof` has the hash of the record before the hand and of each record up to its last event, so that whoever
holds the journal can see that the hand stands in it as it was paid, and whoever holds two receipts that they
are of one chain.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from tablebridge.awards.claims import Claim
from tablebridge.awards.rules import BadBeat, HighHand
from tablebridge.journal.store import Journal

SCHEMA: Final = 1


class Proof(msgspec.Struct, frozen=True):
    """The records of a hand in the chain. `before`: number and hash of the record before its first; `hashes`:
    by number, in hexadecimal.
    """

    before: tuple[int, str]
    hashes: dict[int, str]


class AwardReceipt(msgspec.Struct, frozen=True):
    """A receipt, as JSON. `shares`: what each seat gets of the jackpot, if one was named."""

    schema: int
    software: str
    rule: dict[str, object]
    claim: Claim
    jackpot: int
    shares: dict[int, int]
    proof: Proof


def proof_of(journal: Journal, claim: Claim) -> Proof:
    """The links of the hand's records. The journal was verified."""
    first, last = claim.entries
    before = journal.links.before(first)
    hashes = {}
    for row in journal.links.following(before):
        if row.number > last:
            break
        hashes[row.number] = row.hash.hex()
    return Proof((before[0], before[1].hex()), hashes)


def receipt_of(
    software: str,
    rule: HighHand | BadBeat,
    claim: Claim,
    proof: Proof,
    jackpot: int = 0,
    shares: Mapping[int, int] | None = None,
) -> AwardReceipt:
    """The receipt of a claim."""
    return AwardReceipt(
        SCHEMA, software, rule.model_dump(mode="json"), claim, jackpot, dict(shares or {}), proof
    )


def disproved(receipt: AwardReceipt, journal: Journal) -> str:
    """Why the journal does not prove the receipt; empty if it does."""
    if journal.table != receipt.claim.table:
        return f"the receipt is of table {receipt.claim.table}, the journal of {journal.table}"
    proof = proof_of(journal, receipt.claim)
    if proof.before != receipt.proof.before:
        return f"the chain before record {receipt.claim.entries[0]} is another one"
    for number, known in sorted(receipt.proof.hashes.items()):
        if proof.hashes.get(number) != known:
            return f"record {number} is not the one of the receipt"
    return ""
