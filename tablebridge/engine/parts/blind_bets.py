"""Bets before the cards that are no blinds of the game."""

import msgspec


class BlindBets(msgspec.Struct):
    """The blind bets of a hand beside its blinds. Only the methods change them.

    `straddles`, `no_looks`: by seat what it has bet, in the order in which they came. `kill`: the seat that
    kills the pot, and its bet. `bomb`: whether there is no betting before the flop.
    """

    straddles: dict[int, int] = {}
    no_looks: dict[int, int] = {}
    kill: tuple[int, int] | None = None
    bomb: bool = False

    @property
    def none_put(self) -> bool:
        """Whether nobody has put up a straddle or raised blind."""
        return not (self.straddles or self.no_looks)

    def of(self, seat: int) -> int:
        """What the seat has put up beside a blind, in all."""
        killed = self.kill[1] if self.kill is not None and self.kill[0] == seat else 0
        return max(self.straddles.get(seat, 0), killed)

    def straddle(self, seat: int, total: int) -> None:
        """The seat has put up a straddle."""
        self.straddles = {**self.straddles, seat: total}

    def no_look(self, seat: int, total: int) -> None:
        """The seat has raised blind."""
        self.no_looks = {**self.no_looks, seat: total}

    def take_back(self) -> None:
        """All bets went back: nobody has put up anything."""
        self.straddles, self.no_looks = {}, {}
