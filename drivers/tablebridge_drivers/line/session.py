"""The conversation with a board that speaks the line protocol (docs/line-protocol.md).

Theory. The board talks, the host listens; it asks `?` when the port opens, when the board is silent and when
lines are missing, and gets the whole state again. Three numbers carry the truth over gaps: SEQ counts
lines, EDGES the changes of a contact, NUMBER the reports of the shuffler.

What is known of the board is one of three, by SEQ and MS of the next message:

    next message                  it means                what becomes of the state
    SEQ one more than the last    nothing is missing      goes on
    SEQ and MS as the last        a repeat                dropped
    hello with SEQ 0              the board has started   sets of tags are empty, counters begin again
    SEQ not more than the last    it has started, and     sets of tags are unknown, counters begin again
                                  the hello was lost
    SEQ further on                lines are missing       sets of tags are unknown, counters stand; ask `?`

A set of tags that is unknown stays so until the antenna's next `=`.
"""

from typing import Final

from tablebridge.sdk import (
    ButtonPress,
    DeviceStatus,
    Instant,
    Options,
    Reason,
    Rejected,
    ShufflerReport,
    Sweep,
    TrayReading,
    Turn,
)
from tablebridge.sdk.boards import BOARD, Belonging, plain, with_board
from tablebridge.sdk.conversations.conversation import MS, Conversation
from tablebridge.sdk.framing import Lines
from tablebridge_drivers.line.lines import (
    LONGEST,
    MOST_NUMBER,
    Contact,
    DeadAntenna,
    Health,
    Hello,
    Line,
    Message,
    OtherVersion,
    Shuffler,
    TrayCounts,
    TrayTags,
    Visits,
    decode_line,
)

SILENCE_NS: Final = 1500 * MS
ASK_AGAIN_NS: Final = 1000 * MS
ASK_SOONEST_NS: Final = 500 * MS
MOST_EDGES: Final = 16
"""Number of lost edges of one contact that are made good; more than that is no person."""
COMMAND_TRIES: Final = 3
MOST_TAGS: Final = 400
"""A set of tags that has grown beyond this is no antenna's."""


