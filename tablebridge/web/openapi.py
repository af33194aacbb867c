"""The REST interface as an OpenAPI 3.1 document, made from the routes and the types that they name.

A handler names the type of its answer as `Answer[TYPE]`, and that of its body as the type of its parameter
`body`; both are msgspec types, whose JSON Schema msgspec makes. Pages and streams are not part of it:
docs/api.md has the streams.

`python -m tablebridge.web.openapi > docs/openapi.json` writes it.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from tablebridge import __version__
from tablebridge.model.json_schema import tidied
from tablebridge.web.answers import Refusal
from tablebridge.web.guard import DIRECTOR

_SCHEMAS: Final = "#/components/schemas"
_REFUSALS: Final = {
    "401": "not signed in",
    "403": "not allowed",
}
_PUBLIC: Final = ("/health", "/health/ready")


def document(app: FastAPI) -> dict[str, Any]:
    """The document of the routes of this application that are part of the interface."""
    routes = [route for route in _routes(app) if route.include_in_schema]
    made = get_openapi(
        title="tablebridge",
        version=__version__,
        openapi_version="3.1.0",
        description="Reads the state of tables and writes what people decide. docs/api.md has the rules.",
        routes=routes,
        license_info={"name": "Apache-2.0"},
    )
    kinds: dict[type[Any], None] = {
        Refusal: None,
        **dict.fromkeys(kind for route in routes for kind in _kinds(route)),
    }
    references, schemas = msgspec.json.schema_components(kinds, ref_template=_SCHEMAS + "/{name}")
    reference = dict(zip(kinds, references, strict=True))
    for route in routes:
        for method in route.methods or ():
            _complete(made["paths"][route.path_format][method.lower()], route, reference)
    made["components"] = {
        "schemas": {name: tidied(schema) for name, schema in sorted(schemas.items())},
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
    }
    return made


def _routes(app: FastAPI) -> Iterable[APIRoute]:
    """The routes of the application and of the routers in it."""
    for holder in app.routes:
        for route in getattr(getattr(holder, "original_router", None), "routes", [holder]):
            if isinstance(route, APIRoute):
                yield route


def answer_of(route: APIRoute) -> type[Any] | None:
    """The type of the route's answer; None if it answers with something that is not JSON."""
    arguments = get_args(get_type_hints(route.endpoint).get("return"))
    return arguments[0] if arguments else None


def body_of(route: APIRoute) -> type[Any] | None:
    """The type of the route's body, if it has one."""
    kind: type[Any] | None = get_type_hints(route.endpoint).get("body")
    return kind


def _kinds(route: APIRoute) -> Iterable[type[Any]]:
    return [kind for kind in (answer_of(route), body_of(route)) if kind is not None]


def _complete(operation: dict[str, Any], route: APIRoute, reference: dict[type[Any], Any]) -> None:
    """Put in what FastAPI does not know: types of answers and bodies, refusals, who may."""
    operation["operationId"] = route.name
    operation["description"] = " ".join(operation.get("description", "").split())
    refusal = _json(reference[Refusal])
    answer, body = answer_of(route), body_of(route)
    responses = {"200": {"description": "done", **(_text() if answer is None else _json(reference[answer]))}}
    for status, why in route.responses.items():
        responses[str(status)] = {**why, **refusal}
    if route.path not in _PUBLIC:
        operation["security"] = [{"token": []}]
        responses |= {status: {"description": why, **refusal} for status, why in _REFUSALS.items()}
    if "{table}" in route.path:
        responses["404"] = {"description": "there is no such table, alert, picture or order", **refusal}
    if route.path.startswith(DIRECTOR) and "POST" in (route.methods or ()):
        responses["504"] = {"description": "the order reveals something and was not recorded", **refusal}
    if body is not None and answer is not None:
        operation["requestBody"] = {"required": True, **_json(reference[body])}
        responses["400"] = {"description": "the body cannot be understood", **refusal}
        responses["409"] = {
            "description": "the engine refused; nothing was changed",
            **_json(reference[answer]),
        }
        responses["504"] = {"description": "the engine is away or did not answer in time", **refusal}
    if route.path == "/health/ready" and answer is not None:
        responses["503"] = {"description": "a table is not followed", **_json(reference[answer])}
    operation["responses"] = dict(sorted(responses.items()))


def _json(schema: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}}


def _text() -> dict[str, Any]:
    return {"content": {"text/plain": {"schema": {"type": "string"}}}}


def text() -> str:
    """The document as it is committed."""
    from tablebridge.settings.site import Site, Web
    from tablebridge.web.app import create_app
    from tablebridge.web.hub import Hub

    site = Site(name="site", state_dir=Path("/nonexistent"), web=Web(port=0))
    return json.dumps(document(create_app(site, Hub(site))), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
