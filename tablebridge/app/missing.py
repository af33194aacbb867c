"""Readings that are missing, as events of the device they are missing from."""

import logging
from typing import Any, Final

from tablebridge.bus.inbox import Lost, WentBack
from tablebridge.model.events import DeviceState

_log: Final = logging.getLogger(__name__)


def missing(what: Lost | WentBack, state: Any) -> DeviceState:
    """`state`: the device's as it was known last, which this does not change."""
    if isinstance(what, Lost):
        count = what.last - what.first + 1
        _log.warning(
            "%s: %d readings can never come any more", what.device, count, extra={"device": what.device}
        )
        return DeviceState(what.device, state, (), count)
    detail = (
        f"its readings are numbered from {what.first} again and {what.due} was next: its outbox is an older "
        "copy or a "
        "new one, and what was read and not sent before is lost"
    )
    _log.warning("%s: %s", what.device, detail, extra={"device": what.device})
    return DeviceState(what.device, state, health="degraded", detail=detail)
