"""Hands as the record has them, asked of the engine page by page.

One hand of a table is read at a time, so that however many people look, the engine has one question before
it. Nothing is kept of what was read.
"""

import asyncio
import secrets
from collections import defaultdict
from typing import Any, Final

from msgspec.structs import replace

from tablebridge.bus.messages import TimelinePage, TimelineRequest
from tablebridge.languages.texts import Texts
from tablebridge.languages.texts import texts as texts_of
from tablebridge.model.sentences import sentence_of
from tablebridge.model.timeline import HandRow, Happened, Item, Link, Noticed
from tablebridge.timeline.bundle import bundle_of
from tablebridge.timeline.hand import HandTimeline, assembled
from tablebridge.web.auth import Token
from tablebridge.web.guard import Denied
from tablebridge.web.heard import heard
from tablebridge.web.reading import read
from tablebridge.web.requests import Requests

_MOST_PAGES: Final = 5_000
ENGLISH: Final = texts_of("en")


class Hands:
    """The hands in the records of a site's tables."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._reading: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def last(
        self, table: str, before: int = 0, before_wall_ns: int = 0
    ) -> tuple[tuple[HandRow, ...], int]:
        """Hands of the table, the latest first, and the row before which there are more; 0 if there are
        none.
        """
        page = await self.page(table, "hands", number=before, before_wall_ns=before_wall_ns)
        return page.hands, page.number if page.more else 0

    async def timeline(
        self, table: str, hand: int, me: Token, access: int = 0, texts: Texts = ENGLISH
    ) -> HandTimeline:
        """What the record says of a hand, its sentences in this language. `access`: the row of the access
        that allows its faces. Raises Denied.
        """
        async with self._reading[table]:
            pages = await self._pages(table, hand=hand, access=access, token=me.id)
        if texts.language != ENGLISH.language:
            pages = [replace(page, items=tuple(_said(item, texts) for item in page.items)) for page in pages]
        return assembled(table, hand, pages)

    async def bundle(self, table: str, hand: int, me: Token) -> bytes:
        """The hand as a signed bundle, without a hidden face. Raises Denied."""
        async with self._reading[table]:
            pages = await self._pages(table, hand=hand, token=me.id, phh=True)
            links: list[Link] = []
            page = await self.page(table, "slice", hand=hand)
            links += page.links
            while page.more:
                page = await self.page(table, "slice", hand=hand, number=page.number)
                links += page.links
        if page.seal is None:
            raise Denied(503, "The engine has not signed the slice; ask again.")
        return bundle_of(assembled(table, hand, pages), links, page.seal, pages[-1].phh)

    async def page(self, table: str, about: str, **what: Any) -> TimelinePage:
        """One page. Raises Denied if there is none."""
        request = TimelineRequest(f"{about}-{secrets.token_hex(8)}", about, **what)  # type: ignore[arg-type]
        page = await read(table, self._requests.timeline(table, request))
        if page.refused:
            raise Denied(403 if what.get("access") else 404, page.refused)
        return page

    async def _pages(self, table: str, **what: Any) -> list[TimelinePage]:
        reading = secrets.token_hex(8)
        pages: list[TimelinePage] = []
        for number in range(_MOST_PAGES):
            page = await self.page(table, "hand", page=number, reading=reading, **what)
            pages.append(page)
            if not page.more:
                return pages
        raise Denied(
            503, "This hand has more in the record than can be shown; `tablebridge journal show` reads it."
        )


def _said(item: Item, texts: Texts) -> Item:
    """The item with its sentence in this language."""
    if isinstance(item, Noticed):
        return replace(item, sentence=sentence_of(item.finding, texts))
    if isinstance(item, Happened):
        return replace(item, after=replace(item.after, expects=heard(texts, item.after.expects)))
    return item
