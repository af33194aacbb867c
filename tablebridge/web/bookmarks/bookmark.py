"""A bookmark, and what an adapter is."""

from collections.abc import Callable
from datetime import UTC, datetime

from tablebridge.bus.messages import BookmarkMessage
from tablebridge.settings.site import Video

Deliver = Callable[[BookmarkMessage], None]
"""Brings a bookmark to a video system, within seconds. Raises OSError if the system does not take it."""
Adapter = Callable[[Video], Deliver]
"""Makes that for a section `[[video]]` of the site file. A plug-in names one as an entry point of the group
`tablebridge.bookmarks`. Raises ConfigError if the section is wrong for it.
"""


def utc(wall_ns: int) -> str:
    """ISO 8601 in UTC, to the millisecond."""
    at = datetime.fromtimestamp(wall_ns / 1e9, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
