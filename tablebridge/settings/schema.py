"""The JSON Schema of the site file, with which an editor completes keys and marks faults while they are
typed.

`python -m tablebridge.settings.schema` prints it. It knows keys, types and
bounds; what only the whole file shows, such as a name that stands twice, `tablebridge site check` says.
"""

import json
import sys
from typing import Any

from pydantic import BaseModel

from tablebridge import __version__
from tablebridge.model.json_schema import tidied
from tablebridge.settings.site import Site


def site_schema() -> dict[str, Any]:
    """The schema (JSON Schema, draft 2020-12)."""
    return schema_of(Site, "The site file of tablebridge")


def schema_of(model: type[BaseModel], title: str) -> dict[str, Any]:
    """The schema of a file that this model describes."""
    made: dict[str, Any] = tidied(model.model_json_schema(by_alias=True), _without_title)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{title} {__version__}",
    }
    return {**head, **{key: value for key, value in made.items() if key != "title"}}


def _without_title(part: dict[str, Any]) -> dict[str, Any]:
    """Without the title that pydantic makes of a name."""
    return {name: value for name, value in part.items() if name != "title" or not isinstance(value, str)}


def text() -> str:
    """The schema as it is committed."""
    return written(site_schema())


def written(schema: dict[str, Any]) -> str:
    """A schema as text."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
