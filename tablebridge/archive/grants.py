"""What the role `pages` may do in the archive's database: read what its pages show, let people in,
and settle findings in their names.

Records, and with them what is sealed, are none of its business. Its rights are given again after each
migration, as a step may bring a table; a database without that role, as of a room on one machine, has none
to give.
"""

from typing import Final

from sqlalchemy import Connection, text

_HAS_ROLE: Final = "SELECT count(*) FROM pg_roles WHERE rolname = 'pages'"
_GRANTS: Final = (
    "GRANT SELECT ON alembic_version, played_table, hand, finding, alert TO pages",
    "GRANT SELECT ON site_finding, settlement, person TO pages",
    # Who settles a finding is written down in the same transaction; nothing of it can be changed or deleted.
    "GRANT UPDATE (settled) ON site_finding TO pages",
    "GRANT INSERT (finding_id, by, why, is_right) ON settlement TO pages",
    # A link is opened once: its row is locked and changed, and who got in is written down first.
    "GRANT UPDATE (hash, link, link_until) ON person TO pages",
    "GRANT INSERT, SELECT (number) ON given TO pages",
)


def grant(connection: Connection) -> None:
    """Give the role its rights. Raises SQLAlchemyError."""
    if connection.execute(text(_HAS_ROLE)).scalar():
        for statement in _GRANTS:
            connection.execute(text(statement))
