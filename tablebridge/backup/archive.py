"""The form of a backup: a tar file, compressed with gzip and encrypted with age, as a stream.

The first member is the manifest. Every other member is named there with its size and SHA-256, in order:
first the site file and its rulebooks (`config/NAME`), then the files of the state folder (`state/PART/NAME`).
A member that the manifest does not name, or a name that the register of the state folder does not know as
saved, is refused: a backup cannot put a file anywhere else.
"""

import hashlib
import io
import os
import re
import tarfile
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

import msgspec
import pyrage

from tablebridge import private
from tablebridge.backup.keys import Identity, Recipient
from tablebridge.model.bounds import Reader
from tablebridge.model.errors import ConfigError
from tablebridge.settings.state import FILES

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
MANIFEST_BYTES: Final = 4 << 20
_PIECE: Final = 1 << 20
_CONFIG: Final = re.compile(r"config/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")


class Member(msgspec.Struct, frozen=True):
    """A file of the backup. `size` in bytes; `sha256` in hexadecimal figures."""

    name: str
    size: int
    sha256: str


class SavedTable(msgspec.Struct, frozen=True):
    """The record of a table. `records`: how many; `head`: the last hash of the chain, which says that the
    chain was checked; empty if it failed its check.
    """

    name: str
    records: int
    head: str


class Manifest(msgspec.Struct, frozen=True):
    """What a backup holds. `id`: names the backup, in hexadecimal figures. `left_out`: files that the site
    file names outside of its own folder and the state folder; they are not in the backup.
    """

    format: int
    id: str
    software: str
    site: str
    made_wall_ns: int
    members: tuple[Member, ...]
    tables: tuple[SavedTable, ...]
    left_out: tuple[str, ...] = ()


_MANIFEST: Final = Reader[Manifest](Manifest)


def member_of(name: str, path: Path) -> Member:
    """The member that a file becomes. Raises OSError."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
            size += len(piece)
    return Member(name, size, digest.hexdigest())


def is_saved(name: str) -> bool:
    """Whether a backup may hold a member of this name."""
    if _CONFIG.fullmatch(name):
        return True
    root, _, rest = name.partition("/")
    return root == "state" and any(file.saved and file.matches(rest) for file in FILES)


def write(target: Path, recipients: list[Recipient], manifest: Manifest, files: dict[str, Path]) -> None:
    """Write the backup, whole or not at all, with mode 0600. `files`: by member. Raises OSError."""

    def produce(sink: IO[bytes]) -> None:
        with tarfile.open(fileobj=sink, mode="w|gz") as tar:
            _add(tar, MANIFEST, msgspec.json.encode(manifest))
            for member in manifest.members:
                with files[member.name].open("rb") as file:
                    info = tarfile.TarInfo(member.name)
                    info.size, info.mode = member.size, 0o600
                    tar.addfile(info, file)

    with private.replacing(target) as file:
        _encrypted(produce, file, recipients)


def unpack(source: Path, identity: Identity, folder: Path, wanted: Callable[[str], bool]) -> Manifest:
    """Check every member, and unpack the wanted ones below `folder`. Raises ConfigError if the backup cannot
    be decrypted, is cut or changed, or is of a newer format; OSError if the disk refuses.
    """
    with _decrypted(source, identity) as stream:
        try:
            with tarfile.open(fileobj=stream, mode="r|gz") as tar:
                members = iter(tar)
                manifest = _manifest(source, tar, next(members, None))
                due = iter(manifest.members)
                for info in members:
                    member = next(due, None)
                    file = tar.extractfile(info) if info.isreg() else None
                    if member is None or file is None or (info.name, info.size) != (member.name, member.size):
                        raise _damaged(source, f"{info.name[:80]!r} is not what its list of contents says")
                    sha256 = _taken(file, folder / member.name if wanted(member.name) else Path(os.devnull))
                    if sha256 != member.sha256:
                        raise _damaged(source, f"{member.name} is not what its list of contents says")
                if next(due, None) is not None:
                    raise _damaged(source, "its end is missing")
        except (tarfile.TarError, EOFError, ValueError, zlib.error) as error:
            raise _damaged(source, str(error)) from None
    return manifest


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), 0o600
    tar.addfile(info, io.BytesIO(data))


def _manifest(source: Path, tar: tarfile.TarFile, info: tarfile.TarInfo | None) -> Manifest:
    file = tar.extractfile(info) if info is not None and info.isreg() and info.name == MANIFEST else None
    if info is None or file is None or info.size > MANIFEST_BYTES:
        raise _damaged(source, "it begins with no manifest")
    data = file.read()
    head = msgspec.json.decode(data, type=dict[str, Any])
    if isinstance(head.get("format"), int) and head["format"] > FORMAT:
        raise ConfigError(
            f"{source} was made by a newer tablebridge ({str(head.get('software'))[:40]}); "
            "install that one, then restore."
        )
    manifest = _MANIFEST.decode(data)
    if len({member.name for member in manifest.members}) != len(manifest.members):
        raise _damaged(source, "two members have one name")
    for member in manifest.members:
        if not is_saved(member.name):
            raise _damaged(source, f"no backup holds a file {member.name[:80]!r}")
    return manifest


def _taken(file: IO[bytes], path: Path) -> str:
    """Write the member to this path; its SHA-256."""
    digest = hashlib.sha256()
    if path != Path(os.devnull):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as plain:
        while piece := file.read(_PIECE):
            plain.write(piece)
            digest.update(piece)
        plain.flush()
        if path != Path(os.devnull):
            os.fsync(plain.fileno())
    return digest.hexdigest()


def _damaged(source: Path, why: str) -> ConfigError:
    return ConfigError(f"{source} is cut or damaged ({why}): nothing was restored. Use another backup.")


def _encrypted(produce: Callable[[IO[bytes]], None], sink: IO[bytes], recipients: list[Recipient]) -> None:
    """Run `produce`, encrypting what it writes into `sink`. The library reads, so `produce` has a thread."""
    reader, writer = os.pipe()
    failed: list[BaseException] = []

    def run() -> None:
        try:
            with os.fdopen(writer, "wb") as plain:
                produce(plain)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, name="backup")
    thread.start()
    try:
        with os.fdopen(reader, "rb") as plain:
            pyrage.encrypt_io(plain, sink, recipients)
    except pyrage.EncryptError as error:
        failed.insert(0, OSError(str(error).removeprefix("OSError: ")))
    finally:
        thread.join()
    if failed:
        raise failed[0]


@contextmanager
def _decrypted(source: Path, identity: Identity) -> Iterator[IO[bytes]]:
    """What the backup decrypts to. The library writes, so it has a thread. What is read before the end may
    still turn out to be cut: that is raised at the end.
    """
    reader, writer = os.pipe()
    failed: list[str] = []

    def run() -> None:
        try:
            with os.fdopen(writer, "wb") as plain, source.open("rb") as encrypted:
                pyrage.decrypt_io(encrypted, plain, [identity])
        except BrokenPipeError:
            pass  # the reader has given up, and says why
        except (OSError, pyrage.DecryptError) as error:
            failed.append(str(error))

    thread = threading.Thread(target=run, name="restore")
    thread.start()
    stream = os.fdopen(reader, "rb")
    try:
        yield stream
        while stream.read(_PIECE):
            pass
    except ConfigError:
        stream.close()
        thread.join()
        if any("No matching keys" in why for why in failed):
            raise ConfigError(f"This key does not open {source}: use the key that it was made for.") from None
        raise
    finally:
        with suppress(OSError):
            stream.close()
        thread.join()
    if failed:
        raise _damaged(source, failed[0])
