"""What the record says of its hands, for those who look at them afterwards: page by page, so that no question
holds up the hand under way.

No other process may read a journal. The table is folded from a snapshot on up to the hand, a bounded number
of records per page; then the engine is run over the records of the hand, and each is checked against the one
before; then come its readings. Such a reading of a hand is kept between its pages, a few at a time; whoever
asks for a page of a reading that was dropped begins again.

A hidden face leaves with a page only if the request names the record of an access to this hand that was made
for the same token within `ACCESS_S`.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

import msgspec

import tablebridge
from tablebridge.app.folded import FoldedTable
from tablebridge.app.reviews import FEED
from tablebridge.app.signing import Signer
from tablebridge.app.snapshots import table_before
from tablebridge.bus.messages import CEILING, TimelinePage, TimelineRequest, fitting
from tablebridge.engine.hidden import entrance
from tablebridge.journal import chain
from tablebridge.journal.payments import entry_in
from tablebridge.journal.readings import Taken
from tablebridge.journal.records import InstallationRecord, body_of, entry_of
from tablebridge.journal.store import Journal, Record, record_of
from tablebridge.model.bounds import shortened
from tablebridge.model.cards import Card
from tablebridge.model.disclosure import Access
from tablebridge.model.errors import JournalBroken
from tablebridge.model.events import Entry
from tablebridge.model.findings import Finding
from tablebridge.model.instant import START, Instant
from tablebridge.model.timeline import Chain, HandRow, Heard, Item, Link, ReviewStep
from tablebridge.timeline.replay import HandReplay

_log: Final = logging.getLogger(__name__)
ACCESS_S: Final = 600
FOLDED: Final = 30
"""Records that are folded for one page."""
CHECKED: Final = 500
"""Records whose chain is checked for one page."""
HEARD: Final = 400
"""Readings of one page."""
LEAD: Final = 200
"""Rows before the hand whose readings are shown too: those on which its beginning rests."""
HANDS: Final = 40
"""Hands of one page of the list."""
MOST_HEARD: Final = 50_000
"""Readings of one hand that are shown; a table that stands idle after it goes on reading."""
MOST_READINGS: Final = 4
"""Hands that are being read at a time."""
_ROOM: Final = CEILING - 4_000


class Timelines:
    """Answers what the record of one table says of its hands. Nothing changes by it. `cards`: the face of
    each enrolled tag.
    """

    def __init__(self, journal: Journal, folded: FoldedTable, cards: Mapping[str, Card]) -> None:
        self._signer = Signer(journal.path.parent)
        self._journal = journal
        self._folded = folded
        self._cards = cards
        self._readings: dict[str, tuple[int, Iterator[TimelinePage]]] = {}

    def page(self, request: TimelineRequest, now: Instant) -> TimelinePage:
        """The answer to this request."""
        try:
            page = self._page(request, now)
        except Exception as error:
            # Whatever is wrong with old records, the hand under way goes on: a question may end nothing.
            _log.error("table %s: the timeline met %s", self._journal.table, type(error).__name__)
            page = TimelinePage(
                "", refused="The record of this hand cannot be read; the engine's log says more."
            )
        return msgspec.structs.replace(page, id=request.id, software=tablebridge.__version__)

    def _page(self, request: TimelineRequest, now: Instant) -> TimelinePage:
        match request.about:
            case "hands":
                return self._hands(request)
            case "chain":
                return self._chain(request)
            case "slice":
                return self._slice(request, now)
            case "hand":
                return self._hand(request, now)

    # Hands.

    def _ends(self, hand: int) -> int:
        """The first row that is no longer of the hand."""
        return self._folded.ends(self._folded.began(hand)) or self._journal.next_number

    def _hands(self, request: TimelineRequest) -> TimelinePage:
        found: list[HandRow] = []
        reviewed = {review.began for review in self._folded.reviews if review.kind == "reviewed"}
        ends = self._journal.next_number
        for began, hand in zip(
            reversed(self._folded.hands), reversed(self._folded.hand_numbers), strict=True
        ):
            end, ends = ends, began
            record = next(self._journal.records(began), None) if began < (request.number or end) else None
            entry = None if record is None else entry_of(record)
            if entry is None or (request.before_wall_ns and entry.at.wall_ns > request.before_wall_ns):
                continue
            findings = self._journal.links.kinds(began, end).count("finding")
            found.append(HandRow(hand, began, entry.at.wall_ns, findings, began in reviewed))
            if len(found) == HANDS:
                break
        more = bool(found) and found[-1].number > self._folded.hands[0]
        return TimelinePage("", hands=tuple(found), more=more, number=found[-1].number if found else 0)

    def _hand(self, request: TimelineRequest, now: Instant) -> TimelinePage:
        page, reading = self._readings.pop(request.reading, (0, None))
        if reading is None or page != request.page:
            if request.page:
                return TimelinePage("", refused="This reading of the hand was dropped; open it again.")
            if not self._folded.began(request.hand):
                return TimelinePage("", refused=f"There is no hand {request.hand} among the last ones.")
            if request.access and (why := self._no_access(request, now)):
                return TimelinePage("", refused=why)
            page, reading = 0, self._read(request.hand, faces=bool(request.access), phh=request.phh)
        answer = next(reading)
        if answer.more:
            self._readings[request.reading] = page + 1, reading
            while len(self._readings) > MOST_READINGS:
                del self._readings[next(iter(self._readings))]
        return answer

    def _no_access(self, request: TimelineRequest, now: Instant) -> str:
        """Why this request may not have the hand's faces; empty if it may."""
        record = next(self._journal.records(request.access), None)
        entry = None if record is None or record.number != request.access else entry_of(record)
        access = None if entry is None else entry.event
        if (
            entry is None
            or not isinstance(access, Access)
            or (access.feed, access.token, access.hand) != (FEED, request.token, request.hand)
            or not 0 <= now.wall_ns - entry.at.wall_ns <= ACCESS_S * 1_000_000_000
        ):
            return (
                "No access of yours to the cards of this hand is on record, or it is too old: give the "
                "reason again."
            )
        return ""

    # The pages of a hand.

    def _read(self, hand: int, *, faces: bool, phh: bool) -> Iterator[TimelinePage]:
        began, end = self._folded.began(hand), self._ends(hand)
        table, at, installation = table_before(self._journal, began)
        while records := [
            record for record in islice(self._journal.records(at + 1), FOLDED) if record.number < began
        ]:
            for record in records:
                try:
                    if (entry := self._entry(record)) is not None:
                        table.apply(entry)
                    elif isinstance(body := body_of(record), InstallationRecord):
                        installation = body
                except (msgspec.MsgspecError, KeyError):
                    why = "it cannot be read, and without it no later hand can be followed"
                    yield TimelinePage(
                        "", first=began, last=end - 1, chain=_broken((at, b""), record.number, why)
                    )
                    return
            at = records[-1].number
            yield TimelinePage("", more=True)
        link = self._journal.links.before(began)
        antennas = {} if installation is None else installation.antennas
        first = next(self._journal.links.following(link), None)
        salt = self._signer.blind(b"" if first is None else first.proof or first.hash)
        replay = HandReplay(table, self._entry, antennas, salt, self._cards, faces=faces)
        reviews = tuple(
            ReviewStep(review.at, review.kind, review.by, review.note)
            for review in self._folded.reviews
            if review.began == began
        )
        for page in _Hand(self._journal, replay, began, end, link).pages():
            if not page.more:
                page = msgspec.structs.replace(page, reviews=reviews, phh=replay.phh() if phh else "")
            yield page

    def _entry(self, record: Record) -> Entry | None:
        return entry_in(self._journal, record)

    # The chain.

    def _chain(self, request: TimelineRequest) -> TimelinePage:
        """Check some more records of the whole chain."""
        after = (request.number, bytes.fromhex(request.hash)) if request.number else None
        number, digest = after or self._journal.links.before(0)
        found = 0
        try:
            for row in islice(self._journal.links.following((number, digest)), CHECKED):
                number, digest, found = row.number, row.hash, found + 1
        except chain.UnsoundError as unsound:
            return TimelinePage(
                "", chain=Chain(number, digest.hex(), unsound.number, str(unsound), self._last)
            )
        return TimelinePage("", chain=Chain(number, digest.hex(), end=self._last), more=found == CHECKED)

    @property
    def _last(self) -> int:
        return self._journal.next_number - 1

    def _slice(self, request: TimelineRequest, now: Instant) -> TimelinePage:
        """The chain of a hand's records, their bodies as far as they hold nothing hidden."""
        if not (began := self._folded.began(request.hand)):
            return TimelinePage("", refused=f"There is no hand {request.hand} among the last ones.")
        if request.access and (why := self._no_access(request, now)):
            return TimelinePage("", refused=why)
        end, links, room = self._ends(request.hand), list[Link](), _ROOM
        before = last = self._journal.links.before(max(began, request.number))
        for row in islice(self._journal.links.following(before), CHECKED):
            if row.number >= end:
                break
            link = _link(row, open_=bool(request.access) or _is_open(row))
            if (size := len(msgspec.json.encode(link)) + 1) > _ROOM:
                link, size = _link(row, open_=False), 0
            room -= size
            if room < 0:
                return TimelinePage("", links=tuple(links), more=True, number=row.number)
            links.append(link)
            last = row.number, row.hash
        if len(links) == CHECKED:
            return TimelinePage("", links=tuple(links), more=True, number=last[0] + 1)
        origin = self._journal.links.before(began)
        seal = self._signer.seal(self._journal.table, request.hand, origin, last, now)
        return TimelinePage("", links=tuple(links), first=began, last=last[0], seal=seal)


