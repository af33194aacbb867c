"""A whole release in one folder: wheel, source archive, Debian packages, container image, bill of materials,
checksums. Everything is built twice and has to come out the same. Nothing leaves this machine: files and tag
are a person's to publish.
"""

import hashlib
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from release.deb import PLATFORMS, make_deb
from release.image import check_tools, make_image
from release.sbom import make_sbom
from release.tree import ROOT, Fault, build, output, version

SUMS: Final = "SHA256SUMS"
IMAGE: Final = "amd64"
"""The processor of the image: one for another processor is made on a machine that can run its programs."""


def make_release(folder: Path) -> list[Path]:
    """Build the release of the commit that is checked out, and tag it if it has no tag yet. Raises Fault."""
    tag = f"v{version()}"
    tagged = check(tag)
    check_tools()
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
    committed, a version that the changelog does not know, or a tag of this version at another commit.
    """
    if output("git", "status", "--porcelain").strip():
        raise Fault("There are changes that are not committed: a release is made of a commit.")
    if not described((ROOT / "CHANGELOG.md").read_text(), version()):
        raise Fault(
            f"CHANGELOG.md has no section of {version()}: name that of what is released "
            f"`## {version()} - YYYY-MM-DD`, and commit it."
        )
    if tag in output("git", "tag", "--points-at", "HEAD").split():
        return True
    if output("git", "tag", "--list", tag).strip():
        raise Fault(
            f"{tag} is another commit: raise the version in pyproject.toml and tablebridge/__init__.py."
        )
    return False


def described(changelog: str, released: str) -> bool:
    """Whether the changelog has a section of this version."""
    return re.search(rf"^## \[?{re.escape(released)}\]?(\s|$)", changelog, re.M) is not None


def build_all(folder: Path) -> list[Path]:
    """Everything, and the checksums of everything, in a folder that is empty then."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made = [build("wheel", folder), build("sdist", folder)]
    packages = {arch: make_deb(arch, folder) for arch in sorted(PLATFORMS)}
    made += packages.values()
    made += make_image(IMAGE, folder, packages[IMAGE])
    made.append(make_sbom(folder / f"tablebridge_{version()}.cdx.json"))
    sums = folder / SUMS
    sums.write_text("".join(f"{digest(file)}  {file.name}\n" for file in made))
    return [*made, sums]


def digest(file: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()
