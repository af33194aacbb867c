"""Buttons, lights and sound of the set-up process."""

from typing import Final

from tablebridge.doctor.setup_process.bench import Bench
from tablebridge.doctor.setup_process.progress import Progress
from tablebridge.model.contacts import parse_contact
from tablebridge.model.errors import Refused
from tablebridge.model.readings import ButtonPress
from tablebridge.sdk.driver import Signal
from tablebridge.steps import picture as wishes
from tablebridge.steps.contacts import Contacts
from tablebridge.steps.lights import Lights, LightState
from tablebridge.steps.picture import SignalView
from tablebridge.steps.site_text import Part

_SIGNALS: Final[dict[LightState, Signal]] = {
    "off": Signal("clear"),
    "raised": Signal("warning"),
    "seen": Signal("warning", taken=True),
    "critical": Signal("critical"),
    "called": Signal("called"),
    "away": Signal(),
}
SignalWish = (
    wishes.AskContact | wishes.ForgetContact | wishes.ShowLight | wishes.ConfirmLight | wishes.ConfirmSound
)


class SignalDesk:
    """Contacts and their meanings, lights, and whether the page sounds."""

    def __init__(self, progress: Progress, bench: Bench) -> None:
        self._bench = bench
        self.contacts = Contacts(
            {(device, number): parse_contact(meaning) for device, number, meaning in progress.contacts}
        )
        self.lights = Lights(progress.lights)
        self.sounds = progress.sounds

    @property
    def passes(self) -> bool:
        """Whether each button was pressed, each light seen, and the sound heard."""
        return self.sounds and self.contacts.tested and self.lights.tested(self._bench.lights)

    def do(self, wish: SignalWish) -> None:
        """What a person wants. Raises Refused."""
        match wish:
            case wishes.AskContact(meaning):
                try:
                    self.contacts.ask(parse_contact(meaning))
                except ValueError as error:
                    raise Refused(f"{error}.") from None
            case wishes.ForgetContact(device, number):
                self.contacts.forget((device, int(number)))
            case wishes.ShowLight(device, state):
                self._bench.show(device, _SIGNALS[state])
                self.lights.show(device, state)
            case wishes.ConfirmLight(device):
                if not self.lights.confirm(device):
                    raise Refused("Have the light show something first.")
            case wishes.ConfirmSound():
                self.sounds = True

    def keep(self, progress: Progress) -> None:
        """Write down what contacts mean, and what was seen and heard."""
        progress.contacts = [(*wire, meaning) for wire, meaning in self.contacts.meanings.items()]
        progress.lights, progress.sounds = self.lights.seen, self.sounds

    def press(self, device: str, press: ButtonPress) -> bool:
        """A contact closed or opened. Returns whether it has got a meaning by that."""
        return self.contacts.press(device, press) is not None

    def left(self, device: str) -> None:
        """The device is none of the table's any more."""
        self.contacts.left(device)

    def with_contacts(self, parts: list[Part]) -> list[Part]:
        """The devices with what their contacts mean."""
        for part in parts:
            part.contacts = self.contacts.of(part.name)
        return parts

    def view(self) -> SignalView:
        """The step as it is shown."""
        return SignalView(self.contacts.view(), self.lights.rows(self._bench.lights), self.sounds)


__all__ = ["SignalDesk", "SignalWish"]
