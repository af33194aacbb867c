"""The broker: does it answer, does it take our accounts, does it hold them apart.

Asked with messages of a table that does not exist, so that no engine and no page hears them, and without
retaining any: the engine's account and the pages' publish what they write there, all others listen to
everything, and who hears what is held against the list of topics. mosquitto has one connection for each
account, so to sign in with the account of a process that runs would push that process off: while the engine
is online only the accounts of listeners are tried.
"""

import secrets
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from tablebridge.bus.access import Account, accounts_of, devices_of
from tablebridge.bus.account import embedded_folder, password_file
from tablebridge.bus.client import use_tls
from tablebridge.bus.messages import Availability, decode
from tablebridge.bus.topics import ENGINE_AVAILABILITY, LISTENERS, OVERLAY, READING, TOPICS, Topic
from tablebridge.doctor.check import Check, fail, ok, warn
from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Broker, Site

_ANSWER_S: Final = 5.0
_QUIET_S: Final = 0.5
_REPAIR: Final = (
    'Run `tablebridge site accounts` again and restart mosquitto: docs/deployment.md, "The broker".'
)

Known = dict[Account, str]
"""The passwords of the accounts, as far as they can be had here."""


def broker(site: Site, site_file: Path) -> Iterator[Check]:
    """All checks of the broker."""
    where = f"{site.broker.host}:{site.broker.port}"
    try:
        with _Client(site.broker) as anonymous:
            let_in = anonymous.connect()
    except OSError as error:
        if site.broker.embedded:
            yield warn(
                "broker",
                f"the embedded one does not run on port {site.broker.port}.",
                "`tablebridge run` starts it.",
            )
        else:
            yield fail(
                "broker",
                f"nobody answers at {where} ({error}).",
                "sudo systemctl start mosquitto, or put host and port of [broker] right.",
            )
        return
    except ConfigError as error:
        yield fail("broker", str(error), "Put the files of [broker] right.")
        return
    if let_in and site.broker.certfile is None:
        yield fail(
            "broker",
            f"{where} lets in whoever comes, without a password.",
            "Set allow_anonymous false, as config/mosquitto.conf does: hole cards go over this broker.",
        )
    known, unknown = _known(site, site_file)
    if unknown:
        yield warn(
            "broker",
            f"the password of {', '.join(unknown)} cannot be read here.",
            "Run the doctor as root. If a file is missing, `tablebridge site accounts` makes it.",
        )
    listeners = {account: password for account, password in known.items() if account.role in LISTENERS}
    if len(listeners) < len(LISTENERS):
        return
    refused = _refused(site.broker, listeners)
    runs = not refused and _engine_runs(site, listeners)
    if not runs:
        refused += _refused(
            site.broker, {one: password for one, password in known.items() if one not in listeners}
        )
    tried = ", ".join(account.name for account in (listeners if runs else known))
    if refused:
        yield fail("broker", f"{where} does not accept the account of {', '.join(refused)}.", _REPAIR)
    else:
        yield ok("broker", f"{where} accepts {tried}.")
    if runs:
        yield ok(
            "broker",
            "the engine is online: the other accounts and the access lists are tried when it is stopped.",
        )
    elif not unknown and not refused:
        yield from access(site.broker, site.name, known)


def access(settings: Broker, site: str, known: Known) -> Iterator[Check]:
    """Whether each account hears what it may and nothing else."""
    table = f"doctor-{secrets.token_hex(4)}"
    heard = _probe(settings, site, table, known)
    wanted = {
        (account.name, name)
        for account in known
        for name in _spoken(known, site, table)
        if any(paho.topic_matches_sub(one, name) for one in account.receives(site))
    }
    silent, leaking = sorted(wanted - heard), sorted(heard - wanted)
    for who, name in leaking[:3]:
        yield fail("broker", f"the account {who} hears {_short(name)}, which it must not.", _REPAIR)
    for who, name in silent[:3]:
        yield fail("broker", f"the account {who} does not hear {_short(name)}.", _REPAIR)
    if not leaking and not silent:
        yield ok("broker", "its access lists hold: each account hears what it may and nothing else.")


def _spoken(known: Known, site: str, table: str) -> list[str]:
    """What accounts that are of no one table may say at this table."""
    return [
        _name(topic, site, table, account.own(topic))
        for account in known
        for topic in TOPICS
        if account.role == topic.writer and account.table == "+"
    ]


