"""`tablebridge restore`: bring a saved site back."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tablebridge.backup.archive import Manifest
    from tablebridge.backup.restore import Outcome


@click.command(
    short_help="Bring a saved site back.",
    epilog="Example: tablebridge restore monday.backup --key my.key --site /etc/tablebridge/site.toml",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--key", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The secret key file."
)
@click.option(
    "--site",
    "site_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The site file: whose state folder is filled, or where the saved one is written.",
)
@click.option(
    "--replace", is_flag=True, help="Replace what is there; it is saved as a backup beside FILE first."
)
@click.option("--check", "only_check", is_flag=True, help="Only check FILE and say what it holds.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def command(
    file: Path, key: Path, site_file: Path | None, replace: bool, only_check: bool, as_json: bool
) -> None:
    """Put the site that `tablebridge backup` saved in FILE in place. Stop the tables first.

    The record of each table says from then on that it was restored, and from which backup: the box that the
    backup was made on may have recorded more. Never let both play the same table.
    """
    from tablebridge.backup.keys import load_key
    from tablebridge.backup.restore import contents, restore

    identity = load_key(key)
    if only_check:
        manifest, result = contents(file, identity), None
    elif site_file is None:
        raise click.UsageError("Missing option '--site' (or give --check).")
    else:
        result = restore(
            file, site_file, identity, replace=replace, progress=lambda text: click.echo(text, err=True)
        )
        manifest = result.manifest
    if as_json:
        click.echo(json.dumps(_summary(manifest, result)))
        return
    _print(manifest, result)
    if result is not None:
        click.echo(
            f"Restored into {result.state_dir}. Next: tablebridge site check {site_file}; then start the "
            "tables."
        )


def _made(manifest: "Manifest") -> datetime:
    return datetime.fromtimestamp(manifest.made_wall_ns / 1e9, UTC)


def _summary(manifest: "Manifest", result: "Outcome | None") -> dict[str, object]:
    return {
        "id": manifest.id,
        "site": manifest.site,
        "made": _made(manifest).isoformat(timespec="seconds"),
        "software": manifest.software,
        "tables": {table.name: table.records for table in manifest.tables},
        "files": [member.name for member in manifest.members],
        "left_out": manifest.left_out,
        "restored": result is not None,
        "state_dir": str(result.state_dir) if result else None,
        "saved": str(result.saved) if result and result.saved else None,
    }


def _print(manifest: "Manifest", result: "Outcome | None") -> None:
    click.echo(
        f"Backup {manifest.id} of site {manifest.site}, made {_made(manifest):%Y-%m-%d %H:%M} UTC by "
        f"{manifest.software}:"
    )
    for table in manifest.tables:
        click.echo(f"  table {table.name}: {table.records} records" + ("" if table.head else ", NOT SOUND"))
    click.echo(f"  files: {len(manifest.members)}, all as they were saved")
    if result is not None:
        for path in result.written:
            click.echo(f"written: {path}")
        for path in result.beside:
            click.echo(f"written beside the file that is there: {path}; compare the two")
        if result.saved:
            click.echo(f"What was there before is saved in {result.saved}")
        for name in manifest.left_out:
            click.echo(f"not in the backup, bring it yourself: {name}")
