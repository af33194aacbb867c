"""What the set-up process works with, and what becomes of wishes and readings: all of it in one thread."""

import contextlib
import time
from pathlib import Path
from typing import Final

from tablebridge.doctor.listen import Heard as Hear
from tablebridge.doctor.setup_process.bench import Bench
from tablebridge.doctor.setup_process.calibration_desk import CalibrationDesk
from tablebridge.doctor.setup_process.deck_desk import DeckDesk
from tablebridge.doctor.setup_process.ear import Ear
from tablebridge.doctor.setup_process.examination import Examination
from tablebridge.doctor.setup_process.hand_desk import HandDesk
from tablebridge.doctor.setup_process.people_desk import PeopleDesk
from tablebridge.doctor.setup_process.place_desk import PlaceDesk
from tablebridge.doctor.setup_process.progress import Progress, digest, load_progress, save_progress
from tablebridge.doctor.setup_process.signal_desk import SignalDesk
from tablebridge.doctor.setup_process.site_desk import SiteDesk
from tablebridge.model.errors import ConfigError, Refused
from tablebridge.model.readings import ButtonPress, Reading, Sweep, TrayReading
from tablebridge.steps import picture as wishes
from tablebridge.steps.course import Course, Step
from tablebridge.steps.hardware import bases
from tablebridge.steps.people import Given
from tablebridge.steps.picture import Picture
from tablebridge.steps.site_text import Part

TRAY_VISITS: Final = 3
"""A tray reports its tags when they change only: a report counts as this many visits."""


