"""The burn cards of a hand."""

from collections.abc import Callable
from dataclasses import dataclass

from tablebridge.model.cards import Card
from tablebridge.model.events import Basis


@dataclass(slots=True)
class Burns:
    """The burn for the coming street, and how many there were. `card` and `basis`: its face, if that is
    known, and who reported it.
    """

    burned: bool = False
    card: Card | None = None
    basis: Basis | None = None
    count: int = 0
    # Streets before which antennas saw no burn: it may have lain there unread.
    unseen: int = 0
    # A street that wants no burn, because a premature one had its own.
    burnless: str = ""
    # A flop without a burn that is to go back (by book), as long as nobody has acted on it; whether it stayed
    # for an action and may still go back when another one is dealt.
    gone_flop: tuple[Card, ...] = ()
    flop_may_go: bool = False
    # The second of two burns, and whether the street lies there without one: what putting the order right
    # begins with.
    second: Card | None = None
    unburned: bool = False

    def burned_for(self, street: str) -> bool:
        """Whether the street has the burn that it wants, or wants none."""
        return self.burned or self.burnless == street

    def add(self, card: Card | None, basis: Basis | None) -> None:
        """A further card is the burn for the coming street."""
        self.count += 1
        self.lie(card, basis)

    def count_card(self) -> None:
        """One more card lies among the burns, whether or not it is the burn for a street."""
        self.count += 1

    def lie(self, card: Card | None, basis: Basis | None) -> None:
        """There is a burn for the coming street."""
        self.burned, self.card, self.basis = True, card, basis

    def use(self) -> None:
        """The street has come: the next one wants a burn of its own."""
        self.burned, self.card, self.basis = False, None, None

    def report_again(self, basis: Basis | None) -> None:
        """The burn is reported by somebody else, or may be."""
        self.basis = basis

    def name(self, card: Card) -> None:
        """The burn has a face now."""
        self.card = card

    @property
    def coming(self) -> tuple[bool, Card | None, Basis | None]:
        """The burn for the coming street, to be restored."""
        return self.burned, self.card, self.basis

    def restore(self, coming: tuple[bool, Card | None, Basis | None]) -> None:
        """The burn for the coming street is this one again."""
        self.burned, self.card, self.basis = coming

    def flop_stands(self) -> tuple[Card, ...]:
        """The table goes on with these cards, a flop that had no burn: a burn since was its own."""
        self.burned = True
        return self.gone_flop

    def stand_in(self) -> bool:
        """A premature street that stands brings its burn along: whether that is a further card."""
        self.burned = True
        further = not self.count
        self.count = self.count or 1
        return further

    def miss(self, *, sensed: bool) -> None:
        """A street came without its burn. `sensed`: only antennas say so."""
        self.unseen += sensed

    def find_unseen(self) -> bool:
        """A burn too many was read: whether it is one that was missed before."""
        if not self.unseen:
            return False
        self.unseen -= 1
        return True

    def street_comes(self, street: str) -> bool:
        """The street comes in time, and nothing of the one before it can be put right any more: whether it
        has the burn that it wants.
        """
        self.unburned = self.flop_may_go = False
        self.gone_flop = ()
        burned = self.burned or self.burnless == street
        self.burned, self.card, self.basis = False, None, None
        return burned

    def lay_unburned(self, *, may_be_put_right: bool) -> None:
        """The street lies there without its burn."""
        self.unburned = may_be_put_right

    def put_right(self, card: Card, basis: Basis) -> None:
        """The card of a street that came without a burn is that burn."""
        self.unburned = False
        self.add(card, basis)

    def free(self, street: str) -> None:
        """This street wants no burn."""
        self.burnless = street

    def extra(self, card: Card | None) -> None:
        """The second of two burns, which may be the street."""
        self.second = card

    def flop_goes(self, cards: tuple[Card, ...]) -> None:
        """A flop without a burn is to go back unless the table goes on with it."""
        self.gone_flop = cards

    def flop_stays(self) -> None:
        """The table went on with a flop that had no burn; it may still go back when another one is dealt."""
        self.flop_may_go = True

    def all_back(self) -> int:
        """The burns are in the stub again: how many there were."""
        count, self.count = self.count, 0
        return count

    def rename(self, named: Callable[[Card], Card]) -> None:
        """The hand calls cards otherwise from now on."""
        self.card = None if self.card is None else named(self.card)
        self.second = None if self.second is None else named(self.second)
