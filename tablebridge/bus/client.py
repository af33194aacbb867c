"""The MQTT client: paho inside one loop of ours, so that a serial line and the broker share one thread and
one poll.

paho's callbacks only note what happened; `step` hands it on afterwards. So a user's callback may publish,
acknowledge and raise without paho standing half-way through a packet. MQTT 3.1.1, a persistent session,
acknowledgement by hand.

Publishing: QoS 1 is refused (None) while the broker is away. Readings wait in the outbox, state is published
anew in `on_up`; what was already handed over when the connection broke, paho sends again itself, before
`on_up` is called.

Subscribing: NATS can miss a retained message that is published in the same moment as its topic is subscribed
to: it comes neither as stored nor as new. So everything is subscribed to a second time after two seconds,
which brings all retained messages once more; whoever takes them must not mind a repetition.
"""

import logging
import math
import random
import select
import socket
import ssl
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from tablebridge.bus.topics import parse
from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Broker

log = logging.getLogger(__name__)

KEEPALIVE_S: Final = 10
IN_FLIGHT: Final = 100
QUEUED: Final = 1_000
WAIT_S: Final = (1.0, 5.0)
_SECOND_LOOK_S: Final = 2.0
_CONNECT_TIMEOUT_S: Final = 1.0
_SHORT_LIFE_S: Final = 15.0
_FLAPS: Final = 3
_SLICE_S: Final = 1.0
_MISC_S: Final = 0.5
"""So often paho looks whether a ping is due or was not answered; not in every round, of which there are many
a second.
"""
_CREDENTIALS: Final = ("Bad user name or password", "Not authorized")

Ack = Callable[[], None]


