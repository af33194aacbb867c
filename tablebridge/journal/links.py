"""The links of a journal's chain, to be followed a part at a time by whoever must not take long."""

import sqlite3
from collections.abc import Iterator

from tablebridge.journal import chain

Link = tuple[int, bytes]
"""Number and hash of a record; 0 and the first link for what is before the first."""


class Links:
    """The chain of one table's journal."""

    def __init__(self, db: sqlite3.Connection, table: str) -> None:
        self._db = db
        self._table = table

    def before(self, since: int) -> Link:
        """The link before the record with the number `since`."""
        return chain.before(self._db, self._table, since)

    def following(self, link: Link) -> Iterator[chain.Row]:
        """The rows after this link, as far as each follows from the one before. Raises chain.UnsoundError for
        the first that does not.
        """
        return chain.following(self._db, link[0] + 1, *link)

    def kinds(self, since: int, before: int) -> list[str]:
        """The kinds of the records from number `since` on and before the number `before`, in order."""
        found = self._db.execute(
            "SELECT kind FROM record WHERE number >= ? AND number < ? ORDER BY number", (since, before)
        )
        return [kind for (kind,) in found]
