"""People and phones of the set-up process: the same tokens as `tablebridge token`, the same file of people
and the same ways as `tablebridge notify`.
"""

import secrets
import threading
from typing import Final

from tablebridge import private
from tablebridge.doctor.setup_process.progress import Progress
from tablebridge.doctor.setup_process.site_desk import SiteDesk
from tablebridge.model.errors import ConfigError, Refused
from tablebridge.notify.notice import WARNING, Notice, labels, test_text
from tablebridge.notify.ntfy import NtfyWay
from tablebridge.settings.people import TOPIC, Ntfy, People, load_people
from tablebridge.settings.site import Site
from tablebridge.steps import picture as wishes
from tablebridge.steps.people import NTFY, Given, PeopleView, PersonRow, Phone, PhoneRow, Rung, people_text
from tablebridge.steps.picture import PeopleWish
from tablebridge.steps.site_text import changes
from tablebridge.web.addresses import addresses_of, links_of
from tablebridge.web.auth import Tokens

LINK_S: Final = 24 * 3600
"""How long a link waits for its person; set."""


class PeopleDesk:
    """The people of the site of `desk`, at its only table."""

    def __init__(self, desk: SiteDesk, progress: Progress) -> None:
        self._desk = desk
        self._tokens = Tokens(desk.state_dir)
        self.phones = list(progress.phones)
        self.ntfy = progress.ntfy or NTFY
        self.pages = progress.pages
        self._tests: dict[str, tuple[str, str]] = {}
        self._kept: tuple[int, People | None] = (0, None)

    @property
    def passes(self) -> bool:
        """Whether somebody of the floor has a token, and each phone got its test notification."""
        names = [phone.name for phone in self._all_phones()]
        tested = all(self._tests.get(name, ("", ""))[0] == "accepted" for name in names)
        return tested and not self.phones and any(token.role == "floor" for token in self._tokens.all())

    def do(self, wish: PeopleWish, table: str, by: str) -> Given | None:
        """What the person `by` wants. Returns what the new person gets. Raises Refused, ConfigError."""
        match wish:
            case wishes.AddPerson():
                return self._add(wish, table, by)
            case wishes.RevokePerson(id):
                self._tokens.revoke(id, by=by)
            case wishes.NamePhones(ntfy, pages):
                self._name(ntfy, pages)
            case wishes.ApplyPeople():
                self._apply()
            case wishes.TestPhone(name):
                self._test(name)
        return None

    def keep(self, progress: Progress) -> None:
        """Write down who is not in the file of people yet."""
        progress.phones, progress.ntfy, progress.pages = self.phones, self.ntfy, self.pages

    def view(self) -> PeopleView:
        """The step as it is shown."""
        used = self._tokens.used()
        rows = tuple(
            PersonRow(
                token.id,
                token.name,
                token.role,
                token.table or "",
                bool(token.link),
                self._tokens.expired(token),
                used.get(token.id, 0),
            )
            for token in self._tokens.all()
        )
        written = {phone.name for phone in self._written()}
        phones = tuple(
            PhoneRow(
                phone.name,
                phone.duty,
                phone.language,
                phone.name in written,
                *self._tests.get(phone.name, ("", "")),  # type: ignore[arg-type]
            )
            for phone in self._all_phones()
        )
        before = self._text()
        diff = changes(before, people_text(before, self.ntfy, self.pages, self.phones)) if self.phones else ()
        return PeopleView(
            rows, phones, self._ladder(), str(self._desk.people_file), self.ntfy, self.pages, diff
        )

    def _add(self, wish: wishes.AddPerson, table: str, by: str) -> Given:
        name = " ".join(wish.name.split())
        if wish.phone and any(phone.name == name for phone in self._all_phones()):
            raise Refused(f"{name} is notified already: a name is used once.")
        at = table if wish.role == "dealer" else None
        token, secret = self._tokens.add(wish.role, name, at, link_s=LINK_S, by=by)
        topic = ""
        if wish.phone:
            topic = f"tb-{secrets.token_urlsafe(12)}"
            self.phones.append(Phone(token.name, wish.duty, wish.language, topic))
            topic = f"{self.ntfy}/{topic}"
        web = (self._desk.site or Site(state_dir=self._desk.state_dir)).web
        links = [link for host in addresses_of(web) for link in links_of(web, (table,), token, secret, host)]
        return Given(token.name, token.role, tuple(links), topic)

    def _name(self, ntfy: str, pages: str) -> None:
        if self._desk.people_file.exists():
            raise Refused(f"{self._desk.people_file} is there already: write both addresses in it.")
        try:
            ntfy, pages = ntfy.strip(), pages.strip()
            People.model_validate({"ntfy": {"url": ntfy}, **({"pages": pages} if pages else {})})
        except ValueError:
            raise Refused("This is no address: write http://HOST:PORT or https://HOST.") from None
        self.ntfy, self.pages = ntfy, pages

    def _apply(self) -> None:
        if not self.phones:
            raise Refused("Nothing changes: add a person with a phone first.")
        path = self._desk.people_file
        beside = path.with_name(f".{path.name}.new")
        text = people_text(self._text(), self.ntfy, self.pages, self.phones)
        try:
            private.write(beside, text.encode())
            load_people(beside, self._tables())
            beside.replace(path)
        except OSError as error:
            raise Refused(
                f"{path} cannot be written ({error.strerror}): make room on the disk, or check its rights."
            ) from None
        finally:
            beside.unlink(missing_ok=True)
        self.phones = []

    def _test(self, name: str) -> None:
        phone = next((phone for phone in self._all_phones() if phone.name == name), None)
        if phone is None:
            raise Refused(f"{name} has no phone that is notified by an ntfy server.")
        text = test_text(phone.language)
        notice = Notice(
            f"test-{secrets.token_hex(8)}",
            f"test-{secrets.token_hex(8)}",
            name,
            "test",
            WARNING,
            text.title,
            text.body,
            labels=labels(phone.language),
        )
        people = self._people() or People(ntfy=Ntfy(url=self.ntfy), pages=self.pages or None)
        self._tests[name] = "sending", ""
        threading.Thread(target=self._send, args=(NtfyWay(people, phone.topic), notice), daemon=True).start()

    def _send(self, way: NtfyWay, notice: Notice) -> None:
        why = f"The ntfy server {self.ntfy} does not answer: start it, or name another one."
        try:
            status = way.send(notice)
            accepted = 200 <= status < 300
            why = "" if accepted else f"The ntfy server {self.ntfy} refuses it, with status {status}."
        except Exception:  # whatever a service does, the step says what to do
            accepted = False
        self._tests[notice.person] = ("accepted" if accepted else "failed"), why

    # ---- the file of people

    def _all_phones(self) -> list[Phone]:
        return [*self._written(), *self.phones]

    def _written(self) -> list[Phone]:
        people = self._people()
        return [
            Phone(person.name, person.duty, person.language, way.partition(":")[2])
            for person in (people.people if people is not None else ())
            for way in person.ways[:1]
            if TOPIC.fullmatch(way)
        ]

    def _people(self) -> People | None:
        """The file of people, read again if it has changed; None if there is none."""
        path = self._desk.people_file
        changed_ns = path.stat().st_mtime_ns if path.exists() else 0
        if changed_ns != self._kept[0]:
            self._kept = changed_ns, load_people(path, self._tables()) if changed_ns else None
        return self._kept[1]

    def _text(self) -> str:
        path = self._desk.people_file
        try:
            return path.read_text(encoding="utf-8") if path.exists() else ""
        except OSError as error:
            raise ConfigError(f"{path} cannot be read ({error.strerror}): check its rights.") from None

    def _tables(self) -> tuple[str, ...]:
        return tuple(table.name for table in self._desk.site.tables) if self._desk.site is not None else ()

    def _ladder(self) -> tuple[Rung, ...]:
        """Who is rung when, if nobody sees an alert."""
        ringing = (self._desk.site or Site(state_dir=self._desk.state_dir)).ringing
        floor = tuple(phone.name for phone in self._all_phones() if phone.duty == "floor")
        all_people = tuple(phone.name for phone in self._all_phones())
        return (
            Rung("warning", 0.0, floor),
            Rung("warning", ringing.warning_all_s, floor),
            Rung("warning", ringing.warning_manager_s, all_people),
            Rung("critical", 0.0, floor),
            Rung("critical", ringing.critical_manager_s, all_people),
        )


__all__ = ["LINK_S", "PeopleDesk"]
