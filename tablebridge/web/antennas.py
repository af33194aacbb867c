"""The pictures of what each table has learnt of its antennas, as long as the counts behind them are the same."""

from pathlib import Path

from tablebridge.journal.antennas import calibration_path, learnt
from tablebridge.settings.site import Site
from tablebridge.web.crosstalk import draw


class Antennas:
    """Of one site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._tables = {table.name: table for table in site.tables}
        self._drawn: dict[str, tuple[int, str]] = {}

    def written_ns(self, name: str) -> int:
        """When the table wrote last what it learnt (wall ns); 0 where it has not."""
        path = self._path(name)
        try:
            return 0 if path is None else path.stat().st_mtime_ns
        except OSError:
            return 0

    def picture(self, name: str) -> str | None:
        """SVG; None where nothing was learnt. To learn takes up to a second. Raises ConfigError where the counts cannot be
        read."""
        written_ns = self.written_ns(name)
        kept_ns, picture = self._drawn.get(name, (0, ""))
        if not written_ns:
            return None
        if kept_ns != written_ns:
            found = learnt(self._site, self._tables[name])
            picture = "" if found is None else draw(found)
            self._drawn[name] = written_ns, picture
        return picture or None

    def _path(self, name: str) -> Path | None:
        table = self._tables.get(name)
        return None if table is None else calibration_path(self._site, table)