class BusClient:
    """One connection to the broker. Set the callbacks, `subscribe`, then call `step` for ever.

    `on_up(session_present)` after every accepted connection, subscriptions already sent: publish birth and
    retained state. `on_down(reason)` once when it is gone. `on_message(topic, payload, retained, ack)`: call
    `ack` after the commit; an ack that is never called has the message delivered again after a reconnect.
    `on_acked(token)`: the broker has what `publish` returned the token for. Exceptions of callbacks come out
    of `step`. `will` makes the retained last will (topic, payload), anew for each connection. `clean`: the
    broker keeps nothing for this client while it is away. Raises ConfigError where a certificate or key file
    cannot be used.
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
        """Messages refused because they arrived retained on a topic that never is: commands, events,
        readings.
        """
        self._where = f"{settings.host}:{settings.port}"
        # Never the client id, which is a secret where the broker does not hold it to the account.
        self._who = username or client_id
        self._will = will
        self._filters: list[tuple[str, int]] = []
        self._events: deque[Callable[[], None]] = deque()
        self._tokens: set[int] = set()
        self._unanswered: set[int] = set()
        self._second_look_at = math.inf
        self._poll = select.poll()
        self._polled: dict[int, int] = {}
        self._misc_at = 0.0
        self._link = 0
        self._up_since = 0.0
        self._flaps = 0
        self._attempts = 0
        self._retry_at = 0.0
        self._trouble = ""
        self._answered = False
        self._closing = False
        self._mqtt = mqtt = paho.Client(
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
        mqtt.on_socket_open = _no_delay
        mqtt.on_connect = self._note_connack
        mqtt.on_disconnect = self._note_disconnect
        mqtt.on_message = self._note_message
        mqtt.on_subscribe = self._note_suback
        mqtt.on_publish = lambda _client, _data, mid, _reason, _properties: self._events.append(
            partial(self._acked, mid)
        )
        mqtt.connect_async(settings.host, settings.port, keepalive=KEEPALIVE_S)

    @property
    def in_flight(self) -> int:
        """How many QoS 1 messages the broker has not acknowledged yet."""
        return len(self._tokens)

    @property
    def subscribed(self) -> bool:
        """The broker has answered every subscription of this connection: what is published from now on
        arrives.
        """
        return self.connected and not self._unanswered

    def subscribe(self, *filters: str, qos: int = 1) -> None:
        """Receive these topic filters, now and after every reconnect."""
        added = [(one, qos) for one in filters]
        self._filters += added
        if self.connected:
            self._ask_for(added)
            self._second_look_at = time.monotonic() + _SECOND_LOOK_S

    def publish(self, topic: str, payload: bytes, qos: int = 1, retain: bool = False) -> int | None:
        """Hand a message to the broker. The token comes back in `on_acked` (QoS 1). None: not taken, the
        broker is away or too far behind.
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
        """One round: wait at most `timeout_s`, serve the broker, call the callbacks. Returns the `extra_fds`
        that can be read.

        It returns early once something happened, and after a second at the latest. Connecting may take up to
        a second where the broker's host does not answer at all.
        """
        self._hand_on()
        now = time.monotonic()
        if self._mqtt.socket() is None and not self._closing:
            if now >= self._retry_at:
                self._connect()
                self._hand_on()
            else:
                timeout_s = min(timeout_s, self._retry_at - now)
        ready = self._wait(max(0.0, min(timeout_s, _SLICE_S)), extra_fds)
        now = time.monotonic()
        if now >= self._misc_at:
            self._misc_at = now + _MISC_S
            self._mqtt.loop_misc()
        self._hand_on()
        if self.connected and now >= self._second_look_at:
            self._second_look_at = math.inf
            self._ask_for(self._filters)
        return ready

    def close(self, timeout_s: float = 2.0) -> None:
        """Wait a while for what is in flight, then say good-bye, so that the last will is not sent."""
        deadline = time.monotonic() + timeout_s
        while self.connected and self._tokens and time.monotonic() < deadline:
            self.step(0.05)
        self._closing = True
        self._mqtt.disconnect()
        while self._mqtt.socket() is not None and time.monotonic() < deadline:
            self._wait(0.05, ())
        self._events.clear()
        self.connected = False

    # ---- the loop

    def _wait(self, timeout_s: float, extra_fds: Sequence[int]) -> list[int]:
        wanted = dict.fromkeys(extra_fds, select.POLLIN)
        sock: Any = self._mqtt.socket()
        own = -1
        if sock is not None:
            own = sock.fileno()
            wanted[own] = select.POLLIN | (select.POLLOUT if self._mqtt.want_write() else 0)
            if isinstance(sock, ssl.SSLSocket) and sock.pending():
                timeout_s = 0.0
        if wanted != self._polled:
            self._poll, self._polled = select.poll(), wanted
            for fd, mask in wanted.items():
                self._poll.register(fd, mask)
        events = dict(self._poll.poll(timeout_s * 1000))
        mine = events.pop(own, 0)
        if mine & select.POLLOUT:
            self._mqtt.loop_write()
        if sock is not None and (
            mine & ~select.POLLOUT or (isinstance(sock, ssl.SSLSocket) and sock.pending())
        ):
            self._mqtt.loop_read()
        return [fd for fd in extra_fds if fd in events]

    def _connect(self) -> None:
        self._retry_later()
        self._answered = False
        if self._will is not None:
            topic, payload = self._will()
            self._mqtt.will_set(topic, payload, qos=1, retain=True)
        try:
            self._mqtt.reconnect()
        except (OSError, ValueError) as error:
            self._say(
                f"the broker at {self._where} cannot be reached ({error}): is it running? It is tried for ever."
            )

    def _retry_later(self, *, longest: bool = False) -> None:
        """The wait doubles from one second to five, with chance in it, so that many clients do not come back
        at once.
        """
        wait = WAIT_S[1] if longest else min(WAIT_S[1], WAIT_S[0] * 2 ** min(self._attempts, 8))
        self._attempts += 1
        self._retry_at = time.monotonic() + wait * random.uniform(0.8, 1.0)

    def _hand_on(self) -> None:
        while self._events:
            self._events.popleft()()

    def _say(self, trouble: str) -> None:
        """One line for one trouble, however often it is met."""
        if trouble != self._trouble:
            log.warning("%s", trouble)
        self._trouble = trouble

    # ---- what paho tells: noted here, handed on later

    def _note_connack(
        self, _client: paho.Client, _data: Any, flags: paho.ConnectFlags, reason: ReasonCode, _more: Any
    ) -> None:
        if reason.is_failure:
            self._events.append(partial(self._refused, str(reason)))
        else:
            self._link += 1
            self._events.append(partial(self._up, self._link, flags.session_present))

    def _note_disconnect(
        self, _client: paho.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Any
    ) -> None:
        self._events.append(partial(self._down, str(reason)))

    def _note_message(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        ack = partial(self._ack, self._link, message.mid, message.qos)
        self._events.append(partial(self._message, message, ack))

    def _note_suback(
        self, _client: paho.Client, _data: Any, mid: int, reasons: list[ReasonCode], _more: Any
    ) -> None:
        self._unanswered.discard(mid)
        if any(reason.is_failure for reason in reasons):
            log.error(
                "the broker at %s refuses a subscription of %s: the account's access list does not allow it.",
                self._where,
                self._who,
            )

    # ---- what the user is told

    def _up(self, link: int, session_present: bool) -> None:
        if link != self._link or self._mqtt.socket() is None:
            return
        self.connected = True
        self._up_since = time.monotonic()
        if self._trouble:
            log.warning("the broker at %s is back", self._where)
            self._trouble = ""
        self._unanswered.clear()
        if self._filters:
            self._ask_for(self._filters)
            self._second_look_at = self._up_since + _SECOND_LOOK_S
        self.on_up(session_present)

    def _ask_for(self, filters: list[tuple[str, int]]) -> None:
        _, mid = self._mqtt.subscribe(filters)
        if mid is not None:
            self._unanswered.add(mid)

    def _refused(self, reason: str) -> None:
        self._answered = True
        self._retry_later(longest=True)
        if reason in _CREDENTIALS:
            self._say(
                f"the broker at {self._where} does not accept user or password of {self._who}: "
                "put the account's password right. It is tried again every few seconds."
            )
        else:
            self._say(
                f"the broker at {self._where} refuses {self._who}: {reason}. It is tried again every few seconds."
            )

    def _down(self, reason: str) -> None:
        if not self.connected:
            if not self._answered:
                self._say(
                    f"the broker at {self._where} hangs up before it accepts the connection ({reason}): is it MQTT?"
                )
            return
        self.connected = False
        short = time.monotonic() - self._up_since < _SHORT_LIFE_S
        self._flaps = self._flaps + 1 if short else 0
        self._attempts = self._attempts if self._flaps >= _FLAPS else 0
        self._retry_later()
        if self._flaps >= _FLAPS:
            self._say(
                f"the broker at {self._where} accepts {self._who} and soon hangs up, again and again: either another "
                "process uses the same client id, or the account may not publish what it does. Stop the other process, "
                "or look at the broker's access list and log."
            )
        else:
            self._say(f"the broker at {self._where} is gone ({reason}): readings wait in the outbox.")
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
                "a retained message on %s is refused: nothing may be retained there. Clear it by an empty one.",
                topic,
            )
            ack()
            return
        self.on_message(topic, bytes(message.payload), message.retain, ack)

    def _ack(self, link: int, mid: int, qos: int) -> None:
        """A message is acknowledged on the connection that brought it, or not at all: its number means
        nothing on the next.
        """
        if qos and link == self._link and self._mqtt.socket() is not None:
            self._mqtt.ack(mid, qos)


def _no_delay(_client: paho.Client, _data: Any, sock: Any) -> None:
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def use_tls(mqtt: paho.Client, settings: Broker) -> None:
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
