"""Names and blinds of the room go to the tables by themselves, once the floor has decided so: to each table
between two of its hands, as a command in the name of who decided it.
"""

import asyncio
import logging
from typing import Final

from tablebridge.web.auth import Token
from tablebridge.web.desk import Desk
from tablebridge.web.room_names import bring
from tablebridge.web.status import TableStatus

_LOOK_S: Final = 0.5
_log: Final = logging.getLogger(__name__)


class Naming:
    """Brings them. A table that refuses is asked again after its next hand, or when the room calls somebody
    otherwise; until then the room shows the clash.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._brought: dict[str, tuple[int, int]] = {}

    async def run(self) -> None:
        """Do so until it is cancelled."""
        while True:
            await self.step()
            await asyncio.sleep(_LOOK_S)

    async def step(self) -> None:
        """Bring what is due now."""
        room = self._desk.hub.room.view
        if room is None or not room.named_by:
            return
        due = [status for status in self._desk.hub.tables.values() if self._is_due(status, room.names_rev)]
        if not due:
            return
        me = Token("names-to-tables", "", "floor", room.named_by)
        try:
            rows = await self._desk.hub.room.rows(me.name, me.role)
        except (ConnectionError, TimeoutError):
            return
        for status in due:
            self._brought[status.name] = room.names_rev, _hand(status)
            id = f"names-{room.names_rev}-{_hand(status)}"
            async for named in bring(self._desk, me, id, room.stakes, rows, (status,)):
                if not named.ok:
                    _log.warning("table %s does not take its names: %s", named.table, named.sentence)

    def _is_due(self, status: TableStatus, names_rev: int) -> bool:
        """Whether the table is between two hands and was not asked since."""
        over = status.view is not None and status.view.street in ("over", "void")
        return status.runs and over and self._brought.get(status.name) != (names_rev, _hand(status))


def _hand(status: TableStatus) -> int:
    return status.view.hand if status.view else 0
