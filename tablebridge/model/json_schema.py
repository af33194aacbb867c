"""JSON Schemas as they are published: what was made from docstrings and names is brought into their form."""

from collections.abc import Callable
from typing import Any


def tidied(schema: Any, change: Callable[[dict[str, Any]], dict[str, Any]] = lambda part: part) -> Any:
    """The schema without the line breaks of docstrings that became descriptions. `change` makes of each
    object in it, the innermost first, what is published.
    """
    if isinstance(schema, list):
        return [tidied(part, change) for part in schema]
    if not isinstance(schema, dict):
        return schema
    tidy = {name: tidied(part, change) for name, part in schema.items()}
    if isinstance(tidy.get("description"), str):
        tidy["description"] = " ".join(tidy["description"].split())
    return change(tidy)
