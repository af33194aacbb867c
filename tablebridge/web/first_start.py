"""The pages of the first start: nobody has a token yet, so whoever sits at the box is let in, once.

The set-up process starts this one beside it. It listens on loopback alone and serves the set-up and nothing
else. Its link is good for one sign-in: the browser gets another secret for it, which is good until this
process ends. Neither is ever on a disk.

`python -m tablebridge.web.first_start SOCKET PORT`
"""

import asyncio
import hmac
import secrets
import sys
from pathlib import Path
from typing import Final

from tablebridge.model.errors import TablebridgeError
from tablebridge.settings.site import Site, Web
from tablebridge.web.api import setup as api_setup
from tablebridge.web.app import application, make_desk
from tablebridge.web.auth import Right, Token, Tokens
from tablebridge.web.hub import Hub
from tablebridge.web.pages import files, service, setup, signing_in
from tablebridge.web.server import Tended, listen, serve_application, url_of
from tablebridge.web.setup_link import SetupLink

_ROUTERS: Final = (service.router, files.router, signing_in.router, setup.router, api_setup.router)


class _AtTheBox(Token, frozen=True):
    """Whoever was let in by the link. It opens the set-up and nothing else: who can start that on the box may
    give out tokens on its terminal as well.
    """

    def may(self, right: Right, table: str | None = None) -> bool:
        """Whether it is the set-up, or to give people their tokens there."""
        return right in ("setup", "people")


class SingleLink(Tokens):
    """The one link of a first start. `link`: its secret."""

    def __init__(self) -> None:
        super().__init__(Path())
        self.link = f"tb_{secrets.token_urlsafe(32)}"
        self._unused = True
        self._session = secrets.token_urlsafe(32)
        self._person = _AtTheBox("first", "", "technician", "at the box")

    def all(self) -> list[Token]:
        """The one person."""
        return [self._person]

    def find(self, secret: str) -> Token | None:
        """The person, if this is the secret of the browser that was let in."""
        return self._person if hmac.compare_digest(secret.encode(), self._session.encode()) else None

    def exchange(self, secret: str) -> tuple[Token, str] | None:
        """The person and the browser's secret for the link, once."""
        if self._unused and hmac.compare_digest(secret.encode(), self.link.encode()):
            self._unused = False
            return self._person, self._session
        known = self.find(secret)
        return None if known is None else (known, secret)


def serve_first_start(socket: Path, port: int) -> None:
    """Serve until SIGTERM, and print the link once it can be opened. Raises ConfigError."""
    site = Site(state_dir=socket.parent, web=Web(listen="127.0.0.1", port=port))
    listener = listen(site.web)
    tokens = SingleLink()
    link = f"{url_of(site.web, listener)}/login?token={tokens.link}&next=/setup"

    async def run() -> None:
        hub, setup_link = Hub(site), SetupLink(socket)
        desk = make_desk(site, hub, tokens, setup_link)
        receiving = asyncio.create_task(setup_link.run())
        try:
            app = application(desk, _ROUTERS, site.web)
            await serve_application(app, Tended(hub.check_engines, hub.close), listener, lambda: _say(link))
        finally:
            receiving.cancel()

    asyncio.run(run())


def _say(line: str) -> None:
    """A line for the process that started this one."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        serve_first_start(Path(sys.argv[1]), int(sys.argv[2]))
    except TablebridgeError as error:
        sys.exit(str(error))
