"""The optional parts of the installation: what each extra of the package brings, and what to say if it is
missing.
"""

import sys
from typing import Final

from tablebridge import DISTRIBUTION

EXTRAS: Final = {
    "serial": ("serial",),
    "usb": ("usb", "libusb_package"),
    "broker": ("cryptography", "paho", "pydantic"),
    "backup": ("pyrage",),
    "notify": ("apprise",),
    "uplink": ("nacl", "nats", "nkeys"),
    "firmware": ("mpremote",),
    "web": ("babel", "fastapi", "jinja2", "prometheus_client", "segno", "starlette", "uvicorn"),
}
"""The modules that are imported from each extra of a box in pyproject.toml."""
ROOM_EXTRAS: Final = {"site": ("alembic", "psycopg", "sqlalchemy")}
"""The same of the extras that the machines of a room have, and no box."""


def advice(missing: ModuleNotFoundError) -> str | None:
    """What to install, in one sentence; None if the module that is missing belongs to no extra."""
    package = (missing.name or "").partition(".")[0]
    for extra, modules in (EXTRAS | ROOM_EXTRAS).items():
        if package in modules:
            return (
                f"this needs the extra [{extra}], which is not installed ({package} is missing): "
                f"{sys.executable} -m pip install '{DISTRIBUTION}[{extra}]'; [all] installs every extra"
            )
    return None
