"""The MQTT client: paho inside one loop of ours, so that a serial line and the broker share one thread and
one poll.

paho's callbacks only note what happened; `step` passes it on afterwards. So a user's callback may publish,
acknowledge and raise while paho is not in the middle of a packet. MQTT 3.1.1, a persistent session,
acknowledgement by hand.

Publishing: QoS 1 is refused (None) while the broker is away. Readings wait in the outbox, state is published
again in `on_up`; what was already handed over when the connection broke, paho sends again itself, before
`on_up` is called.

Subscribing: NATS can miss a retained message that is published at the moment in which its topic is subscribed
to: it arrives neither as stored nor as new. So all subscriptions are repeated after two seconds, which brings
all retained messages once more; receivers must accept a repetition.
"""

import logging
import math
import random
import socket
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from tablebridge.backoff import Backoff
from tablebridge.bus.poller import Poller
from tablebridge.bus.topics import parse
from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Broker

log = logging.getLogger(__name__)

KEEPALIVE_S: Final = 10
IN_FLIGHT: Final = 100
QUEUED: Final = 1_000
_REPEAT_S: Final = 2.0
_CONNECT_TIMEOUT_S: Final = 1.0
_SLICE_S: Final = 1.0
_MISC_S: Final = 0.5
"""How often paho checks whether a ping is due or was not answered: not in every round, since there are many
rounds per second.
"""
_CREDENTIALS: Final = ("Bad user name or password", "Not authorized")

Ack = Callable[[], None]


