"""`tablebridge site files`: what is given out for the machines of a room, and what is refused."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rig.documents import DOCS

from tablebridge.cli import cli
from tablebridge.install.room_files import EXAMPLE, MOST_SERVERS, room_files
from tablebridge.model.errors import ConfigError


def call(*words: str) -> Result:
    return CliRunner().invoke(cli, ["site", "files", *words])


def test_each_server_has_a_file_of_its_own_and_all_know_all(tmp_path: Path) -> None:
    hosts = ("db.nats-1.example", "nats-2", "third")
    done = call(str(tmp_path), *(word for host in hosts for word in ("--server", host)))
    assert done.exit_code == 0 and sorted(done.output.splitlines()) == sorted(map(str, tmp_path.iterdir()))
    for host in hosts:
        text = (tmp_path / f"{host}.nats.conf").read_text()
        assert f"server_name: {host}\n" in text and f'"/etc/nats/{host}.pem"' in text
        assert re.findall(r"routes: \[(.*)\]", text) == [", ".join(f"tls://{one}:6222" for one in hosts)]
    words = (tmp_path / "archive.env").read_text().split()
    assert [word for word in words if word.startswith("tls://")] == [f"tls://{host}:4222" for host in hosts]


def test_what_is_there_stays_and_another_file_is_not_written_over(tmp_path: Path) -> None:
    assert call(str(tmp_path)).exit_code == call(str(tmp_path)).exit_code == 0
    (tmp_path / "roles.sql").write_text("mine")
    (tmp_path / "nats-1.nats.conf").unlink()
    done = call(str(tmp_path))
    assert "roles.sql is there and is another: name an empty folder" in str(done.exception)
    assert (tmp_path / "roles.sql").read_text() == "mine" and not (tmp_path / "nats-1.nats.conf").exists()


@pytest.mark.parametrize(
    "hosts",
    [
        (),
        ("a", "a"),
        tuple(f"n{number}" for number in range(MOST_SERVERS + 1)),
        ("../etc/passwd",),
        ("a]}\ninclude b",),
        ("",),
        ("a..b",),
        ("-a",),
        ("a" * 300,),
        ("ü",),
        ("a\n",),
    ],
)
def test_what_is_no_host_is_refused(hosts: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError, match=r"name each nats-server once|is no name of a machine"):
        room_files(hosts)


def test_no_file_holds_a_secret_and_each_says_where_it_belongs() -> None:
    for name, text in room_files(EXAMPLE).items():
        head = text.splitlines()[0]
        assert head.startswith(("# ", "-- ")) and re.search(r"/etc/|psql|systemctl", head), name
        assert not re.search(
            r"(?i)password *=|password '|SCRAM-SHA-256\$|BEGIN .*KEY|seed|//\w+:\w+@", text
        ), name


def test_the_page_lists_every_file() -> None:
    page = (DOCS / "site.md").read_text()
    assert [name for name in room_files(("nats-1",)) if f"`{name}`" not in page] == []
