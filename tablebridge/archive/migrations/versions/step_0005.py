"""Who has settled a finding about records, and why."""

from typing import Final

from alembic import op

revision = "0005"
down_revision = "0004"

_STATEMENTS: Final = (
    "CREATE TABLE settlement (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
    "finding_id bigint NOT NULL REFERENCES site_finding, at timestamptz NOT NULL DEFAULT now(), "
    "by text NOT NULL, why text NOT NULL, is_right boolean NOT NULL)",
    "CREATE INDEX settlement_of_finding ON settlement (finding_id)",
    "CREATE INDEX site_finding_open ON site_finding (site, at) WHERE settled IS NULL",
)


def upgrade() -> None:
    """Make the table and indexes."""
    for statement in _STATEMENTS:
        op.execute(statement)
