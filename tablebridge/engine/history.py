"""The history of a table: its entries, what they led to, and the corrections among them.

A correction is an entry too. The history keeps the entries since the last hand ended and what stood then;
`Undo`, `Amend`, `Insert` and a ruling to play on after a misdeal fold the corrected history
(`corrections.py`) again from there, which gives exactly the state that would have come of it. Earlier hands
can no longer be changed. What was typed of hidden cards, and how often such lines were taken back, is not
taken back with them.
"""

from collections.abc import Iterable
from typing import Final, Self

import msgspec
from msgspec.structs import replace

from tablebridge.engine.corrections import (
    CORRECTIONS,
    amended,
    effective,
    may_be_inserted,
    place_of,
    taken_back,
)
from tablebridge.engine.floor import asking
from tablebridge.engine.fold import Fold
from tablebridge.engine.hidden import entrance
from tablebridge.engine.hidden.claims import Claims
from tablebridge.engine.notes import Notes
from tablebridge.engine.outcome import NOTHING, Outcome, Settled
from tablebridge.engine.setup import KeptSetup, Setup
from tablebridge.model.events import TYPED, Entry, Hand, Insert, Ruling, TableEvent
from tablebridge.model.findings import Finding

_MAY_CORRECT: Final = frozenset((Ruling, *CORRECTIONS))
_HANDS_KEPT: Final = 2
"""Hands that a correction can reach: the one under way and the one before it."""
_PROBES: Final = 3
"""This many lines about hidden cards that are taken back in a hand are no slips any more; it is reported
again at each doubling.
"""


class KeptHistory(msgspec.Struct, frozen=True):
    """A history as it is kept on disk, without the entries that can still be corrected, which the journal
    has: those from the number `since` on.

    `setup`: what stood before them; `first`: the number of the first finding of the first of them.
    `play_on`, `claims`, `probed`, `lasting`: as in `History`. `ended`: the entry with which the last hand
    ended that was played to its end.
    """

    since: int
    setup: KeptSetup
    first: int
    play_on: dict[int, int]
    claims: Claims
    probed: tuple[int, int]
    lasting: dict[str, Finding]
    ended: int


