"""The forms of the sentences that processes send in English: `heard` recognises a sentence by its form, and
catalogues have the translations.

`{seat}`, `{count}`, `{amount}` and the other names of `NUMBERS` are numbers, and `{count:n}` decides the
plural form; `{street:street}`, `{card:card}`, `{role:role}`, `{place:place}`: words that are translated as
well; `{why:said}`: a sentence that is recognised in its turn; any other field is a name.
"""

from typing import Final

from tablebridge.web.forms.doctor import DOCTOR
from tablebridge.web.forms.far import FAR
from tablebridge.web.forms.found import FOUND
from tablebridge.web.forms.refusals import REFUSALS
from tablebridge.web.forms.room import ROOM
from tablebridge.web.forms.setup import SET_UP
from tablebridge.web.forms.table import EXPECTED, RULINGS
from tablebridge.web.forms.unchanged import UNCHANGED

FORMS: Final = tuple(
    dict.fromkeys((*EXPECTED, *RULINGS, *REFUSALS, *FAR, *FOUND, *UNCHANGED, *ROOM, *SET_UP, *DOCTOR))
)
"""All forms. A sentence is of the first that fits."""
NUMBERS: Final = ("seat", "count", "amount", "then", "entry", "other", "most", "line")

__all__ = ["FORMS", "NUMBERS"]