class LineSession(Conversation[bytes]):
    """See the module. `options`: those of `tablebridge_drivers.line.DRIVER`."""

    def __init__(self, options: Options) -> None:
        super().__init__(Lines(LONGEST - 1, patient=True))
        self._wanted = int(options["antennas"])
        self.belonging = Belonging(str(options[BOARD]))
        self._last: Line | None = None
        self._identity = ""
        self._commanded = 0
        self._health = Health("ok", "")
        self._incomplete = False
        """Lines were missing, and the board has not yet said everything again."""
        self._sets: dict[int, frozenset[str] | None] = {}
        self._dead: dict[int, str] = {}
        self._contacts: dict[int, Contact] = {}
        self._shuffler_report = 0
        self._tray: list[TrayTags] = []
        self._tray_seq = 0
        self._other_version = 0

        self._heard_ns = 0
        self._asked_ns = 0
        self._ask_ns = 0
        """When `?` goes out unless a message comes before."""

    def start(self, now: Instant) -> Turn:
        self._heard_ns = now.monotonic_ns
        self._ask(now.monotonic_ns)
        return self._turn()

    def heard(self, line: bytes, now_ns: int) -> None:
        found = decode_line(line)
        if isinstance(found, Line):
            self._line(found, now_ns)
        elif isinstance(found, Rejected):
            self.report(found)
        elif found is not None:
            self._speaks_other(found)

    def due(self, now: Instant) -> Turn:
        if now.monotonic_ns >= self._ask_ns:
            if now.monotonic_ns >= self._heard_ns + ASK_AGAIN_NS:
                self.reject(Reason.TIMEOUT, "the board is silent")
            self._ask(now.monotonic_ns)
        return self._turn()

    def _next_ns(self) -> int:
        return self._ask_ns

    def _ask(self, now_ns: int) -> None:
        self.send(b"?\n")
        self._asked_ns, self._ask_ns = now_ns, now_ns + ASK_AGAIN_NS

    # Which line it is, and in which life of the board.

    def _line(self, line: Line, now_ns: int) -> None:
        last, self._last = self._last, line
        if last is not None and (line.seq, line.ms) == (last.seq, last.ms):
            self.reject(Reason.UNEXPECTED, f"line {line.seq} came twice")
            return
        self.prove_alive()
        self._heard_ns = now_ns
        self._other_version = 0
        if line.seq == 0 and isinstance(line.message, Hello):
            self._begin(line.message.cause if last is not None else None, frozenset())
        elif last is not None and line.seq <= last.seq and last.seq != MOST_NUMBER:
            self._begin("cause unknown, its hello was lost", None)
        elif last is not None and line.seq != (missing_from := last.seq % MOST_NUMBER + 1):
            self._missed(line.seq - missing_from)
        self._message(line.message, line.seq, now_ns)
        if self._incomplete:
            self._ask_ns = max(now_ns, self._asked_ns + ASK_SOONEST_NS)
            if self._ask_ns == now_ns:
                self._ask(now_ns)
        else:
            self._ask_ns = now_ns + SILENCE_NS

    def _begin(self, cause: str | None, tags: frozenset[str] | None) -> None:
        """The board has started. A contact that was closed has made its first edge since, if it is still
        closed.
        """
        if cause is not None:
            self.report(DeviceStatus("restarted", cause))
        self._sets = dict.fromkeys(self._sets if tags is None else range(1, 65), tags)
        self._dead.clear()
        self._contacts = {
            number: Contact(number, contact.closed, int(contact.closed))
            for number, contact in self._contacts.items()
        }
        self._shuffler_report = 0
        self._identity = ""
        self._incomplete = tags is None

    def _missed(self, lines: int) -> None:
        self.report(
            DeviceStatus("degraded", "1 line is missing" if lines == 1 else f"{lines} lines are missing")
        )
        self._sets = {}
        self._incomplete = True

    def _speaks_other(self, line: OtherVersion) -> None:
        self.reject(Reason.UNKNOWN_TYPE, f"protocol version {line.version}")
        if self._other_version != line.version:
            self._other_version = line.version
            self.report(
                DeviceStatus(
                    "failed", f"the board speaks version {line.version} of the line protocol, this driver 1"
                )
            )

    # What it says.

    def _message(self, message: Message, seq: int, now_ns: int) -> None:
        match message:
            case Visits():
                self._visits(message)
            case Contact():
                self._contact(message)
            case DeadAntenna(antenna, text):
                self._sets[antenna] = None
                if self._dead.get(antenna) != text:
                    self._dead[antenna] = text
                    self.report(DeviceStatus("failed", text, antenna))
            case Shuffler(number, report, count, faces):
                self._shuffler(number, ShufflerReport(report, count, faces))
            case TrayTags():
                self._tray_part(message, seq)
            case TrayCounts(counts):
                self.report(TrayReading(counts=counts))
            case Health(state, text):
                if message != self._health:
                    self._health = message
                    self.report(DeviceStatus(state, text))
            case Hello():
                self._hello(message)

    def _hello(self, hello: Hello) -> None:
        self.check_board(hello.identity)
        identity = f"{hello.identity}, antennas: {hello.antennas}, contacts: {hello.contacts}"
        if self.belonging.asked:
            identity = with_board(identity, plain(hello.identity))
        if identity != self._identity:
            self._identity = identity
            self.report(DeviceStatus("identified", identity))
        if self._incomplete and hello.cause == "asked":
            self._incomplete = False
            self.report(
                DeviceStatus(self._health.state, self._health.text or "the board tells its whole state again")
            )
        if self._wanted in (0, hello.antennas):
            self._commanded = 0
        elif self._commanded < COMMAND_TRIES:
            self._commanded += 1
            self.send(f"a{self._wanted}\n".encode())
        elif self._commanded == COMMAND_TRIES:
            self._commanded += 1
            self.report(
                DeviceStatus(
                    "degraded", f"the board visits {hello.antennas} antennas, not {self._wanted} as told"
                )
            )

    def _visits(self, line: Visits) -> None:
        antenna, known = line.antenna, self._sets.get(line.antenna)
        tags = frozenset(line.tags)
        if line.sign == "~":
            self.report(Sweep(antenna, _order(tags), line.visits, complete=False))
        elif line.sign == "=":
            if self._dead.pop(antenna, None) is not None:
                self.report(DeviceStatus("ok", "the antenna works again", antenna))
            self._sets[antenna] = tags
            self.report(Sweep(antenna, _order(tags), line.visits))
        elif known is None:
            if line.sign == "+":
                self.report(Sweep(antenna, _order(tags), complete=False))
        elif (tags & known) if line.sign == "+" else (tags - known):
            self.reject(Reason.IMPOSSIBLE_VALUE, f"antenna {antenna}: a change that does not fit its tags")
            self._sets[antenna] = None
            self._incomplete = True
        else:
            if line.visits:
                self.report(Sweep(antenna, _order(known), line.visits))
            after = known | tags if line.sign == "+" else known - tags
            # What is beyond is not followed: the sweep says that it is too much.
            self._sets[antenna] = after if len(after) <= MOST_TAGS else None
            self.report(Sweep(antenna, _order(after)))

    def _contact(self, now: Contact) -> None:
        number, before = now.number, self._contacts.get(now.number)
        self._contacts[number] = now
        edges = 1 if before is None else (now.edges - before.edges) % 65536
        if edges > 32768:
            # The counter went back, which no edge does: only the state can be believed.
            edges = int(before is not None and before.closed != now.closed)
        if edges > 1:
            lost = f", {edges - MOST_EDGES} of them lost" if edges > MOST_EDGES else ""
            self.report(
                DeviceStatus("degraded", f"contact {number}: edges not heard in time: {edges - 1}{lost}")
            )
            self._incomplete = True
        for left in reversed(range(min(edges, MOST_EDGES))):
            self.report(ButtonPress(number, now.closed != bool(left % 2)))

    def _shuffler(self, number: int, report: ShufflerReport) -> None:
        if number == self._shuffler_report:
            return
        lost = (number - self._shuffler_report - 1) % 65535 if self._shuffler_report else 0
        self._shuffler_report = number
        if lost:
            self.report(DeviceStatus("degraded", f"reports of the shuffler not heard: {lost}"))
            self._incomplete = True
        self.report(report)

    def _tray_part(self, part: TrayTags, seq: int) -> None:
        if part.part == 1:
            self._tray = []
        elif (
            len(self._tray) != part.part - 1 or seq != self._tray_seq + 1 or self._tray[0].parts != part.parts
        ):
            self._tray = []
            self.reject(Reason.UNEXPECTED, f"part {part.part} of the tray without those before it")
            return
        self._tray.append(part)
        self._tray_seq = seq
        if part.part == part.parts:
            tags = frozenset(tag for each in self._tray for tag in each.tags)
            self._tray = []
            self.report(TrayReading(_order(tags)))


def _order(tags: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(tags))
