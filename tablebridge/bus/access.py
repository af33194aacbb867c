"""Access lists for the brokers, made from the topics: a role may publish what it writes and receive what it reads.

`python -m tablebridge.bus.access > config/mosquitto.acl` writes the one for production.
"""

import json
import sys
from typing import Final, Literal, get_args

from tablebridge.bus.topics import TOPICS, Role, Topic

ROLES: Final[tuple[Role, ...]] = get_args(Role)

_HEAD: Final = """\
# Who may publish and who may receive what. Made from the topic list by: python -m tablebridge.bus.access
# The account's name is the role. A publish that is not allowed is dropped, and 2.0 hangs up on the client.
"""


def written(role: Role) -> list[Topic]:
    """What the role may publish."""
    return [topic for topic in TOPICS if topic.writer == role]


def read(role: Role) -> list[Topic]:
    """What the role may receive."""
    return [topic for topic in TOPICS if role in topic.readers]


def acl_text(broker: Literal["mosquitto", "nats"], passwords: dict[Role, str] | None = None) -> str:
    """The access list: mosquitto's `acl_file`, or the `authorization` block of NATS, which holds the passwords as well."""
    return _mosquitto() if broker == "mosquitto" else _nats(passwords or {})


def _mosquitto() -> str:
    blocks = [_HEAD]
    for role in ROLES:
        lines = [f"user {role}"]
        lines += [f"topic write {topic.filter()}" for topic in written(role)]
        lines += [f"topic read {topic.filter()}" for topic in read(role)]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _nats(passwords: dict[Role, str]) -> str:
    users = []
    for role in ROLES:
        allow = {
            "publish": {"allow": [_subject(topic) for topic in written(role)]},
            # The server delivers QoS 1 to the client over subjects of its own.
            "subscribe": {"allow": [*(_subject(topic) for topic in read(role)), "$MQTT.sub.>"]},
        }
        users.append({"user": role, "password": passwords.get(role, ""), "allowed_connection_types": ["MQTT"],
                      "permissions": allow})
    return "authorization: " + json.dumps({"users": users}, indent=2) + "\n"


def _subject(topic: Topic) -> str:
    """NATS names a topic by its subject: `/` is `.`, `+` is `*`. Our levels hold no dot, which would need care."""
    return topic.filter().replace("/", ".").replace("+", "*")


if __name__ == "__main__":
    sys.stdout.write(acl_text("mosquitto"))
