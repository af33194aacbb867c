"""What the set-up process and its page say to each other: the picture of how far it is, and what a person
wants done. Pure.

The page receives the whole picture whenever it has changed, and sends one `Wish` at a time, which is
answered. No wish names a path of a file; a port is named only to choose the device there.
"""

from typing import Annotated, Final, Literal

import msgspec

from tablebridge.model.bounds import Line, Short, Word
from tablebridge.steps.antenna_map import MapView
from tablebridge.steps.calibration import CalibrationView
from tablebridge.steps.contacts import ContactsView
from tablebridge.steps.course import Step, StepRow
from tablebridge.steps.deck_check import CheckView
from tablebridge.steps.deck_step import DeckView
from tablebridge.steps.devices import DeviceRow
from tablebridge.steps.lights import LightRow, LightState
from tablebridge.steps.people import Duty, Given, GivenRole, Language, PeopleView
from tablebridge.steps.trial_hand import HandView

LONGEST_LINE: Final = 4_000_000
"""Bytes of a line on the socket: a picture with a long diff has a hundredth of that."""
Port = Annotated[str, msgspec.Meta(max_length=300)]


class Tested(msgspec.Struct, frozen=True):
    """One check of the doctor. `says`: a sentence; `cure`: what to do, empty if all is well; `command`: to be
    copied, empty if there is none in it.
    """

    level: Literal["ok", "warn", "fail"]
    about: str
    says: str
    cure: str = ""
    command: str = ""


class DoctorView(msgspec.Struct, frozen=True):
    """What the doctor found at `at_wall_ms`, 0 if it was not called; `runs`: it examines the box now; `why`:
    why there is no result.
    """

    runs: bool = False
    at_wall_ms: int = 0
    checks: tuple[Tested, ...] = ()
    why: str = ""


class Receipt(msgspec.Struct, frozen=True):
    """What a deck check that ended is witnessed by. `by`: the person who ended it."""

    at_wall_ms: int
    by: str
    result: CheckView


class Applying(msgspec.Struct, frozen=True):
    """The lines that the site file gets. `file`: its path; `diff`: as `site_text.changes`; `refused`: why it
    cannot be written now, a sentence each; `written`: the file is as set up.
    """

    file: str
    diff: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    written: bool = False


class SignalView(msgspec.Struct, frozen=True):
    """Buttons, lights, and whether a person heard the sound of the page."""

    contacts: ContactsView
    lights: tuple[LightRow, ...]
    sounds: bool


class Picture(msgspec.Struct, frozen=True):
    """How far the set-up is. `serves`: the site is there and its processes run, so that devices are heard
    over the bus; `adopting_until_wall_ms`: 0 if no device may be chosen; `decks`: their names, and how many
    cards of how many have tags; `drivers`: by name their titles.
    """

    rev: int
    steps: tuple[StepRow, ...]
    table: str
    seats: str
    serves: bool
    devices: tuple[DeviceRow, ...] = ()
    adopting_until_wall_ms: int = 0
    drivers: dict[str, str] = {}
    map: MapView | None = None
    decks: tuple[tuple[str, int, int], ...] = ()
    deck: DeckView | None = None
    check: CheckView | None = None
    receipt: Receipt | None = None
    applying: Applying | None = None
    doctor: DoctorView = DoctorView()
    spots: tuple[str, ...] = ()
    calibration: CalibrationView | None = None
    signals: SignalView | None = None
    people: PeopleView | None = None
    hand: HandView | None = None


class NameTable(msgspec.Struct, frozen=True, tag="name-table"):
    """The table is called so, and has these seats, such as 1-9."""

    table: Word
    seats: Short


class OpenAdopting(msgspec.Struct, frozen=True, tag="open-adopting"):
    """Devices may be chosen from now on, for four minutes."""


class CloseAdopting(msgspec.Struct, frozen=True, tag="close-adopting"):
    """No further device may be chosen."""


class AddPort(msgspec.Struct, frozen=True, tag="add-port"):
    """Something is connected to this port that is not plugged in over USB."""

    port: Port


class Adopt(msgspec.Struct, frozen=True, tag="adopt"):
    """The device at this port is spoken to with this driver, `try` for one after the other. `options`: as in
    the site file, such as `antennas = 4`.
    """

    port: Port
    driver: Short
    options: Line = ""


class LeaveAlone(msgspec.Struct, frozen=True, tag="leave-alone"):
    """The device at this port is none of ours: it goes from the table, and is not offered."""

    port: Port


class Replace(msgspec.Struct, frozen=True, tag="replace"):
    """What is at `port` takes the place of the chosen device `name`: its driver, options and places stay."""

    name: Word
    port: Port


class AskPlace(msgspec.Struct, frozen=True, tag="ask-place"):
    """Ask for the test card at this place; at the next one that has no antenna, if it is empty."""

    place: Word = ""


class LeavePlace(msgspec.Struct, frozen=True, tag="leave-place"):
    """This place has no antenna: it goes from the map."""

    place: Word


