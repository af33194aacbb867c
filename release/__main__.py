"""`python -m release deb [--arch ARCH]`: the Debian package, into dist/. `python -m release all`: a whole
release, into dist/release/.
"""

import argparse
import sys
from pathlib import Path

from release.all import make_release
from release.deb import PLATFORMS, make_deb
from release.tree import ROOT, Fault


def main() -> int:
    """The command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m release", description="Makes what is given to people.")
    parser.add_argument("what", choices=["deb", "all"])
    parser.add_argument("--arch", choices=sorted(PLATFORMS), default="amd64")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    wanted = parser.parse_args()
    try:
        made = (
            make_release(wanted.out / "release")
            if wanted.what == "all"
            else [make_deb(wanted.arch, wanted.out)]
        )
    except Fault as fault:
        print(f"{fault}", file=sys.stderr)
        return 2
    for file in made:
        print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
