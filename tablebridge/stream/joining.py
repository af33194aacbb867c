"""How a box comes to its credentials: a token, one request, one answer.

    room:  site add-box NAME     token = servers, and a user of ten minutes that may ask for this box alone
    box:   join TOKEN            makes a key, asks with its public half
    room:  the same add-box      signs that key's certificate and answers, once; ends

The private key never leaves the box. Whoever else has the token can join in the box's place for as long as
`add-box` waits, and then the box cannot: so it is noticed.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Annotated, Final

import msgspec

from tablebridge.model.errors import ConfigError
from tablebridge.stream.claims import Rights
from tablebridge.stream.commands import commands_of_box, rights_of_asker
from tablebridge.stream.configuration import RUNS, VERSIONS, key_of, stream_of
from tablebridge.stream.connection import inbox_of
from tablebridge.stream.message import CONSUMER, STREAM, subjects_of_box
from tablebridge.stream.pictures import PICTURES, pictures_of_box

TOKEN_S: Final = 600
PAGES: Final = "pages"
"""The account of the room's pages."""
_PREFIX: Final = "tbj1."
_LONGEST: Final = 20_000
_ANSWERS_S: Final = 30


class Token(msgspec.Struct, frozen=True):
    """What a box needs to ask. `credentials`: of the user that may ask; `ca`: the certificates of the room's
    authority, empty for the system's.
    """

    servers: tuple[str, ...]
    site: str
    box: str
    credentials: str
    ca: str = ""


class Request(msgspec.Struct, frozen=True):
    """A box asks for its certificate. `key`: the public half of its key."""

    key: Annotated[str, msgspec.Meta(max_length=100)]


class Answer(msgspec.Struct, frozen=True):
    """Its certificate, the key for which hidden faces are sealed, as hex, and that with which the room signs
    configurations; or why there is none.
    """

    certificate: str = ""
    seal: str = ""
    refused: str = ""
    authority: str = ""


def write_token(token: Token) -> str:
    """The token as one word."""
    return _PREFIX + urlsafe_b64encode(msgspec.json.encode(token)).decode().rstrip("=")


def read_token(text: str) -> Token:
    """The token that this word is. Raises ConfigError."""
    text = text.strip()
    try:
        if not text.startswith(_PREFIX) or len(text) > _LONGEST:
            raise ValueError
        rest = text.removeprefix(_PREFIX)
        return msgspec.json.decode(urlsafe_b64decode(rest + "=" * (-len(rest) % 4)), type=Token)
    except ValueError:
        raise ConfigError(
            "this is no token of `tablebridge site add-box`: copy the whole word that it prints"
        ) from None


def join_subject(site: str, box: str) -> str:
    """The subject on which a box asks."""
    return f"tb.v1.{site}.join.{box}"


def joiner_name(box: str) -> str:
    """The account of a box that has not joined."""
    return f"join-{box}"


def rights_of_joiner(site: str, box: str) -> Rights:
    """It may ask for this box, and hear the answer."""
    return Rights([join_subject(site, box)], [f"{inbox_of(joiner_name(box))}.>"])


def rights_of_box(site: str, box: str) -> Rights:
    """A box may publish records and pictures of its own tables, ask for the last of the records, and hear the
    answers; it hears what is asked of its own tables, and answers that. It may read its configuration and say
    which runs.
    """
    own = subjects_of_box(site, box)
    heard = [f"{inbox_of(box)}.>", commands_of_box(site, box)]
    asked = [(STREAM, own), (stream_of(VERSIONS), key_of(VERSIONS, box))]
    gets = [f"$JS.API.DIRECT.GET.{stream}.{subject}" for stream, subject in asked]
    return Rights([own, pictures_of_box(box), key_of(RUNS, box), *gets], heard, _ANSWERS_S)


def rights_of_archive() -> Rights:
    """The archive may make the stream and its consumer, take records, and acknowledge them; it may publish
    none.
    """
    asks = [
        f"$JS.API.STREAM.INFO.{STREAM}",
        f"$JS.API.STREAM.CREATE.{STREAM}",
        f"$JS.API.CONSUMER.INFO.{STREAM}.{CONSUMER}",
        f"$JS.API.CONSUMER.CREATE.{STREAM}.{CONSUMER}",
        f"$JS.API.CONSUMER.DURABLE.CREATE.{STREAM}.{CONSUMER}",
        f"$JS.API.CONSUMER.MSG.NEXT.{STREAM}.{CONSUMER}",
        f"$JS.ACK.{STREAM}.{CONSUMER}.>",
    ]
    return Rights(asks, [f"{inbox_of('archive')}.>"])


def rights_of_pages(site: str) -> Rights:
    """The room's pages may make the bucket of pictures and follow it, ask acts on alerts of every box of the
    site, and read what boxes say of their configurations; they may write neither.
    """
    asks = [
        f"$JS.API.STREAM.INFO.{PICTURES}",
        f"$JS.API.STREAM.CREATE.{PICTURES}",
        f"$JS.API.CONSUMER.CREATE.{PICTURES}.*",
        f"$JS.API.CONSUMER.DELETE.{PICTURES}.*",
        f"$JS.API.DIRECT.GET.{stream_of(RUNS)}.{key_of(RUNS, '*')}",
    ]
    acts = rights_of_asker(site, PAGES)
    return Rights([*asks, *acts.publish], acts.subscribe)


def rights_of_admission(site: str, box: str) -> Rights:
    """`site add-box` hears the request of this box and answers it."""
    return Rights([f"{inbox_of(joiner_name(box))}.>"], [join_subject(site, box)])
