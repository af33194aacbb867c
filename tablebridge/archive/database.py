"""The database of the archive: its connection, whether it is of this version, its partitions by day."""

from datetime import date, timedelta
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from tablebridge.archive.grants import grant
from tablebridge.model.errors import ConfigError

LOCK: Final = 0x7461626C65
"""The advisory lock under which tables are made, changed and dropped: several workers may start at once."""
_CONNECT_S: Final = 10
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


def open_database(
    address: str, *, name: str = "tablebridge archive", connections: int = 2, statement_s: int = 0
) -> Engine:
    """The database at this address, `postgresql://USER@HOST/NAME`. `name`: how the process is listed there;
    `statement_s`: how long a statement may take, 0 for ever. Raises ConfigError.
    """
    scheme, _, rest = address.partition("://")
    if scheme not in ("postgresql", "postgres") or not rest:
        raise ConfigError("this is no address of a database; write postgresql://USER@HOST/NAME")
    try:
        url = make_url(f"postgresql+psycopg://{rest}")
        _check_way(url)
        return create_engine(
            url,
            pool_size=1,
            max_overflow=connections - 1,
            pool_timeout=_CONNECT_S,
            pool_pre_ping=True,
            connect_args={
                "connect_timeout": _CONNECT_S,
                "application_name": name,
                "options": f"-c statement_timeout={statement_s * 1000}",
            },
        )
    except (ArgumentError, ValueError) as error:
        raise ConfigError(f"this is no address of a database ({error})") from None


def _check_way(url: URL) -> None:
    """Raises ConfigError if records would leave this machine for a server that nobody has proved."""
    host = url.query.get("host", url.host or "")
    is_here = isinstance(host, str) and (not host or host.startswith("/") or host in _LOOPBACK)
    if not is_here and url.query.get("sslmode") != "verify-full":
        raise ConfigError(
            f"the database at {url.host or host}: records would cross the network without encryption, or to "
            "anybody; add ?sslmode=verify-full&sslrootcert=FILE to its address"
        )


def migrate(engine: Engine) -> str:
    """Bring the tables up to this version, which is returned. Raises ConfigError."""
    config = migrations()
    try:
        with engine.begin() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
            _refuse_newer(_step(connection))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            grant(connection)
    except SQLAlchemyError as error:
        raise ConfigError(f"the database cannot be brought up to date: {_short(error)}") from None
    return _wanted()


def check_version(engine: Engine) -> None:
    """Raises ConfigError unless the tables are of this version, SQLAlchemyError if nothing can be asked."""
    with engine.connect() as connection:
        found = _step(connection)
    if found == _wanted():
        return
    _refuse_newer(found)
    raise ConfigError(
        f"the database is at step {found or 'none'}, and this tablebridge needs {_wanted()}: run "
        "`tablebridge archive --migrate` once, then start the workers again."
    )


def make_partition(engine: Engine, day: date) -> None:
    """Make the partition of this day if it is not there. Raises SQLAlchemyError."""
    name = f"record_{day:%Y%m%d}"
    with engine.begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
        connection.execute(
            text(
                f"CREATE TABLE IF NOT EXISTS {name} PARTITION OF record "
                f"FOR VALUES FROM ('{day}') TO ('{day + timedelta(days=1)}')"
            )
        )


def migrations() -> Config:
    """The steps, for Alembic."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config


def _step(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _refuse_newer(found: str | None) -> None:
    """Raises ConfigError if this step is none of those that are known here."""
    if found is not None and found not in {script.revision for script in _scripts().walk_revisions()}:
        raise ConfigError(
            f"the database is at step {found}, of a newer tablebridge; this one knows {_wanted()}: update it."
        )


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(migrations())


def _wanted() -> str:
    head = _scripts().get_current_head()
    assert head is not None
    return head


def _short(error: SQLAlchemyError) -> str:
    return str(error).splitlines()[0][:200]
