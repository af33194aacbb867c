"""The pump from an outbox to the broker: the window, the order, the acknowledgements, the replays.

What is promised: every reading of the outbox reaches the broker at least once; the first sending goes by
number; a message counts as acknowledged only after its PUBACK. A connection that breaks repeats what was in
flight, so duplicates happen.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final

from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import ReplayRequest
from tablebridge.bus.outbox import Outbox

WINDOW: Final = 100
_REPLAYS: Final = 8
"""Requests that wait, per device."""
_AGAIN: Final = 0
"""The number of a message that is sent again: its acknowledgement says nothing."""


class Sender:
    """Sends the outbox's messages to `topic`. It takes the client's `on_acked` for itself; call `pump` in
    every round.
    """

    def __init__(self, client: BusClient, outbox: Outbox, topic: str) -> None:
        self._client = client
        self._outbox = outbox
        self._topic = topic
        self._sent_to = outbox.acked_to
        self._in_flight: dict[int, int] = {}
        self._acked: list[int] = []
        self._replays: deque[tuple[str, int, int]] = deque()
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
            device, first, last = self._replays.popleft()
            found = self._outbox.replay(device, first, last, self._room())
            sent = self._send((_AGAIN, seq, payload) for seq, payload in found)
            if found and sent < last:
                self._replays.appendleft((device, max(first, sent + 1), last))
                break
        if self._sent_to + 1 < self._outbox.next_number and self._room() and self._client.connected:
            rows = self._outbox.unsent(self._sent_to, self._room())
            self._sent_to = max(self._sent_to, self._send((number, number, row) for number, row in rows))

    def replay(self, device: str, request: ReplayRequest) -> bool:
        """Send a range of a device's readings again. False if the outbox does not have all of it, or if the
        range is empty: then publish META, which says what it has.

        Another epoch's numbers are looked for before the present epoch's first (see outbox.py on loss of
        power). A request that is already waiting is not taken twice; of more than a few of one device the
        oldest is dropped: it will be asked again.
        """
        present = request.epoch == self._outbox.epoch
        began = self._outbox.epoch_first(device)
        lowest, highest = (began, self._outbox.next_seq(device) - 1) if present else (1, began - 1)
        wanted = (device, max(request.first, lowest), min(request.last, highest))
        if wanted not in self._replays and wanted[1] <= wanted[2]:
            mine = [waiting for waiting in self._replays if waiting[0] == device]
            if len(mine) >= _REPLAYS:
                self._replays.remove(mine[0])
            self._replays.append(wanted)
        return present and self._outbox.first_seq(device) <= request.first <= request.last

    def _room(self) -> int:
        return WINDOW - len(self._in_flight)

    def _send(self, rows: Iterable[tuple[int, int, bytes]]) -> int:
        """Send payloads with their numbers and what each reaches to; how far the last one that was sent
        reaches, 0 if none was.
        """
        sent = 0
        for number, reaches, payload in rows:
            token = self._client.publish(self._topic, payload)
            if token is None:
                break
            self._in_flight[token] = number
            sent = reaches
        return sent

    def _on_acked(self, token: int) -> None:
        number = self._in_flight.pop(token, _AGAIN)
        if number != _AGAIN:
            self._acked.append(number)
