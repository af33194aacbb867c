"""Table events: what was done at the table, one frozen type for each line of a table script, whose word is
its tag.

Seats are 1 to 10; amounts are whole numbers in the smallest unit of the game. The engine decides
whether it was right.
"""

from typing import Final, Literal

import msgspec

from tablebridge.model.blind_events import Bomb, Kill, NoLook, Straddle
from tablebridge.model.cards import Card
from tablebridge.model.chip_events import (
    Behind,
    ChipsOf,
    Collect,
    Credit,
    Exchange,
    Fill,
    ForeignChip,
    Lammer,
    Pay,
    PotChips,
    Race,
    RaceCard,
    RaceOver,
    Rake,
    StackChips,
    Take,
    Tray,
)
from tablebridge.model.clock_events import Break, DrawClock, HandForHand, LevelClock, Tick
from tablebridge.model.conduct_events import (
    Disqualified,
    Infraction,
    Leaves,
    MissedHands,
    PenaltyOver,
    Warned,
)
from tablebridge.model.direction import Directed as Directed
from tablebridge.model.disclosure import Access as Access
from tablebridge.model.disclosure import Disclosure as Disclosure
from tablebridge.model.event import Event
from tablebridge.model.fault import Fault as Fault
from tablebridge.model.house_events import Box, PayTable, Play, SetHand
from tablebridge.model.instant import Instant
from tablebridge.model.key_events import CallFloor, Exposed, FloorSettled, ShufflerLid, StepDone
from tablebridge.model.places import Place
from tablebridge.model.request_events import AskPot, CalledOn, Dispute, TokenBet
from tablebridge.model.seat_events import (
    Adds,
    ButtonCard,
    ChangesSeat,
    Enters,
    MissedBlind,
    Rebuys,
    Removes,
    Returns,
    SitsOut,
)
from tablebridge.model.shuffle_events import Riffle, Square, Strip, Wash

Payments = tuple[tuple[int, dict[int, int]], ...]
"""How the pots of a hand were paid, main pot first: the amount of each, and what of it each winner got.
Against the house: 0, and what each seat gained, below 0 if it lost.
"""


# Setting up: valid before the first hand and between hands.
class Rules(Event, frozen=True, tag="rules"):
    """The rulebook of the table. `text`: the whole text of a house rulebook, so that the hands can be ruled
    again without the file that it came from.
    """

    rulebook: str
    text: str = ""


class Game(Event, frozen=True, tag="game"):
    """The game that is played. `stakes`: small and big blind, or small and big bet in limit and stud games;
    `blinds` if they differ. `text`: the whole text of a house's own game, so that its hands can be played
    again without the file that it came from.
    """

    game: str
    stakes: tuple[int, int]
    blinds: tuple[int, int] | None = None
    text: str = ""


class Ante(Event, frozen=True, tag="ante"):
    amount: int


class BbAnte(Event, frozen=True, tag="bb-ante"):
    amount: int


class BringIn(Event, frozen=True, tag="bring-in"):
    amount: int


class Seats(Event, frozen=True, tag="seats"):
    """Seats entitled to a hand, ascending."""

    seats: tuple[int, ...]


class Button(Event, frozen=True, tag="button"):
    seat: int
    dead: bool = False


class Stacks(Event, frozen=True, tag="stacks"):
    """Stacks at the start of the hand: for `everyone`, or by seat."""

    everyone: int | None = None
    by_seat: dict[int, int] = {}


class Chips(Event, frozen=True, tag="chips"):
    """Denominations in play, ascending."""

    denominations: tuple[int, ...]


class Absent(Event, frozen=True, tag="absent"):
    seats: tuple[int, ...]


class Penalty(Event, frozen=True, tag="penalty"):
    seats: tuple[int, ...]


class Deck(Event, frozen=True, tag="deck"):
    """Which deck should be on the table: `52`, `40`, `36`, `32` or `52+joker`."""

    deck: str


class House(Event, frozen=True, tag="house"):
    key: str
    value: str


