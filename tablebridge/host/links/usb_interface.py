"""One interface of a USB device: found, claimed through libusb by pyusb, and given back."""

import contextlib
import ctypes
import errno
from typing import Any, Final

import usb.backend.libusb1
import usb.core
import usb.util

from tablebridge.host.links.link import LinkRefused
from tablebridge.host.plugged import Address, Plugged, parse_address, plugged
from tablebridge.model.errors import LinkError
from tablebridge.sdk import reports
from tablebridge.sdk.driver import UsbPort

_SEND_MS: Final = 1000
_SET_REPORT: Final = (0x21, 0x09)
_SET_PROTOCOL: Final = (0x21, 0x0B)
_BOOT: Final = 1
_GET_REPORT: Final = (0xA1, 0x01)
_KIND: Final = {reports.OUTPUT: 0x0200, reports.FEATURE: 0x0300, reports.GET: 0x0300}


def find(address: Address, port: UsbPort) -> Plugged:
    """The device that the address means. Raises LinkError if it is not plugged in; LinkRefused if it is
    another one, or one of several.
    """
    meant = [device for device in plugged() if address.means(device)]
    known = [device for device in meant if port.knows(device.vendor, device.product)]
    if len(known) == 1:
        return known[0]
    if known:
        places = " and ".join(device.path for device in known)
        raise LinkRefused(
            f"{address.text} means {len(known)} devices, at {places}: name one by its place, such as "
            f"usb://by-path/{known[0].path}."
        )
    if meant:
        raise LinkRefused(
            f"{meant[0]} is plugged in at {address.text}, which is no device of this driver: plug in the "
            "right "
            "one, or correct driver or port in the site file."
        )
    raise LinkError(
        f"{address.text} is not there: plug the device in, or correct the port in the site file "
        "(`tablebridge ports` lists what is plugged in)."
    )


def backend() -> Any:
    """libusb for pyusb: the system's, which knows udev, else the one that is shipped with us. Raises
    LinkRefused if there is none.
    """
    return _loaded("libusb-1.0.so.0") or _loaded(_shipped()) or _none()


def _loaded(library: str) -> Any:
    try:
        ctypes.CDLL(library)
    except OSError:
        return None
    return usb.backend.libusb1.get_backend(find_library=lambda _: library)


def _shipped() -> str:
    import libusb_package

    return str(libusb_package.get_library_path())


def _none() -> Any:
    raise LinkRefused("libusb cannot be loaded: install it (`sudo apt-get install libusb-1.0-0`).")


