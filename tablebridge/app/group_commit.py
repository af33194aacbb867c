"""When a table's transactions reach the disk: at once if anything follows from them, else with others.

A commit waits for the disk and writes whole pages. From most readings nothing follows, no record and no more
to publish than a sign that a card before a seat was looked at. They wait for the next commit, `within_s` at
most, and are acknowledged and published after it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tablebridge.app.checkpoints import Checkpoints
from tablebridge.app.outgoing import Outgoing
from tablebridge.engine.table import Table
from tablebridge.journal.store import Journal
from tablebridge.model.instant import START, Instant


class GroupCommit:
    """The transactions of one table. `publish` is called after each commit, with the time of its last
    transaction. The chain of the record of `table` is signed within them.

    After an exception in a transaction no other is begun.
    """

    def __init__(
        self,
        journal: Journal,
        outgoing: Outgoing,
        publish: Callable[[Instant], None],
        within_s: float,
        table: Table,
    ) -> None:
        self._journal = journal
        self._outgoing = outgoing
        self._publish = publish
        self._checkpoints = Checkpoints(journal, table)
        self._within_ns = round(within_s * 1e9)
        self._by_ns = 0
        self._now: Instant = START
        self._failed = False

    @property
    def waits(self) -> bool:
        """Whether readings wait for a commit."""
        return self._journal.waits

    @property
    def wake_ns(self) -> int | None:
        """The monotonic time by which what waits is to be committed."""
        return self._by_ns if self.waits else None

    def commit(self) -> None:
        """Put on disk what waits for it and publish it, unless a transaction has failed."""
        if self.waits and not self._failed:
            self._failed = True
            self._journal.commit()
            self._publish(self._now)
            self._failed = False

    def due(self, now: Instant) -> None:
        """Commit what has waited for long enough."""
        if self.waits and now.monotonic_ns >= self._by_ns:
            self.commit()

    @contextmanager
    def transaction(self, now: Instant) -> Iterator[None]:
        """All that is done inside is on disk afterwards, and then published; or it waits, if nothing follows
        from it. After an exception nothing of it is on disk or published, nor what has waited.
        """
        if self._failed:
            raise RuntimeError(f"the core of table {self._journal.table} has failed and must be opened again")
        self._now, self._failed = now, True
        self._outgoing.begin()
        if not self.waits:
            self._by_ns = now.monotonic_ns + self._within_ns
        in_time = now.monotonic_ns < self._by_ns
        try:
            with self._journal.transaction(lambda: in_time and not self._outgoing.follows):
                yield
                self._checkpoints.due()
        except BaseException:
            self._outgoing.drop()
            raise
        if not self.waits:
            self._publish(now)
        self._failed = False
