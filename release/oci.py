"""A container image as one tar: an OCI image layout that is a `docker save` archive as well, so that `docker
load` of any age, podman and skopeo take it. It is written here, since the tools that do it need a store of
their own, and put the time of the day into what they write.
"""

import hashlib
import io
import json
import tarfile
import zlib
from pathlib import Path
from typing import Final

import msgspec

_TYPE: Final = "application/vnd.oci.image"
_CHUNK: Final = 1 << 20
_GZIP: Final = 31
"""zlib's sign for the format of gzip; its head then holds no time and no name."""


class Layer(msgspec.Struct, frozen=True):
    """A packed layer: the file, its digest and size, and the digest of the tar that is in it."""

    file: Path
    digest: str
    size: int
    unpacked: str


def pack(tar: Path) -> Layer:
    """Compress a tar, which is removed; the layer stands beside it."""
    target = tar.with_suffix(".tar.gz")
    packer = zlib.compressobj(wbits=_GZIP)
    with tar.open("rb") as source, target.open("wb") as out:
        while chunk := source.read(_CHUNK):
            out.write(packer.compress(chunk))
        out.write(packer.flush())
    layer = Layer(target, _digest_of(target), target.stat().st_size, _digest_of(tar))
    tar.unlink()
    return layer


def _digest_of(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def tar_of(tree: Path, target: Path, seconds: int) -> None:
    """A tar of what is below `tree`, all of it root's and of one time."""
    with tarfile.open(target, "w", format=tarfile.GNU_FORMAT) as tar:
        for path in sorted(tree.rglob("*")):
            member = tar.gettarinfo(path, str(path.relative_to(tree)))
            member.uid = member.gid = 0
            member.uname = member.gname = "root"
            member.mtime = seconds
            if member.isreg():
                with path.open("rb") as content:
                    tar.addfile(member, content)
            else:
                tar.addfile(member)


def write_image(
    target: Path,
    name: str,
    platform: dict[str, str],
    config: dict[str, object],
    layers: list[Layer],
    made: str,
) -> None:
    """Write the archive of an image called `name` for a platform (`os`, `architecture`). `made`: its time."""
    blobs: dict[str, bytes] = {}
    about = _blob(blobs, "config.v1+json", _about(platform, config, layers, made))
    packed = [
        {"mediaType": f"{_TYPE}.layer.v1.tar+gzip", "digest": f"sha256:{layer.digest}", "size": layer.size}
        for layer in layers
    ]
    kind = "manifest.v1+json"
    manifest = {"schemaVersion": 2, "mediaType": f"{_TYPE}.{kind}", "config": about, "layers": packed}
    names = {"io.containerd.image.name": name, "org.opencontainers.image.ref.name": name}
    listed = {**_blob(blobs, kind, manifest), "platform": platform, "annotations": names}
    of_docker = {
        "Config": _place(str(about["digest"])),
        "RepoTags": [name],
        "Layers": [_place(layer.digest) for layer in layers],
    }
    with tarfile.open(target, "w", format=tarfile.GNU_FORMAT) as tar:
        _add(tar, "oci-layout", _json({"imageLayoutVersion": "1.0.0"}))
        _add(tar, "index.json", _json({"schemaVersion": 2, "manifests": [listed]}))
        _add(tar, "manifest.json", _json([of_docker]))
        for digest, text in sorted(blobs.items()):
            _add(tar, _place(digest), text)
        for layer in layers:
            with layer.file.open("rb") as content:
                tar.addfile(_member(_place(layer.digest), layer.size), content)


def _about(
    platform: dict[str, str], config: dict[str, object], layers: list[Layer], made: str
) -> dict[str, object]:
    return {
        **platform,
        "created": made,
        "config": config,
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{layer.unpacked}" for layer in layers]},
        "history": [{"created": made, "created_by": "make image"} for _ in layers],
    }


def _blob(blobs: dict[str, bytes], kind: str, content: object) -> dict[str, object]:
    """Put a part among the blobs; how others name it."""
    text = _json(content)
    digest = hashlib.sha256(text).hexdigest()
    blobs[digest] = text
    return {"mediaType": f"{_TYPE}.{kind}", "digest": f"sha256:{digest}", "size": len(text)}


def _place(digest: str) -> str:
    return f"blobs/sha256/{digest.removeprefix('sha256:')}"


def _json(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":"), sort_keys=True).encode()


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size = size
    return member


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    tar.addfile(_member(name, len(content)), io.BytesIO(content))
