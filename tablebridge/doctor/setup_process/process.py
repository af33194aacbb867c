"""The set-up process: readings and wishes come in, one by one; the picture goes out when it has changed."""

import time
from collections import OrderedDict
from queue import Empty, SimpleQueue
from typing import Final

import msgspec

from tablebridge.doctor.setup_process.door import Caller, Door
from tablebridge.doctor.setup_process.site_desk import SiteDesk
from tablebridge.doctor.setup_process.work import SetupWork
from tablebridge.model.errors import ConfigError, Refused
from tablebridge.model.readings import Reading
from tablebridge.settings.state import SETUP_SOCKET
from tablebridge.steps.picture import Answered, Picture, Sent, Wanted

_PICTURE_S: Final = 0.1
"""How often a picture is sent at most."""
_ANSWERS: Final = 256
"""How many wishes are remembered, so that each is done once."""


class SetupProcess:
    """The loop of a set-up. `users`, `group`: as `Door` has them; the rest as `SetupWork`. Raises
    ConfigError.
    """

    def __init__(
        self,
        site: SiteDesk,
        ports: tuple[str, ...],
        serves: bool,
        users: tuple[int, ...] = (),
        group: int | None = None,
    ) -> None:
        self._events: SimpleQueue[tuple[str, Reading] | tuple[Caller, Wanted]] = SimpleQueue()
        self._work = SetupWork(site, ports, serves, self._hear)
        self._last: Picture | None = None
        self._sent_s = 0.0
        self._answers: OrderedDict[str, Answered] = OrderedDict()
        self._door = Door(SETUP_SOCKET.path(site.state_dir), self._want, self._welcome, users, group)

    def run(self) -> None:
        """Serve until a person finishes it, or a signal ends it with an exception."""
        self._work.start()
        try:
            while not self._work.ended:
                self._take(time.monotonic() + _PICTURE_S)
                now_s = time.monotonic()
                self._work.tick(now_s)
                self._publish(now_s)
        finally:
            self._door.close()
            self._work.stop()

    def _hear(self, device: str, reading: Reading) -> None:
        self._events.put((device, reading))

    def _want(self, caller: Caller, wanted: Wanted) -> None:
        self._events.put((caller, wanted))

    def _welcome(self, caller: Caller) -> None:
        """A caller came: it gets the picture as it is."""
        if self._last is not None:
            caller.send(msgspec.json.encode(Sent(self._last)))

    def _take(self, until_s: float) -> None:
        """Take what comes until then, or until a person finishes."""
        while not self._work.ended and (left_s := until_s - time.monotonic()) > 0:
            try:
                source, what = self._events.get(timeout=left_s)
            except Empty:
                return
            if isinstance(source, Caller) and isinstance(what, Wanted):
                answer = self._answer(what)
                self._publish(time.monotonic(), at_once=True)
                source.send(msgspec.json.encode(Sent(answer=answer)))
            elif isinstance(source, str) and not isinstance(what, Wanted):
                self._work.reading(source, what)

    def _answer(self, wanted: Wanted) -> Answered:
        """Do what a person wants, once."""
        known = self._answers.get(wanted.id)
        if known is not None:
            return known
        try:
            answer = Answered(wanted.id, given=self._work.do(wanted.wish, wanted.by))
            self._work.keep()
        except (Refused, ConfigError) as error:
            answer = Answered(wanted.id, str(error))
        self._answers[wanted.id] = answer
        if len(self._answers) > _ANSWERS:
            self._answers.popitem(last=False)
        return answer

    def _publish(self, now_s: float, at_once: bool = False) -> None:
        """Send the picture if it has changed and the last is old enough."""
        if not at_once and now_s - self._sent_s < _PICTURE_S:
            return
        rev = self._last.rev if self._last is not None else 0
        made = msgspec.structs.replace(self._work.picture(now_s), rev=rev)
        if made == self._last:
            return
        self._last, self._sent_s = msgspec.structs.replace(made, rev=rev + 1), now_s
        self._door.publish(msgspec.json.encode(Sent(self._last)))


__all__ = ["SetupProcess"]