class Names(Event, frozen=True, tag="names"):
    """What to call the players on pages and overlays. `public`: what to call those who want no name in
    public. Not part of a table script; it changes no ruling.
    """

    by_seat: dict[int, str]
    public: dict[int, str] = {}


# The deck and the start of the hand.
class Hand(Event, frozen=True, tag="hand"):
    """A new hand begins: first riffle, the shuffler's button, or the dealer's push. `paid`: how its pots were
    paid, main pot first, each as its amount and what each winner got, if the faces that decided it were
    deleted. `stakes`: those of this hand, if they are not the level's.
    """

    paid: Payments = ()
    stakes: tuple[int, int] | None = None


class Shuffled(Event, frozen=True, tag="shuffled"): ...


class Cut(Event, frozen=True, tag="cut"):
    exposed: Card | None = None


class Shuffler(Event, frozen=True, tag="shuffler"):
    """What the shuffler reports of the deck that it is about to hand out; `started`: it has begun to shuffle;
    `ready`: the deck is in it, shuffled.
    """

    report: Literal["ok", "count", "boxed", "missing", "extra", "jam", "door", "started", "ready"]
    cards: tuple[Card, ...] = ()
    count: int | None = None


class Unshuffled(Event, frozen=True, tag="unshuffled"): ...


class Uncut(Event, frozen=True, tag="uncut"): ...


class DeckCheck(Event, frozen=True, tag="deck-check"):
    """The deck was spread and read in this order, or `state` of its being read. `deck`: its name, if it is
    known from its tags.
    """

    cards: tuple[Card, ...] = ()
    deck: str = ""
    state: Literal["begin", "end"] | None = None


class DeckInPlay(Event, frozen=True, tag="deck-in-play"):
    """The cards that are dealt are of the deck of this name."""

    deck: str


class DealerChange(Event, frozen=True, tag="dealer-change"):
    """Another dealer sits down. `name`: empty if nobody said."""

    name: str = ""


class Level(Event, frozen=True, tag="level"):
    stakes: tuple[int, int]


class Arrives(Event, frozen=True, tag="arrives"):
    seat: int


class Post(Event, frozen=True, tag="post"):
    """The chips with which a seat posted its blind, one entry per chip."""

    seat: int
    chips: tuple[int, ...]


class Deal(Event, frozen=True, tag="deal"):
    seat: int
    card: Card
    up: bool = False
    exposed: bool = False
    boxed: bool = False


class Dealt(Event, frozen=True, tag="dealt"):
    """All cards that are due face down went to their places, faces unknown; or the next up card of every live
    seat.
    """

    up: tuple[Card, ...] = ()


class Holds(Event, frozen=True, tag="holds"):
    seat: int
    count: int


class Boxed(Event, frozen=True, tag="boxed"):
    card: Card


class Burn(Event, frozen=True, tag="burn"):
    card: Card | None = None


class Street(Event, frozen=True, tag="street"):
    """Cards put on the board in one go; more than the street has are an irregularity, not an error."""

    street: Literal["flop", "turn", "river"]
    cards: tuple[Card, ...]


class RunAgain(Event, frozen=True, tag="run-twice"):
    """The rest of the board is dealt twice, each board for half of every pot, or as often as `runs` says."""

    runs: int = 2


class BoardExposed(Event, frozen=True, tag="board-exposed"):
    card: Card


class Draw(Event, frozen=True, tag="draw"):
    """The seat discards `count` cards. `cards`: those of them that are known."""

    seat: int
    count: int
    cards: tuple[Card, ...] = ()


class Expose(Event, frozen=True, tag="expose"):
    seat: int
    card: Card
    dropped: bool = False


class PickUp(Event, frozen=True, tag="pick-up"):
    seat: int


class Tabled(Event, frozen=True, tag="table"):
    seat: int
    cards: tuple[Card, ...]


class Muck(Event, frozen=True, tag="muck"):
    seat: int


class Ask(Event, frozen=True, tag="ask"):
    """At showdown `seat` asks to see the hand of `other`."""

    seat: int
    other: int


