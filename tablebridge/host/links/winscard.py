"""The few functions of PC/SC that are needed, of libpcsclite by ctypes: no compiler, and nothing is loaded
before a site file names such a reader.

Source: pcsc-lite's winscard.h and pcsclite.h: types, numbers, and what each function returns.
"""

import ctypes
from ctypes import byref
from typing import Final

from tablebridge.host.links.link import LinkRefused
from tablebridge.model.errors import LinkError

_LIBRARY: Final = "libpcsclite.so.1"
_DWORD: Final = ctypes.c_ulong
_LONG: Final = ctypes.c_long
_SYSTEM, _SHARED, _DIRECT, _T0_OR_T1, _LEAVE = 2, 2, 3, 3, 0
_SERIAL_NUMBER: Final = 0x00010103
"""SCARD_ATTR_VENDOR_IFD_SERIAL_NO: of the reader, from its driver."""
_ATR_BYTES: Final = 33
_LONGEST: Final = 264
"""Bytes of an answer of a card: 256 and its status, and some to spare."""
PRESENT: Final = 0x20
NO_SERVICE, NO_READERS, UNKNOWN_READER, READER_UNAVAILABLE = 0x8010001D, 0x8010002E, 0x80100009, 0x80100017
SERVICE_STOPPED, INVALID_HANDLE = 0x8010001E, 0x80100003
SHARING, REMOVED, UNPOWERED, UNRESPONSIVE, UNSUPPORTED, ACCESS = (
    0x8010000B,
    0x80100069,
    0x80100067,
    0x80100066,
    0x80100065,
    0x8010006A,
)
TEXTS: Final = {
    SHARING: "another program holds the card alone",
    REMOVED: "the card was taken away",
    UNPOWERED: "the card has no power; perhaps several lie there",
    UNRESPONSIVE: "the card does not answer",
    UNSUPPORTED: "the card cannot be powered",
}


class _State(ctypes.Structure):
    _fields_ = (
        ("reader", ctypes.c_char_p),
        ("user", ctypes.c_void_p),
        ("known", _DWORD),
        ("now", _DWORD),
        ("atr_bytes", _DWORD),
        ("atr", ctypes.c_ubyte * _ATR_BYTES),
    )


class _Request(ctypes.Structure):
    _fields_ = (("protocol", ctypes.c_ulong), ("size", ctypes.c_ulong))


class CardError(Exception):
    """A card or its reader refused. `code`: one of the numbers above."""

    def __init__(self, code: int) -> None:
        super().__init__(TEXTS.get(code, f"PC/SC error {code:08X}"))
        self.code = code


class Context:
    """A connection to the service pcscd. Raises LinkRefused if a person must act, LinkError if not."""

    def __init__(self) -> None:
        try:
            self._library = ctypes.CDLL(_LIBRARY)
        except OSError:
            raise LinkRefused(
                "PC/SC is not installed: install the system's packages pcscd and libpcsclite1."
            ) from None
        self._context = _LONG()
        code = self._call("SCardEstablishContext", _DWORD(_SYSTEM), None, None, byref(self._context))
        if code == NO_SERVICE:
            raise LinkError("the service pcscd does not run: start it (`systemctl start pcscd.socket`).")
        if code == ACCESS:
            raise LinkRefused("pcscd refuses this user: allow it by a rule of polkit, as docs/usb.md says.")
        if code:
            raise LinkError(f"pcscd refuses with {code:08X}: look at its log.")

    def readers(self) -> list[str]:
        """The names of all readers that are there. Raises LinkError."""
        length = _DWORD(0)
        code = self._call("SCardListReaders", self._context, None, None, byref(length))
        names = ctypes.create_string_buffer(max(length.value, 1))
        if not code:
            code = self._call("SCardListReaders", self._context, None, names, byref(length))
        if code == NO_READERS:
            return []
        if code:
            raise LinkError(f"pcscd does not list its readers ({code:08X}): look at its log.")
        return [name.decode("utf-8", "replace") for name in names.raw[: length.value].split(b"\0") if name]

    def look(self, reader: str) -> tuple[int, bytes]:
        """What state a reader is in, and how its card names itself. Raises CardError."""
        state = _State(reader=reader.encode())
        self._must("SCardGetStatusChange", self._context, _DWORD(0), byref(state), _DWORD(1))
        return state.now & 0xFFFF, bytes(state.atr[: min(state.atr_bytes, _ATR_BYTES)])

    def number(self, reader: str) -> str:
        """The reader's own number; empty if it says none, or while another program holds it alone."""
        card, protocol = _LONG(), _DWORD()
        if self._call(
            "SCardConnect",
            self._context,
            ctypes.c_char_p(reader.encode()),
            _DWORD(_DIRECT),
            _DWORD(0),
            byref(card),
            byref(protocol),
        ):
            return ""
        try:
            text, length = ctypes.create_string_buffer(_LONGEST), _DWORD(_LONGEST)
            code = self._call("SCardGetAttrib", card, _DWORD(_SERIAL_NUMBER), text, byref(length))
            return "" if code else text.raw[: length.value].rstrip(b"\0").decode("ascii", "replace")
        finally:
            self._call("SCardDisconnect", card, _DWORD(_LEAVE))

    def ask(self, reader: str, command: bytes) -> bytes:
        """What the card in a reader answers to a command. Raises CardError."""
        card, protocol = _LONG(), _DWORD()
        self._must(
            "SCardConnect",
            self._context,
            ctypes.c_char_p(reader.encode()),
            _DWORD(_SHARED),
            _DWORD(_T0_OR_T1),
            byref(card),
            byref(protocol),
        )
        try:
            answer, length = ctypes.create_string_buffer(_LONGEST), _DWORD(_LONGEST)
            head = _Request(protocol.value, ctypes.sizeof(_Request))
            self._must(
                "SCardTransmit",
                card,
                byref(head),
                command,
                _DWORD(len(command)),
                None,
                answer,
                byref(length),
            )
            return answer.raw[: length.value]
        finally:
            self._call("SCardDisconnect", card, _DWORD(_LEAVE))

    def close(self) -> None:
        """Ends the connection."""
        self._call("SCardReleaseContext", self._context)

    def _must(self, name: str, *arguments: object) -> None:
        if code := self._call(name, *arguments):
            raise CardError(code)

    def _call(self, name: str, *arguments: object) -> int:
        function = getattr(self._library, name)
        function.restype = _LONG
        return int(function(*arguments)) & 0xFFFFFFFF
