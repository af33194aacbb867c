"""Takes out of a text what may not leave the box: tokens and passwords, tags, faces.

It is the second line of defence. The first is that nothing of the kind is written in the first place; this
one is for what another program, a driver or a library says. So it rather takes too much than too little.
"""

import re
from typing import Final

_SECRET: Final = re.compile(r"\btb_[A-Za-z0-9_-]{4,}")
_NAMED: Final = re.compile(
    r"""((?:key|token|secret|password|passwd|bearer|authorization)["']?\s*[=: ]\s*["']?)[^\s"'&,;]+""",
    re.IGNORECASE,
)
_TAG: Final = re.compile(
    r"(?<![0-9A-Za-z])(?:(?=[0-9A-Fa-f]*[0-9])(?=[0-9]*[A-Fa-f])[0-9A-Fa-f]{8,}|[0-9A-Fa-f]{16,}"
    r"|(?:[0-9A-Fa-f]{2}[: ]){3,31}[0-9A-Fa-f]{2})(?![0-9A-Za-z])"
)
_FACE: Final = re.compile(
    r"(?<![\w/.-])(?:10|[2-9TJQKA])[hdcs](?![\w/-])|[2-9TJQKA][♥♦♣♠]|[\U0001F0A0-\U0001F0FF]"
)
_SPOKEN: Final = re.compile(
    r"\b(?:ace|king|queen|jack|ten|nine|eight|seven|six|five|four|three|two|deuce)s? of "
    r"(?:hearts|diamonds|clubs|spades)\b",
    re.IGNORECASE,
)
_REPLACED: Final = (
    (_SECRET, "(secret)"),
    (_NAMED, r"\1(secret)"),
    (_TAG, "(tag)"),
    (_FACE, "(card)"),
    (_SPOKEN, "(card)"),
)


def scrubbed(text: str) -> str:
    """The text without anything that looks like a secret, a tag or a face."""
    for pattern, instead in _REPLACED:
        text = pattern.sub(instead, text)
    return text
