"""`tablebridge drivers`: which drivers there are, how far to trust them, what they make of a capture."""

from pathlib import Path
from typing import Any, Final

import click
import msgspec

from tablebridge.host import registry
from tablebridge.model.errors import ConfigError
from tablebridge.sdk.captures import Piece, hear, read_capture, said_otherwise
from tablebridge.sdk.driver import Driver, Option, Options
from tablebridge.sdk.turns import ContractError, Heard

COMPOSED: Final = "all that it was tried with was composed by its author: nobody else's bytes, and no client"


@click.group(invoke_without_command=True, epilog="Example: tablebridge drivers show feig")
@click.option("--json", "as_json", is_flag=True, help="One JSON array instead of text.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """List the installed drivers."""
    if ctx.invoked_subcommand is None:
        _list(as_json)


@command.command(
    "list", short_help="List the installed drivers.", epilog="Example: tablebridge drivers list --json"
)
@click.option("--json", "as_json", is_flag=True, help="One JSON array instead of text.")
def list_all(as_json: bool) -> None:
    """List the installed drivers: for which devices, how far to trust them, and why."""
    _list(as_json)


@command.command(short_help="Show a driver's options.", epilog="Example: tablebridge drivers show feig")
@click.argument("name", metavar="DRIVER")
def show(name: str) -> None:
    """Show what DRIVER is for, its ports, antennas and options, and what to write into the site file."""
    driver = registry.load(name)
    ports = _ports(driver)
    antennas = (
        " to ".join(map(str, dict.fromkeys((driver.antennas[0], driver.antennas[-1]))))
        if driver.antennas
        else "none"
    )
    click.echo(f"{driver.name}: {driver.title}")
    for what, text in (
        ("trust", driver.trust),
        ("source", driver.source),
        ("tested", driver.tested),
        *((("composed", COMPOSED),) if driver.composed else ()),
        ("port", " or ".join(ports.values())),
        ("antennas", antennas),
    ):
        click.echo(f"    {what + ':':13} {text}")
    if driver.options:
        click.echo("\nOptions, with their defaults:")
    for option, known in driver.options.items():
        click.echo(
            f"    {option} = {msgspec.json.encode(known.default).decode()}{_limits(known)}\n        "
            f"{known.meaning}"
        )
    click.echo(
        "\nIn the site file, below its table:\n"
        f'[[table.device]]\nname = "my-{driver.name}"\ndriver = "{name}"\n'
        f'port = "{next(iter(ports))}"'
    )
    if driver.antennas:
        click.echo(f'antennas = {{ {driver.antennas[0]} = "seat 1" }}')


def _ports(driver: Driver) -> dict[str, str]:
    """Ways to reach the device, each as the site file writes it and in words."""
    ways = {}
    if driver.port is not None:
        line = driver.port({name: option.default for name, option in driver.options.items()})
        ways["/dev/serial/by-id/..."] = (
            "the modem lines of a serial port"
            if line.contacts
            else f"a serial port ({line.baud} {line.data_bits}{line.parity}{line.stop_bits})"
        )
        if not line.contacts:
            ways["socket://HOST:PORT"] = "socket://HOST:PORT"
    if driver.usb is not None:
        ids = driver.usb.ids
        usb = [
            f"usb://{vendor:04x}" + (f":{product:04x}" if product is not None else "")
            for vendor, product in ids
        ]
        ways |= {way: way for way in usb or ["usb://VENDOR:PRODUCT"]}
    if driver.keys is not None:
        ways["/dev/input/by-id/...-event-kbd"] = "an input device"
    if driver.watch is not None:
        ways["watch://usb"] = "watch://usb"
    if driver.pcsc is not None:
        ways["pcsc://NAME"] = "PC/SC (pcsc://NAME)"
    return ways


def _limits(option: Option) -> str:
    if option.choices:
        return f"    one of {', '.join(option.choices)}"
    ends = [
        f"{word} {end:.12g}"
        for word, end in (("from", option.lowest), ("to", option.highest))
        if end is not None
    ]
    return "    " + " ".join(ends) if ends else ""


def _list(as_json: bool) -> None:
    drivers = [_description(listed) for listed in registry.listed()]
    if as_json:
        click.echo(msgspec.json.encode(drivers).decode())
        return
    for driver in drivers:
        click.echo(f"{driver.pop('name')}: {driver.pop('title', driver.get('broken'))}")
        for what in ("trust", "source", "tested", "distribution"):
            if what in driver:
                click.echo(f"    {what + ':':13} {driver[what]}")
        if driver.get("composed"):
            click.echo(f"    {'composed:':13} {COMPOSED}")


@command.command(
    "import",
    short_help="Make a capture of another program's log.",
    epilog="Example: tablebridge drivers import usb.pcap --driver feig --out feig.jsonl",
)
@click.argument("log", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--driver", "name", required=True, help="The driver that is to hear it.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The file to write."
)
@click.option("--device", metavar="BUS.ADDRESS", help="Of USB: whose bytes; by default who said most.")
def import_log(log: Path, name: str, out: Path, device: str | None) -> None:
    """Write what a device said in LOG into a capture: usbmon's text, a pcap file of usbmon, or the log of a
    serial line with a direction and hex digits in each line.

    What an FTDI chip adds to each packet is left out.
    """
    from tablebridge.sdk.logs import devices_of, looks_like_ftdi, packets_of, pieces_of

    registry.load(name)
    try:
        packets = packets_of(log.read_bytes())
    except ValueError as error:
        raise ConfigError(f"{log} cannot be read: {error}.") from None
    said = devices_of(packets)
    chosen = device if device is not None else said.most_common(1)[0][0]
    if chosen not in said:
        raise ConfigError(f"{log} has no device {chosen}: {', '.join(sorted(said))}.")
    pieces = pieces_of(packets, chosen, looks_like_ftdi(packets, chosen))
    try:
        with out.open("xb") as file:
            file.write(b"".join(msgspec.json.encode(piece) + b"\n" for piece in pieces))
    except OSError as error:
        raise ConfigError(f"{out} cannot be written ({error.strerror}): give another name.") from None
    heard = sum(len(piece.hex) // 2 for piece in pieces if piece.direction == "rx")
    others = f" Others in it: {', '.join(sorted(said.keys() - {chosen}))}." if len(said) > 1 else ""
    click.echo(
        f"{out} has {heard} bytes of the device{f' {chosen}' if chosen else ''}.{others} See what it means: "
        f"tablebridge drivers play {out} --driver {name}"
    )


@command.command(
    "configure",
    short_help="Show and set what a reader stores.",
    epilog="Example: tablebridge drivers configure uhfreader18 --port /dev/ttyUSB0",
)
@click.argument("name", metavar="DRIVER")
@click.option("--port", required=True, help="The port, as a site file has it.")
@click.option("--option", "given", multiple=True, metavar="NAME=VALUE", help="An option of the driver.")
@click.option("--write", is_flag=True, help="Store what the driver needs.")
def configure_reader(name: str, port: str, given: tuple[str, ...], write: bool) -> None:
    """Show what the reader at PORT stores and DRIVER depends on, beside what it needs; --write stores that.

    End the driver's own process first. Exit status 1 if the reader has something else, or says nothing.
    """
    from tablebridge.cli.driver_options import parse_option
    from tablebridge.doctor.configure import configure

    good = True
    for setting in configure(port, name, dict(map(parse_option, given)), write):
        good &= setting.good
        said = {
            "right": "as it is needed.",
            "wrong": f"needed is {setting.wanted}: {setting.meaning}. Store it with --write.",
            "written": "stored now.",
            "refused": f"needed is {setting.wanted}, and the reader did not take it.",
            "silent": f"no answer: look at power, cable, port and options. Needed is {setting.wanted}.",
        }[setting.state]
        click.echo(f"{setting.name}: {setting.value or 'unknown'}; {said}")
    if not good:
        raise SystemExit(1)


@command.command(
    short_help="Print what a capture means.", epilog="Example: tablebridge drivers play seat-3.jsonl"
)
@click.argument("capture", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--driver", "name", help="The driver to hear it with; by default the one that the capture names."
)
def play(capture: Path, name: str | None) -> None:
    """Let a driver hear CAPTURE and print what it makes of it: all readings as JSON lines, then all rejects.

    Saved as expect.jsonl beside the capture it is what the tests expect from then on. A capture that names no
    driver takes that of its folder: tests/captures/DRIVER/NN-WHAT/capture.jsonl. Exit status 1 if the
    driver, as it is now, says other bytes than were recorded.
    """
    pieces = _read(capture)
    name = name or (pieces[0].driver if pieces else "") or capture.resolve().parent.parent.name
    try:
        heard = hear(registry.load(name), pieces, **_options(capture))
    except ContractError as error:
        raise ConfigError(f"The driver {name} breaks its contract on {capture}: {error}.") from None
    for line in heard_lines(heard):
        click.echo(line)
    if difference := said_otherwise(heard, pieces):
        click.echo(f"tablebridge: {capture}: {difference}.", err=True)
        raise SystemExit(1)


def heard_lines(heard: Heard) -> list[str]:
    """What was heard, one JSON object per line."""
    rejects = [
        {"kind": "rejected", "reason": item.reason.value, "detail": item.detail} for item in heard.rejected
    ]
    return [msgspec.json.encode(item).decode() for item in (*heard.readings, *rejects)]


def _options(capture: Path) -> Options:
    """Those that lie beside a capture which has none of its own."""
    path = capture.with_name("options.json")
    try:
        return msgspec.json.decode(path.read_bytes(), type=Options) if path.exists() else {}
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(
            f"{path} cannot be read ({error}): write a JSON object of the driver's options."
        ) from None


def _read(path: Path) -> list[Piece]:
    try:
        return read_capture(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read ({error.strerror}); check the path and its permissions."
        ) from None
    except ValueError as error:
        raise ConfigError(f"{path} is no capture: {error}.") from None


def _description(listed: registry.Listed) -> dict[str, Any]:
    known, driver = listed.known, listed.driver
    installed = {"name": known.name, "distribution": f"{known.distribution} {known.version}".strip()}
    if driver is None:
        return installed | {"broken": listed.broken}
    options = {
        name: {"default": option.default, "meaning": option.meaning}
        for name, option in driver.options.items()
    }
    return installed | {
        "title": driver.title,
        "trust": driver.trust,
        "source": driver.source,
        "tested": driver.tested,
        "emulation": driver.emulation,
        "composed": driver.composed,
        "options": options,
        "decodes": driver.decode is not None,
    }
