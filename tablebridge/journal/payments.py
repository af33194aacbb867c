"""How the pots of a hand were paid, for whoever folds it without the faces that decided it."""

from msgspec.structs import replace

from tablebridge.journal.records import PaymentsRecord, body_of, entry_of
from tablebridge.journal.store import Journal, Record
from tablebridge.model.events import Entry, Hand


def entry_in(journal: Journal, record: Record) -> Entry | None:
    """The table event of a record, as it is folded again: the beginning of a hand whose faces were deleted
    says how the hand was paid. None if the record holds something else.
    """
    entry = entry_of(record)
    if entry is None or not record.redacted or not isinstance(entry.event, Hand):
        return entry
    for later in journal.records(record.number, "payments"):
        payments = body_of(later)
        if isinstance(payments, PaymentsRecord) and payments.began == record.number:
            return replace(entry, event=Hand(payments.paid, entry.event.stakes))
    return entry
