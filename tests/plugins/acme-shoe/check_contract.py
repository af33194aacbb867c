"""The contract, held by a package that is not of this project: run it with the Python that has both
installed.
"""

import sys

from acme_shoe import DRIVER, encode

from tablebridge.sdk.captures import Piece
from tablebridge.sdk.testing import check_driver, replay

AT_WORK = b"".join(encode(text) for text in ("B", "CE004010000000001", "B", "CE004010000000002"))


def main() -> None:
    check_driver(DRIVER, streams=[AT_WORK])
    heard = replay(DRIVER, [Piece(0, "rx", AT_WORK.hex())])
    assert [sweep.tags for sweep in heard.readings] == [("E004010000000001",), ("E004010000000002",)]
    sys.stdout.write("the contract holds\n")


if __name__ == "__main__":
    main()
