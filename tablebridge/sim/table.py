"""Where every card and chip of the emulated table physically lies, and what an antenna reads of it in one
visit.

The dealer's thread moves pieces, the readers' thread looks at them: one lock guards both. A piece that is
being moved is nowhere. The antenna under the stub sees only the top of it; the muck is a heap whose cards
are all hard to read.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from random import Random
from threading import Lock
from typing import Final, Literal

import msgspec

from tablebridge.model.places import (
    BOARD,
    BURN,
    MUCK,
    SEATS,
    STUB,
    Place,
    bet_place,
    seat_place,
    stack_place,
    up_place,
)
from tablebridge.sim.noise import BENT, LIFTED_READ, Noise, Placement, draw_placement, miss

STUB_DEPTH: Final = 3
"""How many cards from the top of the stub answer at all."""
_MOST_DEEP: Final = 12
"""More cards than these do not shield a card of the stub any further."""
VISIT_S: Final = 0.15
"""The mean time between two visits of an antenna at live speed: it turns rates a second into rates a visit.
"""
_MOST_OVERLAP: Final = {MUCK: 6, STUB: STUB_DEPTH}
Held = Literal["flat", "bent", "out"]


NOT_WEAK: Final[Mapping[Place, float]] = {}
"""All antennas of a table are alike."""
Near = Mapping[Place, tuple[Place, ...]]
"""The antennas next to each."""


def touching(pairs: Iterable[tuple[Place, Place]]) -> Near:
    """The antennas next to each, from the pairs of places whose fields touch."""
    near = defaultdict(list)
    for first, second in pairs:
        near[first].append(second)
        near[second].append(first)
    return {place: tuple(places) for place, places in near.items()}


def _pairs() -> list[tuple[Place, Place]]:
    pairs = [(seat_place(seat), seat_place(seat + 1)) for seat in SEATS if seat + 1 in SEATS]
    pairs += [(STUB, BURN), (STUB, MUCK), (BURN, BOARD), (MUCK, seat_place(1)), (STUB, seat_place(10))]
    pairs += [(stack_place(seat), bet_place(seat)) for seat in SEATS]
    for place in (bet_place, stack_place):
        pairs += [(place(seat), place(seat + 1)) for seat in SEATS if seat + 1 in SEATS]
    return pairs


NEAR: Final = touching(_pairs())
"""The antennas next to each, as tables are usually built."""
NEAR_UP: Final = touching(
    [
        *_pairs(),
        *((up_place(seat), seat_place(seat)) for seat in SEATS),
        *((up_place(seat), up_place(seat + 1)) for seat in SEATS if seat + 1 in SEATS),
    ]
)
"""The same with an antenna of its own for the up cards of each seat."""


class Piece(msgspec.Struct, eq=False):
    """One tagged card or chip. `place` None: in somebody's hand or in the air, `over` an antenna on its way,
    or nowhere.

    `twin`: the place where a second tag with the same identity lies (a registry that was cloned).
    """

    tag: str
    place: Place | None = None
    over: Place | None = None
    twin: Place | None = None
    placement: Placement = msgspec.field(default_factory=Placement)
    edge: Place | None = None
    held: Held = "flat"
    spread: bool = False


class Table:
    """All pieces and their places. `noise`: how badly antennas read. `near`: the antennas that read a piece
    of another place by mistake. `depth`: how many cards from the top of the stub answer at all, and of any
    pile answer to antennas of other places. `weak`: what an antenna that is worse than the others adds to the
    miss logit of its cards, by place. Deterministic for one `seed` and order of calls.
    """

    def __init__(
        self,
        noise: Noise,
        seed: int,
        near: Near = NEAR,
        depth: int = STUB_DEPTH,
        weak: Mapping[Place, float] = NOT_WEAK,
    ) -> None:
        self._noise = noise
        self._weak = weak
        self._near = near
        self._depth = depth
        self._rng = Random(seed)
        self._lock = Lock()
        self._pieces: dict[str, Piece] = {}
        self._at: dict[Place, list[Piece]] = defaultdict(list)
        self._edges: dict[Place, list[Piece]] = defaultdict(list)
        self._elsewhere: dict[Piece, None] = {}
        self._bursts: dict[Place, int] = {}
        self._watchers: list[Callable[[Place], None]] = []

    def watch(self, changed: Callable[[Place], None]) -> None:
        """`changed` is called with a place whenever what lies there is touched, from the thread that touches
        it.
        """
        self._watchers.append(changed)

    def put(self, tags: Iterable[str], place: Place, *, spread: bool = False) -> None:
        """The pieces come to lie at a place, the last of them on top, from wherever they were."""
        touched = {place: None}
        with self._lock:
            for tag in tags:
                piece = self._pieces.setdefault(tag, Piece(tag))
                touched |= self._leave(piece)
                piece.place, piece.spread = place, spread
                self._at[place].append(piece)
                self._place(piece)
            if place not in (STUB, MUCK, BOARD):
                for piece in self._at[place]:
                    self._place(piece)
        self._notify(touched)

    def take(self, tags: Iterable[str], over: Place | None = None) -> None:
        """The pieces are picked up: no antenna sees them any more, but for one that they may pass `over`."""
        touched: dict[Place, None] = {}
        with self._lock:
            for tag in tags:
                piece = self._pieces.setdefault(tag, Piece(tag))
                touched |= self._leave(piece)
                if over is not None and self._rng.random() < self._noise.pass_over:
                    piece.over = self._rng.choice(self._near[over])
                    self._elsewhere[piece] = None
                    touched[piece.over] = None
        self._notify(touched)

    def hold(self, place: Place, held: Held | None, tags: Collection[str] | None = None) -> None:
        """The player lifts the cards of a place to look (`bent` or `out`), or lays them down `flat`; None: by
        the level. `tags`: only these of them.
        """
        with self._lock:
            by_level: Held = "out" if self._rng.random() < self._noise.lifted else "bent"
            for piece in [piece for piece in self._at[place] if tags is None or piece.tag in tags]:
                piece.held = held or by_level
                if held == "flat":
                    self._place(piece, chip_on_top=self._rng.random() < 0.2)
        self._notify({place})

    def spread(self, place: Place, tags: Collection[str] | None = None) -> None:
        """A pile is spread, so that each piece lies alone. `tags`: only these of its pieces."""
        with self._lock:
            for piece in [piece for piece in self._at[place] if tags is None or piece.tag in tags]:
                piece.spread = True
                self._place(piece)
        self._notify({place})

    def clone(self, tag: str, place: Place | None) -> None:
        """A second tag that says the same identity lies at a place (None: no longer)."""
        with self._lock:
            piece = self._pieces[tag]
            touched = [at for at in (piece.twin, place) if at is not None]
            piece.twin = place
            self._elsewhere[piece] = None
        self._notify(touched)

    def lying(self, place: Place) -> tuple[str, ...]:
        """The tags that truly lie at a place, bottom first."""
        with self._lock:
            return tuple(piece.tag for piece in self._at[place])

    def flat(self, place: Place) -> tuple[str, ...]:
        """The tags that lie at a place and are not held up."""
        with self._lock:
            return tuple(piece.tag for piece in self._at[place] if piece.held == "flat")

    def powered(self, place: Place) -> set[str]:
        """The tags in the field of an antenna, read or not."""
        with self._lock:
            near = [*self._at[place], *self._edges[place]]
            return {piece.tag for piece in near if piece.held != "out"} | {
                piece.tag for piece in self._elsewhere if place in (piece.twin, piece.over)
            }

    def visit(self, place: Place) -> list[str]:
        """One inventory of the antenna at `place`: the tags that answer, in no particular order."""
        with self._lock:
            noise, chance = self._noise, self._rng.random
            tags = []
            if self._bursts.get(place, 0) > 0:
                self._bursts[place] -= 1
            else:
                pieces = self._at[place]
                piled = sum(not piece.spread for piece in pieces)
                overlap = min(piled, _MOST_OVERLAP.get(place, 9))
                first = max(0, len(pieces) - self._depth) if place == STUB else 0
                for depth, piece in enumerate(pieces[first:]):
                    pile = (
                        1
                        if piece.spread
                        else min(_MOST_DEEP, len(pieces) - first - depth)
                        if place == STUB
                        else overlap
                    )
                    if chance() < self._reads(piece, pile):
                        tags.append(piece.tag)
                tags += [
                    piece.tag
                    for piece in self._edges[place]
                    if not piece.placement.dead and chance() < noise.edge_read
                ]
                tags += [
                    piece.tag
                    for piece in self._elsewhere
                    if piece.twin == place or (piece.over == place and chance() < 0.5 * (1 - noise.single))
                ]
                self._stray(place, tags)
                if noise.burst_per_s and chance() < noise.burst_per_s * VISIT_S:
                    self._bursts[place] = round(self._rng.expovariate(VISIT_S / noise.burst_s))
            if noise.ghost and chance() < noise.ghost:
                tags.append(self._rng.choice(list(self._pieces)))
            return list(dict.fromkeys(tags))

    def _reads(self, piece: Piece, pile: int) -> float:
        if piece.placement.dead:
            return 0.0
        if piece.held == "out":
            return LIFTED_READ if self._noise.single else 0.0
        logit = piece.placement.quality + (BENT if piece.held == "bent" else 0.0)
        return 1 - miss(self._noise, pile, logit + (self._weak.get(piece.place, 0.0) if piece.place else 0.0))

    def _stray(self, place: Place, tags: list[str]) -> None:
        if self._noise.far:
            near = [piece for other in self._near.get(place, ()) for piece in self._at[other][-self._depth :]]
            self._add_some(near, self._noise.far, tags)
        if self._noise.anywhere:
            others = [
                piece for at, pieces in self._at.items() if at != place for piece in pieces[-self._depth :]
            ]
            self._add_some(others, self._noise.anywhere, tags)

    def _add_some(self, pieces: list[Piece], chance: float, tags: list[str]) -> None:
        """Adds each of the pieces with a small probability."""
        expected = chance * len(pieces)
        while expected > 0:
            if self._rng.random() < expected:
                tags.append(self._rng.choice(pieces).tag)
            expected -= 1

    def _place(self, piece: Piece, *, chip_on_top: bool = False) -> None:
        """Draws how the piece lies now. The stub as a whole lies well inside its field."""
        if piece.edge is not None:
            self._edges[piece.edge].remove(piece)
            piece.edge = None
        if self._noise.single == 0 or piece.place is None:
            return
        piece.placement = draw_placement(self._noise, self._rng, chip_on_top=chip_on_top)
        if piece.place == STUB:
            piece.placement.dead = piece.placement.edge = False
        if piece.placement.edge:
            piece.edge = self._rng.choice(self._near[piece.place])
            self._edges[piece.edge].append(piece)

    def _leave(self, piece: Piece) -> dict[Place, None]:
        left = {place: None for place in (piece.place, piece.over, piece.edge) if place is not None}
        if piece.place is not None:
            self._at[piece.place].remove(piece)
        if piece.edge is not None:
            self._edges[piece.edge].remove(piece)
        piece.place = piece.over = piece.edge = None
        piece.held, piece.spread = "flat", False
        if piece.twin is None:
            self._elsewhere.pop(piece, None)
        return left

    def _notify(self, places: Iterable[Place]) -> None:
        for place in places:
            for watcher in self._watchers:
                watcher(place)
