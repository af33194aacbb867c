"""What somebody who mistyped a name may have meant."""

from collections.abc import Collection
from difflib import get_close_matches


def nearest(name: str, known: Collection[str]) -> str:
    """`did you mean X?` with the nearest of the known names, or all of them if none is near."""
    near = get_close_matches(name.lower(), known, 1, 0.6)
    return f"did you mean {near[0]}?" if near else f"known here: {', '.join(sorted(known))}"
