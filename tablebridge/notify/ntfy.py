"""Notices by an ntfy server, by plain HTTP.

Source: docs.ntfy.sh/publish, "Publish as JSON", "Action buttons", "Updating + deleting notifications". A
message with the `sequence_id` of an earlier one replaces it (server 2.16 and Android 1.22 on; an older one
shows a second one), and DELETE of TOPIC/SEQUENCE_ID takes it away. Topic and sequence id are 1 to 64 of
`[-_A-Za-z0-9]`.
"""

from typing import Any, Final

import msgspec

from tablebridge.deliveries.http import request
from tablebridge.model.calls import command_id, digest_of
from tablebridge.notify.notice import CRITICAL, QUIET, WARNING, Notice
from tablebridge.settings.people import People

TAKE: Final = "/api/pass"
"""Where the pages take a pass."""
_TAGS: Final = {CRITICAL: "rotating_light", WARNING: "warning", QUIET: "heavy_check_mark"}


def message(notice: Notice, topic: str, pages: str | None) -> dict[str, Any]:
    """What is published of a notice, field by field. Buttons are an `http` action that takes the alert with
    the secret of its pass in a header, and a `view` action that opens the floor page.
    """
    made: dict[str, Any] = {
        "topic": topic,
        "title": notice.title,
        "message": notice.body,
        "priority": notice.priority,
        "tags": [_TAGS[notice.priority]],
        "sequence_id": notice.key,
    }
    if pages is None:
        return made
    go, view = notice.labels
    actions: list[dict[str, Any]] = []
    if notice.go:
        actions.append(
            {
                "action": "http",
                "label": go,
                "url": pages + TAKE,
                "method": "POST",
                "headers": {"Authorization": f"Bearer {notice.go}"},
                "body": msgspec.json.encode({"id": command_id(digest_of(notice.go))}).decode(),
                "clear": True,
            }
        )
    actions.append({"action": "view", "label": view, "url": f"{pages}/floor"})
    return {**made, "click": f"{pages}/floor", "actions": actions}


class NtfyWay:
    """One topic of the house's ntfy server."""

    updates = True

    def __init__(self, people: People, topic: str) -> None:
        self._server = people.ntfy.url
        self._headers = {"User-Agent": "tablebridge"}
        if people.ntfy.token:
            self._headers["Authorization"] = f"Bearer {people.ntfy.token}"
        self._pages = people.pages
        self._topic = topic

    def send(self, notice: Notice) -> int:
        """The status of the server's answer. Raises OSError if there is none."""
        if notice.what == "withdraw":
            address = f"{self._server}/{self._topic}/{notice.key}"
            return request("DELETE", address, b"", self._headers, loopback=True)
        body = msgspec.json.encode(message(notice, self._topic, self._pages))
        return request("POST", f"{self._server}/", body, self._headers, loopback=True)
