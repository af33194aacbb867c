"""`tablebridge backup`: save a site in one encrypted file."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablebridge.cli.options import optional_site

if TYPE_CHECKING:
    from tablebridge.backup.archive import Manifest


@click.command(
    short_help="Save a site in one encrypted file, while it runs.",
    epilog="Example: tablebridge backup monday.backup --site site.toml --key /media/stick/tablebridge.key",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@optional_site
@click.option(
    "--to", "recipients", multiple=True, metavar="AGE1...", help="A public key that may read it; repeatable."
)
@click.option(
    "--key", "key", type=click.Path(path_type=Path, dir_okay=False), help="A key file that may read it."
)
@click.option("--new-key", is_flag=True, help="Make the key file FILE instead, and print its public half.")
@click.option("--json", "as_json", is_flag=True, help="Print what was saved as one JSON object.")
def command(
    file: Path,
    site_file: Path | None,
    recipients: tuple[str, ...],
    key: Path | None,
    new_key: bool,
    as_json: bool,
) -> None:
    """Save records, decks, chips, people's access, calibration, site file and house rulebooks in FILE.

    FILE is encrypted with age to one or more public keys, so a box can make backups that nobody can read
    there. Make a key once, keep it away from the box, and keep two copies: without it nobody can read a
    backup.

    \b
      tablebridge backup --new-key tablebridge.key     prints age1...
      tablebridge backup monday.backup --site site.toml --to age1...
    """
    from tablebridge.backup.keys import load_key, parse_recipient
    from tablebridge.backup.save import save

    if new_key:
        _make_key(file, as_json=as_json)
        return
    if site_file is None:
        raise click.UsageError("Missing option '--site'.")
    keys = [parse_recipient(text) for text in recipients] + ([load_key(key).to_public()] if key else [])
    if not keys:
        raise click.UsageError(
            "Say who may read the backup: --to AGE1... or --key FILE (make one with --new-key)."
        )
    manifest = save(site_file, file, keys, lambda text: click.echo(text, err=True))
    _report(file, manifest, as_json=as_json)


def _report(file: Path, manifest: "Manifest", *, as_json: bool) -> None:
    """Exit status 1 if a record failed its check."""
    unsound = [table.name for table in manifest.tables if not table.head]
    size = file.stat().st_size
    if as_json:
        summary = {
            "file": str(file),
            "bytes": size,
            "id": manifest.id,
            "tables": {table.name: table.records for table in manifest.tables},
            "unsound": unsound,
            "left_out": manifest.left_out,
        }
        click.echo(json.dumps(summary))
    else:
        records = ", ".join(f"{table.name} ({table.records} records)" for table in manifest.tables)
        click.echo(f"{file}: {size / 1e6:.1f} MB, backup {manifest.id}; tables: {records or 'none'}")
        for path in manifest.left_out:
            click.echo(f"not in it, since it lies elsewhere: {path}; keep a copy yourself")
    if unsound:
        click.echo(
            f"The record of {', '.join(unsound)} fails its own verification; it was saved as it is.", err=True
        )
        raise SystemExit(1)


def _make_key(file: Path, *, as_json: bool) -> None:
    from tablebridge.backup.keys import new_key

    public = new_key(file)
    if as_json:
        click.echo(json.dumps({"key": str(file), "public": public}))
        return
    click.echo(public)
    click.echo(f"Keep {file} away from this box, twice: without it nobody can read a backup.", err=True)
