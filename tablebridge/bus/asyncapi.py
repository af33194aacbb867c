"""The bus as an AsyncAPI 3.0 document, made from the topic list and the message types, for those who read it
by machine.

`python -m tablebridge.bus.asyncapi > docs/asyncapi.json` writes it.
"""

import json
import sys
from typing import Any, Final

import msgspec

from tablebridge.bus.messages import CEILING, MESSAGES, SCHEMA
from tablebridge.bus.topics import ROOT, TOPICS, Topic
from tablebridge.model.json_schema import tidied

_SCHEMAS: Final = "#/components/schemas"


def document() -> dict[str, Any]:
    """The whole document. `send` and `receive` are the writer's and the readers' side, one operation each."""
    references, schemas = msgspec.json.schema_components(MESSAGES.values(), ref_template=_SCHEMAS + "/{name}")
    payloads = dict(zip(MESSAGES, references, strict=True))
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "tablebridge",
            "version": str(SCHEMA),
            "license": {"name": "Apache-2.0"},
            "description": f"What tablebridge says on MQTT. Topics are below {ROOT}; docs/mqtt.md has the "
            f"rules. No payload is longer than {CEILING} bytes.",
        },
        "defaultContentType": "application/json",
        "servers": {
            "box": {
                "host": "127.0.0.1:1883",
                "protocol": "mqtt",
                "protocolVersion": "3.1.1",
                "security": [{"type": "userPassword"}],
                "description": "The broker on the box. Each group of devices has an account, dev-GROUP; "
                "the others are named after their roles.",
            }
        },
        "channels": {topic.name: _channel(topic) for topic in TOPICS},
        "operations": {
            f"{verb}-{topic.name}": _operation(topic, verb)
            for topic in TOPICS
            for verb in ("send", "receive")
        },
        "components": {
            "messages": {name: {"name": name, "payload": payload} for name, payload in payloads.items()},
            "schemas": {name: tidied(schema, _with_known_discriminator) for name, schema in schemas.items()},
        },
    }


def _channel(topic: Topic) -> dict[str, Any]:
    address, parameters = (
        topic.filter("{site}", "{table}"),
        {"site": "the site's name", "table": "the table's name"},
    )
    if topic.named:
        who = topic.named
        address, parameters[who] = address.replace("+", f"{{{who}}}"), f"the {who}'s name"
    return {
        "address": address,
        "description": topic.meaning,
        "parameters": {name: {"description": text} for name, text in parameters.items()},
        "messages": {topic.message: {"$ref": f"#/components/messages/{topic.message}"}},
    }


def _operation(topic: Topic, verb: str) -> dict[str, Any]:
    who = topic.writer if verb == "send" else ", ".join(topic.readers)
    return {
        "action": verb,
        "channel": {"$ref": f"#/channels/{topic.name}"},
        "summary": f"by {who}",
        "bindings": {"mqtt": {"bindingVersion": "0.2.0", "qos": topic.qos, "retain": topic.retained}},
    }


def _with_known_discriminator(part: dict[str, Any]) -> dict[str, Any]:
    """With the discriminator that AsyncAPI knows: the name of the property (3.0.0, "Schema Object").
    OpenAPI's object, which msgspec makes, is refused by AsyncAPI's parser; each alternative names its own
    value as a constant, so nothing is lost.
    """
    if isinstance(part.get("discriminator"), dict):
        part["discriminator"] = part["discriminator"]["propertyName"]
    return part


def text() -> str:
    """The document as it is committed."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
