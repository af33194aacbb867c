"""What every application of our pages has, whatever they show: who may come in, and how pages are made."""

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from starlette.responses import HTMLResponse, Response

from tablebridge.languages import Language
from tablebridge.languages.texts import Texts
from tablebridge.web.assets import Assets
from tablebridge.web.auth import Token


class Keys(Protocol):
    """The tokens of the persons who may come in. `find` and `exchange` may wait for a disk or a database, so
    that they are called in threads.
    """

    def find(self, secret: str) -> Token | None:
        """The token with this secret, unless it has expired."""
        ...

    def known(self, secret: str) -> Token | None:
        """The same, by what is known already: it waits for nothing."""
        ...

    def exchange(self, secret: str) -> tuple[Token, str] | None:
        """The token that a person shows when signing in, and the secret of the browser from then on."""
        ...

    def is_valid(self, token: Token) -> bool:
        """Whether a token that was found before is still valid."""
        ...


@dataclass(frozen=True, kw_only=True)
class Reception:
    """Who may come in, and the pages. `language`: the site's. For a request `assets` are in the language of
    its answer, and `path` is its address. `navigation`: the template with the links of its pages.
    """

    tokens: Keys
    assets: Assets
    language: Language = "en"
    path: str = "/"
    navigation: ClassVar[str] = "navigation.html"

    @property
    def texts(self) -> Texts:
        """The texts in the language of the answer."""
        return self.assets.texts

    def page(
        self, name: str, me: Token | None, here: str = "", *, http_status: int = 200, **values: Any
    ) -> Response:
        """A whole page. `me` is None if nobody is signed in; `here` is the entry of the navigation that is
        marked.
        """
        page = self.assets.page(name, me=me, here=here, path=self.path, navigation=self.navigation, **values)
        return HTMLResponse(page, http_status)
