"""`tablebridge schema`: the form of files, for editors and other programs."""

import click


@click.command(epilog="Example: tablebridge schema site > site.schema.json")
@click.argument("what", type=click.Choice(("site",)))
def command(what: str) -> None:
    """Print the JSON Schema of the site file.

    An editor with a TOML plug-in completes and checks a site file whose first line is `#:schema
    site.schema.json`.
    """
    from tablebridge.settings.schema import text

    click.echo(text(), nl=False)
