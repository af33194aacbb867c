"""The disk of the database is full: nothing of a batch is stored, and all of it when there is room again."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from rig.records import Kept, messages_of
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from tablebridge.archive.database import migrate, open_database
from tablebridge.archive.verifying import verified
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.sim.room.postgres import Postgres

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        os.geteuid() != 0 or not shutil.which("mount"), reason="only root mounts a small disk"
    ),
]


class SmallDisk:
    """A file system of a few megabytes."""

    def __init__(self, megabytes: int) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tb-disk-", dir="/tmp"))
        if self._run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(self.folder)):
            pytest.skip("nothing can be mounted here")

    def grow(self, megabytes: int) -> None:
        assert not self._run("mount", "-o", f"remount,size={megabytes}m", str(self.folder))

    def close(self) -> None:
        self._run("umount", str(self.folder))
        self.folder.rmdir()

    def _run(self, *command: str) -> int:
        return subprocess.run(command, capture_output=True, check=False, timeout=30).returncode


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    """A disk on which the tables of the archive fit, and little more."""
    disk = SmallDisk(3)
    yield disk
    disk.close()


def test_a_full_disk_of_the_database_refuses_a_batch_as_a_whole_and_loses_nothing(
    disk: SmallDisk, tmp_path: Path
) -> None:
    path = tmp_path / "full.sqlite"
    table = DealtTable(path, "full")
    table.deal(120)
    table.close()
    messages = messages_of(path, "full")
    place = disk.folder / "tables"
    place.mkdir()
    owner = pwd.getpwnam("postgres")
    os.chown(place, owner.pw_uid, owner.pw_gid)
    disk.folder.chmod(0o755)
    postgres = Postgres()
    try:
        postgres.start()
        engine = open_database(postgres.address)
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
            db.execute(text(f"CREATE TABLESPACE small LOCATION '{place}'"))
            db.execute(text("ALTER DATABASE archive SET default_tablespace = 'small'"))
        engine.dispose()
        migrate(engine)
        kept = Kept(engine)
        with pytest.raises(SQLAlchemyError, match="No space left on device"):
            kept.put(messages)
        assert kept.numbers("full") == []
        disk.grow(64)
        kept.put(messages)
        assert kept.numbers("full") == [message.number for message in messages]
        assert kept.found("full") == []
        (segment,) = verified(engine)
        assert (segment.records, segment.unsound, segment.missing) == (len(messages), 0, False)
        engine.dispose()
    finally:
        postgres.stop()
