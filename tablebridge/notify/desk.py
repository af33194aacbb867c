"""Who is sent what: a fold over the calls of all tables. No clock, no chance and no network.

    an incident                    is for                          notice
    has a call that rings, and     who is rung: the section,       ring
    not in this way before         all, or the managers as well
    changed, or has gone           who was sent it before          update, without a sound
    is closed                      who was sent it before          withdraw

All calls of a hand are one incident, and all of a device. Each notice of a person and an incident replaces
the one before. While more than `FLOOD` alerts came within ten minutes each table is one incident, and only
critical calls ring.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence

import msgspec

from tablebridge.floor.flood import FLOOD, WINDOW_S
from tablebridge.model.alerts import rings, rung
from tablebridge.model.calls import MOST_ALSO, Call, OpenCalls, Pass, Reachable, digest_of, rung_by
from tablebridge.model.findings import SEVERITIES
from tablebridge.notify.notice import QUIET, Notice, labels, priority, text_of
from tablebridge.settings.people import People, Person

PASS_S = 3_600
"""How long a pass is valid: longer than anything rings without being rung again."""


_REMEMBERED = 10_000
"""Of so many persons and incidents the newest notice is known: more than can wait."""
_WHOLE_TABLE = "table"
"""The incident of a table while there is a flood."""


class Called(msgspec.Struct, frozen=True):
    """What was sent of one incident. `key`: the alert after which its notices are called; `people`: by name,
    the marks of the calls of which the person was sent.
    """

    key: str
    people: dict[str, tuple[str, ...]]
    passes: tuple[Pass, ...] = ()


Kept = dict[str, dict[str, Called]]
"""What was sent, by table and incident."""


def reachable(people: People) -> tuple[Reachable, ...]:
    """Who can be notified, without how."""
    return tuple(Reachable(one.name, one.duty == "manager", one.tables) for one in people.people)


class Desk:
    """The open calls of a site and who was sent them. `secret` makes the secret of a pass. `kept`: what an
    earlier process had sent; nobody is sent that again.
    """

    def __init__(
        self, site: str, people: People, secret: Callable[[], str], kept: Kept | None = None
    ) -> None:
        self._site = site
        self._people = people
        self._reachable = reachable(people)
        self._secret = secret
        self.kept: Kept = kept or {}
        self._newest: dict[str, str] = {}
        self._raised: dict[tuple[str, str], int] = {}

    def take(self, table: str, calls: OpenCalls) -> list[Notice]:
        """The notices that follow from the open calls of a table."""
        flooded = self._flooded(table, calls.calls)
        before = self.kept.get(table, {})
        after: dict[str, Called] = {}
        notices: list[Notice] = []
        for incident, together in _incidents(calls.calls, whole_table=flooded).items():
            called, made = self._called(table, together, before, incident, flooded=flooded)
            notices += made
            after[incident] = called
        for incident, called in before.items():
            if incident in after:
                continue
            if calls.more:
                after[incident] = called  # it may be among those that the message had no room for
            else:
                notices += [self._withdrawn(table, called.key, person) for person in called.people]
        self.kept[table] = after
        self._note(notices)
        return notices

    def passes(self, table: str) -> tuple[Pass, ...]:
        """The passes of a table."""
        return tuple(found for called in self.kept.get(table, {}).values() for found in called.passes)

    def is_outdated(self, notice: Notice) -> bool:
        """Whether a newer notice of the same person and incident was made."""
        return self._newest.get(notice.key, notice.id) != notice.id

    def _flooded(self, table: str, calls: Sequence[Call]) -> bool:
        """Whether more alerts came lately than people can follow, at all tables."""
        now_ns = max((call.changed_at.wall_ns for call in calls), default=0)
        self._raised |= {(table, call.alert): call.raised_at.wall_ns for call in calls}
        now_ns = max(now_ns, *self._raised.values(), 0)
        self._raised = {
            alert: at for alert, at in self._raised.items() if now_ns - at <= WINDOW_S * 1_000_000_000
        }
        return len(self._raised) > FLOOD

    def _note(self, notices: Iterable[Notice]) -> None:
        for notice in notices:
            self._newest.pop(notice.key, None)
            self._newest[notice.key] = notice.id
        while len(self._newest) > _REMEMBERED:
            del self._newest[next(iter(self._newest))]

    def _called(
        self, table: str, calls: Sequence[Call], before: dict[str, Called], incident: str, *, flooded: bool
    ) -> tuple[Called, list[Notice]]:
        """What is sent of an incident now, and the notices. `before`: what was sent of the table."""
        last = before.get(incident)
        key = last.key if last is not None else min(calls, key=lambda call: call.raised_at.wall_ns).alert
        sent = dict(last.people) if last is not None else {}
        going = {call.alert for call in calls if _may_go(call)}
        passes = tuple(found for found in (last.passes if last else ()) if found.alert in going)
        marks = tuple(sorted(map(_mark, calls)))
        notices = []
        for person in self._people.people:
            known = {mark for called in before.values() for mark in called.people.get(person.name, ())}
            fresh = [
                call
                for call in calls
                if _mark(call) not in known and self._rings(table, call, person, flooded=flooded)
            ]
            if not fresh and (known.isdisjoint(marks) and person.name not in sent):
                continue
            if sent.get(person.name) == marks:
                continue
            lead = fresh[0] if fresh else calls[0]
            given = (
                self._pass(lead, calls, person) if fresh and self._people.pages and _may_go(lead) else None
            )
            if given is not None:
                passes = (*(found for found in passes if found.by != person.name), given[0])
            secret = given[1] if given else ""
            notices.append(self._notice(table, key, calls, marks, person, fresh, secret))
            sent[person.name] = marks
        return Called(key, sent, passes), notices

    def _rings(self, table: str, call: Call, person: Person, *, flooded: bool) -> bool:
        if not rings(call) or (flooded and call.severity != "critical"):
            return False
        return person.name in rung_by(self._reachable, table, rung(call))

    def _pass(self, lead: Call, calls: Sequence[Call], person: Person) -> tuple[Pass, str]:
        """The pass that takes this call, and the others with it; and its secret."""
        secret = self._secret()
        reached = lead.ring.at if lead.ring is not None else lead.changed_at
        also = tuple(call.alert for call in calls if call is not lead and _may_go(call))[:MOST_ALSO]
        until = reached.wall_ns + PASS_S * 1_000_000_000
        return Pass(digest_of(secret), lead.alert, person.name, until, also), secret

    def _notice(
        self,
        table: str,
        key: str,
        calls: Sequence[Call],
        marks: tuple[str, ...],
        person: Person,
        fresh: Sequence[Call],
        secret: str,
    ) -> Notice:
        text = text_of(table, fresh[0] if fresh else calls[0], len(calls), person.language)
        own = self._key(table, key, person.name)
        return Notice(
            f"{own}-{digest_of(' '.join(marks))[:16]}",
            own,
            person.name,
            "ring" if fresh else "update",
            max(map(priority, fresh), default=QUIET),
            title=text.title,
            body=text.body,
            go=secret,
            labels=labels(person.language),
        )

    def _withdrawn(self, table: str, alert: str, person: str) -> Notice:
        key = self._key(table, alert, person)
        return Notice(f"{key}-closed", key, person, "withdraw")

    def _key(self, table: str, alert: str, person: str) -> str:
        """Letters that every service takes, and nobody can guess names from what it says."""
        return hashlib.sha256(f"{self._site} {table} {alert} {person}".encode()).hexdigest()[:32]


def _incidents(calls: Iterable[Call], *, whole_table: bool) -> dict[str, list[Call]]:
    """The calls by their incidents; of each first what rings, then what is most severe, then the oldest."""
    found: dict[str, list[Call]] = {}
    for call in calls:
        found.setdefault(_WHOLE_TABLE if whole_table else call.incident or call.alert, []).append(call)
    for together in found.values():
        together.sort(
            key=lambda call: (not rings(call), -SEVERITIES.index(call.severity), call.raised_at.wall_ns)
        )
    return found


def _may_go(call: Call) -> bool:
    return call.state in ("raised", "acknowledged")


def _mark(call: Call) -> str:
    """Another one whenever the call has changed."""
    number = call.ring.number if call.ring else 0
    return digest_of(f"{call.alert} {call.state} {call.times} {number} {call.cleared}")[:12]
