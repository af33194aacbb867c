"""The people of the room's pages, and what the pages ask of a table's day."""

from typing import Final

from alembic import op

revision = "0003"
down_revision = "0001"

_STATEMENTS: Final = (
    "CREATE TABLE person (id text PRIMARY KEY, hash text NOT NULL UNIQUE, role text NOT NULL, "
    "name text NOT NULL, made timestamptz NOT NULL DEFAULT now(), expires timestamptz, "
    "link text UNIQUE, link_until timestamptz)",
    "CREATE TABLE given (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
    "at timestamptz NOT NULL DEFAULT now(), what text NOT NULL, by text NOT NULL, person text NOT NULL, "
    "role text NOT NULL, name text NOT NULL)",
    "CREATE INDEX hand_of_table_day ON hand (table_id, day, began)",
    "CREATE INDEX finding_of_table_day ON finding (table_id, day, number)",
)


def upgrade() -> None:
    """Make the tables and indexes."""
    for statement in _STATEMENTS:
        op.execute(statement)
