"""The command line. Each command is a module of its own, imported when it is called, so that starting stays
cheap.
"""

from importlib import import_module
from typing import Final

import click

from tablebridge import __version__, process
from tablebridge.cli.extras import advice
from tablebridge.model.errors import TablebridgeError

COMMANDS: Final = {
    "demo": ("demo", "Deal hands on an emulated table and open the pages."),
    "run": ("run", "Run everything of a site: broker, drivers, engine, web."),
    "drive": ("drive", "Run the driver of one device."),
    "engine": ("engine", "Run sensing, hand engine and journal of the tables."),
    "web": ("web", "Serve the pages."),
    "notify": ("notify", "Notify people of alerts, by ntfy or other services."),
    "uplink": ("uplink", "Send the records of this box to its room."),
    "archive": ("archive", "Check the records of a site's boxes and write them to PostgreSQL."),
    "join": ("join", "Join a room, with a token of site add-box."),
    "room": ("room", "Follow the tables of a tournament; say what is due."),
    "check": ("check", "Check the expectations in table scripts."),
    "replay": ("replay", "Play a table script and print every finding in place."),
    "simulate": ("simulate", "Play recorded hands through the whole chain and write what came out."),
    "export": ("export", "Write hands as PHH, Open Hand History or PokerGFX files."),
    "awards": ("awards", "High hands and bad beats by a room's rules, with receipts."),
    "rates": ("rates", "Hands, rake and seats per hour, by table and dealer."),
    "sense": ("sense", "Read antenna readings, captures or a journal, print card events."),
    "install": ("install", "Put units, users, rules, broker accounts in place on this box."),
    "uninstall": ("uninstall", "Take them away again; state is kept."),
    "setup": ("setup", "Find the readers, map the antennas, write the site file, enrol a deck."),
    "doctor": ("doctor", "Examine the machine, the devices and the broker; say what to do."),
    "support-bundle": ("support_bundle", "Write one file for whoever helps from afar, without secrets."),
    "capture": ("capture", "Record what a device and its driver say to each other."),
    "calibrate": (
        "calibrate",
        "Measure how well each antenna reads, and which read their neighbours' cards.",
    ),
    "enrol": ("enrol", "Enrol a deck by presenting its cards in order."),
    "deck": ("deck", "Which cards of a deck wear; the receipt of a deck."),
    "chips": ("chips", "Enrol chips, see what is enrolled and what a tray holds."),
    "rulebook": ("rulebook", "Read and compare rulebooks, check a house's own."),
    "site": ("site", "Check a site file, make the broker's accounts for it."),
    "schema": ("schema", "Print the JSON Schema of the site file, for editors."),
    "token": ("token", "Give, list and revoke access to the pages."),
    "webhook": ("webhook", "Show the secret of a webhook; send it a test."),
    "journal": ("journal", "Verify and read a journal."),
    "backup": ("backup", "Save a site in one encrypted file, while it runs."),
    "restore": ("restore", "Bring a saved site back."),
    "drivers": ("drivers", "List the drivers."),
    "ports": ("ports", "List what is plugged in, and which driver fits."),
    "decode": ("decode", "Print what bytes of a device mean."),
    "firmware": ("firmware", "Put firmware on a home-made board, configure it."),
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"tablebridge.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS:
            from tablebridge.model.nearest import nearest

            ctx.fail(f"No such command {args[0]!r}: {nearest(args[0], list(COMMANDS))}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def cli() -> None:
    """tablebridge reads a physical poker table, rules every hand and tells the floor.

    Try it: tablebridge demo
    """


def main() -> None:
    """The entry point. An error that the user can fix is one sentence on standard error and exit status 2."""
    process.begin()
    if few := process.few_files():
        click.echo(f"tablebridge: {few}", err=True)
        raise SystemExit(2)
    try:
        cli.main(standalone_mode=True)
    except TablebridgeError as error:
        click.echo(f"tablebridge: {error}", err=True)
        raise SystemExit(error.status) from None
    except OSError as error:
        if error.errno not in process.NO_FILES:
            raise
        click.echo(
            f"tablebridge: no more files may be opened ({error.strerror}): raise LimitNOFILE= of the unit, "
            "or ulimit -n, and start it again.",
            err=True,
        )
        raise SystemExit(2) from None
    except ModuleNotFoundError as error:
        sentence = advice(error)
        if sentence is None:
            raise
        click.echo(f"tablebridge: {sentence}", err=True)
        raise SystemExit(2) from None
