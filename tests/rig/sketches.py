"""What the public sketches of boards with MFRC522 readers print, as their print functions make it from the
bytes of a UID: an Arduino's `print(byte, HEX)` gives upper-case digits without a leading zero, its
`String(byte, HEX)` lower-case ones.
"""


def poker_stream(reader: int, uid: bytes) -> bytes:
    """A line of `arduinoReader.ino` of braeden/poker-stream: its `dump_byte_array` prints " 0" before a byte
    of one digit, else nothing.
    """
    text = "".join((" 0" if byte < 16 else "") + format(byte, "X") for byte in uid)
    return f"{reader}|{text}\r\n".encode()


def rfid_poker(channel: int, uid: bytes) -> bytes:
    """A line of `clients/m5stack/src/rfid.cpp` of whywaita/rfid-poker: its `readUID` puts " 0" or " " before
    each byte and cuts the first character off.
    """
    text = "".join((" 0" if byte < 16 else " ") + format(byte, "x") for byte in uid)[1:]
    return f"[Channel] {channel} [UID: {text}]\r\n".encode()
