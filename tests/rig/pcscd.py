"""The real pcscd with vsmartcard's virtual reader, on a socket and in a mount namespace of its own, and a
card that speaks vsmartcard's protocol: Debian's pcscd, vsmartcard-vpcd.
"""

import shutil
import socket
import struct
import subprocess
import threading
from pathlib import Path

from rig.wait import wait_for

DRIVER = Path("/usr/lib/pcsc/drivers/serial/libifdvpcd.so")
_ATR = bytes.fromhex("3B8F8001804F0CA000000306030001000000006A")
"""Of PC/SC, part 3: a storage card, MIFARE Classic 1K."""
_GIVE_ATR = 4


def missing() -> str:
    """Why it cannot run here; empty if it can."""
    if shutil.which("pcscd") is None or not DRIVER.exists():
        return "install pcscd and vsmartcard-vpcd"
    tried = subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True)
    return "" if tried.returncode == 0 else "a mount namespace needs root"


class Pcscd:
    """The service, in `folder`, and its socket at `path`. Its readers are called "Virtual PCD 00 00" and
    "Virtual PCD 00 01".
    """

    def __init__(self, folder: Path, path: Path) -> None:
        path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        conf = folder / "reader.conf.d"
        conf.mkdir()
        (conf / "vpcd").write_text(
            f'FRIENDLYNAME "Virtual PCD"\nDEVICENAME /dev/null:0x{self.port:04X}\nLIBPATH {DRIVER}\n'
            f"CHANNELID 0x{self.port:04X}\n"
        )
        self._log = (folder / "log").open("wb")
        Path("/run/pcscd").mkdir(exist_ok=True)
        # As systemd starts it: the socket is number 3.
        script = "mount -t tmpfs none /run/pcscd && LISTEN_PID=$$ LISTEN_FDS=1 exec pcscd -f -d -c $0"
        listener = self._listener.fileno()
        self._process = subprocess.Popen(
            ["unshare", "-m", "bash", "-c", f"exec 3<&{listener} && {script}", str(conf)],
            pass_fds=(listener,),
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        wait_for(lambda: b"daemon ready" in (folder / "log").read_bytes(), "pcscd is ready")

    def end(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(60)
        self._listener.close()
        self._log.close()


class Card:
    """A card in the first reader, from now until it is taken away. `answers`: by command."""

    def __init__(self, port: int, answers: dict[bytes, bytes]) -> None:
        self._answers = answers
        self._wire = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def take_away(self) -> None:
        self._wire.shutdown(socket.SHUT_RDWR)
        self._thread.join(60)
        self._wire.close()

    def _serve(self) -> None:
        try:
            while True:
                command = self._exactly(struct.unpack(">H", self._exactly(2))[0])
                if len(command) > 1:
                    self._say(self._answers.get(command, b"\x6d\x00"))
                elif command[0] == _GIVE_ATR:
                    self._say(_ATR)
        except OSError:
            return

    def _say(self, data: bytes) -> None:
        self._wire.sendall(struct.pack(">H", len(data)) + data)

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            if not (piece := self._wire.recv(count - len(data))):
                raise OSError("hung up")
            data += piece
        return data