def _chain_at(link: tuple[int, bytes]) -> Chain:
    return Chain(link[0], link[1].hex())


def _is_open(row: chain.Row) -> bool:
    """Whether the body of a record may be given to those who may see no hidden face."""
    body = body_of(record_of(row))
    if isinstance(body, Entry):
        return not entrance.hides(body.event)
    return not isinstance(body, Finding) or set(body.cards) <= set(body.public_cards)


def _link(row: chain.Row, *, open_: bool) -> Link:
    whole = open_ and row.proof is not None and not row.redacted
    return Link(
        row.number,
        row.kind,
        row.hash.hex(),
        "" if row.digest is None else row.digest.hex(),
        row.proof[1:].hex() if whole and row.proof is not None else "",
        row.body.decode() if whole else "",
    )


class _Hand:
    """The pages of one hand, whose table is folded up to it."""

    def __init__(
        self, journal: Journal, replay: HandReplay, began: int, end: int, link: tuple[int, bytes]
    ) -> None:
        self._journal = journal
        self._replay = replay
        self._began, self._since = began, max(0, began - LEAD)
        self._end = end
        self._link = link

    def pages(self) -> Iterator[TimelinePage]:
        """The pages; the last says that there is no more."""
        broken = None
        while self._link[0] < self._end - 1:
            items, broken, done = self._records()
            yield from self._parted(items)
            if done or broken is not None:
                break
        yield from self._parted(self._replay.finish())
        checked = broken or _chain_at(self._link)
        kept = False
        try:
            for page in self._readings():
                kept = True
                yield page
        except JournalBroken as error:
            checked = _broken(self._link, self._since, str(error))
        yield TimelinePage(
            "",
            faces=self._replay.faces(),
            differences=self._replay.differences,
            kept=kept,
            first=self._began,
            last=self._end - 1,
            chain=checked,
        )

    def _readings(self) -> Iterator[TimelinePage]:
        """The pages of the readings that are still kept. Raises JournalBroken."""
        for _ in range(0, MOST_HEARD, HEARD):
            rows = [
                row for row in islice(self._journal.readings(self._since), HEARD) if row.number < self._end
            ]
            if not rows:
                return
            self._since = rows[-1].number + 1
            at = next((row.row.stamped.at for row in rows if isinstance(row.row, Taken)), START)
            heard = [read for row in rows if (read := self._replay.heard(row, at)) is not None]
            yield from self._heard(heard, at)

    def _records(self) -> tuple[list[Item], Chain | None, bool]:
        """The items of the next records, where the chain is broken, and whether those were the last."""
        items: list[Item] = []
        count = 0
        try:
            for row in islice(self._journal.links.following(self._link), FOLDED):
                if row.number >= self._end:
                    return items, None, True
                items += self._replay.take(record_of(row))
                self._link, count = (row.number, row.hash), count + 1
            return items, None, count < FOLDED
        except chain.UnsoundError as unsound:
            return items, _broken(self._link, unsound.number, str(unsound)), True
        except (msgspec.MsgspecError, KeyError):
            # Not the error's own text, which may hold a face.
            return items, _broken(self._link, self._link[0] + 1, "it cannot be read"), True

    def _parted(self, items: Sequence[Item]) -> Iterator[TimelinePage]:
        """Pages of these items."""
        while items:
            count = max(1, fitting(items, _ROOM))
            yield TimelinePage("", items=tuple(items[:count]), more=True)
            items = items[count:]

    def _heard(self, heard: Sequence[Heard], at: Instant) -> Iterator[TimelinePage]:
        while heard:
            count = max(1, fitting(heard, _ROOM))
            yield TimelinePage("", heard=tuple(heard[:count]), at=at, more=True)
            heard = heard[count:]


def _broken(link: tuple[int, bytes], number: int, why: str) -> Chain:
    return Chain(link[0], link[1].hex(), number, shortened(why, 400))
