"""What the room finds about the records of its tables: names, severities and sentences."""

from typing import Final, NamedTuple


class Kind(NamedTuple):
    """A finding of the site. `sentence`: with places for table, box, number, after and more; `todo`: what is
    to be done before somebody settles it.
    """

    severity: str
    sentence: str
    todo: str


KINDS: Final[dict[str, Kind]] = {
    "hole": Kind(
        "critical",
        "Records of table {table} are missing after number {after} and before {number}. Have box {box} send "
        "all again (tablebridge uplink --again); if they do not come, its journal is evidence: keep it.",
        "Run `tablebridge uplink --again` on the box: it settles itself when the records come. If "
        "they do not, keep the box's journal, say so, and settle it.",
    ),
    "forked-chain": Kind(
        "critical",
        "The record of table {table} has another continuation from number {number} on, beside the one that "
        "is archived: box {box} was restored from a backup, or its journal was rewritten. Both are kept.",
        "Ask who restored a backup on the box, and when. If nobody did, keep its journal and "
        "compare both continuations from that record on.",
    ),
    "rewritten-record": Kind(
        "critical",
        "Record {number} of table {table} is not what was written: its contents do not agree with its hash. "
        "Keep the journal of box {box}: it is evidence.",
        "Take the box out of play, keep its journal, and find out who had access to its disk.",
    ),
    "new-chain": Kind(
        "critical",
        "Table {table} has begun another journal on box {box}, with record {number}. What was archived "
        "before is kept; find out what became of the old journal.",
        "Find the old journal (journal/broken-* on the box) and keep it; name who moved or replaced it.",
    ),
    "other-table": Kind(
        "critical",
        "Record {number} that box {box} sends as table {table} is of the chain of another table: a journal "
        "was renamed. It is kept apart.",
        "Name the journal on the box as its table is called, and give the table that was renamed a new one.",
    ),
    "two-boxes": Kind(
        "critical",
        "Box {box} sends records of table {table} from number {number} on, which is box {more}'s. Find out "
        "which of them stands at the table.",
        "See which box stands at the table. If it moved to this box, settle with --is-right: it is "
        "this box's from then on; else revoke the box.",
    ),
    "false-signature": Kind(
        "critical",
        "The signature of record {number} of table {table} does not fit: the chain was rewritten on box "
        "{box}, or on its way here.",
        "Take the box out of play and keep its journal. Whoever rewrote it had no access to the key beside "
        "it, or the credentials of its uplink are in other hands: revoke the box.",
    ),
    "other-key": Kind(
        "critical",
        "Box {box} signs the record of table {table} with another key than before: {more}.",
        "Compare it with `tablebridge journal key` on the box. If the box was set up anew without its "
        "signing.key, settle with --is-right; else its credentials are in other hands: revoke the box.",
    ),
    "not-signed": Kind(
        "critical",
        "Hands of table {table} are not signed by box {box} from record {number} on, and those before are.",
        "Look into the engine's log on the box: it says if its key cannot be used. If it says nothing, "
        "somebody else wrote these records: keep the journal.",
    ),
    "too-many-chains": Kind(
        "critical",
        "Table {table} has begun too many chains; record {number} of box {box} is refused. Revoke the box "
        "and keep its journal: it is evidence.",
        "Revoke the box (`tablebridge site revoke-box`), keep its journal, and have it join again "
        "once it is clear.",
    ),
    "unreadable-message": Kind(
        "critical",
        "A message of box {box} for table {table} cannot be read and is left out ({more}). Which version of "
        "tablebridge does the box have?",
        "Update the box, or revoke it if it sends what no tablebridge writes.",
    ),
    "begins-late": Kind(
        "warning",
        "The record of table {table} begins here with number {number}: what an older tablebridge wrote stays "
        "on box {box}.",
        "Nothing: what is older stays on the box. Settle it when you have seen that the number fits "
        "the update.",
    ),
    "sent-again": Kind(
        "warning",
        "Box {box} sends records of table {table} from number {number} on that the rule of retention has "
        "deleted here. They are kept apart, and go by the same rule.",
        "Ask why the box sends again; nothing is lost, and the rule of retention holds for what came.",
    ),
    "wrong-clock": Kind(
        "warning",
        "The clock of box {box} differs from the room's by {more} s. Times of its tables are wrong by as "
        "much: set up time synchronisation there.",
        "Set up time synchronisation on the box; it is found again as long as the clock is wrong.",
    ),
    "stream-made-again": Kind(
        "critical",
        "The stream of records was gone and was made again. The boxes send what it held; find out who "
        "deleted it.",
        "Find out who deleted the stream, and see that the boxes have sent again: `tablebridge site verify`.",
    ),
}


def sentence(finding: str, **places: object) -> str:
    """The sentence of a finding."""
    known = {"table": "", "box": "", "number": 0, "after": 0, "more": ""} | places
    return KINDS[finding].sentence.format(**known)