def _probe(settings: Broker, site: str, table: str, known: Known) -> set[tuple[str, str]]:
    heard: set[tuple[str, str]] = set()
    clients = {account: _Client(settings, account.name, password) for account, password in known.items()}
    try:
        for account, client in clients.items():
            client.connect()
            filters = [*(topic.filter(site) for topic in TOPICS), *account.receives(site)]
            client.listen(filters, partial(_note, heard, account.name))
        everyone = list(clients.values())
        _turn(everyone, lambda: all(client.listening for client in everyone))
        for account, client in clients.items():
            for name in _spoken({account: ""}, site, table):
                client.publish(name)
        wanted = {
            ("engine", name)
            for name in _spoken(known, site, table)
            if "/cmd/" in name and name.endswith("/do")
        }
        _turn(everyone, lambda: wanted <= heard)
        _turn(everyone, lambda: False, _QUIET_S)
        # Last, because mosquitto ends the connection of who does it: what must not be taken. A table of its
        # own tells it apart.
        for account, client in clients.items():
            topic = OVERLAY if account.role != "engine" else READING
            client.publish(_name(topic, site, f"{table}-intruder", "one"))
            _turn(everyone, lambda: False, _QUIET_S / 5)
        _turn(everyone, lambda: False, _QUIET_S)
    finally:
        for client in clients.values():
            client.close()
    return heard


def _engine_runs(site: Site, listeners: Known) -> bool:
    """Whether an engine says that it is online."""
    said: list[str] = []

    def hear(_name: str, payload: bytes) -> None:
        try:
            said.append(decode(payload, Availability).state)
        except ValueError:
            return

    account, password = next(
        (one, password) for one, password in listeners.items() if ENGINE_AVAILABILITY.is_read_by(one.role)
    )
    with _Client(site.broker, account.name, password) as client:
        client.connect()
        client.listen([ENGINE_AVAILABILITY.filter(site.name)], hear)
        _turn([client], lambda: "online" in said, 4 * _QUIET_S)
    return "online" in said


def _refused(settings: Broker, known: Known) -> list[str]:
    refused = []
    for account, password in known.items():
        with _Client(settings, account.name, password) as client:
            if not client.connect():
                refused.append(account.name)
    return refused


def _note(heard: set[tuple[str, str]], who: str, name: str, _payload: bytes) -> None:
    if "/doctor-" in name:
        heard.add((who, name))


def _name(topic: Topic, site: str, table: str, own: str) -> str:
    return topic.of(site, table, *["one" if own == "+" else own] * topic.tail.count("+"))


def _short(name: str) -> str:
    return "/".join(name.split("/")[4:])


def _known(site: Site, site_file: Path) -> tuple[Known, list[str]]:
    """The accounts whose passwords can be had here, and the names of those for which they cannot."""
    folder = embedded_folder(site.state_dir) if site.broker.embedded else site_file.parent
    known: Known = {}
    unknown = []
    for account in accounts_of(devices_of(site)):
        try:
            known[account] = password_file(folder, account.name).read_text().strip()
        except (OSError, UnicodeDecodeError):
            unknown.append(account.name)
    return known, unknown


class _Client:
    """A clean session that leaves nothing behind."""

    def __init__(self, settings: Broker, user: str = "", password: str = "") -> None:
        self._settings = settings
        self._asked = 0
        self.listening = False
        self._mqtt = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"tablebridge-doctor-{secrets.token_hex(6)}",
            clean_session=True,
            protocol=paho.MQTTv311,
            reconnect_on_failure=False,
        )
        self._mqtt.connect_timeout = 2.0
        if user:
            self._mqtt.username_pw_set(user, password)
        if settings.cafile is not None:
            use_tls(self._mqtt, settings)

    def connect(self) -> bool:
        """Whether the broker lets this account in. Raises OSError where nobody answers."""
        answered: list[bool] = []
        self._mqtt.on_connect = lambda _client, _data, _flags, reason, _more: answered.append(
            not reason.is_failure
        )
        self._mqtt.connect(self._settings.host, self._settings.port)
        deadline = time.monotonic() + _ANSWER_S
        while not answered and time.monotonic() < deadline and self._mqtt.loop(0.05) == paho.MQTT_ERR_SUCCESS:
            pass
        return answered == [True]

    def listen(self, filters: list[str], hear: Callable[[str, bytes], object]) -> None:
        def message(_client: paho.Client, _data: Any, one: paho.MQTTMessage) -> None:
            hear(one.topic, bytes(one.payload))

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
