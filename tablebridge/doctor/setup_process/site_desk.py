"""The site file of the set-up process: what it says, which lines it gets, and writing them.

A file is changed only from its first table on, and only if that part is as a set-up writes it: what a person
wrote by hand is shown the lines and left as it is.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tablebridge import private
from tablebridge.app.check import check_site
from tablebridge.model.errors import ConfigError, Refused
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site
from tablebridge.steps.picture import Applying
from tablebridge.steps.site_text import Part, changes, head_text, table_text, with_people, without_tables

_HAND_MADE: Final = (
    "The tables of this file were written by hand, and are not changed here: enter the lines yourself."
)


class SiteDesk:
    """The file at `path`. `state_dir`, `broker_port`: for one that is not there yet. Raises ConfigError."""

    def __init__(self, path: Path, state_dir: Path, broker_port: int | None) -> None:
        self.path = path
        self.site: Site | None = load_site(path) if path.exists() else None
        self.state_dir = self.site.state_dir if self.site is not None else state_dir
        self._new = head_text("site", str(state_dir), broker_port)
        self.text = self._read()
        named = self.site.people if self.site is not None else None
        self.people_file = named or path.with_name("people.toml")
        """The file of people, which the site file names as soon as it is there."""

    @property
    def parts(self) -> list[Part]:
        """The devices of the file's only table; none if it has no table or several."""
        if self.site is None or len(self.site.tables) != 1:
            return []
        return [
            Part(
                device.name,
                device.driver,
                device.port,
                dict(device.options),
                dict(device.antennas),
                dict(device.contacts),
            )
            for device in self.site.tables[0].devices
        ]

    def applying(self, table: str, seats: str, parts: Iterable[Part], refused: Iterable[str]) -> Applying:
        """The lines that the file gets, and why it cannot be written now."""
        wanted = self._wanted(table, seats, parts)
        why = [*refused, *([] if self._is_ours() else [_HAND_MADE])]
        return Applying(
            str(self.path), changes(self.text, wanted), tuple(why), self.path.exists() and wanted == self.text
        )

    def write(self, table: str, seats: str, parts: Iterable[Part]) -> None:
        """Write the file, if it is right as a whole. Raises Refused."""
        if not self._is_ours():
            raise Refused(_HAND_MADE)
        wanted = self._wanted(table, seats, parts)
        beside = self.path.with_name(f".{self.path.name}.new")
        try:
            private.write(beside, wanted.encode(), self._mode())
            check_site(beside)
            beside.replace(self.path)
        except OSError as error:
            raise Refused(
                f"{self.path} cannot be written ({error.strerror}): make room on the disk, or check its "
                "rights."
            ) from None
        except ConfigError as error:
            raise Refused(str(error)) from None
        finally:
            beside.unlink(missing_ok=True)
        self.site, self.text = load_site(self.path), wanted

    def _wanted(self, table: str, seats: str, parts: Iterable[Part]) -> str:
        head = without_tables(self.text) if self.path.exists() else self._new
        if self.people_file.exists():
            head = with_people(head, self.people_file.name)
        return f"{head}\n{table_text(table, seats, parts)}"

    def _is_ours(self) -> bool:
        """Whether the file's part from the first table on is what a set-up writes."""
        if self.site is None or not self.site.tables:
            return True
        if len(self.site.tables) != 1:
            return False
        table = self.site.tables[0]
        return self.text == f"{without_tables(self.text)}\n{table_text(table.name, table.seats, self.parts)}"

    def _mode(self) -> int:
        return self.path.stat().st_mode & 0o777 if self.path.exists() else 0o640

    def _read(self) -> str:
        return self.path.read_text(encoding="utf-8") if self.path.exists() else ""


__all__ = ["SiteDesk"]
