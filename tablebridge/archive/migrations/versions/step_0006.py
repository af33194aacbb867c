"""What boxes have signed of the chains: the last signature of each segment, and the keys of the boxes."""

from typing import Final

from alembic import op

revision = "0006"
down_revision = "0005"

_STATEMENTS: Final = (
    "ALTER TABLE segment ADD signed_number bigint NOT NULL DEFAULT 0, ADD signed_hash bytea, "
    "ADD signed_by bytea, ADD signature bytea, ADD unsigned_end bigint",
    "CREATE TABLE box_key (site text, box text, key bytea, since timestamptz NOT NULL DEFAULT now(), "
    "trusted boolean NOT NULL, PRIMARY KEY (site, box, key))",
)


def upgrade() -> None:
    """Add them."""
    for statement in _STATEMENTS:
        op.execute(statement)
