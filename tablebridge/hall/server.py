"""The process `tablebridge site web`: the pages, the bucket beside them, and a look at who may open them.

It keeps nothing of its own: any number of them run side by side, and each may be killed at any moment.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from tablebridge.archive.settling import SiteFindings
from tablebridge.hall.acts import FarWay
from tablebridge.hall.app import create_hall
from tablebridge.hall.configurations import Configurations
from tablebridge.hall.desk import HallDesk
from tablebridge.hall.following import Follower
from tablebridge.hall.history import History
from tablebridge.hall.people import People
from tablebridge.hall.tables import Tables
from tablebridge.settings.site import Web
from tablebridge.stream.connection import Credentials, check_servers
from tablebridge.watchdog import Watchdog
from tablebridge.web.assets import Assets
from tablebridge.web.server import Tended, listen, serve_application, url_of

_LOOK_S: Final = 1.0
_log: Final = logging.getLogger(__name__)


def serve_hall(
    engine: Engine,
    site: str,
    servers: Sequence[str],
    credentials: Credentials,
    web: Web,
    started: Callable[[str], None] = lambda url: None,
    *,
    replicas: int = 3,
) -> None:
    """Serve the pages until SIGTERM or SIGINT. `started` is called with the address once it answers. Raises
    ConfigError.
    """
    check_servers(servers)
    listener = listen(web)
    tables, people = Tables(), People(engine)
    follower = Follower(tables, servers, credentials, replicas)
    desk = HallDesk(
        tokens=people,
        assets=Assets(),
        language=web.language,
        site=site,
        tables=tables,
        history=History(engine, site),
        acts=FarWay(site, lambda: follower.client),
        configurations=Configurations(lambda: follower.client),
        findings=SiteFindings(engine, site),
    )
    watchdog = Watchdog()

    def ready() -> None:
        url = url_of(web, listener)
        _log.info("the pages of the room are at %s", url)
        watchdog.ready(url)
        started(url)

    async def run() -> None:
        beside = [asyncio.create_task(work) for work in (follower.run(), _looking(people))]
        try:
            tended = Tended(tables.check, tables.close)
            await serve_application(create_hall(desk, web), tended, listener, ready, watchdog)
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            engine.dispose()

    asyncio.run(run())


async def _looking(people: People) -> None:
    """Look every second who may open the pages."""
    failing = False
    while True:
        try:
            await asyncio.to_thread(people.look)
            failing = False
        except SQLAlchemyError as error:
            if not failing:
                _log.warning(
                    "the database does not answer (%s): nobody new can sign in",
                    (str(error) or type(error).__name__).splitlines()[0][:200],
                )
            failing = True
        await asyncio.sleep(_LOOK_S)
