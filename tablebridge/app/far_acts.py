"""What a person who is not at the box does: the same command as that of a person at its floor page."""

from typing import Final

from tablebridge.bus.messages import Command, FarAct, FarChange
from tablebridge.model.alerts import AlertChange, AlertState

_BECOMES: Final[dict[FarChange, AlertState]] = {
    "acknowledged": "acknowledged",
    "taken": "taken",
    "released": "acknowledged",
    "closed": "closed",
}


def command_of(act: FarAct) -> Command:
    """The command. Its id can be no other person's, and its name says that it came from the room: somebody at
    the box may be called the same.
    """
    person = f"{act.person} (room)"
    change = AlertChange(act.alert, _BECOMES[act.to], person, act.note, over=act.over)
    return Command(
        f"room:{act.id}", person, "floor", act.deadline_wall_ns, alert=change, back=act.to == "released"
    )
