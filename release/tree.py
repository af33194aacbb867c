"""The checkout that is released: its version, the time of its commit, what is built of it."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
LOCK: Final = ROOT / "config" / "requirements.txt"


class Fault(Exception):
    """A sentence: why nothing can be released."""


def version() -> str:
    """The version that pyproject.toml states."""
    stated: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    return stated


def epoch(environ: Mapping[str, str] = os.environ) -> str:
    """The time of everything built, in seconds since 1970: SOURCE_DATE_EPOCH, or that of the commit."""
    return environ.get("SOURCE_DATE_EPOCH") or output("git", "log", "-1", "--format=%ct").strip()


def output(*command: str, environ: Mapping[str, str] = os.environ) -> str:
    """What a command prints, run in the checkout. Raises Fault."""
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=dict(environ), capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise Fault(f"{command[0]} is not there; `make` installs what it needs.") from None
    if done.returncode:
        raise Fault(f"`{' '.join(command)}` failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def build(target: str, folder: Path) -> Path:
    """Build the `wheel` or the `sdist` of the checkout into the folder; the file. Raises Fault."""
    dated = {**os.environ, "SOURCE_DATE_EPOCH": epoch()}
    output(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder), environ=dated)
    (built,) = folder.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return built