class BeginDeck(msgspec.Struct, frozen=True, tag="begin-deck"):
    """Enrol this deck from its first missing card on. `spot`: on which antenna, empty for the first."""

    deck: Word
    kind: Word = "52"
    spot: Short = ""


class UndoCard(msgspec.Struct, frozen=True, tag="undo-card"):
    """Take the card back that was enrolled last."""


class PauseDeck(msgspec.Struct, frozen=True, tag="pause-deck"):
    """Go on with the deck later."""


class BeginCheck(msgspec.Struct, frozen=True, tag="begin-check"):
    """Check this deck."""

    deck: Word


class EndCheck(msgspec.Struct, frozen=True, tag="end-check"):
    """All cards were shown: write the receipt."""


class BeginCalibration(msgspec.Struct, frozen=True, tag="begin-calibration"):
    """Measure the antennas of all places, or of this one."""

    place: Word = ""


class SkipPlace(msgspec.Struct, frozen=True, tag="skip-place"):
    """Measure the next place."""


class ApplyCalibration(msgspec.Struct, frozen=True, tag="apply-calibration"):
    """Write down what was measured."""


class AskContact(msgspec.Struct, frozen=True, tag="ask-contact"):
    """The next contact that is closed means this."""

    meaning: Word


class ForgetContact(msgspec.Struct, frozen=True, tag="forget-contact"):
    """A contact has no meaning. `number`: its own, in digits."""

    device: Word
    number: Annotated[str, msgspec.Meta(pattern="^[0-9]{1,5}$")]


class ShowLight(msgspec.Struct, frozen=True, tag="show-light"):
    """A light is to show this."""

    device: Word
    state: LightState


class ConfirmLight(msgspec.Struct, frozen=True, tag="confirm-light"):
    """A person sees on the light what it was asked to show."""

    device: Word


class ConfirmSound(msgspec.Struct, frozen=True, tag="confirm-sound"):
    """A person heard the sound of the page."""


class AddPerson(msgspec.Struct, frozen=True, tag="add-person"):
    """This person may open the pages of the role; a dealer those of the table. With a `phone` the person is
    notified, in this language.
    """

    name: Annotated[str, msgspec.Meta(max_length=60)]
    role: GivenRole
    phone: Literal["", "yes"] = ""
    duty: Duty = "floor"
    language: Language = "en"


class RevokePerson(msgspec.Struct, frozen=True, tag="revoke-person"):
    """The token with this id is good no more."""

    id: Word


class NamePhones(msgspec.Struct, frozen=True, tag="name-phones"):
    """The house's ntfy server, and the address under which phones open the pages."""

    ntfy: Annotated[str, msgspec.Meta(max_length=200)]
    pages: Annotated[str, msgspec.Meta(max_length=200)] = ""


class ApplyPeople(msgspec.Struct, frozen=True, tag="apply-people"):
    """Write the file of people."""


class TestPhone(msgspec.Struct, frozen=True, tag="test-phone"):
    """Send a test notification to this person."""

    name: Annotated[str, msgspec.Meta(max_length=60)]


class BeginHand(msgspec.Struct, frozen=True, tag="begin-hand"):
    """Expect a test hand with the cards of this deck."""

    deck: Word


class EndHand(msgspec.Struct, frozen=True, tag="end-hand"):
    """All cards of the test hand are dealt."""


class Skip(msgspec.Struct, frozen=True, tag="skip"):
    """Skip a step, for this reason."""

    step: Step
    reason: Line


class CallDoctor(msgspec.Struct, frozen=True, tag="call-doctor"):
    """Examine the box."""


class Apply(msgspec.Struct, frozen=True, tag="apply"):
    """Write the site file."""


class Finish(msgspec.Struct, frozen=True, tag="finish"):
    """The set-up is over: its process ends."""


PeopleWish = AddPerson | RevokePerson | NamePhones | ApplyPeople | TestPhone
"""What gives out rights: who sits at the box may want it, and nobody else."""
Wish = (
    NameTable
    | OpenAdopting
    | CloseAdopting
    | AddPort
    | Adopt
    | LeaveAlone
    | Replace
    | AskPlace
    | LeavePlace
    | BeginDeck
    | UndoCard
    | PauseDeck
    | BeginCheck
    | EndCheck
    | BeginCalibration
    | SkipPlace
    | ApplyCalibration
    | AskContact
    | ForgetContact
    | ShowLight
    | ConfirmLight
    | ConfirmSound
    | PeopleWish
    | BeginHand
    | EndHand
    | Skip
    | CallDoctor
    | Apply
    | Finish
)


class Wanted(msgspec.Struct, frozen=True):
    """A wish as it is sent. `id`: of this wish, so that it is done once; `by`: the signed-in person."""

    id: Word
    by: Short
    wish: Wish


class Answered(msgspec.Struct, frozen=True):
    """What became of a wish. `sentence`: why it was not done, empty if it was; `given`: what is shown to
    whoever wanted it, and to nobody else.
    """

    id: str
    sentence: str = ""
    given: Given | None = None


class Sent(msgspec.Struct, frozen=True):
    """A line of the set-up process: one of the two."""

    picture: Picture | None = None
    answer: Answered | None = None
