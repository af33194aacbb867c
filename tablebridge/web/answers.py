"""What the REST interface answers: a response that names the type of what is in it, and the types that are
only answers.
"""

from typing import Generic, TypeVar

import msgspec
from starlette.responses import Response

T = TypeVar("T")


class Answer(Response, Generic[T]):
    """A JSON answer with a value of this type."""

    def __init__(self, value: T, status: int = 200) -> None:
        self.value = value
        super().__init__(msgspec.json.encode(value), status, media_type="application/json")


class Refusal(msgspec.Struct, frozen=True):
    """A request that is not served. `sentence`: why, and what to do."""

    sentence: str


class Typed(msgspec.Struct, frozen=True):
    """It is shown who types."""

    ok: bool = True


class Liveness(msgspec.Struct, frozen=True):
    """Whether the process serves pages."""

    ok: bool


class Readiness(msgspec.Struct, frozen=True):
    """Whether every table is followed. `sentence`: what is away, empty if nothing is."""

    ready: bool
    sentence: str
