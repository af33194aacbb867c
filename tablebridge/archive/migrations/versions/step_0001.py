"""The first tables."""

from typing import Final

from alembic import op

revision = "0001"
down_revision = None

_STATEMENTS: Final = (
    "CREATE TABLE played_table (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, site text NOT NULL, "
    "name text NOT NULL, box text NOT NULL, UNIQUE (site, name))",
    "CREATE TABLE segment (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
    "table_id integer NOT NULL REFERENCES played_table, box text NOT NULL, reason text NOT NULL, "
    "after_number bigint NOT NULL, before_hash bytea NOT NULL, first_number bigint NOT NULL, "
    "head_number bigint NOT NULL, head_hash bytea NOT NULL, began timestamptz NOT NULL DEFAULT now(), "
    "joined timestamptz)",
    "CREATE INDEX segment_of_table ON segment (table_id)",
    "CREATE TABLE record (day date, segment_id bigint, number bigint, table_id integer NOT NULL, "
    "kind text NOT NULL, event text, at timestamptz, hash bytea NOT NULL, salt bytea, digest bytea, "
    "body json, sealed bytea, PRIMARY KEY (day, segment_id, number)) PARTITION BY RANGE (day)",
    "CREATE INDEX record_of_table ON record (table_id, number)",
    "CREATE TABLE waiting (table_id integer NOT NULL REFERENCES played_table, number bigint NOT NULL, "
    "hash bytea NOT NULL, after_number bigint NOT NULL, box text NOT NULL, message bytea NOT NULL, "
    "arrived timestamptz NOT NULL, since timestamptz NOT NULL DEFAULT now(), "
    "PRIMARY KEY (table_id, number, hash))",
    "CREATE INDEX waiting_since ON waiting (since)",
    "CREATE TABLE hand (segment_id bigint, began bigint, table_id integer NOT NULL, day date NOT NULL, "
    "at timestamptz, ended timestamptz, hand bigint, paid jsonb, PRIMARY KEY (segment_id, began))",
    "CREATE INDEX hand_of_table ON hand (table_id, at)",
    "CREATE INDEX hand_of_day ON hand (day, table_id)",
    "CREATE TABLE finding (segment_id bigint, number bigint, table_id integer NOT NULL, day date NOT NULL, "
    "at timestamptz, id text NOT NULL, finding text NOT NULL, severity text NOT NULL, hand bigint NOT NULL, "
    "seat smallint, cause text NOT NULL, rule text NOT NULL, device text NOT NULL, "
    "PRIMARY KEY (segment_id, number))",
    "CREATE INDEX finding_of_hand ON finding (table_id, hand)",
    "CREATE INDEX finding_of_day ON finding (day, finding)",
    "CREATE TABLE alert (table_id integer, alert text, segment_id bigint NOT NULL, number bigint NOT NULL, "
    "state text NOT NULL, by text NOT NULL, at timestamptz, PRIMARY KEY (table_id, alert))",
    "CREATE INDEX alert_open ON alert (table_id) WHERE state <> 'closed'",
    "CREATE TABLE device (table_id integer, device text, segment_id bigint NOT NULL, "
    "number bigint NOT NULL, state text NOT NULL, health text NOT NULL, gaps bigint NOT NULL, "
    "at timestamptz, PRIMARY KEY (table_id, device))",
    "CREATE TABLE deck (segment_id bigint, number bigint, table_id integer NOT NULL, deck text NOT NULL, "
    "event text NOT NULL, at timestamptz, PRIMARY KEY (segment_id, number))",
    "CREATE INDEX deck_history ON deck (deck, at)",
    "CREATE TABLE site_finding (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, site text NOT NULL, "
    "box text NOT NULL, table_name text NOT NULL, finding text NOT NULL, number bigint NOT NULL, "
    "severity text NOT NULL, sentence text NOT NULL, at timestamptz NOT NULL DEFAULT now(), "
    "settled timestamptz, UNIQUE (site, box, table_name, finding, number))",
)


def upgrade() -> None:
    """Make the tables."""
    for statement in _STATEMENTS:
        op.execute(statement)
