"""A whole release in one folder: wheel, source archive, Debian packages, bill of materials, checksums.
Everything is built twice and has to come out the same.
"""

import hashlib
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from release.deb import PLATFORMS, make_deb
from release.sbom import make_sbom
from release.tree import Fault, build, output, version

SUMS: Final = "SHA256SUMS"


def make_release(folder: Path) -> list[Path]:
    """Build the release of the commit that is checked out, and tag it if it has no tag yet. Raises Fault."""
    tag = f"v{version()}"
    tagged = check(tag)
    with TemporaryDirectory() as again:
        made, second = build_all(folder), build_all(Path(again))
        differing = [
            one.name for one, other in zip(made, second, strict=True) if digest(one) != digest(other)
        ]
    if differing:
        raise Fault(f"Built twice, these are not the same: {', '.join(differing)}.")
    if not tagged:
        output("git", "tag", "--annotate", tag, "--message", f"tablebridge {version()}")
    return made


def check(tag: str) -> bool:
    """Whether the commit has this tag already. Raises Fault if it is not to be released: files that are not
    committed, or a tag of this version at another commit.
    """
    if output("git", "status", "--porcelain").strip():
        raise Fault("There are changes that are not committed: a release is made of a commit.")
    if tag in output("git", "tag", "--points-at", "HEAD").split():
        return True
    if output("git", "tag", "--list", tag).strip():
        raise Fault(
            f"{tag} is another commit: raise the version in pyproject.toml and tablebridge/__init__.py."
        )
    return False


def build_all(folder: Path) -> list[Path]:
    """Everything, and the checksums of everything, in a folder that is empty then."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made = [build("wheel", folder), build("sdist", folder)]
    made += [make_deb(arch, folder) for arch in sorted(PLATFORMS)]
    made.append(make_sbom(folder / f"tablebridge_{version()}.cdx.json"))
    sums = folder / SUMS
    sums.write_text("".join(f"{digest(file)}  {file.name}\n" for file in made))
    return [*made, sums]


def digest(file: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()
