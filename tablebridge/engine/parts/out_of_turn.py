"""Actions out of turn, and the seat that they went past."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Pending:
    """An action out of turn that waits for its turn. `faced`: what the bet was then; `amount`: its total, if
    it has one.
    """

    seat: int
    action: str
    amount: int | None
    faced: int


@dataclass(slots=True)
class OutOfTurn:
    """Actions out of turn of this round. Only the methods change them."""

    # Those that wait for their turn, at most one per seat.
    pending: list[Pending] = field(init=False, default_factory=list)
    # Those since the skipped seat should have acted: seat and action.
    strays: list[tuple[int, str]] = field(init=False, default_factory=list)
    skipped_reported: bool = field(init=False, default=False)

    def waiting(self, seat: int | None) -> Pending | None:
        """The action of this seat that waits for its turn."""
        return next((waiting for waiting in self.pending if waiting.seat == seat), None)

    def wait(self, action: Pending) -> None:
        """The action waits for the turn of its seat, instead of an earlier one."""
        self.drop(action.seat)
        self.pending.append(action)

    def release(self, action: Pending) -> None:
        """The action waits no longer."""
        self.pending.remove(action)

    def drop(self, seat: int) -> None:
        """No action of this seat waits any longer."""
        if self.pending:
            self.pending = [waiting for waiting in self.pending if waiting.seat != seat]

    def drop_all(self) -> None:
        """No action waits any longer."""
        self.pending.clear()

    def went_past(self, seat: int, action: str) -> None:
        """The seat acted past the one whose turn it is."""
        self.strays.append((seat, action))

    def report_skipped(self) -> None:
        """That action went past the skipped seat was reported."""
        self.skipped_reported = True

    def turn_moved(self) -> None:
        """It is another seat's turn: nobody was skipped yet."""
        if self.strays:
            self.strays.clear()
        self.skipped_reported = False

    def clear(self) -> None:
        """A round begins."""
        self.drop_all()
        self.turn_moved()
