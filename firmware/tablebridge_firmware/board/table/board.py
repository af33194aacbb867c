"""The board's turn: one antenna after the other, contacts between them, a snapshot per second."""

from .antenna import Antenna
from .lines import Commands, Lines, plain

VERSION = "1"
IDENTITY = "tablebridge-board/" + VERSION
SNAPSHOT_MS = 900
"""The protocol asks for one per second; visits of a slow chip may delay it."""
RESTART_MS = 2000
"""How long a dead chip is left alone before it is started again."""


class Dead(Exception):
    """The chip does not answer, or answers nonsense; its text says how."""


class Board:
    """Everything the board does but its pins. `chips`: by antenna. `senses`: what is polled between visits,
    each with `poll(now_ms)` and `snapshot()`, `fault` if something can be wrong with it, and `remarks()` for
    people, if it has any. `faults`: sentences about the configuration.
    """

    def __init__(self, link, now_ms, name, chips, senses, faults):
        self._link = link
        self._now_ms = now_ms
        self._name = plain(name)
        self._chips = chips
        self.senses = senses
        self._faults = faults
        self._said_faults = []
        self._commands = Commands()
        self.lines = Lines(link.write, now_ms)
        self._antennas = {number: Antenna(number, self.lines) for number in sorted(chips)}
        self._visited = len(chips)
        self._ready_ms = dict.fromkeys(chips, 0)
        self._running = set()
        self._next_snapshot_ms = SNAPSHOT_MS
        self.contacts = 0
        self.service = False

    def start(self, cause):
        """The first lines after power-up."""
        self._hello(cause)
        self._complain()

    def turn(self, alive):
        """Visit every antenna once. `alive` is called so often that a watchdog is content."""
        alive()
        for number in sorted(self._chips)[: self._visited]:
            self._visit(number)
            alive()
            self.idle()
        if not self._visited:
            self.idle()

    def idle(self):
        """What must not wait for the next visit: contacts, commands, the snapshot."""
        now_ms = self._now_ms()
        for sense in self.senses:
            sense.poll(now_ms)
        if self._found() != self._said_faults:
            self._health()
        for command in self._commands.received(self._link.read()):
            self._obey(command)
        if now_ms >= self._next_snapshot_ms:
            self._snapshot()

    def _visit(self, number):
        chip, antenna = self._chips[number], self._antennas[number]
        if number not in self._running and self._now_ms() < self._ready_ms[number]:
            return
        try:
            if number not in self._running:
                chip.start()
                self._running.add(number)
            tags, whole = chip.visit()
        except (Dead, OSError) as fault:
            self._running.discard(number)
            self._ready_ms[number] = self._now_ms() + RESTART_MS
            antenna.died(plain(fault))
            return
        if whole:
            antenna.seen(tags)
        else:
            antenna.cut_short(tags)

    def _obey(self, command):
        if command == "?":
            self._hello("asked")
            self._complain()
            self._ask_all()
        elif command[:1] == "a" and command[1:].isdigit() and 1 <= int(command[1:]) <= 64:
            self._visited = min(int(command[1:]), len(self._chips))
            self._hello("asked")
            self._ask_all()
        elif command == "!service":
            self.service = True

    def _ask_all(self):
        for antenna in self._antennas.values():
            antenna.owe()
        self._snapshot()

    def _hello(self, cause):
        self.lines.say("h", IDENTITY + " " + self._name, self._visited, self.contacts, cause)

    def _complain(self):
        for fault in self._found():
            self.lines.remark(fault)
        for sense in self.senses:
            if hasattr(sense, "remarks"):
                for text in sense.remarks():
                    self.lines.remark(text)
        self._health()

    def _found(self):
        """All that is wrong now."""
        return self._faults + [sense.fault for sense in self.senses if getattr(sense, "fault", "")]

    def _health(self):
        faults = self._found()
        if faults:
            more = " (and " + str(len(faults) - 1) + " more)" if len(faults) > 1 else ""
            self.lines.say("e", "degraded", plain(faults[0]) + more)
        elif self._said_faults:
            self.lines.say("e", "ok", "all works again")
        self._said_faults = faults

    def _snapshot(self):
        self._next_snapshot_ms = self._now_ms() + SNAPSHOT_MS
        for number in sorted(self._antennas)[: self._visited]:
            self._antennas[number].snapshot()
        for sense in self.senses:
            sense.snapshot()
        self._health()
        if not self._chips and not self.senses:
            self._hello("asked")
