"""Makes what is given to people: `python -m release deb` the Debian package, `python -m release all`
everything of a release. Two runs on one commit make the same bytes.

    tree.py       the checkout: its version, its commit's time, its wheel and source archive
    deb.py        the Debian package
    debian/       its maintainer scripts and its question
    sbom.py       the bill of materials, CycloneDX
    all.py        a whole release, built twice and compared
"""
