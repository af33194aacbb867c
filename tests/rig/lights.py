"""Signal lights over USB, as their notes describe them: what is painted, as words, and the bytes of each
report that was taken.
"""

from rig.usb import HID, INTERRUPT, UsbModel

WORDS = {
    (0, 0, 0): "dark",
    (1, 0, 0): "red",
    (0, 1, 0): "green",
    (0, 0, 1): "blue",
    (1, 1, 0): "yellow",
    (1, 1, 1): "white",
}


class _Light(UsbModel):
    KIND = HID

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self.reports: list[bytes] = []

    def show(self, colour: str, report: bytes) -> bytes:
        self.shown.append(colour)
        self.reports.append(report)
        return b""

    def rgb(self, report: bytes) -> bytes:
        red, green, blue = report[2:5]
        return self.show(WORDS[red // 255, green // 255, blue // 255], report)


class Blink1(_Light):
    """27b8:01ed: feature report 1, 'c' fades."""

    VENDOR, PRODUCT, NAME = 0x27B8, 0x01ED, "blink(1) mk2"

    def control(
        self, kind: int, request: int, value: int, index: int, data: bytes, length: int
    ) -> bytes | None:
        if (kind, request, value) != (0x21, 0x09, 0x301) or data[:2] != b"\x01c" or len(data) != 9:
            return None
        return self.rgb(data)


class Luxafor(_Light):
    """04d8:f372: output reports on an endpoint; `press` is the Mute's button."""

    VENDOR, PRODUCT, NAME = 0x04D8, 0xF372, "LUXAFOR MUTE"
    ENDS = ((0x81, INTERRUPT, 8), (0x01, INTERRUPT, 8))

    def out(self, end: int, data: bytes) -> bool:
        if data[:2] != b"\x01\xff" or len(data) != 8:
            return False
        self.rgb(data)
        return True

    def press(self, pressed: bool) -> None:
        self.push(0x81, bytes((0x83, 0 if pressed else 1)) + bytes(6))


class Delcom(_Light):
    """0fc5:b080: feature reports 101 and 100; `pressed`: its button. The third LED is blue."""

    VENDOR, PRODUCT, NAME = 0x0FC5, 0xB080, "USB Visual Indicator"
    pressed = False

    def control(
        self, kind: int, request: int, value: int, index: int, data: bytes, length: int
    ) -> bytes | None:
        if (kind, request, value) == (0xA1, 0x01, 0x364):
            return bytes((0xFE if self.pressed else 0xFF, 0xFF)) + bytes(6)
        if (kind, request, value, data[:2], len(data)) != (0x21, 0x09, 0x365, b"\x65\x0c", 8) or data[
            3
        ] != 0xFF:
            return None
        colours = {0: "dark", 1: "green", 2: "red", 3: "yellow", 4: "blue", 7: "white"}
        return self.show(colours[data[2]], data)


class PatliteLr6(_Light):
    """191a:8003: a nibble for each light; 8 and F leave it as it is."""

    VENDOR, PRODUCT, NAME = 0x191A, 0x8003, "LR6-USB"
    ENDS = ((0x01, INTERRUPT, 8),)

    def out(self, end: int, data: bytes) -> bool:
        if len(data) != 8 or data[:4] != b"\0\0\x08\xff":
            return False
        names = ("red", "yellow", "green", "blue", "white")
        lit = [name for name, on in zip(names, data[4:7].hex()[:5], strict=True) if on == "1"]
        self.show("white" if len(lit) == len(names) else " ".join(lit) or "dark", data)
        return True


class PatliteNe(_Light):
    """191a:6001: one lamp, and a touch sensor that is asked for. It answers two bytes, as the vendor's sample
    program reads them (`RECV_BUFFER_SIZE` 2, bit 0 of the second).
    """

    VENDOR, PRODUCT, NAME = 0x191A, 0x6001, "NE-USB"
    ENDS = ((0x81, INTERRUPT, 2), (0x01, INTERRUPT, 8))
    pressed = False

    def out(self, end: int, data: bytes) -> bool:
        if data == b"\0\x80" + bytes(6):
            self.push(0x81, bytes((0, int(self.pressed))))
            return True
        if len(data) != 8 or data[:4] != b"\0\0\x08\x0f":
            return False
        colours = ("dark", "red", "green", "yellow", "blue", "purple", "cyan", "white")
        self.show(colours[data[4] >> 4] if data[4] & 0x0F == 1 else "dark", data)
        return True
