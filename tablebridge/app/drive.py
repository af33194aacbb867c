"""A driver process, joined: the devices of a group, their outbox and broker connection, of
`tablebridge drive NAME`.
"""

import logging
import signal
import time
from collections.abc import Callable
from typing import Final

from tablebridge.app.check import find_group
from tablebridge.app.group_link import GroupLink
from tablebridge.bus.access import group_account
from tablebridge.bus.account import account
from tablebridge.bus.outbox import Outbox
from tablebridge.host import registry
from tablebridge.host.clock import SystemClock
from tablebridge.host.guard import Guard
from tablebridge.host.health import Health
from tablebridge.host.loop import Loop
from tablebridge.host.supervisor import Supervisor
from tablebridge.host.tap import Tap, tapped
from tablebridge.model.errors import ConfigError
from tablebridge.model.places import is_for_chips
from tablebridge.sdk.driver import Driver, Options
from tablebridge.settings.site import Device, Group, Site
from tablebridge.settings.state import OUTBOX_FILES
from tablebridge.watchdog import Watchdog

log: Final = logging.getLogger(__name__)

Tapping = Callable[[Driver, Options], Tap]
"""Makes who listens in on a driver."""


def drive(site: Site, name: str, tap: Tapping | None = None, seconds: float = 0) -> None:
    """Run the devices of a group until SIGTERM or SIGINT, or for this number of seconds. `name`: the group,
    or one of its devices; `tap` listens in on that device. Raises ConfigError, BrokerError.
    """
    group = find_group(site, name)
    user, password = account(site, group_account(group.name))
    watchdog = Watchdog()
    outbox = Outbox(OUTBOX_FILES.path(site.state_dir, group.name))
    try:
        guard = Guard(outbox.folder)
        try:
            link = GroupLink(site, group, outbox, user, password)
            devices = _supervisors(site, group, link, guard, {name: tap} if tap is not None else {})
            loop = Loop(group.name, devices, link, watchdog, guard)
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
                signal.signal(number, lambda _number, _frame: loop.stop())
            signal.setitimer(signal.ITIMER_REAL, seconds)
            try:
                loop.run()
            finally:
                watchdog.stopping()
                link.close()
        finally:
            guard.close()
    finally:
        outbox.close()


def _supervisors(
    site: Site, group: Group, link: GroupLink, guard: Guard, taps: dict[str, Tapping]
) -> list[Supervisor]:
    """The supervisors of a group's devices. A device whose driver cannot be used is reported as lost, and
    the others run. Raises ConfigError if none can be used.
    """
    made, failed = [], []
    (table,) = (table for table in site.tables if table.name == group.table)
    for device in table.devices:
        if device.name in group.devices:
            try:
                made.append(_supervisor(site, device, link, guard, taps.get(device.name)))
            except ConfigError as error:
                failed.append(error)
                log.error("%s does not run: %s", device.name, error)
                lost = Health("lost", SystemClock().now(), detail=str(error))
                link.device(device.name, device.driver, ()).report(lost)
    if not made and failed:
        raise failed[0]
    return made


def _supervisor(site: Site, device: Device, link: GroupLink, guard: Guard, tap: Tapping | None) -> Supervisor:
    driver = registry.load(device.driver)
    options = registry.settle(driver, device.options)
    if tap is not None:
        driver = tapped(driver, tap(driver, options))
    supervisor = Supervisor(
        device.name,
        device.port,
        driver,
        options,
        link.device(device.name, device.driver, device.antennas),
        named=[other.port for table in site.tables for other in table.devices],
        for_chips=[number for number, place in device.antennas.items() if is_for_chips(place)],
        held_out=_held_out(guard, device.name),
    )
    if driver.shows:
        link.show_alerts(supervisor.show)
    return supervisor


def _held_out(guard: Guard, device: str) -> tuple[float, str] | None:
    """For how many seconds the device is held out, and why; None if it is not."""
    held = guard.held_out.get(device)
    wait_s = held.until_s - time.time() if held is not None else 0.0
    if held is None or wait_s <= 0:
        return None
    return wait_s, (
        f"its driver has stopped the process of its group {held.times} times ({held.position}): it is tried "
        f"again in {wait_s:.0f} s, and the other devices run. Report it to the driver's author."
    )
