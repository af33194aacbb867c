"""Milestone XProtect: a generic event, which is a text over TCP, port 1234.

The event server reads the text with rules that the house writes, and makes the bookmark. It asks for no
password and takes texts of its own machine only unless it is set otherwise (Management Client, generic
events, allowed addresses); so the text says nothing that is secret, and nothing may be believed because it
came that way.
"""

import socket
from typing import Final

from tablebridge.bus.messages import BookmarkMessage
from tablebridge.settings.site import Video
from tablebridge.web.bookmarks.bookmark import Deliver, utc

_WAIT_S: Final = 3.0


def milestone(video: Video) -> Deliver:
    """The adapter for the event server of this section."""

    def deliver(bookmark: BookmarkMessage) -> None:
        with socket.create_connection((video.host, video.port), _WAIT_S) as connection:
            connection.sendall(text_of(bookmark).encode())

    return deliver


def text_of(bookmark: BookmarkMessage) -> str:
    """The text of the event, one line: words and values that a rule can be written for."""
    return (
        f'tablebridge-bookmark id={bookmark.id} table={bookmark.table} camera="{bookmark.camera}" '
        f"kind={bookmark.kind} hand={bookmark.hand} at={utc(bookmark.at_wall_ns)} "
        f"from={utc(bookmark.from_wall_ns)} to={utc(bookmark.to_wall_ns)}\r\n"
    )
