"""`site push`, `site versions`, `site rollback`: the configurations that the room has made for a box."""

import contextlib
import time
from collections.abc import Mapping
from typing import Final

import nats.errors
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, RawStreamMsg, StreamConfig
from nats.js.errors import NotFoundError

from tablebridge.archive.authority import Authority
from tablebridge.model.errors import BrokerError, Refused
from tablebridge.stream.claims import Rights
from tablebridge.stream.configuration import (
    KEPT,
    LARGEST,
    RUNS,
    VERSIONS,
    Running,
    Version,
    key_of,
    read_running,
    stream_of,
    verified,
)
from tablebridge.stream.connection import inbox_of

PUSHER: Final = "pusher"


def rights_of_pusher() -> Rights:
    """It may make both buckets, write and read versions, and read what boxes say of them."""
    asks = [
        f"$JS.API.{what}.{stream_of(bucket)}"
        for bucket in (VERSIONS, RUNS)
        for what in ("STREAM.INFO", "STREAM.CREATE", "DIRECT.GET")
    ]
    asks += [f"$JS.API.DIRECT.GET.{stream_of(bucket)}.>" for bucket in (VERSIONS, RUNS)]
    return Rights([*asks, f"$KV.{VERSIONS}.*"], [f"{inbox_of(PUSHER)}.>"])


class Pusher:
    """The versions of `box`, behind `js`. `replicas`: of a bucket that has to be made."""

    def __init__(self, authority: Authority, js: JetStreamContext, box: str, *, replicas: int = 3) -> None:
        if box not in authority.boxes:
            known = ", ".join(sorted(authority.boxes)) or "none"
            raise Refused(f"no box {box!r} has joined; those that have: {known}")
        self._authority = authority
        self._js = js
        self._box = box
        self._replicas = replicas

    async def push(self, name: str, site_file: str, files: Mapping[str, str]) -> Version:
        """Sign a version of this name and put it before the box. Raises Refused, ConfigError, BrokerError."""
        known = await self.versions()
        if any(version.name == name for version in known):
            raise Refused(f"box {self._box} has a version {name!r} already: give this one another name")
        return await self._put(known, name, site_file, files)

    async def rollback(self, name: str) -> Version:
        """Put the contents of the version of this name before the box again. Raises as `push`."""
        known = await self.versions()
        wanted = next((version for version in reversed(known) if version.name == name), None)
        if wanted is None:
            names = ", ".join(dict.fromkeys(version.name for version in known)) or "none"
            raise Refused(f"box {self._box} has no version {name!r}; it has: {names}")
        return await self._put(known, name, wanted.site_file, wanted.files)

    async def versions(self) -> list[Version]:
        """Those that are kept, the newest last. Raises BrokerError."""
        found: list[Version] = []
        try:
            await self._made()
            sequence = 1
            while True:
                message = await self._next(sequence)
                if message is None or message.seq is None:
                    return found
                with contextlib.suppress(ValueError):
                    # What this room has not signed is no version: going back to it would sign it.
                    found.append(verified(message.data or b"", self._box, self._authority.public))
                sequence = message.seq + 1
        except (nats.errors.Error, TimeoutError, OSError) as error:
            raise _away(error) from None

    async def running(self) -> Running | None:
        """What the box has said last; None if it has said nothing. Raises BrokerError."""
        try:
            message = await self._js.get_last_msg(stream_of(RUNS), key_of(RUNS, self._box), direct=True)
            return read_running(message.data or b"")
        except NotFoundError:
            return None
        except (nats.errors.Error, TimeoutError, OSError, ValueError) as error:
            raise _away(error) from None

    async def _put(
        self, known: list[Version], name: str, site_file: str, files: Mapping[str, str]
    ) -> Version:
        now = time.time_ns()
        number = max(now // 1_000_000, *(version.number + 1 for version in known), 1)
        version = Version(self._box, number, name, now, site_file, dict(files))
        payload = self._authority.signed(version)
        try:
            await self._js.publish(key_of(VERSIONS, self._box), payload, stream=stream_of(VERSIONS))
        except (nats.errors.Error, TimeoutError, OSError) as error:
            raise _away(error) from None
        return version

    async def _next(self, sequence: int) -> RawStreamMsg | None:
        subject = key_of(VERSIONS, self._box)
        try:
            return await self._js.get_msg(stream_of(VERSIONS), sequence, subject, direct=True, next=True)
        except NotFoundError:
            return None

    async def _made(self) -> None:
        """Make the buckets if they are not there. No rollup: with one message a box could empty a bucket."""
        for bucket, kept in ((VERSIONS, KEPT), (RUNS, 1)):
            try:
                await self._js.stream_info(stream_of(bucket))
            except NotFoundError:
                await self._js.add_stream(
                    StreamConfig(
                        name=stream_of(bucket),
                        subjects=[f"$KV.{bucket}.>"],
                        num_replicas=self._replicas,
                        max_msgs_per_subject=kept,
                        max_msg_size=LARGEST + 4096,
                        discard=DiscardPolicy.OLD,
                        allow_direct=True,
                        deny_delete=True,
                        deny_purge=True,
                        allow_rollup_hdrs=False,
                    )
                )


def _away(error: BaseException) -> BrokerError:
    said = str(error) or type(error).__name__
    return BrokerError(f"the nats-servers of the room do not answer ({said}): run this again")
