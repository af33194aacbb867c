"""The forms of what the room finds about the records of its tables, what to do, and why a finding is
not settled.
"""

from typing import Final

FOUND: Final = (
    "Records of table {table} are missing after number {after} and before {number}. Have box {box} send"
    " all again (tablebridge uplink --again); if they do not come, its journal is evidence: keep it.",
    "Run `tablebridge uplink --again` on the box: it settles itself when the records come. If they do "
    "not, keep the box's journal, say so, and settle it.",
    "The record of table {table} has another continuation from number {number} on, beside the one that "
    "is archived: box {box} was restored from a backup, or its journal was rewritten. Both are kept.",
    "Ask who restored a backup on the box, and when. If nobody did, keep its journal and compare both "
    "continuations from that record on.",
    "Record {number} of table {table} is not what was written: its contents do not agree with its hash."
    " Keep the journal of box {box}: it is evidence.",
    "Take the box out of play, keep its journal, and find out who had access to its disk.",
    "Table {table} has begun another journal on box {box}, with record {number}. What was archived "
    "before is kept; find out what became of the old journal.",
    "Find the old journal (journal/broken-* on the box) and keep it; name who moved or replaced it.",
    "Record {number} that box {box} sends as table {table} is of the chain of another table: a journal "
    "was renamed. It is kept apart.",
    "Name the journal on the box as its table is called, and give the table that was renamed a new one.",
    "Box {box} sends records of table {table} from number {number} on, which is box {more}'s. Find out "
    "which of them stands at the table.",
    "See which box stands at the table. If it moved to this box, settle with --is-right: it is this "
    "box's from then on; else revoke the box.",
    "The signature of record {number} of table {table} does not fit: the chain was rewritten on box "
    "{box}, or on its way here.",
    "Take the box out of play and keep its journal. Whoever rewrote it had no access to the key beside "
    "it, or the credentials of its uplink are in other hands: revoke the box.",
    "Box {box} signs the record of table {table} with another key than before: {more}.",
    "Compare it with `tablebridge journal key` on the box. If the box was set up anew without its "
    "signing.key, settle with --is-right; else its credentials are in other hands: revoke the box.",
    "Hands of table {table} are not signed by box {box} from record {number} on, and those before are.",
    "Look into the engine's log on the box: it says if its key cannot be used. If it says nothing, "
    "somebody else wrote these records: keep the journal.",
    "Table {table} has begun too many chains; record {number} of box {box} is refused. Revoke the box "
    "and keep its journal: it is evidence.",
    "Revoke the box (`tablebridge site revoke-box`), keep its journal, and have it join again once it "
    "is clear.",
    "A message of box {box} for table {table} cannot be read and is left out ({more}). Which version of"
    " tablebridge does the box have?",
    "Update the box, or revoke it if it sends what no tablebridge writes.",
    "The record of table {table} begins here with number {number}: what an older tablebridge wrote "
    "stays on box {box}.",
    "Nothing: what is older stays on the box. Settle it when you have seen that the number fits the update.",
    "Box {box} sends records of table {table} from number {number} on that the rule of retention has "
    "deleted here. They are kept apart, and go by the same rule.",
    "Ask why the box sends again; nothing is lost, and the rule of retention holds for what came.",
    "The clock of box {box} differs from the room's by {more} s. Times of its tables are wrong by as "
    "much: set up time synchronisation there.",
    "Set up time synchronisation on the box; it is found again as long as the clock is wrong.",
    "The stream of records was gone and was made again. The boxes send what it held; find out who "
    "deleted it.",
    "Find out who deleted the stream, and see that the boxes have sent again: `tablebridge site verify`.",
    "There is no finding {id}.",
    "Finding {id} is settled already, by {who}.",
    "Give a name of 1 to 60 letters, on one line.",
    "Give a reason of 1 to 500 letters, on one line.",
)
