"""`python -m benchmarks faces`: whether anything that staff and public get depends on faces that only
antennas know.

A hand is made of what antennas read and of what a person types who wants to know the cards: lines that name
faces, at any place and at any moment, taken back or not, rulings, an end before its time. Then the faces that
were read are exchanged for others, among those that do not lie open, and the same hand is folded again.
Everything that staff and public get must be the same byte for byte after every entry: both pictures,
findings, alerts, the signal, the lines with their findings, what an entry was refused for. So must what
sensing is to expect, or sensing would answer in the engine's place. What an end says of faces that were
typed wrongly is the one thing that may differ: it is said when the hand is over.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, Literal

import msgspec

from benchmarks.figures import Figure, Options, Say
from tablebridge.app.clearing import cleared
from tablebridge.engine.script.writer import line_of
from tablebridge.engine.table import Table
from tablebridge.engine.views import public_view, staff_view
from tablebridge.floor.alerts import Alerts, for_staff
from tablebridge.floor.inhibition import worst
from tablebridge.model import events as ev
from tablebridge.model.cards import DECK_52, UNKNOWN, Card
from tablebridge.model.instant import START
from tablebridge.model.places import BOARD, BURN, FLOOR, MUCK, STUB, Place, seat_place
from tablebridge.model.views import LineView

HANDS: Final = 10_000
EXCHANGES: Final = 4
"""Of faces, for each hand."""
GAMES: Final = ("nlhe", "nlhe", "nlhe", "plo", "stud", "draw5", "nlhe-2b")
BOOKS: Final = ("tda-2022", "tda-2022", "tda-2017", "fspr", "raise-club")
_DUE: Final = "typed-face-contradicted"
_STREETS: Final[dict[Literal["flop", "turn", "river"], int]] = {"flop": 3, "turn": 1, "river": 1}
_SEATS: Final = (1, 2, 3)

Faces = dict[Card, Card]


class Dependent(AssertionError):
    """Something that was given out depends on a hidden face."""


class Desk:
    """One table and all that is given out of it.

    `checks_public`: whether the public's picture is made as well, and compared with what staff see. It is the
    same but for lines, questions and the tray, so what it could tell the staff's picture would tell, too.
    """

    def __init__(self, *, checks_public: bool = False) -> None:
        self.table = Table("table")
        self._checks_public = checks_public
        self._alerts = Alerts()
        self._lines: list[LineView] = []

    def take(self, entry: ev.Entry) -> bytes:
        """What staff and public get of an entry. Raises Dependent if the public gets what staff does not."""
        outcome = self.table.apply(entry)
        found = [for_staff(finding) for finding in outcome.findings if finding.finding != _DUE]
        for finding in outcome.findings:
            if finding.finding != _DUE:
                self._alerts.raise_(finding, entry.at)
        cleared(self._alerts, self.table, entry.event, entry.at)
        if isinstance(entry.event, ev.Hand):
            self._lines.clear()
        self._lines.append(LineView(entry.id, line_of(self.table.known(entry)), entry.basis, entry.by))
        active = self._alerts.active()
        staff = staff_view(self.table, entry.at, entry.id, tuple(self._lines[-3:]))
        if self._checks_public:
            seen = msgspec.structs.replace(staff, lines=(), questions=(), tray=None)
            if seen != public_view(self.table, entry.at, entry.id):
                raise Dependent(f"The public's picture after entry {entry.id} has what the staff's has not.")
        return msgspec.json.encode(
            [
                found,
                outcome.ruled,
                outcome.returned,
                outcome.ignored,
                active,
                worst(active, ()),
                staff,
                self.table.expectation(),
            ]
        )


class Made:
    """A hand as it was played. `opened`: of each face that came to lie open by what machines read, after how
    many entries.
    """

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.entries: list[ev.Entry] = []
        self.given: list[bytes] = []
        self.opened: dict[str, int] = {}
        self._desk = Desk(checks_public=True)
        self._began = 1
        self._deck = self.rng.sample(DECK_52, 52)
        self._held: dict[int, list[Card]] = {seat: [] for seat in _SEATS}
        self._play()

    def _do(self, event: ev.TableEvent, basis: ev.Basis = "rfid") -> None:
        entry = ev.Entry(len(self.entries) + 1, START, event, basis)
        self.entries.append(entry)
        self.given.append(self._desk.take(entry))
        hand = self._desk.table.hand
        if isinstance(event, ev.Hand):
            self._began = entry.id
        for face in hand.veil.opened if hand is not None else ():
            self.opened.setdefault(face, len(self.entries))

    def _play(self) -> None:
        rng = self.rng
        for event in (
            ev.Rules(rng.choice(BOOKS)),
            ev.Game(rng.choice(GAMES), (50, 100)),
            ev.BringIn(20),
            ev.Seats(_SEATS),
            ev.Button(3),
            ev.Stacks(everyone=rng.choice((300, 5000))),
        ):
            self._do(event, "operator")
        self._do(ev.Hand(), "shuffler")
        for _ in range(rng.randint(15, 40)):
            if rng.random() < 0.4:
                self._typed()
            else:
                self._next()
        self._do(ev.End(), "operator")

    def _next(self) -> None:
        """What the dealer does next as antennas see it, or what a player does as the operator types it."""
        rng, table = self.rng, self._desk.table
        expected = table.expectation()
        if rng.random() < 0.08:
            self._astray()
        elif expected.phase == "deal":
            card = self._deck.pop() if self._deck else UNKNOWN
            if expected.next_seats[0] in self._held:
                self._held[expected.next_seats[0]].append(card)
            self._do(
                ev.Deal(
                    expected.next_seats[0],
                    UNKNOWN if rng.random() < 0.05 else card,
                    exposed=rng.random() < 0.03,
                )
            )
        elif expected.phase == "betting" and table.to_act is not None:
            may = sorted(table.may(table.to_act) - {"bet", "raise"}) or ["fold"]
            usual = may[0] if may[0] != "fold" else may[-1]
            kind: Any = "fold" if rng.random() < 0.1 else "allin" if rng.random() < 0.1 else usual
            self._do(ev.Action(kind, table.to_act), "operator")
        elif expected.phase == "burn":
            self._do(ev.Burn(self._deck.pop() if self._deck else None))
        elif expected.phase == "street" and len(self._deck) > 6 and expected.next_street in _STREETS:
            cards = tuple(self._deck.pop() for _ in range(max(expected.board_due, 1)))
            self._do(ev.Street(expected.next_street, cards))
        elif expected.phase == "draw":
            self._do(ev.Draw(rng.choice(_SEATS), rng.randint(0, 2)), "operator")
        elif expected.phase == "idle":
            self._do(ev.Hand(), rng.choice(("shuffler", "operator")))
            self._deck = rng.sample(DECK_52, 52)
            self._held = {seat: [] for seat in _SEATS}
        else:
            self._typed()

    def _astray(self) -> None:
        """A card goes where it should not, or one that lay somewhere is read elsewhere, or again."""
        rng = self.rng
        known = [card for held in self._held.values() for card in held]
        card = (
            rng.choice(known) if known and rng.random() < 0.7 else self._deck.pop() if self._deck else UNKNOWN
        )
        place = rng.choice((BOARD, BURN, MUCK, STUB, *map(seat_place, _SEATS)))
        deal = ev.Deal(rng.choice(_SEATS), card)
        self._do(
            rng.choice(
                (
                    ev.Seen(card, place),
                    ev.Seen(card, place),
                    deal,
                    ev.Muck(rng.choice(_SEATS)),
                    ev.Burn(card),
                    ev.Amend(self._recent(), deal),
                    ev.Doubt(card, {place: 0.5}),
                    ev.Undo(self._recent()),
                )
            )
        )

    def _recent(self) -> int:
        """One of the last entries of the hand under way: what lay open in another one is not kept here."""
        return max(self._began, len(self.entries) - self.rng.choice((0, 0, 0, 1, 2, 5)))

    def _typed(self) -> None:
        """A line of somebody who wants to know: a face that may be there or not, or the line before taken
        back.
        """
        rng, table = self.rng, self._desk.table
        target = self._recent()
        if rng.random() < 0.35 and not table.ended_after(target):
            self._do(ev.Undo(target), "operator")
            return
        seat = rng.choice(_SEATS)
        hole = self._held[seat] or [UNKNOWN]
        one, *others = (rng.choice(hole) if rng.random() < 0.5 else rng.choice(DECK_52) for _ in range(6))
        lines = self._lines(seat, hole, one, others)
        self._do(rng.choice(lines), rng.choice(("operator", "operator", "script")))

    def _lines(
        self, seat: int, hole: Sequence[Card], one: Card, others: Sequence[Card]
    ) -> tuple[ev.TableEvent, ...]:
        """What may be typed of a seat and of faces."""
        rng = self.rng
        place: Place = rng.choice((FLOOR, BOARD, BURN, MUCK, STUB, seat_place(seat)))
        street = rng.choice(tuple(_STREETS))
        return (
            ev.Seen(one, place),
            ev.Seen(one, place),
            ev.Tabled(seat, (one, UNKNOWN)),
            ev.Tabled(seat, (one, *others[: len(hole) - 1])),
            ev.Tabled(seat, tuple(hole)),
            ev.Expose(seat, one, rng.random() < 0.5),
            ev.Deal(seat, one),
            ev.Deal(seat, one, up=True),
            ev.Deal(seat, one, exposed=True),
            ev.Deal(seat, one, boxed=True),
            ev.Burn(one),
            ev.Burn(),
            ev.Boxed(one),
            ev.BoardExposed(one),
            ev.Marked(one),
            ev.Back(one),
            ev.Cut(one),
            ev.Draw(seat, 1, (one,)),
            ev.Holds(seat, 2),
            ev.Street(street, (one, *others)[: _STREETS[street]]),
            ev.Street("flop", (one, *others[:2])),
            ev.Ruling("burn", card=one),
            ev.Ruling("play-on"),
            ev.Ruling("misdeal"),
            ev.Ruling("dead", seat),
            ev.Muck(seat),
            ev.Action("allin", seat),
            ev.Action("call", seat),
            ev.Dealt(),
            ev.RunAgain(),
            ev.Stub(None, "mixed"),
            ev.End(),
            ev.Hand(),
        )

    def others(self, count: int) -> Iterator[tuple[Faces, int]]:
        """Exchanges of the faces that were read, and for how many entries nothing may differ: until a face
        that is exchanged lies open. Half of them exchange only faces that never do.
        """
        for number in range(count):
            after = 0 if number % 2 else self.rng.choice((0, 0, *self.opened.values()))
            free = [
                card for card in DECK_52 if card not in self.opened or (after and self.opened[card] >= after)
            ]
            to = self.rng.sample(free, len(free))
            ends = min(
                (
                    self.opened[card]
                    for card, other in zip(free, to, strict=True)
                    if card != other and card in self.opened
                ),
                default=len(self.entries) + 1,
            )
            yield dict(zip(free, to, strict=True)), ends - 1

    def check(self, faces: Faces, until: int) -> None:
        """Fold the hand with other faces. Raises Dependent with the first entry after which something else
        was given out.
        """
        desk = Desk()
        for entry, given in zip(self.entries[:until], self.given, strict=False):
            if desk.take(exchanged(entry, faces)) != given:
                lines = "\n".join(f"{one.id} {one.basis} {one.event}" for one in self.entries[: entry.id])
                raise Dependent(f"What is given out after entry {entry.id} depends on hidden faces:\n{lines}")


def exchanged(entry: ev.Entry, faces: Faces) -> ev.Entry:
    """The entry with other faces, if a machine read them."""
    return (
        entry
        if entry.basis in ev.TYPED
        else msgspec.structs.replace(entry, event=_exchanged(entry.event, faces))
    )


def _exchanged(event: Any, faces: Faces) -> Any:
    if isinstance(event, ev.Amend):
        return ev.Amend(event.entry, _exchanged(event.instead, faces))
    if isinstance(event, ev.Street):
        return msgspec.structs.replace(event, cards=tuple(faces.get(card, card) for card in event.cards))
    card = getattr(event, "card", None)
    return event if card is None else msgspec.structs.replace(event, card=faces.get(card, card))


def checked(seeds: Sequence[int], permutations: int, say: Say = lambda text: None) -> int:
    """Check hands made from these seeds, each with so many exchanges of faces; how many folds were compared.

    Raises Dependent.
    """
    folds = 0
    for at, seed in enumerate(seeds):
        made = Made(seed)
        for faces, until in made.others(permutations):
            made.check(faces, until)
            folds += 1
        if not at % 50:
            say(f"faces: {at} of {len(seeds)} hands")
    return folds


def run(options: Options, say: Say) -> list[Figure]:
    """Ten thousand hands."""
    hands = range(200 if options.quick else HANDS)
    folds = failed = 0
    for hand in hands:
        try:
            folds += checked((hand,), EXCHANGES)
        except Dependent:
            failed += 1
        if not hand % 50:
            say(f"faces: {hand} of {len(hands)} hands, {failed} failed")
    return [
        Figure(
            f"hands of {len(hands)} of which something that was given out depends on hidden faces "
            f"({folds} folds)",
            failed,
            f"of {len(hands)}",
            limit=0,
        )
    ]
