"""A database for the tests of this folder that need no stream."""

from collections.abc import Iterator

import pytest
from rig.records import Kept
from sqlalchemy import Engine, text

from tablebridge.archive.database import migrate, open_database
from tablebridge.sim.room.postgres import Postgres


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL."""
    server = Postgres()
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture
def engine(postgres: Postgres) -> Iterator[Engine]:
    """Its database, empty."""
    engine = open_database(postgres.address)
    with engine.begin() as db:
        db.execute(text("DROP SCHEMA public CASCADE"))
        db.execute(text("CREATE SCHEMA public"))
    yield engine
    engine.dispose()


@pytest.fixture
def kept(engine: Engine) -> Kept:
    """The database with the tables of the archive."""
    migrate(engine)
    return Kept(engine)
