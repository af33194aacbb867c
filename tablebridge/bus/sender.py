"""The pump from an outbox to the broker: the window, the order, the acknowledgements, the replays.

What is promised: every reading of the outbox reaches the broker at least once; the first sending goes by
number; a row counts as acknowledged only after its PUBACK. A connection that breaks repeats what was in
flight, so duplicates happen.
"""

from collections import deque
from typing import Final

from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import ReplayRequest
from tablebridge.bus.outbox import Outbox

WINDOW: Final = 100
_REPLAYS: Final = 8


class Sender:
    """Sends the outbox's readings to `topic`. It takes the client's `on_acked` for itself; call `pump` in
    every round.
    """

    def __init__(self, client: BusClient, outbox: Outbox, topic: str) -> None:
        self._client = client
        self._outbox = outbox
        self._topic = topic
        self._sent_to = outbox.acked_to
        self._in_flight: dict[int, int] = {}
        self._acked: list[int] = []
        self._replays: deque[tuple[int, int]] = deque(maxlen=_REPLAYS)
        client.on_acked = self._on_acked

    @property
    def idle(self) -> bool:
        """Whether everything that was appended is acknowledged and no replay is under way."""
        return not self._outbox.waiting and not self._in_flight and not self._replays and not self._acked

    def pump(self) -> None:
        """Note what was acknowledged and send what fits into the window. It is cheap if there is nothing to
        do.
        """
        if self._acked:
            self._outbox.acked(self._acked)
            self._acked.clear()
        while self._replays and self._room() and self._client.connected:
            first, last = self._replays.popleft()
            rows = self._outbox.range(first, last, self._room())
            sent = self._send(rows)
            if rows and sent < last:
                self._replays.appendleft((max(first, sent + 1), last))
                break
        if self._sent_to + 1 < self._outbox.next_seq and self._room() and self._client.connected:
            self._sent_to = max(self._sent_to, self._send(self._outbox.unsent(self._sent_to, self._room())))

    def replay(self, request: ReplayRequest) -> bool:
        """Send a range again. False if the outbox does not have all of it, or if the range is empty:
        then publish META, which says what it has.

        Another epoch's numbers are looked for before the present epoch's first (see outbox.py on loss of
        power). A request that is already waiting is not taken twice; of more than a few the oldest is
        dropped: it will be asked again.
        """
        present = request.epoch == self._outbox.epoch
        lowest, highest = (
            (self._outbox.epoch_first, self._sent_to) if present else (1, self._outbox.epoch_first - 1)
        )
        wanted = (max(request.first, lowest), min(request.last, highest))
        if wanted not in self._replays and wanted[0] <= wanted[1]:
            self._replays.append(wanted)
        return present and self._outbox.first_seq <= request.first <= request.last

    def _room(self) -> int:
        return WINDOW - len(self._in_flight)

    def _send(self, rows: list[tuple[int, bytes]]) -> int:
        """Send rows; the number of the last row that was sent, 0 if none was."""
        sent = 0
        for seq, payload in rows:
            token = self._client.publish(self._topic, payload)
            if token is None:
                break
            self._in_flight[token] = seq
            sent = seq
        return sent

    def _on_acked(self, token: int) -> None:
        seq = self._in_flight.pop(token, None)
        if seq is not None:
            self._acked.append(seq)
