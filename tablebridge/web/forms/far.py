"""The forms of what comes of an act from the room, where no engine has answered."""

from typing import Final

FAR: Final = (
    "The room has no connection to its nats-servers; nothing was done. Try again.",
    "The box of this table has no connection to the room; nothing was done. Act at the table.",
    "No answer came in time: look at the table, or try the same again, which does nothing twice.",
    "This is no act: a name of 1 to 48 letters, a note of at most 500.",
    "This is no act that the box knows; nothing was done.",
    "This box takes nothing from the room: whoever owns it has switched that off.",
    "There is no such table at this box; nothing was done.",
    "It came too late and was not done: try again. If that stays so, the clock of the box is wrong.",
    "Too much waits for the tables of this box; nothing was done. Try again.",
    "The box cannot reach its table at the moment; nothing was done. Try again.",
    "The engine of the table did not answer: look at the table, or try the same again.",
)
