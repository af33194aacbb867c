"""The shuffler: what it reports, its lid, and whether the cards are as it said.

Theory. What a shuffler says is of the deck that it holds. That is dealt in the hand under way as long as no
card of it has left the deck, and in the next hand after that. From `ready` until that hand's first card, or
until it is started again, nobody has reason to open its lid. What it said of the deck is compared with cards
that lie open, so that nobody learns a face by it:

| it said | and | then |
| --- | --- | --- |
| a card is missing | it lies open in the hand or a checked deck | `shuffler-contradicted` `missing-card` |
| ok | the deck is fouled by two cards of one face | `shuffler-contradicted` `duplicate-card` |
"""

from collections.abc import Collection, Iterable
from typing import Final

from msgspec.structs import replace

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup, Verdict
from tablebridge.model.cards import UNKNOWN, Card, deck_of, face
from tablebridge.model.events import Shuffler
from tablebridge.model.findings import Arg
from tablebridge.model.key_events import ShufflerLid

_FAULTS: Final = {
    "jam": "jam",
    "door": "door",
    "count": "count",
    "missing": "missing-card",
    "extra": "extra-card",
}
_DECKS_SAID: Final = 2
"""One is played with while the other is shuffled."""


def report(setup: Setup, hand: Hand | None, notes: Notes, event: Shuffler) -> None:
    """What the shuffler says of the deck that it is about to hand out."""
    cause = _FAULTS.get(event.report)
    if event.report == "boxed":
        for card in event.cards or (UNKNOWN,):
            notes.find(
                setup.book,
                "boxed-card",
                "shuffler",
                cards=() if card == UNKNOWN else (card,),
            )
    elif event.report == "count" and event.count == len(deck_of(setup.deck)):
        pass
    elif cause is not None:
        counted: dict[str, Arg] = {"count": event.count or 0} if event.report == "count" else {}
        notes.find(setup.book, "shuffler-fault", args=counted, cause=cause, cards=event.cards)
    _remember(setup, _dealt_in(setup, hand), event)
    if event.report == "started":
        return
    if hand is not None and not hand.over:
        hand.shuffle.happen()
    else:
        setup.shuffled = True


def lid(setup: Setup, hand: Hand | None, notes: Notes, event: ShufflerLid) -> None:
    """The lid was opened or closed: not to be opened while a deck lies ready for the hand to come."""
    verdict = _verdict(setup, _dealt_in(setup, hand))
    if event.opened and verdict is not None and verdict.ready:
        notes.find(
            setup.book,
            "shuffler-opened",
        )


def compare(setup: Setup, hand: Hand, notes: Notes) -> None:
    """What lies open, or fouls the deck, against what the shuffler said of it."""
    verdict = _verdict(setup, hand.number)
    if verdict is None:
        return
    _missing(setup, notes, verdict, {face(card): card for card in hand.felt.open_cards}.items())
    fouled = any(
        finding.finding == "fouled-deck" and finding.cause == "duplicate-card" for finding in notes.findings
    )
    if fouled and verdict.passed:
        notes.find(
            setup.book,
            "shuffler-contradicted",
            cause="duplicate-card",
        )


def checked(setup: Setup, notes: Notes, faces: Collection[str]) -> None:
    """The deck lies spread and these faces are in it. What the shuffler said before is done with."""
    for verdict in setup.verdicts:
        _missing(setup, notes, verdict, ((shown, Card(shown)) for shown in faces))
    setup.verdicts = ()


def _missing(setup: Setup, notes: Notes, verdict: Verdict, there: Iterable[tuple[str, Card]]) -> None:
    found = {shown: card for shown, card in there if shown in verdict.missing}
    if not found:
        return
    cards = tuple(found[shown] for shown in sorted(found))
    notes.find(
        setup.book,
        "shuffler-contradicted",
        cause="missing-card",
        cards=cards,
        public_cards=cards,
    )
    left = replace(verdict, missing=verdict.missing - set(found))
    setup.verdicts = tuple(left if said is verdict else said for said in setup.verdicts)


def _dealt_in(setup: Setup, hand: Hand | None) -> int:
    """The number of the hand in which the deck in the shuffler is dealt."""
    waits = hand is not None and not hand.over and not hand.felt.off_deck
    return setup.hand_number if waits else setup.hand_number + 1


def _verdict(setup: Setup, number: int) -> Verdict | None:
    return next((verdict for verdict in setup.verdicts if verdict.hand == number), None)


def _remember(setup: Setup, number: int, event: Shuffler) -> None:
    before = _verdict(setup, number) or Verdict(number)
    missing = (
        before.missing | {face(card) for card in event.cards if card != UNKNOWN}
        if event.report == "missing"
        else before.missing
    )
    verdict = Verdict(
        number,
        ready=event.report == "ready" or (before.ready and event.report != "started"),
        missing=missing,
        passed=event.report == "ok" or (before.passed and event.report in ("started", "ready")),
    )
    setup.verdicts = (*(said for said in setup.verdicts if said.hand != number), verdict)[-_DECKS_SAID:]
