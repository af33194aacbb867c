"""Buttons over USB, as their notes describe them. Their bytes are written here by hand, apart from the
drivers.
"""

from rig.usb import HID, HID_KEYBOARD, INTERRUPT, UsbModel


class BigRedButton(UsbModel):
    """Dream Cheeky 1d34:000d, as bonkers.c of fidian/bonkers lists its answers. Set `state`: 0x15 lid closed,
    0x14 closed and pressed, 0x17 open, 0x16 open and pressed. `asked` counts.
    """

    VENDOR, PRODUCT, KIND, NAME = 0x1D34, 0x000D, HID, "Big Red Button"
    ENDS = ((0x81, INTERRUPT, 8),)
    state = 0x15
    asked = 0

    def control(
        self, kind: int, request: int, value: int, index: int, data: bytes, length: int
    ) -> bytes | None:
        if (kind, request, data) != (0x21, 0x09, bytes(7) + b"\x02") or value not in (0, 0x200):
            return None
        self.asked += 1
        self.push(0x81, bytes((self.state, 0, 0, 0, 0, 0, 0, 3)))
        return b""


class Keyboard(UsbModel):
    """A boot keyboard. `keys`: usage numbers that are down; `lamps`: whether it takes them; a foot switch
    does not.
    """

    VENDOR, PRODUCT, KIND, NAME = 0x0C45, 0x7403, HID_KEYBOARD, "FootSwitch"
    ENDS = ((0x81, INTERRUPT, 8),)
    lamps = False
    asked = 0

    def press(self, *keys: int, modifiers: int = 0) -> None:
        """These keys, and no others, are down from now on."""
        self.push(0x81, bytes((modifiers, 0, *keys)).ljust(8, b"\0"))

    def control(
        self, kind: int, request: int, value: int, index: int, data: bytes, length: int
    ) -> bytes | None:
        self.asked += 1
        return b"" if (kind, request) == (0x21, 0x0B) or self.lamps else None
