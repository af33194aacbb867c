"""When a table's chain is signed: with each transaction that leaves records between hands, and in a hand
after every `EVERY` records. So no hand is over without a signature over all that was written of it.
"""

import logging
from typing import Final

from tablebridge.app.signing import Signer
from tablebridge.engine.table import Table
from tablebridge.journal.store import Journal
from tablebridge.model.errors import ConfigError

EVERY: Final = 100
"""Records of a hand between two signatures."""
_log: Final = logging.getLogger(__name__)


class Checkpoints:
    """Signs the chain of `journal`, the record of `table`, with the key beside it."""

    def __init__(self, journal: Journal, table: Table) -> None:
        self._journal = journal
        self._table = table
        self._signer = Signer(journal.path.parent)
        self._seen = self._signed = journal.appended
        self._failing = False

    def due(self) -> None:
        """Sign what the open transaction has appended, if it is time. A key that cannot be used holds up no
        table: the record goes on without signatures, which the room finds.
        """
        appended = self._journal.appended
        if appended == self._seen:
            return
        self._seen = appended
        if self._table.street not in ("over", "void") and appended - self._signed < EVERY:
            return
        number, hash_ = self._journal.links.before(self._journal.next_number)
        try:
            self._journal.checkpoints.add(
                number, self._signer.checkpoint(self._journal.table, (number, hash_))
            )
        except ConfigError as error:
            if not self._failing:
                _log.error("the record of table %s is not signed: %s", self._journal.table, error)
            self._failing = True
            return
        self._signed, self._failing = appended, False
