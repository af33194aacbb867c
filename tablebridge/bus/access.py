"""The accounts of a site and their access lists, made from the topics: an account may publish what its role
writes and receive what its role reads, in its own name, at its own site.

A group of devices, which is one process, has an account of its own, so that it cannot speak as another: it
may publish on the topics of its own devices at its own table, and nowhere else. The accounts of the engine,
the pages, the notifications, the room, tournament software and the uplink are named after their roles, and so
are the account of `enrol` and `calibrate`, which receive readings, and those of programs that only listen.

An installed mosquitto uses the account as the client id (`use_username_as_clientid`), so nobody can take over
another's connection. NATS cannot do that: at an embedded broker the client ids are secret (see
`account.client_id`).
"""

import json
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from tablebridge.bus.topics import LISTENERS, TOPICS, Role, Topic
from tablebridge.settings.site import Group

WEB: Final = "web"
"""The name under which the pages send commands: the CLIENT of `cmd/CLIENT/do`."""
NOTIFY: Final = "notify"
"""The account of the process that notifies people."""
ROOM: Final = "room"
"""The account of the process of the room."""
TOURNAMENT: Final = "tournament"
"""The account of tournament software."""
UPLINK: Final = "uplink"
"""The account of the uplink, and the name under which it hands over what is done from afar."""

_HEAD: Final = """\
# Who may publish and who may receive what at this site. Written by: tablebridge site accounts
# A publish that is not allowed is dropped, and mosquitto 2.0 ends the client's connection.
"""


class Account(msgspec.Struct, frozen=True):
    """One account. It publishes and receives on the topics of this `group` and these `devices`, at `table`,
    and of this `client`; `+` stands for all.
    """

    name: str
    role: Role
    table: str = "+"
    group: str = "+"
    devices: tuple[str, ...] = ("+",)
    client: str = "+"

    def own(self, topic: Topic) -> tuple[str, ...]:
        """The names that may replace the `+` of the topic's tail."""
        return {"group": (self.group,), "device": self.devices, "client": (self.client,)}[topic.named]

    def publishes(self, site: str) -> list[str]:
        """The topic filters that it may publish on."""
        return self._filters([topic for topic in TOPICS if topic.writer == self.role], site)

    def receives(self, site: str) -> list[str]:
        """The topic filters that it may subscribe to."""
        return self._filters([topic for topic in TOPICS if topic.is_read_by(self.role)], site)

    def _filters(self, topics: Iterable[Topic], site: str) -> list[str]:
        found: list[str] = []
        for topic in topics:
            if topic.named:
                found += [topic.filter(site, self.table, name) for name in self.own(topic)]
            else:
                # A topic without a name is received from all tables: the engine's last will is at one table
                # and speaks for all.
                found.append(topic.filter(site))
        return found


def group_account(group: str) -> str:
    """The name of a group's account. Group names are used once in a site, and no other account begins so."""
    return f"dev-{group}"


def accounts_of(groups: Iterable[Group]) -> tuple[Account, ...]:
    """All accounts of a site with these groups of devices."""
    listeners = [Account(role, role) for role in LISTENERS]
    return (
        Account("engine", "engine"),
        Account(WEB, "web", client=WEB),
        Account(NOTIFY, "notify"),
        Account(ROOM, "room"),
        Account(TOURNAMENT, "tournament"),
        Account(UPLINK, "uplink", client=UPLINK),
        Account("enrol", "enrol"),
        *listeners,
        *(
            Account(group_account(group.name), "driver", group.table, group.name, group.devices)
            for group in groups
        ),
    )


def mosquitto_acl(site: str, accounts: Iterable[Account]) -> str:
    """mosquitto's `acl_file`."""
    blocks = [_HEAD]
    for account in accounts:
        lines = [f"user {account.name}"]
        lines += [f"topic write {topic_filter}" for topic_filter in account.publishes(site)]
        lines += [f"topic read {topic_filter}" for topic_filter in account.receives(site)]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def nats_authorization(site: str, accounts: Iterable[Account], passwords: Mapping[str, str]) -> str:
    """The `authorization` block of NATS, which holds the passwords as well."""
    users = []
    for account in accounts:
        publish = [_subject(topic_filter) for topic_filter in account.publishes(site)]
        allow = {
            "publish": {"allow": publish} if publish else {"deny": [">"]},
            # The server delivers QoS 1 to the client over subjects of its own.
            "subscribe": {"allow": [*map(_subject, account.receives(site)), "$MQTT.sub.>"]},
        }
        users.append(
            {
                "user": account.name,
                "password": passwords[account.name],
                "allowed_connection_types": ["MQTT"],
                "permissions": allow,
            }
        )
    return "authorization: " + json.dumps({"users": users}, indent=2) + "\n"


def _subject(topic_filter: str) -> str:
    """NATS names a topic by its subject: `/` is `.`, `+` is `*`. Our levels hold no dot, which would need
    care.
    """
    return topic_filter.replace("/", ".").replace("+", "*")