class History:
    """The entries of one table that can still be corrected, and the state that they lead to (`fold`)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._claims = Claims()
        self.fold = Fold(name, Setup(), self._claims)
        # From here the log gives the present state: what stood then, and the number of the log's first
        # finding.
        self._base = Setup()
        self._first = 0
        self._log: list[Entry] = []
        # Rulings to play on, with the entries whose misdeal they overrule; and all findings of the log.
        self._play_on: dict[int, int] = {}
        self._raised: dict[str, Finding] = {}
        # Why entries of the log changed nothing.
        self._ignored: dict[int, str] = {}
        # Lines about hidden cards that were taken back in the hand of this number.
        self._probed = 0, 0
        # Findings that stand whatever is corrected.
        self.lasting: dict[str, Finding] = {}

    def apply(self, entry: Entry) -> Outcome:
        """Fold one entry. It never raises, whatever the entry and the state."""
        self._log.append(entry)
        kind = type(entry.event)
        if kind in _MAY_CORRECT and (target := self._corrects(entry.id, entry.event)) is not None:
            return self._correct(entry, target)
        fold = self.fold
        notes = fold.step(entry)
        said = notes.findings or notes.ignored or notes.lasting
        if said:
            self._keep(notes)
        if kind is Hand and len(fold.marks) > _HANDS_KEPT:
            return replace(notes.outcome(), settled=self._cut())
        if not (notes.ruled or said or notes.returned):
            return NOTHING
        hand = fold.hand
        if hand is not None and (hand.asked or hand.street == "void"):
            return replace(notes.outcome(), asked=tuple(finding.id for finding in asking.asked(hand)))
        return notes.outcome()

    def reports(self, *, shuffles: bool, checks: bool, buttons: bool) -> None:
        """Say what this table reports, before the first entry."""
        for setup in (self.fold.setup, self._base):
            setup.reports_shuffles, setup.reports_checks, setup.buttons_used = shuffles, checks, buttons

    def copy(self) -> Self:
        """Another one with the same entries, which goes its own way from here."""
        twin = type(self)(self.name)
        twin._base, twin._first, twin._log = self._base, self._first, list(self._log)
        twin._play_on = dict(self._play_on)
        twin._claims, twin._probed, twin.lasting = self._claims.copy(), self._probed, dict(self.lasting)
        twin._refold()
        return twin

    def kept(self) -> KeptHistory:
        """The history as it is kept on disk."""
        return KeptHistory(
            self._log[0].id if self._log else 0,
            self._base.kept(),
            self._first,
            dict(self._play_on),
            self._claims.copy(),
            self._probed,
            dict(self.lasting),
            self.fold.ended,
        )

    def restore(self, kept: KeptHistory, log: Iterable[Entry]) -> None:
        """Become the history that was kept; `log`: its entries. Raises ValueError, KeyError if there is no
        such rulebook or game.
        """
        self._base, self._first, self._log = kept.setup.setup(), kept.first, list(log)
        self._play_on = dict(kept.play_on)
        self._refold()
        # To fold again says again what is known of the hands before.
        self._claims.of, self._claims.contradicted = dict(kept.claims.of), set(kept.claims.contradicted)
        self._probed, self.lasting, self.fold.ended = kept.probed, dict(kept.lasting), kept.ended

    @property
    def taken_back(self) -> dict[int, Entry]:
        """The entries that do not hold, among those that can still be corrected, each with the undo that
        holds against it.
        """
        return taken_back(self._log)

    @property
    def amended(self) -> dict[int, Entry]:
        """The entries that hold in another form, among those that can still be corrected, each with the
        amendment that holds.
        """
        return amended(self._log)

    @property
    def log(self) -> tuple[Entry, ...]:
        """The entries that can still be corrected, with the corrections."""
        return tuple(self._log)

    def ended_after(self, entry: int) -> bool:
        """Whether a hand was played to its end with this entry, or what it corrects, or after it."""
        return place_of(self._log, entry) <= self.fold.ended

    def reaches(self, entry: int) -> bool:
        """Whether there is such an entry that can still be corrected."""
        return any(kept.id == entry for kept in self._within())

    def begins(self, entry: int) -> bool:
        """Whether a hand begins with this entry."""
        return any(kept.id == entry and isinstance(kept.event, Hand) for kept in self._log)

    def said_of(self, entry: int) -> tuple[tuple[Finding, ...], str]:
        """What there is to say of an entry as the history stands now: its findings, and why it changed
        nothing.
        """
        findings: list[Finding] = []
        while (finding := self._raised.get(f"{entry}.{len(findings)}")) is not None:
            findings.append(finding)
        return tuple(findings), self._ignored.get(entry, "")

    def next_entry(self) -> int:
        """A number that no entry has yet."""
        return self._log[-1].id + 1 if self._log else 1

    def _corrects(self, entry: int, event: TableEvent) -> int | None:
        """The entry from which on the history is another now, if it is. The floor plays on after a misdeal
        from its ruling.
        """
        if isinstance(event, CORRECTIONS):
            return event.entry
        plays_on = isinstance(event, Ruling) and event.ruling == "play-on"
        return entry if plays_on and self.fold.hand is not None and self.fold.hand.street == "void" else None

    def _correct(self, entry: Entry, target: int) -> Outcome:
        """Fold the corrected history. The outcome is what it says that was not said before."""
        if not self.reaches(target):
            return Outcome(ignored="The entry to correct belongs to no hand that can still be changed.")
        if isinstance(entry.event, Insert) and not may_be_inserted(entry.event.inserted):
            return Outcome(ignored="What begins a hand, and a correction, cannot be inserted.")
        probed = self._probing(entry, target)
        before = self._raised
        self._refold()
        # A finding is another one to people only by what they see of it.
        return Outcome(
            (
                *probed,
                *(
                    finding
                    for key, finding in self._raised.items()
                    if key not in before or replace(before[key], cards=()) != replace(finding, cards=())
                ),
            )
        )

    def _within(self) -> list[Entry]:
        """What a correction can reach. The first hand of the log began with the end of one that is gone."""
        return self._log[1:] if self._log and isinstance(self._log[0].event, Hand) else self._log

    def _probing(self, entry: Entry, target: int) -> tuple[Finding, ...]:
        """A line is taken back or amended: if it named a hidden card, how often was that done?"""
        hand = self.fold.hand
        line = next(kept for kept in self._log if kept.id == target)
        if hand is None or entry.basis not in TYPED or not entrance.names_hidden(hand, line):
            return ()
        number, count = self._probed
        count = count + 1 if number == hand.number else 1
        self._probed = hand.number, count
        thirds, rest = divmod(count, _PROBES)
        if rest or not thirds or thirds & (thirds - 1):
            return ()
        notes = Notes(entry.id, entry.basis, self.name, hand.number, hand.street)
        notes.find(hand.book, "faces-probed", args={"count": count})
        self.lasting.update((finding.id, finding) for finding in notes.findings)
        return notes.findings

    def _refold(self) -> None:
        self.fold = Fold(self.name, self._base.copy(), self._claims)
        self._raised, self._ignored = {}, {}
        history = effective(self._log)
        rulings = {
            entry.id
            for entry in history
            if isinstance(entry.event, Ruling) and entry.event.ruling == "play-on"
        }
        overruled = {void for ruling, void in self._play_on.items() if ruling in rulings}
        first = self._first
        inserted = {entry.id for entry in self._log if isinstance(entry.event, Insert)}
        for entry in history:
            hand = self.fold.hand
            if entry.id in inserted:
                # It happened before what follows it, whenever it was written: no clock runs out meanwhile.
                entry = replace(entry, at=self.fold.at)
            if (
                entry.id in rulings
                and entry.id not in self._play_on
                and hand is not None
                and hand.void_by is not None
            ):
                # Only here is it known which misdeal the floor overrules: once more from the beginning,
                # without it.
                self._play_on[entry.id] = hand.void_by
                self._refold()
                return
            self._keep(self.fold.step(entry, first=first, overruled=entry.id in overruled))
            first = 0

    def _keep(self, notes: Notes) -> None:
        if notes.ignored and not notes.ruled:
            self._ignored[notes.entry] = notes.ignored
        for finding in notes.findings:
            self._raised[finding.id] = finding
        for finding in notes.lasting:
            self._raised[finding.id] = self.lasting[finding.id] = finding

    def _cut(self) -> tuple[Settled, ...]:
        """Drop what lies before the last hands: it can no longer be corrected."""
        settled = tuple(
            Settled(mark.entry, mark.hand.number, tuple(mark.hand.chips.payments))
            for mark in self.fold.marks[:-_HANDS_KEPT]
        )
        del self.fold.marks[:-_HANDS_KEPT]
        mark = self.fold.marks[0]
        self._base, self._first = mark.setup, mark.first
        self._log = self._log[next(at for at, entry in enumerate(self._log) if entry.id == mark.entry) :]
        self._claims.cut(mark.entry)
        kept = {entry.id for entry in self._log}
        self._play_on = {ruling: void for ruling, void in self._play_on.items() if ruling in kept}
        # What was found of the hand before, when the first of these began, would not be found again.
        earlier = {f"{mark.entry}.{number}" for number in range(mark.first)} | {f"{mark.entry}.typed"}
        self._raised = {
            key: finding
            for key, finding in self._raised.items()
            if finding.evidence[0] in kept and key not in earlier
        }
        self._ignored = {entry: why for entry, why in self._ignored.items() if entry in kept}
        self.lasting = {key: finding for key, finding in self.lasting.items() if finding.evidence[0] in kept}
        return settled
