"""`python -m release deb|image [--arch ARCH]`: the Debian package, or the container image, into dist/.
`python -m release all`: a whole release, into dist/release/.
"""

import argparse
import sys
from pathlib import Path

from release.all import make_release
from release.deb import PLATFORMS, make_deb
from release.image import make_image
from release.tree import ROOT, Fault


def main() -> int:
    """The command line; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m release", description="Makes what is given to people.")
    parser.add_argument("what", choices=["deb", "image", "all"])
    parser.add_argument("--arch", choices=sorted(PLATFORMS), default="amd64")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    wanted = parser.parse_args()
    try:
        match wanted.what:
            case "deb":
                made = [make_deb(wanted.arch, wanted.out)]
            case "image":
                made = make_image(wanted.arch, wanted.out)
            case _:
                made = make_release(wanted.out / "release")
    except Fault as fault:
        print(f"{fault}", file=sys.stderr)
        return 2
    for file in made:
        print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
