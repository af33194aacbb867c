"""The root of all table events."""

import msgspec


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True):
    """One thing that happened at the table. The tag of a type is its word in table script."""