class Mixed(Event, frozen=True, tag="mixed"):
    seat: int


class Seen(Event, frozen=True, tag="seen"):
    """A card is noticed at a place where no event put it."""

    card: Card
    place: Place


class Marked(Event, frozen=True, tag="marked"):
    card: Card


class Back(Event, frozen=True, tag="back"):
    """A card with another back than the deck's."""

    card: Card


class Stub(Event, frozen=True, tag="stub"):
    """The stub was counted (`count` cards), or dropped: out of order, or mixed with muck or burns."""

    count: int | None = None
    state: Literal["counted", "disordered", "mixed"] = "counted"


class Action(Event, frozen=True, tag="action"):
    """A clear declaration. `amount`: the seat's total for the round, for bet and raise."""

    action: Literal["check", "fold", "call", "bet", "raise", "allin"]
    seat: int
    amount: int | None = None


class Say(Event, frozen=True, tag="say"):
    seat: int
    words: str


class PotCount(Event, frozen=True, tag="pot-count"):
    amount: int


class ChipsIn(Event, frozen=True, tag="chips-in"):
    """Chips pushed forward silently in one motion, one entry per chip."""

    seat: int
    chips: tuple[int, ...]


class ChipsBack(Event, frozen=True, tag="chips-back"):
    """Chips of an earlier bet of this round pulled back; empty and `everything` for all of them."""

    seat: int
    chips: tuple[int, ...] = ()
    everything: bool = False


class AllinButton(Event, frozen=True, tag="allin-button"):
    seat: int


class Clock(Event, frozen=True, tag="clock"):
    """The clock is called on the seat. `caller`: the seat that asked for it, None if nobody said."""

    seat: int
    caller: int | None = None


class ClockExpired(Event, frozen=True, tag="clock-expired"):
    seat: int


class Ruling(Event, frozen=True, tag="ruling"):
    """The floor's decision if the rulebook leaves it to the floor. `amount`: the total of the seat's bet for
    the round, if the floor fixes one; `cancel`: a misdeal that is not dealt again.
    """

    ruling: Literal[
        "dead", "live", "passive", "bet", "raise", "call", "fold", "play-on", "misdeal", "cancel", "burn"
    ]
    seat: int | None = None
    card: Card | None = None
    amount: int | None = None


class End(Event, frozen=True, tag="end"):
    """The hand is over: pots are paid."""


# Beside the script: corrections, and what sensing and devices report.
class Undo(Event, frozen=True, tag="undo"):
    """The entry with this id is taken back: the hand is folded again as if it had not happened. `note`:
    why, as of every correction.
    """

    entry: int
    note: str = ""


class Amend(Event, frozen=True, tag="amend"):
    """The entry with this id is replaced by another event in its place."""

    entry: int
    instead: "TableEvent"
    note: str = ""


class Insert(Event, frozen=True, tag="insert"):
    """An event that was left out happened before the entry with this id. It is known by the number of this
    entry: who corrects it names that.
    """

    entry: int
    inserted: "TableEvent"
    note: str = ""


class InDoubt(Event, frozen=True, tag="in-doubt"):
    """What is recorded of a seat, or of the hand, is in doubt until it is settled (`over`). `read`: the
    number of cards that are read before a seat that folded by a person's word; 0 if a person has the doubt.
    """

    seat: int | None = None
    read: int = 0
    over: bool = False


class Doubt(Event, frozen=True, tag="doubt"):
    """The readings do not settle where a card is. `odds`: place to probability, 0 to 1."""

    card: Card
    odds: dict[Place, float]


class ForeignTag(Event, frozen=True, tag="foreign-tag"):
    """A tag at a place of the table that is no card of the deck in play. `deck`: the deck it belongs to, if
    any.
    """

    place: Place
    deck: str | None = None


class ClonedTag(Event, frozen=True, tag="cloned-tag"):
    """One tag identity was read at two places at once for longer than cross-reading explains."""

    card: Card
    places: tuple[Place, Place]


