"""What a camera sees, held against what antennas read and what is recorded.

**Theory.** A camera looks at a placement and says which of a few things it sees there, with odds: how many
times likelier its picture is if that is so than if not. Pictures of one placement are not independent: a
camera that says the same again proves no more, so of each run of equal looks the strongest counts once, and
all looks of a hand at a placement weigh no more than the surest one may: readings overrule a broken camera.
With the prior `p` of `CameraOdds` and the odds `r` the probability is p·r / (p·r + 1 - p).

| seen | and | reported |
| --- | --- | --- |
| `face-up` before a seat | the card recorded last was dealt there, in a game without open cards | `exposed` |
| `boxed` at a seat, board, burns or stub | a hand is under way | `boxed`, once per run of looks |

No antenna knows either. Whether cards lie before a seat at all both know: there a look weighs what the card
filter believes (`CardFilter.weigh_look`). No face is used.
"""

from tablebridge.model.bounds import MOST_ODDS
from tablebridge.model.cards import UNKNOWN
from tablebridge.model.events import Boxed, Deal, DeviceState, Doubt, Entry, InDoubt, TableEvent
from tablebridge.model.expectation import Expectation
from tablebridge.model.key_events import Exposed
from tablebridge.model.places import BOARD, BURN, STUB, Place, seat_of, seat_place
from tablebridge.model.readings import Look
from tablebridge.sensing.conclusion import Conclusion
from tablebridge.sensing.dynamics import CameraOdds

_CARDS = ("face-up", "face-down", "boxed")
_MOVES_NOTHING = (DeviceState, Doubt, InDoubt)


class Looks:
    """What is seen at each placement now."""

    def __init__(self, odds: CameraOdds) -> None:
        self._odds = odds
        self._seen: dict[Place, Look] = {}
        self._proof: dict[Place, str] = {}
        # The odds that cards lie there, by all looks of the hand.
        self._total: dict[Place, float] = {}
        self._boxed: set[Place] = set()
        self._dealt: int | None = None

    def begin_hand(self) -> None:
        """All cards are in the stub; what was seen before is over."""
        self._seen.clear()
        self._proof.clear()
        self._total.clear()
        self._boxed.clear()
        self._dealt = None

    def note_entry(self, entry: Entry) -> None:
        """An event was entered."""
        event = entry.event
        if isinstance(event, Deal):
            self._dealt = None if event.up or event.exposed or event.boxed else event.seat
        elif not isinstance(event, _MOVES_NOTHING):
            self._dealt = None

    def see(self, look: Look, reading: str) -> float:
        """A placement was looked at. Returns by which factor the odds that cards lie there change with it:
        1.0 if it is no news.
        """
        before, grown = self._seen.get(look.place), look.odds
        if before is None or before.sees != look.sees:
            self._boxed.discard(look.place)
        elif look.odds <= before.odds:
            return 1.0
        else:
            grown /= before.odds
        self._seen[look.place], self._proof[look.place] = look, reading
        total = self._total.get(look.place, 1.0)
        now = total * grown if look.sees in _CARDS else total / grown
        now = self._total[look.place] = min(max(now, 1 / MOST_ODDS), MOST_ODDS)
        return now / total

    def conclude(self, expect: Expectation) -> list[Conclusion]:
        """What follows from what is seen now."""
        if expect.phase == "idle" or not self._seen:
            return []
        concluded: list[Conclusion] = []
        dealt = self._dealt
        if dealt is not None and not expect.open_cards:
            sure = self._sure(seat_place(dealt), "face-up", self._odds.exposed)
            if sure >= self._odds.concluded:
                self._dealt = None
                concluded.append(self._conclusion(Exposed(), seat_place(dealt), sure))
        for place in sorted(self._seen.keys() - self._boxed):
            sure = self._sure(place, "boxed", self._odds.boxed)
            if sure >= self._odds.concluded and (place in (BOARD, BURN, STUB) or seat_of(place) is not None):
                self._boxed.add(place)
                concluded.append(self._conclusion(Boxed(UNKNOWN), place, sure))
        return concluded

    def _sure(self, place: Place, sees: str, prior: float) -> float:
        look = self._seen.get(place)
        if look is None or look.sees != sees:
            return 0.0
        return prior * look.odds / (prior * look.odds + 1 - prior)

    def _conclusion(self, event: TableEvent, place: Place, sure: float) -> Conclusion:
        return Conclusion(event, round(sure, 6), "inferred", (self._proof[place],))
