"""What stays of records that retention deletes, and indexes for that and for the questions of pages."""

from typing import Final

from alembic import op

revision = "0004"
down_revision = "0003"

_STATEMENTS: Final = (
    "ALTER TABLE segment ADD first_hash bytea, ADD gone_number bigint NOT NULL DEFAULT 0, "
    "ADD gone_hash bytea",
    "UPDATE segment SET first_hash = record.hash FROM record "
    "WHERE record.segment_id = segment.id AND record.number = segment.first_number",
    "ALTER TABLE segment ALTER first_hash SET NOT NULL",
    "CREATE TABLE gone_day (day date PRIMARY KEY, records bigint NOT NULL, kept bigint NOT NULL, "
    "at timestamptz NOT NULL DEFAULT now())",
    "CREATE INDEX finding_of_alert ON finding (table_id, id)",
    "CREATE INDEX finding_alerting ON finding (day, table_id) WHERE severity IN ('warning', 'critical')",
    "CREATE INDEX deck_of_table ON deck (table_id, at)",
)


def upgrade() -> None:
    """Add them."""
    for statement in _STATEMENTS:
        op.execute(statement)
