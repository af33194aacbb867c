"""The doctor's round: the machine, the site, the broker, then each device while the doctor listens to it."""

import platform
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from tablebridge import __version__
from tablebridge.app.check import check_site
from tablebridge.doctor import box, bus, ports
from tablebridge.doctor.check import Check, fail, ok, status, warn
from tablebridge.doctor.judge import judge, overlaps
from tablebridge.doctor.listen import Listener, Listening
from tablebridge.doctor.setup_process.progress import load_progress
from tablebridge.doctor.tally import Tally
from tablebridge.doctor.writes import Budget
from tablebridge.host import registry
from tablebridge.host.plugged import plugged
from tablebridge.model.errors import ConfigError
from tablebridge.sdk.driver import Driver
from tablebridge.settings.site import Device, Site

_STEP_S: Final = 0.1

Look = Callable[[list[Listener]], None]


def machine() -> Iterator[Check]:
    """What needs no site file."""
    yield from box.python()
    yield box.clock()
    yield from ports.meddlers()
    yield from ports.sleepers(plugged(), installed())


def installed() -> list[Driver]:
    """The drivers that can be imported."""
    return [listed.driver for listed in registry.listed() if listed.driver is not None]


def site_checks(site: Site, site_file: Path) -> Iterator[Check]:
    """What the site file leads to, but the devices."""
    try:
        check_site(site_file)
    except ConfigError as error:
        for line in str(error).splitlines():
            yield fail("site", line, f"Fix it; `tablebridge site check {site_file}` checks it again.")
    else:
        yield ok("site", f"{site_file} is right.")
    yield from skipped(site.state_dir, site_file)
    yield from box.disk(site.state_dir)
    yield from box.secrets(site, site_file)
    yield from box.pages(site)
    yield from box.journals(site)
    yield from bus.broker(site, site_file)


def skipped(state_dir: Path, site_file: Path) -> Iterator[Check]:
    """The steps of the set-up in the browser that a person skipped, with the reason."""
    try:
        steps = load_progress(state_dir).steps
    except ConfigError as error:
        yield warn("set-up", str(error), "The site file is not touched by that.")
        return
    for row in steps:
        if row.state == "skipped":
            yield warn(
                "set-up",
                f"the step {row.step} was skipped: {row.reason}",
                f"Do it now: tablebridge setup --browser --out {site_file}",
            )


def _group_of(site: Site, device: Device) -> str:
    """The group whose process runs the device's driver."""
    return next(group.name for group in site.groups if device.name in group.devices)


def devices_of(site: Site) -> list[Device]:
    return [device for table in site.tables for device in table.devices]


def before_opening(site: Site) -> tuple[list[Check], list[Device]]:
    """What prevents devices from being opened, and the devices that can be opened."""
    here, user = plugged(), ports.who()
    checks, free = list(ports.shared(devices_of(site), here)), []
    twice = {check.about for check in checks}
    for device in devices_of(site):
        if device.name in twice:
            continue
        check, own = ports.port_check(device, here, user)
        if own is not None:
            checks.append(
                ok(
                    device.name,
                    f"its driver runs (process {own.pid}); the devices page shows how it is. To have it "
                    "measured here stop it first: sudo systemctl stop "
                    f"tablebridge-driver@{_group_of(site, device)}",
                )
            )
            continue
        if check is not None:
            checks.append(check)
        if check is None or check.level == "warn":
            free.append(device)
    checks += ports.unused(here, installed(), devices_of(site))
    return checks, free


def listened(
    devices: list[Device], seconds: float, look: Look | None = None, site_file: Path = Path("site.toml")
) -> tuple[list[Check], dict[str, Tally]]:
    """Listen to the devices for `seconds`, or until Ctrl-C, and judge what they reported. `look` is shown
    them meanwhile. `site_file`: for the commands that are proposed.
    """
    checks: list[Check] = []
    usable = []
    for device in devices:
        try:
            usable.append(Listener(device, named=[other.port for other in devices]))
        except ConfigError as error:
            checks.append(fail(device.name, str(error), "Fix the site file, or install the driver."))
    with Listening(usable):
        try:
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline and usable:
                time.sleep(_STEP_S)
                if look is not None:
                    look(usable)
        except KeyboardInterrupt:
            pass
        details = {listener.device.name: listener.detail for listener in usable}
    tallies = {listener.device.name: listener.tally for listener in usable}
    drivers = installed()
    for listener in usable:
        checks += judge(listener.device, listener.tally, details[listener.device.name], drivers, site_file)
    checks += overlaps({listener.device.name: listener.device for listener in usable}, tallies)
    return checks, tallies


def without_site() -> Iterator[Check]:
    """The checks of ports only, if no site file is given."""
    found = list(ports.unused(plugged(), installed(), ()))
    yield from found
    if not found:
        yield warn(
            "ports",
            "no reader and no serial adapter is plugged in over USB.",
            "Plug one in; `tablebridge ports` lists everything that is.",
        )


def report(checks: list[Check], tallies: dict[str, Tally], written: Budget) -> dict[str, Any]:
    """What may be sent to somebody: no password, no tag, no face, and nothing that leads from a tag to a
    card.
    """
    return {
        "tablebridge": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "status": status(checks),
        "drivers": {
            known.name: f"{known.distribution} {known.version}".strip() for known in registry.known()
        },
        "checks": [msgspec.structs.replace(check, heard="") for check in checks],
        "writes": written,
        "devices": {name: _counts(tally) for name, tally in tallies.items()},
    }


def _counts(tally: Tally) -> dict[str, Any]:
    return {
        "identity": tally.identity,
        "alive": tally.alive,
        "readings": tally.readings,
        "rejects": dict(tally.rejects),
        "antennas": {
            str(number): {
                "visits": antenna.visits,
                "cycle_ms": None if antenna.cycle_s is None else round(1000 * antenna.cycle_s, 1),
                "cut_short": antenna.cut_short,
                "tags": len(antenna.tags),
                "read_share": [round(seen.share, 3) for seen in antenna.tags.values()],
            }
            for number, antenna in sorted(tally.antennas.items())
        },
        "contacts": {str(number): count for number, count in sorted(tally.contacts.items())},
    }


__all__ = [
    "before_opening",
    "devices_of",
    "installed",
    "listened",
    "machine",
    "report",
    "site_checks",
    "without_site",
]
