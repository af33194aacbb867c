"""The bill of materials: what a box runs, with versions and hashes, as CycloneDX."""

import sys
from pathlib import Path

from release.tree import LOCK, ROOT, output


def make_sbom(file: Path) -> Path:
    """Write the bill of what config/requirements.txt pins; the file. Raises Fault."""
    output(
        sys.executable, "-W", "ignore", "-m", "cyclonedx_py", "requirements", "--output-reproducible",
        "--pyproject", str(ROOT / "pyproject.toml"), "--mc-type", "application", "--of", "JSON",
        "--sv", "1.6", "--output-file", str(file), str(LOCK),
    )  # fmt: skip
    return file
