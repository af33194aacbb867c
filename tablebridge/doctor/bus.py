"""The broker: does it answer, does it accept our accounts, does it hold them apart.

The test uses messages of a table that does not exist, so that no engine and no page hears them, and retains
none: the engine's account and the pages' account publish their topics there, all accounts listen to
everything, and what each of them hears is compared with the list of topics. mosquitto has one connection per
account, so signing in with the account of a running process would disconnect that process: while the engine
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

from tablebridge.bus.access import Account, accounts_of
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
"""The passwords of the accounts, as far as they can be read here."""


def broker(site: Site, site_file: Path) -> Iterator[Check]:
    """All checks of the broker."""
    check, reached = _reachable(site)
    if check is not None:
        yield check
    if not reached:
        return
    known, unknown = _known(site, site_file)
    if unknown:
        yield warn(
            "broker",
            f"the password of {', '.join(unknown)} cannot be read here.",
            "Run the doctor as root. If a file is missing, `tablebridge site accounts` makes it.",
        )
    listeners = {account: password for account, password in known.items() if account.role in LISTENERS}
    if len(listeners) == len(LISTENERS):
        yield from _accounts(site, known, listeners, complete=not unknown)


def _reachable(site: Site) -> tuple[Check | None, bool]:
    """What is wrong with the broker itself, if anything, and whether it answers."""
    address = f"{site.broker.host}:{site.broker.port}"
    try:
        with _Client(site.broker) as anonymous:
            accepted = anonymous.connect()
    except OSError as error:
        if site.broker.embedded:
            problem = f"the embedded broker does not run on port {site.broker.port}."
            return warn("broker", problem, "`tablebridge run` starts it."), False
        remedy = "sudo systemctl start mosquitto, or correct host and port of [broker]."
        return fail("broker", f"nobody answers at {address} ({error}).", remedy), False
    except ConfigError as error:
        return fail("broker", str(error), "Correct the files of [broker]."), False
    if accepted and site.broker.certfile is None:
        problem = f"{address} accepts everybody, without a password."
        remedy = "Set allow_anonymous false, as `tablebridge install` does: hole cards go over this broker."
        return fail("broker", problem, remedy), True
    return None, True


def _accounts(site: Site, known: Known, listeners: Known, *, complete: bool) -> Iterator[Check]:
    """Whether the accounts are accepted and, if no engine runs, whether the access lists hold them apart."""
    refused = _refused(site.broker, listeners)
    runs = not refused and _engine_runs(site, listeners)
    if not runs:
        others = {account: password for account, password in known.items() if account not in listeners}
        refused += _refused(site.broker, others)
    address = f"{site.broker.host}:{site.broker.port}"
    tried = ", ".join(account.name for account in (listeners if runs else known))
    if refused:
        yield fail("broker", f"{address} does not accept the account of {', '.join(refused)}.", _REPAIR)
    else:
        yield ok("broker", f"{address} accepts {tried}.")
    if runs:
        yield ok(
            "broker",
            "the engine is online: the other accounts and the access lists are tried when it is stopped.",
        )
    elif complete and not refused:
        yield from access(site.broker, site.name, known)


def access(settings: Broker, site: str, known: Known) -> Iterator[Check]:
    """Whether each account hears what it may and nothing else."""
    table = f"doctor-{secrets.token_hex(4)}"
    heard = _probe(settings, site, table, known)
    wanted = {
        (account.name, name)
        for account in known
        for name in _published(known, site, table)
        if any(paho.topic_matches_sub(received, name) for received in account.receives(site))
    }
    silent, leaking = sorted(wanted - heard), sorted(heard - wanted)
    for who, name in leaking[:3]:
        yield fail("broker", f"the account {who} hears {_short(name)}, which it must not.", _REPAIR)
    for who, name in silent[:3]:
        yield fail("broker", f"the account {who} does not hear {_short(name)}.", _REPAIR)
    if not leaking and not silent:
        yield ok("broker", "its access lists hold: each account hears what it may and nothing else.")


def _published(known: Known, site: str, table: str) -> list[str]:
    """The topics at this table that accounts which are not bound to a table may publish on."""
    return [
        _name(topic, site, table, account.own(topic)[0] if topic.named else "+")
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
        _loop_until(everyone, lambda: all(client.listening for client in everyone))
        for account, client in clients.items():
            for name in _published({account: ""}, site, table):
                client.publish(name)
        wanted = {
            ("engine", name)
            for name in _published(known, site, table)
            if "/cmd/" in name and name.endswith("/do")
        }
        _loop_until(everyone, lambda: wanted <= heard)
        _loop_until(everyone, lambda: False, _QUIET_S)
        # Messages that must not be accepted come last, because mosquitto ends the connection of their sender.
        # They have a table of their own, by which they are recognised.
        for account, client in clients.items():
            topic = OVERLAY if account.role != "engine" else READING
            client.publish(_name(topic, site, f"{table}-intruder", "one"))
            _loop_until(everyone, lambda: False, _QUIET_S / 5)
        _loop_until(everyone, lambda: False, _QUIET_S)
    finally:
        for client in clients.values():
            client.close()
    return heard


def _engine_runs(site: Site, listeners: Known) -> bool:
    """Whether an engine reports that it is online."""
    states: list[str] = []

    def hear(_name: str, payload: bytes) -> None:
        try:
            states.append(decode(payload, Availability).state)
        except ValueError:
            return

    account, password = next(
        entry for entry in listeners.items() if ENGINE_AVAILABILITY.is_read_by(entry[0].role)
    )
    with _Client(site.broker, account.name, password) as client:
        client.connect()
        client.listen([ENGINE_AVAILABILITY.filter(site.name)], hear)
        _loop_until([client], lambda: "online" in states, 4 * _QUIET_S)
    return "online" in states


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
    """The accounts whose passwords can be read here, and the names of those whose passwords cannot."""
    folder = embedded_folder(site.state_dir) if site.broker.embedded else site_file.parent
    known: Known = {}
    unknown = []
    for account in accounts_of(site.groups):
        try:
            known[account] = password_file(folder, account.name).read_text().strip()
        except (OSError, UnicodeDecodeError):
            unknown.append(account.name)
    return known, unknown


class _Client:
    """A clean session that leaves nothing behind."""

    def __init__(self, settings: Broker, user: str = "", password: str = "") -> None:
        self._settings = settings
        self._unanswered = 0
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
        """Whether the broker accepts this account. Raises OSError if nobody answers."""
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
        def received(_client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
            hear(message.topic, bytes(message.payload))

        def granted(*_: Any) -> None:
            self._unanswered -= 1
            self.listening = self._unanswered == 0

        self._mqtt.on_message, self._mqtt.on_subscribe = received, granted
        self._unanswered = len(filters)
        for topic_filter in filters:
            self._mqtt.subscribe(topic_filter, 1)

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


def _loop_until(clients: list[_Client], met: Callable[[], bool], seconds: float = _ANSWER_S) -> None:
    """Serve the clients until the condition is met, for this long at most."""
    deadline = time.monotonic() + seconds
    while not met() and time.monotonic() < deadline:
        for client in clients:
            client.loop()


__all__ = ["access", "broker"]
