"""What is seen of a port without opening it: a device is tried as soon as it is plugged in, or as we get the
right to it.
"""

from pathlib import Path

from tablebridge.host.links.link import LinkRefused
from tablebridge.host.links.replayed import SCHEME
from tablebridge.host.plugged import USB, parse_address, plugged


def sight(port: str) -> tuple[int, ...] | None:
    """Node, device number, owner and rights. None: it is not there. A remote one looks the same always."""
    if port.startswith(USB):
        return _usb(port)
    if "://" in port:
        return ()
    return _node(Path(port.removeprefix(SCHEME)))


def _node(path: Path) -> tuple[int, ...] | None:
    try:
        there = path.stat()
    except OSError:
        return None
    return there.st_dev, there.st_ino, there.st_rdev, there.st_mode, there.st_uid, there.st_gid


def _usb(port: str) -> tuple[int, ...] | None:
    """Of all devices that the address may mean: a second one of the same kind is a change, too."""
    try:
        address = parse_address(port)
    except LinkRefused:
        return None
    seen: list[int] = []
    for device in plugged():
        if address.means(device):
            seen += (device.bus, device.address, device.vendor, device.product, *(_node(device.node) or ()))
    return tuple(seen) or None
