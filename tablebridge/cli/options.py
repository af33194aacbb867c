"""Options that several commands share."""

from pathlib import Path
from typing import Final

import click

_FILE: Final = click.Path(path_type=Path, dir_okay=False)

site_option = click.option("--site", "site_file", type=_FILE, required=True, help="The site file.")
optional_site = click.option("--site", "site_file", type=_FILE, help="The site file.")
"""For commands that do something without a site as well."""
