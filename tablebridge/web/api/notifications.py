"""What notifications lead back to: the button that takes an alert, and a test of the way to a person."""

import time
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Request

from tablebridge.bus import topics
from tablebridge.bus.messages import Reply, encode
from tablebridge.model.alerts import AlertChange
from tablebridge.model.calls import TestCall, command_id
from tablebridge.web.answers import Answer
from tablebridge.web.api.commands import body_as, command_of, run
from tablebridge.web.auth import Token
from tablebridge.web.desk import TheDesk, requires
from tablebridge.web.guard import Denied, secret_of
from tablebridge.web.notifications import Given

router = APIRouter(prefix="/api")

AlertWriter = Annotated[Token, Depends(requires("alerts-write"))]


class PassBody(msgspec.Struct, forbid_unknown_fields=True):
    """The button of a notification. `id`: `pass-` and the first 32 letters of the SHA-256 of its secret."""

    id: str


class TestBody(msgspec.Struct, forbid_unknown_fields=True):
    """A test notification is wanted, under this id."""

    id: str


class Sent(msgspec.Struct, frozen=True):
    """What became of a test. `sent`: it is on its way. `sentence`: where to, or why not."""

    sent: bool
    sentence: str


async def _given(desk: TheDesk, request: Request) -> Given:
    """The pass that the request shows. Raises Denied 403 for a token of a person, 401 for nothing that is
    valid.
    """
    secret = secret_of(request, in_address=False)
    if secret and desk.tokens.find(secret) is not None:
        raise Denied(403, "This address is for the button of a notification. Open the floor page.")
    given = desk.hub.notifications.find(secret, time.time_ns()) if secret else None
    if given is None:
        raise Denied(401, "This button is not valid any more: the alert is closed, or another person goes.")
    return given


@router.post("/pass", response_model=None)
async def take_pass(
    desk: TheDesk,
    given: Annotated[Given, Depends(_given)],
    body: Annotated[PassBody, body_as(PassBody)],
) -> Answer[Reply]:
    """Take the incident of a notification: its pass is the bearer token. Once, by the person who was
    notified, who needs a valid floor token as for the page.
    """
    table, right = given
    if body.id != command_id(right.digest):
        raise Denied(400, "The id of this command is not that of its pass.")
    me = next(
        (
            token
            for token in desk.tokens.all()
            if token.name == right.by and token.may("alerts-write", table) and desk.tokens.is_valid(token)
        ),
        None,
    )
    if me is None:
        raise Denied(
            403, "%(person)s has no valid floor token for this table. Ask for a new link.", person=right.by
        )
    change = AlertChange(right.alert, "taken", me.name)
    return await run(desk, table, command_of(body.id, me, alert=change, also=right.also))


@router.post("/shift/test", response_model=None)
async def test_notification(
    desk: TheDesk, me: AlertWriter, body: Annotated[TestBody, body_as(TestBody)]
) -> Answer[Sent]:
    """Send a test notification to the phone of the person who asks for it."""
    notifier = desk.hub.notifications.state
    if notifier is None or notifier.state != "online" or desk.hub.bus_away or desk.hub.send is None:
        sentence = desk.texts.gettext("Notifications do not run here: keep this page open, with sound.")
        return Answer(Sent(False, sentence))
    if me.name not in {person.name for person in notifier.people} and not notifier.more_people:
        sentence = desk.texts.gettext(
            "The file of people does not name %(name)s: no phone is notified.", name=me.name
        )
        return Answer(Sent(False, sentence))
    failing = [way for way in notifier.failing if f" of {me.name}" in way]
    topic = topics.TEST_CALL.of(desk.hub.site, next(iter(desk.hub.tables)))
    desk.hub.send(topic, encode(TestCall(body.id, me.name)))
    if failing:
        sentence = desk.texts.gettext(
            "A test is on its way to %(name)s. It failed last: %(ways)s.",
            name=me.name,
            ways=", ".join(failing),
        )
        return Answer(Sent(True, sentence))
    sentence = desk.texts.gettext("A test is on its way to the phone of %(name)s.", name=me.name)
    return Answer(Sent(True, sentence))
