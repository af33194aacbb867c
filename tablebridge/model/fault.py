"""The table event of what was not taken: more tags than an antenna has, messages that cannot be read, a
device that takes too much of the engine's time. It is entered so that it is on record and somebody hears of
it.
"""

from typing import Literal

from tablebridge.model.event import Event


class Fault(Event, frozen=True, tag="fault"):
    """Something was left out or set aside so that the table goes on. `device`: whose it was, empty if no
    device sent it, or the way by which a person could not be reached; `count`: how many since the last one of
    this kind.
    """

    fault: Literal[
        "too-many-tags", "undecodable", "unforeseen", "overload", "too-long", "second-engine", "unreached"
    ]
    device: str = ""
    count: int = 1
