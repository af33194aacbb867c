"""Who is sent what: a fold over the calls of all tables. No clock, no chance and no network.

    a call                         is for                          notice
    rings, and not in this way     who is rung: the section,       ring
    before                         all, or the managers as well
    changed, or has gone           who was sent it before          update, without a sound
    is closed                      who was sent it before          withdraw

Each notice of a person and an alert replaces the one before.
"""

import hashlib
from collections.abc import Callable, Iterable

import msgspec

from tablebridge.model.alerts import rings, rung
from tablebridge.model.calls import Call, OpenCalls, Pass, Reachable, digest_of, rung_by
from tablebridge.notify.notice import QUIET, Notice, labels, priority, text_of
from tablebridge.settings.people import People, Person

PASS_S = 3_600
"""How long a pass is valid: longer than anything rings without being rung again."""


_REMEMBERED = 10_000
"""Of so many persons and alerts the newest notice is known: more than can wait."""


class Called(msgspec.Struct, frozen=True):
    """What was sent of one alert. `stamp`: of its newest state; `people`: who was sent it, by the stamp."""

    stamp: str
    people: dict[str, str]
    passes: tuple[Pass, ...] = ()


Kept = dict[str, dict[str, Called]]
"""What was sent, by table and alert."""


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

    def take(self, table: str, calls: OpenCalls) -> list[Notice]:
        """The notices that follow from the open calls of a table."""
        before = self.kept.get(table, {})
        after: dict[str, Called] = {}
        notices: list[Notice] = []
        for call in calls.calls:
            called, made = self._called(table, call, before.get(call.alert))
            notices += made
            after[call.alert] = called
        for alert, called in before.items():
            if alert in after:
                continue
            if calls.more:
                after[alert] = called  # it may be among those that the message had no room for
            else:
                notices += [self._withdrawn(table, alert, person) for person in called.people]
        self.kept[table] = after
        self._note(notices)
        return notices

    def passes(self, table: str) -> tuple[Pass, ...]:
        """The passes of a table."""
        return tuple(found for called in self.kept.get(table, {}).values() for found in called.passes)

    def is_outdated(self, notice: Notice) -> bool:
        """Whether a newer notice of the same person and alert was made."""
        return self._newest.get(notice.key, notice.id) != notice.id

    def _note(self, notices: Iterable[Notice]) -> None:
        for notice in notices:
            self._newest.pop(notice.key, None)
            self._newest[notice.key] = notice.id
        while len(self._newest) > _REMEMBERED:
            del self._newest[next(iter(self._newest))]

    def _called(self, table: str, call: Call, before: Called | None) -> tuple[Called, list[Notice]]:
        stamp = f"{call.state}-{call.times}-{call.ring.number if call.ring else 0}-{call.cleared}"
        sent = dict(before.people) if before is not None else {}
        passes = before.passes if before is not None and call.state in ("raised", "acknowledged") else ()
        notices = []
        rung_now = set(rung_by(self._reachable, table, rung(call))) if rings(call) else set()
        for person in self._people.people:
            known = sent.get(person.name)
            if known == stamp or (person.name not in rung_now and known is None):
                continue
            ring = person.name in rung_now
            secret = self._secret() if ring and self._may_go(call) else ""
            if secret:
                others = tuple(found for found in passes if found.by != person.name)
                passes = (*others, self._pass(secret, call, person))
            notices.append(self._notice(table, call, person, stamp, ring=ring, secret=secret))
            sent[person.name] = stamp
        return Called(stamp, sent, passes), notices

    def _may_go(self, call: Call) -> bool:
        return self._people.pages is not None and call.state in ("raised", "acknowledged")

    def _pass(self, secret: str, call: Call, person: Person) -> Pass:
        reached = call.ring.at if call.ring is not None else call.changed_at
        return Pass(digest_of(secret), call.alert, person.name, reached.wall_ns + PASS_S * 1_000_000_000)

    def _notice(
        self, table: str, call: Call, person: Person, stamp: str, *, ring: bool, secret: str
    ) -> Notice:
        text = text_of(table, call, person.language)
        key = self._key(table, call.alert, person.name)
        return Notice(
            f"{key}-{stamp}",
            key,
            person.name,
            "ring" if ring else "update",
            priority(call) if ring else QUIET,
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
