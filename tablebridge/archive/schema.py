"""The tables of the archive. Migrations make them (`migrations/`); this is how they are asked.

A record is known by its segment and number. A **segment** is an unbroken piece of a table's chain: records
are only ever added at its head, under a lock on the table's row, and what does not fit there begins another
segment with a finding. So nothing is written over, whatever arrives.

`record` is parted by day: the day by the room's clock on which the record came into the stream, since a
box's clock may be wrong.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    func,
)
from sqlalchemy.dialects.postgresql import JSON, JSONB

METADATA: Final = MetaData()
MOMENT: Final = DateTime(timezone=True)

PLAYED: Final = Table(
    "played_table",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("site", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("box", Text, nullable=False),
    UniqueConstraint("site", "name"),
)
SEGMENT: Final = Table(
    "segment",
    METADATA,
    Column("id", BigInteger, primary_key=True),
    Column("table_id", ForeignKey("played_table.id"), nullable=False, index=True),
    Column("box", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("after_number", BigInteger, nullable=False),
    Column("before_hash", LargeBinary, nullable=False),
    Column("first_number", BigInteger, nullable=False),
    Column("head_number", BigInteger, nullable=False),
    Column("head_hash", LargeBinary, nullable=False),
    Column("began", MOMENT, nullable=False, server_default=func.now()),
    Column("joined", MOMENT),
    Column("first_hash", LargeBinary, nullable=False),
    # The last record that retention has deleted: what comes after it still has its proof.
    Column("gone_number", BigInteger, nullable=False, server_default="0"),
    Column("gone_hash", LargeBinary),
    # The last record that the box has signed, and the first end of a hand since then.
    Column("signed_number", BigInteger, nullable=False, server_default="0"),
    Column("signed_hash", LargeBinary),
    Column("signed_by", LargeBinary),
    Column("signature", LargeBinary),
    Column("unsigned_end", BigInteger),
)
RECORD: Final = Table(
    "record",
    METADATA,
    Column("day", Date, primary_key=True),
    Column("segment_id", BigInteger, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("table_id", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("event", Text),
    Column("at", MOMENT),
    Column("hash", LargeBinary, nullable=False),
    Column("salt", LargeBinary),
    Column("digest", LargeBinary),
    # As text, so that its digest can be calculated again; jsonb would keep another order of keys.
    Column("body", JSON),
    Column("sealed", LargeBinary),
    postgresql_partition_by="RANGE (day)",
)
WAITING: Final = Table(
    "waiting",
    METADATA,
    Column("table_id", Integer, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("hash", LargeBinary, primary_key=True),
    Column("after_number", BigInteger, nullable=False),
    Column("box", Text, nullable=False),
    Column("message", LargeBinary, nullable=False),
    Column("arrived", MOMENT, nullable=False),
    Column("since", MOMENT, nullable=False, server_default=func.now()),
)
HAND: Final = Table(
    "hand",
    METADATA,
    Column("segment_id", BigInteger, primary_key=True),
    Column("began", BigInteger, primary_key=True),
    Column("table_id", Integer, nullable=False),
    Column("day", Date, nullable=False),
    Column("at", MOMENT),
    Column("ended", MOMENT),
    Column("hand", BigInteger),
    Column("paid", JSONB),
)
FINDING: Final = Table(
    "finding",
    METADATA,
    Column("segment_id", BigInteger, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("table_id", Integer, nullable=False),
    Column("day", Date, nullable=False),
    Column("at", MOMENT),
    Column("id", Text, nullable=False),
    Column("finding", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("hand", BigInteger, nullable=False),
    Column("seat", SmallInteger),
    Column("cause", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("device", Text, nullable=False),
)
ALERT: Final = Table(
    "alert",
    METADATA,
    Column("table_id", Integer, primary_key=True),
    Column("alert", Text, primary_key=True),
    Column("segment_id", BigInteger, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", MOMENT),
)
DEVICE: Final = Table(
    "device",
    METADATA,
    Column("table_id", Integer, primary_key=True),
    Column("device", Text, primary_key=True),
    Column("segment_id", BigInteger, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("health", Text, nullable=False),
    Column("gaps", BigInteger, nullable=False),
    Column("at", MOMENT),
)
DECK: Final = Table(
    "deck",
    METADATA,
    Column("segment_id", BigInteger, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("table_id", Integer, nullable=False),
    Column("deck", Text, nullable=False),
    Column("event", Text, nullable=False),
    Column("at", MOMENT),
)
GONE_DAY: Final = Table(
    "gone_day",
    METADATA,
    Column("day", Date, primary_key=True),
    Column("records", BigInteger, nullable=False),
    Column("kept", BigInteger, nullable=False),
    Column("at", MOMENT, nullable=False, server_default=func.now()),
)
SITE_FINDING: Final = Table(
    "site_finding",
    METADATA,
    Column("id", BigInteger, primary_key=True),
    Column("site", Text, nullable=False),
    Column("box", Text, nullable=False),
    Column("table_name", Text, nullable=False),
    Column("finding", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("severity", Text, nullable=False),
    Column("sentence", Text, nullable=False),
    Column("at", MOMENT, nullable=False, server_default=func.now()),
    Column("settled", MOMENT),
    UniqueConstraint("site", "box", "table_name", "finding", "number"),
)
SETTLEMENT: Final = Table(
    "settlement",
    METADATA,
    Column("number", BigInteger, primary_key=True),
    Column("finding_id", ForeignKey("site_finding.id"), nullable=False, index=True),
    Column("at", MOMENT, nullable=False, server_default=func.now()),
    Column("by", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("is_right", Boolean, nullable=False),
)
BOX_KEY: Final = Table(
    "box_key",
    METADATA,
    Column("site", Text, primary_key=True),
    Column("box", Text, primary_key=True),
    Column("key", LargeBinary, primary_key=True),
    Column("since", MOMENT, nullable=False, server_default=func.now()),
    Column("trusted", Boolean, nullable=False),
)
PERSON: Final = Table(
    "person",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("hash", Text, nullable=False, unique=True),
    Column("role", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("made", MOMENT, nullable=False, server_default=func.now()),
    Column("expires", MOMENT),
    Column("link", Text, unique=True),
    Column("link_until", MOMENT),
)
GIVEN: Final = Table(
    "given",
    METADATA,
    Column("number", BigInteger, primary_key=True),
    Column("at", MOMENT, nullable=False, server_default=func.now()),
    Column("what", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("name", Text, nullable=False),
)