class SetupWork:
    """The set-up of the site file of `site`. `serves`: its processes run, so that its devices are heard over
    the bus. `hear` receives what devices report, in their threads, for `reading`. Raises ConfigError.

    `ended`: a person has finished it.
    """

    def __init__(self, site: SiteDesk, ports: tuple[str, ...], serves: bool, hear: Hear) -> None:
        self.ended = False
        self._site = site
        self._serves = serves
        progress = load_progress(site.state_dir)
        if progress.base != digest(site.text):
            progress = _begun(site, progress)
        self._course = Course(progress.steps)
        over_bus = [part.name for part in site.parts] if serves else []
        known = dict.fromkeys([*progress.ports, *ports])
        self._bench = Bench(progress.parts, known, progress.ignored, over_bus, hear)
        self._places = PlaceDesk(progress, self._bench)
        self._mapped = self._places.complete
        self._ear = Ear(site.site, hear) if serves and site.site is not None else None
        self._calibration = CalibrationDesk(site.state_dir, progress)
        self._decks = DeckDesk(site.state_dir, self._in_play)
        self._signals = SignalDesk(progress, self._bench)
        self._people = PeopleDesk(site, progress)
        self._hand = HandDesk()
        self._rest()
        self._examination = Examination()
        self._paused = False
        self._resume_deck(progress)

    def start(self) -> None:
        """Listen to the devices from now on."""
        self._bench.resume()
        if self._ear is not None:
            self._ear.start()

    def stop(self) -> None:
        """Release all devices."""
        if self._ear is not None:
            self._ear.stop()
        self._bench.pause()

    def _in_play(self, deck: Path) -> str:
        return self._ear.in_play(deck) if self._ear is not None else ""

    def reading(self, device: str, reading: Reading) -> None:
        """What a device reported."""
        self._bench.heard(device, time.monotonic())
        if isinstance(reading, TrayReading):
            reading = Sweep(0, reading.tags, TRAY_VISITS)
        if isinstance(reading, ButtonPress) and self._signals.press(device, reading):
            self.keep()
        if not isinstance(reading, Sweep):
            return
        with contextlib.suppress(ConfigError):  # doctor and Apply say what is wrong with the file
            if self._calibration.sweep(self._places.table, device, reading, time.monotonic_ns()):
                self.keep()
        if self._hand.sweep(device, reading):
            self._pass("hand")
        if self._places.sweep(device, reading):
            self.keep()
        if self._decks.sweep(device, reading):
            self._pass("decks")

    def tick(self, now_s: float) -> None:
        """Do what is due at `now_s` (seconds, monotonic)."""
        if self._examination.over and self._paused:
            self._paused = False
            self._bench.resume()
        if not self._paused and self._bench.tick(now_s):
            self._judge_devices()
            self.keep()
        for name in self._bench.lost():
            self._places.gone(name)
        if self._hand.tick():
            self._pass("hand")
        self._judge_signals_and_people()

    def picture(self, now_s: float) -> Picture:
        """How far it is; its revision is left to whoever sends it."""
        left_s = self._bench.adopting.left_s(now_s)
        return Picture(
            0,
            self._course.rows,
            self._places.table,
            self._places.seats,
            self._serves,
            self._bench.rows(now_s),
            round((time.time() + left_s) * 10) * 100 if left_s else 0,
            self._bench.titles,
            self._places.map.view(),
            self._decks.decks,
            self._decks.deck_view(),
            self._decks.check_view(),
            self._decks.receipt,
            self._site.applying(self._places.table, self._places.seats, self._parts(), self._refusals()),
            self._examination.view,
            self._places.spots(),
            self._calibration.view(),
            self._signals.view(),
            self._people.view(),
            self._hand.view(),
        )

    def do(self, wish: wishes.Wish, by: str) -> Given | None:
        """Do what a person wants. Returns what is for whoever wants it alone. Raises Refused, ConfigError."""
        now_s = time.monotonic()
        match wish:
            case wishes.OpenAdopting():
                self._bench.adopting.open(now_s)
            case wishes.CloseAdopting():
                self._bench.adopting.close()
            case wishes.AddPort(port):
                self._bench.add_port(port)
            case wishes.Adopt() | wishes.Replace() if self._paused:
                raise Refused("The doctor has the devices now: wait until it has examined the box.")
            case wishes.Adopt(port, driver, options):
                self._bench.adopt(port, driver, options, now_s)
            case wishes.Replace(name, port):
                self._bench.replace(name, port, now_s)
            case wishes.LeaveAlone(port):
                gone = self._bench.leave_alone(port)
                if gone is not None:
                    self._places.left(gone.name)
                    self._signals.left(gone.name)
                self._judge_devices()
            case wishes.NameTable() | wishes.AskPlace() | wishes.LeavePlace():
                self._places.do(wish)
            case wishes.Skip(step, reason):
                self._course.skip(step, reason)
            case wishes.CallDoctor():
                self._examine()
            case wishes.Apply():
                self._apply()
            case wishes.Finish():
                self.ended = True
            case wishes.AddPerson() | wishes.RevokePerson() | wishes.NamePhones():
                return self._people.do(wish, self._places.table, by)
            case wishes.ApplyPeople() | wishes.TestPhone():
                return self._people.do(wish, self._places.table, by)
            case _:
                self._do_test(wish, by)
        return None

    def _do_test(self, wish: wishes.Wish, by: str) -> None:
        match wish:
            case wishes.BeginCalibration(place):
                self._calibration.begin(self._places.map.found, place)
            case wishes.SkipPlace():
                self._calibration.skip(self._places.table)
            case wishes.ApplyCalibration():
                passed = self._calibration.apply(self._places.table)
                self._course.take("calibration", "passed" if passed else "changed")
            case wishes.AskContact() | wishes.ForgetContact() | wishes.ShowLight():
                self._signals.do(wish)
            case wishes.ConfirmLight() | wishes.ConfirmSound():
                self._signals.do(wish)
            case wishes.BeginHand(deck):
                self._hand.begin(self._decks.complete(deck), self._places.map.found)
            case wishes.EndHand():
                self._hand.end()
            case _:
                self._do_deck(wish, by)

    def _do_deck(self, wish: wishes.Wish, by: str) -> None:
        match wish:
            case wishes.BeginDeck(deck, kind, spot):
                self._decks.begin(deck, kind, self._places.spot(spot))
            case wishes.UndoCard():
                self._decks.undo()
                self._course.take("decks", "changed")
            case wishes.PauseDeck():
                self._decks.pause()
            case wishes.BeginCheck(deck):
                self._decks.begin_check(deck)
            case wishes.EndCheck():
                passed = self._decks.end_check(by, round(time.time() * 1000))
                self._course.take("check", "passed" if passed else "changed")

    def _examine(self) -> None:
        if not self._examination.over:
            raise Refused("The doctor examines the box already: wait for it.")
        # It opens the ports itself.
        self._paused = True
        self._bench.pause()
        self._examination.start(self._site.path if self._site.path.exists() else None)

    def _apply(self) -> None:
        why = self._refusals()
        if why:
            raise Refused(" ".join(why))
        self._site.write(self._places.table, self._places.seats, self._parts())

    def _parts(self) -> list[Part]:
        return self._signals.with_contacts(self._places.parts())

    def _rest(self) -> None:
        """What the steps rest on is as it is now."""
        self._course.rest_on(bases(self._bench.parts, self._places.map.claims))

    def _pass(self, step: Step) -> None:
        self._course.take(step, "passed")
        self.keep()

    def _judge_signals_and_people(self) -> None:
        judged: tuple[tuple[Step, bool], ...] = (
            ("signals", self._signals.passes),
            ("people", self._people.passes),
        )
        for step, passes in judged:
            if passes and self._course.take(step, "passed"):
                self.keep()

    def _judge_devices(self) -> None:
        self._course.take("devices", "passed" if self._bench.parts else "changed")

    def _judge_map(self) -> None:
        if self._places.complete != self._mapped:
            self._mapped = self._places.complete
            self._course.take("map", "passed" if self._mapped else "changed")

    def _refusals(self) -> list[str]:
        """Why the site file cannot be written now."""
        why = [] if self._bench.parts else ["No device was chosen yet: step 1 does that."]
        return [*why, *self._places.refusals()]

    def _resume_deck(self, progress: Progress) -> None:
        """Go on with the deck, if its reader was not taken from the table meanwhile."""
        names = {part.name for part in self._bench.parts}
        if progress.deck and progress.spot is not None and progress.spot[0] in names:
            with contextlib.suppress(Refused, ConfigError):
                self._decks.begin(progress.deck, progress.kind, progress.spot)

    def keep(self) -> None:
        """Write down how far it is."""
        self._rest()
        self._judge_map()
        kept = Progress(digest(self._site.text), steps=self._course.rows)
        kept.ports, kept.parts, kept.ignored = self._bench.ports, self._bench.parts, self._bench.ignored
        for desk in (self._places, self._calibration, self._decks, self._signals, self._people):
            desk.keep(kept)
        save_progress(self._site.state_dir, kept)


def _begun(desk: SiteDesk, old: Progress) -> Progress:
    """A set-up that goes on from the site file as it is, and not from what was kept of another."""
    site = desk.site
    begun = Progress(parts=desk.parts, ports=old.ports, ignored=old.ignored)
    if site is not None and len(site.tables) == 1:
        begun.table, begun.seats = site.tables[0].name, site.tables[0].seats
        begun.claims = {
            place: (part.name, number) for part in begun.parts for number, place in part.antennas.items()
        }
        begun.places = list(begun.claims)
    begun.contacts = [
        (part.name, number, meaning) for part in begun.parts for number, meaning in part.contacts.items()
    ]
    if site is not None and len(site.tables) > 1:
        raise ConfigError(
            "The set-up page handles a site of one table; this site file has several: "
            "use the commands enrol, calibrate and doctor."
        )
    return begun


__all__ = ["SetupWork"]
