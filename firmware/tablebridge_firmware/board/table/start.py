"""Power-up: configuration, watchdog, and the board's turns for ever."""

import os
import time

import machine
import micropython

from . import configuration, parts
from .board import Board
from .link import Link

FILE = "board.json"
SERVICE = "service"
"""While this file is there, the next start leads to MicroPython's prompt, without a watchdog, once."""
WATCHDOG_MS = 8000
SHORTEST_MS = 10
"""A turn without chips takes this, so that the board does not spin."""


class Clock:
    """Milliseconds since power-up, over the wraps of MicroPython's counter."""

    def __init__(self):
        self._last = time.ticks_ms()
        self._ms = 0

    def now_ms(self):
        """At most 4294967295, then from 0 on, as the line protocol has it."""
        ticks = time.ticks_ms()
        self._ms = (self._ms + time.ticks_diff(ticks, self._last)) & 0xFFFFFFFF
        self._last = ticks
        return self._ms


def cause():
    """Why the board has started, in the line protocol's words."""
    why = machine.reset_cause()
    if why == machine.WDT_RESET:
        return "watchdog"
    return "power" if why == machine.PWRON_RESET else "reset"


def read_configuration():
    """The file's configuration, or an empty one with a fault."""
    try:
        with open(FILE) as file:
            text = file.read(configuration.LARGEST + 1)
    except OSError:
        text = None
    if text is None:
        made = configuration.Configuration()
        made.faults.append("board.json is missing: write it with tablebridge firmware config")
        return made
    return configuration.read(text)


def wanted_by_service():
    """Whether the host asked for MicroPython's prompt at this start."""
    try:
        os.remove(SERVICE)
    except OSError:
        return False
    return True


def assemble(link, clock):
    """The board as its file describes it."""
    found = read_configuration()
    boards = []

    def pause(ms):
        until = clock.now_ms() + ms
        while True:
            for sense in boards[0].senses if boards else ():
                sense.poll(clock.now_ms())
            left = until - clock.now_ms()
            if left <= 0:
                return
            time.sleep_ms(1 if left > 1 else left)

    chips = parts.make_chips(found, pause, clock.now_ms)
    name = found.name + " " + machine.unique_id().hex()
    board = Board(link, clock.now_ms, name, chips, [], found.faults)
    board.senses.extend(parts.make_contacts(found, board.lines))
    board.contacts = len(board.senses)
    board.senses.extend(parts.make_shuffler(found, board.lines))
    board.senses.extend(parts.make_scales(found, board.lines))
    boards.append(board)
    return board


def run():
    """Serve the host until the power goes. Returns only if the host wants MicroPython's prompt."""
    if wanted_by_service():
        return
    # A byte 3 in noise must not stop the board: the prompt is reached by the command !service alone.
    micropython.kbd_intr(-1)
    clock = Clock()
    board = assemble(Link(), clock)
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    board.start(cause())
    while not board.service:
        begun = clock.now_ms()
        board.turn(watchdog.feed)
        if clock.now_ms() - begun < SHORTEST_MS:
            time.sleep_ms(SHORTEST_MS)
    with open(SERVICE, "w"):
        pass
    machine.reset()