class ClaimedInterface:
    """The interface that a driver speaks to, held for us alone: the kernel's own driver is detached while it
    is claimed. `end_in`, `end_out`: its endpoints; with reports each may be missing. Raises
    LinkRefused, LinkError.
    """

    def __init__(self, port: str, settings: UsbPort) -> None:
        self._port = port
        self._settings = settings
        self._plugged = find(parse_address(port), settings)
        self._device = self._handle(self._plugged)
        self._interface = self._choose()
        self._number: int = self._interface.bInterfaceNumber
        self.end_in, self.end_out = self._endpoints()
        self._detached = False
        try:
            self._claim()
        except usb.core.USBError as error:
            self.release()
            raise self._refusal(error) from None

    def read(self, timeout_ms: int, stream_bytes: int) -> bytes:
        """What the device sends next. Raises USBError, USBTimeoutError if it sends nothing."""
        size = stream_bytes if self._settings.form == "stream" else self.end_in.wMaxPacketSize
        return bytes(self.end_in.read(size, timeout_ms))

    def send(self, record: reports.Report) -> bytes:
        """Send one record; the answer for the session. Raises USBError."""
        if self._settings.form == "stream":
            self._put(record.data)
            return b""
        number = record.data[0] if self._settings.numbered and record.data else 0
        if record.kind == reports.GET:
            number, length = record.data
            data = self._device.ctrl_transfer(
                *_GET_REPORT, _KIND[record.kind] | number, self._number, length, _SEND_MS
            )
            return reports.encode(reports.GET, bytes(data))
        if record.kind == reports.OUTPUT and self.end_out is not None:
            self._put(record.data)
        else:
            self._device.ctrl_transfer(
                *_SET_REPORT, _KIND[record.kind] | number, self._number, record.data, _SEND_MS
            )
        return reports.encode(reports.TAKEN)

    def clear_halt(self, endpoint: Any) -> bool:
        """Restart a stalled endpoint; whether that worked."""
        try:
            self._device.clear_halt(endpoint.bEndpointAddress)
        except usb.core.USBError:
            return False
        return True

    def release(self) -> None:
        """Give the interface back to the kernel's driver. A device that was unplugged cannot be released in
        order.
        """
        try:
            usb.util.release_interface(self._device, self._number)
            if self._detached:
                self._device.attach_kernel_driver(self._number)
        except usb.core.USBError:
            pass
        finally:
            usb.util.dispose_resources(self._device)

    def gone(self, error: usb.core.USBError) -> LinkError:
        """The error in a sentence: unplugged, or broken."""
        if error.errno == errno.ENODEV:
            return LinkError(f"{self._port} went away: check cable and power.")
        return LinkError(f"{self._port} broke ({error.strerror}).")

    def _handle(self, there: Plugged) -> Any:
        device = usb.core.find(
            backend=backend(),
            custom_match=lambda device: (device.bus, device.address) == (there.bus, there.address),
        )
        if device is None or (device.idVendor, device.idProduct) != (there.vendor, there.product):
            raise LinkError(f"{self._port} has only just appeared and libusb does not know it yet.")
        return device

    def _choose(self) -> Any:
        try:
            for interface in self._device.get_active_configuration():
                kind = (interface.bInterfaceClass, interface.bInterfaceSubClass, interface.bInterfaceProtocol)
                wanted = self._settings.interface or (None, None, None)
                if interface.bAlternateSetting == 0 and all(
                    want in (None, got) for want, got in zip(wanted, kind, strict=True)
                ):
                    return interface
        except usb.core.USBError as error:
            raise self._refusal(error) from None
        raise LinkRefused(
            f"{self._plugged} has no interface that this driver speaks to: choose another driver or port in "
            "the "
            "site file."
        )

    def _endpoints(self) -> tuple[Any, Any]:
        """IN and OUT, bulk for a stream and interrupt for reports; either may be missing with reports."""
        kind = usb.util.ENDPOINT_TYPE_BULK if self._settings.form == "stream" else usb.util.ENDPOINT_TYPE_INTR
        ends = [end for end in self._interface if usb.util.endpoint_type(end.bmAttributes) == kind]
        found = [
            next(
                (end for end in ends if usb.util.endpoint_direction(end.bEndpointAddress) == direction), None
            )
            for direction in (usb.util.ENDPOINT_IN, usb.util.ENDPOINT_OUT)
        ]
        if self._settings.form == "stream" and None in found:
            raise LinkRefused(
                f"{self._plugged} has no pair of bulk endpoints: choose another driver or port in the site "
                "file."
            )
        return found[0], found[1]

    def _claim(self) -> None:
        if self._device.is_kernel_driver_active(self._number):
            self._device.detach_kernel_driver(self._number)
            self._detached = True
        usb.util.claim_interface(self._device, self._number)
        if self._interface.bInterfaceSubClass == _BOOT and self._settings.form == "reports":
            # Reports as USB HID 1.11, appendix B lays them out, whatever the device's own descriptor says.
            with contextlib.suppress(usb.core.USBError):
                self._device.ctrl_transfer(*_SET_PROTOCOL, 0, self._number, b"", _SEND_MS)

    def _put(self, data: bytes) -> None:
        if self.end_out.write(data, _SEND_MS) < len(data):
            raise usb.core.USBTimeoutError("sent in part")

    def _refusal(self, error: usb.core.USBError) -> LinkError:
        match error.errno:
            case errno.EACCES | errno.EPERM:
                return LinkRefused(
                    f"{self._plugged} may not be opened: `sudo tablebridge install` puts "
                    "60-tablebridge.rules in place; plug it in again, or give this user the right to "
                    f"{self._plugged.node}."
                )
            case errno.EBUSY:
                return LinkRefused(
                    f"{self._plugged} is held by another program: end it (`sudo fuser -v "
                    f"{self._plugged.node}` "
                    "names it; smart card readers are often held by pcscd)."
                )
            case _:
                return self.gone(error)
