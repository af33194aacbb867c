"""The broker: does it answer, does it take our accounts, does it hold the planes apart.

Asked with messages of a site that does not exist, so that no engine and no page hears them, and without retaining any: each
role publishes what it writes and listens to everything, and who hears what is held against the list of topics.
"""

import secrets
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from tablebridge.bus.access import ROLES
from tablebridge.bus.account import accounts
from tablebridge.bus.client import use_tls
from tablebridge.bus.topics import OVERLAY, READING, TOPICS, Role, Topic
from tablebridge.doctor.check import Check, fail, ok, warn
from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Broker, Site

_ANSWER_S: Final = 5.0
_QUIET_S: Final = 0.5

Accounts = dict[Role, tuple[str, str]]


def broker(site: Site, site_file: Path) -> Iterator[Check]:
    """All checks of the broker."""
    where = f"{site.broker.host}:{site.broker.port}"
    try:
        with _Client(site.broker) as anonymous:
            let_in = anonymous.connect()
    except OSError as error:
        if site.broker.embedded:
            yield warn("broker", f"the embedded one does not run on port {site.broker.port}.", "`tablebridge run` starts it.")
        else:
            yield fail("broker", f"nobody answers at {where} ({error}).",
                       "sudo systemctl start mosquitto, or put host and port of [broker] right.")
        return
    except ConfigError as error:
        yield fail("broker", str(error), "Put the files of [broker] right.")
        return
    if let_in and site.broker.certfile is None:
        yield fail("broker", f"{where} lets in whoever comes, without a password.",
                   "Set allow_anonymous false, as config/mosquitto.conf does: hole cards go over this broker.")
    known, unknown = _accounts(site, site_file)
    for role in unknown:
        yield warn("broker", f"the password of the account {role} cannot be read here.", "Run the doctor as root.")
    refused = []
    for role, (user, password) in known.items():
        with _Client(site.broker, user, password) as client:
            if not client.connect():
                refused.append(role)
    if refused:
        yield fail("broker", f"{where} does not accept the account of {', '.join(refused)}.",
                   "Write the passwords anew: docs/deployment.md, \"The broker\".")
    elif known:
        yield ok("broker", f"{where} accepts the accounts {', '.join(known)}.")
    if len(known) == len(ROLES) and not refused:
        yield from access(site.broker, known)


def access(settings: Broker, known: Accounts) -> Iterator[Check]:
    """Whether each role hears what it may and nothing else."""
    site = f"doctor-{secrets.token_hex(4)}"
    heard = _probe(settings, known, site)
    wanted = {(role, _name(topic, site)) for topic in TOPICS for role in topic.readers}
    silent, leaking = sorted(wanted - heard), sorted(heard - wanted)
    for role, name in leaking[:3]:
        yield fail("broker", f"the account {role} hears {_short(name)}, which it must not.",
                   "Put config/mosquitto.acl in place and restart mosquitto.")
    for role, name in silent[:3]:
        yield fail("broker", f"the account {role} does not hear {_short(name)}.",
                   "Put config/mosquitto.acl in place and restart mosquitto.")
    if not leaking and not silent:
        yield ok("broker", "its access lists hold: each account hears what it may and nothing else.")


def _probe(settings: Broker, known: Accounts, site: str) -> set[tuple[Role, str]]:
    heard: set[tuple[Role, str]] = set()
    clients = {role: _Client(settings, *account) for role, account in known.items()}
    intruders = [(_Client(settings, *known["driver"]), OVERLAY), (_Client(settings, *known["web"]), READING)]
    everyone = [*clients.values(), *(client for client, _ in intruders)]
    try:
        for client in everyone:
            client.connect()
        for role, client in clients.items():
            client.listen([topic.filter(site) for topic in TOPICS], partial(_note, heard, role))
        _turn(everyone, lambda: all(client.listening for client in clients.values()))
        for client, topic in intruders:
            # A message of his own on a table of its own: who hears it hears what must not have been taken.
            client.publish(topic.of(site, "intruder", *["one"] * topic.tail.count("+")))
        for topic in TOPICS:
            clients[topic.writer].publish(_name(topic, site))
        wanted = {(role, _name(topic, site)) for topic in TOPICS for role in topic.readers}
        _turn(everyone, lambda: wanted <= heard)
        _turn(everyone, lambda: False, _QUIET_S)
    finally:
        for client in everyone:
            client.close()
    return heard


def _note(heard: set[tuple[Role, str]], role: Role, name: str) -> None:
    heard.add((role, name))


def _name(topic: Topic, site: str) -> str:
    return topic.of(site, "table", *["one"] * topic.tail.count("+"))


def _short(name: str) -> str:
    return "/".join(name.split("/")[4:])


def _accounts(site: Site, site_file: Path) -> tuple[Accounts, list[Role]]:
    """The accounts whose passwords can be had here, and the roles for which they cannot."""
    if site.broker.embedded:
        try:
            return accounts(site.state_dir), []
        except ConfigError:
            return {}, list(ROLES)
    known: Accounts = {}
    for role in ROLES:
        try:
            known[role] = role, (site_file.parent / f"{role}.password").read_text().strip()
        except (OSError, UnicodeDecodeError):
            continue
    return known, [role for role in ROLES if role not in known]


class _Client:
    """A clean session that leaves nothing behind."""

    def __init__(self, settings: Broker, user: str = "", password: str = "") -> None:
        self._settings = settings
        self._asked = 0
        self.listening = False
        self._mqtt = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"tablebridge-doctor-{secrets.token_hex(6)}",
                                 clean_session=True, protocol=paho.MQTTv311, reconnect_on_failure=False)
        self._mqtt.connect_timeout = 2.0
        if user:
            self._mqtt.username_pw_set(user, password)
        if settings.cafile is not None:
            use_tls(self._mqtt, settings)

    def connect(self) -> bool:
        """Whether the broker lets this account in. Raises OSError where nobody answers."""
        answered: list[bool] = []
        self._mqtt.on_connect = lambda _client, _data, _flags, reason, _more: answered.append(not reason.is_failure)
        self._mqtt.connect(self._settings.host, self._settings.port)
        deadline = time.monotonic() + _ANSWER_S
        while not answered and time.monotonic() < deadline and self._mqtt.loop(0.05) == paho.MQTT_ERR_SUCCESS:
            pass
        return answered == [True]

    def listen(self, filters: list[str], hear: Callable[[str], object]) -> None:
        def message(_client: paho.Client, _data: Any, one: paho.MQTTMessage) -> None:
            hear(one.topic)

        def granted(*_: Any) -> None:
            self._asked -= 1
            self.listening = self._asked == 0

        self._mqtt.on_message, self._mqtt.on_subscribe = message, granted
        self._asked = len(filters)
        for one in filters:
            self._mqtt.subscribe(one, 1)

    def publish(self, name: str) -> None:
        self._mqtt.publish(name, b"{}", 1)

    def loop(self) -> None:
        self._mqtt.loop(0.005)

    def close(self) -> None:
        self._mqtt.disconnect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _turn(clients: list[_Client], met: Callable[[], bool], seconds: float = _ANSWER_S) -> None:
    deadline = time.monotonic() + seconds
    while not met() and time.monotonic() < deadline:
        for client in clients:
            client.loop()


__all__ = ["access", "broker"]
