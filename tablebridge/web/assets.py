"""Scripts, styles, icons and templates, read once at start: no request of a browser is looked up on disk."""

import hashlib
from collections import Counter
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

from tablebridge.languages import NAMES, Shown
from tablebridge.languages.texts import FOLDER as CATALOGUES
from tablebridge.languages.texts import texts
from tablebridge.model.conduct_events import OFFENCES
from tablebridge.web import formatting, heard, wording
from tablebridge.web.terms import TERMS

_HERE: Final = Path(__file__).parent
_TYPES: Final = {
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
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


class _Compiled(BytecodeCache):
    """Compiled templates by their names: a template is compiled once for all languages."""

    def __init__(self) -> None:
        self._code: dict[str, Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get(bucket.key)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key] = bucket.code


class _Static:
    """The files that are the same in all languages, and the compiled templates. `version` changes with any
    file, template and catalogue. `graphics`: those of graphics for other programs; `cards`: their pictures;
    `icons`: drawings by name, as parts of a page.
    """

    def __init__(self) -> None:
        files = sorted(
            path
            for folder in (_HERE / "static", _HERE / "templates", _HERE / "icons", CATALOGUES)
            for path in folder.rglob("*")
            if path.suffix in (*_TYPES, ".po")
        )
        digest = hashlib.sha256()
        for path in files:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        self.version = digest.hexdigest()[:12]
        self.files = {
            path.name: Asset(path.read_bytes(), _TYPES[path.suffix])
            for path in files
            if path.parent.name == "static"
        }
        self.graphics = {
            path.name: Asset(path.read_bytes(), _TYPES[path.suffix])
            for path in sorted((_HERE / "graphics").iterdir())
            if path.is_file()
        }
        self.cards = {path.stem: path.read_bytes() for path in sorted((_HERE / "cards").glob("*.png"))}
        self.icons = {
            path.stem: Markup(path.read_text())
            for path in files
            if path.suffix == ".svg" and path.parent.name == "icons"
        }
        self.compiled = _Compiled()


class Assets:
    """Static files by name, and the pages in one language. `version` is part of the address of each file."""

    _static: _Static

    def __init__(self, language: Shown = "en", beside: "Assets | None" = None) -> None:
        self._static = beside._static if beside else _Static()
        self._languages: dict[Shown, Assets] = beside._languages if beside else {}
        self._languages[language] = self
        self.version = self._static.version
        self.root = f"/static/{self.version}"
        self.files = self._static.files
        self.graphics = self._static.graphics
        self.cards = self._static.cards
        self.icons = self._static.icons
        self.texts = texts(language)
        self._templates = self._environment()

    def in_language(self, language: Shown) -> "Assets":
        """The same in another language."""
        return self._languages.get(language) or Assets(language, self)

    def page(self, name: str, **values: Any) -> str:
        """A whole page."""
        return self._templates.get_template(name).render(**values)

    def block(self, name: str, *values: Any) -> str:
        """One block of a page, as it stands in the page."""
        return str(self._blocks[name](*values))

    @cached_property
    def _blocks(self) -> dict[str, Callable[..., str]]:
        """The macros of the templates in `blocks`, by their names. ValueError: two of them have the same."""
        modules = [
            self._templates.get_template(name).module
            for name in self._templates.list_templates(filter_func=lambda name: name.startswith("blocks/"))
        ]
        macros = [
            (name, macro) for module in modules for name, macro in vars(module).items() if callable(macro)
        ]
        for name, times in Counter(name for name, _ in macros).items():
            if times > 1:
                raise ValueError(f"{times} blocks are called {name}: rename all but one")
        return dict(macros)

    def _environment(self) -> Environment:
        """The templates, with the functions of `formatting` and `wording` by their names."""
        environment = Environment(
            loader=FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n"],
            bytecode_cache=self._static.compiled,
        )
        environment.install_gettext_translations(  # type: ignore[attr-defined]
            self.texts.translations, newstyle=True
        )
        environment.globals.update(
            static=self.root,
            icon=lambda name: self.icons[name],
            assets=self.version,
            language=self.texts.language,
            lang=self.texts.tag,
            languages=NAMES,
            shapes=formatting.SHAPES,
            offences=OFFENCES,
            states={state: wording.term(self.texts, "alert", state) for state in TERMS["alert"]},
            **{function.__name__: function for function in formatting.FUNCTIONS},
            **{
                function.__name__: partial(function, self.texts)
                for function in (*wording.FUNCTIONS, heard.heard, heard.consequence)
            },
        )
        environment.filters["chips"] = formatting.chips
        environment.filters["number"] = self.texts.number
        environment.filters["moment"] = self.texts.moment
        environment.filters["place"] = partial(wording.place, self.texts)
        environment.filters["table_title"] = partial(wording.table_title, self.texts)
        return environment
