"""The description of the REST interface is what the code does."""

from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from rig.documents import DOCS

from tablebridge.web import openapi
from tablebridge.web.app import create_app
from tablebridge.web.guard import DIRECTOR
from tablebridge.web.hub import Hub

from .hall import Hall, misdeal, site, until, view

COMMITTED: dict[str, Any] = msgspec.json.decode((DOCS / "openapi.json").read_bytes())


def schema_of(path: str, method: str, status: int) -> dict[str, Any]:
    content = COMMITTED["paths"][path][method]["responses"][str(status)]["content"]
    return {**content["application/json"]["schema"], "components": COMMITTED["components"]}


def test_the_committed_document_is_the_code() -> None:
    assert (DOCS / "openapi.json").read_text() == openapi.text(), (
        "python -m tablebridge.web.openapi > docs/openapi.json"
    )


def test_every_route_of_the_interface_is_described_and_names_its_types(hall: Hall) -> None:
    here = site(hall.folder)
    routes = list(openapi._routes(create_app(here, Hub(here))))
    paths = {route.path for route in routes if route.path.startswith(("/api/", "/health", "/metrics"))}
    assert paths - {"/api/openapi.json"} == set(COMMITTED["paths"])
    for route in routes:
        if route.path.startswith("/api/") and route.path != "/api/openapi.json":
            answer = openapi.answer_of(route)
            assert answer is not None and issubclass(answer, msgspec.Struct), route.path
            # A stream deck posts to an address of the director without a body.
            writes = "POST" in (route.methods or ()) and not route.path.startswith(DIRECTOR)
            assert writes == (openapi.body_of(route) is not None), route.path


def test_every_reference_leads_somewhere_and_every_name_is_used_once() -> None:
    text = msgspec.json.encode(COMMITTED).decode()
    names = set(COMMITTED["components"]["schemas"])
    used = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert used == names
    operations = [
        operation["operationId"] for path in COMMITTED["paths"].values() for operation in path.values()
    ]
    assert len(operations) == len(set(operations))


def test_only_liveness_and_readiness_are_open() -> None:
    open_paths = {
        path
        for path, operations in COMMITTED["paths"].items()
        if any("security" not in operation for operation in operations.values())
    }
    assert open_paths == {"/health", "/health/ready"}


def test_what_is_answered_is_what_is_described(hall: Hall) -> None:
    hall.engine.show(view(rev=900))
    alert = hall.engine.raise_alert(misdeal("950.0"))
    until(lambda: any(found["id"] == alert for found in hall.alerts()), "the alert is listed")
    for path, role in (
        ("/api/tables", "floor"),
        ("/api/tables/main/state", "floor"),
        ("/api/alerts", "floor"),
        ("/api/devices", "technician"),
        ("/health", None),
        ("/health/ready", None),
    ):
        answer = hall.get(path, role)  # type: ignore[arg-type]
        schema = schema_of(path.replace("/main", "/{table}"), "get", answer.status_code)
        Draft202012Validator(schema).validate(answer.json())
    body = {"id": hall.new_id(), "lines": ["bet 4 300"]}
    answer = hall.post("/api/tables/main/lines", "operator", body)
    Draft202012Validator(schema_of("/api/tables/{table}/lines", "post", 200)).validate(answer.json())
    for path, status in (("/api/tables", 401), ("/api/tables/none/state", 404)):
        answer = hall.get(path, "floor" if status == 404 else None)
        assert answer.status_code == status
        key = path.replace("/none", "/{table}")
        Draft202012Validator(schema_of(key, "get", status)).validate(answer.json())


@pytest.mark.parametrize("role", ["floor", "technician"])
def test_the_description_is_served_behind_a_token(hall: Hall, role: str) -> None:
    assert hall.http.get(hall.url + "/api/openapi.json").status_code == 401
    assert hall.get("/api/openapi.json", role).json() == COMMITTED  # type: ignore[arg-type]
