"""Rows of text as JSON, CSV and XML."""

import csv
import io
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

import msgspec

from tablebridge.web.feeds.rows import Row


class Format(NamedTuple):
    """One format: its media type, and how rows become it."""

    media_type: str
    write: Callable[[Sequence[Row]], bytes]


def _json(rows: Sequence[Row]) -> bytes:
    """An array of objects, each a row."""
    return msgspec.json.encode(rows)


def _csv(rows: Sequence[Row]) -> bytes:
    """The names of the columns, then a line for each row."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _xml(rows: Sequence[Row]) -> bytes:
    """`/rows/row`, an element for each column."""
    root = ET.Element("rows")
    for row in rows:
        element = ET.SubElement(root, "row")
        for name, value in row.items():
            ET.SubElement(element, name).text = value
    body: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return body


FORMATS: Final = {
    "json": Format("application/json", _json),
    "csv": Format("text/csv; charset=utf-8", _csv),
    "xml": Format("application/xml", _xml),
}
