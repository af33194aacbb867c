"""Scripts, styles, icons and templates, read once at start: no request of a browser is looked up on disk."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from tablebridge.web import formatting

_HERE: Final = Path(__file__).parent
_TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".html": "text/html; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}


class Asset(NamedTuple):
    """A static file."""

    body: bytes
    media_type: str


class Assets:
    """Static files by name. `version` changes with any of them and of the templates; it is part of every
    address. `icons`: drawings by name, as parts of a page.
    """

    def __init__(self) -> None:
        files = sorted(
            path
            for folder in ("static", "templates", "icons")
            for path in (_HERE / folder).rglob("*")
            if path.is_file()
        )
        digest = hashlib.sha256()
        for path in files:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        self.version = digest.hexdigest()[:12]
        self.root = f"/static/{self.version}"
        self.files = {
            path.name: Asset(path.read_bytes(), _TYPES[path.suffix])
            for path in files
            if path.parent.name == "static"
        }
        self.icons = {
            path.stem: Markup(path.read_text())
            for path in files
            if path.suffix == ".svg" and path.parent.name == "icons"
        }
        self._templates = self._environment()
        self._blocks = self._macros()

    def page(self, name: str, **values: Any) -> str:
        """A whole page."""
        return self._templates.get_template(name).render(**values)

    def block(self, name: str, *values: Any) -> str:
        """One block of a page, as it stands in the page."""
        return str(self._blocks[name](*values))

    def _macros(self) -> dict[str, Callable[..., str]]:
        """The macros of the templates in `blocks`, by their names, which differ from each other."""
        modules = [
            self._templates.get_template(name).module
            for name in self._templates.list_templates(filter_func=lambda name: name.startswith("blocks/"))
        ]
        return {name: macro for module in modules for name, macro in vars(module).items() if callable(macro)}

    def _environment(self) -> Environment:
        """The templates, with the functions of `formatting` by their names."""
        environment = Environment(
            loader=FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n"],
        )
        environment.install_null_translations(newstyle=True)  # type: ignore[attr-defined]
        environment.globals.update(
            static=self.root,
            icon=lambda name: self.icons[name],
            assets=self.version,
            shapes=formatting.SHAPES,
            states=formatting.STATES,
            **{function.__name__: function for function in formatting.FUNCTIONS},
        )
        environment.filters["chips"] = formatting.chips
        environment.filters["table_title"] = formatting.table_title
        return environment
