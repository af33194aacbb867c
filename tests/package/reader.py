"""An emulated board of the line protocol on a network port, for the machine that has no test tools: two
antennas, of which `/srv/cards` says what lies on them (`ANTENNA UID` per line). Python's own library only.
"""

import os
import socket
import time
from pathlib import Path

CARDS = Path("/srv/cards")
PORT = 4001


def crc(text: str) -> int:
    """CRC-16/MCRF4XX."""
    value = 0xFFFF
    for byte in text.encode():
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ 0x8408 if value & 1 else value >> 1
    return value


def serve(connection: socket.socket) -> None:
    """One connection: a hello, then all antennas again and again."""
    began, number = time.monotonic(), 0

    def say(*fields: object) -> None:
        nonlocal number
        text = ",".join(map(str, ("v1", number, int((time.monotonic() - began) * 1000), *fields)))
        connection.sendall(f"{text}*{crc(text):04X}\n".encode())
        number += 1

    say("h", "emulated/1.0", 2, 1, "power")
    say("k", 1, 0, 0)
    while True:
        lines = CARDS.read_text().splitlines() if CARDS.exists() else []
        for antenna in (1, 2):
            tags = [line.split()[1] for line in lines if line.split()[0] == str(antenna)]
            say(antenna, "=", 4, *tags)
        say("k", 1, 0, 0)
        time.sleep(0.2)


def main() -> None:
    with socket.create_server(("127.0.0.1", PORT)) as server:
        while True:
            connection, _ = server.accept()
            if os.fork() == 0:
                try:
                    serve(connection)
                except OSError:
                    os._exit(0)
            connection.close()


if __name__ == "__main__":
    main()
