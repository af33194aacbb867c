"""The command that a cure of the doctor has in it, for whoever wants to copy it. Pure."""

import re
from typing import Final

_QUOTED: Final = re.compile(r"`([^`]+)`")
_COMMANDS: Final = "setup|doctor|site|ports|capture|calibrate|enrol|install|restore|token|run"
_BARE: Final = re.compile(rf"\b(?:sudo|tablebridge (?:{_COMMANDS})\b) ?[^,;`]*?(?=,|;|\.$|\. |$)")


def command_of(cure: str) -> str:
    """The first command that a cure names, between backquotes or from `sudo` or `tablebridge` on; empty if it
    names none.
    """
    quoted = next((text for text in _QUOTED.findall(cure) if text.startswith(("tablebridge ", "sudo "))), "")
    if quoted:
        return str(quoted)
    bare = _BARE.search(cure)
    return bare.group().strip() if bare else ""


__all__ = ["command_of"]
