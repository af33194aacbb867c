"""Actions out of turn, and the seat that they went past."""

import msgspec


class Pending(msgspec.Struct):
    """An action out of turn that waits for its turn. `faced`: what the bet was then; `amount`: its total, if
    it has one; `called`: whether the dealer had asked the seat to act.
    """

    seat: int
    action: str
    amount: int | None
    faced: int
    called: bool = False


class OutOfTurn(msgspec.Struct):
    """Actions out of turn of this round. Only the methods change them."""

    # Those that wait for their turn, at most one per seat.
    pending: list[Pending] = []
    # Those since the skipped seat should have acted: seat and action.
    strays: list[tuple[int, str]] = []
    skipped_reported: bool = False
    # Seats that the dealer asked to act before their turn; and an action of one of them, which is its own to
    # change until the next seat acts.
    called: frozenset[int] = frozenset()
    changeable: Pending | None = None

    def call_on(self, seat: int) -> None:
        """The dealer asked the seat to act before its turn."""
        self.called |= {seat}

    def let_change(self, action: Pending | None) -> None:
        """The action is its seat's to change; None: no action is any more."""
        self.changeable = action

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
        self.pending = [waiting for waiting in self.pending if waiting.seat != seat]
        if self.changeable is not None and self.changeable.seat == seat:
            self.changeable = None

    def drop_all(self) -> None:
        """No action waits any longer."""
        self.pending.clear()
        self.changeable = None

    def went_past(self, seat: int, action: str) -> None:
        """The seat acted past the one whose turn it is."""
        self.strays.append((seat, action))

    def report_skipped(self) -> None:
        """That action went past the skipped seat was reported."""
        self.skipped_reported = True

    def turn_moved(self) -> None:
        """It is another seat's turn: nobody was skipped yet."""
        self.strays.clear()
        self.skipped_reported = False

    def clear(self) -> None:
        """A round begins."""
        if self.called:
            self.called = frozenset()
        if self.pending or self.strays or self.skipped_reported or self.changeable is not None:
            self.drop_all()
            self.turn_moved()