class DeviceState(Event, frozen=True, tag="device"):
    """A device of the table is `live` again, `stale` or `lost`; `gap`: readings that can never come;
    `unknown`: a device that it found and that the site file does not name; `silent`: a card under it whose
    tag has stopped answering; `health`: what it reports of itself, or of one `antenna`, and why (`detail`).
    """

    device: str
    state: Literal["live", "stale", "lost"]
    places: tuple[Place, ...] = ()
    gap: int = 0
    unknown: str = ""
    silent: Card | None = None
    health: Literal["", "ok", "degraded", "failed"] = ""
    antenna: int | None = None
    detail: str = ""


class BrokenJournal(Event, frozen=True, tag="broken-journal"):
    """The table's record failed its own verification when the engine started. `file`: the file that it was
    moved to, beside the journals.
    """

    file: str


class RestoredJournal(Event, frozen=True, tag="restored-journal"):
    """The record up to here was restored from a backup; what its twin recorded after that is not in it.
    `backup`: its id. `made_wall_ns`: when it was made.
    """

    backup: str
    made_wall_ns: int


TableEvent = (
    Rules
    | Game
    | Ante
    | BbAnte
    | BringIn
    | Seats
    | Button
    | Stacks
    | Chips
    | Absent
    | Penalty
    | Deck
    | House
    | Names
    | Hand
    | Shuffled
    | Cut
    | Riffle
    | Strip
    | Wash
    | Square
    | Shuffler
    | ShufflerLid
    | Unshuffled
    | Uncut
    | DeckCheck
    | DeckInPlay
    | DealerChange
    | CallFloor
    | FloorSettled
    | StepDone
    | Level
    | Arrives
    | Post
    | Deal
    | Exposed
    | Dealt
    | Holds
    | Boxed
    | Burn
    | Street
    | RunAgain
    | BoardExposed
    | Draw
    | Expose
    | PickUp
    | Tabled
    | Muck
    | Ask
    | Mixed
    | Seen
    | Marked
    | Back
    | Stub
    | Action
    | Say
    | PotCount
    | ChipsIn
    | ChipsBack
    | AllinButton
    | Clock
    | ClockExpired
    | Tick
    | DrawClock
    | LevelClock
    | Break
    | HandForHand
    | Tray
    | Fill
    | Credit
    | Pay
    | Take
    | Rake
    | PotChips
    | StackChips
    | Behind
    | ForeignChip
    | ChipsOf
    | Race
    | RaceCard
    | RaceOver
    | Exchange
    | Lammer
    | Collect
    | NoLook
    | Straddle
    | Kill
    | Bomb
    | AskPot
    | TokenBet
    | CalledOn
    | Dispute
    | Warned
    | Infraction
    | MissedHands
    | PenaltyOver
    | Disqualified
    | Leaves
    | Enters
    | SitsOut
    | Returns
    | MissedBlind
    | ChangesSeat
    | Adds
    | Removes
    | Rebuys
    | ButtonCard
    | Box
    | Play
    | SetHand
    | PayTable
    | Ruling
    | End
    | Undo
    | Amend
    | Insert
    | InDoubt
    | Doubt
    | ForeignTag
    | ClonedTag
    | DeviceState
    | Fault
    | BrokenJournal
    | RestoredJournal
    | Access
    | Directed
    | Disclosure
)

Basis = Literal["rfid", "shuffler", "button", "operator", "dealer", "inferred", "script"]
TYPED: Final[frozenset[Basis]] = frozenset({"operator", "dealer", "script"})
"""The bases of what a person entered. All other bases are what machines know."""


class Entry(msgspec.Struct, frozen=True):
    """A table event as it stands in the journal, with what it rests on. `sure`: probability that it is true
    as stated, 0 to 1. `by`: the device, or the person and role. `evidence`: identities of readings,
    `device/epoch/seq`. `at` is the time of the reading by its host's clock; `entered` is the engine's own,
    None in older records.
    """

    id: int
    at: Instant
    event: TableEvent
    basis: Basis = "script"
    sure: float = 1.0
    by: str = ""
    evidence: tuple[str, ...] = ()
    entered: Instant | None = None