class BusClient:
    """One connection to the broker. Set the callbacks, `subscribe`, then call `step` for ever.

    `on_up(session_present)` is called after every accepted connection, when the subscriptions are sent:
    publish birth and retained state. `on_down(reason)` is called once when the connection is lost.
    `on_message(topic, payload, retained, ack)`: call `ack` after the commit; a message that is never
    acknowledged is delivered again after a reconnect. `on_acked(token)`: the broker has the message for which
    `publish` returned the token. Exceptions of callbacks are raised by `step`. `will` makes the retained last
    will (topic, payload) of each connection. `clean`: the broker keeps nothing for this client while it is
    away. Raises ConfigError if a certificate or key file cannot be used.
    """

    def __init__(
        self,
        settings: Broker,
        client_id: str,
        username: str = "",
        password: str = "",
        will: Callable[[], tuple[str, bytes]] | None = None,
        *,
        clean: bool = False,
    ) -> None:
        self.on_message: Callable[[str, bytes, bool, Ack], None] = lambda topic, payload, retained, ack: ack()
        self.on_up: Callable[[bool], None] = lambda session_present: None
        self.on_down: Callable[[str], None] = lambda reason: None
        self.on_acked: Callable[[int], None] = lambda token: None
        self.connected = False
        self.refused = 0
        """How many messages were refused because they arrived retained on a topic that never is: commands,
        events, readings.
        """
        self._address = f"{settings.host}:{settings.port}"
        # Never the client id, which is a secret if the broker does not bind it to the account.
        self._name = username or client_id
        self._will = will
        self._filters: list[tuple[str, int]] = []
        self._events: deque[Callable[[], None]] = deque()
        self._tokens: set[int] = set()
        self._unanswered: set[int] = set()
        self._repeat_at = math.inf
        self._misc_at = 0.0
        self._connection = 0
        self._trouble = ""
        self._answered = False
        self._closing = False
        self._mqtt = _paho_client(settings, client_id, username, password, clean)
        self._poller = Poller(self._mqtt)
        self._retry = Backoff(random.random)
        self._set_callbacks()
        self._mqtt.connect_async(settings.host, settings.port, keepalive=KEEPALIVE_S)

    @property
    def in_flight(self) -> int:
        """How many QoS 1 messages the broker has not acknowledged yet."""
        return len(self._tokens)

    @property
    def subscribed(self) -> bool:
        """Whether the broker has answered every subscription of this connection: what is published from now
        on arrives.
        """
        return self.connected and not self._unanswered

    def subscribe(self, *filters: str, qos: int = 1) -> None:
        """Receive these topic filters, now and after every reconnect."""
        added = [(topic_filter, qos) for topic_filter in filters]
        self._filters += added
        if self.connected:
            self._send_subscriptions(added)
            self._repeat_at = time.monotonic() + _REPEAT_S

    def publish(self, topic: str, payload: bytes, qos: int = 1, retain: bool = False) -> int | None:
        """Hand a message to the broker. The token is returned, and passed to `on_acked` later (QoS 1). None:
        it was not accepted, since the broker is away or too far behind.
        """
        if not self.connected:
            return None
        info = self._mqtt.publish(topic, payload, qos, retain)
        if info.rc == paho.MQTT_ERR_QUEUE_SIZE:
            return None
        if qos:
            self._tokens.add(info.mid)
        return info.mid

    def step(self, timeout_s: float, extra_fds: Sequence[int] = ()) -> list[int]:
        """Do one round: wait at most `timeout_s`, serve the broker, call the callbacks. Returns the
        `extra_fds` that can be read.

        It returns early once something happened, and after a second at the latest. Connecting may take up to
        a second if the broker's host does not answer at all.
        """
        self._pass_on()
        now = time.monotonic()
        if self._mqtt.socket() is None and not self._closing:
            if now >= self._retry.due_s:
                self._connect()
                self._pass_on()
            else:
                timeout_s = min(timeout_s, self._retry.due_s - now)
        ready = self._poller.wait(max(0.0, min(timeout_s, _SLICE_S)), extra_fds)
        now = time.monotonic()
        if now >= self._misc_at:
            self._misc_at = now + _MISC_S
            self._mqtt.loop_misc()
        self._pass_on()
        if self.connected and now >= self._repeat_at:
            self._repeat_at = math.inf
            self._send_subscriptions(self._filters)
        return ready

    def close(self, timeout_s: float = 2.0) -> None:
        """Wait a while for what is in flight, then disconnect, so that the last will is not sent."""
        deadline = time.monotonic() + timeout_s
        while self.connected and self._tokens and time.monotonic() < deadline:
            self.step(0.05)
        self._closing = True
        self._mqtt.disconnect()
        while self._mqtt.socket() is not None and time.monotonic() < deadline:
            self._poller.wait(0.05)
        self._events.clear()
        self.connected = False

    # ---- the loop

    def _connect(self) -> None:
        self._retry.failed(time.monotonic())
        self._answered = False
        if self._will is not None:
            topic, payload = self._will()
            self._mqtt.will_set(topic, payload, qos=1, retain=True)
        try:
            self._mqtt.reconnect()
        except (OSError, ValueError) as error:
            self._warn(
                f"the broker at {self._address} cannot be reached ({error}): is it running? It is tried "
                "again for ever."
            )

    def _pass_on(self) -> None:
        while self._events:
            self._events.popleft()()

    def _warn(self, trouble: str) -> None:
        """Log a trouble once, however often it is met."""
        if trouble != self._trouble:
            log.warning("%s", trouble)
        self._trouble = trouble

    # ---- what paho reports: noted here, passed on later

    def _set_callbacks(self) -> None:
        mqtt = self._mqtt
        mqtt.on_socket_open = _no_delay
        mqtt.on_connect = self._note_connack
        mqtt.on_disconnect = self._note_disconnect
        mqtt.on_message = self._note_message
        mqtt.on_subscribe = self._note_suback
        mqtt.on_publish = lambda _client, _data, mid, _reason, _properties: self._events.append(
            partial(self._acked, mid)
        )

    def _note_connack(
        self, _client: paho.Client, _data: Any, flags: paho.ConnectFlags, reason: ReasonCode, _more: Any
    ) -> None:
        if reason.is_failure:
            self._events.append(partial(self._refused, str(reason)))
        else:
            self._connection += 1
            self._events.append(partial(self._up, self._connection, flags.session_present))

    def _note_disconnect(
        self, _client: paho.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Any
    ) -> None:
        self._events.append(partial(self._down, str(reason)))

    def _note_message(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        ack = partial(self._ack, self._connection, message.mid, message.qos)
        self._events.append(partial(self._message, message, ack))

    def _note_suback(
        self, _client: paho.Client, _data: Any, mid: int, reasons: list[ReasonCode], _more: Any
    ) -> None:
        self._unanswered.discard(mid)
        if any(reason.is_failure for reason in reasons):
            log.error(
                "the broker at %s refuses a subscription of %s: the account's access list does not allow it.",
                self._address,
                self._name,
            )

    # ---- what the user's callbacks receive

    def _up(self, connection: int, session_present: bool) -> None:
        if connection != self._connection or self._mqtt.socket() is None:
            return
        self.connected = True
        self._retry.began(time.monotonic())
        if self._trouble:
            log.warning("the broker at %s is back", self._address)
            self._trouble = ""
        self._unanswered.clear()
        if self._filters:
            self._send_subscriptions(self._filters)
            self._repeat_at = time.monotonic() + _REPEAT_S
        self.on_up(session_present)

    def _send_subscriptions(self, filters: list[tuple[str, int]]) -> None:
        _, mid = self._mqtt.subscribe(filters)
        if mid is not None:
            self._unanswered.add(mid)

    def _refused(self, reason: str) -> None:
        self._answered = True
        self._retry.refused(time.monotonic())
        self._warn(_refusal(self._address, self._name, reason))

    def _down(self, reason: str) -> None:
        if not self.connected:
            if not self._answered:
                self._warn(
                    f"the broker at {self._address} closes the connection before it accepts it ({reason}): "
                    "is it MQTT?"
                )
            return
        self.connected = False
        self._retry.ended(time.monotonic())
        self._warn(_loss(self._address, self._name, reason, flapping=self._retry.flapping))
        self.on_down(reason)

    def _acked(self, token: int) -> None:
        self._tokens.discard(token)
        self.on_acked(token)

    def _message(self, message: paho.MQTTMessage, ack: Ack) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            ack()
            return
        if message.retain and (known := parse(topic)) is not None and not known.topic.retained:
            self.refused += 1
            log.warning(
                "a retained message on %s is refused: nothing may be retained there. Clear it with an "
                "empty one.",
                topic,
            )
            ack()
            return
        self.on_message(topic, bytes(message.payload), message.retain, ack)

    def _ack(self, connection: int, mid: int, qos: int) -> None:
        """Acknowledge a message on the connection that brought it, or not at all: its number means nothing on
        the next.
        """
        if qos and connection == self._connection and self._mqtt.socket() is not None:
            self._mqtt.ack(mid, qos)


def _paho_client(settings: Broker, client_id: str, username: str, password: str, clean: bool) -> paho.Client:
    mqtt = paho.Client(
        CallbackAPIVersion.VERSION2,
        client_id=client_id,
        clean_session=clean,
        protocol=paho.MQTTv311,
        reconnect_on_failure=False,
        manual_ack=True,
    )
    mqtt.max_inflight_messages_set(IN_FLIGHT)
    mqtt.max_queued_messages_set(QUEUED)
    mqtt.connect_timeout = _CONNECT_TIMEOUT_S
    if username:
        mqtt.username_pw_set(username, password)
    if settings.cafile is not None:
        use_tls(mqtt, settings)
    return mqtt


def _refusal(address: str, name: str, reason: str) -> str:
    if reason in _CREDENTIALS:
        return (
            f"the broker at {address} does not accept user or password of {name}: "
            "correct the account's password. It is tried again every few seconds."
        )
    return f"the broker at {address} refuses {name}: {reason}. It is tried again every few seconds."


def _loss(address: str, name: str, reason: str, *, flapping: bool) -> str:
    if flapping:
        return (
            f"the broker at {address} accepts {name} and soon closes the connection, again and again: "
            "either another "
            "process uses the same client id, or the account may not publish what it does. Stop the other "
            "process, "
            "or look at the broker's access list and log."
        )
    return f"the broker at {address} is gone ({reason}): readings wait in the outbox."


def _no_delay(_client: paho.Client, _data: Any, sock: Any) -> None:
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def use_tls(mqtt: paho.Client, settings: Broker) -> None:
    """Have the client speak TLS with the files of the settings. Raises ConfigError if they cannot be used."""
    try:
        mqtt.tls_set(
            ca_certs=str(settings.cafile),
            certfile=str(settings.certfile) if settings.certfile else None,
            keyfile=str(settings.keyfile) if settings.keyfile else None,
        )
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"[broker] cafile, certfile or keyfile cannot be used ({error}): "
            "check that the files exist, belong together and may be read."
        ) from None
