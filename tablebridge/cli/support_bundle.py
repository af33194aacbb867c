"""`tablebridge support-bundle`: one file for whoever helps from afar."""

from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import click

from tablebridge.cli.options import site_option
from tablebridge.model.errors import ConfigError


@click.command(
    "support-bundle",
    epilog="Example: tablebridge support-bundle help.zip --site /etc/tablebridge/site.toml",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@site_option
@click.option(
    "--metrics-token",
    "token_file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="TOKENFILE",
    help="A file with a token of the role metrics, such as the one that Prometheus uses: adds the metrics.",
)
def command(file: Path, site_file: Path, token_file: Path | None) -> None:
    """Write FILE, a ZIP file with what somebody needs who helps from afar: the doctor's report, versions,
    settings, units, the last logs, counters, the size of the record, disks and processes.

    It holds no password, no token, no tag, no card and no name of a person. Run it as root: what cannot be
    read is left out and named in missing.txt.
    """
    from tablebridge.doctor import bundle
    from tablebridge.settings.load import load_site

    site = load_site(site_file)
    metrics = ""
    if token_file is not None:
        metrics = _metrics(
            f"http://{site.web.listen}:{site.web.port}/metrics", token_file.read_text().strip()
        )
    names = bundle.write(file, site, site_file, metrics)
    click.echo(f"{file}: {', '.join(names)}. Look into it before you send it.")


def _metrics(address: str, token: str) -> str:
    """Raises ConfigError if they cannot be had."""
    try:
        with urlopen(Request(address, headers={"authorization": f"Bearer {token}"}), timeout=10) as answer:
            text: str = answer.read(4_000_000).decode()
            return text
    except (URLError, OSError, ValueError) as error:
        raise ConfigError(
            f"{address} does not give the metrics ({error}): give a token of the role metrics, or leave "
            "--metrics-token out."
        ) from None
