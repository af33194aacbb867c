"""What rings on a person's page: the open alerts that ring, for whom they ring now. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from tablebridge.languages.texts import Texts
from tablebridge.model.alerts import Alert, by_urgency, rings, rung
from tablebridge.model.calls import NotifierState, rung_by
from tablebridge.web.formatting import SHAPES
from tablebridge.web.wording import heading, table_title


class Ringer(NamedTuple):
    """An alert that rings. `key`: another one whenever it rings again; `title`, `kind`: where and what, with
    no card and no player, since a notification shows them.
    """

    key: str
    severity: str
    shape: str
    title: str
    kind: str


def ringers(alerts: Iterable[Alert], notifier: NotifierState | None, me: str, texts: Texts) -> list[Ringer]:
    """The alerts that ring for this person, most urgent first: all, if the file of people does not name the
    person.
    """
    people = notifier.people if notifier is not None else ()
    known = any(person.name == me for person in people)
    return [
        Ringer(
            f"{alert.table} {alert.id} {alert.state} {alert.times} {alert.ring.number if alert.ring else 0}",
            alert.severity,
            SHAPES[alert.severity],
            table_title(texts, alert.table),
            heading(texts, alert.finding),
        )
        for alert in sorted(alerts, key=by_urgency)
        if rings(alert) and (not known or me in rung_by(people, alert.table, rung(alert)))
    ]
