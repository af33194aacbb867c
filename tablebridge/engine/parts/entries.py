"""What the players of a hand posted to be dealt in, who waits for another hand, and who left this one."""

import msgspec


class Entries(msgspec.Struct):
    """Players who come and go. `posts`: what seats posted beside the blinds, live and dead; `waiting`: seats
    whose players wait for another hand; `gone`: those whose players left, so that their hands die when their
    turn comes or hands are shown. Only the methods change them.
    """

    posts: dict[int, tuple[int, int]] = {}
    waiting: frozenset[int] = frozenset()
    gone: set[int] = set()

    def post(self, seat: int, live: int, dead: int) -> None:
        """The seat posted this."""
        self.posts[seat] = live, dead

    def leave_out(self, seat: int) -> None:
        """The seat does not play: its post goes back."""
        self.posts.pop(seat, None)
        self.waiting |= {seat}

    def go_away(self, seat: int) -> None:
        """The player left, and the hand is to die."""
        self.gone.add(seat)

    def come_back(self, seat: int) -> None:
        """The player is there again, in time."""
        self.gone.discard(seat)
