"""`python -m release.languages [SHEET ...]`: brings the catalogues up to date, with the translations of
sheets that were filled in, and writes the sheet of what is still missing to .make/texts.txt.
"""

import sys
from pathlib import Path
from typing import Final

from release.languages import catalogues
from release.languages.catalogues import TRANSLATED
from release.languages.extract import texts
from release.languages.sheet import SheetError, filled_in, sheet
from release.tree import ROOT

MISSING: Final = ROOT / ".make" / "texts.txt"


def main(sheets: list[str]) -> int:
    """The command line; the exit status."""
    wanted = texts()
    known = {language: catalogues.read(language) for language in TRANSLATED}
    for file in sheets:
        try:
            for language, key, forms in filled_in(Path(file).read_text(), wanted):
                known[language][key] = forms
        except (OSError, SheetError) as error:
            print(f"{file}: {error}", file=sys.stderr)
            return 2
    for language in TRANSLATED:
        catalogues.path_of(language).write_bytes(catalogues.written(language, wanted, known[language]))
    missing = sheet(wanted, known)
    MISSING.parent.mkdir(exist_ok=True)
    MISSING.write_text(missing)
    count = missing.count("\n= ")
    print(f"{len(wanted)} texts; {count} lack a translation" + (f": fill in {MISSING}" if count else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
