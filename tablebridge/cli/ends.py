"""When something that is given to a person ends, as an option of a command."""

import time
from datetime import datetime, timedelta
from typing import Final

import click

_UNITS: Final = {"m": 60, "h": 3600, "d": 86_400}
_LONGEST_S: Final = 10 * 366 * 86_400


class End(click.ParamType[int]):
    """When a token ends, in seconds since 1970: `30m`, `8h`, `14d` from now, or a date or time of the local
    clock.
    """

    name = "end"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text, now = str(value), time.time()
        number, unit = text[:-1], text[-1:]
        if number.isascii() and number.isdigit() and len(number) < 6 and unit in _UNITS:
            end = now + int(number) * _UNITS[unit]
        else:
            try:
                at = datetime.fromisoformat(text)
                # A date alone: good until that day is over.
                end = (at + timedelta(days=1) if len(text) == len("2026-12-31") else at).timestamp()
            except (ValueError, OverflowError, OSError):
                end = 0.0
        if not now < end <= now + _LONGEST_S:
            self.fail(
                f"{text!r} is no end that lies ahead; give 30m, 8h, 14d, a date such as 2026-12-31 or a "
                "time such as "
                "2026-12-31T23:30",
                param,
                ctx,
            )
        return int(end)
