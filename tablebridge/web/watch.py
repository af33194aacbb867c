"""Which readers wait for which changes. A watcher does not get a queue of messages: it learns which things
have changed since it last looked, so that a slow page gets fewer and newer pictures and never holds up a fast
one. What waits for it is bounded by the number of things that it watches.
"""

import asyncio
from collections.abc import Iterable


class Watch:
    """One reader's list of what has changed. Keys are `KIND:TABLE`, such as `state:main`."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = frozenset(keys)
        self._changed: set[str] = set()
        self._wake = asyncio.Event()

    def touch(self, key: str) -> None:
        """Note a change of this key, if it is watched."""
        if key in self.keys:
            self._changed.add(key)
            self._wake.set()

    def end(self) -> None:
        """Wake the reader, so that it sees that the hub is closing."""
        self._wake.set()

    async def wait(self, timeout_s: float) -> set[str]:
        """The keys that have changed since the last call, as soon as there is one; none after `timeout_s`."""
        try:
            async with asyncio.timeout(max(0.0, timeout_s)):
                await self._wake.wait()
        except TimeoutError:
            return set()
        changed, self._changed = self._changed, set()
        self._wake.clear()
        return changed


class Watches:
    """The watches of all readers."""

    def __init__(self) -> None:
        self._watches: set[Watch] = set()

    def __len__(self) -> int:
        return len(self._watches)

    def add(self, keys: Iterable[str]) -> Watch:
        """A new watch, which is kept until `discard`."""
        watch = Watch(keys)
        self._watches.add(watch)
        return watch

    def discard(self, watch: Watch) -> None:
        """Keep this watch no longer."""
        self._watches.discard(watch)

    def touch(self, kind: str, table: str) -> None:
        """Wake the readers that watch this kind of thing at this table."""
        for watch in self._watches:
            watch.touch(f"{kind}:{table}")

    def touch_all(self, kind: str) -> None:
        """Wake the readers that watch this kind of thing at any table."""
        for watch in self._watches:
            for key in watch.keys:
                if key.startswith(f"{kind}:"):
                    watch.touch(key)

    def end(self) -> None:
        """Wake all readers for the last time."""
        for watch in self._watches:
            watch.end()
